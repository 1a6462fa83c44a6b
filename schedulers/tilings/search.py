"""The plays of a nest by tiles that move fewest words, by size of fast memory.

An assignment by itself goes through its loops in chunks, then through all loops one by one, each in
an order in which those come last that one array does not depend on, and before them those that
another one does not: so it can stay. Chunks are as even as can be. Several assignments are run as
the text has them, or one after the other, some fused. Of their holds the best choices are found;
and where they leave memory free, parts of arrays stay longer.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from math import isqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs.box_nests import Assignment, BoxNest
from dags.work import charged
from pebble import Budget
from schedulers.tilings.bands import Bands
from schedulers.tilings.budgets import MOST_SECONDS, budget_after, own_budget, seconds_for
from schedulers.tilings.estimates import Chunks, Estimates, Floats, cheapest
from schedulers.tilings.filling import filled
from schedulers.tilings.groups import Groups, Search
from schedulers.tilings.holds import Found, best_holds, lacking, thinned
from schedulers.tilings.legality import is_legal
from schedulers.tilings.parts import in_turn, one_after_the_other, part_of, path_of
from schedulers.tilings.plan import Counts, Held, Level, Path, Tiling
from schedulers.tilings.sides import few_sides, sides_near, stationary_orders
from schedulers.tilings.skewed.search import skewed_plays

DRAWN, ROUNDS, STARTS, MOST_SQUARED = 1500, 4, 6, 5
SEARCHED = 0.9  # of the time, before memory that is left free is filled
FILLED = 0.1  # of it, at least, for that
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
    """Plays of a nest by rising memory, each moving less than all before it.

    Each size of memory is searched as if it were asked for alone.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memories
        Words of fast memory for which plays are looked for.
    seed
        Of the sizes that are drawn.
    seconds
        Of work for all sizes of memory together, after which nothing new is begun: what was found
        by then is returned. None for two for each size, and more for more than two assignments, or
        where some read later ones.
    """
    sizes = sorted(set(memories))
    share = seconds_for(nest) if seconds is None else seconds / max(1, len(sizes))
    share = min(share, MOST_SECONDS)
    search, plays = TilingSearch(nest, seed), list[Found]()
    for memory in sizes:
        plays += search.plays(memory, Budget(share, seed=seed))
    return thinned(plays)


class TilingSearch:
    """The search for plays of one nest: what is known of one size of memory serves the others.

    Parameters
    ----------
    nest
        The nest at its sizes.
    seed
        Of the sizes that are drawn.
    """

    def __init__(self, nest: BoxNest, seed: int = 0) -> None:
        self.nest, self.counts, self.seed = nest, Counts(nest), seed
        text = {
            assignment.name: path
            for assignment in nest.assignments
            if (path := text_path(assignment))
        }
        self.text = text if len(text) == len(nest.assignments) else None
        self.as_written = charged(maxsize=None)(self._as_written)

    def plays(self, memory: int, budget: Budget) -> list[Found]:
        """Plays for a size of memory, by rising memory.

        Parameters
        ----------
        memory
            Words of fast memory.
        budget
            Of the search.
        """
        plays = list(self.as_written())
        if lacking(self.counts, plays, [memory]):
            if self.text is not None and _goes_round(self.nest):
                for tiles, *held in skewed_plays(self.nest, [memory], budget):
                    plays.append(Found(Tiling(self.text, skewed=tiles), Held(*held)))
                plays += self._in_parts(memory, budget)
                budget = budget_after(budget)
            plays += self._rooms(memory, budget)
            plays = thinned(plays)
            plays += filled(self.counts, plays, [memory], budget_after(budget, FILLED))
        return thinned(plays)

    def _as_written(self) -> list[Found]:
        """Plays in the order of the text, which needs no proof."""
        return [] if self.text is None else best_holds(self.counts, self.text)

    def _in_parts(self, memory: int, budget: Budget) -> Iterator[Found]:
        """Yield the best plays of what the text has one after the other, loops over time among it.

        Each part is searched as if it were asked for alone.
        """
        plays = [
            [
                play
                for play in part.plays(memory, own_budget(part.nest, self.nest, budget))
                if play.moved.words <= memory
            ]
            for part in self._text_parts
        ]
        if self.text is None or not plays or not all(plays):
            return
        best = [choices[-1] for choices in plays]
        tilings = [part for play in best for part in play.tiling.parts or (play.tiling,)]
        if all(tiling.skewed is None for tiling in tilings):
            tiling = one_after_the_other(best)
            yield Found(tiling, self.counts.cost(tiling))
        else:
            loads, stores, words = zip(*(play.moved for play in best), strict=True)
            tiling = Tiling(self.text, parts=tuple(tilings))
            yield Found(tiling, Held(sum(loads), sum(stores), max(words)))

    @cached_property
    def _text_parts(self) -> "list[TilingSearch]":
        """The searches of what the text has one after the other; none where it is one loop."""
        parts: dict[object, list[str]] = {}
        for name, path in (self.text or {}).items():
            parts.setdefault(path[0], []).append(name)
        if len(parts) == 1:
            return []
        return [TilingSearch(part_of(self.nest, names), self.seed) for names in parts.values()]

    def _rooms(self, memory: int, budget: Budget) -> list[Found]:
        """Plays by tiles of one assignment, of groups, or of loops that go round."""
        if len(self.nest.assignments) == 1:
            return self._search(memory, budget.share(SEARCHED))
        if in_turn(self.nest):
            play = self._groups.best(memory, budget)
            return [] if play is None else [play]
        if self.text is None or self._text_parts:
            return []
        return self._bands.plays(memory, budget.share(SEARCHED))

    @cached_property
    def _search(self) -> Search:
        """The search for plays of the only assignment."""
        return _Search(self.nest, self.seed).plays

    @cached_property
    def _groups(self) -> Groups:
        """The search for plays of some consecutive assignments after others."""
        return Groups(self.nest, lambda part: TilingSearch(part, self.seed).plays, self.seed)

    @cached_property
    def _bands(self) -> Bands:
        """The search for plays of assignments of one loop that read each other."""
        return Bands(self.nest)


def text_path(assignment: Assignment) -> Path:
    """The path of an assignment in the tree of the text; an empty one if it is gathered."""
    if assignment.numbers is None:
        return ()
    path: list[int | Level] = [assignment.numbers[0]]
    for loop, number in enumerate(assignment.numbers[1:]):
        path += [Level(loop, 1), number]
    return tuple(path)


def _goes_round(nest: BoxNest) -> bool:
    """Whether some assignment reads itself, by way of others or not, other than in sums."""
    sums = {each.name for each in nest.assignments if each.sums}
    itself = any(each.source == each.reader not in sums for each in nest.distances)
    return itself or not in_turn(nest)


class _Search:
    """The search for plays of the only assignment of a nest."""

    def __init__(self, nest: BoxNest, seed: int) -> None:
        self.nest, self.seed = nest, seed
        (self.assignment,) = nest.assignments
        self.counts = Counts(nest)
        self.extents = [high - low for low, high in self.assignment.box]
        self.loops = [at for at, extent in enumerate(self.extents) if extent > 1]
        self.sides = [few_sides(extent) for extent in self.extents]
        self.beside = int(bool(self.assignment.summed))
        differences = [least for each in nest.distances for least, _ in each.pairs.values()]
        self.farthest = max(1, 1 + max(differences, default=0))  # being alike
        self.front = charged(maxsize=None)(self._front)
        self.holds = charged(maxsize=None)(self._holds)
        self.is_legal = charged(maxsize=None)(self._is_legal)  # by loops and chunks, the widest

    def plays(self, memory: int, budget: Budget) -> list[Found]:
        """The best plays that are found in time, by rising memory."""
        starts, best, blocks = list[Start](), list[Found](), self.blocks(memory)
        for order in self.orders:
            if budget.over and starts:
                break
            drawn = self.front(order).best(memory)
            near = self._best_of(order, blocks, memory)
            able = [candidate for candidate in (drawn, near) if candidate is not None]
            if able:
                io, row = min(able, key=lambda candidate: candidate[0])
                starts.append((io, order, row))
                if io <= self.counts.compulsory:
                    best += self._exact(order, row)
                    if not lacking(self.counts, best, [memory]):
                        break
        for start in _different(starts) if lacking(self.counts, best, [memory]) else []:
            if budget.over and best:
                break
            io, order, row = start
            best += self._exact(order, row if budget.over else self._refined(order, row, memory))
        return thinned(best)

    @cached_property
    def orders(self) -> list[Order]:
        """Orders of chunks and of single values, each once."""
        orders = dict.fromkeys(stationary_orders(self.counts))
        return [*product(orders, orders)]

    @cached_property
    def drawn(self) -> Int64Array:
        """(k, loops) sizes of chunks, many of them small or whole."""
        random = np.random.default_rng(self.seed)
        rows = np.ones((DRAWN if self.loops else 1, len(self.extents)), np.int64)
        if not self.loops:
            return rows
        for at in self.loops:
            sides = random.choice(self.sides[at], len(rows))
            ends = random.random(len(rows))
            rows[:, at] = np.where(ends < 0.3, 1, np.where(ends > 0.7, self.extents[at], sides))
        rows[0] = self.extents
        rows[1] = 1
        distinct: Int64Array = np.unique(rows, axis=0)
        return distinct

    @cached_property
    def _drawn_chunks(self) -> Chunks:
        return Chunks(self.counts, self.drawn)

    def blocks(self, memory: int) -> Chunks:
        """(k, loops) sizes with two equal sides, whose block about fills a memory.

        Of a product these are the best with a block of one operand or of the result that stays.
        """
        pairs = [*combinations(self.loops, 2)] if len(self.loops) <= MOST_SQUARED else []
        rows = np.ones((len(pairs), len(self.extents)), np.int64)
        side = max(1, isqrt(memory) - 1)
        for number, pair in enumerate(pairs):
            for at in pair:
                parts = -(-self.extents[at] // side)
                rows[number, at] = -(-self.extents[at] // parts)
        return Chunks(self.counts, rows)

    def _front(self, order: Order) -> "_Front":
        """The drawn sizes that are best in one order for some size of memory."""
        io, words = self._played(order, self._drawn_chunks)
        # Most sizes have the same holds at one price and at the next: those are sorted once.
        differs = (io[1:] != io[:-1]) | (words[1:] != words[:-1])
        price, size = np.nonzero(np.vstack((np.isfinite(io[:1]), differs & np.isfinite(io[1:]))))
        io, words = io[price, size], words[price, size]
        by_words = np.lexsort((io, words))
        envelope = np.minimum.accumulate(io[by_words])
        places = by_words[np.flatnonzero(np.diff(envelope, prepend=np.inf) < 0)]
        return _Front(words[places], io[places], self.drawn[size[places]])

    def _best_of(
        self, order: Order, chunks: Chunks, memory: int
    ) -> tuple[float, Int64Array] | None:
        """The fewest words of plays in one order, and the sizes; None if none fits."""
        if not len(chunks.sizes):
            return None
        io, words = self._played(order, chunks)
        allowed = np.where(words <= memory, io, np.inf)
        place = int(np.argmin(allowed))
        least = float(allowed.flat[place])
        sizes = chunks.sizes[place % len(chunks.sizes)]
        return None if least == np.inf else (least, sizes)

    def _played(self, order: Order, chunks: Chunks) -> tuple[Floats, Floats]:
        """(prices, k) words moved, infinite where the order is not legal, and held."""
        estimates = Estimates(chunks, *order)
        io, words = self._priced(estimates)
        return np.where(self._legal(estimates), io, np.inf), words

    def _priced(self, estimates: Estimates) -> tuple[Floats, Floats]:
        """(prices, k) words moved and held, with holds that are best at each price."""
        options = [estimates.options(array) for array in self.counts.arrays]
        top = max(float(moved.max()) for _, moved, _ in options)
        prices = np.geomspace(1e-6, max(top, 1.0), PRICES)
        io, words, _ = cheapest(options, prices, len(estimates.levels), len(estimates.chunks.sizes))
        return io, words + self.beside

    def _legal(self, estimates: Estimates) -> npt.NDArray[np.bool_]:
        """(k,) whether the order of each play is legal."""
        sizes = estimates.chunks.sizes
        kind = np.where(sizes == 1, 0, np.where(sizes == np.array(self.extents), 2, 1))
        weights = 3 ** np.arange(len(self.extents), dtype=np.int64)  # a number sorts sooner
        _, place, of = np.unique(kind @ weights, return_index=True, return_inverse=True)
        known = [self._is_able(estimates.levels_of(int(at))) for at in place]
        return np.array(known)[of.reshape(-1)]

    def _is_able(self, levels: Sequence[Level]) -> bool:
        """Whether an order is legal: far values of a loop are alike."""
        return self.is_legal(
            tuple((level.loop, min(level.chunk, self.farthest)) for level in levels)
        )

    def _is_legal(self, levels: tuple[tuple[int, int], ...]) -> bool:
        path = path_of([Level(*level) for level in levels])
        return is_legal(self.nest, {self.assignment.name: path})

    def _refined(self, order: Order, row: Int64Array, memory: int) -> Int64Array:
        """The best sizes of chunks near some, for one order."""
        row, io = row.copy(), np.inf
        for _ in range(ROUNDS):
            before = io
            for loops in (*combinations(self.loops, 2), *((at,) for at in self.loops[:1])):
                better = self._best_near(order, row, loops, memory)
                if better is not None and better[0] < io:
                    io, row = better
            if io >= before:
                break
        return row

    def _best_near(
        self, order: Order, row: Int64Array, loops: Sequence[int], memory: int
    ) -> tuple[float, Int64Array] | None:
        """The best sizes that differ in some loops."""
        sides = [sides_near(self.extents[at], int(row[at])) for at in loops]
        grid = np.stack(np.meshgrid(*sides, indexing="ij"), -1).reshape(-1, len(loops))
        sizes = np.repeat(row[None], len(grid), axis=0)
        sizes[:, list(loops)] = grid
        return self._best_of(order, Chunks(self.counts, sizes), memory)

    def _exact(self, order: Order, row: Int64Array) -> list[Found]:
        """The plays with some sizes of chunks, counted exactly."""
        levels = Estimates(Chunks(self.counts, row[None]), *order).levels_of(0)
        return self.holds(tuple(levels)) if self._is_able(levels) else []

    def _holds(self, levels: tuple[Level, ...]) -> list[Found]:
        return best_holds(self.counts, {self.assignment.name: path_of(levels)})


class _Front(NamedTuple):
    """Plays of drawn sizes, none of which moves more than one that needs no more memory.

    Attributes
    ----------
    words, io
        (p,) words of fast memory, rising, and words moved, falling.
    rows
        (p, loops) the sizes.
    """

    words: Floats
    io: Floats
    rows: Int64Array

    def best(self, memory: int) -> tuple[float, Int64Array] | None:
        """The fewest words moved with so much memory, and the sizes; None if none fits."""
        place = int(np.searchsorted(self.words, memory, side="right")) - 1
        return None if place < 0 else (float(self.io[place]), self.rows[place])


def _different(starts: Sequence[Start]) -> list[Start]:
    """The best starts, no two of which have one order of chunks."""
    by_chunks: dict[tuple[int, ...], Start] = {}
    for start in sorted(starts, key=lambda candidate: candidate[0]):
        by_chunks.setdefault(start[1][0], start)
    return list(by_chunks.values())[:STARTS]
