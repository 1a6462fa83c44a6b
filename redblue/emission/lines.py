"""Lines of a cache that come in for each word: the share of a line that is used while it stays."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from redblue.emission.groups import Group
from redblue.emission.orders import Level
from redblue.emission.ranges import Ranges
from redblue.emission.statements import Access, Step

Floats = npt.NDArray[np.float64]


class Levels(Protocol):
    """The loops of the statements of a phase, and the cache (`estimates.Phase`)."""

    ranges: Ranges
    levels: dict[str, list[Level]]
    column: dict[int, int]
    sums: Mapping[int, int]
    groups: list[Group]
    line: int
    room: int

    def weight(self, step: Step, access: Access, axis: int) -> Any:
        """An index as a combination of levels."""


def lines_a_word(
    phase: Levels,
    step: Step,
    access: Access,
    prefix: Sequence[tuple[int, int]],
    sides: Int64Array,
    held: Floats,
) -> Floats:
    """How many lines come in for each word of a reference that is moved.

    A loop that goes along rows goes on in the same lines, if these are still there: if all lines
    that came in meanwhile fit, beside as many of each other group.

    Parameters
    ----------
    phase, step, access
        The reference.
    prefix
        The loops around its bodies, the outermost first, by key and kind.
    sides
        (k, keys) chunks.
    held
        (k,) words of a body.
    """
    parts = [phase.weight(step, access, axis) for axis in range(len(access.indices))]
    levels = phase.levels[step.name]
    moved = [
        {level.key for level, weight in zip(levels, part, strict=True) if abs(weight) > 1e-6}
        for part in parts
        if part is not None
    ]
    if len(moved) < len(parts):
        return np.ones(len(sides))
    along_rows, across = moved[-1], set[int]().union(*moved)
    left = {level.key: np.full(len(sides), phase.ranges.extent(step, level)[0]) for level in levels}
    times = []
    for key, kind in prefix:
        side = (left[key], sides[:, phase.column[key]], phase.sums.get(key, 1), 1)[kind]
        inside = np.minimum(left[key], side)
        times.append(np.ceil(left[key] / inside))
        left[key] = inside
    run = 1.0 + sum((left[key] - 1.0 for key in along_rows), np.zeros(len(sides)))
    rows = held / run * np.ceil(run / phase.line)
    room = phase.room / phase.line / len(phase.groups)
    is_there = rows <= room
    for (key, _), time in zip(reversed(prefix), reversed(times), strict=True):
        if key in along_rows:
            run = np.where(is_there, run * time, run)
        elif key in across:
            rows = rows * time
            is_there &= rows <= room
    lines: Floats = (run + phase.line - 1) / (phase.line * run)
    return lines
