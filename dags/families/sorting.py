"""Sorting: networks of comparators, and a merge sort as it happened."""

from collections.abc import Iterable, Iterator
from itertools import product
from math import log2

import numpy as np

from dags import _kernels
from dags.arrays import Int32Array, lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.families.common.family import SEEDS, Arguments, Facts, Family, Sizes
from dags.families.common.inverse import fact
from dags.families.common.published import DERIVED, LOGARITHM, Law, Params, bits, both
from dags.families.common.row_writer import RowWriter
from dags.families.transforms import depth_of


def bitonic_sort(n: int) -> CDAG:
    """Batcher's bitonic sorting network of n = 2^d keys.

    Inputs are 0..n-1. Comparator c is the two vertices n + 2c and n + 2c + 1, a minimum and a
    maximum with the same two operands: first the one on its lower wire, then that on the upper one.
    Comparators are numbered level by level, in a level by their lower wire. Stage s = 1..d has the
    levels j = s-1, s-2, ..., 0; level j compares wires i and i + 2^j where bit j of i is 0. It puts
    the minimum on the lower wire where bit s of i is 0 and on the upper one elsewhere, so that the
    minimum comes first in the former and second in the latter. Every level has all n wires.

    Source
    ------
    K. E. Batcher, Sorting networks and their applications, AFIPS 1968.

    Examples
    --------
    >>> bitonic_sort(8)
    <bitonic_sort(n=8): 56 vertices, 96 edges>
    """
    known = bitonic_sort_sizes(n)
    bits = (bit for stage in range(1, n.bit_length()) for bit in reversed(range(stage)))
    levels = ((_wires(n, bit, absent=True), 1 << bit) for bit in bits)
    return _network("bitonic_sort", known, levels)


