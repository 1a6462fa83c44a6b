"""Ways to lay the vertices of a DAG out in slots, and the runs of slots that are worth most."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from dags.cdag.construct import post_order
from proofs.bounds.pieces import _kernels
from proofs.certificates.pieces.piece import Cutter, Piece

SLOTS = 250  # of an order, about
SMALL = 4  # vertices of a slot, at least
WIDEST = 192  # vertices of a run of slots of an order, at most

Runs = dict[tuple[int, int], list[Piece]]  # from one slot up to another: connected parts


@dataclass(frozen=True)
class Layout:
    """A way to lay out vertices.

    Parameters
    ----------
    slot
        (n,) the slot of each vertex.
    longest
        How many slots a run may have.
    """

    slot: Int64Array
    longest: int

    def runs(self) -> Iterator[tuple[int, int, Int64Array]]:
        """Yield the runs, from a slot up to another, with their vertices; the shortest first."""
        order = np.argsort(self.slot, kind="stable")
        begin = np.searchsorted(self.slot[order], np.arange(self.slot.max() + 2))
        slots = begin.size - 1
        for length in range(1, min(self.longest, slots) + 1):
            for a in range(slots - length + 1):
                yield a, a + length, np.sort(order[begin[a] : begin[a + length]])


def layouts(dag: CDAG) -> list[Layout]:
    """Return layouts by levels, and by slots of a depth-first and of the natural order."""
    size = max(SMALL, dag.n // SLOTS)
    position = np.empty(dag.n, np.int64)
    position[post_order(dag)] = np.arange(dag.n)
    longest = max(1, WIDEST // size)
    return [
        Layout(dag.level.astype(np.int64), int(dag.level.max()) + 1),
        Layout(position // size, longest),
        Layout(np.arange(dag.n) // size, longest),
    ]


def connected(cutter: Cutter, vertices: Int64Array, memory: int) -> list[Piece]:
    """Return the connected parts of the piece that `vertices` span, without those that fit.

    Parameters
    ----------
    cutter
        Cuts the DAG.
    vertices
        (v,) rising.
    memory
        Words; a part of which all fits is left out.
    """
    whole = cutter.cut(vertices)
    label = np.empty(whole.size, np.int64)
    alike = np.zeros(whole.size, np.int32)
    count = _kernels.connected_parts(whole.pred_indptr, whole.pred_indices, lock(alike), label)
    words = np.bincount(label, weights=whole.words, minlength=count)
    most = np.zeros(count, np.int64)
    np.maximum.at(most, label, whole.outside)
    words += most
    if count == 1:
        return [whole] if words[0] > memory else []
    order = np.argsort(label, kind="stable")
    ends = np.cumsum(np.bincount(label, minlength=count))
    large = np.flatnonzero(words > memory).tolist()
    return [cutter.cut(vertices[order[ends[i - 1] if i else 0 : ends[i]]]) for i in large]


def best_runs(runs: Runs, excess: Callable[[Piece], int]) -> list[Piece]:
    """Return the pieces of the runs, none overlapping, that exceed by most together."""
    slots = max((b for _, b in runs), default=0)
    worth = {run: sum(map(excess, pieces)) for run, pieces in runs.items()}
    best, last = [0], [0]  # words up to each slot, and where the last run up to it began
    ending: dict[int, list[int]] = {}
    for a, b in runs:
        ending.setdefault(b, []).append(a)
    for b in range(1, slots + 1):
        ways = [(best[a] + worth[a, b], a) for a in ending.get(b, []) if worth[a, b]]
        words, a = max([(best[b - 1], -1), *ways])
        best.append(words)
        last.append(a)
    chosen: list[Piece] = []
    while slots:
        a = last[slots]
        chosen += runs[a, slots] if a >= 0 else []
        slots = a if a >= 0 else slots - 1
    return [piece for piece in chosen if excess(piece)]
