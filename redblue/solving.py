"""Solver: the best schedule of a DAG that is found in a given time, and a bound on every other."""

import time
from functools import cache, partial
from math import inf

from dags import CDAG, random_layered
from pebble import ONE_SHOT, Rules, Schedule, min_memory, play, require_memory
from proofs import Bound, compulsory, searched_bound, with_play
from redblue.progress import Message, silent
from redblue.proving import bounds_in
from redblue.results import describe
from redblue.solutions import Solution
from redblue.solvers import Solver, solver_named
from redblue.sources import Source, label_of, load
from redblue.store.cells import Cell, Outcome
from redblue.sweeps.artefacts import schedule_of
from redblue.sweeps.errors import SweepError
from redblue.sweeps.runner import sweep
from schedulers import SearchResult
from schedulers.exact import TooLargeError, exact
from schedulers.portfolio import best

TIME_LIMIT = 60.0
MAX_MEMORY = 2 << 30
# Share of the time for a first schedule, and for bounds, of a DAG that exact search takes; and
# no more seconds than these.
QUICK, MOST_QUICK = 0.1, 5.0
PROVING = 0.4  # share of the time for the bounds of a DAG that it does not take
GLANCE = 0.3  # seconds of exact search before anything else: most tiny DAGs need no more
SEARCH = "redblue.solving_cells:search"


def solve(
    source: Source,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float = TIME_LIMIT,
    method: str | Solver | None = None,
    max_memory: int = MAX_MEMORY,
    jobs: int = 1,
    spec: str = "",
    progress: Message | None = None,
) -> Solution:
    """Return the best schedule and the best bound that can be found in the time.

    A DAG that exact search takes (up to 64 values that are computed, and as many that are read)
    gets a first schedule, then bounds, then the exact search; a larger one gets bounds and then
    the search for schedules. It ends as soon as bound and schedule meet. Interrupted from the
    keyboard it returns what it has.

    Parameters
    ----------
    source, memory, rules
        The game: a DAG or what `redblue.load` takes, words of fast memory, and the rules.
    seed
        Seed of the searches.
    time_limit
        Seconds, roughly; a first schedule and the compulsory bound are made whatever the limit.
        What Numba takes to compile, once on a machine, does not count.
    method
        One of `redblue.solvers.SOLVERS`, to run alone, or a function like them, beside which
        bounds are proved; None for all that help.
    max_memory
        Bytes that the exact search may take.
    jobs
        Number of searches for schedules that run side by side, each with a seed of its own.
    spec
        Label of the DAG in results.
    progress
        Called with what is being done, and what is known by then, in a few words.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    UnknownNameError
        If there is no such method.
    TooLargeError
        If the method is the exact search and the DAG is too large for it.

    Examples
    --------
    >>> solution = solve("fft:n=4", 4)
    >>> solution.count.io, solution.lower_bound, solution.status
    (11, 11, 'optimal')
    """
    dag = load(source)
    require_memory(dag, memory, rules=rules)
    alone = solver_named(method) if isinstance(method, str) else method
    tell = progress or silent
    tell("compiling")
    compile_searches(rules.recompute)
    race = _Race(dag, memory, rules, seed, time.monotonic() + time_limit)
    began = time.monotonic()
    try:
        if alone is None:
            _run(race, max_memory, jobs, tell)
        else:
            _run_alone(race, alone, max_memory)
            if not isinstance(method, str) and not race.over:
                _prove(race, race.left)
    except KeyboardInterrupt:
        if race.schedule is None:
            raise
    assert race.schedule is not None  # the first schedule takes no notice of the limit
    return Solution(
        dag=describe(dag, label_of(source, spec), rules=rules),
        rules=rules,
        memory=memory,
        schedule=race.schedule,
        count=play(dag, race.schedule, memory, rules=rules),
        method=race.method,
        lower_bound=race.lower_bound,
        proved_by=race.proved_by,
        bound=race.certified,
        seconds=time.monotonic() - began,
        states=race.states,
    )


@cache
def compile_searches(recompute: bool) -> None:
    """Let Numba compile the searches on a game of a few moves, before the time begins."""
    sample = random_layered(12, max_words=2, seed=1)
    memory = min_memory(sample)
    best(sample, memory, time_limit=None, iterations=20)
    exact(sample, memory)
    if recompute:
        exact(sample, memory, rules=Rules(recompute=True), time_limit=1.0)


