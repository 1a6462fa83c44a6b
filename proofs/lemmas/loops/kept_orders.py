"""Savings of the updates of a nest in any order, where there is room for a few items (N14).

With a price w of its array a kept pair counts as no more than w, and all of them together as no
less than min(T, P w) less w for each kept one. What a play with room for a few items can keep is at
most what `order_states` says of sequences of so many points, whatever their order may be.

The proof is N14 in docs/theory/nests.md.

Source
------
Derived here: the room at each step at its own time, where `kept_pairs` has it in all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Game
from proofs.core.certificate import CertificateError
from proofs.core.records import Within
from proofs.core.windows import Lemma
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.kept_pairs import nest, require_playable, source_of, space_of
from proofs.lemmas.loops.nest_pairs import Nest, belonging_to, item_numbers
from proofs.lemmas.loops.order_states import PAIRS, PRODUCTS, Prices, most_kept

OPERANDS: Final = 3  # words that an update reads
DEAREST: Final = 2**20  # of a price, in parts of a word

_verified: WeakKeyDictionary[CDAG, dict[Any, int]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Ordered:
    """Prices of pairs of an operand and of a base entry, and of a step to finish; as for `Kept`."""

    source: Mapping[str, Any]
    base: str
    operands: tuple[str, ...]
    denominator: Annotated[int, Within(1, DEAREST)]
    operand: Annotated[int, Within(0, DEAREST)]
    entry: Annotated[int, Within(0, DEAREST)]
    finish: Annotated[int, Within(-DEAREST, DEAREST)]


def ordered(game: Game, record: Ordered) -> int:
    """Return what updates move in any order, where there is room for a few items (N14)."""
    require_playable(game)
    arrays = source_of(record.source), record.base, record.operands
    found = nest(game.dag, *arrays)
    finishing = finishing_steps(game.dag, found, *arrays)
    prices = Prices(record.operand, record.entry, record.finish)
    room = game.rules.room_before(game.memory) - OPERANDS
    kept = most_kept(kinds_of(found), room, prices, found.updates, finishing)
    return game.compulsory + max(0, excess(found, record.denominator, prices, kept))


def kinds_of(found: Nest) -> str:
    """Return the kinds of labels of a nest's points.

    Parameters
    ----------
    found
        The nest.

    Raises
    ------
    CertificateError
        If several updates have the same items.
    """
    if found.layers.copies > 1:
        raise CertificateError("operands", "are the same of several updates")
    return PRODUCTS if found.layers.copies else PAIRS


def excess(found: Nest, denominator: int, prices: Prices, kept: int) -> int:
    """Return the words beside the compulsory ones, rounded up.

    Parameters
    ----------
    found
        The nest.
    denominator, prices
        Parts of a word, and the prices of pairs in such parts.
    kept
        What kept pairs are worth together, at most.
    """
    earned = 0
    for price, values in ((prices.operand, found.of_operands), (prices.entry, found.of_base)):
        pairs, words = values[:, 0], values[:, 1] * denominator
        earned += int(np.minimum(words, pairs * price).sum())
    return -(-(earned - kept) // denominator)


def finishing_steps(
    dag: CDAG, found: Nest, source: Mapping[str, Any], base: str, operands: tuple[str, ...]
) -> int:
    """Return how many updates of a nest are finishing steps; all others read three values or more.

    Parameters
    ----------
    dag, found
        The DAG and the nest.
    source, base, operands
        As for `kept_pairs.nest`.

    Raises
    ------
    CertificateError
        If an update reads fewer values and is none.
    """
    known = _verified.setdefault(dag, {})
    question = dag.origin, repr(source), base, operands
    if question not in known:
        known[question] = _finishing(dag, space_of(dag, source), base, operands)
    if known[question] and found.results > 1:
        raise CertificateError("source", "has twins, and updates that read two values")
    return known[question]


def _finishing(dag: CDAG, space: IterationSpace, base: str, operands: tuple[str, ...]) -> int:
    """Return how many updates read two values, verified to be finishing steps."""
    reads = dag.indegree[space.updates]
    short = np.flatnonzero(reads < len("ijk"))
    if short.size and reads[short].min() < len("ij"):
        raise CertificateError("source", "has updates that read one value")
    if short.size and not _are_last(dag, space, base, short):
        raise CertificateError("base", "has items that go on behind updates that read two values")
    first = np.zeros(short.size, np.bool_)
    for name in operands:
        item, made, touching = belonging_to(dag, space, space.updates[None], name)
        items = item_numbers(space, name)
        having, value = np.bincount(items.ravel()), space.updates[short]
        first |= (having[items[:, short]] == 1).any(axis=0)
        own = (item[value] >= 0) & (made[value] == short)
        first |= own & (touching[value] == having[np.maximum(item[value], 0)])
    if not first.all():
        raise CertificateError("operands", "are of others before an update that reads two values")
    return int(short.size)


def _are_last(dag: CDAG, space: IterationSpace, base: str, short: Int64Array) -> bool:
    """Return whether all other updates of the base items of some make what one of them reads."""
    (items,) = item_numbers(space, base)
    number = np.full(dag.n, -1, np.int64)
    number[space.updates] = np.arange(space.updates.size)
    going_on = np.zeros(space.updates.size, np.bool_)
    for reader, vertex in enumerate(space.updates.tolist()):
        made = number[dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]]
        made = made[made >= 0]
        going_on[made[items[made] == items[reader]]] = True
    ends = np.isin(items, items[short])
    ends[short] = False
    return bool(going_on[ends].all()) and np.unique(items[short]).size == short.size


ORDERS = Lemma(Ordered, ordered, lambda _: ("N11", "N14", "N15"))
