"""Stencils where a value may be computed again: bands of tiles that overlap."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from dags import CDAG, InvalidDAGError
from dags.arrays import Int64Array, lock
from pebble import MemoryTooSmallError, Move, Rules, Schedule
from schedulers.families.plays import Play
from schedulers.families.tiles import divisions, in_turn

LOAD, STORE, COMPUTE, DELETE = Move.LOAD, Move.STORE, Move.COMPUTE, Move.DELETE
Columns = tuple[Int64Array, Int64Array, Int64Array]  # times, moves, vertices


class _Axis(NamedTuple):
    """One axis of a stencil, its sides, and whether tiles are swept along it, not cut."""

    length: int
    side: int
    periodic: bool
    swept: bool

    def reach(self, first: Int64Array, before: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return from where to where tiles that begin at `first` need points; as `Trapezoids`."""
        low = first - before
        high = np.minimum(first + self.side, self.length) + before
        if not self.periodic:
            return np.maximum(low, 0), np.minimum(high, self.length)
        if self.swept:
            return low, high
        round_about = high - low > self.length
        return np.where(round_about, 0, low), np.where(round_about, self.length, high)


def _widths(axis: _Axis, height: int) -> Int64Array:
    """(height + 1, tiles) how many points each tile needs j steps before its end."""
    before = np.arange(height + 1)[:, None]
    first, last = axis.reach(np.arange(0, axis.length, axis.side), before)
    return last - first


@lru_cache(maxsize=1 << 12)  # plans differ in one side, mostly
def _widest(axis: _Axis, height: int) -> Int64Array:
    """(height + 1,) how many points the largest tile needs j steps before its end."""
    return lock(_widths(axis, height).max(axis=1))


@lru_cache(maxsize=1 << 12)
def _loaded(axis: _Axis, height: int) -> int:
    """How many points all tiles together need at first."""
    return int(_widths(axis, height)[-1].sum())


@dataclass(frozen=True)
class Trapezoids:
    """A way to play a stencil by tiles that compute again the points between them.

    A band of steps is played at a time, and in it one tile after another. A tile is cut in all axes
    but one, along which it is swept. It loads its points and as many around it as the band has
    steps, computes at each step the points that the remaining steps need of it, and stores its
    points.

    Parameters
    ----------
    shape, steps, periodic
        Of the stencil.
    axis
        Along which tiles are swept.
    sides
        Of a tile, for each axis; that of `axis` itself is not cut.
    height
        Steps in a band, the last one perhaps fewer.
    """

    shape: tuple[int, ...]
    steps: int
    periodic: bool
    axis: int
    sides: tuple[int, ...]
    height: int

    @property
    def io(self) -> int:
        """Words moved: in each band all points once out, and in as often as tiles need them.

        Leading order: with tiles b on each side in the d - 1 axes and bands of h steps, ((b +
        2h)^(d-1) + b^(d-1)) / (b^(d-1) h) words a vertex, while 2 sum_(j<=h) (b + 2j)^(d-1) words
        are kept: 4 / S for d = 1 (nothing to overlap), 7.35 / S^(1/2) for d = 2 with b = 2h, and
        12.0 / S^(1/3) for d = 3 with b = 3.7 h.
        """
        axes = range(len(self.shape))
        loads = {
            band: prod(_loaded(self._along(axis), band) for axis in axes) for band in {*self.bands}
        }
        return sum(prod(self.shape) + loads[band] for band in self.bands)

    @property
    def bands(self) -> list[int]:
        """The steps of each band."""
        full, remainder = divmod(self.steps, self.height)
        return [self.height] * full + [remainder] * (remainder > 0)

    @property
    def peak(self) -> int:
        """Memory that is enough, in words: two layers of each step, a third one, lagging points.

        Where tiles have w_j points across at the j-th step from the end, 2 (w_1 + ... + w_h) +
        w_h, the current value, and the points of the layer read last that wait for it: a row of
        points, or two on a ring that is not cut, as its ends read each other.
        """
        widths = [_widest(self._along(axis), self.height) for axis in self.cut]
        across = reduce(np.multiply, widths, np.ones(self.height + 1, np.int64))
        lag, row = 0, 1
        for axis, width in zip(reversed(self.cut), reversed(widths), strict=True):
            lag += row * (2 if width[-1] == self.shape[axis] and self.periodic else 1)
            row *= int(width[-1])
        return int(2 * across[1:].sum() + across[-1]) + lag + 1

    def reach(
        self, axis: int, first: Int64Array, before: Int64Array
    ) -> tuple[Int64Array, Int64Array]:
        """Return from where to where a tile needs points some steps before its end.

        On a ring this may begin below 0; no point is in it twice, but for the swept axis.
        """
        return self._along(axis).reach(first, before)

    def _along(self, axis: int) -> _Axis:
        """Return one axis."""
        swept = axis == self.axis
        return _Axis(self.shape[axis], self.sides[axis], self.periodic, swept)

    @property
    def cut(self) -> list[int]:
        """The axes along which tiles end."""
        return [axis for axis in range(len(self.shape)) if axis != self.axis]


def best_trapezoids(dag: CDAG, memory: int) -> Trapezoids | None:
    """The tiles that move least with so much memory, or None if the smallest need more.

    Raises
    ------
    InvalidDAGError
        If `dag` was not made by `dags.stencil`.
    """
    fitting = (plan for plan in trapezoids(dag, memory) if plan.peak <= memory)
    return min(fitting, key=lambda plan: plan.io, default=None)


