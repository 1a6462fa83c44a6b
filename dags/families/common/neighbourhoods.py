"""Grids of points, and the neighbours of each point."""

from itertools import product
from math import prod
from typing import Literal

import numpy as np

from dags.arrays import Int64Array
from dags.cdag.border import require_at_least, require_room
from dags.errors import InvalidSpecError

Offset = tuple[int, ...]
Neighbourhood = Literal["star", "box"]


def require_shape(shape: tuple[int, ...]) -> None:
    """Raise InvalidSpecError unless `shape` is 1 to 4 sides of at least 1."""
    if not 1 <= len(shape) <= 4:
        raise InvalidSpecError(f"shape must have 1 to 4 sides, not {len(shape)}")
    for side in shape:
        require_at_least(1, side=side)


def require_neighbourhood(shape: tuple[int, ...], neighbourhood: str, periodic: bool) -> None:
    """Raise InvalidSpecError for no shape, a side under 3 that wraps, or an unknown neighbourhood.

    Parameters
    ----------
    shape, neighbourhood, periodic
        As in `radius_one`.
    """
    require_shape(shape)
    if neighbourhood not in ("star", "box"):
        raise InvalidSpecError(f"neighbourhood must be 'star' or 'box', not {neighbourhood!r}")
    if periodic and min(shape) < 3:
        raise InvalidSpecError(f"a periodic side must be at least 3, not {min(shape)}")


def all_neighbours(shape: tuple[int, ...], neighbourhood: str, periodic: bool) -> int:
    """How many neighbours all points have together, each point one of its own.

    Parameters
    ----------
    shape, neighbourhood, periodic
        As in `radius_one`, which raises.
    """
    require_neighbourhood(shape, neighbourhood, periodic)
    points, ends = prod(shape), 0 if periodic else 2
    if neighbourhood == "box":
        return prod(3 * side - ends for side in shape)
    return points + sum((2 * side - ends) * (points // side) for side in shape)


def radius_one(
    shape: tuple[int, ...], neighbourhood: Neighbourhood, periodic: bool
) -> list[Offset]:
    """The offsets of a point and its neighbours, rising lexicographically.

    Parameters
    ----------
    shape
        1 to 4 sides, in points.
    neighbourhood
        "star": neighbours along the axes; "box": diagonal ones as well.
    periodic
        Whether sides wrap around.

    Raises
    ------
    InvalidSpecError
        For a shape that is none, a side under 3 that wraps, or an unknown neighbourhood.
    """
    require_neighbourhood(shape, neighbourhood, periodic)
    return [
        offset
        for offset in product((-1, 0, 1), repeat=len(shape))
        if neighbourhood == "box" or sum(map(abs, offset)) <= 1
    ]


def neighbours(
    shape: tuple[int, ...], offsets: list[Offset], periodic: bool
) -> tuple[Int64Array, Int64Array]:
    """The number of neighbours of each point, and all neighbours, point after point.

    `offsets` rise lexicographically, so that rows rise by themselves unless they wrap.

    Parameters
    ----------
    shape
        Sides, in points.
    offsets
        Offsets of the neighbours of a point, rising lexicographically; (0, ..., 0) is the point.
    periodic
        Whether sides wrap around; otherwise points outside are left out.
    """
    require_room(prod(shape), prod(shape) * len(offsets))
    coordinates = np.indices(shape).reshape(len(shape), -1)
    sides = np.array(shape)[:, None]
    seen = np.empty((prod(shape), len(offsets)), np.int64)
    inside = np.ones_like(seen, bool)
    for column, offset in enumerate(offsets):
        moved = coordinates + np.array(offset)[:, None]
        if periodic:
            moved %= sides
        else:
            inside[:, column] = ((moved >= 0) & (moved < sides)).all(axis=0)
            moved = np.clip(moved, 0, sides - 1)
        seen[:, column] = np.ravel_multi_index(tuple(moved), shape)
    if periodic:
        seen.sort(axis=1)
    return inside.sum(axis=1), seen[inside]
