"""Plays in which more assignments share the outermost tiles of a fused play.

In each tile they come before what is fused, or after it, each through loops of its own: the scores
and sums of a softmax before what divides by these and multiplies at once.
"""

from collections.abc import Iterator, Mapping, Sequence

from dags.programs.box_nests import BoxNest
from pebble import UNLIMITED, Budget
from schedulers.tilings.fusion import Loops, shared_loops
from schedulers.tilings.holds import Found, thinned
from schedulers.tilings.parts import part_of
from schedulers.tilings.plan import Counts, Level, Path
from schedulers.tilings.sides import GROWTH, EvenSides, few_sides, stationary_orders
from schedulers.tilings.trees import Trees

NEAR = 4  # times a side, or a part of it, are sides that are tried
PARTS = 4  # of a memory that the fused play has, beside what joins it


class Joining:
    """The search for plays of a nest that go through the tiles of a fused play of some of it.

    Parameters
    ----------
    nest
        Several assignments.
    """

    def __init__(self, nest: BoxNest) -> None:
        self.nest, self.counts = nest, Counts(nest)
        self.classes = list(shared_loops(nest))
        self.trees = Trees(nest, self.counts)

    def plays(self, fused: Sequence[Found], memory: int, budget: Budget = UNLIMITED) -> list[Found]:
        """Plays for a size of memory, by rising memory.

        Parameters
        ----------
        fused
            Plays of some assignments that come after each other, in which all share a level.
        memory
            Words of fast memory.
        budget
            Of the search.
        """
        plays: list[Found] = []
        for play in _roomy(fused, memory):
            for paths in _orders(self.nest, play.tiling.paths, self.classes):
                if budget.over:
                    return thinned(plays)
                plays += self.trees.plays(paths)
        best = _best(plays, memory)
        if best is not None:
            for paths in _sides(self.nest, best.tiling.paths):
                if budget.over:
                    break
                plays += self.trees.plays(paths)
        plays += self._widened(_best(plays, memory), memory, budget)
        return thinned(plays)

    def _widened(self, best: Found | None, memory: int, budget: Budget) -> list[Found]:
        """A play with the widest outermost tiles, near those of the best one, that fit."""
        if best is None:
            return []
        paths = best.tiling.paths
        outer = _outer(paths)
        every = EvenSides(_extent(self.nest, outer))
        side = next(iter(outer.values())).chunk
        low, high = every.place(side), every.place(GROWTH * GROWTH * side)
        plays: list[Found] = []
        while low + 1 < min(high, len(every)) and not budget.over:
            middle = (low + min(high, len(every))) // 2
            changed = {name: _resized(path, every[middle]) for name, path in paths.items()}
            better = _best(self.trees.plays(changed), memory)
            if better is None or better.io > best.io:
                high = middle
            else:
                low, best = middle, better
                plays = [better]
        return plays


def _roomy(fused: Sequence[Found], memory: int) -> Iterator[Found]:
    """Yield the best plays with all of a memory, and with parts of it, each once."""
    best = (_best(fused, memory * part // PARTS) for part in range(PARTS, 0, -1))
    trees = {tuple(play.tiling.paths.items()): play for play in best if play is not None}
    yield from trees.values()


def _best(found: Sequence[Found], memory: int) -> Found | None:
    fitting = [play for play in found if play.moved.words <= memory]
    return min(fitting, key=lambda play: play.io, default=None)


def _orders(
    nest: BoxNest, inner: Mapping[str, Path], classes: Sequence[Loops]
) -> Iterator[dict[str, Path]]:
    """Yield trees with a fused one inside of its outermost level, for orders of the others."""
    names = [each.name for each in nest.assignments]
    outer = {name: path[1] for name, path in inner.items() if len(path) > 1}
    first = min(names.index(name) for name in inner)
    for loops in classes:
        of = dict(zip(names, loops, strict=True))
        levels = {each for each in outer.values() if isinstance(each, Level)}
        sides = {each.chunk for each in levels}
        if len(outer) < len(inner) or len(sides) > 1:
            continue
        if any(not isinstance(at, Level) or at.loop != of[name] for name, at in outer.items()):
            continue
        (side,) = sides
        base: dict[str, Path] = {}
        for name, (_, _, number, *rest) in inner.items():
            assert isinstance(number, int)
            base[name] = (0, Level(of[name], side), first + number, *rest)
        yield from _with_others(nest, base, of, side)


def _with_others(
    nest: BoxNest, base: Mapping[str, Path], of: Mapping[str, int], side: int
) -> Iterator[dict[str, Path]]:
    """Yield trees with each order of loops of the other assignments, all of the same number."""
    options = {}
    for place, each in enumerate(nest.assignments):
        if each.name not in base:
            orders = dict.fromkeys(stationary_orders(Counts(part_of(nest, [each.name]))))
            options[each.name] = [_path(each.box, place, of[each.name], side, o) for o in orders]
    for turn in range(max(map(len, options.values()), default=1)):
        paths: dict[str, Path] = {**base}
        paths.update({name: some[turn % len(some)] for name, some in options.items()})
        yield paths


def _path(
    box: Sequence[tuple[int, int]], number: int, loop: int, side: int, order: Sequence[int]
) -> Path:
    """The path of an assignment inside of an outer level: its loops one by one."""
    path: list[int | Level] = [0, Level(loop, side), number]
    for at in order:
        if at != loop or side > 1:
            path += [Level(at, 1), 0]
    return tuple(path)


def _sides(nest: BoxNest, paths: Mapping[str, Path]) -> Iterator[dict[str, Path]]:
    """Yield a tree with other sizes of the outermost tiles, near those that it has."""
    outer = _outer(paths)
    chunk = next(iter(outer.values())).chunk
    for side in few_sides(_extent(nest, outer)).tolist():
        if not chunk <= NEAR * side <= NEAR * NEAR * chunk:
            continue
        yield {name: _resized(path, side) for name, path in paths.items()}


def _outer(paths: Mapping[str, Path]) -> dict[str, Level]:
    """The outermost level of each assignment."""
    return {name: path[1] for name, path in paths.items() if isinstance(path[1], Level)}


def _extent(nest: BoxNest, outer: Mapping[str, Level]) -> int:
    """The most values of a loop that assignments share."""
    ends = (each.box[outer[each.name].loop] for each in nest.assignments)
    return max(high - low for low, high in ends)


def _resized(path: Path, side: int) -> Path:
    """A path with another size of its outermost chunks."""
    outer = path[1]
    assert isinstance(outer, Level)
    kept: list[int | Level] = [path[0], Level(outer.loop, side), path[2]]
    for level, number in zip(path[3::2], path[4::2], strict=True):
        assert isinstance(level, Level)
        if level.loop != outer.loop or level.chunk < side:
            kept += [level, number]
    return tuple(kept)
