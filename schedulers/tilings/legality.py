"""Orders of a nest's instances in which nothing is read before it is made."""

from collections.abc import Mapping

from dags.programs.box_nests import BoxNest, Distance
from dags.work import charge
from schedulers.tilings.plan import Level, Path


def is_legal(nest: BoxNest, paths: Mapping[str, Path]) -> bool:
    """Whether the instances may be run in the order of a tree.

    Differences of single loops show it: true means that no instance comes before one that it reads;
    false, that this is not shown.

    Parameters
    ----------
    nest
        The nest.
    paths
        Of its assignments in the tree.
    """
    charge("tree")
    sums = {each.name for each in nest.assignments if each.sums and nest.any_order}
    boxes = {each.name: each.box for each in nest.assignments}
    return all(
        _is_kept(each, paths, [high - low for low, high in boxes[each.reader]])
        for each in nest.distances
        if not (each.reader == each.source and each.reader in sums)
    )


def _is_kept(distance: Distance, paths: Mapping[str, Path], left: list[int]) -> bool:
    """Whether operands come first.

    Parameters
    ----------
    distance
        The least and largest differences of loops.
    paths
        In the tree.
    left
        How many values of each loop of the reader a chunk of the levels so far has.
    """
    for mine, other in zip(paths[distance.reader], paths[distance.source], strict=False):
        if not (isinstance(mine, Level) and isinstance(other, Level)):
            if mine != other:
                return isinstance(mine, int) and isinstance(other, int) and other < mine
            continue
        least, _ = distance.pairs[mine.loop, other.loop]
        if distance.reader == distance.source and mine.chunk >= left[mine.loop]:
            continue  # one chunk
        if least < 0:
            return False
        left[mine.loop] = mine.chunk
        if least >= mine.chunk:
            return True  # always in a later chunk
    return True
