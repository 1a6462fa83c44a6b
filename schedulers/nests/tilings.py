"""Tilings: in which order the points of a loop nest are computed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.families.tiles import sorted_by
from schedulers.nests import _kernels
from schedulers.nests.coordinates import PHASE, Coordinates

MOST_KEYS = 2**62
Levels = tuple[tuple[str, int], ...]
Skew = tuple[str, str, int]
Each = TypeVar("Each")


@dataclass(frozen=True)
class Tiling:
    """An order of tiles; within a tile the order of the text.

    Parameters
    ----------
    levels
        Names of coordinates and how many of their values a tile has, the slowest first.
    skews
        Names of coordinates, of others, and which multiple of those is added: tiles that lean over
        in time, or in space.
    phases
        Levels of single phases, by number, which then come one after the other; the others have
        `levels`. None if phases may overlap.
    """

    levels: Levels = ()
    skews: tuple[Skew, ...] = ()
    phases: tuple[tuple[int, Levels], ...] | None = None

    def with_phase(self, phase: int, levels: Levels) -> "Tiling":
        """Return the tiling with other levels for one phase."""
        phases = dict(self.phases or ()) | {phase: levels}
        return replace(self, phases=tuple(sorted(phases.items())))

    def simpler(self) -> "Iterator[Tiling]":
        """Yield the tilings that have one level, one skew, or the levels of one phase fewer."""
        for levels in _without_one(self.levels):
            yield replace(self, levels=levels)
        for skews in _without_one(self.skews):
            yield replace(self, skews=skews)
        for others in _without_one(self.phases or ()):
            yield replace(self, phases=others)
        for phase, own in self.phases or ():
            for levels in _without_one(own):
                yield self.with_phase(phase, levels)

    def shortest(self, extent: Mapping[str, int]) -> "Tiling":
        """Return a tiling with the same order and fewer levels and skews, or this one.

        A level that puts all into one tile says nothing, nor does one whose tiles are made up of
        whole tiles of a slower level, nor how a coordinate leans that no level has.

        Parameters
        ----------
        extent
            How many values each coordinate takes, from 0 on.
        """
        if self.phases is not None:
            return self
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
        return Tiling(tuple(kept), tuple([skew for skew in self.skews if skew[0] in parts]))


def _without_one(some: tuple[Each, ...]) -> Iterator[tuple[Each, ...]]:
    for place in reversed(range(len(some))):
        yield (*some[:place], *some[place + 1 :])


def tiled_order(dag: CDAG, where: Coordinates, tiling: Tiling) -> Int32Array:
    """Return the computed vertices in the order of a tiling, made legal.

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
    if tiling.phases is None:
        key = _keys(values, tiling.levels, np.zeros(dag.n, np.int64), 1)
    else:
        key = _phased_keys(values, tiling)
    _kernels.raise_to_operands(dag.pred_indptr, dag.pred_indices, key)
    return sorted_by(dag.computed, key[dag.computed])


def _leaning(where: Coordinates, skews: tuple[Skew, ...]) -> dict[str, Int64Array]:
    """Return the coordinates that lean over, from 0 on."""
    leaning: dict[str, Int64Array] = {}
    for name, other, factor in skews:
        leaning[name] = leaning.get(name, where.of[name]) + factor * where.of[other]
    return {name: own - own.min() for name, own in leaning.items()}


def _keys(
    values: Mapping[str, Int64Array], levels: Levels, key: Int64Array, places: int
) -> Int64Array:
    """Append the places of the levels to keys of which there are `places`, as far as they fit."""
    for name, size in levels:
        count = int(values[name].max(initial=0)) // size + 1
        if places * count > MOST_KEYS:
            break
        places *= count
        if count > 1:
            _kernels.add_digit(values[name], size, count, key)
    return key


def _phased_keys(values: Mapping[str, Int64Array], tiling: Tiling) -> Int64Array:
    """Return keys that put phase after phase, each in its own tiles."""
    phase = values[PHASE]
    count = int(phase.max(initial=0)) + 1
    own = dict(tiling.phases or ())
    key = np.zeros(phase.size, np.int64)
    step = MOST_KEYS // count
    for number in range(count):
        mine = np.flatnonzero(phase == number)
        levels = own.get(number, tiling.levels)
        part = {name: values[name][mine] for name, _ in levels}
        inner = _keys(part, levels, np.zeros(mine.size, np.int64), count)
        key[mine] = number * step + inner
    return key
