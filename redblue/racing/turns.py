"""Turns of a race: seconds go to the side and the method that gain most with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

SEARCH, EXACT = "search", "exact"  # turns that look for schedules
FIRST = 0.1  # share of the time that the first turn of a method gets; the next gets twice as much
SHORTEST = 0.3  # seconds of a turn
REST = 0.5  # share of a turn: one that would leave less than so much after it gets all of it


@dataclass(frozen=True)
class Turn:
    """Some seconds of one worker at one method.

    Parameters
    ----------
    method
        SEARCH, EXACT, or the name of a bound.
    seconds
        Seconds that it may take.
    number
        How many turns its method has had before.
    """

    method: str
    seconds: float
    number: int

    @property
    def proves(self) -> bool:
        """True for a turn of bounds."""
        return self.method not in (SEARCH, EXACT)


class Turns:
    """Chooses turns by what those before have gained.

    Every method of bounds has a turn, in the order that is given, and then the one that gained most
    a second. A side is never idle while another worker is busy; beyond that the side goes first
    whose last turn gained more a second.

    Parameters
    ----------
    seconds
        Seconds of the race.
    bounds
        The methods of bounds that search, those that are likely to prove most first.
    exact
        Whether exact search takes the DAG: it gets the first turn, and all of the time.
    """

    def __init__(self, seconds: float, bounds: Sequence[str], *, exact: bool = False) -> None:
        self._seconds = seconds
        self._bounds, self._waiting = tuple(bounds), list(bounds)
        self._exact = exact
        self._had: dict[str, int] = {}
        self._rates: dict[str, float] = {}  # gained a second by the last turn of each method
        self._running: list[Turn] = []

    def next(self, left: float) -> Turn | None:
        """Return the next turn, None where there is no time for one; `left` are seconds."""
        if left < SHORTEST:
            return None
        method = self._next_method()
        if method in self._waiting:
            self._waiting.remove(method)
        number = self._had.get(method, 0)
        share = 1.0 if method == EXACT else min(FIRST * 2**number, 1.0)
        seconds = min(max(share * self._seconds, SHORTEST), left)
        if left - seconds < REST * seconds:
            seconds = left
        turn = Turn(method, seconds, number)
        self._had[method] = number + 1
        self._running.append(turn)
        return turn

    def done(self, turn: Turn, gain: float, seconds: float) -> None:
        """Note what a turn gained.

        Parameters
        ----------
        turn
            The turn.
        gain
            By how much the logarithm of best schedule over best bound fell.
        seconds
            Seconds that it took.
        """
        self._running.remove(turn)
        self._rates[turn.method] = gain / max(seconds, SHORTEST)

    def _next_method(self) -> str:
        """Return the method that is next."""
        if self._exact:
            self._exact = False
            return EXACT
        proving = any(turn.proves for turn in self._running)
        searching = any(turn.method == SEARCH for turn in self._running)
        bound = self._next_bound()
        if bound is None or not (searching or SEARCH in self._rates):
            return SEARCH
        if searching != proving:
            return SEARCH if proving else bound
        return SEARCH if self._rates.get(SEARCH, 0.0) > self._rates.get(bound, inf) else bound

    def _next_bound(self) -> str | None:
        """Return the method of bounds that is next, None where all of them are at work."""
        if self._waiting:
            return self._waiting[0]
        busy = {turn.method for turn in self._running}
        free = [name for name in self._bounds if name not in busy]
        return max(free, key=lambda name: self._rates[name], default=None)
