"""Matrix products: a block of C stays, columns of A and rows of B stream by; or by halves."""

from collections.abc import Iterator
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.families.tiles import sorted_by

CANDIDATES = 3
SMALL = 1 << 16  # edges up to which blocks with rows of A that stay are tried, too


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of the product by blocks of C, the most promising block shapes first.

    For a block of a x b entries of C, rank-1 updates follow each other: for each l a column of
    `a` entries of A stays while b entries of B pass, one at a time. With the new value of one
    entry beside the old one that takes ab + a + 2 words (ab + a + 3 where products are vertices
    of their own), and moves mn + k (m ceil(n/b) + n ceil(m/a)) words: mn for C, k m for A with
    every block column and k n for B with every block row. Or b entries of B stay while those of A
    pass: ab + b + 2 words.

    Sums by trees come in blocks too, in segments of their terms (see `tree_shapes`), and by
    halves, which is better where no shape of block suits. Outer products keep nothing of C: M - 2
    entries of A stay. Three words hold no sum beside a product, where products are vertices: then
    these are all made first, a row of B passing by each entry of A, and added up behind that:
    at most 3 mnk + mk + mn words.

    Source
    ------
    G. Kwasniewski et al., Red-blue pebbling revisited: near optimal parallel matrix-matrix
    multiplication (COSMA), SC 2019, section 4, for sliding pebbles: ab + a + 1 words.
    """
    n, m, k, form = (dag.params[key] for key in ("n", "m", "k", "form"))
    if k == 1:  # nothing is kept of C, and column after column passes
        yield blocked(n, m, k, 1, min(m, memory - 2), n)
    if form == "multiply-add" and memory == 3 and k > 1:
        yield _products_first(n, m, k)
    if form == "tree" and k > 1:
        for shape in tree_shapes(m, n, k, memory):
            yield _tree_blocked(dag, *shape)
        yield recursive_order(dag)
    else:
        room = memory - (2 if form == "fma" else 3)
        shapes = _either_way(m, n, k, room)
        if dag.m <= SMALL:
            shapes += [(*shape, False) for shape in panel_shapes(m, n, k, room)]
        for a, b, turned in shapes:
            yield blocked(n, m, k, 1 if form == "fma" else 2, a, b, turned=turned)


def _either_way(m: int, n: int, k: int, room: int) -> list[tuple[int, int, bool]]:
    """The best blocks (a, b), and whether b entries of B stay in place of a of A."""
    shapes = [(*shape, False) for shape in block_shapes(m, n, k, room)]
    shapes += [(a, b, True) for b, a in block_shapes(n, m, k, room)]
    return sorted(shapes, key=lambda shape: (predicted_io(m, n, k, *shape[:2]), shape[2]))


def panel_shapes(m: int, n: int, k: int, room: int) -> list[tuple[int, int]]:
    """Shapes (a, b) of blocks whose a rows of A stay for a whole row of blocks.

    They take ak + ab + b words, and A is loaded once: the most rows that fit are best. Somewhat
    more columns than fit are tried as well, for blocks of C are not full from the first step on.
    """
    shapes = []
    for a in range(min(m, (room - 1) // (k + 1)), 0, -1):
        b = (room - a * k) // (a + 1)
        shapes += [(a, min(n, columns)) for columns in (b, b + 2)]
    return list(dict.fromkeys(shapes))[: 2 * CANDIDATES]


def _products_first(n: int, m: int, k: int) -> Int32Array:
    """The order of all products, column of A by column, and then of all sums."""
    i, j = (index.reshape(-1, 1) for index in np.indices((m, n), dtype=np.int32))
    step = np.arange(k, dtype=np.int32)
    first = m * k + k * n + (2 * k - 1) * (i * n + j)
    product = first + np.maximum(2 * step - 1, 0)
    back_and_forth = np.where((i + step) % 2 == 0, j, -j)
    keys = (index.reshape(-1) for index in np.broadcast_arrays(step, i, back_and_forth))
    sums = (first + 2 * step[1:]).reshape(-1)
    return np.concatenate((sorted_by(product.reshape(-1), *keys), sums)).astype(np.int32)


def predicted_io(m: int, n: int, k: int, a: int, b: int) -> int:
    """The words that blocks of a x b entries of C move."""
    return m * n + k * (m * ceil(n / b) + n * ceil(m / a))


def block_shapes(m: int, n: int, k: int, room: int) -> list[tuple[int, int]]:
    """The best block shapes (a, b) with ab + a <= room."""
    shapes = {(1, 1)}
    for a in range(1, min(m, max(room // 2, 1)) + 1):
        b = min(n, (room - a) // a)
        if b >= 1:
            # the smallest sides that cut C into as many blocks leave words for other values
            shapes.add((ceil(m / ceil(m / a)), ceil(n / ceil(n / b))))
    return sorted(shapes, key=lambda shape: (predicted_io(m, n, k, *shape), shape))[:CANDIDATES]


def recursive_order(dag: CDAG) -> Int32Array:
    """The cache-oblivious order of a product, for comparison: it knows no memory size.

    The largest dimension is halved, and one half computed after the other, down to single
    products. Where 3 s^2 + 1 <= M, subproducts of s x s matrices load and store their three
    matrices once: at most 4 mnk / s words in "fma" form, if all sides are s times powers of two.
    Sums are computed as soon as both addends are.

    Source
    ------
    M. Frigo, C. E. Leiserson, H. Prokop and S. Ramachandran, Cache-oblivious algorithms, FOCS
    1999, section 2.
    """
    n, m, k = (dag.params[key] for key in ("n", "m", "k"))
    turn = np.empty(m * n * k, np.int64)
    turn[_halved((m, n, k), (n * k, k, 1), {})] = np.arange(turn.size)
    turn = turn.reshape(-1, k)[:, _ranks(dag)]
    return sorted_by(dag.computed, _when_done(dag, turn).reshape(-1))


def _ranks(dag: CDAG) -> Int64Array:
    """The places of an entry's products in the order in which they are added up."""
    k = dag.params["k"]
    if dag.params["form"] != "tree":
        return np.arange(k)
    leaves: list[list[int]] = [[product] for product in range(k)]
    for t in range(k - 1):
        leaves.append(leaves[2 * t] + leaves[2 * t + 1])
    return np.argsort(leaves[-1])


