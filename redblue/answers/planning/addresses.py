"""Placed plans: a schedule whose values have addresses, beside the bound on every schedule.

Words of the game may be anywhere, tensors lie in one piece: a schedule that fits may have no
addresses. Each placed schedule is a schedule of the game, so the bound of the game holds for placed
plans, too. The best schedule for the memory is placed if it can be; where it cannot, schedules for
less memory are found, which leave room between the tensors, until one can be placed, and the best
of those that were placed is kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dags import CDAG
from dags.arguments import checked
from dags.errors import RedBlueError
from pebble import (
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
from pebble.placement import Stay, buffers_of, judge_placement, stays
from redblue.answers.planning.placed import PlacedPlan
from redblue.answers.planning.ranges import peak_words
from redblue.answers.sources import Memory, RulesLike, Source, label_of, load, rules_of
from redblue.answers.words import words_of
from redblue.limits.progress import Message, silent
from redblue.racing.solving import solve
from schedulers import ORDERS, accesses, scheduler_named
from schedulers.placement import place

# Shares of the memory for which schedules are found where the best one has no addresses.
LESS = (0.99, 0.98, 0.97, 0.95, 0.93, 0.9, 0.86, 0.8, 0.7, 0.6, 0.5)
FIRST_SHARE = 0.8  # of the time, for the schedule and the bound of the whole memory
SMALL_SHARE = 0.25  # of the time that is left, for each schedule with less memory
LEAST_SECONDS = 0.5  # of a schedule with less memory
PLACING = 300_000_000  # steps of each search for addresses, under a second
QUICK = ("natural+belady-cost", "least-live+belady-cost", "depth-first+belady-cost")
TIME_LIMIT = 60.0


class NoAddressesError(RedBlueError):
    """No schedule that was found has addresses in the memory."""


@checked
def placed_plan(
    source: Source,
    memory: Memory,
    *,
    rules: RulesLike = ONE_SHOT,
    alignment: int = 1,
    time_limit: float = TIME_LIMIT,
    seed: int = 0,
    price_of_work: float = 0.0,
    spec: str = "",
    progress: Message | None = None,
) -> PlacedPlan:
    """Return the best schedule that was found whose values have addresses, and the bound.

    Parameters
    ----------
    source, memory, rules
        The game, as for `solve`.
    alignment
        Every address is a multiple of this. Addresses are in bytes where the computation says how
        many a word has, and in words otherwise.
    time_limit
        Seconds, roughly.
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

    Examples
    --------
    >>> placed_plan("fft:n=8", 6, time_limit=2).count.io
    24
    """
    dag, words, game = load(source).dag, words_of(memory, source), rules_of(rules)
    require_memory(dag, words, rules=game)
    word = dag.word_bytes or 1
    budget, tell = Budget(time_limit, seed=seed), progress or silent
    search = _Search(dag, words, game, word, alignment)
    first = solve(
        dag,
        words,
        rules=game,
        seed=seed,
        time_limit=budget.left * FIRST_SHARE,
        price_of_work=price_of_work,
        progress=progress,
    )
    search.offer(first.schedule, first.method, words)
    if search.best is None or search.best.io > first.count.io:
        for memory_left, schedule, method in _with_less(search, budget, tell, seed, price_of_work):
            search.offer(schedule, method, memory_left)
            if search.best is not None and memory_left <= search.best.found_for:
                break
    best = search.best
    if best is None:
        raise NoAddressesError(
            f"no schedule that was found has addresses in {words:,} words of fast memory: "
            f"{search.tried} were tried"
        )
    return PlacedPlan(
        dag=dag,
        spec=label_of(source, spec),
        rules=game,
        memory=words,
        unit=word,
        in_bytes=dag.word_bytes is not None,
        alignment=alignment,
        schedule=best.schedule,
        count=judge(dag, best.schedule, words, rules=game),
        spans=best.spans,
        offsets=best.offsets,
        bound=first.bound,
        method=best.method,
        found_for=best.found_for,
        peak_of_order=peak_words(accesses(dag, ORDERS["natural"](dag))),
    )


@dataclass(frozen=True)
class _Candidate:
    """A schedule with addresses."""

    schedule: Schedule
    spans: tuple[Stay, ...]
    offsets: tuple[int, ...]
    io: int
    method: str
    found_for: int


class _Search:
    """The best placed schedule so far."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules, unit: int, alignment: int) -> None:
        self.dag, self.memory, self.rules = dag, memory, rules
        self.unit, self.alignment = unit, alignment
        self.best: _Candidate | None = None
        self.tried = 0

    def offer(self, schedule: Schedule, method: str, found_for: int) -> bool:
        """Place a schedule, keep it if it moves fewer words; return whether it has addresses."""
        self.tried += 1
        tight = shortened(self.dag, schedule, self.rules)
        spans = stays(self.dag, tight, rules=self.rules)
        io = judge(self.dag, tight, self.memory, rules=self.rules).io
        if self.best is not None and io >= self.best.io:
            return False
        buffers = buffers_of(self.dag, spans, alignment=self.alignment, word_bytes=self.unit)
        placed = place(buffers, self.memory * self.unit, work=PLACING)
        if placed.offsets is None:
            return False
        judge_placement(buffers, placed.offsets, self.memory * self.unit)
        self.best = _Candidate(tight, spans, placed.offsets, io, method, found_for)
        return True


def _with_less(
    search: _Search, budget: Budget, tell: Message, seed: int, price: float
) -> Iterator[tuple[int, Schedule, str]]:
    """Yield schedules for less memory: quick ones of all sizes, then the best in the time."""
    least = min_memory(search.dag, rules=search.rules)
    sizes = sorted({max(int(search.memory * share), least) for share in LESS}, reverse=True)
    sizes = [size for size in sizes if size < search.memory]
    quick = [(size, name) for size in (search.memory, *sizes) for name in QUICK]
    for size, name in quick:
        try:
            schedule = scheduler_named(name)(search.dag, size, rules=search.rules)
        except MemoryTooSmallError:
            continue
        search.offer(schedule, f"{name} with {size:,} words", search.memory)
    for size in sizes:
        if budget.over or budget.left < LEAST_SECONDS:
            return
        tell(f"placing a schedule for {size:,} words")
        found = solve(
            search.dag,
            size,
            rules=search.rules,
            seed=seed,
            time_limit=max(budget.left * SMALL_SHARE, LEAST_SECONDS),
            price_of_work=price,
        )
        yield size, found.schedule, found.method


def shortened(dag: CDAG, schedule: Schedule, rules: Rules) -> Schedule:
    """Return a schedule with the same computations and stores, and the shortest stays.

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
    """Return the operands of a vertex."""
    row = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]
    return [int(u) for u in row]
