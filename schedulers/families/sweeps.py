"""Sweeps over a grid, column by column; conjugate gradients in few passes over the vectors."""

from collections.abc import Iterator
from itertools import product
from math import ceil, prod

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.families.common.sparse_patterns import laplacian
from schedulers.families.tiles import divisions, sorted_by
from schedulers.orders import natural

Block = tuple[int, Int64Array, Int64Array, bool]  # phase, turn in it, row, whether it is of A p


def conjugate_gradient_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of conjugate gradients in two passes a step, and in three for less memory.

    No entry of r can be updated before the sum p q is complete, and none of p before r r is.
    Between these a step is made row by row: r loses alpha q, and r r grows; then p is made anew,
    A p follows as soon as all the entries of p that a row reads are there, and p q grows. x waits
    to the end, and then sums up all p row by row. For a matrix of z nonzeros and n rows a step
    moves at most 8n + z words: it loads q and r and stores r, loads r and p and stores p and q,
    and loads p once more for x. That takes the two planes of the grid that A p reads, and a few
    words. With less it is better to make all of p before A p, and so it is made anyway where the
    grid wraps around, which is one load of p more; with so much memory that all vectors of a step
    fit, it is better to update x in each step.

    Source
    ------
    A. T. Chronopoulos and C. W. Gear, s-step iterative methods for symmetric linear systems, 1989,
    for passes between the sums; the count is ours.
    """
    del memory  # the orders are the same for every size
    shape, steps, neighbourhood, periodic = (
        dag.params[key] for key in ("shape", "steps", "neighbourhood", "periodic")
    )
    pattern = laplacian(shape, neighbourhood, periodic)
    degree = np.diff(pattern.indptr)
    reach = np.maximum.accumulate(np.maximum.reduceat(pattern.indices, pattern.indptr[:-1]))
    for at_once, x_waits in ((True, True), (False, True), (True, False)):
        turn = reach if at_once else np.arange(pattern.rows)
        blocks = list(_blocks(degree, turn, steps, at_once, x_waits))
        sizes = [row.size for _, _, row, _ in blocks]
        phase = np.repeat([phase for phase, *_ in blocks], sizes)
        product = np.repeat([product for *_, product in blocks], sizes)
        turns, rows = (np.concatenate([block[i] for block in blocks]) for i in (1, 2))
        yield sorted_by(dag.computed, phase, turns, product, rows)


def _blocks(
    degree: Int64Array, turn: Int64Array, steps: int, at_once: bool, x_waits: bool
) -> Iterator[Block]:
    """Yield the blocks of vertices in their numbering; A p for row i comes at its `turn`.

    Of step s, p is made in phase 3s - 1, or 3s if A p follows `at_once`; A p in phase 3s, r in
    phase 3s + 1; and x with the p of the next step, or in the last phase if it waits.
    """
    entries = np.arange(degree.size)
    dot = np.repeat(entries, 2)[1:]
    pairs = np.repeat(entries, 2)
    product = np.repeat(entries, 2 * degree - 1)
    scalar = np.array([-1])
    yield 3, dot, dot, True  # r r for r = b
    for step in range(1, steps + 1):
        current, following_sum, following = 3 * step, 3 * step + 1, 3 * step + (3 if at_once else 2)
        x = entries if step == 1 else pairs
        yield current, turn[product], product, True
        yield current, turn[dot], dot, True  # p q
        yield following_sum, scalar, scalar, False  # alpha
        yield 3 * steps + 1 if x_waits or step == steps else following, x, x, False
        if step < steps:
            yield following_sum, pairs, pairs, False  # r
            yield following_sum, dot, dot, False  # r r
            yield following, scalar, scalar, False  # beta
            yield following, pairs, pairs, False  # p


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a sweep by columns along one axis, those of the least halo first.

    A column's cross-section has b_i points along each axis i but one. Along that one, the plane
    that is computed and the one ahead are kept; every value is loaded once and every result stored
    once, and where columns meet, one layer of points on either side is loaded again:

    - star: 2P + sum over i of 2 (ceil(s_i / b_i) - 1) P / s_i words for P points, which is P (2 + 2
      (d - 1) (2/M)^(1/(d-1))) with equal sides, with 2 prod(b_i) + 2d - 1 words of memory;
    - box: P + s prod(s_i + 2 (ceil(s_i / b_i) - 1)) words with s points along a column, corners
      being loaded by all columns that meet there; the planes are of prod(b_i + 2) points, and two
      rows more are kept.

    Without wrapping; around a periodic grid, the first planes of each column are loaded twice,
    and the columns at its borders meet. A line takes 2P words.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3, for
    the blocks.
    """
    shape, box = dag.params["shape"], dag.params["neighbourhood"] == "box"
    vertices = np.arange(prod(shape), dag.n, dtype=np.int32).reshape(shape)
    for axis, sides in _candidates(shape, memory, box):
        yield _by_columns(vertices, axis, sides)


