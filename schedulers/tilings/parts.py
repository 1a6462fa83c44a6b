"""Parts of a nest: some of its assignments alone, and plays of parts one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dags.programs.box_nests import BoxNest
from schedulers.tilings.holds import Found
from schedulers.tilings.plan import OWN, Counts, Level, Path, Tiling


def part_of(nest: BoxNest, names: Sequence[str]) -> BoxNest:
    """Return some assignments alone: values of others are inputs, values read by others outputs."""
    read = {
        access.array for each in nest.assignments if each.name not in names for access in each.reads
    }
    mine = tuple(
        replace(each, outputs=each.item) if each.name in read else each
        for each in nest.assignments
        if each.name in names
    )
    own = [each for each in nest.distances if each.reader in names and each.source in names]
    return replace(nest, assignments=mine, distances=tuple(own))


def one_after_the_other(counts: Counts, plays: Sequence[Found]) -> Found:
    """Return the play of a nest that plays parts of it in turn.

    Parameters
    ----------
    counts
        The nest.
    plays
        Of disjoint parts, which hold nothing outside of their loops.
    """
    paths: dict[str, Path] = {}
    depths: dict[str, dict[str, int]] = {}
    for number, play in enumerate(plays):
        for name, path in play.tiling.paths.items():
            paths[name] = (number, *path[1:])
        for array, by in play.tiling.depths.items():
            depths.setdefault(array, {}).update(_inside(play.tiling, by))
    tiling = Tiling(paths, depths)
    return Found(tiling, counts.cost(tiling))


def _inside(tiling: Tiling, by: Mapping[str, int]) -> dict[str, int]:
    """Return depths of holds of which none is shared with other parts."""
    return {name: min(max(depth, 1), len(tiling.levels(name))) or OWN for name, depth in by.items()}


def path_of(levels: Sequence[Level], number: int = 0) -> Path:
    """Return a path with levels that nothing else shares, unless it has the same number."""
    path: list[int | Level] = [number]
    for level in levels:
        path += [level, 0]
    return tuple(path)
