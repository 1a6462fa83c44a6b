"""Merge sort: as many lists at once as the memory holds keys."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.families.tiles import in_turn_by, sorted_by
from schedulers.families.transforms import pass_widths
from schedulers.orders import depth_first


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of merge sort by passes over the levels of its merges, two lists at a time.

    A merge of k lists is a heap of merges of two. A pass of e levels of these is a tournament of
    2^e lists: a comparison of a lower level is made when one of a higher level needs its winner.
    It holds 2^e keys and a new one, and loads and stores each key at most once: where n, `ways` and
    `run` are powers of two, 2n ceil(d / e) words for n = 2^d keys with 2^e + 1 <= M, however the
    merges are numbered. Otherwise heaps are uneven, and it is often better to take whole merges:
    as many passes at once of those that are numbered as make one of fewer than M lists, 2n words
    each. Wider merges, some of whose keys wait in slow memory, may save a pass. With 3 words it
    is best to take single keys as far as they go.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.5.
    """
    n, ways, run = (dag.params[key] for key in ("n", "ways", "run"))
    heaps = list(_heaps(n, ways, run))
    depth = sum(heap.depth for heap in heaps)
    widest = min(max((memory - 1).bit_length() - 1, 1), depth)
    merges = _Merges(dag, heaps)
    equal = (pass_widths(depth, min(widest + more, depth)) for more in range(3))
    longest = [min(widest, depth - level) for level in range(0, depth, widest)]
    whole = _whole_merges(heaps, memory - 1)
    for widths in dict.fromkeys(map(tuple, (*equal, longest, whole))):
        yield merges.in_passes(list(widths))
    if memory < 4:
        yield depth_first(dag)


@dataclass(frozen=True)
class _Heap:
    """A pass as it is numbered: merges of `lists` lists of `length` keys, on levels from `base`."""

    base: int
    length: int
    lists: int

    @property
    def depth(self) -> int:
        return (2 * self.lists - 1).bit_length() - 1

    def node(self, place: Int64Array, level: int, n: int) -> Int64Array:
        """Return the node, at most `level` high, that a key at `place` goes through.

        Lists are the leaves k, ..., 2k - 1 of a heap with the root 1, k fewer in the last merge.
        """
        step = self.length * self.lists
        merge = place // step
        k = -(-np.minimum(step, n - merge * step) // self.length)
        leaf = k + place % step // self.length
        below = np.frexp(leaf.astype(float))[1] - 1 - (self.base + self.depth - level)
        node: Int64Array = merge * 2 * self.lists + (leaf >> np.maximum(below, 0))
        return node


def _heaps(n: int, ways: int, run: int) -> Iterator[_Heap]:
    """Yield the passes as they are numbered that merge anything."""
    base, length, lists = 0, 1, run
    while length < n:
        heap = _Heap(base, length, min(lists, -(-n // length)))
        if lists > 1:
            yield heap
        base, length, lists = base + heap.depth, length * lists, ways


def _whole_merges(heaps: list[_Heap], most: int) -> list[int]:
    """Return widths of passes that take heaps together as long as there are `most` lists."""
    widths: list[int] = []
    lists = most + 1
    for heap in heaps:
        if lists * heap.lists <= most:
            widths[-1] += heap.depth
            lists *= heap.lists
        else:
            widths.append(heap.depth)
            lists = heap.lists
    return widths


class _Merges:
    """The comparisons of merges of two, each with its level and its place in the list."""

    def __init__(self, dag: CDAG, heaps: list[_Heap]) -> None:
        self.n = dag.params["n"]
        self.heap_at = [heap for heap in heaps for _ in range(heap.depth)]  # of each level, from 1
        self.operands = dag.pred_indices.reshape(-1, 2)
        self.place = _places(self.operands, self.n)
        one, other = self.place[self.operands].T
        self.level = np.ones(one.size, np.int64)
        for level in range(1, len(self.heap_at)):
            self.level += self.node(one, level) != self.node(other, level)

    def node(self, place: Int64Array, level: int) -> Int64Array:
        """Return the node at a level that keys go through."""
        return self.heap_at[level - 1].node(place, level, self.n)

    def in_passes(self, widths: list[int]) -> Int32Array:
        """Return the order of passes of `widths` levels."""
        ends = np.cumsum(widths)
        parts = []
        for end, width in zip(ends, widths, strict=True):
            inside = np.flatnonzero((self.level > end - width) & (self.level <= end))
            if inside.size:
                parts.append(self._pass(inside.astype(np.int32), int(end)))
        return np.concatenate(parts)

    def _pass(self, comparisons: Int32Array, end: int) -> Int32Array:
        """Return the order of a pass: each comparison when the first that needs it is made.

        Who wins into the list that the pass makes comes in the order of that list: after the
        winners at its top level come those whose rivals at all levels above have run dry.
        """
        level = self.level[comparisons]
        vertex = comparisons + np.int32(self.n)
        block = self.node(self.place[vertex], end)
        needed = np.full(self.n + self.level.size, self.level.size, np.int64)
        rank = np.empty(comparisons.size, np.int64)
        rank[in_turn_by((block, -level, vertex))] = np.arange(comparisons.size)
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
