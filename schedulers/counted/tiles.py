"""Plays by tiles: each tile loads values of others once, and stores those that others read.

A play by tiles is an order that is cut into tiles. Within a tile a value comes in before the first
step that reads it, and leaves with the last one; a value is stored at once if another tile reads
it, or if it is an output. So a tile moves the different values that it reads from outside, and
those that leave it, whatever happens elsewhere: that can be counted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from pebble import Schedule
from schedulers.tilings.residences import reads_of, residing

FEW = 512  # numbers of parts, and sides, that are all tried
GROWTH = 1.03  # between those beyond
Params = Mapping[str, Any]
BoolArray = npt.NDArray[np.bool_]
NOTHING: Int32Array = lock(np.empty(0, np.int32))


def sides(length: int, limit: int) -> list[int]:
    """Sides up to `limit` that cut a length into parts as equal as can be, rising.

    All sides that make few parts are there, all that are small, and some in between.
    """
    lengths = {1, min(length, limit)}
    for parts in numbers(length):
        lengths |= {parts, -(-length // parts)}
    return sorted(side for side in lengths if side <= limit)


def evened(length: int, side: int) -> int:
    """The smallest side that cuts a length into as many parts as `side` does."""
    parts = -(-length // side)
    return -(-length // parts)


def blocks(
    rows: int, columns: int, fit: Callable[[int], int], io: Callable[[int, int], int]
) -> tuple[int, int]:
    """The a x b block of which the fewest words move.

    Parameters
    ----------
    rows, columns
        Of the matrix that is cut into blocks; blocks are no larger.
    fit
        Returns the most columns of a block of `a` rows, less than 1 if there is none.
    io
        Returns the words that move with blocks of a x b.

    A block of one entry is taken where `fit` has none.
    """
    return min({(1, 1), *_shapes(rows, columns, fit)}, key=lambda shape: (io(*shape), shape))


def _shapes(rows: int, columns: int, fit: Callable[[int], int]) -> Iterable[tuple[int, int]]:
    for a in sides(rows, rows):
        b = min(columns, fit(a))
        if b < 1:
            break
        yield evened(rows, a), evened(columns, b)


def numbers(limit: int, threshold: int = FEW) -> list[int]:
    """Numbers from 1 to `limit`: all up to `threshold`, then in about equal ratios."""
    values = list(range(1, min(limit, threshold) + 1))
    while values[-1] < limit:
        values.append(min(limit, max(values[-1] + 1, int(GROWTH * values[-1]))))
    return values


def boxes(
    lengths: Sequence[int], fits: Callable[[tuple[int, ...]], bool]
) -> Iterator[tuple[int, ...]]:
    """Yield boxes as large as fit: their sides differ by 1 at most, or one is made longer.

    Sides are no longer than the lengths; there is none if not even single points fit.

    Parameters
    ----------
    lengths
        Of the axes that are cut into boxes.
    fits
        Returns whether a box of given sides does; no larger one does if it does not.
    """

    def near(length: int, increments: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            min(length + increment, bound)
            for increment, bound in zip(increments, lengths, strict=True)
        )

    low, high = 0, max(lengths, default=1) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if fits(near(middle, [0] * len(lengths))):
            low = middle
        else:
            high = middle
    for length, increments in product(
        {low, low - 1} - {0, -1}, product((0, 1), repeat=len(lengths))
    ):
        box = near(length, increments)
        if fits(box):
            yield box
            for axis in range(len(lengths)):
                yield _lengthened(box, axis, lengths[axis], fits)


def _lengthened(
    box: tuple[int, ...], axis: int, limit: int, fits: Callable[[tuple[int, ...]], bool]
) -> tuple[int, ...]:
    """The box with one side as long as fits."""
    low, high = box[axis], limit + 1
    while high - low > 1:
        middle = (low + high) // 2
        if fits((*box[:axis], middle, *box[axis + 1 :])):
            low = middle
        else:
            high = middle
    return (*box[:axis], low, *box[axis + 1 :])


class Moved(NamedTuple):
    """The words that a play loads and stores."""

    loads: int
    stores: int


class Tiles(NamedTuple):
    """An order that is cut into tiles.

    Attributes
    ----------
    order
        (N,) the computed vertices.
    tile
        (N,) the tile of each, which never falls.
    kept
        Vertices that stay from the tile that computes them to their last reader in another one.
    """

    order: Int32Array
    tile: Int64Array
    kept: Int32Array = NOTHING


@dataclass(frozen=True)
class CountedPlay:
    """A play by tiles of a family: its words as a formula, and the play itself.

    Parameters
    ----------
    count
        Returns its words, given all parameters of the family and the words of fast memory, which
        are no less than the family's least; None where it is not known for the parameters.
    tiles
        Returns the tiles, given the DAG and the words of fast memory; None for a play that is no
        play by tiles.
    slides
        Words of fast memory that the play needs less where results slide.
    levels
        Returns the words across each boundary of a play of a hierarchy, given all parameters, the
        words of each level but the last, and prices; None where no such play is known.
    """

    count: Callable[[Params, int], Moved | None]
    tiles: Callable[[CDAG, int], Tiles] | None
    slides: int = 0
    levels: Callable[[Params, Sequence[int], Sequence[Fraction | int]], list[Moved]] | None = None


def laid_out(dag: CDAG, tiles: Tiles) -> Schedule:
    """The moves of a play by tiles."""
    tile_of, left = _leaving(dag, tiles, [slice(None)])
    return _moves(dag, tiles, slice(None), tile_of, left)


def laid_out_in_parts(dag: CDAG, tiles: Tiles, steps: int = 1 << 20) -> Iterator[Schedule]:
    """Yield the moves of a schedule by tiles, a few whole tiles at a time.

    Parameters
    ----------
    dag
        The computation.
    tiles
        The order and its tiles. If some values stay from tile to tile, it is yielded at once.
    steps
        Computations of a part, or those of one tile where it has more.
    """
    parts = list(_parts(tiles, steps))
    tile_of, left = _leaving(dag, tiles, parts)
    for part in parts:
        yield _moves(dag, tiles, part, tile_of, left)


def _parts(tiles: Tiles, steps: int) -> Iterator[slice]:
    """Yield slices of an order, of whole tiles."""
    count = tiles.order.size
    ends = np.append(np.flatnonzero(np.diff(tiles.tile)) + 1, count)
    begin = 0
    while begin < count:
        wanted = count if tiles.kept.size else begin + steps
        end = int(ends[min(int(np.searchsorted(ends, wanted)), ends.size - 1)])
        yield slice(begin, end)
        begin = end


def _leaving(dag: CDAG, tiles: Tiles, parts: list[slice]) -> tuple[Int64Array, BoolArray]:
    """(n,) the tile of each vertex or -1, and whether its value is stored."""
    tile_of = np.full(dag.n, -1, np.int64)
    tile_of[tiles.order] = tiles.tile
    left = np.zeros(dag.n, bool)
    left[dag.outputs] = True
    for part in parts:
        _, operand, until = _reads_of(dag, tiles, part, tile_of)
        left[operand[(tile_of[operand] >= 0) & (tile_of[operand] != until)]] = True
    return tile_of, left


def _reads_of(
    dag: CDAG, tiles: Tiles, part: slice, tile_of: Int64Array
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return for each read of a part its place in it, the operand, and the tile it stays for."""
    place, operand = reads_of(dag, tiles.order[part])
    until = tiles.tile[part][place]
    if tiles.kept.size:
        stays = np.zeros(dag.n, bool)
        stays[tiles.kept] = True
        until[stays[operand]] = tile_of[operand[stays[operand]]]
    return place, operand, until


def _moves(dag: CDAG, tiles: Tiles, part: slice, tile_of: Int64Array, left: BoolArray) -> Schedule:
    """The moves of a part of whole tiles."""
    order, tile = tiles.order[part], tiles.tile[part]
    place, operand, until = _reads_of(dag, tiles, part, tile_of)
    return residing(dag, order, (place, operand, until), tile, tile_of, left)


def tiled(order: Int32Array, *keys: Int32Array | Int64Array) -> Tiles:
    """An order by tiles; `keys` (N,) say by which vertices are in a tile with others."""
    change = np.zeros(order.size, bool)
    for key in keys:
        change |= np.diff(key, prepend=key[:1]) != 0
    return Tiles(order, np.cumsum(change))
