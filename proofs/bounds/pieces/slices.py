"""Sums of wavefronts over ranges of the outer loops of a program."""

import time
from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from dags.origin import Origin
from pebble import ONE_SHOT, Rules
from proofs.base import Bound, NotApplicableError, require_one_shot
from proofs.bounds.pieces.cuts import Score, best_excess, widest_scores
from proofs.bounds.pieces.layouts import Runs, best_runs
from proofs.bounds.pieces.packing import form
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.pieces.piece import Cutter, Piece

SECONDS = 20.0  # unless a limit is given
DEEPEST = 2  # loops whose iterations are slots
LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16)  # slots of a run, besides all of them
MOST_SLOTS = 400  # of a layout
MOST_PIECE = 4000  # vertices of a piece

# What waits in pieces of one form: it does not depend on the memory.
_known: WeakKeyDictionary[CDAG, dict[tuple[Rules, bytes], list[Score]]] = WeakKeyDictionary()


@thinned
def slices(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound by the wavefronts of ranges of iterations of a program's outer loops.

    The iterations of an outer loop, or of the first two, follow each other; a dynamic program
    takes the ranges of them whose widest wavefronts exceed by most together. For programs in
    which each iteration of an outer loop reduces and spreads what the one before left, as
    Levinson and Durbin's, or solvers by iteration. The proof is that of `wavefront` on disjoint
    pieces (`proofs.certificates.pieces`).

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If values may be computed again, or the DAG has no origin.

    Examples
    --------
    >>> from dags import load
    >>> slices(load("polybench/durbin:N=12"), 4).io > 31
    True
    """
    require_one_shot("slices", rules)
    if dag.origin is None:
        raise NotApplicableError(f"{dag!r} has no points of a program")
    end = time.monotonic() + (SECONDS if time_limit is None else time_limit)
    best: list[Piece] = []
    search = _Search(dag, memory, rules, end)
    ways = list(_layouts(dag, dag.origin))
    for number, slot in enumerate(ways):
        search.end = time.monotonic() + (end - time.monotonic()) / (len(ways) - number)
        best = max(best, search.best(slot), key=search.total)
    parts = [
        {"vertices": piece.vertices, "proof": "wavefront", "data": found[1]}
        for piece in best
        if (found := search.proof(piece)) is not None
    ]
    io = compulsory_words(dag) + search.total(best)
    return Bound("slices", memory, io, rules, Certificate("parts", {"parts": parts}))


class _Search:
    """Looks for ranges of one DAG, until some time."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules, end: float) -> None:
        self.memory = memory
        self.rules = rules
        self.end = end
        self.cutter = Cutter(dag)
        self.known = _known.setdefault(dag, {})

    def proof(self, piece: Piece) -> tuple[int, dict[str, object]] | None:
        """Return what a piece exceeds by, and the proof; None if that is nothing, or it is late."""
        key = self.rules, form(piece)
        if key not in self.known:
            left = self.end - time.monotonic()
            if left <= 0:
                return None
            scores = widest_scores(piece, self.rules, left)
            if time.monotonic() > self.end:
                return best_excess(scores, self.memory)
            self.known[key] = scores
        return best_excess(self.known[key], self.memory)

    def excess(self, piece: Piece) -> int:
        """Return what a piece is known to exceed by."""
        found = self.proof(piece)
        return 0 if found is None else found[0]

    def total(self, pieces: list[Piece]) -> int:
        """Return what disjoint pieces are known to exceed by together."""
        return sum(map(self.excess, pieces))

    def best(self, slot: Int64Array) -> list[Piece]:
        """Return the best ranges of a layout: each vertex is in one slot."""
        runs: Runs = {}
        for a, b, vertices in _runs(slot):
            if runs and time.monotonic() > self.end:
                break
            if self.memory < vertices.size <= MOST_PIECE:
                runs[a, b] = [self.cutter.cut(vertices)]
                self.proof(runs[a, b][0])
        return best_runs(runs, self.excess)


def _runs(slot: Int64Array) -> Iterator[tuple[int, int, Int64Array]]:
    """Yield runs of slots, from one up to another, with their vertices; the shortest first."""
    order = np.argsort(slot, kind="stable")
    begin = np.searchsorted(slot[order], np.arange(slot.max() + 2))
    slots = begin.size - 1
    for length in sorted({*(length for length in LENGTHS if length < slots), slots}):
        for a in range(slots - length + 1):
            yield a, a + length, np.sort(order[begin[a] : begin[a + length]])


def _layouts(dag: CDAG, origin: Origin) -> Iterator[Int64Array]:
    """Yield (n,) slots: iterations of the outer loop, and of the first two loops."""
    last = 0
    for depth in range(1, DEEPEST + 1):
        slot = _slots(dag, origin, depth)
        slots = int(slot.max()) + 1
        if last < slots <= MOST_SLOTS:
            yield slot
        last = slots


def _slots(dag: CDAG, origin: Origin, depth: int) -> Int64Array:
    """Return (n,) the iteration of the first `depth` loops that each vertex is in.

    Iterations are numbered as they begin; an input is where it is read first.
    """
    key = np.zeros((dag.n, depth + 1), np.int64)
    for number, operator in enumerate(origin.operators):
        mine, inside = origin.made_by == number, operator.loops[:depth]
        key[mine, 0] = inside[0] if inside else -1 - number
        key[mine, 1 : len(inside) + 1] = origin.points[mine, : len(inside)]
    place = np.arange(dag.n)
    first = np.full(dag.n, dag.n - 1, np.int64)
    np.minimum.at(first, dag.pred_indices, np.repeat(place, np.diff(dag.pred_indptr)))
    place[dag.inputs] = first[dag.inputs]
    found = np.unique(key[place], axis=0, return_index=True, return_inverse=True)
    begin, iteration = found[1], found[2].reshape(-1)
    rank = np.empty(begin.size, np.int64)
    rank[np.argsort(begin, kind="stable")] = np.arange(begin.size)
    slot: Int64Array = rank[iteration]
    return slot