def bitonic_sort_sizes(n: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    depth = depth_of(n, 2)
    return _compared(n, n * depth * (depth + 1) // 4)


def odd_even_merge_sort(n: int) -> CDAG:
    """Batcher's odd-even merge sorting network of n = 2^d keys.

    Vertices as in `bitonic_sort`; the lower wire, and so the first vertex of a comparator,
    always gets the minimum. For p = 1, 2, ..., n/2 there are the levels k = p, p/2, ..., 1; level
    k = p compares wires i and i + p where bit log2(p) of i is 0; the others compare i and i + k
    where bit log2(k) of i is 1 and both are in one block of 2p wires.

    Source
    ------
    K. E. Batcher, Sorting networks and their applications, AFIPS 1968; D. E. Knuth, The Art of
    Computer Programming 3, 1998, algorithm 5.2.2M (the levels) and section 5.3.4 (the count).

    Examples
    --------
    >>> odd_even_merge_sort(8)
    <odd_even_merge_sort(n=8): 46 vertices, 76 edges>
    """
    return _network("odd_even_merge_sort", odd_even_merge_sort_sizes(n), _odd_even_merges(n))


def odd_even_merge_sort_sizes(n: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    depth = depth_of(n, 2)
    return _compared(n, n * (depth * depth - depth + 4) // 4 - 1)


def odd_even_transposition_sort(n: int) -> CDAG:
    """The sorting network that compares neighbours for n rounds, n from 2 on.

    Vertices as in `odd_even_merge_sort`. Round t = 0..n-1 compares wires i and i + 1 for all i
    of the parity of t. The game on it is that of a stencil on a line.

    Source
    ------
    D. E. Knuth, The Art of Computer Programming 3, 1998, section 5.3.4, exercise 37 (Seward's
    odd-even transposition sort, 1954).

    Examples
    --------
    >>> odd_even_transposition_sort(8)
    <odd_even_transposition_sort(n=8): 64 vertices, 112 edges>
    """
    known = odd_even_transposition_sort_sizes(n)
    rounds = ((np.arange(t % 2, n - 1, 2, dtype=np.int32), 1) for t in range(n))
    return _network("odd_even_transposition_sort", known, rounds)


def odd_even_transposition_sort_sizes(n: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(2, n=n)
    return _compared(n, n * (n - 1) // 2)


def merge_sort(n: int, ways: int = 2, run: int | None = None, seed: int = 0) -> CDAG:
    """The comparisons that Kung's two-phase sort makes on n random keys.

    The keys are a random permutation. First every `run` keys that follow each other become a
    sorted list, then in pass after pass every `ways` lists that follow each other are merged
    into one (the last of a pass may be fewer), until one is left. Both are merges of k lists in
    a tournament: forming a run merges k = `run` lists of one key each.

    Vertices 0..n-1 are the keys as given, the inputs. Every other vertex is the winner of one
    comparison, the smaller of its two operands: in order of execution, one operation each.

    Parameters
    ----------
    n
        Number of keys, from 2 on.
    ways
        Most lists that are merged at once.
    run
        Keys in a run; `ways` where not given; 1 for no first phase.
    seed
        Seed of the permutation.

    Notes
    -----
    *A merge* is a heap-shaped tree: node v has the children 2v and 2v + 1, list j is leaf k + j,
    node 1 is the root. A node shows the smaller of its children's keys, which takes a comparison if
    both show a key; where one child has run dry, it shows the very vertex that the other one shows.
    First nodes k-1, ..., 1 compare. Then the root's key goes to the merged list, the leaf that it
    came from moves on to its next key, the nodes on the way from there to the root compare again,
    from the leaf up; and so on.

    *Counts.* A node that merges a with b keys makes a + b - r comparisons, where r >= 1 keys of
    one are left when the other has run dry: a + b - a/(b+1) - b/(a+1) in the mean. With passes =
    ceil(log_ways(n / run)) there are less than n (ceil(log2 run) + passes ceil(log2 ways))
    comparisons, each of two edges. Only the largest key never wins: it is the one key of the
    sorted list that is an input still. The n - 1 others are the outputs, also where they are
    operands of the comparisons that they lost afterwards.

    *I/O.* Values are not copied: a key that passes a dry node, or a list without a partner,
    keeps its vertex. Between comparisons a merge of k lists holds k values, the loser at each of
    its k - 1 nodes and the winner on its way up. So the natural order plays it with k + 1 words,
    the result of a comparison beside its operands: it loads each key of the k lists once, and
    stores each key of the merged list once, except those that have not won in this merge: if
    the largest t keys of all come from one list, these t. With k = `run` = `ways` this is Kung's
    law: 1 + ceil(log_k(n / k)) passes of 2n words for about n log2 n comparisons.

    Where they are powers of two, `ways` and `run` do not change the comparisons but the order in
    which they are numbered: a tournament of four lists is three merges of two that go on
    together. How many lists a pass merges is the player's choice, like the levels of a pass over
    an FFT; the numbering is one choice made.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.5 (M
    keys a run and M ways); D. E. Knuth, The Art of Computer Programming 3, 1998, section 5.4.1
    (trees of losers) and section 5.2.4 (the mean).

    Examples
    --------
    >>> merge_sort(16, ways=4)
    <merge_sort(n=16, ways=4, run=4, seed=0): 59 vertices, 86 edges>
    """
    require_at_least(2, n=n, ways=ways)
    run = ways if run is None else run
    require_at_least(1, run=run)
    require_at_least(0, seed=seed)
    params = {"n": n, "ways": ways, "run": run, "seed": seed}
    ways, run = min(ways, n), min(run, n)
    bound = _most_comparisons(n, ways, run)
    require_room(n + bound, 2 * bound)
    operands, final = _executed(n, ways, run, seed)
    indptr = np.zeros(n + len(operands) + 1, np.int64)
    indptr[n:] = 2 * np.arange(len(operands) + 1)
    return CDAG(
        lock(indptr),
        lock(operands.flatten()),
        work=1,
        outputs=final[final >= n],
        family="merge_sort",
        params=params,
    )


def _wires(n: int, bit: int, absent: bool) -> Int32Array:
    """The wires on whose number `bit` is 0 (`absent`) or 1, rising."""
    return np.flatnonzero((np.arange(n) >> bit & 1 == 0) == absent).astype(np.int32)


def _odd_even_merges(n: int) -> Iterator[tuple[Int32Array, int]]:
    for p in range(n.bit_length() - 1):
        yield _wires(n, p, absent=True), 1 << p
        for k in reversed(range(p)):
            lower = _wires(n, k, absent=False)
            yield lower[lower % (2 << p) + (1 << k) < 2 << p], 1 << k


def _compared(n: int, comparators: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a network that leaves no wire without a comparator."""
    computed = 2 * comparators
    return {"n": n}, Sizes(n + computed, 2 * computed, n, n, computed, 2)


def _network(
    family: str, known: tuple[Params, Sizes], levels: Iterable[tuple[Int32Array, int]]
) -> CDAG:
    """The network whose levels are lower wires and how far above the upper wires are."""
    params, size = known
    writer = RowWriter(size.inputs, size.vertices, size.edges)
    value = np.arange(size.inputs, dtype=np.int32)  # on each wire
    for lower, distance in levels:
        results = writer.upcoming(lower.size, 2)
        low, high = value[lower], value[lower + distance]
        operands = np.minimum(low, high), np.maximum(low, high)
        writer.add(*(np.repeat(wires, 2) for wires in operands))
        value[lower] = results[:, 0]
        value[lower + distance] = results[:, 1]
    indptr, indices = writer.finish()
    return CDAG(indptr, indices, work=1, family=family, params=params)


def _most_comparisons(n: int, ways: int, run: int) -> int:
    length, depth = run, (run - 1).bit_length()
    while length < n:
        length, depth = length * ways, depth + (ways - 1).bit_length()
    return n * depth


def _executed(n: int, ways: int, run: int, seed: int) -> tuple[Int32Array, Int32Array]:
    """(c, 2) operands of the comparisons, and (n,) the vertices of the sorted keys."""
    operands = np.empty((_most_comparisons(n, ways, run), 2), np.int32)
    vertex = np.empty((2, n), np.int32)  # of the keys list after list, before and after a pass
    key = np.empty((2, n), np.int32)
    vertex[0] = np.arange(n)
    key[0] = np.random.default_rng(seed).permutation(n)
    widest = max(ways, run)
    tree = np.empty((3, 2 * widest), np.int32)
    place = np.empty(widest, np.int64)
    comparisons, side = _kernels.merge_sort(vertex, key, run, ways, tree, place, operands)
    return operands[:comparisons], vertex[side]


MOST_KEYS = 1 << 12
WAYS = (2, 3, 5, 6, 7)  # powers of two merge as two ways do


def _merges(facts: Facts) -> Iterator[Arguments]:
    """Yield keys, ways and seeds of a merge sort: small ones, as its comparisons are random."""
    n = facts.inputs
    depth = (n - 1).bit_length()
    fits = n * (depth - 1) <= 2 * facts.computed <= 3 * n * depth
    if 2 <= n <= MOST_KEYS and facts.edges == 2 * facts.computed and fits:
        for ways, run, seed in product(WAYS, (None, 1), SEEDS):
            options = {"ways": (ways, 2), "run": (run, None), "seed": (seed, 0)}
            yield {"n": n} | {k: value for k, (value, usual) in options.items() if value != usual}


BITONIC_SORT = both(
    "n log2(n)^2 / log2(M)", lambda p, memory: p["n"] * log2(p["n"]) * bits(p, memory), DERIVED
)
FAMILIES = {
    "bitonic_sort": Family(
        bitonic_sort,
        "n=16",
        "n=4",
        bitonic_sort_sizes,
        {"n": fact("inputs")},
        law=LOGARITHM,
        trends=BITONIC_SORT,
    ),
    "odd_even_merge_sort": Family(
        odd_even_merge_sort,
        "n=16",
        "n=4",
        odd_even_merge_sort_sizes,
        {"n": fact("inputs")},
        law=LOGARITHM,
    ),
    "odd_even_transposition_sort": Family(
        odd_even_transposition_sort,
        "n=10",
        "n=4",
        odd_even_transposition_sort_sizes,
        {"n": fact("inputs")},
        law=Law("power", 1.0),
    ),
    "merge_sort": Family(merge_sort, "n=64,ways=4", "n=4,ways=2", sought=_merges, law=LOGARITHM),
}