def spmv_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of y = A x for the matrix of a grid: row after row, rows as in a sweep.

    A row's products are added up one by one, beside which the columns of x are kept as those of
    a sweep: the words of a sweep and one for each nonzero, with two words more than a sweep.
    With less than that, the natural order is as good.
    """
    yield natural(dag)
    shape, box = dag.params["shape"], dag.params["neighbourhood"] == "box"
    rows = np.arange(prod(shape), dtype=np.int32).reshape(shape)
    vertices = dag.computed
    row = np.searchsorted(dag.outputs, vertices)  # a row ends with its sum
    for axis, sides in _candidates(shape, max(memory - 2, 1), box):
        turn = np.empty(rows.size, np.int64)
        turn[_by_columns(rows, axis, sides)] = np.arange(rows.size)
        yield sorted_by(vertices, turn[row])


def predicted_io(shape: tuple[int, ...], axis: int, sides: tuple[int, ...], box: bool) -> int:
    """The words that columns along `axis` move on a grid that does not wrap."""
    points = prod(shape)
    across = [length for a, length in enumerate(shape) if a != axis]
    cuts = [2 * (ceil(n / b) - 1) for n, b in zip(across, sides, strict=True)]
    if box:
        return points + shape[axis] * prod(n + cut for n, cut in zip(across, cuts, strict=True))
    return 2 * points + sum(cut * points // n for n, cut in zip(across, cuts, strict=True))


def best_columns(
    shape: tuple[int, ...], memory: int, box: bool
) -> list[tuple[int, tuple[int, ...]]]:
    """Axes and cross-sections that fit, those that move least first."""
    shapes = {(len(shape) - 1, (1,) * (len(shape) - 1))}
    for axis in range(len(shape)):
        across = [length for a, length in enumerate(shape) if a != axis]
        for sides in product(*(divisions(length) for length in across)):
            if column_room(sides, box) <= memory:
                shapes.add((axis, sides))
    return sorted(
        shapes, key=lambda column: (predicted_io(shape, column[0], column[1], box), column)
    )


def _candidates(
    shape: tuple[int, ...], memory: int, box: bool
) -> dict[tuple[int, tuple[int, ...]], None]:
    """The best columns that surely fit, and two that nearly do."""
    safe = best_columns(shape, memory, box)
    tight = best_columns(shape, memory + 2 * len(shape) - 4, box)
    return dict.fromkeys(safe[:1] + tight[:2])


def column_room(sides: tuple[int, ...], box: bool) -> int:
    """The words that a cross-section keeps."""
    if box:
        wide = [side + 2 for side in sides]
        return 2 * prod(wide) + 2 * prod(wide[1:]) + 1
    return 2 * prod(sides) + 2 * len(sides) + 1


def _by_columns(vertices: Int32Array, axis: int, sides: tuple[int, ...]) -> Int32Array:
    """The vertices column after column, back and forth, plane after plane in each."""
    planes = np.moveaxis(vertices, axis, 0)
    starts = [range(0, n, b) for n, b in zip(planes.shape[1:], sides, strict=True)]
    parts = []
    for number, corner in enumerate(product(*starts)):
        cut = tuple(slice(begin, begin + b) for begin, b in zip(corner, sides, strict=True))
        column = planes[(slice(None), *cut)]
        parts.append((column[::-1] if number % 2 else column).reshape(-1))
    return np.concatenate(parts)
