"""Plays of several assignments in one: shared tiles, and values that stay until read.

Loops of two assignments are one where a value is read at the same value of both. A fused play goes
through tiles of such loops; in each tile it runs one assignment after the other, each through
loops of its own, in chunks and one by one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations, product
from math import inf
from typing import NamedTuple

import numpy as np

from dags.arrays import Int64Array
from dags.programs.box_nests import BoxNest
from dags.programs.touched import touched
from dags.work import charged
from pebble import UNLIMITED, Budget
from schedulers.tilings.estimates import Chunks, Estimates, Floats, cheapest
from schedulers.tilings.holds import Found, lacking, thinned
from schedulers.tilings.parts import part_of
from schedulers.tilings.plan import Counts, Level, Path
from schedulers.tilings.sides import EvenSides, few_sides, sides_near, stationary_orders
from schedulers.tilings.trees import Trees

DRAWN, ROUNDS, MOST_SHARED = 1500, 3, 3
CLOSER, FAR = 4, 2.0  # choices of shared loops that are refined, by words of the best one at most
MOST_BEHIND = 1 / 4  # of a loop's values a reader may be behind, or one: a sum begins with two
PRICES = 20
ROOMS = (1.0, 7 / 8)  # parts of a memory for which sizes are estimated: estimates are low
STEP = 1.25  # between sides that are counted exactly


Loops = tuple[int, ...]  # by their places
Sizes = tuple[int, ...]  # of chunks of all variables
Shared = tuple[Loops, ...]  # loops that are one, outermost first: of each assignment its own
Variables = list[tuple[int, dict[int, int]]]  # what has a size: extent, loop of each assignment


class Front(NamedTuple):
    """Fused plays of some sizes, none of which moves more than one that needs no more memory.

    Attributes
    ----------
    needs, io
        (p,) words of fast memory, rising, and words moved, falling.
    rows
        (p, variables) the sizes.
    orders
        (p, assignments) which order of single values each assignment has.
    """

    needs: Floats
    io: Floats
    rows: Int64Array
    orders: Int64Array

    def place(self, memory: int) -> int | None:
        """Return where fewest words are moved with so much memory; None if nowhere."""
        place = int(np.searchsorted(self.needs, memory, side="right")) - 1
        return None if place < 0 else place

    def least(self, place: int) -> int:
        """The play that moves as few words as another one and needs least memory."""
        return int(np.searchsorted(-self.io, -self.io[place], side="left"))


class Start(NamedTuple):
    """Where a search for fused plays begins, for one size of memory.

    Attributes
    ----------
    io
        Words moved, estimated.
    shared
        The loops that are one.
    front, place
        The drawn sizes that are best for some size of memory, and which of them for this one.
    """

    io: float
    shared: Shared
    front: Front
    place: int


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

    def best(self, memory: int, *, large: bool) -> tuple[int, int] | None:
        """Return where fewest words are moved with so much memory; None if nowhere.

        Parameters
        ----------
        memory
            Words of fast memory.
        large
            Whether it is the one that needs most of those that move as few words: of large tiles
            less is read around them, which is not estimated.
        """
        allowed = np.where(self.needs <= memory, self.io, np.inf)
        if (least := allowed.min()) == np.inf:
            return None
        if large:
            place = int(np.argmax(np.where(allowed == least, self.needs, -np.inf)))
        else:
            place = int(np.argmin(allowed))
        price, size = np.unravel_index(place, allowed.shape)
        return int(price), int(size)

    def front(self, rows: Int64Array) -> Front:
        """The plays that are best for some size of memory, of the (k, variables) sizes."""
        order = np.lexsort((self.io.ravel(), self.needs.ravel()))
        io = self.io.ravel()[order]
        least = np.minimum.accumulate(io)
        places = order[np.flatnonzero(io == least)]
        price, size = np.unravel_index(places, self.io.shape)
        return Front(
            self.needs[price, size], self.io[price, size], rows[size], self.orders[price, :, size]
        )


class Fusion:
    """The search for plays of a nest in which all assignments share tiles.

    Parameters
    ----------
    nest
        Several assignments.
    seed
        Of the sizes that are drawn.
    """

    def __init__(self, nest: BoxNest, seed: int = 0) -> None:
        self.nest, self.counts, self.seed = nest, Counts(nest), seed
        self.each = nest.assignments
        self.place = {assignment.name: at for at, assignment in enumerate(self.each)}
        self.alone = [Counts(part_of(nest, [assignment.name])) for assignment in self.each]
        self.inner = [list(dict.fromkeys(stationary_orders(counts))) for counts in self.alone]
        made = {assignment.name for assignment in self.each}
        self.between = {
            access.array
            for assignment in self.each
            for access in assignment.reads
            if access.array in made
        } - {
            assignment.name
            for assignment in self.each
            if any(a.array == assignment.name for a in assignment.reads)
        }
        # words of inputs that several read, for each but the first: estimates have them all
        self.alike = sum(
            (len(by) - 1) * touched([access for accesses in by.values() for access in accesses])
            for array, by in self.counts.arrays.items()
            if array not in made and len(by) > 1
        )
        self.start = charged(maxsize=None)(self._start)
        self.trees = Trees(nest, self.counts)

    def plays(self, memory: int, budget: Budget = UNLIMITED) -> list[Found]:
        """Plays for a size of memory, by rising memory.

        Parameters
        ----------
        memory
            Words of fast memory.
        budget
            Of the search.
        """
        return self.refined(self.starts(memory, budget), memory, budget)

    def starts(self, memory: int, budget: Budget = UNLIMITED) -> list[Start]:
        """The best of drawn sizes for each choice of shared loops, fewest words first.

        Parameters
        ----------
        memory
            Words of fast memory.
        budget
            Of the search.
        """
        starts: list[Start] = []
        for shared in self.shared:
            if budget.over and starts:
                break
            front = self.start(shared)
            place = front.place(memory)
            if place is not None:
                starts.append(Start(float(front.io[place]), shared, front, place))
        return sorted(starts, key=lambda start: start.io)

    def refined(
        self, starts: Sequence[Start], memory: int, budget: Budget = UNLIMITED
    ) -> list[Found]:
        """Plays for a size of memory near the best of some starts, by rising memory.

        Parameters
        ----------
        starts
            For the same size of memory, fewest words first.
        memory, budget
            Words of fast memory, and the budget of the search.
        """
        plays: list[Found] = []
        for start in starts[:CLOSER]:
            if plays and (budget.over or start.io > FAR * starts[0].io):
                break
            if plays and not lacking(self.counts, plays, [memory]):
                break
            plays += self._near(start, memory, budget)
        return thinned(plays)

    @cached_property
    def shared(self) -> list[Shared]:
        """Orders of loops that all assignments share, each loop in one place."""
        classes = list(shared_loops(self.nest))
        return [
            order
            for count in range(1, min(len(classes), MOST_SHARED) + 1)
            for order in permutations(classes, count)
            if all(len(set(loops)) == count for loops in zip(*order, strict=True))
        ]

    def _start(self, shared: Shared) -> Front:
        """The best of drawn sizes with some loops shared."""
        variables = self._variables(shared)
        rows = self._drawn([extent for extent, _ in variables], self.shared.index(shared))
        return self._table(shared, self.inner, variables, rows).front(rows)

    def _near(self, start: Start, memory: int, budget: Budget) -> list[Found]:
        """Plays with some loops shared, of the best drawn sizes and of those near them."""
        plays = list[Found]()
        for large, place in ((False, start.front.least(start.place)), (True, start.place)):
            if not plays or (not budget.over and lacking(self.counts, plays, [memory])):
                plays += self._around(start, place, memory, budget, large=large)
        return plays

    def _around(
        self, start: Start, place: int, memory: int, budget: Budget, *, large: bool
    ) -> list[Found]:
        """Plays of drawn sizes and of those near them.

        Parameters
        ----------
        start, place
            The loops that are shared, and the drawn sizes by their place in the front.
        memory, budget
            Words of fast memory, and the budget of the search.
        large
            Which of the sizes that move as few words (`Table.best`).
        """
        shared, front, tried = start.shared, start.front, dict[Sizes, list[Found]]()
        variables = self._variables(shared)
        every = zip(self.inner, front.orders[place].tolist(), strict=True)
        chosen = tuple(orders[at] for orders, at in every)

        def exact(row: Int64Array) -> list[Found]:
            sizes = tuple(row.tolist())
            if sizes not in tried:
                paths = self._paths(shared, chosen, variables, row)
                tried[sizes] = self.trees.plays(paths)
            return tried[sizes]

        row = front.rows[place]
        exact(row)
        for part in ROOMS if large else ROOMS[:1]:
            if not budget.over and self._is_lacking(tried, memory):
                room = int(part * memory)
                exact(self._refined(shared, chosen, variables, row, room, large=large))
        self._polish(exact, tried, [extent for extent, _ in variables], memory, budget)
        return [play for plays in tried.values() for play in plays]

    def _is_lacking(self, tried: Mapping[Sizes, list[Found]], memory: int) -> bool:
        """Whether no play of some sizes moves compulsory words alone."""
        return bool(
            lacking(self.counts, [play for plays in tried.values() for play in plays], [memory])
        )

    def _polish(
        self,
        exact: Callable[[Int64Array], list[Found]],
        tried: Mapping[Sizes, list[Found]],
        extents: Sequence[int],
        memory: int,
        budget: Budget,
    ) -> None:
        """Try sizes next to the best ones, counted exactly, as long as that moves less.

        Parameters
        ----------
        exact
            Returns the plays of sizes, and remembers them in `tried`.
        tried
            The plays of sizes.
        extents
            Of each variable.
        memory, budget
            Words of fast memory, and the budget of the search.
        """
        while self._is_lacking(tried, memory):
            best = min(tried, key=lambda sizes: _least(tried[sizes], memory))
            for place, extent in enumerate(extents):
                for side in _beside(extent, best[place]):
                    if budget.over:
                        return
                    exact(np.array([*best[:place], side, *best[place + 1 :]], np.int64))
            now = min(tried, key=lambda sizes: _least(tried[sizes], memory))
            if _least(tried[now], memory) >= _least(tried[best], memory):
                return

    def _variables(self, shared: Shared) -> Variables:
        """The variables of sizes: extent, and the loop of each assignment."""
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

    def _drawn(self, extents: Sequence[int], place: int) -> Int64Array:
        """(k, variables) sizes, many of them small or whole."""
        count, random = DRAWN, np.random.default_rng((self.seed, place))
        rows = np.ones((count, len(extents)), np.int64)
        for at, extent in enumerate(extents):
            ends = random.random(count)
            middle = random.choice(few_sides(extent), count)
            rows[:, at] = np.where(ends < 0.25, 1, np.where(ends > 0.75, extent, middle))
        return np.unique(rows, axis=0)

    def _chunks(self, place: int, variables: Variables, rows: Int64Array) -> Chunks:
        """Sizes of chunks of an assignment's loops, by those of (k, variables) variables."""
        box = self.each[place].box
        sizes = np.ones((len(rows), len(box)), np.int64)
        for column, (_, loops) in enumerate(variables):
            if place in loops:
                low, high = box[loops[place]]
                sizes[:, loops[place]] = np.minimum(rows[:, column], high - low)
        return Chunks(self.alone[place], sizes)

    def _estimates(self, shared: Shared, place: int, inner: Loops, chunks: Chunks) -> Estimates:
        outer = [loops[place] for loops in shared]
        return Estimates(chunks, [*outer, *(loop for loop in inner if loop not in outer)], inner)

    def _table(
        self,
        shared: Shared,
        inner: Sequence[Sequence[Loops]],
        variables: Variables,
        rows: Int64Array,
    ) -> Table:
        """Words moved and needed at each price with each of some sizes.

        Parameters
        ----------
        shared
            The loops that are shared.
        inner
            Of each assignment some orders of its single values.
        variables, rows
            The variables, and (k, variables) their sizes.
        """
        chunks = [self._chunks(place, variables, rows) for place in range(len(inner))]
        options = [
            [self._options(shared, at, order, chunks[at]) for order in orders]
            for at, orders in enumerate(inner)
        ]
        top = max(float(moved.max()) for each in options for one in each for _, moved, _ in one)
        prices = np.geomspace(1e-6, max(top, 1.0), PRICES)
        io = np.repeat(self._crossing(shared, rows)[None], PRICES, axis=0)
        deepest = np.zeros((PRICES, len(rows)))
        around = np.repeat(self._kept(shared, chunks, rows)[None], PRICES, axis=0)
        orders = np.zeros((PRICES, len(self.each), len(rows)), np.int64)
        for place, by_order in enumerate(options):
            fewest = np.full(io.shape, np.inf)
            cheap = np.empty((3, *io.shape))
            for number, arrays in enumerate(by_order):
                priced = cheapest(arrays, prices, len(shared), len(rows))
                cost = priced[0] + prices[:, None] * (priced[1] + priced[2])
                is_less = cost < fewest
                np.copyto(fewest, cost, where=is_less)
                np.copyto(cheap, priced, where=is_less)
                orders[:, place][is_less] = number
            moved, out, deep = cheap
            io += moved
            around += out
            deepest = np.maximum(deepest, deep + int(bool(self.each[place].summed)))
        needs = around + deepest
        return Table(io, needs, orders)

    def _options(
        self, shared: Shared, place: int, inner: Loops, chunks: Chunks
    ) -> list[tuple[list[int], Floats, Floats]]:
        estimates = self._estimates(shared, place, inner, chunks)
        arrays = self.alone[place].arrays
        return [estimates.options(array) for array in arrays if array not in self.between]

    def _kept(self, shared: Shared, chunks: Sequence[Chunks], rows: Int64Array) -> Floats:
        """(k,) the words of values made and read in a tile, and read in the next ones."""
        total, last = np.zeros(len(rows)), len(shared) - 1
        behind = self._behind(shared[last])
        for at, one in enumerate(self.each):
            if one.name in self.between:
                inner = next(iter(stationary_orders(self.alone[at])))
                estimates = self._estimates(shared, at, inner, chunks[at])
                tiles = 1 + behind.get(at, 0) / rows[:, last]
                total = total + tiles * estimates.words_of(one.name, len(shared))
        return total

    def _crossing(self, shared: Shared, rows: Int64Array) -> Floats:
        """(k,) the words of values that are read in later tiles, stored and loaded again.

        Along the last of the shared loops they stay from tile to tile.
        """
        total = np.zeros(len(rows))
        for column, loops in enumerate(shared[:-1]):
            for at, most in self._behind(loops).items():
                low, high = self.each[at].box[loops[at]]
                cut = rows[:, column] < high - low
                share = np.minimum(1.0, most / rows[:, column])
                total += np.where(cut, 2 * touched([self.each[at].item]) * share, 0.0)
        return total

    def _behind(self, loops: Loops) -> dict[int, int]:
        """How far readers are behind assignments along a shared loop, at most, if at all."""
        distances: dict[int, int] = {}
        for distance in self.nest.distances:
            if distance.source in self.between and distance.source != distance.reader:
                source = self.place[distance.source]
                _, most = distance.pairs[loops[self.place[distance.reader]], loops[source]]
                if most > 0:
                    distances[source] = max(distances.get(source, 0), most)
        return distances

    def _refined(
        self,
        shared: Shared,
        inner: Sequence[Loops],
        variables: Variables,
        row: Int64Array,
        memory: int,
        *,
        large: bool,
    ) -> Int64Array:
        """The best sizes near some for one order of single values."""
        best, orders = np.inf, [[one] for one in inner]
        for _ in range(ROUNDS):
            before = best
            for some in combinations(range(len(variables)), min(2, len(variables))):
                rows = _grid(row, {at: variables[at][0] for at in some})
                table = self._table(shared, orders, variables, rows)
                if (place := table.best(memory, large=large)) is not None and table.io[
                    place
                ] < best:
                    best, row = float(table.io[place]), rows[place[1]]
            if best >= before:
                break
        return row

    def _paths(
        self, shared: Shared, inner: Sequence[Loops], variables: Variables, row: Int64Array
    ) -> dict[str, Path]:
        """The tree of a fused play."""
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


def _least(plays: Sequence[Found], memory: int) -> float:
    """The fewest words that plays move with so much memory."""
    return min((play.io for play in plays if play.moved.words <= memory), default=inf)


def _beside(extent: int, side: int) -> list[int]:
    """The even sides next to one, and those about a quarter longer and shorter."""
    every = EvenSides(extent)
    place = every.place(side)
    places = {place - 1, place + 1, every.place(side * STEP), every.place(side / STEP)}
    return [every[at] for at in sorted(places) if 0 <= at < len(every) and at != place]


def _grid(row: Int64Array, extents: Mapping[int, int]) -> Int64Array:
    """(k, variables) sizes that differ from some in a few places, of these extents."""
    tried = [sides_near(extent, int(row[at])) for at, extent in extents.items()]
    grid = np.stack(np.meshgrid(*tried, indexing="ij"), -1).reshape(-1, len(tried))
    rows = np.repeat(row[None], len(grid), axis=0)
    rows[:, list(extents)] = grid
    return rows
