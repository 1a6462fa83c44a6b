"""The best schedule and the best bound of a game so far, and exact search as long as it pays."""

import time
from collections.abc import Callable, Iterator, Sequence
from math import inf, log
from typing import Any

from dags import CDAG
from pebble import UNLIMITED, Budget, Move, Rules, Schedule, play, rank_of
from proofs import Bound, compulsory, searched_bound, with_play
from schedulers import SearchResult
from schedulers.exact import TooLargeError, exact
from schedulers.search import Candidate, pruned
from schedulers.search.sequences import annealed, first_computes, takes


class Race:
    """The best of both sides so far.

    Parameters
    ----------
    dag, memory, rules
        The game.
    budget
        Of all searches.
    compilation_counts
        Whether compilation of the searches takes from the time; it puts its end off otherwise.
    price_of_work
        Words that a recomputed operation costs.
    """

    def __init__(
        self,
        dag: CDAG,
        memory: int,
        rules: Rules,
        budget: Budget = UNLIMITED,
        *,
        compilation_counts: bool = True,
        price_of_work: float = 0.0,
    ) -> None:
        self.dag, self.memory, self.rules, self.budget = dag, memory, rules, budget
        self.seed = budget.seed  # of the next search
        self.compilation_counts = compilation_counts
        # One assignment each, for a thread that is left alone may be at any step.
        self.found: tuple[Schedule, float, str] | None = None  # with its cost and its method
        self.price_of_work = price_of_work
        self.bound = compulsory(dag, memory, rules=rules)
        self.claimed = self.bound.io, self.bound.method
        self.proved = {self.bound.method: (self.bound, 0.0)}  # the best of each, and its seconds
        self.quick = False  # whether the bounds that take little time were asked
        self.provisional = False  # whether anything as good may take the schedule's place
        self.members: list[Candidate] | None = None
        self.uncounted: Iterator[Candidate] | None = None  # the rest of the portfolio
        self.states = 0
        self.compiling = 0.0  # seconds that were taken to compile

    def compile(self, searches: Callable[[bool], object]) -> None:
        """Let Numba compile searches.

        Parameters
        ----------
        searches
            Compiles them when it is called with whether values may be computed again.
        """
        began = time.monotonic()
        searches(self.rules.recompute)
        seconds = time.monotonic() - began
        self.compiling += seconds
        if not self.compilation_counts and self.budget.clock is not None:
            self.budget.clock.put_off(seconds)

    @property
    def left(self) -> float:
        """Seconds of work that are left."""
        return self.budget.left

    @property
    def schedule(self) -> Schedule | None:
        """The best schedule so far."""
        return None if self.found is None else self.found[0]

    @property
    def lower_bound(self) -> int:
        """The best bound so far, in words, with or without a certificate."""
        return self.claimed[0]

    @property
    def known(self) -> str:
        """The best schedule and bound so far, in a few words."""
        io, method = self.claimed
        if self.found is None:
            return f"at least {io:,} words"
        ratio = f", {self.found[1] / io:.3f} times as much" if io else ""
        return f"{self.found[1]:,} words, at least {io:,} by {method}{ratio}"

    @property
    def starts(self) -> "list[Candidate] | None":
        """The plays that a search begins with: the best so far, and those of the portfolio."""
        if self.members is None or self.found is None or self.found[1] >= self.members[0].io:
            return self.members
        schedule, _, method = self.found
        order = first_computes(self.dag, schedule)
        io = play(self.dag, schedule, self.memory, rules=self.rules).io
        return [Candidate(method, io, order, lambda: schedule), *self.members]

    @property
    def met(self) -> bool:
        """True if the schedule meets the bound that has a certificate."""
        return self.found is not None and self.found[1] == self.bound.io

    @property
    def over(self) -> bool:
        """True if the sides have met, the time is up, or it was interrupted."""
        return self.found is not None and (self.met or self.budget.over)

    @property
    def certified(self) -> Bound:
        """The best bound with a certificate, with the schedule where that meets it."""
        bound, schedule = self.bound, self.schedule
        return with_play(bound, schedule) if schedule is not None and self.met else bound

    def take(self, result: SearchResult) -> None:
        """Take the better parts of a search's result."""
        self.states += result.states
        if result.schedule is not None and result.io is not None:
            self.play(result.schedule, result.io, result.method)
        if result.method == "exact" and result.lower_bound > self.bound.io:
            facts = {"io": result.lower_bound, "states": result.states}
            bound = searched_bound(self.dag, self.memory, rules=self.rules, **facts)
            self.prove(bound, result.seconds)
        self.claim(result.lower_bound, result.method)

    def play(self, schedule: Schedule, io: int, method: str) -> None:
        """Take a schedule if it costs less, or as little with less work.

        One that is as good is taken, too, if the one before is provisional.

        Parameters
        ----------
        schedule, method
            A play of the game, and the method behind it.
        io
            Words that it moves; played again where values may be computed again.
        """
        rank = self._rank(schedule, io)
        if self.found is not None:
            before = self._rank(self.found[0], self.found[1])
            if rank > before or (rank == before and not self.provisional):
                return
        self.found = schedule, rank[0], method
        self.provisional = False

    def settle(self, seconds: float) -> None:
        """Let the schedule do less work for the same cost, for some of the seconds that are left.

        Parameters
        ----------
        seconds
            Seconds that it may take at most; nothing is searched where it was interrupted.
        """
        if self.found is None or not self.rules.recompute:
            return
        schedule, _, method = self.found
        budget = self.budget.at_most(seconds)
        game: dict[str, Any] = {"price_of_work": self.price_of_work, "budget": budget}
        recomputes = len(schedule.vertex[schedule.op == Move.COMPUTE]) > self.dag.computed.size
        if recomputes and takes(self.dag, self.rules) and not budget.over:
            self.play(annealed(self.dag, schedule, self.memory, **game), 0, method)
        pruned_play = pruned(self.dag, self.found[0], self.memory, rules=self.rules, **game)
        self.play(pruned_play, 0, method)

    def _rank(self, schedule: Schedule, io: float) -> tuple[float, int, int]:
        """The key by which schedules are compared; nothing to count where none repeats."""
        if not self.rules.recompute:
            return io, 0, 0
        count = play(self.dag, schedule, self.memory, rules=self.rules)
        return rank_of(self.dag, count, self.price_of_work)

    def prove(self, bound: Bound, seconds: float = 0.0) -> None:
        """Take a bound with a certificate if it is larger, and the seconds that it took."""
        known, before = self.proved.get(bound.method, (bound, 0.0))
        self.proved[bound.method] = (
            max(known, bound, key=lambda candidate: candidate.io),
            before + seconds,
        )
        if bound.io > self.bound.io:
            self.bound = bound
        self.claim(bound.io, bound.method)

    def claim(self, io: int, method: str) -> None:
        """Take a bound if it is larger, with or without a certificate."""
        if io > self.claimed[0]:
            self.claimed = io, method