def _when_done(dag: CDAG, turn: Int64Array) -> Int64Array:
    """Return when each vertex of each entry can be computed, (mn, vertices of an entry).

    `turn` is (mn, k), when the products are computed; with the last of its products a sum is.
    """
    k, form = dag.params["k"], dag.params["form"]
    if form == "fma":
        return turn
    if form == "multiply-add":
        return np.repeat(turn, 2, axis=1)[:, 1:]  # product 0, product 1, sum 1, product 2, ...
    ready = np.empty((len(turn), 2 * k - 1), np.int64)
    ready[:, :k] = turn
    for t in range(k - 1):
        ready[:, k + t] = np.maximum(ready[:, 2 * t], ready[:, 2 * t + 1])
    return ready


def _tree_blocked(dag: CDAG, a: int, b: int, q: int) -> Int32Array:
    """The order of blocks of a x b entries, summed up by trees, in segments of q terms."""
    n, m, k = (dag.params[key] for key in ("n", "m", "k"))
    i, j = (index.reshape(-1, 1) for index in np.indices((m, n)))
    ready = _when_done(dag, np.broadcast_to(_ranks(dag), (m * n, k)))
    keys = np.broadcast_arrays(i // a, j // b, ready // q, j, i, ready)
    return sorted_by(dag.computed, *(key.reshape(-1) for key in keys))


def tree_shapes(m: int, n: int, k: int, memory: int) -> list[tuple[int, int, int]]:
    """The best blocks (a, b) with segments of q = 2^s terms for sums by trees.

    For a segment, a q entries of A and q of B are there, and s sums and two products of one entry
    of C. Behind it every entry has up to p sums that wait: on 2^(p-1) segments and fewer. Those
    on more are stored and loaded again.
    """
    shapes = []
    height = (k - 1).bit_length()
    for s in range(height + 1):
        q = min(2**s, k)
        room = memory - q - s - 2
        for p in range(height - s + 1):
            spilled = 2 * m * n * (ceil(k / 2 ** (s + max(p - 1, 0))) - 1)
            for a in range(1, min(m, room // q) + 1):
                b = min((room - a * q) // (p * a), n) if p else n
                if b:
                    shapes.append((predicted_io(m, n, k, a, b) + spilled, a, b, q))
    return [shape[1:] for shape in sorted(shapes)[:CANDIDATES]] or [(1, 1, 1)]


def _halved(
    sides: tuple[int, ...], strides: tuple[int, ...], known: dict[tuple[int, ...], Int64Array]
) -> Int64Array:
    """The places of a box of products, the first half of its longest side first.

    Boxes of the same sides, which are `known` once they have been made, differ by a shift.
    """
    if max(sides) == 1:
        return np.zeros(1, np.int64)
    if sides not in known:
        axis = sides.index(max(sides))
        half = sides[axis] // 2
        low, high = (
            _halved((*sides[:axis], side, *sides[axis + 1 :]), strides, known)
            for side in (half, sides[axis] - half)
        )
        known[sides] = np.concatenate((low, high + half * strides[axis]))
    return known[sides]


def blocked(
    n: int, m: int, k: int, per_step: int, a: int, b: int, *, turned: bool = False
) -> Int32Array:
    """The order of blocks of a x b entries; an entry of C is k steps of vertices.

    Blocks are visited row by row, back and forth.

    Parameters
    ----------
    n, m, k
        Sizes of the product.
    per_step
        Vertices of a step but the first.
    a, b
        Rows and columns of a block.
    turned
        Whether b entries of B stay while those of A pass, instead of the other way round.
    """
    first = m * k + k * n
    per_entry = per_step * (k - 1) + 1
    step = np.zeros((k, per_step), np.int32)  # vertices of an entry's steps; step 0 has one
    step[1:] = 1 + np.arange(per_step * (k - 1)).reshape(k - 1, per_step)
    order = np.empty(m * n * per_entry, np.int32)
    filled = 0
    for i0 in range(0, m, a):
        i = np.arange(i0, min(i0 + a, m))
        columns = range(0, n, b)
        for j0 in columns if (i0 // a) % 2 == 0 else reversed(columns):
            j = np.arange(j0, min(j0 + b, n))
            entry = (first + per_entry * (i[None, :] * n + j[:, None])).astype(np.int32)
            entry = entry.T if turned else entry
            block = order[filled : filled + entry.size * per_entry]
            block[: entry.size] = entry.reshape(-1)
            later = block[entry.size :].reshape(k - 1, *entry.shape, per_step)
            np.add(entry[None, :, :, None], step[1:, None, None, :], out=later)
            filled += block.size
    return order
