"""Single sweeps over a grid: columns of points, one cross-section after another."""

from collections.abc import Iterator
from itertools import product
from math import ceil, prod

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.families.tiles import divisions, sorted_by
from schedulers.orders import natural


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
    """Return the words that columns along `axis` move on a grid that does not wrap."""
    points = prod(shape)
    across = [length for a, length in enumerate(shape) if a != axis]
    cuts = [2 * (ceil(n / b) - 1) for n, b in zip(across, sides, strict=True)]
    if box:
        return points + shape[axis] * prod(n + cut for n, cut in zip(across, cuts, strict=True))
    return 2 * points + sum(cut * points // n for n, cut in zip(across, cuts, strict=True))


def best_columns(
    shape: tuple[int, ...], memory: int, box: bool
) -> list[tuple[int, tuple[int, ...]]]:
    """Return axes and cross-sections that fit, those that move least first."""
    found = {(len(shape) - 1, (1,) * (len(shape) - 1))}
    for axis in range(len(shape)):
        across = [length for a, length in enumerate(shape) if a != axis]
        for sides in product(*(divisions(length) for length in across)):
            if column_room(sides, box) <= memory:
                found.add((axis, sides))
    return sorted(
        found, key=lambda column: (predicted_io(shape, column[0], column[1], box), column)
    )


def _candidates(
    shape: tuple[int, ...], memory: int, box: bool
) -> dict[tuple[int, tuple[int, ...]], None]:
    """Return the best columns that surely fit, and two that nearly do."""
    safe = best_columns(shape, memory, box)
    tight = best_columns(shape, memory + 2 * len(shape) - 4, box)
    return dict.fromkeys(safe[:1] + tight[:2])


def column_room(sides: tuple[int, ...], box: bool) -> int:
    """Return the words that a cross-section keeps."""
    if box:
        wide = [side + 2 for side in sides]
        return 2 * prod(wide) + 2 * prod(wide[1:]) + 1
    return 2 * prod(sides) + 2 * len(sides) + 1


def _by_columns(vertices: Int32Array, axis: int, sides: tuple[int, ...]) -> Int32Array:
    """Return the vertices column after column, back and forth, plane after plane in each."""
    along = np.moveaxis(vertices, axis, 0)
    starts = [range(0, n, b) for n, b in zip(along.shape[1:], sides, strict=True)]
    parts = []
    for number, corner in enumerate(product(*starts)):
        cut = tuple(slice(at, at + b) for at, b in zip(corner, sides, strict=True))
        column = along[(slice(None), *cut)]
        parts.append((column[::-1] if number % 2 else column).reshape(-1))
    return np.concatenate(parts)
