"""Windows of a play as sets of counted vertices, by exchanges of such sets (W1, W2).

**W1.** A one-shot play is cut into k windows that compute sets V_i of fixed sizes, with at most m
values red at a cut. With the boundary of `isoperimetry` and w the least size of a value, beside the
compulsory words

    excess >= w (sum over i of least(|V_i|) - waived - 2 m (k - 1)).

**W2.** In any play, V_i the first computations of a window, and least the fewest values outside a
set from which it can be computed,

    excess >= w (sum over i of least(|V_i|) - waived - m (k - 1)).

The proofs are in docs/theory/windows.md.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981; D. Ranjan, J. Savage
and M. Zubair, COCOON 2011.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dags import CDAG
from pebble import Game
from proofs.core.records import CertificateError, Natural, shown
from proofs.core.windows import Cuts, Lemma, Sum
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry import DOMINATED, TWO_SIDED, Alternatives, Families


@dataclass(frozen=True)
class Sets:
    """Windows of members of a family.

    Parameters
    ----------
    family, params
        A generator's name and arguments.
    alternative
        Which inequalities of that family are meant.
    cuts
        The windows of each of its pieces.
    """

    family: str
    params: Mapping[str, Any]
    alternative: Natural
    cuts: tuple[Cuts, ...]


def two_sided(game: Game, record: Sets) -> Sum:
    """The words that sets read and pass on in one-shot plays (W1)."""
    require_one_shot(game)
    return _sum(TWO_SIDED, 2, game, record)


def one_sided(game: Game, record: Sets) -> Sum:
    """The words that sets are computed from, in any play (W2)."""
    return _sum(DOMINATED, 1, game, record)


def require_one_shot(game: Game) -> None:
    """Raise CertificateError where values may be computed again."""
    if game.rules.recompute:
        raise CertificateError("rules", "sets exchange values only if none is computed again")


def exchanged(game: Game, pieces: Any, sides: int = 2, *, anywhere: bool = True) -> Sum:
    """The sum of windows whose excess is beside the compulsory words.

    Parameters
    ----------
    game
        The game.
    pieces
        Counts with their windows.
    sides
        Moves that a value saves which is red at a cut.
    anywhere
        Whether windows may begin anywhere.
    """
    floor, saved = game.compulsory, sides * game.red
    return Sum(pieces, saved, floor, game.word, anywhere=anywhere)


def _sum(families: Families, sides: int, game: Game, record: Sets) -> Sum:
    known = known_counts(families, game.dag, record.family, record.params)
    if record.alternative >= len(known):
        message = f"{record.alternative} is not below {len(known)}"
        raise CertificateError("alternative", message)
    pieces = known[record.alternative]
    if len(record.cuts) != len(pieces):
        raise CertificateError("cuts", f"is no list for {len(pieces)} pieces")
    pairs = list(zip(pieces, record.cuts, strict=True))
    return exchanged(game, pairs, sides, anywhere=sides == 2)


def known_counts(families: Families, dag: CDAG, family: str, params: Any) -> Alternatives:
    """The count for sets in `dag`, if `family` and `params` make it.

    Parameters
    ----------
    families, dag
        The record of the family.
    family, params
        A generator's name and arguments.

    Raises
    ------
    CertificateError
        If they do not, or nothing is known of the family.
    """
    if family not in families:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(families)}")
    return families[family](**require_generated(dag, family, params))


# Of the inequality of each family.
THEOREMS = {
    "binomial": ("S1",),
    "bitonic_sort": ("S8",),
    "fft": ("S8",),
    "grid": ("S4", "S3"),
    "hypercube": ("S6",),
    "odd_even_merge_sort": ("S8",),
    "prefix_scan": ("S9",),
    "pyramid": ("S1",),
    "stencil": ("S1", "S2", "S3", "S11"),
    "sweep": ("S2",),
}


def _theorems(number: str, record: Sets) -> tuple[str, ...]:
    rolling = any(cut.length for cut in record.cuts)
    return (number, *(["W3"] * rolling), *THEOREMS[record.family])


SEGMENTS = Lemma(Sets, two_sided, lambda record: _theorems("W1", record))
SETS = Lemma(Sets, one_sided, lambda record: _theorems("W2", record))
