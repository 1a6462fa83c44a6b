"""Convolutions: a block of results stays while the image and the filters stream by."""

from collections.abc import Iterator
from math import ceil, prod

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.families.tiles import divisions, sorted_by

Block = tuple[int, int, int, int]  # what passes at a time; filters, rows and columns of results


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a convolution by blocks of its results, those that move least first.

    A block of f filters, y rows and x columns of results stays while operands of its terms pass:
    for C channels and filters of k x k, in strides of s,

    - channel after channel, C times f k^2 weights and (s (y-1) + k) (s (x-1) + k) pixels;
    - one row of a filter after another, C k times f k weights and y (s (x-1) + k) pixels;
    - one column of it after another, C k^2 times f weights and yx pixels, as in a matrix product.

    The fewer of both stay for the time, and the others pass one by one: all are loaded once, with
    fyx words for the results, those that stay, and 2. The results are stored once. The
    best of these blocks move about 2 s / (k sqrt(M)) words a product.

    Another order keeps all C f k^2 weights of f filters, and takes a strip of x columns result
    after result: the current k rows of the image stay too, and only strips load columns twice.
    It serves small filters over large images.

    Source
    ------
    X. Chen et al., Communication lower bound in convolution accelerators, HPCA 2020, for blocks
    of all three and their law.
    """
    image = _Image(dag)
    for block in best_blocks(dag, memory):
        yield image.blocks(*block)
    for filters, columns in _strips(dag, memory):
        yield image.strips(filters, columns)


def block_io(dag: CDAG, block: Block) -> int:
    """The words that blocks of results move."""
    channels, kernel, stride = (dag.params[key] for key in ("channels", "kernel", "stride"))
    filters, rows, columns = _results(dag)
    level, f, y, x = block

    def reach(length: int, side: int, together: bool) -> int:
        """The pixels along an axis that blocks read at a time, all blocks together."""
        return length * stride + ceil(length / side) * (kernel - stride) if together else length

    high, wide = reach(rows, y, level < 1), reach(columns, x, level < 2)
    pixels = kernel**level * ceil(filters / f) * high * wide
    weights = filters * kernel**2 * ceil(rows / y) * ceil(columns / x)
    words: int = filters * rows * columns + channels * (pixels + weights)
    return words


def best_blocks(dag: CDAG, memory: int) -> list[Block]:
    """The three blocks that move least with the given memory."""
    blocks = {(2, 1, 1, 1)}
    shapes = list(_shapes(_results(dag)))
    for level in range(3):
        for f, y, x in shapes:
            if f * y * x + min(_at_a_time(dag, (level, f, y, x))) + 2 <= memory:
                blocks.add((level, f, y, x))
    return sorted(blocks, key=lambda block: (block_io(dag, block), block))[:3]


def _at_a_time(dag: CDAG, block: Block) -> tuple[int, int]:
    """How many weights and how many pixels a block takes at a time."""
    kernel, stride = dag.params["kernel"], dag.params["stride"]
    level, f, y, x = block
    high = stride * (y - 1) + kernel if level < 1 else y
    wide = stride * (x - 1) + kernel if level < 2 else x
    return f * kernel ** (2 - level), high * wide


def _strips(dag: CDAG, memory: int) -> list[tuple[int, int]]:
    """The filters and columns of the strip that loads least, if one fits."""
    channels, kernel, stride = (dag.params[key] for key in ("channels", "kernel", "stride"))
    filters, _, columns = _results(dag)
    strips = []
    for f in divisions(filters):
        for x in divisions(columns):
            width = stride * (x - 1) + kernel
            if channels * (f * kernel**2 + kernel * width) + 2 <= memory:
                strips.append((ceil(filters / f) * ceil(columns / x) * width, f, x))
    return [strip[1:] for strip in sorted(strips)[:1]]


def _results(dag: CDAG) -> tuple[int, int, int]:
    """How many filters, rows and columns the result has."""
    keys = ("height", "width", "kernel", "stride", "filters")
    height, width, kernel, stride, filters = (dag.params[key] for key in keys)
    return filters, (height - kernel) // stride + 1, (width - kernel) // stride + 1


def _shapes(sizes: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield the shapes that cut the results into parts as equal as can be."""
    filters, rows, columns = (divisions(size) for size in sizes)
    for f in filters:
        for y in rows:
            for x in columns:
                yield f, y, x


class _Image:
    """Filter, row and column of each computed vertex, and the term that it adds."""

    def __init__(self, dag: CDAG) -> None:
        self.dag = dag
        kernel, channels = dag.params["kernel"], dag.params["channels"]
        sizes = (*_results(dag), channels, kernel, kernel)
        count = prod(sizes)
        self.vertices = np.arange(dag.n - count, dag.n, dtype=np.int32)
        index = np.unravel_index(np.arange(count), sizes)
        self.filter, self.row, self.column, self.channel, self.down, self.right = index

    def blocks(self, level: int, f: int, y: int, x: int) -> Int32Array:
        """The order by blocks of results, pixel by pixel or weight by weight."""
        kernel, stride = self.dag.params["kernel"], self.dag.params["stride"]
        tap = self.down * kernel + self.right
        weights, pixels = _at_a_time(self.dag, (level, f, y, x))
        within = (
            (self.row * stride + self.down, self.column * stride + self.right, self.filter, tap)
            if weights <= pixels
            else (tap, self.filter, self.row, self.column)
        )
        return sorted_by(
            self.vertices,
            self.filter // f,
            self.row // y,
            self.column // x,
            self.channel,
            *(self.down, self.right)[:level],
            *within,
        )

    def strips(self, filters: int, columns: int) -> Int32Array:
        """The order by strips of columns, result after result."""
        return sorted_by(
            self.vertices,
            self.filter // filters,
            self.column // columns,
            self.row,
            self.column,
            self.filter,
            self.vertices,
        )