class _Race:
    """The best of both sides so far."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules, seed: int, end: float) -> None:
        self.dag, self.memory, self.rules, self.seed, self.end = dag, memory, rules, seed, end
        self.schedule: Schedule | None = None
        self.io = 0
        self.method = ""
        self.bound = compulsory(dag, memory, rules=rules)
        self.lower_bound, self.proved_by = self.bound.io, self.bound.method
        self.states = 0

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(self.end - time.monotonic(), 0.0)

    @property
    def known(self) -> str:
        """The best schedule and bound so far, in a few words."""
        if self.schedule is None:
            return f"at least {self.lower_bound:,} words"
        return f"{self.io:,} words, at least {self.lower_bound:,} by {self.proved_by}"

    @property
    def over(self) -> bool:
        """True if both sides have met, or the time is up."""
        return self.schedule is not None and (self.io == self.bound.io or self.left == 0)

    @property
    def certified(self) -> Bound:
        """The best bound with a certificate, with the schedule where that meets it."""
        met = self.schedule is not None and self.io == self.bound.io
        return with_play(self.bound, self.schedule) if met and self.schedule else self.bound

    def take(self, result: SearchResult) -> None:
        """Take what is better of a search's result."""
        self.states += result.states
        better = self.schedule is None or (result.io is not None and result.io < self.io)
        if better and result.schedule is not None and result.io is not None:
            self.schedule, self.io, self.method = result.schedule, result.io, result.method
        if result.method == "exact" and result.lower_bound > self.bound.io:
            self.prove(
                searched_bound(self.dag, self.memory, rules=self.rules, io=result.lower_bound)
            )
        self.claim(result.lower_bound, result.method)

    def prove(self, bound: Bound) -> None:
        """Take a bound with a certificate if it is larger."""
        if bound.io > self.bound.io:
            self.bound = bound
        self.claim(bound.io, bound.method)

    def claim(self, io: int, method: str) -> None:
        """Take a bound if it is larger, with or without a certificate."""
        if io > self.lower_bound:
            self.lower_bound, self.proved_by = io, method


def _run(race: _Race, max_memory: int, jobs: int, tell: Message) -> None:
    """Let the methods race until they meet or the time is over."""
    small = race.dag.computed.size <= 64
    tell(f"looking for a first schedule: {race.known}")
    race.take(_search(race, 0.0))
    quick = min(QUICK * race.left, MOST_QUICK)
    stages: dict[str, partial[None]] = {}
    if small:
        stages = {
            "trying an exact search": partial(_exactly, race, max_memory, GLANCE),
            "improving the schedule": partial(_improve, race, quick),
        }
    stages |= {
        "proving bounds": partial(_prove, race, quick if small else PROVING * race.left),
        "searching exactly": partial(_exactly, race, max_memory),
        "searching": partial(_side_by_side, race, jobs),
    }
    for what, stage in stages.items():
        if race.over:
            return
        tell(f"{what}: {race.known}")
        stage()


def _run_alone(race: _Race, solver: Solver, max_memory: int) -> None:
    """Let one solver have all of the time; a first schedule is there if it finds none."""
    race.take(
        solver(
            race.dag,
            race.memory,
            rules=race.rules,
            seed=race.seed,
            time_limit=race.left,
            lower_bound=race.lower_bound,
            max_memory=max_memory,
        )
    )
    if race.schedule is None:
        race.take(_search(race, 0.0))
    if race.bound.io < race.lower_bound == race.io:  # an optimum without a certificate
        _exactly(race, max_memory)


def _search(race: _Race, seconds: float) -> SearchResult:
    """Return the best schedule found in so many seconds."""
    return best(
        race.dag,
        race.memory,
        rules=race.rules,
        seed=race.seed,
        time_limit=seconds,
        lower_bound=race.lower_bound,
    )


def _prove(race: _Race, seconds: float) -> None:
    """Let all bounds that apply work for so many seconds."""
    limit, game = min(seconds, race.left), (race.dag, race.memory)
    for bound in bounds_in(*game, rules=race.rules, seed=race.seed, seconds=limit):
        race.prove(bound)
        if race.over:
            return


def _improve(race: _Race, seconds: float) -> None:
    """Search for a better schedule for so many seconds."""
    race.take(_search(race, seconds))


def _exactly(race: _Race, max_memory: int, seconds: float = inf) -> None:
    """Search exactly, where the DAG is small enough, for most of the time that is left.

    Parameters
    ----------
    race
        What is known, and until when it may go on.
    max_memory
        Bytes that the search may take.
    seconds
        Seconds that it may take at most.
    """
    try:
        race.take(
            exact(
                race.dag,
                race.memory,
                rules=race.rules,
                time_limit=min(0.9 * race.left, seconds),
                max_memory=max_memory,
                upper=race.schedule,
            )
        )
    except TooLargeError:
        return


def _side_by_side(race: _Race, jobs: int) -> None:
    """Search for schedules, with as many seeds as there are jobs, for the rest of the time."""
    if jobs == 1:
        race.take(_search(race, race.left))
        return
    limits = {"seconds": race.left, "lower_bound": race.lower_bound}
    cells = [
        Cell(SEARCH, "searched", "", race.memory, race.rules, race.seed + job, limits)
        for job in range(jobs)
    ]
    for outcome in sweep(cells, dags={"searched": race.dag}, jobs=jobs, keep=True):
        if outcome.artefact is None:
            raise SweepError(f"a search failed: {outcome.error}")
        race.take(_found(outcome))


def _found(outcome: Outcome) -> SearchResult:
    """Return the result of a search from the outcome of its cell."""
    assert outcome.artefact is not None
    return SearchResult(**{**outcome.result, "schedule": schedule_of(outcome.artefact)})
