"""Coordinates of the vertices of a program's DAG, and orders by tiles of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.cdag.origin import Operator, Origin
from schedulers.families.tiles import sorted_by
from schedulers.tilings import _kernels

PHASE = " phase"  # no loop variable has a space
TIME = " time"
MOST_KEYS = 2**62
Levels = tuple[tuple[str, int], ...]
Skew = tuple[str, str, int]
Each = TypeVar("Each")


@dataclass(frozen=True)
class Coordinates:
    """Coordinates of the vertices of a program's DAG.

    Parameters
    ----------
    of
        (n,) numbers from 0 on for each name: a loop variable (0 where a vertex is outside of its
        loops), PHASE, which of the outermost loops and assignments of the text it is in, TIME, the
        outermost loop variable, with the bodies directly inside its loop one after the other, and
        the two `diagonals` of TIME and each inner loop variable.
    variables
        The loop variables, in the order of the text.
    outermost
        Those of the outermost loops.
    """

    of: Mapping[str, Int64Array]
    variables: tuple[str, ...]
    outermost: frozenset[str]

    @cached_property
    def extent(self) -> dict[str, int]:
        """Number of values of each coordinate, from 0 on."""
        return {name: int(values.max(initial=0)) + 1 for name, values in self.of.items()}


def diagonals(name: str) -> tuple[str, str]:
    """The names of TIME plus and minus a loop variable: the sides of diamonds.

    A vertex that reads its neighbours one step of time ago goes back along neither of them.
    """
    return f"{TIME} + {name}", f"{TIME} - {name}"


def coordinates(origin: Origin) -> Coordinates:
    """The coordinates of all vertices; inputs are at 0."""
    n = origin.made_by.size
    names = list(dict.fromkeys(name for each in origin.operators for name in each.variables))
    found = {name: np.zeros(n, np.int64) for name in [*names, PHASE, TIME]}
    phases, places, parts = _places(origin.operators)
    by_operator = np.argsort(origin.made_by, kind="stable")
    ends = np.searchsorted(origin.made_by[by_operator], np.arange(len(origin.operators) + 1))
    for number, operator in enumerate(origin.operators):
        mine = by_operator[ends[number] : ends[number + 1]]
        for depth, name in enumerate(operator.variables):
            found[name][mine] = origin.points[mine, depth]
        found[PHASE][mine] = phases[number]
        if operator.variables:
            outermost = origin.points[mine, 0].astype(np.int64)
            found[TIME][mine] = outermost * parts[phases[number]] + places[number]
    for name in (*names, TIME):
        found[name] -= found[name].min(initial=0)
    outermost = frozenset(each.variables[0] for each in origin.operators if each.variables)
    for name in names:
        if name not in outermost:
            rising, falling = diagonals(name)
            found[rising] = found[TIME] + found[name]
            found[falling] = found[TIME] - found[name]
            found[falling] -= found[falling].min(initial=0)
    return Coordinates(found, tuple(names), outermost)


def _places(operators: tuple[Operator, ...]) -> tuple[list[int], list[int], list[int]]:
    """The phase of each operator, its place inside, and the number of places of a phase."""
    outer: dict[tuple[int, ...], int] = {}
    inner: list[dict[tuple[int, ...], int]] = []
    phases, places = [], []
    for operator in operators:
        own = (-1, operator.statement)
        phase = outer.setdefault(operator.loops[:1] or own, len(outer))
        if phase == len(inner):
            inner.append({})
        phases.append(phase)
        places.append(inner[phase].setdefault(operator.loops[1:2] or own, len(inner[phase])))
    return phases, places, [len(each) for each in inner]


@dataclass(frozen=True)
class PointTiling:
    """An order of tiles; within a tile the order of the text.

    Parameters
    ----------
    levels
        Names of coordinates and how many of their values a tile has, the slowest first.
    skews
        Names of coordinates, of others, and which multiple of those is added: tiles that lean over
        in time, or in space.
    """

    levels: Levels = ()
    skews: tuple[Skew, ...] = ()

    def simpler(self) -> "Iterator[PointTiling]":
        """Yield the tilings that have one level or one skew fewer."""
        for levels in _without_one(self.levels):
            yield replace(self, levels=levels)
        for skews in _without_one(self.skews):
            yield replace(self, skews=skews)

    def shortest(self, extent: Mapping[str, int]) -> "PointTiling":
        """A tiling with the same order and fewer levels and skews, or this one.

        A level that puts all into one tile says nothing, nor does one whose tiles are made up of
        whole tiles of a slower level, nor how a coordinate leans that no level has.

        Parameters
        ----------
        extent
            How many values each coordinate takes, from 0 on.
        """
        leaning = [name for name, _, _ in self.skews]
        parts: dict[str, list[int]] = {}
        kept: list[tuple[str, int]] = []
        for level in self.levels:
            name, size = level
            if size >= extent[name] and name not in leaning:
                continue
            slower = parts.setdefault(name, [])
            if all(size % part for part in slower):
                slower.append(size)
                kept.append(level)
        return PointTiling(tuple(kept), tuple([skew for skew in self.skews if skew[0] in parts]))


def _without_one(some: tuple[Each, ...]) -> Iterator[tuple[Each, ...]]:
    for place in reversed(range(len(some))):
        yield (*some[:place], *some[place + 1 :])


def tiled_order(dag: CDAG, where: Coordinates, tiling: PointTiling) -> Int32Array:
    """The computed vertices in the order of a tiling, made legal.

    A vertex whose operands are in later tiles is computed in the last of theirs.

    Parameters
    ----------
    dag
        The DAG of a program.
    where
        Its coordinates.
    tiling
        The tiles.
    """
    tiling = tiling.shortest(where.extent)
    values = {**where.of, **_leaning(where, tiling.skews)}
    key = _keys(values, tiling.levels, dag.n)
    _kernels.raise_to_operands(dag.pred_indptr, dag.pred_indices, key)
    return sorted_by(dag.computed, key[dag.computed])


def _leaning(where: Coordinates, skews: tuple[Skew, ...]) -> dict[str, Int64Array]:
    """The coordinates that lean over, from 0 on."""
    leaning: dict[str, Int64Array] = {}
    for name, other, factor in skews:
        leaning[name] = leaning.get(name, where.of[name]) + factor * where.of[other]
    return {name: own - own.min() for name, own in leaning.items()}


def _keys(values: Mapping[str, Int64Array], levels: Levels, n: int) -> Int64Array:
    """(n,) the places of vertices in the levels as one number, of levels as far as fit."""
    key, places = np.zeros(n, np.int64), 1
    for name, size in levels:
        count = int(values[name].max(initial=0)) // size + 1
        if places * count > MOST_KEYS:
            break
        places *= count
        if count > 1:
            _kernels.add_digit(values[name], size, count, key)
    return key
