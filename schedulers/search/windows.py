"""Large neighbourhoods: stretches of a play, each played anew as well as can be."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from math import inf
from time import perf_counter

from dags import CDAG
from pebble import Rules, Schedule, play
from schedulers.exact.one_shot_plays import Play, play_of, schedule_of, words_moved
from schedulers.search.stretches import Stretches

SIZES = (16, 24, 32, 44, 62)  # steps of the stretches that are tried, one after the other
MOST_STATES = 1 << 15  # of the search of a stretch
LARGEST = 1 << 13  # vertices of a DAG beyond which there are too many stretches


def windowed(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules,
    end: float = inf,
    goal: int = 0,
    most: int | None = None,
) -> Schedule:
    """Return a play that no stretch which could be searched makes better; or what the time allows.

    Stretches of some steps are played anew, by exact search of the game on them: what is in fast
    memory before and behind is as it was, and so is what is in slow memory. They overlap by half.
    Where one is made better, those that overlap with it are tried again. Interrupted from the
    keyboard, it returns what it has.

    Parameters
    ----------
    dag, memory, rules
        The game; values are computed once.
    schedule
        A legal play, which computes each value once.
    end
        When to be done, on the clock `time.perf_counter`.
    goal
        Words at which the search ends.
    most
        Stretches that may be tried; None for all.
    """
    found = play_of(dag, schedule)
    if found is None or dag.n > LARGEST or perf_counter() > end:
        return schedule
    search = _Windows(dag, memory, rules.sliding, found)
    io = play(dag, schedule, memory, rules=rules).io
    with suppress(KeyboardInterrupt):
        for begin, stop in islice(search.stale(), most):
            if perf_counter() > end or io - search.gained <= goal:
                break
            search.improve(begin, stop, end)
    made = schedule_of(dag, search.play.order, search.play.loaded)
    return made if play(dag, made, memory, rules=rules).io < io else schedule


class _Windows:
    """A play, and which of its stretches have been tried since they changed."""

    def __init__(self, dag: CDAG, memory: int, sliding: bool, play: Play) -> None:
        self._dag = dag
        self._new = partial(Stretches, dag, memory, sliding=sliding)
        self._stretches = self._new(play=play)
        self._tried: dict[tuple[int, int], int] = {}
        self._changed = [0] * len(play.order)
        self.gained = 0  # words

    def stale(self) -> Iterator[tuple[int, int]]:
        """Yield stretches that were not tried as they are, the shorter ones first."""
        count = len(self._changed)
        size = 0
        while size < len(SIZES):
            width, before = SIZES[size], self.gained
            for begin in range(0, max(count - width // 2, 1), width // 2):
                stop = min(begin + width, count)
                tried = self._tried.get((begin, stop), -1)
                if max(self._changed[begin:stop]) > tried:
                    self._tried[begin, stop] = self.gained
                    yield begin, stop
            size = size + 1 if self.gained == before else 0

    @property
    def play(self) -> Play:
        """The play as it is."""
        return self._stretches.play

    def improve(self, begin: int, stop: int, end: float) -> None:
        """Play a stretch anew, if that moves less."""
        part = self._stretches.stretch(begin, stop)
        steps = None if part is None else part.better(MOST_STATES, lambda: perf_counter() > end)
        if part is None or steps is None:
            return
        before = words_moved(self._dag, self.play)
        self._stretches = self._new(play=self._stretches.played(begin, stop, steps))
        self.gained += before - words_moved(self._dag, self.play)
        self._changed[begin:stop] = [self.gained] * (stop - begin)
