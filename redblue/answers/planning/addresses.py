"""Placed plans: a schedule whose values have addresses, beside the bound on every schedule.

Words of the game may be anywhere, tensors lie in one piece: a schedule that fits may have no
addresses. Each placed schedule is a schedule of the game, so the bound of the game holds for placed
plans, too. The best schedule for the memory is placed if it can be; where it cannot, schedules for
less memory are found, which leave room between the tensors, until one can be placed, and the best
of those that were placed is kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING

from dags import CDAG
from dags.arguments import checked
from dags.errors import ArgumentError, InvalidSpecError, RedBlueError, one_line
from pebble import (
    MOST_WORDS,
    ONE_SHOT,
    Budget,
    MemoryTooSmallError,
    Move,
    Rules,
    Schedule,
    judge,
    min_memory,
    require_memory,
)
from pebble.budget import running_clock, under
from pebble.placement import Buffer, Stay, buffers_of, in_place_pairs, judge_stays, stays
from proofs.bounds.compulsory import compulsory
from redblue.answers.planning.placed import PlacedPlan
from redblue.answers.planning.ranges import peak_words
from redblue.answers.solutions import Solution
from redblue.answers.sources import Memory, RulesLike, Source, label_of, load, rules_of
from redblue.answers.words import words_of
from redblue.limits.interrupts import noticed_interrupts
from redblue.limits.progress import Message, silent
from redblue.racing.solving import solve
from schedulers import ORDERS, accesses, scheduler_named
from schedulers.eviction.kept import kept_schedule
from schedulers.placement import place
from schedulers.search.sequences import first_computes

if TYPE_CHECKING:
    from proofs import Bound

# Shares of the memory for which schedules are found where the best one has no addresses.
LESS = (0.99, 0.98, 0.97, 0.95, 0.93, 0.9, 0.86, 0.8, 0.7, 0.6, 0.5)
FIRST_SHARE = 0.8  # of the time, for the schedule and the bound of the whole memory
SMALL_SHARE = 0.25  # of the time that is left, for each schedule with less memory
LEAST_SECONDS = 0.5  # of a schedule with less memory
PLACING = 300_000_000  # steps of each search for addresses, under a second
QUICK = ("natural+belady-cost", "least-live+belady-cost", "depth-first+belady-cost")
WORK = 60.0  # seconds of the reference machine, where no limit is given
BRIEFLY = 20_000_000  # of the first, quick schedules, and once the time is over


class NoAddressesError(RedBlueError):
    """No schedule that was found has addresses in the memory."""


@checked
def placed_plan(
    source: Source,
    memory: Memory,
    *,
    rules: RulesLike = ONE_SHOT,
    alignment: int = 1,
    time_limit: float | None = None,
    seed: int = 0,
    price_of_work: float = 0.0,
    spec: str = "",
    progress: Message | None = None,
) -> PlacedPlan:
    """The best schedule found whose values have addresses, and a lower bound.

    Demands on single values (`CDAG.demands`) are met: alignments, addresses,
    values that are never spilled. Ctrl-C ends the search, and the best plan so far is returned.

    Parameters
    ----------
    source, memory, rules
        The game, as for `solve`.
    alignment
        Every address is a multiple of this. Addresses are in bytes where the computation says how
        many a word has, and in words otherwise.
    time_limit
        Seconds, three quarters of which are work; None for a minute of work.
    seed
        Seed of the searches.
    price_of_work
        As for `solve`.
    spec
        Label of the computation in results.
    progress
        Called with the work at hand.

    Raises
    ------
    NoAddressesError
        If no schedule that was found can be placed.
    MemoryTooSmallError
        If a vertex cannot be computed with the memory.
    InvalidSpecError
        If a value is pinned beyond the memory, or two that are needed together share addresses.

    Examples
    --------
    >>> placed_plan("fft:n=8", 6, time_limit=2).count.io
    24
    """
    dag, words, game = load(source).dag, words_of(memory, source), rules_of(rules)
    work = WORK if time_limit is None else None
    with noticed_interrupts() as pressed:
        budget = Budget.within(time_limit, work, seed=seed, stop=pressed)
        search = PlanSearch(dag, words, game, alignment, budget, price_of_work)
        try:
            with under(budget.clock or running_clock()):
                search.run(progress or silent)
        except KeyboardInterrupt:
            if search.best is None:
                raise
    return search.plan(label_of(source, spec))


@dataclass(frozen=True)
class _Candidate:
    """A schedule with addresses."""

    schedule: Schedule
    spans: tuple[Stay, ...]
    offsets: tuple[int, ...]
    io: int
    method: str
    found_for: int


class PlanSearch:
    """The search for a placed plan, and the best so far, which outlives an interruption.

    Parameters
    ----------
    dag, memory, rules
        The game.
    alignment
        Every address is a multiple of this.
    budget
        Seconds, seed, and what says that the search is to end.
    price_of_work
        As for `solve`.
    """

    def __init__(
        self,
        dag: CDAG,
        memory: int,
        rules: Rules,
        alignment: int,
        budget: Budget,
        price_of_work: float = 0.0,
    ) -> None:
        if not 1 <= alignment <= MOST_WORDS:
            raise ArgumentError(f"alignment must be from 1 to 2^62, not {alignment}")
        require_memory(dag, memory, rules=rules)
        self.dag, self.memory, self.rules, self.alignment = dag, memory, rules, alignment
        self.unit = dag.word_bytes or 1
        self.budget, self.price = budget, price_of_work
        self.best: _Candidate | None = None
        self.bound: Bound = compulsory(dag, memory, rules=rules)
        self.tried = 0
        demands = dag.demands
        self.kept = [] if demands is None else demands.unspilled.nonzero()[0].tolist()
        require_sense(dag, memory * self.unit, self.unit)

    def run(self, tell: Message = silent) -> None:
        """Search until the time is over, or the best schedule of all is placed."""
        tell("placing first schedules")
        for size, schedule, method in self._quick():
            if self.best is not None and size < self.best.found_for:
                break
            self.offer(schedule, method, size, work=BRIEFLY)
        first = self._solved(self.memory, self.budget.left * FIRST_SHARE, tell)
        self.bound = max(self.bound, first.bound, key=lambda bound: bound.io)
        self.offer(first.schedule, first.method, self.memory)
        if self.best is None or self.best.io > first.count.io:
            self._with_less(tell)

    def plan(self, spec: str) -> PlacedPlan:
        """The best plan so far.

        Parameters
        ----------
        spec
            Label of the computation.

        Raises
        ------
        NoAddressesError
            If there is none.
        """
        dag, best = self.dag, self.best
        if best is None:
            unit = "bytes" if dag.word_bytes == 1 else "words"
            kept = "1 value is" if len(self.kept) == 1 else f"{len(self.kept)} values are"
            more = f", and {kept} never to be spilled" if self.kept else ""
            raise NoAddressesError(
                f"no schedule that was found has addresses in {self.memory:,} {unit} of fast "
                f"memory: {self.tried} were tried{more}"
            )
        return PlacedPlan(
            dag=dag,
            spec=spec,
            rules=self.rules,
            memory=self.memory,
            unit=self.unit,
            in_bytes=dag.word_bytes is not None,
            alignment=self.alignment,
            schedule=best.schedule,
            count=judge(dag, best.schedule, self.memory, rules=self.rules),
            spans=best.spans,
            offsets=best.offsets,
            bound=self.bound,
            method=best.method,
            found_for=best.found_for,
            peak_of_order=peak_words(accesses(dag, ORDERS["natural"](dag))),
        )

    def offer(
        self, schedule: Schedule, method: str, found_for: int, *, work: int = PLACING
    ) -> None:
        """Place a schedule, and keep it if it moves fewer words than the best.

        Where values are never to be spilled, schedules in its order are placed that spill others.

        Parameters
        ----------
        schedule, method
            The schedule, and what found it.
        found_for
            Words of memory for which it was found.
        work
            Steps of the search for addresses; fewer once the time is over.
        """
        self.tried += 1
        kept: Schedule | None = schedule
        if self.kept:
            order = first_computes(self.dag, schedule)
            kept = kept_schedule(self.dag, order, found_for, self.kept, rules=self.rules)
        if kept is None:
            return
        tight = shortened(self.dag, kept, self.rules)
        spans = stays(self.dag, tight, rules=self.rules)
        io = judge(self.dag, tight, self.memory, rules=self.rules).io
        if self.best is not None and io >= self.best.io:
            return
        offsets = self._addresses(spans, min(work, BRIEFLY) if self.budget.over else work)
        if offsets is not None:
            self.best = _Candidate(tight, spans, offsets, io, method, found_for)

    def _addresses(self, spans: tuple[Stay, ...], work: int) -> tuple[int, ...] | None:
        """Addresses of stays, which the referee has judged; None where none are found.

        A result that may be computed in place is put where its operand is; if that cannot be, all
        are put elsewhere.
        """
        capacity = self.memory * self.unit
        how = {"alignment": self.alignment, "word_bytes": self.unit}
        buffers = buffers_of(self.dag, spans, **how)
        pairs = in_place_pairs(self.dag, spans)
        for chosen in (pairs, []) if pairs else ([],):
            joined, of = _joined(buffers, chosen, apart=pairs)
            placed = place(joined, capacity, work=work)
            if placed.offsets is not None:
                offsets = tuple(placed.offsets[index] for index in of)
                judge_stays(self.dag, spans, offsets, capacity, **how)
                return offsets
        return None

    def _quick(self) -> Iterator[tuple[int, Schedule, str]]:
        """Yield quick schedules for all of the memory and for less."""
        for size in (self.memory, *self._sizes()):
            for name in QUICK:
                try:
                    schedule = scheduler_named(name)(self.dag, size, rules=self.rules)
                except MemoryTooSmallError:
                    continue
                yield size, schedule, f"{name} with {size:,} words"

    def _sizes(self) -> list[int]:
        """Sizes of less memory, falling."""
        least = min_memory(self.dag, rules=self.rules)
        sizes = {max(int(self.memory * share), least) for share in LESS}
        return sorted((size for size in sizes if size < self.memory), reverse=True)

    def _with_less(self, tell: Message) -> None:
        """Place schedules for less memory, the best that are found in the time."""
        for size, schedule, method in self._quick():
            if self.budget.over:
                return
            self.offer(schedule, method, size)
        for size in self._sizes():
            if self.budget.over or self.budget.left < LEAST_SECONDS:
                return
            tell(f"placing a schedule for {size:,} words")
            seconds = max(self.budget.left * SMALL_SHARE, LEAST_SECONDS)
            solution = self._solved(size, seconds, silent)
            self.offer(solution.schedule, solution.method, size)
            if self.best is not None and size <= self.best.found_for:
                return

    def _solved(self, memory: int, seconds: float, tell: Message) -> Solution:
        """The best schedule for some memory that is found in the time."""
        return solve(
            self.dag,
            memory,
            rules=self.rules,
            seed=self.budget.seed,
            effort=seconds,
            price_of_work=self.price,
            progress=tell,
        )


def _joined(
    buffers: Sequence[Buffer], pairs: Sequence[tuple[int, int]], apart: Sequence[tuple[int, int]]
) -> tuple[list[Buffer], list[int]]:
    """Buffers in which results are joined to the operands whose place they take.

    Parameters
    ----------
    buffers
        A buffer for each stay.
    pairs
        The stays of an operand and of the result that takes its place.
    apart
        Pairs that must not share addresses where they are not joined: the operand is read while the
        result is written.

    Returns
    -------
    tuple
        The buffers, and for each stay which of them it is.
    """
    joined = list(buffers)
    of = list(range(len(buffers)))
    for before, _ in apart if not pairs else ():
        joined[before] = replace(joined[before], upper=joined[before].upper + 1)
    for before, after in pairs:  # the operand's stay begins first
        root, own = of[before], joined[after]
        first = joined[root]
        if None not in (first.offset, own.offset) and first.offset != own.offset:
            joined[root] = replace(first, upper=first.upper + 1)
            continue
        joined[root] = replace(
            first,
            upper=own.upper,
            alignment=lcm(first.alignment, own.alignment),
            offset=own.offset if first.offset is None else first.offset,
        )
        of[after] = root
    kept = sorted(set(of))
    number = {root: place for place, root in enumerate(kept)}
    return [joined[root] for root in kept], [number[root] for root in of]


def require_sense(dag: CDAG, capacity: int, unit: int) -> None:
    """Raise InvalidSpecError for addresses that no plan can have.

    Parameters
    ----------
    dag
        The computation.
    capacity
        Bytes or words of fast memory: what addresses count.
    unit
        So many of them a word.
    """
    if dag.demands is None:
        return
    pinned = dag.demands.address.tolist()
    ends = [address + size * unit for address, size in zip(pinned, dag.sizes.tolist(), strict=True)]
    for v in range(dag.n):
        if pinned[v] >= 0 and ends[v] > capacity:
            raise InvalidSpecError(
                f"{_called(dag, v)} is pinned at {pinned[v]:,} and ends at {ends[v]:,}, in memory "
                f"of {capacity:,}"
            )
        together = [u for u in (*_operands(dag, v), v) if pinned[u] >= 0 and dag.is_computed[v]]
        together.sort(key=lambda u: pinned[u])
        for u, w in pairwise(together):
            in_place = v in (u, w) and pinned[u] == pinned[w]
            if ends[u] > pinned[w] and not in_place:
                raise InvalidSpecError(
                    f"{_called(dag, u)}, pinned at {pinned[u]:,} to {ends[u]:,}, and "
                    f"{_called(dag, w)}, pinned at {pinned[w]:,}, overlap, and computing "
                    f"{_called(dag, v)} takes both"
                )


def _called(dag: CDAG, vertex: int) -> str:
    """The name of a value in a message."""
    return one_line(dag.labels[vertex] if dag.labels is not None else f"vertex {vertex}", 40)


def shortened(dag: CDAG, schedule: Schedule, rules: Rules) -> Schedule:
    """A schedule with the same computations and stores, and the shortest stays.

    A value is stored as soon as it is computed, loaded before its first use in a stay and deleted
    after its last, so fast memory holds at each computation what it held before, or less. A load
    without a use is left out. Under sliding rules a schedule stays as it is, as a deletion there
    belongs to the computation before it; so it does with partial computation.

    Parameters
    ----------
    dag
        The computation.
    schedule
        A legal schedule with one fast memory.
    rules
        The rules of the game.
    """
    if rules.sliding or rules.partial:
        return schedule
    moves = list(schedule)
    before: dict[int, list[int]] = {}  # computation: values that are loaded for it
    last: dict[int, int] = {}  # value in fast memory: the last computation of its stay
    waiting: set[int] = set()  # loaded, and not used yet
    stored: set[int] = set()  # computations whose results are stored
    made: dict[int, int] = {}  # value in fast memory that was computed there: when
    after: dict[int, list[int]] = {}  # computation: values that are deleted after it
    for index, (move, v) in enumerate(moves):
        if move is Move.LOAD:
            waiting.add(v)
        elif move is Move.COMPUTE:
            for u in _operands(dag, v):
                if u in waiting:
                    waiting.remove(u)
                    before.setdefault(index, []).append(u)
                last[u] = index
            last[v] = made[v] = index
        elif move is Move.STORE:
            stored.add(made[v])
        else:
            waiting.discard(v)
            made.pop(v, None)
            if v in last:
                after.setdefault(last.pop(v), []).append(v)
    for v, index in last.items():
        after.setdefault(index, []).append(v)
    rows: list[tuple[Move, int]] = []
    for index, (move, v) in enumerate(moves):
        if move is Move.COMPUTE:
            rows += [(Move.LOAD, u) for u in before.get(index, ())]
            rows.append((move, v))
            rows += [(Move.STORE, v)] if index in stored else []
            rows += [(Move.DELETE, u) for u in after.get(index, ())]
    return Schedule([move for move, _ in rows], [v for _, v in rows])


def _operands(dag: CDAG, vertex: int) -> Sequence[int]:
    """The operands of a vertex."""
    row = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]
    return [int(u) for u in row]
