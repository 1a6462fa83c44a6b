"""Parts of a nest: some of its assignments alone, and plays of parts one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.tied_loops import Box
from dags.programs.touched import alone
from schedulers.tilings.holds import Found
from schedulers.tilings.plan import OWN, Level, Path, Tiling


def part_of(nest: BoxNest, names: Sequence[str]) -> BoxNest:
    """Return some assignments alone: values of others are inputs, values read by others outputs."""
    read: dict[str, list[Access]] = {}
    for access in (a for each in nest.assignments if each.name not in names for a in each.reads):
        read.setdefault(access.array, []).append(access)
    mine = tuple(
        replace(each, outputs=_outputs(each, read[each.name])) if each.name in read else each
        for each in nest.assignments
        if each.name in names
    )
    own = [each for each in nest.distances if each.reader in names and each.source in names]
    return replace(nest, assignments=mine, distances=tuple(own))


def _outputs(each: Assignment, read: Sequence[Access]) -> Access:
    """The items of an assignment, or a box of them with all that are read or are outputs."""
    width = len(each.item.rows)
    if each.sums or each.item.rows != alone(width):
        return each.item
    boxes = [items_of(one) for one in (*read, *filter(None, [each.outputs]))]
    ends = zip(*boxes, strict=True)
    box = tuple((min(low for low, _ in some), max(high for _, high in some)) for some in ends)
    return Access(each.item.array, each.item.rows, (0,) * width, box)


def items_of(access: Access) -> Box:
    """The least box with the items of an access."""
    found = []
    for row, by in zip(access.rows, access.offset, strict=True):
        ends = [(k * low, k * (high - 1)) for k, (low, high) in zip(row, access.box, strict=True)]
        found.append((by + sum(map(min, ends)), by + sum(map(max, ends)) + 1))
    return tuple(found)


def in_turn(nest: BoxNest) -> bool:
    """Whether no assignment reads a later one."""
    place = {assignment.name: number for number, assignment in enumerate(nest.assignments)}
    return all(place[distance.source] <= place[distance.reader] for distance in nest.distances)


def one_after_the_other(plays: Sequence[Found]) -> Tiling:
    """The play of a nest that plays parts of it in turn.

    Parameters
    ----------
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
    return Tiling(paths, depths)


def _inside(tiling: Tiling, by: Mapping[str, int]) -> dict[str, int]:
    """Depths of holds of which none is shared with other parts."""
    return {name: min(max(depth, 1), len(tiling.levels(name))) or OWN for name, depth in by.items()}


def path_of(levels: Sequence[Level], number: int = 0) -> Path:
    """A path with levels that nothing else shares, unless it has the same number."""
    path: list[int | Level] = [number]
    for level in levels:
        path += [level, 0]
    return tuple(path)