def trapezoids(dag: CDAG, memory: int) -> Iterator[Trapezoids]:
    """Yield the largest tiles that fit for each swept axis, height and all sides but one."""
    if dag.family != "stencil":
        raise InvalidDAGError(f"{dag!r} is no stencil")
    shape, steps, periodic = dag.params["shape"], dag.params["steps"], dag.params["periodic"]
    for axis in range(len(shape)):
        side_choices = [divisions(n) if a != axis else [n] for a, n in enumerate(shape)]
        free = 0 if axis else len(shape) - 1  # the axis whose side is as long as fits
        lengths, side_choices[free] = side_choices[free], [1]
        for height, sides in product(divisions(steps), product(*side_choices)):
            if 2 * height <= max(memory, 2):
                base = Trapezoids(shape, steps, periodic, axis, sides, height)
                longer = [_with_side(base, free, length) for length in lengths]
                fitting = bisect_right(longer, memory, key=lambda plan: plan.peak)
                yield longer[max(fitting - 1, 0)]


def _with_side(plan: Trapezoids, axis: int, side: int) -> Trapezoids:
    return replace(plan, sides=(*plan.sides[:axis], side, *plan.sides[axis + 1 :]))


def trapezoid_schedule(dag: CDAG, memory: int) -> Schedule:
    """The play of a stencil by the best overlapping tiles.

    It is legal under rules that let a value be computed again.

    Raises
    ------
    MemoryTooSmallError
        If the smallest tiles need more than `memory`.
    InvalidDAGError
        If `dag` was not made by `dags.stencil`.
    """
    plan = best_trapezoids(dag, memory)
    if plan is None:
        fewest = min(plan.peak for plan in trapezoids(dag, 1))
        raise MemoryTooSmallError(memory, fewest, dag.name(int(dag.computed[0])))
    parts = [_tile(plan, *place) for place in _places(plan)]
    return Schedule(
        lock(np.concatenate([part.op for part in parts])),
        lock(np.concatenate([part.vertex for part in parts])),
    )


def plays(dag: CDAG, memory: int, rules: Rules) -> Iterator[Play]:
    """Yield the play by overlapping tiles, where values may be computed again and tiles fit.

    Tiles are of values of one word.
    """
    plan = best_trapezoids(dag, memory) if rules.recompute and dag.words is None else None
    if plan is not None:
        yield Play(plan.io, lambda: (trapezoid_schedule(dag, memory),))


def _places(plan: Trapezoids) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield the step before each band, its steps, and where each of its tiles begins."""
    corners = [range(0, n, side) for n, side in zip(plan.shape, plan.sides, strict=True)]
    begin = 0
    for band in plan.bands:
        for corner in product(*corners):
            yield begin, band, corner
        begin += band


def _tile(plan: Trapezoids, begin: int, band: int, corner: tuple[int, ...]) -> Schedule:
    """The moves of a tile of a band of steps.

    Layer x of the swept axis, j steps into the band, is computed after layer x + j has been
    loaded, and its points in the order of their numbers. A value leaves with the last point that
    may read it: in the next layer of the next step.
    """
    levels = [_Level(plan, corner, band - j) for j in range(band + 1)]
    ranks = levels[0].points.shape[1]
    columns: list[Columns] = []
    for j, level in enumerate(levels):
        vertices = (begin + j) * prod(plan.shape) + level.points
        rank = np.arange(level.points.shape[1])
        times = _times(level.layers + j, j, band, rank, ranks)
        columns.append(_column(times, LOAD if j == 0 else COMPUTE, vertices))
        if j == band:
            columns.append(_column(times + 1, STORE, vertices))
        else:
            following = levels[j + 1]
            layers = np.minimum(level.layers + 1, following.layers[-1])
            rank = level.last_readers(following)
            times = _times(layers + j + 1, j + 1, band, rank, ranks)
        columns.append(_column(times + 2, DELETE, vertices))
    times, moves, vertices = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    order = in_turn(times)
    return Schedule(moves[order], vertices[order])


class _Level:
    """Points that a tile needs some steps before its end, layer by layer."""

    def __init__(self, plan: Trapezoids, corner: tuple[int, ...], before: int) -> None:
        self.plan = plan
        self.axes = [plan.axis, *plan.cut]
        reach = [plan.reach(axis, np.array(corner[axis]), np.array(before)) for axis in self.axes]
        self.positions = [np.arange(int(first), int(last)) for first, last in reach]
        self.layers = self.positions[0]
        self.points = np.zeros((1, 1), np.int64)
        for axis, position in zip(self.axes, self.positions, strict=True):
            number = position % plan.shape[axis] * prod(plan.shape[axis + 1 :])
            if axis == plan.axis:
                self.points = self.points + number[:, None]
            else:
                self.points = (self.points[:, :, None] + number).reshape(self.layers.size, -1)

    def last_readers(self, following: "_Level") -> Int64Array:
        """The rank in a layer of the next step of the last point near each point."""
        rank = np.zeros(1, np.int64)
        for axis, ranks, theirs in list(
            zip(self.axes, self.positions, following.positions, strict=True)
        )[1:]:
            near = ranks + np.array([-1, 0, 1])[:, None] - theirs[0]
            if self.plan.periodic:
                near %= self.plan.shape[axis]
            last = np.where((near >= 0) & (near < theirs.size), near, -1).max(axis=0)
            rank = (rank[:, None] * theirs.size + last).reshape(-1)
        return rank


def _times(layers: Int64Array, step: int, band: int, rank: Int64Array, ranks: int) -> Int64Array:
    """(layers, points) when points of a rank are computed; three moves fit in each time."""
    return (((layers * (band + 1) + step) * ranks)[:, None] + rank) * 3


def _column(times: Int64Array, move: Move, vertices: Int64Array) -> Columns:
    return times.reshape(-1), np.full(times.size, move), vertices.reshape(-1)