# A longer exact search gets this share of the time; and, on a DAG that exact search takes, all that
# is left unless the two say that it would take so many times as long.
EXACT_TRIAL, MUCH_MORE = 0.1, 30.0
# Where it would not meet the schedule it still gets this share if it would prove so many times what
# is known: of some graphs it proves more than all bounds.
TO_PROVE, MORE_WORDS = 0.5, 1.03
# Where values may be computed again it gets this share without a trial: its states are so many that
# what a short search proves says little, and searches for plays need the rest.
AGAIN = 0.5


def search_exactly(
    race: Race,
    seconds: float = inf,
    trials: list[tuple[float, int]] | None = None,
) -> None:
    """Search exactly, where the DAG is small enough, for most of the time that is left.

    Parameters
    ----------
    race
        The best so far, and until when it may go on.
    seconds
        Seconds that it may take at most.
    trials
        Takes the seconds of the search, and the words that it proved.
    """
    try:
        result = exact(
            race.dag,
            race.memory,
            rules=race.rules,
            time_limit=min(0.9 * race.left, seconds),
            max_memory=race.budget.bytes,
            upper=race.schedule,
        )
    except TooLargeError:
        return
    race.take(result)
    if trials is not None:
        trials.append((result.seconds, result.lower_bound))


def search_exactly_if_it_pays(race: Race, trials: list[tuple[float, int]]) -> None:
    """Search exactly for some of the time, and for longer where trials say that it pays.

    It gets most of the time where it may meet the schedule, and some where it may only prove more
    words than all bounds have.

    Where values may be computed again it is some of the time, whatever comes of it.

    Proved words grow with the logarithm of the time: two searches, of which one is longer, say how
    long the whole one will take.

    Parameters
    ----------
    race, trials
        As for `search_exactly`; with one trial, a short one. There is none where the DAG is too
        large, and then there will be none.
    """
    if not race.rules.recompute:
        search_exactly(race, EXACT_TRIAL * race.left, trials)
        if race.over or len(trials) < 2:
            return
        if not hopeless(trials, race):
            search_exactly(race)
        elif proves_more(trials, race, TO_PROVE * race.left):
            search_exactly(race, TO_PROVE * race.left)
    else:
        search_exactly(race, AGAIN * race.left)


def hopeless(trials: Sequence[tuple[float, int]], race: Race) -> bool:
    """Whether exact search would need much more time than is left to meet the schedule.

    Parameters
    ----------
    trials
        Seconds of searches, and the words that each proved; the last two count.
    race
        With a schedule.
    """
    assert race.found is not None
    (short, low), (long, high) = trials[-2:]
    if long < 2 * short:
        return False
    missing, gained = race.found[1] - high, high - low
    needed = log(long) + log(long / short) * missing / max(gained, 1)
    return needed > log(MUCH_MORE * max(race.left, long))


def proves_more(trials: Sequence[tuple[float, int]], race: Race, seconds: float) -> bool:
    """Whether exact search of so many seconds would prove clearly more than is proved.

    Parameters
    ----------
    trials
        Seconds of searches, and the words that each proved; the last two count.
    race
        The best so far.
    seconds
        Seconds of the search in question.
    """
    (short, low), (long, high) = trials[-2:]
    if seconds <= long or long < 2 * short:
        return False
    expected = high + (high - low) * log(seconds / long) / log(long / short)
    return expected >= MORE_WORDS * race.lower_bound
