"""Plays of a hierarchy of memories by tiles: one order of a nest, and holds for each memory.

A hold in a deeper place of the same tree has visits that are parts of those of one outside of it:
that one holds all that it holds. So plays of one tree whose holds for a larger memory are outside
of those for a smaller one, or the same, are a play of the hierarchy that moves across each boundary
the words of the play of that boundary (`pebble.engine.nesting`). Tiles for a memory are cut into
those for the one below it: sides are multiples of each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from dags.programs.box_nests import BoxNest
from pebble import Budget
from schedulers.tilings.holds import Found, best_holds
from schedulers.tilings.legality import is_legal
from schedulers.tilings.parts import in_turn, one_after_the_other, part_of, path_of
from schedulers.tilings.pieces import array_of
from schedulers.tilings.plan import Counts, Level, Path
from schedulers.tilings.search import best_tilings
from schedulers.tilings.sides import stationary_orders

FACTORS = (0.25, 0.5, 0.75, 1.5, 2.0, 4.0, 16.0)  # of a side of a tile, that are tried
STREAMED = 8  # tiles of the memory below along a loop that goes on one by one in its own play
ROUNDS, SECONDS = 6, 2.0  # of the search for each memory
MOST_PARTS = 6  # assignments that are looked at one by one
Plays = tuple[Found, ...]
Sides = dict[int, int]


def hierarchy_plays(
    nest: BoxNest,
    memories: Sequence[int],
    found: Sequence[Found],
    prices: Sequence[Fraction | int] = (),
) -> Plays:
    """Plays of one order, one for each memory, that are a play of the hierarchy together.

    They are those whose words across all boundaries cost least, of all that are found.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memories
        Words of each level but the last, rising.
    found
        Plays of the nest, one of which needs no more than the first memory.
    prices
        Of a word across each boundary; () for the same at all.
    """
    counts, cost = Counts(nest), Cost(prices)
    alone = [[each for each in found if each.moved.words <= size][-1] for size in memories]
    trees = {id(each.tiling): each.tiling.paths for each in alone}.values()
    tried = [plays for paths in trees if (plays := _of_tree(counts, paths, memories))]
    tried.append((alone[0],) * len(memories))
    if len(nest.assignments) == 1:
        tried.append(_tiles_in_tiles(counts, memories, alone, cost))
    elif len(nest.assignments) <= MOST_PARTS and in_turn(nest):
        tried += _part_by_part(counts, memories, prices)
    return min(tried, key=cost)


def _part_by_part(
    counts: Counts, memories: Sequence[int], prices: Sequence[Fraction | int]
) -> Iterator[Plays]:
    """Yield the plays that play one assignment after the other, if all fit."""
    parts = []
    for each in counts.nest.assignments:
        part = part_of(counts.nest, [each.name])
        every = best_tilings(part, memories, seconds=SECONDS)
        found = [one for one in every if one.tiling.skewed is None]
        if not found or found[0].moved.words > memories[0]:
            return
        parts.append(hierarchy_plays(part, memories, found, prices))
    tilings = map(one_after_the_other, zip(*parts, strict=True))
    plays = tuple(Found(each, counts.cost(each)) for each in tilings)
    if all(play.moved.words <= size for play, size in zip(plays, memories, strict=True)):
        yield plays


@dataclass(frozen=True)
class Cost:
    """Words across all boundaries, or across the first ones, at the price of each.

    Parameters
    ----------
    prices
        Of a word across each boundary; () for 1 at all.
    """

    prices: Sequence[Fraction | int]

    def __call__(self, plays: Plays) -> Fraction | int:
        """The cost of plays, one for each boundary."""
        if not self.prices:
            return sum(each.io for each in plays)
        return sum(price * each.io for price, each in zip(self.prices, plays, strict=False))


def _of_tree(counts: Counts, paths: Mapping[str, Path], memories: Sequence[int]) -> Plays | None:
    """The best plays of one tree, each holding all that those before it hold."""
    some, chosen = best_holds(counts, paths), list[Found]()
    for size in memories:
        inside = chosen[-1:]
        able = [each for each in some if each.moved.words <= size and _holds(each, inside)]
        if not able:
            return None
        chosen.append(able[-1])
    return tuple(chosen)


def _holds(outer: Found, inside: Sequence[Found]) -> bool:
    """Whether a play holds all that others of the same tree hold."""
    return all(
        depth >= outer.tiling.depths.get(key, by_array).get(name, inf)
        for each in inside
        for key, by in each.tiling.depths.items()
        for by_array in [outer.tiling.depths.get(array_of(key), {})]
        for name, depth in by.items()
    )


def _tiles_in_tiles(
    counts: Counts, memories: Sequence[int], alone: Sequence[Found], cost: Cost
) -> Plays:
    """Plays by tiles for each memory that are cut into those for the memory below."""
    (assignment,) = counts.nest.assignments
    levels = alone[0].tiling.levels(assignment.name)
    best: Plays = (alone[0],)
    for place, play in enumerate(alone[1:], start=2):
        budget, sizes = Budget(SECONDS), memories[:place]
        best, kept = (*best, best[-1]), levels
        own = play.tiling.levels(assignment.name)
        for order in dict.fromkeys((_loops(own), *stationary_orders(counts))):
            search = _Cut(counts, sizes, order, kept, cost)
            plays, tree = search.best(search.sides_of(own), budget)
            if plays and cost(plays) < cost(best):
                best, levels = plays, tree
    return best


def _loops(levels: Sequence[Level]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(each.loop for each in levels))


class _Cut:
    """The search for sides of tiles that are cut into those of a given tree.

    Loops on which all arrays depend, as those of batches, are outside of the tiles.

    Parameters
    ----------
    counts
        The nest, of one assignment.
    memories
        Of the levels so far, rising.
    order
        The loops of the tiles, outermost first.
    inner
        The levels of the tree for the memories below.
    cost
        By which plays are compared.
    """

    def __init__(
        self,
        counts: Counts,
        memories: Sequence[int],
        order: Sequence[int],
        inner: Sequence[Level],
        cost: Cost,
    ) -> None:
        self.cost = cost
        self.counts, self.memories, self.inner = counts, memories, inner
        (self.assignment,) = counts.nest.assignments
        accesses = [each for by in counts.arrays.values() for some in by.values() for each in some]
        self.apart = [
            loop for loop in order if all(any(row[loop] for row in each.rows) for each in accesses)
        ]
        self.order = [*self.apart, *(loop for loop in order if loop not in self.apart)]
        self.extents = [high - low for low, high in self.assignment.box]
        self.units = dict.fromkeys(range(len(self.extents)), 1)
        self.units.update({each.loop: each.chunk for each in reversed(inner)})

    def sides_of(self, levels: Sequence[Level]) -> Sides:
        """Sides near those of a play for the last memory alone."""
        first = {each.loop: each.chunk for each in reversed(levels)}
        sides = {
            loop: self._fitted(loop, side if side > 1 else STREAMED * self.units[loop])
            for loop, side in first.items()
        }
        return sides | {loop: self.units[loop] for loop in self.apart}

    def best(self, sides: Sides, budget: Budget) -> tuple[Plays | None, tuple[Level, ...]]:
        """The best plays that are found by changing some sides, and the tree.

        None where no order of these loops is legal.
        """
        best = self._plays(sides)
        for _ in range(ROUNDS):
            before = best
            for changed in self._near(sides):
                if budget.over:
                    break
                plays = self._plays(changed)
                if plays and (best is None or self.cost(plays) < self.cost(best)):
                    best, sides = plays, changed
            if best is before:
                break
        return best, self._levels(sides)

    def _near(self, sides: Sides) -> Iterator[Sides]:
        """Yield sides of which one or two differ."""
        some = [loop for loop in self.order if loop not in self.apart]
        for loop in some:
            for factor in FACTORS:
                changed = {**sides, loop: self._fitted(loop, int(factor * sides[loop]))}
                yield changed
                for other in some:
                    if other != loop and factor > 1:
                        yield {**changed, other: self._fitted(other, int(sides[other] / factor))}

    def _fitted(self, loop: int, side: int) -> int:
        """A side that is a multiple of that of the tile inside, or all of a loop."""
        unit = self.units[loop]
        side = max(1, round(side / unit)) * unit
        return min(side, -(-self.extents[loop] // unit) * unit)

    def _levels(self, sides: Sides) -> tuple[Level, ...]:
        left = dict(enumerate(self.extents))
        levels = []
        for each in (*(Level(loop, sides[loop]) for loop in self.order), *self.inner):
            if each.chunk < left[each.loop]:
                levels.append(each)
                left[each.loop] = each.chunk
        return tuple(levels)

    def _plays(self, sides: Sides) -> Plays | None:
        paths = {self.assignment.name: path_of(self._levels(sides))}
        if not is_legal(self.counts.nest, paths):
            return None
        return _of_tree(self.counts, paths, self.memories)
