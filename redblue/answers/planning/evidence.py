"""Evidence on the cost at each memory size: schedules that were found, bounds proved."""

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from dags import CDAG
from pebble import ONE_SHOT, Again, Budget, IOCount, Rules, Schedule, computed_again, play, rank_of
from proofs import Bound
from redblue.answers.prices import again_phrase
from redblue.answers.tilings import tiling_in
from redblue.racing.at_once import quick_bound
from redblue.racing.solving import solve
from schedulers import default_schedulers, scheduler_named
from schedulers.search import computing_again
from schedulers.search.portfolio import LEAST, best
from schedulers.tilings.shown import ShownTiling

LARGEST = 1 << 16  # vertices and edges beyond which only a curve's schedulers play


@dataclass(frozen=True)
class Choice:
    """A memory size with the cheapest schedule that is known for it.

    Parameters
    ----------
    memory
        Words of fast memory.
    cost
        Words moved, and the price of work that is done again.
    again
        The computations that the schedule repeats.
    count
        The engine's count of the schedule.
    method
        The method behind it.
    schedule
        The moves.
    tiling
        The loops of a program's schedule, where it goes by tiles.
    """

    memory: int
    cost: float
    again: Again
    count: IOCount
    method: str
    schedule: Schedule
    tiling: ShownTiling | None = None

    def __str__(self) -> str:
        count, again = self.count, again_phrase(self.again, self.count.io, self.cost)
        return (
            f"{count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored){again}, "
            f"by {self.method}"
        )

    def loops(self) -> list[str]:
        """Pseudo-C of the loops, where the schedule goes by tiles."""
        return [] if self.tiling is None else self.tiling.lines()


class Evidence:
    """Schedules and bounds of a DAG by memory size, made when they are asked for.

    A schedule counts for every memory from its own peak on, and a bound for every smaller one.
    Contents of fast memory are a multiple of `unit` words, so that memory between two of them is
    the same game as the lower one.

    Parameters
    ----------
    dag, rules
        The game.
    price
        Words that a recomputed operation costs.
    seed
        Seed of the searches.
    """

    def __init__(self, dag: CDAG, rules: Rules = ONE_SHOT, price: float = 0.0, seed: int = 0):
        self.dag, self.rules, self.price, self.seed = dag, rules, price, seed
        self.unit = int(np.gcd.reduce(dag.sizes, initial=0)) or 1
        self._choices: dict[int, Choice] = {}
        self._played: set[int] = set()
        self._bounds: dict[int, Bound] = {}
        self._searched: set[int] = set()

    @property
    def small(self) -> bool:
        """True if the DAG is small enough to be searched."""
        return self.dag.n + self.dag.m <= LARGEST

    @property
    def sizes(self) -> tuple[int, ...]:
        """The memory sizes that matter to the schedules that were found, rising."""
        return tuple(sorted(self._choices))

    def choice(self, memory: int) -> Choice:
        """The cheapest schedule that is known for at most so much memory."""
        place = self._whole(memory)
        if place not in self._played:
            self._played.add(place)
            self._play(place)
        known = [one for size, one in self._choices.items() if size <= place]
        return replace(min(known, key=_rank), memory=memory)

    def bound(self, memory: int) -> Bound:
        """The largest bound that is known for at least so much memory."""
        place = self._whole(memory)
        if place not in self._bounds:
            self._prove(place, quick_bound(self.dag, place, rules=self.rules, seed=self.seed))
        known = [one for size, one in self._bounds.items() if size >= place]
        return max(known, key=lambda one: (one.io, -one.memory))

    def cheapest(self, cost: float) -> Choice | None:
        """The schedule of least memory that is known to cost at most so much, if any."""
        enough = [one for one in self._choices.values() if one.cost <= cost]
        return min(enough, key=lambda one: (one.memory, *_rank(one)), default=None)

    def dearest(self, cost: float) -> Bound | None:
        """The bound of most memory that is known to exceed a cost, if any."""
        exceeding = [one for one in self._bounds.values() if one.io > cost]
        return max(exceeding, key=lambda one: (one.memory, one.io), default=None)

    def _whole(self, memory: int) -> int:
        """The memory without words that no value fills."""
        return memory // self.unit * self.unit

    def search(self, memory: int, seconds: float) -> None:
        """Look for a better schedule and a better bound for so many seconds."""
        memory = self._whole(memory)
        if memory in self._searched:
            return
        self._searched.add(memory)
        game: dict[str, Any] = {"rules": self.rules, "seed": self.seed}
        game["price_of_work"] = self.price
        solution = solve(self.dag, memory, effort=seconds, **game)
        self._keep(memory, solution.method, solution.schedule)
        self._prove(memory, solution.bound)

    def _play(self, memory: int) -> None:
        if self.small:
            once = replace(self.rules, recompute=False)
            found = best(self.dag, memory, rules=once, seed=self.seed, time_limit=0.0)
            assert found.schedule is not None
            self._keep(memory, found.method, found.schedule)
            self._again(memory, found.method, found.schedule)
            return
        for name in default_schedulers(self.dag):
            made = scheduler_named(name)(self.dag, memory, rules=self.rules, seed=self.seed)
            self._keep(memory, name, made)

    def _again(self, memory: int, method: str, schedule: Schedule) -> None:
        """Take the schedule with values computed again where that is cheaper."""
        if self.rules.recompute:
            game: dict[str, Any] = {"rules": self.rules, "price_of_work": self.price}
            made = computing_again(self.dag, schedule, memory, budget=Budget(LEAST), **game)
            self._keep(memory, method, made)

    def _keep(self, memory: int, method: str, schedule: Schedule) -> None:
        """Take a schedule if it is the cheapest one for the memory that it fills."""
        count = play(self.dag, schedule, memory, rules=self.rules)
        cost, again = rank_of(self.dag, count, self.price)[0], computed_again(self.dag, count)
        tiling = tiling_in(self.dag, schedule)
        made = Choice(count.peak, cost, again, count, method, schedule, tiling)
        known = self._choices.get(made.memory)
        if known is None or _rank(made) < _rank(known):
            self._choices[made.memory] = made

    def _prove(self, memory: int, bound: Bound) -> None:
        known = self._bounds.get(memory)
        if known is None or bound.io > known.io:
            self._bounds[memory] = bound


def _rank(one: Choice) -> tuple[float, int, int]:
    """The key by which schedules are compared: cost, then work, then memory."""
    return one.cost, one.again.operations, one.memory


def words(cost: float) -> float:
    """A cost as an integer where it is one."""
    return int(cost) if cost == ceil(cost) else cost
