"""Savings of the updates of a nest that keep values, by windows of all lengths (N11).

Two updates in a row that touch a value are a *pair* of it. With T moves of a value that has P
pairs, prices w(A) of several lengths A of windows and g of room, R the room of a play, Phi(A) the
most that the pairs in a window of A updates are worth, and floor the least that a kept pair uses of
both,

    excess >= sum over u of min(T, P floor) - g R
              - sum over A of ((N - A + 1) Phi(A) + 2 (Phi(1) + ... + Phi(A - 1))).

The proof is N11 in docs/theory/nests.md.

Source
------
The windows are those of `window_gains`, and so are their sources. That all lengths count at once,
and that room is asked for at every update, is proved here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final
from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import Game, Rules
from proofs.core.records import CertificateError, Positive, Within, only
from proofs.core.windows import Lemma
from proofs.lemmas.generated import is_single_use
from proofs.lemmas.loops.affine import described_space
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.layered_sets import REACH
from proofs.lemmas.loops.nest_pairs import Nest, nest_of_space
from proofs.lemmas.loops.projections import family_space

DEAREST: Final = 2**30  # of all prices, in parts of a word
MOST_WINDOWS: Final = 16
Price = Annotated[int, Within(0, DEAREST)]
# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, Nest]] = WeakKeyDictionary()


def holds(dag: CDAG, rules: Rules) -> bool:
    """Whether the argument holds: in one-shot plays, or where these are the best."""
    return not rules.partial and (not rules.recompute or is_single_use(dag))


def nest(dag: CDAG, source: Mapping[str, Any], base: str, operands: tuple[str, ...]) -> Nest:
    """The pairs of a nest, verified on `dag`.

    Parameters
    ----------
    dag
        The DAG, its values of one word.
    source
        Has a "family" and its "params", or the "space" of a program, maybe of a "member".
    base, operands
        The arrays, as for `layers_of`.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    known = _verified.setdefault(dag, {})
    question = dag.origin, repr(source), base, operands
    if question not in known:
        known[question] = nest_of_space(dag, space_of(dag, source), base, operands)
    return known[question]


def space_of(dag: CDAG, source: Mapping[str, Any]) -> IterationSpace:
    """The updates that are named, not verified.

    Parameters
    ----------
    dag
        The DAG.
    source
        Has a "family" and its "params", or the "space" of a program, maybe of a "member".
    """
    return (family_space if "family" in source else described_space)(dag, source)


@dataclass(frozen=True)
class PairWindow:
    """A length of windows, and the prices of pairs in them: of operands, base items and links."""

    size: Positive
    operand: Price
    entry: Price
    link: Price = 0


@dataclass(frozen=True)
class Kept:
    """Prices of room and of pairs of values, for windows of several lengths.

    Parameters
    ----------
    source
        Of the updates: a "family" and its "params", or the "space" of a program, maybe of a
        "member".
    base, operands
        Names of arrays.
    denominator, room, windows
        Parts of a word, and prices in such parts.
    """

    source: Mapping[str, Any]
    base: str
    operands: tuple[str, ...]
    denominator: Annotated[int, Within(1, DEAREST)]
    room: Price
    windows: Annotated[tuple[PairWindow, ...], Within(entries=MOST_WINDOWS)]


def kept(game: Game, record: Kept) -> int:
    """The words of updates that keep values at best (N11)."""
    require_playable(game)
    pairs = nest(game.dag, source_of(record.source), record.base, record.operands)
    longest_window = min(REACH, pairs.updates)
    if (longest := max(window.size for window in record.windows)) > longest_window:
        raise CertificateError("size", f"is {longest}, more than {longest_window}")
    prices = [(window.size, window.operand, window.entry, window.link) for window in record.windows]
    words = pairs.excess(game.memory, game.rules, record.denominator, record.room, prices)
    return game.compulsory + max(0, words)


def require_playable(game: Game) -> None:
    """Raise CertificateError where values come back otherwise, or nothing can be played."""
    if not holds(game.dag, game.rules):
        message = f"are {game.rules.name}, under which values come back otherwise"
        raise CertificateError("rules", message)
    if game.memory < game.least:
        raise CertificateError("memory", f"of {game.memory} words is too small to play at all")


def source_of(source: Mapping[str, Any]) -> Mapping[str, Any]:
    """A source of updates: a family and its parameters, or a space, maybe of a member's points."""
    named = ("member", "space") if "member" in source else ("space",)
    only(source, named if "space" in source else ("family", "params"))
    return source


PAIRS = Lemma(Kept, kept, lambda _: ("N11", "N12", "N13"))
