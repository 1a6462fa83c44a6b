"""The plays of a nest by tiles that move fewest words, by size of fast memory.

An assignment by itself goes through its loops in chunks, then through all loops one by one, each in
an order in which those come last that one array does not depend on, and before them those that
another one does not: so it can stay. Chunks are as even as can be. Several assignments are run as
the text has them, or one after the other, some fused. Of their holds the best choices are found;
and where they leave memory free, parts of arrays stay longer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import isqrt

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs.box_nests import Assignment, BoxNest
from dags.programs.tied_loops import forget_counts
from pebble import Budget
from schedulers.tilings.bands import banded_plays
from schedulers.tilings.estimates import Estimates, Floats, cheapest
from schedulers.tilings.filling import filled
from schedulers.tilings.groups import Groups
from schedulers.tilings.holds import Found, best_holds, lacking, thinned
from schedulers.tilings.legality import is_legal
from schedulers.tilings.parts import one_after_the_other, part_of, path_of
from schedulers.tilings.plan import Counts, Held, Level, Path, Tiling
from schedulers.tilings.sides import few_sides, sides_near, stationary_orders
from schedulers.tilings.skewed.search import skewed_plays

DRAWN, ROUNDS, STARTS, MOST_SQUARED = 1500, 4, 3, 5
SECONDS, EACH = 4.0, 0.3  # for all sizes of memory, and for each
MORE, MOST_SECONDS = 2.0, 60.0  # for each assignment beyond a few, and for any number
SEARCHED = 0.9  # of the time, before memory that is left free is filled
PARTS = (1, 2)  # of memory that groups have where arrays stay, besides those that are asked for
FEW, FEW_MEMORIES = 2, 6
PRICES = 28
Order = tuple[tuple[int, ...], tuple[int, ...]]
Start = tuple[float, Order, Int64Array]


def best_tilings(
    nest: BoxNest,
    memories: Iterable[int],
    *,
    seed: int = 0,
    seconds: float | None = None,
) -> list[Found]:
    """Return plays of a nest by rising memory, each moving less than all before it.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memories
        Words of fast memory for which plays are looked for.
    seed
        Of the sizes that are drawn.
    seconds
        Of work, after which nothing new is begun: what was found by then is returned. None for four
        where two sizes are asked for, and so on, and more for more than two assignments.
    """
    sizes = sorted(set(memories))
    forget_counts()
    if seconds is None:
        seconds = SECONDS + EACH * len(sizes) + MORE * max(0, len(nest.assignments) - FEW)
    budget = Budget(min(seconds, MOST_SECONDS), seed=seed)
    counts = Counts(nest)
    found: list[Found] = []
    text = {each.name: path for each in nest.assignments if (path := text_path(each))}
    if len(text) == len(nest.assignments):  # the order of the text needs no proof
        found += best_holds(counts, text)
    sizes = lacking(counts, found, sizes)
    if len(text) == len(nest.assignments) and _goes_round(nest):
        for tiles, *held in skewed_plays(nest, sizes, budget):
            found.append(Found(Tiling(text, skewed=tiles), Held(*held)))
        found += _in_parts(nest, text, sizes, budget)
    if len(nest.assignments) == 1:
        found += _Search(nest, budget.share(SEARCHED)).found(sizes)
    else:
        found += _in_groups(nest, sizes, budget.share(SEARCHED))
    found = thinned(found)
    return thinned([*found, *filled(counts, found, sizes, budget)])


def text_path(assignment: Assignment) -> Path:
    """Return the path of an assignment in the tree of the text; an empty one if it is gathered."""
    if assignment.numbers is None:
        return ()
    path: list[int | Level] = [assignment.numbers[0]]
    for loop, number in enumerate(assignment.numbers[1:]):
        path += [Level(loop, 1), number]
    return tuple(path)


def in_turn(nest: BoxNest) -> bool:
    """Return whether no assignment reads a later one."""
    place = {each.name: number for number, each in enumerate(nest.assignments)}
    return all(place[each.source] <= place[each.reader] for each in nest.distances)


def _goes_round(nest: BoxNest) -> bool:
    """Return whether some assignment reads itself, by way of others or not, other than in sums."""
    sums = {each.name for each in nest.assignments if each.sums}
    itself = any(each.source == each.reader not in sums for each in nest.distances)
    return itself or not in_turn(nest)


def _in_parts(
    nest: BoxNest, text: Mapping[str, Path], memories: Sequence[int], budget: Budget
) -> Iterator[Found]:
    """Yield plays of what the text has one after the other, loops over time among them."""
    parts: dict[object, list[str]] = {}
    for name, path in text.items():
        parts.setdefault(path[0], []).append(name)
    if len(parts) == 1 or not memories:
        return
    plays = [
        best_tilings(part_of(nest, names), memories, seconds=budget.left / 2 / left)
        for left, names in zip(range(len(parts), 0, -1), parts.values(), strict=True)
    ]
    for memory in memories:
        able = [[one for one in some if one.moved.words <= memory] for some in plays]
        if all(able):
            best = [some[-1] for some in able]
            loads, stores, words = zip(*(each.moved for each in best), strict=True)
            tiling = Tiling(text, parts=tuple(each.tiling for each in best))
            yield Found(tiling, Held(sum(loads), sum(stores), max(words)))


def _in_groups(nest: BoxNest, memories: Sequence[int], budget: Budget) -> list[Found]:
    """Return plays of some consecutive assignments after others, those of a group fused.

    Where some assignment reads a later one, those of one loop of the text are a group.
    """
    if not in_turn(nest):
        return _by_loops(nest, memories, budget)
    parts = PARTS if len(memories) < FEW_MEMORIES else PARTS[:1]
    wanted = sorted({size // part for size in memories for part in parts} - {0})
    groups = Groups(nest, _alone, wanted, budget)
    return [play for size in memories if (play := groups.best(size)) is not None]


def _by_loops(nest: BoxNest, memories: Sequence[int], budget: Budget) -> list[Found]:
    """Return plays of the outermost loops of the text, one after the other."""
    loops: dict[int, list[str]] = {}
    for each in nest.assignments:
        if each.numbers is None:
            return []
        loops.setdefault(each.numbers[0], []).append(each.name)
    plays, left = [], nest.updates
    for part in (part_of(nest, names) for names in loops.values()):
        search = _alone if len(part.assignments) == 1 else banded_plays
        paths = {each.name: text_path(each) for each in part.assignments}
        some = best_holds(Counts(part), paths)
        wanted = lacking(Counts(part), some, memories)
        plays.append([*some, *search(part, wanted, budget.share(part.updates / left))])
        left -= part.updates
    counts, found = Counts(nest), list[Found]()
    for memory in memories:
        fit = [[each for each in some if each.moved.words <= memory] for some in plays]
        if all(fit):
            best = [min(some, key=lambda each: each.io) for some in fit]
            tiling = one_after_the_other(best)
            found.append(best[0] if len(best) == 1 else Found(tiling, counts.cost(tiling)))
    return found


def _alone(nest: BoxNest, memories: Sequence[int], budget: Budget) -> list[Found]:
    """Return plays of a nest of one assignment, that in the order of the text among them."""
    search = _Search(nest, budget)
    found = search.found(memories)
    if text_path(search.assignment):
        levels = [Level(loop, 1) for loop in range(len(search.extents))]
        found += best_holds(search.counts, {search.assignment.name: path_of(levels)})
    return thinned(found)


class _Search:
    """The search for the only assignment of a nest."""

    def __init__(self, nest: BoxNest, budget: Budget) -> None:
        self.nest, self.budget = nest, budget
        (self.assignment,) = nest.assignments
        self.counts = Counts(nest)
        self.extents = [high - low for low, high in self.assignment.box]
        self.loops = [at for at, extent in enumerate(self.extents) if extent > 1]
        self.sides = [few_sides(extent) for extent in self.extents]
        self.random = budget.rng()
        self.beside = int(bool(self.assignment.summed))
        self.legal: dict[tuple[tuple[int, int], ...], bool] = {}  # by loops and chunks, the widest
        differences = [least for each in nest.distances for least, _ in each.pairs.values()]
        self.farthest = max(1, 1 + max(differences, default=0))  # being alike

    def found(self, memories: Sequence[int]) -> list[Found]:
        """Return the best plays that are found in time, by rising memory."""
        drawn = np.unique(np.concatenate([self.drawn(), self.blocks(memories)]), axis=0)
        left, best = list(memories), list[Found]()
        starts: dict[int, list[Start]] = {each: [] for each in memories}
        for order in self.orders():
            if not left or (self.budget.over and any(starts.values())):
                break
            for memory, io, row in self._best_of(order, drawn, left):
                starts[memory].append((io, order, row))
                if io <= self.counts.compulsory:
                    best += self._exact(order, row)
            left = lacking(self.counts, best, left)
        last: list[Start] = []
        for memory in left:
            tried = _different(starts[memory]) + last
            if self.budget.over:
                ends = tried[:1]
            else:
                refined = [self._refined(order, row, memory) for _, order, row in tried]
                ends = [each for each in refined if each is not None]
            for _, order, row in ends:
                best += self._exact(order, row)
            last = [min(ends, key=lambda each: each[0])] if ends else []
        return thinned(best)

    def orders(self) -> Iterator[Order]:
        """Yield orders of chunks and of single values, each once."""
        orders = dict.fromkeys(stationary_orders(self.counts))
        yield from product(orders, orders)

    def drawn(self) -> Int64Array:
        """Return (k, loops) sizes of chunks, many of them small or whole."""
        rows = np.ones((DRAWN if self.loops else 1, len(self.extents)), np.int64)
        if not self.loops:
            return rows
        for at in self.loops:
            some = self.random.choice(self.sides[at], len(rows))
            ends = self.random.random(len(rows))
            rows[:, at] = np.where(ends < 0.3, 1, np.where(ends > 0.7, self.extents[at], some))
        rows[0] = self.extents
        rows[1] = 1
        return rows

    def blocks(self, memories: Sequence[int]) -> Int64Array:
        """Return (k, loops) sizes with two equal sides, whose block about fills a memory.

        Of a product these are the best with a block of one operand or of the result that stays.
        """
        pairs = [*combinations(self.loops, 2)] if len(self.loops) <= MOST_SQUARED else []
        rows = np.ones((len(memories), len(pairs), len(self.extents)), np.int64)
        for place, memory in enumerate(memories):
            side = max(1, isqrt(memory) - 1)
            for number, pair in enumerate(pairs):
                for at in pair:
                    parts = -(-self.extents[at] // side)
                    rows[place, number, at] = -(-self.extents[at] // parts)
        return rows.reshape(len(memories) * len(pairs), len(self.extents))

    def _best_of(
        self, order: Order, sizes: Int64Array, memories: Sequence[int]
    ) -> Iterator[tuple[int, float, Int64Array]]:
        """Yield for each memory the fewest words of plays in one order, and the sizes."""
        estimates = Estimates(self.counts, *order, sizes)
        io, words = self._priced(estimates)
        io = np.where(self._legal(estimates), io, np.inf)
        for memory in memories:
            allowed = np.where(words <= memory, io, np.inf)
            place = int(np.argmin(allowed))
            least = float(allowed.flat[place])
            if least < np.inf:
                yield memory, least, sizes[place % len(sizes)]

    def _priced(self, estimates: Estimates) -> tuple[Floats, Floats]:
        """Return (prices, k) words moved and held, with holds that are best at each price."""
        options = [estimates.options(array) for array in self.counts.arrays]
        top = max(float(moved.max()) for _, moved, _ in options)
        prices = np.geomspace(1e-6, max(top, 1.0), PRICES)
        io, words, _ = cheapest(options, prices, len(estimates.levels), len(estimates.sizes))
        return io, words + self.beside

    def _legal(self, estimates: Estimates) -> npt.NDArray[np.bool_]:
        """Return (k,) whether the order of each play is legal."""
        sizes = estimates.sizes
        kind = np.where(sizes == 1, 0, np.where(sizes == np.array(self.extents), 2, 1))
        weights = 3 ** np.arange(len(self.extents), dtype=np.int64)  # a number sorts sooner
        _, place, of = np.unique(kind @ weights, return_index=True, return_inverse=True)
        known = [self._is_legal(estimates.levels_of(int(at))) for at in place]
        return np.array(known)[of.reshape(-1)]

    def _is_legal(self, levels: Sequence[Level]) -> bool:
        key = tuple((each.loop, min(each.chunk, self.farthest)) for each in levels)
        if key not in self.legal:
            self.legal[key] = is_legal(self.nest, {self.assignment.name: path_of(levels)})
        return self.legal[key]

    def _refined(self, order: Order, row: Int64Array, memory: int) -> Start | None:
        """Return the best sizes of chunks near some, for one order."""
        row, io = row.copy(), np.inf
        for _ in range(ROUNDS):
            before = io
            for some in (*combinations(self.loops, 2), *((at,) for at in self.loops[:1])):
                better = self._best_near(order, row, some, memory)
                if better is not None and better[0] < io:
                    io, row = better
            if io >= before:
                break
        return (io, order, row) if io < np.inf else None

    def _best_near(
        self, order: Order, row: Int64Array, loops: Sequence[int], memory: int
    ) -> tuple[float, Int64Array] | None:
        """Return the best sizes that differ in some loops."""
        sides = [sides_near(self.extents[at], int(row[at])) for at in loops]
        grid = np.stack(np.meshgrid(*sides, indexing="ij"), -1).reshape(-1, len(loops))
        sizes = np.repeat(row[None], len(grid), axis=0)
        sizes[:, list(loops)] = grid
        found = list(self._best_of(order, sizes, [memory]))
        return (found[0][1], found[0][2]) if found else None

    def _exact(self, order: Order, row: Int64Array) -> list[Found]:
        """Return the plays with some sizes of chunks, counted exactly."""
        levels = Estimates(self.counts, *order, row[None]).levels_of(0)
        if not self._is_legal(levels):
            return []
        return best_holds(self.counts, {self.assignment.name: path_of(levels)})


def _different(starts: Sequence[Start]) -> list[Start]:
    """Return the best starts, no two of which have one order of chunks."""
    found: dict[tuple[int, ...], Start] = {}
    for start in sorted(starts, key=lambda each: each[0]):
        found.setdefault(start[1][0], start)
    return list(found.values())[:STARTS]
