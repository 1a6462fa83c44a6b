"""Fast memory that tiles that lean over need.

A tile is a box of coordinates, run along one of them without an end: taken so, all its parts are
alike. A value is held from its own instance, or from its first reader in the tile, to its last
reader there. A real tile has some of these instances, and is no more than a part of them long: what
it holds at an instance is held here too.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs.tied_loops import NotCountedError
from schedulers.tilings.skewed.cuts import Skewed
from schedulers.tilings.skewed.layers import Layers, Read

MOST_PLACES = 1 << 13  # of instances that are told apart; of more, the last axes are taken as one
MOST_LONG = 1 << 20  # of them, where only the first is left
MOST_WIDE = 1 << 54  # values across a tile: with the steps that each is held, they are added up


class _Side(NamedTuple):
    """A coordinate across a tile: instances, and whether values are told apart along it."""

    length: int
    is_one: bool


def room_of(layers: Layers, tiles: Skewed) -> int:
    """Words of fast memory that suffice for each tile.

    Parameters
    ----------
    layers, tiles
        The nest, and its tiles.

    Raises
    ------
    NotCountedError
        If a tile has very many instances.
    """
    sides = _sides(layers, tiles)
    period = len(layers.names) * prod(1 if each.is_one else each.length for each in sides)
    held = np.zeros(period + 1, np.int64)
    for source in layers.names:
        _hold(held, layers, tiles, sides, source)
    loaded = max((len(some) for some in layers.apart.values()), default=0)
    loaded += sum(layers.always.values())
    return int(np.cumsum(held)[:-1].max()) + loaded + _kept(layers, tiles)


def _kept(layers: Layers, tiles: Skewed) -> int:
    """How many inputs are kept at most: those that a tile reads in a step.

    What is in a window of them is a sum of products of lengths, each of which rises and falls
    evenly as the window moves, but where it comes to an end of a box.
    """
    found = 0
    for some in layers.kept.values():
        boxes = [
            [(low - by, high - by) for (low, high), by in zip(each.box[1:], each.away, strict=True)]
            for each in (one.read for one in some)
        ]
        inside: npt.NDArray[np.bool_] | None = None
        lengths = []
        for axis, ends in enumerate(zip(*boxes, strict=True)):
            cuts = np.unique(np.array(ends))
            lean, side = tiles.leans[axis], tiles.sides[axis]
            ahead = [0 if lean is None else layers.ahead(lean, each.read) for each in some]
            wide = side + max(ahead) - min(ahead) if side else int(cuts[-1] - cuts[0])
            start = np.unique([*cuts, *(cuts - wide)])[:, None]
            low, high = np.maximum(cuts[:-1], start), np.minimum(cuts[1:], start + wide)
            lengths.append(np.maximum(high - low, 0))
            own = (cuts[:-1] >= np.array(ends)[:, :1]) & (cuts[1:] <= np.array(ends)[:, 1:])
            inside = (
                own if inside is None else inside[..., None] & own[(slice(None), *[None] * axis)]
            )
        assert inside is not None
        total = inside.any(axis=0).astype(np.int64)
        for each in lengths:
            total = np.tensordot(total, each, (0, 1))
        found += int(total.max())
    return found


def _sides(layers: Layers, tiles: Skewed) -> list[_Side]:
    """The coordinates across a tile, time first where it is run along an axis."""
    lengths = [] if tiles.along is None else [tiles.height]
    for axis, side in enumerate(tiles.sides):
        if axis != tiles.along:
            boxes = [each.box[1 + axis] for each in layers.nest.assignments]
            whole = max(high for _, high in boxes) - min(low for low, _ in boxes)
            lengths.append(side or whole)
    apart, places = len(lengths), prod(lengths) * len(layers.names)
    # several assignments take turns along a tile in each step: these are not taken as one
    least = 0 if tiles.along is None else 1
    while (places > MOST_PLACES and apart > 1) or (places > MOST_LONG and apart > least):
        apart -= 1
        places //= lengths[apart]
    if places > MOST_LONG or len(layers.names) * prod(lengths) > MOST_WIDE:
        raise NotCountedError("a tile has very many instances")
    return [_Side(length, at >= apart) for at, length in enumerate(lengths)]


def _far(layers: Layers, tiles: Skewed, read: Read) -> tuple[int, ...]:
    """How far ahead a reader is along a tile, and across it.

    Parameters
    ----------
    layers, tiles
        The nest, and its tiles.
    read
        The read.
    """
    across = [] if tiles.along is None else [read.step]
    along = read.step
    for axis, (side, lean) in enumerate(zip(tiles.sides, tiles.leans, strict=True)):
        ahead = read.away[axis]
        if lean is not None and (side or axis == tiles.along):
            ahead = layers.ahead(lean, read)
        if axis == tiles.along:
            along = ahead
        else:
            across.append(ahead)
    return along, *across


def _hold(
    held: Int64Array, layers: Layers, tiles: Skewed, sides: Sequence[_Side], source: str
) -> None:
    """Add the values of the layers of an assignment where they are held, as differences."""
    reads = [each for each in layers.reads if each.source == source]
    fars = {(each.reader, _far(layers, tiles, each)) for each in reads}
    fars.add((source, (0,) * (1 + len(sides))))
    points, weight = _points(sides, [far[1:] for _, far in fars])
    period = len(held) - 1
    first, last = np.full(weight.size, 2**62), np.full(weight.size, -(2**62))
    for reader, (along, *across) in fars:
        inside = np.ones(weight.size, bool)
        place = np.zeros(weight.size, np.int64)
        numbers = [*range(len(sides))]
        turn = 1 if tiles.along is not None else 0  # the assignment comes behind the step
        for at in numbers:
            if at == turn:
                place = place * len(layers.names) + layers.names.index(reader)
            side, ahead = sides[at], points[at] + across[at]
            if side.is_one:
                inside &= (points[at] == 0) | (ahead >= 0) & (ahead < side.length)
            else:
                inside &= (ahead >= 0) & (ahead < side.length)
                place = place * side.length + ahead
        if turn == len(sides):
            place = place * len(layers.names) + layers.names.index(reader)
        place += along * period
        first = np.where(inside, np.minimum(first, place), first)
        last = np.where(inside, np.maximum(last, place), last)
    some = last >= first
    begin, end, weight = first[some], last[some] + 1, weight[some]
    # at p mod the period, of each value (end - 1 - p) // period - (begin - 1 - p) // period
    held[0] += int((weight * (end // period - begin // period)).sum())
    np.add.at(held, begin % period, weight)
    np.add.at(held, end % period, -weight)


def _points(
    sides: Sequence[_Side], fars: Sequence[Sequence[int]]
) -> tuple[list[Int64Array], Int64Array]:
    """Coordinates of all values that a tile makes or reads, and how many each stands for."""
    ranges, weights = [], []
    for at, side in enumerate(sides):
        low = -max(far[at] for far in fars)
        high = -min(far[at] for far in fars)
        if side.is_one:
            rim = [*range(low, 0), *range(side.length, side.length + high)]
            ranges.append(np.array([0, *rim]))
            weights.append(np.array([side.length, *[1] * len(rim)]))
        else:
            ranges.append(np.arange(low, side.length + high))
            weights.append(np.ones(side.length + high - low, np.int64))
    grid = np.meshgrid(*ranges, indexing="ij") if ranges else []
    weight = np.ones(1, np.int64)
    for each in weights:
        weight = np.multiply.outer(weight, each).reshape(-1)
    return [each.reshape(-1) for each in grid], weight
