"""Sorting networks, by passes over the levels; merge sort, as many lists at once as fit."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.families.lattice_patterns import Lattice, System, pattern_orders
from schedulers.families.networks import Pass, bases, cheapest_passes, within
from schedulers.families.tiles import in_turn_by, sorted_by
from schedulers.families.transforms import pass_widths, widest_pass
from schedulers.orders import depth_first, least_live

# Odd-even transposition in round t and column u: the key of the lower wire, and of the upper one.
ROUNDS = Lattice((((1, (1, 1)), (0, (1, 0))),) * 2)
ROUND_SYSTEMS: tuple[System, ...] = (((0, 1), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (0, 1)))
Level = tuple[Int32Array, int]  # lower wires of its comparators, log2 of how far up the others are


def merge_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
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
    equal = (pass_widths(depth, min(widest + increment, depth)) for increment in range(3))
    longest = [min(widest, depth - level) for level in range(0, depth, widest)]
    heap_widths = _whole_merges(heaps, memory - 1)
    for widths in dict.fromkeys(map(tuple, (*equal, longest, heap_widths))):
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
        """The node, at most `level` high, that a key at `place` goes through.

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


def _whole_merges(heaps: list[_Heap], limit: int) -> list[int]:
    """Widths of passes that take heaps together as long as there are `limit` lists."""
    widths: list[int] = []
    lists = limit + 1
    for heap in heaps:
        if lists * heap.lists <= limit:
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
        left, right = self.place[self.operands].T
        self.level = np.ones(left.size, np.int64)
        for level in range(1, len(self.heap_at)):
            self.level += self.node(left, level) != self.node(right, level)

    def node(self, place: Int64Array, level: int) -> Int64Array:
        """The node at a level that keys go through."""
        return self.heap_at[level - 1].node(place, level, self.n)

    def in_passes(self, widths: list[int]) -> Int32Array:
        """The order of passes of `widths` levels."""
        ends = np.cumsum(widths)
        parts = []
        for end, width in zip(ends, widths, strict=True):
            inside = np.flatnonzero((self.level > end - width) & (self.level <= end))
            if inside.size:
                parts.append(self._pass(inside.astype(np.int32), int(end)))
        return np.concatenate(parts)

    def _pass(self, comparisons: Int32Array, end: int) -> Int32Array:
        """The order of a pass: each comparison when the first that needs it is made.

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
            at_height = level == height
            merged = vertex[at_height]
            unneeded = needed[merged] == self.level.size
            needed[merged] = np.where(unneeded, rank[at_height], needed[merged])
            for operand in self.operands[comparisons[at_height]].T:
                np.minimum.at(needed, operand, needed[merged])
        return sorted_by(vertex, block, needed[vertex], level)


def _places(operands: Int32Array, n: int) -> Int64Array:
    """Return for each vertex the number of some input that it is computed from."""
    place: Int64Array = np.concatenate((np.arange(n), operands[:, 0].astype(np.int64)))
    while (place >= n).any():
        place = place[place]
    return place


def bitonic_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of bitonic sort by passes over its levels.

    Level j of a stage compares wires that differ in bit j. A pass is a longest run of levels on
    at most e different bits: for every setting of the others, the block of 2^e wires that differ
    in these is played level by level. As for the Fourier transform, a pass loads and stores each
    wire once, 2n words, with 2^e + 2 words of memory (3 for e = 1). The first pass sorts blocks of
    2^e keys; d levels of stage d take d / e passes: about n d^2 / e words, `passes` for the
    number. Passes of e + 1 bits fill the gaps between the powers of two; below 6 words, where e
    = 1, it is better to take a key on from comparator to comparator, least alive first. And where
    few words are to be used well, passes are chosen by their price for each level, blocks that do
    not fit among them, which are played as a search found: butterflies, as all their levels are
    on different bits, or the first sorts.

    Source
    ------
    The blocks are those of J.-W. Hong and H. T. Kung, STOC 1981, section 4, on each of the
    butterflies that the stages are.
    """
    n = dag.params["n"]
    depth = n.bit_length() - 1
    levels = list(_bitonic_levels(n))
    bits = [bit for _, bit in levels]
    wire = np.arange(n)
    for width in _widths(memory, depth):
        parts = []
        for run in passes(bits, width):
            inside = sum(1 << bit for bit in set(bits[run.start : run.stop]))
            entry = np.empty(n, np.int64)
            entry[np.lexsort((wire, wire & ~inside))] = wire
            parts.append(_streamed(n, levels, run, entry))
        yield np.concatenate(parts)
    if memory < 6:
        yield least_live(dag)
    widest = widest_pass(memory, depth)
    cheapest = cheapest_passes(bits, memory, widest)
    if any(run.is_searched for run in cheapest):
        yield _by_searched_blocks(n, bits, cheapest, memory)


def _by_searched_blocks(n: int, bits: list[int], cheapest: list[Pass], memory: int) -> Int32Array:
    """The order of bitonic sort by passes, those that do not fit played as searched."""
    parts = []
    for number, run in enumerate(cheapest):
        pass_bits = bits[run.levels.start : run.levels.stop]
        play = run.order(2, pass_bits, memory)
        level, point = within(2, pass_bits, play)
        wire = bases(n, 2, pass_bits, backwards=number % 2 == 1)[:, None] + point
        bit = np.array(pass_bits)[level]
        comparator = ((wire >> (bit + 1)) << bit) + (wire & ((1 << bit) - 1))
        vertex = n + (run.levels.start + level) * n + 2 * comparator + (wire >> bit & 1)
        parts.append(vertex.astype(np.int32).reshape(-1))
    return np.concatenate(parts)


