"""Merge sort: as many lists at once as the memory holds keys."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.structured.tiles import sorted_by
from schedulers.structured.transforms import pass_widths


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of merge sort that merge 2^e lists at once, whatever its numbering does.

    Where n, `ways` and `run` are powers of two, all comparisons are those of merges of two. A
    pass of e levels of these is a tournament of 2^e lists: a comparison of a lower level is made
    when one of a higher level needs its winner. It holds 2^e keys and a new one, and loads and
    stores each key at most once: 2n ceil(d / e) words for n = 2^d keys with 2^e + 1 <= M.
    Wider merges, some of whose keys wait in slow memory, may save a pass.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.5.
    """
    n = dag.params["n"]
    if any(dag.params[key] & (dag.params[key] - 1) for key in ("n", "ways", "run")):
        return  # heaps of other sizes merge lists crosswise
    depth = n.bit_length() - 1
    widest = min(max((memory - 1).bit_length() - 1, 1), depth)
    merges = _Merges(dag)
    for width in dict.fromkeys(min(widest + more, depth) for more in range(3)):
        yield merges.in_passes(pass_widths(depth, width))


class _Merges:
    """The comparisons of merges of two, each with its level and its place in the list."""

    def __init__(self, dag: CDAG) -> None:
        self.n = dag.params["n"]
        self.operands = dag.pred_indices.reshape(-1, 2)
        self.place = _places(self.operands, self.n)
        one, other = self.place[self.operands].T
        self.level = np.frexp((one ^ other).astype(float))[1]  # of the highest bit, from 1 on

    def in_passes(self, widths: list[int]) -> Int32Array:
        """Return the order of passes of `widths` levels."""
        ends = np.cumsum(widths)
        parts = []
        for end, width in zip(ends, widths, strict=True):
            inside = np.flatnonzero((self.level > end - width) & (self.level <= end))
            parts.append(self._pass(inside.astype(np.int32), int(end)))
        return np.concatenate(parts)

    def _pass(self, comparisons: Int32Array, end: int) -> Int32Array:
        """Return the order of a pass: each comparison when the first that needs it is made.

        Who wins into the list that the pass makes comes in the order of that list: after the
        winners at its top level come those whose rivals at all levels above have run dry.
        """
        level = self.level[comparisons]
        vertex = comparisons + np.int32(self.n)
        block = self.place[vertex] >> end
        needed = np.full(self.n + self.level.size, self.level.size, np.int64)
        rank = np.empty(comparisons.size, np.int64)
        rank[np.lexsort((vertex, -level, block))] = np.arange(comparisons.size)
        for height in range(int(level.max()), int(level.min()) - 1, -1):
            here = level == height
            now = vertex[here]
            unneeded = needed[now] == self.level.size
            needed[now] = np.where(unneeded, rank[here], needed[now])
            for operand in self.operands[comparisons[here]].T:
                np.minimum.at(needed, operand, needed[now])
        return sorted_by(vertex, block, needed[vertex], level)


def _places(operands: Int32Array, n: int) -> Int64Array:
    """Return for each vertex the number of some input that it is computed from."""
    place: Int64Array = np.concatenate((np.arange(n), operands[:, 0].astype(np.int64)))
    while (place >= n).any():
        place = place[place]
    return place
