"""Plays by tiles of nests whose assignments read each other, as factorizations do.

A **band** is a loop of each assignment such that no read goes back along it: the values of all
reads are at the same place of it, or before. Bands may be cut into tiles in any order, all
assignments together. An assignment with fewer loops has one of them in two bands: in LU the
quotient of column j is where updates by column k = j are.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import inf, isqrt
from typing import NamedTuple

from dags.programs.box_nests import Assignment, BoxNest
from dags.work import charged
from pebble import Budget
from schedulers.tilings.holds import Found, best_holds, thinned
from schedulers.tilings.legality import is_legal
from schedulers.tilings.plan import Counts, Level, Path, Tiling
from schedulers.tilings.sides import few_sides, sides_near

MOST_BANDS, MOST_SHARED, FEW_RUNS = 200, 3, 32
PARTS, ROUGH = (6, 8, 4, 32, 128), (6, 32)  # quarters: the root of a memory over these is a side
MOST_ORDERS = 2  # that are tried more closely, for the least and the largest memory each
Loops = tuple[int, ...]  # a band: of each assignment a loop, by its place
Sides = tuple[int, ...]  # of the bands that are cut into tiles


class Order(NamedTuple):
    """Bands in the order of their tiles, and then of their single values.

    Attributes
    ----------
    tiled, rest
        Those that are cut into tiles, the outermost first, and those that are not.
    """

    tiled: tuple[Loops, ...]
    rest: tuple[Loops, ...]


class Bands:
    """The search for plays in which all assignments of a nest go through tiles of bands together.

    Parameters
    ----------
    nest
        The nest.
    """

    def __init__(self, nest: BoxNest) -> None:
        self.nest, self.counts = nest, Counts(nest, FEW_RUNS)
        self.bands = _apart(nest, bands_of(nest))
        self.evaluated = charged(maxsize=None)(self._evaluated)

    def plays(self, memory: int, budget: Budget) -> list[Found]:
        """Plays for a size of memory, by rising memory.

        Parameters
        ----------
        memory
            Words of fast memory.
        budget
            Of the search.
        """
        tried = _Tried(self, memory, budget)
        tried.blocks(self.orders(), ROUGH)
        tried.blocks(tried.best_orders(), PARTS)
        tried.refine()
        return thinned([play for plays in tried.plays.values() for play in plays])

    def orders(self) -> Iterator[Order]:
        """Yield the bands in all orders, some of them in tiles."""
        for count in range(1, len(self.bands) + 1):
            for some in permutations(self.bands, count):
                yield Order(some, tuple(each for each in self.bands if each not in some))

    def _evaluated(self, order: Order, sides: Sides) -> list[Found]:
        """The plays with tiles of some sides; none where these are not played."""
        paths = self._paths(order, sides)
        able = _refines(self.counts, Tiling(paths)) and is_legal(self.nest, paths)
        return best_holds(self.counts, paths) if able else []

    def extent(self, band: Loops) -> int:
        """How many values a band has."""
        boxes = [each.box[loop] for each, loop in zip(self.nest.assignments, band, strict=True)]
        return max(high for _, high in boxes) - min(low for low, _ in boxes)

    def _paths(self, order: Order, sides: Sides) -> dict[str, Path]:
        """The tree: tiles, single values of the bands, and loops of each assignment."""
        tiles = list(zip(order.tiled, sides, strict=True))
        shared = [each for each in tiles if each[1] < self.extent(each[0])]
        shared += [(band, 1) for band in (*order.rest, *order.tiled)]
        found = {}
        for at, each in enumerate(self.nest.assignments):
            path: list[int | Level] = [0]
            for band, side in shared:
                path += [Level(band[at], side), 0]
            path[-1] = at
            taken = {band[at] for band, _ in shared}
            for loop in range(len(each.box)):
                path += [] if loop in taken else [Level(loop, 1), 0]
            found[each.name] = tuple(path)
        return found


class _Tried:
    """The tiles that were tried for one size of memory, and their plays."""

    def __init__(self, bands: Bands, memory: int, budget: Budget) -> None:
        self.bands, self.memory, self.budget = bands, memory, budget
        self.plays: dict[tuple[Order, Sides], list[Found]] = {}

    def blocks(self, orders: Iterable[Order], parts: Sequence[int]) -> None:
        """Try tiles with equal sides of which parts of the root of the memory are."""
        for part, order in product(parts, orders):
            if self.budget.over:
                return
            every = few_sides(max(map(self.bands.extent, order.tiled)))
            side = int(every[every <= max(1, isqrt(self.memory) * 4 // part)][-1])
            self.tried(order, (side,) * len(order.tiled))

    def best_orders(self) -> list[Order]:
        """The orders whose plays move fewest words."""
        least: dict[Order, float] = {}
        for order, sides in self.plays:
            io = self._io((order, sides))
            least[order] = min(io, least.get(order, inf))
        return sorted(least, key=least.__getitem__)[:MOST_ORDERS]

    def _io(self, key: tuple[Order, Sides]) -> float:
        """The fewest words of plays with some tiles."""
        fit = (each.io for each in self.plays[key] if each.moved.words <= self.memory)
        return min(fit, default=inf)

    def tried(self, order: Order, sides: Sides) -> None:
        """Try tiles of some sides."""
        key = order, tuple(map(min, sides, map(self.bands.extent, order.tiled)))
        if key not in self.plays:
            self.plays[key] = self.bands.evaluated(*key)

    def refine(self) -> None:
        """Try sides near the best ones, one after the other."""
        while self.plays and not self.budget.over:
            order, sides = before = self._best()
            for at, band in enumerate(order.tiled):
                near = sides_near(self.bands.extent(band), sides[at])
                for side in near[(near < 2 * sides[at]) & (2 * near > sides[at])]:
                    if self.budget.over:
                        return
                    self.tried(order, (*sides[:at], int(side), *sides[at + 1 :]))
            if self._io(self._best()) >= self._io(before):
                return

    def _best(self) -> tuple[Order, Sides]:
        return min(self.plays, key=self._io)


def bands_of(nest: BoxNest) -> list[Loops]:
    """The bands of a nest: those of fewest loops of the text first, and of short reads."""
    farthest: dict[tuple[str, str], dict[tuple[int, int], tuple[int, int]]] = {}
    for far in nest.distances:
        known = farthest.setdefault((far.reader, far.source), {})
        for pair, (least, most) in far.pairs.items():
            low, high = known.get(pair, (least, most))
            known[pair] = min(low, least), max(high, most)

    def back(one: Assignment, loop: int, other: Assignment, there: int) -> float:
        """How far reads of an assignment go back along two loops; none may go on."""
        least, most = farthest.get((one.name, other.name), {}).get((loop, there), (0, 0))
        return most if least >= 0 else inf

    def text_loops(band: Loops) -> int:
        """Return of how many loops of the text a band is."""
        pairs = zip(nest.assignments, band, strict=False)
        return len({(each.numbers or ())[: loop + 1] for each, loop in pairs})

    found: list[tuple[int, float, Loops]] = [(0, 0.0, ())]
    for at, each in enumerate(nest.assignments):
        more = []
        for _, apart, band in found:
            for loop in range(len(each.box)):
                whole = (*band, loop)
                ends = [(nest.assignments[place], whole[place]) for place in range(at + 1)]
                both = [back(each, loop, *end) + back(*end, each, loop) for end in ends]
                more.append((text_loops(whole), apart + sum(both), whole))
        found = sorted(one for one in more if one[1] < inf)[:MOST_BANDS]
    return [band for _, _, band in found]


def _apart(nest: BoxNest, bands: Sequence[Loops]) -> list[Loops]:
    """The first bands that share no loop of an assignment with most loops."""
    most = max(len(each.box) for each in nest.assignments)
    deep = [at for at, each in enumerate(nest.assignments) if len(each.box) == most]
    kept: list[Loops] = []
    for band in bands:
        if all(band[at] != other[at] for at in deep for other in kept):
            kept.append(band)
    return kept[:MOST_SHARED]


def _refines(counts: Counts, tree: Tiling) -> bool:
    """Whether chunks of a loop that has several levels are parts of those before."""
    for name in tree.paths:
        last: dict[int, tuple[int, int]] = {}
        for depth, (loop, chunk) in enumerate(tree.levels(name), start=1):
            first = counts.first(tree, name, depth)
            before, start = last.get(loop, (chunk, first))
            if before % chunk or (start - first) % chunk:
                return False
            last[loop] = chunk, first
    return True