def odd_even_merge_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of odd-even merge sort by passes over its levels.

    The pairs at distance 2^j are not blocks of index bits but lie across each other: no block of
    wires is closed. But a pass can *stream*: e levels at distances 2^(b+e-1), ..., 2^b leave the
    wires equal modulo 2^b to themselves; let these enter one after another and play each
    comparator as soon as both its keys are there. A level at distance D holds D / 2^b keys back,
    2^e - 1 in all. A pass of f last levels of a stage and the first g = e - f of the next one
    streams 2^g parts of a block side by side, 2^g (2^f - 1) keys; at the seams between the parts
    some 2 * 2^e keys for each block wait in slow memory. So here too a pass moves 2n words
    and the seams with 2^e + 2 words of memory, and there are as many passes as in
    `bitonic_orders`; wires that no level of a pass compares save more than the seams cost. Passes
    of e + 1 bits are often better still, and below 6 words keys taken on, least alive first.
    """
    n = dag.params["n"]
    depth = n.bit_length() - 1
    levels = list(_odd_even_levels(n))
    bits = [bit for _, bit in levels]
    for width in _widths(memory, depth):
        parts = [
            _streamed(n, levels, run, _entry(n, bits[run.start : run.stop]))
            for run in passes(bits, width)
        ]
        yield np.concatenate(parts)
    if memory < 6:
        yield least_live(dag)


def transposition_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of odd-even transposition sort by skewed strips.

    Comparator (t, i) of round t and wires i, i + 1 reads (t-1, i-1) and (t-1, i+1). With u =
    (i + t) / 2 these are u - 1 and u of the round before, so that strips of w columns u can be
    played one after another. A strip keeps 2w keys; in each round one comes in from the strip
    before and one goes out to the next: with 2w + 1 words of memory, but at least the 4 that hold
    a comparator, at most n^2 / w + 2n words. With little memory the order in a strip is searched
    for, too (`periodic`): mostly w is then M / 2 for even M.
    """
    n = dag.params["n"]
    rounds = [np.arange(t % 2, n - 1, 2) for t in range(n)]
    lower = np.concatenate(rounds)
    time = np.repeat(np.arange(n), [array.size for array in rounds])
    comparator = np.arange(lower.size, dtype=np.int32)
    column = (lower + time) // 2
    largest = max((memory - 1) // 2, 1)
    for width in sorted({max(largest - reduction, 1) for reduction in range(3)}, reverse=True):
        yield _both(n + 2 * sorted_by(comparator, column // width, time, -column))
    for order in pattern_orders(
        ROUNDS, ROUND_SYSTEMS, memory, time.size, lambda: np.array([time, column])
    ):
        yield n + order


def passes(bits: list[int], width: int) -> list[range]:
    """The levels, on the given index bits, cut into longest runs on `width` bits at most."""
    ends, run = [0], set[int]()
    for level, bit in enumerate(bits):
        run.add(bit)
        if len(run) > width and level > ends[-1]:
            ends.append(level)
            run = {bit}
    return [range(first, end) for first, end in pairwise([*ends, len(bits)]) if end > first]


def _widths(memory: int, depth: int) -> dict[int, None]:
    widest = widest_pass(memory, depth)
    return dict.fromkeys((widest, min(widest + 1, depth)))


def _bitonic_levels(n: int) -> Iterator[Level]:
    wire = np.arange(n, dtype=np.int32)
    for stage in range(1, n.bit_length()):
        for bit in reversed(range(stage)):
            yield wire[wire >> bit & 1 == 0], bit


def _odd_even_levels(n: int) -> Iterator[Level]:
    wire = np.arange(n, dtype=np.int32)
    for top in range(n.bit_length() - 1):
        yield wire[wire >> top & 1 == 0], top
        for bit in reversed(range(top)):
            block = 2 << top
            yield wire[(wire >> bit & 1 == 1) & (wire % block + (1 << bit) < block)], bit


def _entry(n: int, bits: list[int]) -> Int64Array:
    """Return when each wire enters a pass over levels of odd-even merges on these bits."""
    wire = np.arange(n)
    entry = np.empty(n, np.int64)
    if bits == sorted(bits, reverse=True):
        entry[np.lexsort((wire, wire % (1 << bits[-1])))] = wire
        return entry
    step = next(i for i in range(1, len(bits)) if bits[i] > bits[i - 1])
    high = bits[step:]
    if high != sorted(high, reverse=True):  # the first pass: blocks that are sorted completely
        return wire
    offset = wire % (1 << high[-1])
    entry[np.lexsort((wire, offset, wire >> (high[0] + 1)))] = wire
    return entry


def _streamed(n: int, levels: list[Level], run: range, entry: Int64Array) -> Int32Array:
    """The order of a run of levels in which comparators are played as their keys come.

    Each wire enters the run at a time of its own; a comparator is played at the later time of
    its two operands, level after level.
    """
    first = n + 2 * sum(lower.size for lower, _ in levels[: run.start])
    times = []
    ready = entry.copy()
    for lower, bit in levels[run.start : run.stop]:
        upper = lower + (1 << bit)
        time = np.maximum(ready[lower], ready[upper])
        ready[lower] = ready[upper] = time
        times.append(time)
    order = np.argsort(np.concatenate(times), kind="stable").astype(np.int32)
    return _both(first + 2 * order)


def _both(comparators: Int32Array) -> Int32Array:
    """The two vertices of each comparator, given its first."""
    pairs = comparators[:, None] + np.arange(2, dtype=np.int32)
    return pairs.astype(np.int32).reshape(-1)
