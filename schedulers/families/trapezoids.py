"""Stencils where a value may be computed again: bands of tiles that overlap."""

from collections.abc import Iterator
from itertools import product
from math import prod

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import MemoryTooSmallError, Move, Rules, Schedule
from schedulers.families.plays import Play
from schedulers.families.stable_sort import in_turn
from schedulers.families.trapezoid_plans import Trapezoids, best_trapezoids, trapezoids

LOAD, STORE, COMPUTE, DELETE = Move.LOAD, Move.STORE, Move.COMPUTE, Move.DELETE
Columns = tuple[Int64Array, Int64Array, Int64Array]  # times, moves, vertices


def trapezoid_schedule(dag: CDAG, memory: int) -> Schedule:
    """Return the play of a stencil by the best overlapping tiles.

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
        least = min(plan.peak for plan in trapezoids(dag, 1))
        raise MemoryTooSmallError(memory, least, dag.name(int(dag.computed[0])))
    parts = [_tile(plan, *where) for where in _places(plan)]
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
    """Return the moves of a tile of a band of steps.

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
        """Return the rank in a layer of the next step of the last point near each point."""
        rank = np.zeros(1, np.int64)
        for axis, mine, theirs in list(
            zip(self.axes, self.positions, following.positions, strict=True)
        )[1:]:
            near = mine + np.array([-1, 0, 1])[:, None] - theirs[0]
            if self.plan.periodic:
                near %= self.plan.shape[axis]
            last = np.where((near >= 0) & (near < theirs.size), near, -1).max(axis=0)
            rank = (rank[:, None] * theirs.size + last).reshape(-1)
        return rank


def _times(layers: Int64Array, step: int, band: int, rank: Int64Array, ranks: int) -> Int64Array:
    """Return (layers, points) when points of a rank are computed; three moves fit in each time."""
    return (((layers * (band + 1) + step) * ranks)[:, None] + rank) * 3


def _column(times: Int64Array, move: Move, vertices: Int64Array) -> Columns:
    return times.reshape(-1), np.full(times.size, move), vertices.reshape(-1)
