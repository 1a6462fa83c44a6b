"""Tilings of nests in words: the order of loops, the sides of tiles, and what stays meanwhile."""

from collections.abc import Mapping

from dags.programs.box_nests import Assignment, BoxNest
from schedulers.tilings.plan import Level, Tiling


def tiling_text(nest: BoxNest, tiling: Tiling) -> str:
    """Return the loops of each assignment, outermost first, and what stays while which goes on.

    A loop "by 8" goes on in tiles of 8 values; without a number, one by one.

    Parameters
    ----------
    nest, tiling
        The nest, and its play.
    """
    names = {each.name: each.target for each in nest.assignments}
    parts = [_of_one(each, tiling, names) for each in nest.assignments]
    if len(parts) == 1:
        return parts[0]
    pairs = zip(nest.assignments, parts, strict=True)
    return "; ".join(f"{each.target}: {part}" for each, part in pairs)


def _of_one(assignment: Assignment, tiling: Tiling, names: Mapping[str, str]) -> str:
    levels = tiling.levels(assignment.name)
    loops = ", ".join(_named(assignment, level) for level in levels) or "none"
    stays = []
    for array, by in tiling.depths.items():
        if assignment.name in by:
            depth = by[assignment.name]
            told = f"while {_named(assignment, levels[depth - 1])} goes on" if depth else "always"
            stays.append(f"{names.get(array, array.removeprefix('A_'))} {told}")
    return f"loops: {loops}; stays: {', '.join(stays)}"


def _named(assignment: Assignment, level: Level) -> str:
    name = assignment.loops[level.loop]
    return name if level.chunk == 1 else f"{name} by {level.chunk}"
