"""The best schedule and the best bound of a game so far, while methods race."""

import time
from collections.abc import Callable, Iterator

from dags import CDAG
from pebble import Rules, Schedule
from proofs import Bound, compulsory, searched_bound, with_play
from schedulers import SearchResult
from schedulers.search import Candidate
from schedulers.search.sequences import first_computes


class Race:
    """The best of both sides so far.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Seed of the searches.
    end
        When it is over, on the clock `time.monotonic`.
    stopped
        Says whether it is to end before.
    compilation_counts
        Whether what Numba takes to compile the searches takes from the time; it puts the end off
        otherwise.
    """

    def __init__(
        self,
        dag: CDAG,
        memory: int,
        rules: Rules,
        seed: int,
        end: float,
        stopped: Callable[[], bool] = bool,
        *,
        compilation_counts: bool = True,
    ) -> None:
        self.dag, self.memory, self.rules, self.seed, self.end = dag, memory, rules, seed, end
        self.stopped = stopped
        self.compilation_counts = compilation_counts
        # One assignment each, for a thread that is left alone may be at any step.
        self.found: tuple[Schedule, int, str] | None = None
        self.bound = compulsory(dag, memory, rules=rules)
        self.claimed = self.bound.io, self.bound.method
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
        if not self.compilation_counts:
            self.end += seconds

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(self.end - time.monotonic(), 0.0)

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
        schedule, io, method = self.found
        order = first_computes(self.dag, schedule)
        return [Candidate(method, io, order, lambda: schedule), *self.members]

    @property
    def met(self) -> bool:
        """True if the schedule meets the bound that has a certificate."""
        return self.found is not None and self.found[1] == self.bound.io

    @property
    def over(self) -> bool:
        """True if the sides have met, the time is up, or it was interrupted."""
        return self.found is not None and (self.met or self.left == 0 or self.stopped())

    @property
    def certified(self) -> Bound:
        """The best bound with a certificate, with the schedule where that meets it."""
        bound, schedule = self.bound, self.schedule
        return with_play(bound, schedule) if schedule is not None and self.met else bound

    def take(self, result: SearchResult) -> None:
        """Take what is better of a search's result."""
        self.states += result.states
        if result.schedule is not None and result.io is not None:
            self.play(result.schedule, result.io, result.method)
        if result.method == "exact" and result.lower_bound > self.bound.io:
            told = {"io": result.lower_bound, "states": result.states}
            self.prove(searched_bound(self.dag, self.memory, rules=self.rules, **told))
        self.claim(result.lower_bound, result.method)

    def play(self, schedule: Schedule, io: int, method: str) -> None:
        """Take a schedule if it moves less; as little, if the one before is provisional."""
        if self.found is None or io < self.found[1] + self.provisional:
            self.found = schedule, io, method
            self.provisional = False

    def prove(self, bound: Bound) -> None:
        """Take a bound with a certificate if it is larger."""
        if bound.io > self.bound.io:
            self.bound = bound
        self.claim(bound.io, bound.method)

    def claim(self, io: int, method: str) -> None:
        """Take a bound if it is larger, with or without a certificate."""
        if io > self.claimed[0]:
            self.claimed = io, method
