"""Parts of tensors: where their axes are cut."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from dags.importers.errors import ImportedGraphError
from dags.importers.tensor_graph import Along

Tile = int | tuple[int, ...] | None
Intervals = list[tuple[int, int]]
MAX_SIDE: Final = 10**9


def parse_tile(text: str) -> Tile:
    """Return the tile that "8" or "1x4x4" means.

    Raises
    ------
    ImportedGraphError
        If it is no whole number of at least 1, or several joined by x.
    """
    sides = text.split("x")
    if not all(side.isdecimal() and 0 < len(side) < 10 and int(side) for side in sides):
        raise ImportedGraphError(f"a tile is like 8, or 1x4x4 by axis, not {text[:40]!r}")
    counts = tuple(map(int, sides))
    return counts[0] if len(counts) == 1 else counts


def check_tile(tile: Tile) -> None:
    """Raise ImportedGraphError unless `tile` is None, or of whole numbers from 1."""
    sides = () if tile is None else tile if isinstance(tile, tuple) else (tile,)
    for side in sides:
        if isinstance(side, bool) or not isinstance(side, int | np.integer):
            raise ImportedGraphError(f"a tile is of whole numbers, like 8 or (1, 4, 4), not {side}")
        if not 1 <= side <= MAX_SIDE:
            raise ImportedGraphError(f"a tile cuts into 1 to {MAX_SIDE} parts, not {side}")
    if isinstance(tile, tuple) and not tile:
        raise ImportedGraphError("a tile has at least one number, like 8 or (1, 4, 4)")


def part_counts(shape: Sequence[int], tile: Tile, whole: Sequence[int] = ()) -> list[int]:
    """Return into how many parts each axis of a tensor is cut.

    A tuple says it by axis; an axis has at most as many parts as elements. A number N is met by
    the first axes: the first into N parts, or into its elements where they are fewer, and then
    the next into as many as are still missing, rounded up.

    Parameters
    ----------
    shape
        Lengths of the axes.
    tile
        N, a number for each axis, or None for one part.
    whole
        Axes that are not cut.
    """
    counts = [1] * len(shape)
    missing = tile if isinstance(tile, int) else 1
    for axis, length in enumerate(shape):
        if axis in whole or not length:
            continue
        if isinstance(tile, tuple):
            counts[axis] = min(length, tile[axis]) if axis < len(tile) else 1
        else:
            counts[axis] = min(length, missing)
            missing = -(-missing // counts[axis])
    return counts


def intervals(length: int, parts: int) -> Intervals:
    """Return the parts of an axis as (low, high): equal, the first ones longer by one."""
    short, longer = divmod(length, parts)
    ends = [i * short + min(i, longer) for i in range(parts + 1)]
    return list(pairwise(ends))


def between(cuts: set[int], length: int) -> Intervals:
    """Return the parts of an axis that is cut at some places."""
    ends = [0, *sorted(place for place in cuts if 0 < place < length), length]
    return list(pairwise(ends)) if length else []


def cuts_of(along: Along | None, parts: Intervals, length: int) -> set[int]:
    """Return where what the parts of a result need of an operand's axis begins and ends.

    Parameters
    ----------
    along
        What an index of the result needs; None for all.
    parts
        The parts of the axis of the result.
    length
        Length of the operand's axis.
    """
    places: set[int] = set()
    for low, high in parts if along is not None else ():
        assert along is not None  # the loop has no turn otherwise
        needed = along.indices(low, high, length)
        starts = np.flatnonzero(np.diff(needed) > 1) + 1
        runs = np.split(needed, starts)
        places |= {end for run in runs if run.size for end in (int(run[0]), int(run[-1]) + 1)}
    return places
