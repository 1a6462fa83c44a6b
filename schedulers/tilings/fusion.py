"""Plays of several assignments in one: shared tiles, and values that stay until read.

Loops of two assignments are one where a value is read at the same value of both. A fused play goes
through tiles of such loops; in each tile it runs one assignment after the other, each through
loops of its own, in chunks and one by one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from math import inf
from typing import NamedTuple

import numpy as np

from dags.arrays import Int64Array
from dags.programs.box_nests import BoxNest
from pebble import UNLIMITED, Budget
from schedulers.tilings.estimates import Estimates, Floats, cheapest
from schedulers.tilings.holds import Found, best_holds, lacking, thinned
from schedulers.tilings.legality import is_legal
from schedulers.tilings.parts import part_of
from schedulers.tilings.plan import Counts, Level, Path
from schedulers.tilings.sides import few_sides, sides_near, stationary_orders

DRAWN, ROUNDS, MOST_SHARED = 1500, 3, 3
MOST_BEHIND = 1 / 4  # of a loop's values a reader may be behind, or one: a sum begins with two
PRICES = 20


Loops = tuple[int, ...]  # by their places
Shared = tuple[Loops, ...]  # loops that are one, outermost first: of each assignment its own
Variables = list[tuple[int, dict[int, int]]]  # what has a size: extent, loop of each assignment


class Table(NamedTuple):
    """Words of fused plays with many sizes, at many prices of memory.

    Attributes
    ----------
    io, needs
        (prices, k) words moved, and words of fast memory.
    orders
        (prices, assignments, k) which order of single values each assignment has.
    """

    io: Floats
    needs: Floats
    orders: Int64Array

    def best(self, memory: int) -> tuple[int, int] | None:
        """Return where fewest words are moved with so much memory; None if nowhere."""
        allowed = np.where(self.needs <= memory, self.io, np.inf)
        place = np.unravel_index(int(np.argmin(allowed)), allowed.shape)
        return None if allowed[place] == np.inf else (int(place[0]), int(place[1]))


def fused_plays(nest: BoxNest, memories: Sequence[int], budget: Budget = UNLIMITED) -> list[Found]:
    """Return plays in which all assignments of a nest share tiles, by rising memory.

    Parameters
    ----------
    nest
        Several assignments.
    memories
        Words of fast memory for which plays are looked for.
    budget
        Of the search; its seed is that of the sizes that are drawn.
    """
    search = _Fusion(nest, budget)
    starts: list[Start] = []
    for shared in search.shared():
        if budget.over and starts:
            break
        starts.append(search.start(shared, memories))
    found: list[Found] = []
    for start in sorted(starts, key=lambda one: one.worth):
        if found and (budget.over or not lacking(search.counts, found, memories)):
            break
        found += search.found(start, memories)
    return thinned(found)


def shared_loops(nest: BoxNest) -> Iterator[Loops]:
    """Yield loops of all assignments that are at about one value wherever one reads another.

    Parameters
    ----------
    nest
        The assignments.
    """
    extents = [[high - low for low, high in one.box] for one in nest.assignments]
    names = [one.name for one in nest.assignments]
    for loops in product(*(range(len(one)) for one in extents)):
        same = dict(zip(names, loops, strict=True))
        least_extent = min(each[loop] for each, loop in zip(extents, loops, strict=True))
        behind = max(1, int(MOST_BEHIND * least_extent))
        if least_extent > 1 and all(
            0 <= least <= most <= behind
            for far in nest.distances
            if far.reader != far.source
            for least, most in [far.pairs[same[far.reader], same[far.source]]]
        ):
            yield loops


class Start(NamedTuple):
    """Loops that are shared, with the best of drawn sizes.

    Attributes
    ----------
    shared, variables
        The loops, and the variables that have sizes.
    best
        For each size of memory the words moved, sizes, and orders of single values; None where
        nothing fits.
    """

    shared: Shared
    variables: Variables
    best: list[tuple[float, Int64Array, tuple[Loops, ...]] | None]

    @property
    def worth(self) -> list[float]:
        """Words moved at each size of memory, the largest first."""
        return [inf if one is None else one[0] for one in reversed(self.best)]


class _Fusion:
    """The search for fused plays of one nest."""

    def __init__(self, nest: BoxNest, budget: Budget) -> None:
        self.nest, self.counts = nest, Counts(nest)
        self.each = nest.assignments
        self.alone = [Counts(part_of(nest, [one.name])) for one in self.each]
        self.budget, self.random = budget, budget.rng()
        made = {one.name for one in self.each}
        self.between = {
            access.array for one in self.each for access in one.reads if access.array in made
        } - {one.name for one in self.each if any(a.array == one.name for a in one.reads)}

    def shared(self) -> Iterator[Shared]:
        """Yield orders of loops that all assignments share, each loop in one place."""
        classes = list(shared_loops(self.nest))
        for count in range(1, min(len(classes), MOST_SHARED) + 1):
            for some in permutations(classes, count):
                if all(len(set(mine)) == count for mine in zip(*some, strict=True)):
                    yield some

    def start(self, shared: Shared, memories: Sequence[int]) -> Start:
        """Return the best of drawn sizes with some loops shared."""
        variables = self._variables(shared)
        drawn = self._drawn([extent for extent, _ in variables])
        inner = [list(dict.fromkeys(stationary_orders(counts))) for counts in self.alone]
        table = self._table(shared, inner, variables, drawn)
        best: list[tuple[float, Int64Array, tuple[Loops, ...]] | None] = []
        for memory in memories:
            place = table.best(memory)
            if place is None:
                best.append(None)
                continue
            which = table.orders[place[0], :, place[1]].tolist()
            chosen = tuple(orders[at] for orders, at in zip(inner, which, strict=True))
            best.append((float(table.io[place]), drawn[place[1]], chosen))
        return Start(shared, variables, best)

    def found(self, start: Start, memories: Sequence[int]) -> list[Found]:
        """Return the best plays with some loops shared; sizes are refined in time."""
        shared, variables, _ = start
        best: list[Found] = []
        before: list[tuple[Int64Array, tuple[Loops, ...]]] = []
        for memory, drawn in zip(memories, start.best, strict=True):
            starts = before + ([] if drawn is None else [drawn[1:]])
            for row, chosen in starts:
                over = self.budget.over
                sizes = row if over else self._refined(shared, chosen, variables, row, memory)
                if sizes is None or (over and before):
                    continue
                paths = self._paths(shared, chosen, variables, sizes)
                if is_legal(self.nest, paths):
                    best += best_holds(self.counts, paths)
                before = [(sizes, chosen)]
        return best

    def _variables(self, shared: Shared) -> Variables:
        """Return the variables of sizes: extent, and the loop of each assignment."""
        extents = [[high - low for low, high in one.box] for one in self.each]
        found: Variables = [
            (max(extents[at][loop] for at, loop in enumerate(loops)), dict(enumerate(loops)))
            for loops in shared
        ]
        for at, mine in enumerate(extents):
            taken = {loops[at] for loops in shared}
            found += [
                (extent, {at: loop})
                for loop, extent in enumerate(mine)
                if loop not in taken and extent > 1
            ]
        return found

    def _drawn(self, extents: Sequence[int]) -> Int64Array:
        """Return (k, variables) sizes, many of them small or whole."""
        count = DRAWN
        rows = np.ones((count, len(extents)), np.int64)
        for at, extent in enumerate(extents):
            ends = self.random.random(count)
            middle = self.random.choice(few_sides(extent), count)
            rows[:, at] = np.where(ends < 0.25, 1, np.where(ends > 0.75, extent, middle))
        return np.unique(rows, axis=0)

    def _estimates(
        self,
        shared: Shared,
        at: int,
        inner: Loops,
        variables: Variables,
        rows: Int64Array,
    ) -> Estimates:
        box = self.each[at].box
        sizes = np.ones((len(rows), len(box)), np.int64)
        for column, (_, loops) in enumerate(variables):
            if at in loops:
                low, high = box[loops[at]]
                sizes[:, loops[at]] = np.minimum(rows[:, column], high - low)
        mine = [loops[at] for loops in shared]
        own = [loop for loop in inner if loop not in mine]
        return Estimates(self.alone[at], [*mine, *own], inner, sizes)

    def _table(
        self,
        shared: Shared,
        inner: Sequence[Sequence[Loops]],
        variables: Variables,
        rows: Int64Array,
    ) -> Table:
        """Return words moved and needed at each price with each of some sizes.

        Parameters
        ----------
        shared
            The loops that are shared.
        inner
            Of each assignment some orders of its single values.
        variables, rows
            The variables, and (k, variables) their sizes.
        """
        options = [
            [self._options(shared, at, order, variables, rows) for order in orders]
            for at, orders in enumerate(inner)
        ]
        top = max(float(moved.max()) for each in options for one in each for _, moved, _ in one)
        prices = np.geomspace(1e-6, max(top, 1.0), PRICES)
        io, deepest = np.zeros((PRICES, len(rows))), np.zeros((PRICES, len(rows)))
        around = np.repeat(self._kept(shared, variables, rows)[None], PRICES, axis=0)
        orders = np.zeros((PRICES, len(self.each), len(rows)), np.int64)
        for at, each in enumerate(options):
            priced = np.array([cheapest(one, prices, len(shared), len(rows)) for one in each])
            moved, out, deep = priced.swapaxes(0, 1)
            which = np.argmin(moved + prices[:, None] * (out + deep), axis=0)
            orders[:, at] = which
            moved, out, deep = np.take_along_axis(priced, which[None, None], axis=0)[0]
            io += moved
            around += out
            deepest = np.maximum(deepest, deep + int(bool(self.each[at].summed)))
        needs = around + deepest
        return Table(io, needs, orders)

    def _options(
        self,
        shared: Shared,
        at: int,
        inner: Loops,
        variables: Variables,
        rows: Int64Array,
    ) -> list[tuple[list[int], Floats, Floats]]:
        estimates = self._estimates(shared, at, inner, variables, rows)
        arrays = self.alone[at].arrays
        return [estimates.options(array) for array in arrays if array not in self.between]

    def _kept(
        self,
        shared: Shared,
        variables: Variables,
        rows: Int64Array,
    ) -> Floats:
        """Return (k,) the words of values made and read in a tile."""
        total = np.zeros(len(rows))
        for at, one in enumerate(self.each):
            if one.name in self.between:
                inner = next(iter(stationary_orders(self.alone[at])))
                estimates = self._estimates(shared, at, inner, variables, rows)
                total = total + estimates.words_of(one.name, len(shared))
        return total

    def _refined(
        self,
        shared: Shared,
        inner: Sequence[Loops],
        variables: Variables,
        row: Int64Array,
        memory: int,
    ) -> Int64Array | None:
        """Return the best sizes near some for one order of single values; None if none fits."""
        best, orders = np.inf, [[one] for one in inner]
        for _ in range(ROUNDS):
            before = best
            for some in combinations(range(len(variables)), min(2, len(variables))):
                rows = _grid(row, {at: variables[at][0] for at in some})
                table = self._table(shared, orders, variables, rows)
                if (place := table.best(memory)) is not None and table.io[place] < best:
                    best, row = float(table.io[place]), rows[place[1]]
            if best >= before:
                break
        return row if best < np.inf else None

    def _paths(
        self, shared: Shared, inner: Sequence[Loops], variables: Variables, row: Int64Array
    ) -> dict[str, Path]:
        """Return the tree of a fused play."""
        chunk = {
            (at, loop): int(size)
            for (_, loops), size in zip(variables, row.tolist(), strict=True)
            for at, loop in loops.items()
        }
        found = {}
        for at, one in enumerate(self.each):
            left = [high - low for low, high in one.box]
            path: list[int | Level] = [0]
            for loops in shared:
                size = chunk[at, loops[at]]
                path += [Level(loops[at], size), 0]
                left[loops[at]] = min(left[loops[at]], size)
            path[-1] = at
            mine = {loops[at] for loops in shared}
            own = [(loop, chunk.get((at, loop), 1)) for loop in inner[at] if loop not in mine]
            for loop, size in (*own, *((loop, 1) for loop in inner[at])):
                if size < left[loop]:
                    path += [Level(loop, size), 0]
                    left[loop] = size
            found[one.name] = tuple(path)
        return found


def _grid(row: Int64Array, extents: Mapping[int, int]) -> Int64Array:
    """Return (k, variables) sizes that differ from some in a few places, of these extents."""
    tried = [sides_near(extent, int(row[at])) for at, extent in extents.items()]
    grid = np.stack(np.meshgrid(*tried, indexing="ij"), -1).reshape(-1, len(tried))
    rows = np.repeat(row[None], len(grid), axis=0)
    rows[:, list(extents)] = grid
    return rows
