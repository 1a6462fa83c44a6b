"""Guesses which operands the assignments of a program have, from the points of its DAG.

Nothing here is trusted: results are verified when a certificate is made of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.cdag.origin import Origin
from proofs.lemmas.loops.operands import NO_LOOP, Reference, coordinates_of

MOST_SAMPLED = 20_000  # updates of an operator that are looked at
MOST_REFERENCES = 40  # of an operator to the values of one maker
MOST_TIES = 64  # equally good guesses that are told apart
DENSE = 4  # times as many numbers as there are in all, at most, are counted in a table
FEW = 0.002  # of all operands of an operator: fewer are no reference of their own

BoolArray = npt.NDArray[np.bool_]
Guess = tuple[int, int]  # a loop, or -1, and an offset


@dataclass(frozen=True)
class Slot:
    """An operand that an operator has at each point.

    Parameters
    ----------
    loops
        Loops of the operator that its coordinates follow.
    references
        The guesses.
    chain
        Whether the operator itself makes it, one step behind along one loop.
    share
        Part of all updates that have it.
    way
        The value that it is read by way of: a value at the reader's own point, if any, which has
        these.
    """

    loops: frozenset[int]
    references: tuple[Reference, ...]
    chain: bool
    share: float
    way: tuple[Reference, ...] = ()

    def described(self) -> Any:
        """The slot as a certificate has it."""
        references = [reference.described() for reference in self.references]
        if not self.way:
            return references
        ways = [step.described() for step in self.way]
        return {"through": ways, "operator": self.way[0].made_by, "then": references}


def slots_of(dag: CDAG, origin: Origin, operator: int) -> list[Slot]:
    """The operands that an operator has, those which most updates have first.

    Parameters
    ----------
    dag, origin, operator
        The DAG, its points, and a number of an operator.
    """
    updates = np.flatnonzero(origin.made_by == operator)
    if updates.size > MOST_SAMPLED:
        drawn = np.random.default_rng(0).choice(updates.size, MOST_SAMPLED, replace=False)
        updates = updates[np.sort(drawn)]
    readers, values = _edges(dag, updates)
    finder = _Found(operator, updates.size)
    makers, counts = np.unique(origin.made_by[values], return_counts=True)
    depth = coordinates_of(origin, operator)
    order = np.lexsort((-counts, makers != operator))  # its own first: heads of chains join them
    for maker in makers[order].tolist():
        own_values = origin.made_by[values] == maker
        sides = coordinates_of(origin, maker)
        points = origin.points[readers[own_values], :depth].astype(np.int64)
        made_at = origin.points[values[own_values], :sides].astype(np.int64)
        places = np.searchsorted(updates, readers[own_values])
        finder.explain(maker, points, made_at, places, FEW * values.size)
    return sorted(finder.slots(), key=lambda slot: -slot.share)


def _edges(dag: CDAG, updates: Int64Array) -> tuple[Int64Array, Int32Array]:
    """The reader and the value of each operand of some updates."""
    first, end = dag.pred_indptr[updates], dag.pred_indptr[updates + 1]
    degrees = end - first
    readers = np.repeat(updates, degrees)
    begin = np.cumsum(degrees) - degrees
    places = np.arange(readers.size) - np.repeat(begin - first, degrees)
    return readers, dag.pred_indices[places]


class _Found:
    """The references that have been found for an operator, with the updates that have them."""

    def __init__(self, operator: int, updates: int) -> None:
        self.operator = operator
        self.updates = updates
        self.known: dict[frozenset[int], list[tuple[Reference, Int64Array]]] = {}

    def explain(
        self,
        maker: int,
        points: Int64Array,
        made_at: Int64Array,
        places: Int64Array,
        threshold: float,
    ) -> None:
        """Find references that explain the operands of one maker, the best one first.

        Parameters
        ----------
        maker
            The maker of the values.
        at, made_at
            (e, d) points of the readers, and (e, k) of the values.
        places
            (e,) numbers of the readers.
        threshold
            Operands that a reference must explain.
        """
        for _ in range(MOST_REFERENCES):
            if not len(points):
                return
            guesses, fits = self._best(maker, points, made_at)
            if int(fits.sum()) < max(1.0, threshold):
                return
            reference = _reference(maker, guesses)
            group = self.known.setdefault(_loops(reference, self.operator), [])
            group.append((reference, np.unique(places[fits])))
            points, made_at, places = points[~fits], made_at[~fits], places[~fits]

    def _best(
        self, maker: int, points: Int64Array, made_at: Int64Array
    ) -> tuple[tuple[Guess, ...], BoolArray]:
        """Guesses, one for each coordinate, that explain most, and (e,) edges that they do.

        Among equals, those are best with which all updates have an operand in the slot.
        """
        explained = np.ones(len(points), np.bool_)
        ties: list[list[Guess]] = []
        for column in made_at.T:
            ties.append(_most_frequent(points[explained], column[explained]))
            explained &= _explains(points, column, ties[-1][0])
        best, worth = tuple(tied[0] for tied in ties), (-1, 0, 0)
        for guesses in islice(product(*ties), MOST_TIES):
            fits = np.ones(len(points), np.bool_)
            for column, guess in zip(made_at.T, guesses, strict=True):
                fits &= _explains(points, column, guess)
            plain = sum((c == 0) + (t != NO_LOOP) for t, c in guesses)
            fills = self._fills(_reference(maker, guesses), int(fits.sum()))
            if (value := (int(fits.sum()), fills, plain)) > worth:
                best, worth, explained = guesses, value, fits
        return best, explained

    def _fills(self, reference: Reference, count: int) -> int:
        """Return 2 if references that follow the same loops then fill slots, 1 if there is room."""
        group = self.known.get(_loops(reference, self.operator), [])
        total = count + sum(places.size for _, places in group)
        if total % self.updates == 0:
            return 2
        return int(bool(group) and total % self.updates >= count)

    def slots(self) -> Iterator[Slot]:
        """Yield slots: references that follow the same loops, no two of them in one update."""
        for loops, members in self.known.items():
            chosen: list[tuple[list[Reference], BoolArray]] = []
            for reference, places in members:
                room = (group for group in chosen if not group[1][places].any())
                references, has = next(room, ([], np.zeros(self.updates, np.bool_)))
                if not references:
                    chosen.append((references, has))
                references.append(reference)
                has[places] = True
            for references, has in chosen:
                chain = any(
                    _chain(reference, self.operator) is not None for reference in references
                )
                yield Slot(loops, tuple(references), chain, float(has.mean()))


def _reference(maker: int, guesses: tuple[Guess, ...]) -> Reference:
    return Reference(maker, tuple(t for t, _ in guesses), tuple(c for _, c in guesses))


def _most_frequent(points: Int64Array, column: Int64Array) -> list[Guess]:
    """The guesses for one coordinate that explain most, all that are equally good."""
    counted: list[tuple[int, Guess]] = []
    for loop in [*range(points.shape[1]), NO_LOOP]:
        differences = column - points[:, loop] if loop != NO_LOOP else column
        offset, count = _mode(differences)
        counted.append((count, (loop, offset)))
    highest = max(count for count, _ in counted)
    return [guess for count, guess in counted if count == highest]


def _mode(numbers: Int64Array) -> tuple[int, int]:
    """The number that is there most often, the least such, and how often."""
    lowest = int(numbers.min())
    if int(numbers.max()) - lowest < DENSE * numbers.size:
        counts = np.bincount(numbers - lowest)
        place = int(counts.argmax())
        return lowest + place, int(counts[place])
    different, counts = np.unique(numbers, return_counts=True)
    place = int(counts.argmax())
    return int(different[place]), int(counts[place])


def _explains(points: Int64Array, column: Int64Array, guess: Guess) -> BoolArray:
    loop, offset = guess
    return np.asarray(column == (points[:, loop] + offset if loop != NO_LOOP else offset))


def _loops(reference: Reference, operator: int) -> frozenset[int]:
    """The loops that a reference follows, but for the one along which a chain goes."""
    loops = {loop for loop in reference.loops if loop != NO_LOOP}
    return frozenset(loops - {_chain(reference, operator)})


def _chain(reference: Reference, operator: int) -> int | None:
    """The one loop along which an operand is behind its reader, the same operator's."""
    if reference.made_by != operator or reference.loops != tuple(range(len(reference.loops))):
        return None
    moved = [loop for loop, offset in enumerate(reference.offsets) if offset]
    return moved[0] if len(moved) == 1 else None
