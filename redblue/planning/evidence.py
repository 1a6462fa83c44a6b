"""Evidence on the cost at each memory size: schedules that were found, bounds proved."""

from dataclasses import dataclass, replace
from math import ceil

from dags import CDAG
from pebble import ONE_SHOT, IOCount, Rules, Schedule, play
from proofs import BOUNDS, Bound, best_bound
from redblue.curves.curve import DEFAULT_BOUNDS, default_schedulers
from redblue.solving import solve
from schedulers import scheduler_named
from schedulers.portfolio import best
from schedulers.search.rematerialization import rematerialize

LARGEST = 1 << 16  # vertices and edges beyond which only a curve's schedulers play


@dataclass(frozen=True)
class Choice:
    """A memory size with the cheapest schedule that is known for it.

    Parameters
    ----------
    memory
        Words of fast memory.
    cost
        Words moved, and the price of what is computed again.
    count
        What the engine counted when it replayed the schedule.
    method
        What found it.
    schedule
        The moves.
    """

    memory: int
    cost: float
    count: IOCount
    method: str
    schedule: Schedule


class Evidence:
    """Schedules and bounds of a DAG by memory size, made when they are asked for.

    Parameters
    ----------
    dag, rules
        The game.
    price
        Words that an operation counts as which is done again.
    seed
        Seed of the searches.
    """

    def __init__(self, dag: CDAG, rules: Rules = ONE_SHOT, price: float = 0.0, seed: int = 0):
        self.dag, self.rules, self.price, self.seed = dag, rules, price, seed
        self._choices: dict[int, Choice] = {}
        self._bounds: dict[int, Bound] = {}
        self._searched: set[int] = set()

    @property
    def small(self) -> bool:
        """True if the DAG is small enough to be searched."""
        return self.dag.n + self.dag.m <= LARGEST

    @property
    def sizes(self) -> tuple[int, ...]:
        """The memory sizes for which schedules were made, rising."""
        return tuple(sorted(self._choices))

    def choice(self, memory: int) -> Choice:
        """Return the cheapest schedule that is known for at most so much memory."""
        if memory not in self._choices:
            self._play(memory)
        known = [one for size, one in self._choices.items() if size <= memory]
        return replace(min(known, key=lambda one: (one.cost, one.memory)), memory=memory)

    def bound(self, memory: int) -> Bound:
        """Return the largest bound that is known for at least so much memory."""
        if memory not in self._bounds:
            methods = [BOUNDS[name] for name in DEFAULT_BOUNDS]
            self._prove(memory, best_bound(methods, self.dag, memory, rules=self.rules))
        known = [one for size, one in self._bounds.items() if size >= memory]
        return max(known, key=lambda one: (one.io, -one.memory))

    def search(self, memory: int, seconds: float) -> None:
        """Look for a better schedule and a better bound for so many seconds."""
        if memory in self._searched:
            return
        self._searched.add(memory)
        found = solve(self.dag, memory, rules=self.rules, seed=self.seed, time_limit=seconds)
        self._keep(memory, found.method, found.schedule)
        self._again(memory, found.method, found.schedule)
        self._prove(memory, found.bound)

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
            priced = rematerialize(self.dag, schedule, memory, price_of_work=self.price)
            self._keep(memory, method, priced)

    def _keep(self, memory: int, method: str, schedule: Schedule) -> None:
        """Take a schedule if it is the cheapest one for this memory."""
        count = play(self.dag, schedule, memory, rules=self.rules)
        cost = count.io + self.price * self._work_again(count) if self.price else count.io
        known = self._choices.get(memory)
        if known is None or cost < known.cost:
            self._choices[memory] = Choice(memory, cost, count, method, schedule)

    def _work_again(self, count: IOCount) -> int:
        """Return the operations that a play does again."""
        if count.work is None or self.dag.work is None:
            return count.recomputes
        return count.work - int(self.dag.work.sum())

    def _prove(self, memory: int, bound: Bound) -> None:
        known = self._bounds.get(memory)
        if known is None or bound.io > known.io:
            self._bounds[memory] = bound


def words(cost: float) -> float:
    """Return a cost as an integer where it is one."""
    return int(cost) if cost == ceil(cost) else cost
