"""Tiles for a scratchpad: the legal order and the buffers whose code moves fewest words.

Orders are those of isl's scheduler, whose bands may be tiled, and that of the text. Sides of tiles
are drawn and improved by estimates; the best are made to plans and counted exactly.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations, product
from math import inf, prod
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from dags.arrays import Int64Array
from dags.work import charge
from pebble import UNLIMITED, Budget
from redblue.emission.buffers import NoBufferError, Plan
from redblue.emission.candidates import (
    Candidate,
    Counted,
    Depths,
    apart,
    different,
    estimated,
    merged,
    sides_beside,
    sides_of,
)
from redblue.emission.estimates import CHUNK, NONE, POINT, Phase
from redblue.emission.generation import Generation
from redblue.emission.groups import Group
from redblue.emission.names import Names
from redblue.emission.nodes import counted
from redblue.emission.orders import (
    Tree,
    aligned_tree,
    banded_tree,
    scheduled_trees,
    text_tree,
    trees_of_all_sizes,
)
from redblue.emission.ranges import Ranges
from redblue.emission.registers import is_legal, sums_of, units
from redblue.emission.statements import Nest
from redblue.emission.tiles import Chunk, Order, Tiles, tiled
from redblue.emission.tilings import Start, as_written, starts

DRAWN, ROUNDS, KEPT, EXACT, ORDERS = 800, 3, 6, 5, 8
POLISHED = 40  # sides beside the best ones that are counted, at most
LEAST, MOST = 0.8, 1.15  # times the values of tiles, of two sides that change together
LEAD = 0.9  # of the words of the text's order, as many as other orders may move
FAR = 2.0  # times what is found, above which no estimate is looked into
WORTH = 1.25  # times the words that others move, as many as those may whose sums stay in registers
SECONDS = 20.0
OVERWRITING = "its order overwrites cells that are read later, for each value has its own place"
UNPLACED = "copies, or values with which sums begin, have no place in its order"
BUFFERS = "its holds are no buffers that fit and move as few words"
HOLDS = 60  # buffers beside those of a tiling's holds that are counted, at most


class CodeOrder(NamedTuple):
    """An order with buffers that fit, counted exactly.

    Attributes
    ----------
    order, depths
        The order, and the levels around the buffer of each group.
    io
        The words that its code moves.
    """

    order: Order
    depths: dict[Group, int]
    io: float

    @property
    def is_tiled(self) -> bool:
        """Whether any loop goes on in chunks."""
        paths = self.order.paths.values()
        return any(isinstance(part, Chunk) and part.size > 1 for path in paths for part in path)


class EmissionSearch:
    """The search for one program at some sizes.

    Parameters
    ----------
    nest, sizes, live
        The program, values of its sizes, and arrays whose last values are outputs.
    sides
        Sides that are asked for, by loops of the text.
    cached
        Whether a cache of LRU holds words that are read again, and not buffers.
    line
        Words of a line of the cache.
    registers
        Values that registers have for sums.
    by_tilings
        Whether orders are those of tilings alone.
    tilings
        Seconds of work for these, before the others are looked for.
    """

    def __init__(
        self,
        nest: Nest,
        sizes: Mapping[str, int],
        live: Sequence[str],
        *,
        sides: Mapping[str, int] | None = None,
        cached: bool = False,
        line: int = 1,
        registers: int = 0,
        by_tilings: bool = False,
        tilings: float = SECONDS,
    ) -> None:
        self.nest, self.sizes, self.live = nest, sizes, live
        self.by_tilings, self.tilings = by_tilings, tilings
        self.asked, self.cached, self.line = sides or {}, cached, line
        self.registers = registers
        self._units: dict[int, int] = {}  # what sides of the levels of a phase are multiples of
        self._single: dict[int, int] = {}  # sides of levels whose values come one by one
        self.ranges = Ranges(nest, sizes, fixed=cached)
        self.general = Ranges(nest, sizes, fixed=cached, general=True)
        self.obstacles: list[tuple[int, str]] = []  # of tilings whose code moves more, with words
        self._trees: list[list[Phase]] = []  # orders that are looked at, each as its phases
        self.memory = self.room = self.least = 0  # words that every schedule moves, if known
        self.budget = UNLIMITED

    def best(
        self, memory: int, seconds: float = SECONDS
    ) -> tuple[Order, dict[Group, int], bool, float]:
        """The best order, depths of its buffers, whether any of it is tiled, and its words.

        Parameters
        ----------
        memory
            Words of fast memory.
        seconds
            Of work, after which nothing new is begun.

        Raises
        ------
        NoBufferError
            If no order has buffers that fit.
        """
        # one word is left for a result that stands beside its operands
        self.memory, self.room = memory, memory - 1 - len(self.nest.scalars - self.nest.constants)
        self._counts: dict[int, Counted | None] = {}
        self.obstacles = []
        self.budget = Budget(self.tilings)
        code = self._of_tilings(self.tilings)
        self.budget = Budget(seconds)
        if code is None:
            return self._of_schedules(seconds)
        answer = code.order, code.depths, code.is_tiled, code.io
        if self.by_tilings or code.io <= self.least:
            return answer
        with suppress(NoBufferError):
            answer = min(answer, self._of_schedules(seconds), key=itemgetter(3))
        return answer

    def _of_schedules(self, seconds: float) -> tuple[Order, dict[Group, int], bool, float]:
        """The best order of isl's scheduler and of the text, as `best` returns it."""
        memory = self.memory
        self.random = np.random.default_rng(0)
        self._trees = self._trees or [
            [Phase(ranges, tree, phase, self.live, self.line) for phase in sorted(_phases(tree))]
            for ranges, tree in self._orders(seconds / 4)
        ]
        count = len(self._trees)
        parts = [
            self._looked_at(tree, (number + 1) / count) for number, tree in enumerate(self._trees)
        ]
        # lines are estimated: an order that is to be better than the text's must be so by far
        text = parts[-1] if self.line > 1 and not self.asked else None
        best: list[Counted] = []
        phases: Sequence[Phase] = ()
        io = inf
        words_of_order: dict[int, float] = {}  # of orders, what is counted of them
        for limit in (1, EXACT):  # one of each order is counted before others of the first ones
            keys = {id(part): words_of_order.get(id(part), estimated(part)) for part in parts}
            for part in sorted(parts, key=lambda part: (part is not text, keys[id(part)])):
                if best and self.budget.over:
                    break
                if estimated(part) > FAR * io:
                    continue
                known = [
                    counted_phase
                    for phase in part
                    if (counted_phase := self._counted(phase, limit)) is not None
                ]
                if len(known) < len(part):
                    continue
                words_of_order[id(part)] = sum(counted_phase.io for counted_phase in known)
                if words_of_order[id(part)] < io:
                    best, io = known, words_of_order[id(part)] * (LEAD if part is text else 1)
                    phases = self._trees[
                        next(number for number, o in enumerate(parts) if o is part)
                    ]
        if not best:
            tiles = " in these tiles" * bool(self.asked)
            raise NoBufferError(f"no order of the program{tiles} has buffers within {memory} words")
        if not (self.cached or self.registers):  # LRU holds what passes, not what is chosen
            best = [self._polished(*pair) for pair in zip(best, phases, strict=True)]
            io = min(io, sum(counted_phase.io for counted_phase in best))
        return (*merged(best), io)

    def _of_tilings(self, seconds: float) -> "CodeOrder | None":
        """The best order of tilings that curves count; None where none is code."""
        if self.cached or self.registers or self.asked:
            return None
        best: CodeOrder | None = None
        for start in starts(self.nest, self.sizes, self.live, self.memory, seconds):
            self.least = start.least
            if best is not None and (best.io <= start.io or self.budget.over):
                continue
            code, obstacle = self.code_of(start)
            if code is None or code.io > start.io:
                self.obstacles.append((start.io, obstacle))
            if code is not None and (best is None or code.io < best.io):
                best = code
        # whole arrays have buffers where no size is free
        if not self.sizes and (best is None or best.io > self.least):
            self.budget = Budget(self.tilings)
            code, _ = self.code_of(as_written(self.nest))
            if code is not None and (best is None or code.io < best.io):
                best = code
        return best

    def code_of(self, start: Start) -> "tuple[CodeOrder | None, str]":
        """The code of a start, None where it has none, and what stands in its way.

        Parameters
        ----------
        start
            An order with its buffers.
        """
        if start.order is None:
            return None, start.obstacle
        time = start.order.time(self.nest)
        if not self.nest.is_legal(time):
            flow = self.nest.flow.intersect_params(self.nest.at(self.sizes))
            in_order = flow.is_subset(time.lex_lt_union_map(time))
            return None, OVERWRITING if in_order else UNPLACED
        return self._with_holds(start.order, start.depths), start.obstacle or BUFFERS

    def _with_holds(self, order: Order, holds: Mapping[Group, int]) -> "CodeOrder | None":
        """The order of a tiling with buffers that fit, the best near those of its holds."""
        depths, trials = Depths(holds), HOLDS
        measures = self._measures(order, depths)
        while True:
            start, best = depths, (measures, depths)
            for group, change in product(start, (1, -1)):
                # until all fits, the change that frees most; then each that moves less
                current = start if best[0][0] else best[1]
                depth = current[group] + change
                if depth >= 0 and trials and not self.budget.over:
                    trials -= 1
                    near = Depths({**current, group: depth})
                    best = min(best, (self._measures(order, near), near), key=itemgetter(0))
            measures, depths = best
            if depths is start:
                break
        excess, io, _ = measures
        return None if excess else CodeOrder(order, depths, io)

    def _measures(self, order: Order, depths: Mapping[Group, int]) -> tuple[float, float, float]:
        """Words that buffers take beyond the memory, words moved, and words of memory."""
        charge("code count", len(self.nest.steps))
        try:
            plan = Plan(self.nest, order, depths, self.live, at=self.at)
        except NoBufferError:
            return inf, inf, inf
        words = needed(plan, cached=False)
        excess = max(0, words - self.memory)
        return excess, inf if excess else sum(count(plan, self.sizes)), words

    def _polished(self, first: Counted, phase: Phase) -> Counted:
        """The best tiles with sides beside those of some, and of theirs, counted exactly."""
        best, tried, left = first, set[tuple[int, ...]](), POLISHED
        while True:
            start = best
            tiles = start.candidate.tiles
            sides = {
                key: sides_beside(int(phase.extents[phase.column[key]]), side)
                for key, side in tiles.sides.items()
                if 1 < side < NONE and key not in self._asked(phase)
            }
            changes = [{key: side} for key in sides for side in sides[key]]
            changes = [change for change in changes if _area(tiles.sides, change) > 1.0]
            changes += [
                change
                for key, other_key in permutations(sides, 2)
                for change in ({key: a, other_key: b} for a in sides[key] for b in sides[other_key])
                if change[key] > tiles.sides[key] and LEAST < _area(tiles.sides, change) < MOST
            ]
            depths = start.candidate.depths
            streams = [group for group in depths if group.indices is not None]
            near = [(tiles, {**depths, group: depths[group] + 1}) for group in streams]
            near += [
                (replace(tiles, sides={**tiles.sides, **change}), {**depths}) for change in changes
            ]
            for other_tiles, other_depths in near:
                key = *other_tiles.sides.values(), *other_depths.values()
                if key in tried:
                    continue
                tried.add(key)
                if not left or self.budget.over:
                    return best if best.io < first.io else first
                left -= 1
                candidate = replace(start.candidate, tiles=other_tiles, depths=other_depths)
                counted = self._exact(candidate, phase.phase)
                if counted is not None and (counted.io, counted.words) < (best.io, best.words):
                    best = counted
            if best is start:
                return best if best.io < first.io else first

    def _orders(self, seconds: float) -> Iterator[tuple[Ranges, Tree]]:
        """Yield orders: those of isl, and that of the text, in its bands and without tiles."""
        if self.by_tilings:
            return
        known: list[Tree] = []
        for tree in trees_of_all_sizes(self.nest, Budget(seconds)):
            for order in self._with_aligned(tree):
                known.append(order)
                yield self.general, order
                yield self.ranges, order
        for tree in scheduled_trees(self.nest, Budget(seconds)):
            trees = self._with_aligned(tree)
            yield from ((self.ranges, order) for order in trees if order not in known)
        yield self.ranges, banded_tree(self.nest)
        if not self.asked:
            yield self.ranges, text_tree(self.nest)

    def _with_aligned(self, tree: Tree) -> Iterator[Tree]:
        """Yield an order, and that in which its statements are run beside each other."""
        yield tree
        aligned = aligned_tree(self.nest, tree)
        if aligned is not None:
            yield aligned

    @property
    def at(self) -> Any:
        """Sizes at which held words have to fit: of a cache these alone, of buffers all."""
        return self.nest.at(self.sizes) if self.cached else None

    def _looked_at(self, phases: Sequence[Phase], share: float) -> list[list[Candidate]]:
        """Candidates for each phase of a tree, until a share of two thirds of the work."""
        until = (1 + share) / 3
        return [self._candidates(phase, until) for phase in phases]

    def _counted(self, candidates: Sequence[Candidate], limit: int) -> Counted | None:
        """The best of some candidates, so many counted exactly; None if there is none."""
        best: Counted | None = None
        tried = 0
        for candidate in candidates:
            if best is not None and (tried >= limit or self.budget.over):
                break
            if best is not None and best.io <= candidate.io and best.is_as_estimated:
                break
            if id(candidate) not in self._counts:
                self._counts[id(candidate)] = self._exact(candidate, candidate.phase)
            counted = self._counts[id(candidate)]
            if counted is not None:
                tried += 1
                if best is None or counted.io < best.io:
                    best = counted
        return best

    def _candidates(self, phase: Phase, until: float) -> list[Candidate]:
        """Candidates: with sums in registers, or without where these are none that fit."""
        sums = sums_of(phase, self.registers) if self.registers else {}
        candidates = self._with(phase, until, sums) if sums and is_legal(phase, sums) else []
        return sorted(
            [*candidates, *self._with(phase, until, {})], key=lambda candidate: candidate.io
        )

    def _with(self, phase: Phase, until: float, sums: dict[int, int]) -> list[Candidate]:
        """Candidates: the best of the drawn ones, and those near them."""
        free = [key for key in phase.keys if phase.bands[key] is not None]
        free = [key for key in free if phase.extents[phase.column[key]] > 1]
        if sums:
            bands = {phase.bands[key] for key in sums}
            free = [key for key in free if phase.bands[key] in bands]
        self._units = units(phase, sums, self.memory)
        rows = self._drawn(phase, free)
        candidates: list[Candidate] = []
        for sunk in (True,) if sums else self._sinks(phase, free):
            for rank in self._ranks(phase, free):
                if candidates and self._late(until):
                    break
                tiles = Tiles({}, rank, sunk, inner=phase.inner, registers=sums)
                candidates += self._made(phase, tiles, rows)
        best = different(sorted(candidates, key=lambda candidate: candidate.io))[:KEPT]
        for _ in range(ROUNDS if free else 0):
            if self._late(until):
                break
            for candidate in tuple(best):
                near = self._near(phase, _row(phase, candidate.tiles), free)
                best += list(self._made(phase, candidate.tiles, near))[:2]
            best = different(sorted(best, key=lambda candidate: candidate.io))[:KEPT]
        return different(sorted([*best, *candidates], key=lambda candidate: candidate.io))

    def _late(self, until: float) -> bool:
        """Whether a share of the work is done."""
        return self.budget.over or self.budget.spent > until

    def _price(self, tiles: Tiles) -> float:
        """Return the price of a word, where sums are to stay in registers and do not."""
        return WORTH if self.registers and not tiles.registers else 1.0

    def _sinks(self, phase: Phase, free: Sequence[int]) -> tuple[bool, ...]:
        """Whether single values may come after the chunks of all bands, and need not.

        Levels that may have no chunks then but single values are those of `_single`: the terms of a
        sum come in the order of the text, whatever tile the sums are in.
        """
        self._single = {}
        bands = len({phase.bands[key] for key in phase.keys})
        if not free or bands < 2:
            return (False,)
        first = {phase.bands[levels[0].key] for levels in phase.levels.values() if levels}
        inner = [key for key in free if phase.bands[key] not in first]
        sides = dict.fromkeys(free, 2)
        if not self._may_sink(phase, sides):
            sides |= dict.fromkeys(inner, 1)
            if not self._may_sink(phase, sides):
                return (False,)
            for key in inner:
                if self._may_sink(phase, sides | {key: 2}):
                    sides[key] = 2
            self._single = {key: 1 for key in inner if sides[key] == 1}
        return (True, False)

    def _may_sink(self, phase: Phase, sides: Mapping[int, int]) -> bool:
        """Whether single values may come after the chunks of all bands, with some sides."""
        order = tiled(phase.tree, Tiles(sides, {}))
        return bool(self.nest.is_legal(order.time(self.nest, [step.name for step in phase.steps])))

    def _drawn(self, phase: Phase, free: Sequence[int]) -> Int64Array:
        """Sides that are drawn, and none at all."""
        rows = np.full((DRAWN if free else 1, len(phase.keys)), NONE, np.int64)
        widest = int(max((phase.extents[phase.column[key]] for key in free), default=1))
        alike = self.random.choice(sides_of(widest, self.memory), DRAWN)
        for key in free:
            column = phase.column[key]
            drawn = self.random.choice(self._sides(phase, key), DRAWN)
            drawn[::2] = np.minimum(alike[::2], drawn.max())
            ends = self.random.random(DRAWN)
            rows[:, column] = np.where(ends < 0.3, 1, np.where(ends > 0.85, NONE, drawn))
            rows[0, column] = NONE
        return np.unique(rows, axis=0)

    def _sides(self, phase: Phase, key: int) -> Int64Array:
        """Sides of a level: whole lines where it goes along rows."""
        sides = sides_of(int(phase.extents[phase.column[key]]), self.memory)
        line = self.line if phase.inner[key] > 0 else 1
        unit = self._units.get(key, line)
        return np.unique(np.where(sides > 1, -(-sides // unit) * unit, 1))

    def _near(self, phase: Phase, row: Int64Array, free: Sequence[int]) -> Int64Array:
        """Rows of sides next to a given one: one or two sides are a step away."""
        choices = {}
        band = {}
        for key in free:
            column = phase.column[key]
            band[column] = phase.bands[key]
            side = int(row[column])
            grid = self._sides(phase, key).tolist()
            near = sorted(grid, key=partial(apart, min(side, max(grid))))[:7]
            choices[column] = sorted({1, NONE, *near, side})
        rows = [row.copy()]
        pairs = [(choice, choice) for choice in choices]
        pairs += [pair for pair in combinations(choices, 2) if len({*map(band.get, pair)}) == 1]
        for first, second in pairs:
            for a in choices[first]:
                for b in choices[second]:
                    new = row.copy()
                    new[first], new[second] = a, b
                    rows.append(new)
        return np.unique(np.stack(rows), axis=0)

    def _made(self, phase: Phase, tiles: Tiles, rows: Int64Array) -> Iterator[Candidate]:
        """Yield the best candidates with some sides."""
        for key, unit in self._units.items():
            column = rows[:, phase.column[key]]
            rows[:, phase.column[key]] = np.where(column < NONE, -(-column // unit) * unit, NONE)
        single = self._single if tiles.sunk and not tiles.registers else {}
        if single:
            rows = rows.copy()
        for key, side in (*self._asked(phase).items(), *single.items()):
            rows[:, phase.column[key]] = side
        charge("candidate", rows.size * len(phase.groups))
        for io, place, depths in phase.choices(
            tiles, rows, self.room - self.cached, cached=self.cached
        ):
            row = rows[place]
            depths |= {group: depths[first] for group, first in phase.joined.items()}
            known = ((depth, phase.joined.get(depth, depth)) for depth in depths)
            lines = {
                group: float(phase.shares[first, depths[first]][place])
                for group, first in known
                if (first, depths[first]) in phase.shares
            }
            sides = {
                key: int(row[phase.column[key]])
                for key in phase.keys
                if row[phase.column[key]] < NONE
            }
            yield Candidate(
                io * self._price(tiles),
                phase.tree,
                phase.phase,
                replace(tiles, sides=sides),
                {
                    group: _depth(phase, tiles, sides, group, depth)
                    for group, depth in depths.items()
                },
                lines,
            )

    def _ranks(self, phase: Phase, free: Sequence[int]) -> Iterable[dict[int, int]]:
        """Orders of chunks: that in which sides are asked for, or several."""
        asked = [key for key in self._asked(phase) if key in free]
        if len(asked) < 2:
            return _ranks(phase, free)
        others_free = [key for key in free if key not in asked]
        return [{key: place for place, key in enumerate((*asked, *others_free))}]

    def _asked(self, phase: Phase) -> dict[int, int]:
        """The sides that are asked for, by levels that go through one loop alone."""
        keys: dict[str, list[int]] = {name: [] for name in self.asked}
        for step in phase.steps:
            for level in phase.levels[step.name]:
                loops = [name for name in level.form.names if name.startswith("c")]
                if loops and level.band is not None:
                    name = step.loops[int(loops[-1][1:])].variable
                    if name in keys:
                        keys[name].append(level.key)
        return {key: self.asked[name] for name, level_keys in keys.items() for key in level_keys}

    def _exact(self, candidate: Candidate, phase: int) -> Counted | None:
        """Words and room of a candidate; None if it is not legal or does not fit."""
        counted: list[Counted] = []
        known: Order | None = None
        for split in (True, False)[bool(candidate.tiles.registers) :]:
            tiles = replace(candidate.tiles, split=split)
            order = tiled(candidate.tree, tiles)
            names = [step.name for step in self.nest.steps if order.phase(step.name) == phase]
            if order == known or not self.nest.is_legal(order.time(self.nest, names)):
                continue
            known = order
            try:
                charge("code count", len(names))
                depths = Depths(candidate.depths)
                plan = Plan(self.nest, order, depths, self.live, [phase], at=self.at)
            except NoBufferError:
                continue
            if needed(plan, cached=self.cached) <= self.memory:
                changed = replace(candidate, tiles=tiles)
                counts_of_buffers = counts(plan, self.sizes)
                io = sum(
                    sum(words) * changed.lines.get(group, 1.0) for group, words in counts_of_buffers
                )
                words = needed(plan, cached=self.cached)
                counted.append(Counted(io * self._price(tiles), words, changed))
        return min(counted, key=lambda result: result.io, default=None)


def _area(sides: Mapping[int, int], change: Mapping[int, int]) -> float:
    """How many times as many values tiles have with some other sides."""
    return prod(side / sides[key] for key, side in change.items())


def needed(plan: Plan, *, cached: bool) -> int:
    """The words of fast memory that the code of a plan takes.

    One is for a result beside its operands. LRU keeps words that stream by once more, before it
    comes back to a tile: gemm by tiles of a x b takes a b + a + 2 b + 2 words.
    """
    streams = sorted(buffer.words for buffer in plan.buffers)[:-1]
    return plan.words + 1 + (1 + max(streams, default=0) if cached else 0)


def count(plan: Plan, sizes: Mapping[str, int]) -> tuple[int, int]:
    """The words that the code of a plan loads and stores, by formula."""
    words = [words for _, words in counts(plan, sizes)]
    return sum(loads for loads, _ in words), sum(stores for _, stores in words)


def counts(plan: Plan, sizes: Mapping[str, int]) -> list[tuple[Group, tuple[int, int]]]:
    """The words that go to each buffer, and come from it."""
    names = Names([*plan.nest.program.sizes, *plan.nest.program.dimensions])
    buffers = [f"B{number}" for number in range(len(plan.buffers))]
    values = {names[name]: value for name, value in sizes.items()}
    copies = Generation(plan, names, buffers).copies(plan.nest.at(sizes))
    return [
        (buffer.group, counted(copies_of_buffer, values)) for buffer, copies_of_buffer in copies
    ]


def _row(phase: Phase, tiles: Tiles) -> Int64Array:
    """The sides of tiles, in the order of the keys of a phase."""
    return np.array([tiles.sides.get(key, NONE) for key in phase.keys], np.int64)


def _ranks(phase: Phase, free: Sequence[int]) -> Iterator[dict[int, int]]:
    """Yield orders of levels in which those come last that an array does not depend on."""
    depends = []
    for group in phase.groups:
        keys = set()
        for step, accesses in phase.members[group]:
            for position in range(len(accesses[0].indices)):
                weights = phase.weight(step, accesses[0], position)
                if weights is not None:
                    pairs = zip(phase.levels[step.name], weights, strict=True)
                    keys |= {level.key for level, weight in pairs if abs(weight) > 1e-6}
        if keys and keys not in depends:
            depends.append(keys)
    seen: dict[tuple[int, ...], None] = dict.fromkeys([tuple(free)])
    for chosen in permutations(depends[:5], min(len(depends), 3)):
        order = sorted(free, key=lambda key: ([key not in dependent for dependent in chosen], key))
        seen[tuple(order)] = None
    for ranks in list(seen)[:ORDERS]:
        yield {key: place for place, key in enumerate(ranks)}


def _depth(phase: Phase, tiles: Tiles, sides: Mapping[int, int], group: Group, depth: int) -> int:
    """How many of the levels that there are, are among some first ones."""
    members = phase.members[phase.joined.get(group, group)]
    rows = max((phase.rows(step.name, tiles) for step, _ in members), key=len)
    return sum(
        1
        for key, kind in rows[:depth]
        if (key in sides if kind == CHUNK else kind != POINT or sides.get(key, 0) != 1)
    )


def _phases(tree: Tree) -> set[int]:
    return {path[0] for path in tree.values() if isinstance(path[0], int)}
