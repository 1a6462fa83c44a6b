"""Windows of one-shot plays as sets of vertices that have prices, W4 to W6.

**W6.** Let a point at a border have a price, and c(A) be the least of boundary(V) and the prices of
V's points over all sets V of A vertices, less the words waived of V (`prices`). Each vertex is in
one set of each way to cut a play, so

    sum of boundary(V) >= sum of c(|V|) - the prices of all points - all that is waived.

Each point of a layer may have a price besides. The proof is in docs/theory/windows.md, with those
of W4 for levels of subsets (`prices.levels`), and of W5 for layers of grids (`prices.layers`).

Source
------
Derived here: one of Lagrange's multipliers for the points at borders. W1 is the case in which a
price is as high as the saving of the point.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from dags.arrays import Int64Array, lock
from pebble import Game
from proofs.core.records import CertificateError, Integers, Positive, Within, shown
from proofs.core.windows import Cuts, Lemma, Sum, require_cuts
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry.layers import layer_sizes
from proofs.lemmas.prices import LAYERED, PRICED
from proofs.lemmas.prices.layers import LARGEST_SET, layers_priced, levels_priced
from proofs.lemmas.prices.prices import Priced
from proofs.lemmas.sets import exchanged, require_one_shot

OF_CONTACTS = {"grid": ("S4", "S14"), "stencil": ("S2", "S15", "S16")}


@dataclass(frozen=True, kw_only=True)
class Levels(Cuts):
    """Windows of the lattice of subsets of `d` things, and prices of the levels from 1 on."""

    d: Positive
    prices: Annotated[Int64Array, Within(-(2**20), 2**20)]
    denominator: Annotated[int, Within(1, 2**20)]


@dataclass(frozen=True, kw_only=True)
class Layers(Cuts):
    """Windows of a grid, and prices of a vertex of each layer."""

    shape: Integers
    prices: Annotated[Int64Array, Within(0, 2**16)]
    denominator: Annotated[int, Within(1, 2**16)]


@dataclass(frozen=True)
class Contacts:
    """Windows of a member of a family, and prices of points at borders.

    Parameters
    ----------
    family, params
        A generator's name and arguments.
    prices, denominator
        Of points, in parts of a move, and how many make one.
    windows
        Of all vertices that are computed.
    layers
        Price of a point of each layer besides.
    """

    family: str
    params: Mapping[str, Any]
    prices: Annotated[Integers, Within(0, 64)]
    denominator: Annotated[int, Within(1, 64)]
    windows: Cuts
    layers: Annotated[Integers, Within(-64, 64)] | None = None


def levels(game: Game, record: Levels) -> Sum:
    """Exchanges of sets of subsets less prices of their levels (W4)."""
    require_one_shot(game)
    if record.prices.size != record.d:
        raise CertificateError("prices", f"are not {record.d}")
    require_generated(game.dag, "hypercube", {"d": record.d})
    require_cuts(record, 2**record.d - 1)
    if record.longest > LARGEST_SET:
        raise CertificateError("sizes", f"are more than {LARGEST_SET}")
    known = levels_priced(record.d, record.prices, record.denominator, record.longest)
    return _sum(game, known, record, record.denominator)


def layers(game: Game, record: Layers) -> Sum:
    """Exchanges of sets of a grid less prices of their layers (W5)."""
    require_one_shot(game)
    shape = require_generated(game.dag, "grid", {"shape": record.shape})["shape"]
    if len(shape) < 2:
        raise CertificateError("shape", "is that of a line")
    if record.prices.size != (count := layer_sizes(shape).size):
        raise CertificateError("prices", f"are not {count} numbers from 0 on")
    require_cuts(record, game.dag.computed.size)
    known = layers_priced(shape, lock(record.prices), record.denominator, record.longest)
    return _sum(game, known, record, record.denominator)


def contacts(game: Game, record: Contacts) -> Sum:
    """Exchanges of sets and prices of points at borders, and of layers (W6)."""
    require_one_shot(game)
    family, parts, longest = record.family, record.denominator, record.windows.longest
    if family not in PRICED:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(PRICED)}")
    count, known_of = PRICED[family]
    if len(record.prices) != count:
        raise CertificateError("prices", f"are not {count}")
    generated = require_generated(game.dag, family, record.params)
    require_cuts(record.windows, game.dag.computed.size)
    if record.layers is None:
        known = known_of(longest, record.prices, parts, **generated)
    elif family in LAYERED:
        known = LAYERED[family](longest, record.prices, record.layers, parts, **generated)
    else:
        raise CertificateError("layers", f"have no prices in {family}")
    return _sum(game, known, record.windows, parts)


def _sum(game: Game, known: Priced, cuts: Cuts, parts: int) -> Sum:
    return exchanged(game, [(known.count(parts), cuts)])


def _rolling(cuts: Cuts) -> tuple[str, ...]:
    return ("W3",) if cuts.length else ()


LEVELS = Lemma(Levels, levels, lambda record: ("W1", "W4", *_rolling(record), "S7"))
LAYERS = Lemma(Layers, layers, lambda record: ("W1", "W5", *_rolling(record), "S5"))
CONTACTS = Lemma(
    Contacts,
    contacts,
    lambda record: ("W1", "W6", *_rolling(record.windows), *OF_CONTACTS[record.family]),
)
