"""Tiles of a stencil that are worth trying with a given memory: skewed boxes, and hexagons."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, isqrt, log, prod

import numpy as np

from dags.arrays import Int64Array

Matrix = tuple[tuple[int, ...], ...]
# Coordinates in which a star of neighbours lies in the box of all changes by 1 or less: rows of
# signs with the largest determinant, as a point of the space between them is one of the grid
# only every so often.
ROTATIONS: dict[int, Matrix] = {
    2: ((1, 1), (1, -1)),
    3: ((1, 1, -1), (1, -1, 1), (-1, 1, 1)),
    4: ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1)),
}


@dataclass(frozen=True)
class Hexagon:
    """A tile of points c at times t, each of which reads c - 1, c and c + 1 of the time before.

    It begins with `base` points, gains one on either side at each of the first `half` times, and
    loses them again at the next `half` times. Where it loses them the next tiles begin, half a
    period to the side, so that hexagons of one phase lie apart, and read only those of the two
    phases before. At its lower sides two values come in at each time, at its upper ones two go
    out, and `base` values at the bottom and at the top.

    Parameters
    ----------
    base
        Points at its first time.
    half
        Times for which it grows.

    Source
    ------
    T. Grosser, A. Cohen, J. Holewinski, P. Sadayappan and S. Verdoolaege, Hybrid
    hexagonal/classical tiling for GPUs, CGO 2014.
    """

    base: int
    half: int

    @property
    def period(self) -> int:
        """From a hexagon to the next one of its phase."""
        return 2 * (self.base + self.half - 1)

    @property
    def area(self) -> int:
        """Points in a hexagon."""
        return self.half * self.period

    @property
    def entering(self) -> int:
        """Values that a hexagon reads from others."""
        return self.base + 4 * self.half

    def tile(self, c: Int64Array, t: Int64Array) -> tuple[Int64Array, Int64Array]:
        """The phase and the place in it of the hexagon of each point; both only rise."""
        phase, time = np.divmod(t, self.half)
        odd = phase & 1
        place, inside = np.divmod(c - odd * (self.period // 2) + time, self.period)
        begun = inside < self.base + 2 * time
        return np.where(begun, phase, phase - 1), np.where(begun, place, place + odd)


def best_hexagon(room: int) -> Hexagon:
    """The hexagon of at most `room` points that reads least for each of them."""
    fitting = [
        Hexagon(max(room // (2 * half) - half + 1, 1), half) for half in range(1, isqrt(room) + 1)
    ]
    inside = [hexagon for hexagon in fitting if hexagon.area <= room] or fitting[:1]
    return min(inside, key=lambda hexagon: hexagon.entering / hexagon.area)


@dataclass(frozen=True)
class Pencils:
    """Tiles that are long in one direction, along which they are played.

    Parameters
    ----------
    coordinates
        Rows: the coordinates c_1, ..., c_d of a point. Neighbours differ by 1 at most in each.
    lengths
        For each coordinate the side of a tile along c_i + time, or 0 where it is not cut so.
    swept
        Whether tiles are played along c_1 + time, otherwise along time.
    height
        Side of a tile along time, or 0 where time is not cut so.
    hexagon
        How c_2 and time are cut instead, or None.
    """

    coordinates: Matrix
    lengths: tuple[int, ...]
    swept: bool = False
    height: int = 0
    hexagon: Hexagon | None = None


@dataclass(frozen=True)
class Space:
    """A stencil in some coordinates.

    Parameters
    ----------
    coordinates
        As in `Pencils`.
    extents
        How many values each coordinate takes.
    steps
        Number of sweeps.
    sparsity
        The volume of these coordinates that a point takes.
    """

    coordinates: Matrix
    extents: tuple[int, ...]
    steps: int
    sparsity: int

    def width(self, lengths: tuple[int, ...]) -> int:
        """The volume across tiles of such lengths, with their reads from others."""
        pairs = zip(lengths, self.extents, strict=True)
        return prod(min(length + 2, extent) if length else extent for length, extent in pairs)

    def cost(self, lengths: tuple[int, ...]) -> float:
        """The words a vertex that the cuts along c_i + time cost: 4 where one passes."""
        pairs = zip(lengths, self.extents, strict=True)
        return sum(4 * _density(extent + self.steps, length) for length, extent in pairs if length)

    def part(self, first: int) -> "Space":
        """The space of the coordinates from number `first` on."""
        return replace(self, extents=self.extents[first:])


def plans(space: Space, memory: int) -> Iterator[tuple[float, Pencils]]:
    """Yield the best tiles of each kind, with the words a vertex that they are thought to cost.

    Tiles played along time keep one value for each point across them; those played along c_1 +
    time keep two, as each is read for three steps.
    """
    room = memory * space.sparsity
    kinds = (_along_time(space, room), _in_bands(space, room // 2), _in_hexagons(space, room // 2))
    for kind in kinds:
        best = min(kind, key=lambda plan: plan[0], default=None)
        if best is not None:
            yield best


def _along_time(space: Space, room: int) -> Iterator[tuple[float, Pencils]]:
    for lengths in _lengths(space, room):
        if space.width(lengths) <= room:
            yield space.cost(lengths), Pencils(space.coordinates, lengths)


def _in_bands(space: Space, room: int) -> Iterator[tuple[float, Pencils]]:
    across = space.part(1)
    for lengths in _lengths(across, room):
        height = room // across.width(lengths)
        if height:
            height = ceil(space.steps / ceil(space.steps / height))
            cost = across.cost(lengths) + 2 * _density(space.steps, height)
            yield cost, Pencils(space.coordinates, (0, *lengths), True, height)


def _in_hexagons(space: Space, room: int) -> Iterator[tuple[float, Pencils]]:
    """Yield hexagons of c_2 and time: of `room` points and their operands, as wide as can be."""
    if len(space.extents) == 1:
        return
    across = space.part(2)
    for lengths in _lengths(across, room):
        points = room // across.width(lengths)
        for half in _sizes(min(isqrt(points), space.steps)):
            # area + entering = 2 half (base + half - 1) + base + 4 half
            base = (points - 2 * half * (half + 1)) // (2 * half + 1)
            if base >= 1:
                hexagon = Hexagon(base, half)
                cost = 8 / hexagon.period
                cost += 4 * base / hexagon.period * _density(space.steps, half)
                cost += across.cost(lengths)
                kept = (0, 0, *lengths)
                yield cost, Pencils(space.coordinates, kept, True, 0, hexagon)


def _density(extent: int, length: int) -> float:
    """How often a cut passes a point, if they are `length` apart in this extent."""
    return (ceil(extent / length) - 1) / extent


def _lengths(space: Space, room: int) -> Iterator[tuple[int, ...]]:
    """Yield lengths that are as equal as they can be, but 0 where the extent is not greater."""
    largest = min(max(space.extents, default=1), ceil(4 * room ** (1 / max(len(space.extents), 1))))
    for length in _sizes(largest):
        for longer in range(max(len(space.extents), 1)):
            sides = [length + (axis < longer) for axis in range(len(space.extents))]
            pairs = zip(sides, space.extents, strict=True)
            yield tuple(side if side < extent else 0 for side, extent in pairs)


@lru_cache(maxsize=1 << 12)  # each length of a tile asks for what is left of the room
def _sizes(limit: int) -> tuple[int, ...]:
    """Sizes up to `limit`: all small ones, and larger ones 3 % apart."""
    small = range(1, min(limit, 32) + 1)
    if limit <= 32:
        return tuple(small)
    gaps = ceil(log(limit / 32) / 0.03)
    first, last = np.log10(32), np.log10(limit)
    larger = 10 ** (np.arange(gaps) * ((last - first) / gaps) + first)  # as `np.geomspace` has it
    return tuple(sorted({*small, *larger.astype(int).tolist(), limit}))
