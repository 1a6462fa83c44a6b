"""The cheapest play by several processors that can be found, and bounds on all others."""

from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from dags import CDAG
from dags.arguments import checked
from pebble import (
    ONE_SHOT,
    UNIT_COSTS,
    Budget,
    Costs,
    Links,
    Machine,
    MachineCount,
    Rules,
    Schedule,
    play_on,
    require_memory,
)
from proofs.bounds.processors import ParallelBound, best_busiest, best_total, parallel_bounds
from redblue.answers.results import describe
from redblue.answers.sources import Memory, RulesLike, Source, label_of, load, rules_of
from redblue.answers.words import words_of
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.rows import table
from schedulers.base import Status
from schedulers.parallel import best_parallel, exact_parallel, staged
from schedulers.parallel.exact import require_whole
from schedulers.parallel.grids import placement_on

SEARCHED = 24  # vertices up to which the exact search is tried
MOST_SEARCHED = 4  # processors
SHARE = 0.5  # of the time that is left is for it


@dataclass(frozen=True, repr=False)
class ParallelSolution(Printed):
    """A play by several processors that was replayed, and a bound on every play.

    Parameters
    ----------
    dag
        The DAG's sizes.
    machine, rules, costs
        The game.
    method
        The method behind the play.
    schedule, count
        The play, and the engine's count of it.
    cost, lower_bound
        Its cost, the sum over all steps, and a lower bound on that of any play.
    busiest_bound
        Lower bound on the words of the busiest processor, with its certificate.
    total_bound
        Lower bound on the words of all together.
    seconds
        Time that it took.
    """

    dag: dict[str, Any]
    machine: Machine
    rules: Rules
    costs: Costs
    method: str
    schedule: Schedule
    count: MachineCount
    cost: float
    lower_bound: float
    busiest_bound: ParallelBound
    total_bound: ParallelBound
    seconds: float

    def __repr__(self) -> str:
        game = f"{self.machine.processors} processors with M = {self.machine.memory}"
        cost = f"cost {self.cost:g}, at least {self.lower_bound:g}, {self.status}"
        return f"<ParallelSolution of {self.dag['spec']}: {cost}, by {game}>"

    def overview(self) -> tuple[Table]:
        """A line for each processor."""
        made = table(
            "processors", f"{self.dag['spec']}, {self.rules.name}", enumerate(self.count.each),
            ("processor", lambda pair: pair[0]), "words <- 1.words", "loads <- 1.loads",
            "stores <- 1.stores", "received <- 1.received", "computations <- 1.computes",
            "peak <- 1.peak",
        )  # fmt: skip
        return (made,)

    @property
    def status(self) -> Status:
        """Return "optimal" where no play costs less."""
        return "optimal" if self.cost <= self.lower_bound else "feasible"

    def shown(self) -> tuple[str]:
        """The cost, the words of each processor, and all words, a line each."""
        count, machine = self.count, self.machine
        each = sorted(one.words for one in count.each)
        spread = f"{each[0]:,}" if each[0] == each[-1] else f"{each[0]:,} to {each[-1]:,}"
        most = max(count.links.values(), default=0)
        on_links = f", {count.messages:,} on links, at most {most:,} on one" if most else ""
        how = "optimal" if self.status == "optimal" else f"at least {self.lower_bound:,.15g}"
        return (
            f"cost {self.cost:,.15g} ({how}) in {count.steps.kind.size:,} steps by "
            f"{machine.processors} processors with {machine.memory:,} words each, g = "
            f"{self.costs.g:g}: {self.method}\n"
            f"{spread} words moved by each; the busiest moves at least "
            f"{self.busiest_bound.busiest:,} ({self.busiest_bound.method})\n"
            f"{count.io:,} words in all ({count.loads:,} loaded, {count.stores:,} stored; at least "
            f"{self.total_bound.words:,}){on_links}; {self.seconds:.1f} s",
        )

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        return {
            "dag": self.dag,
            "rules": self.rules.name,
            "memory": self.machine.memory,
            "network": None if self.machine.links is None else self.machine.links.name,
            "g": self.costs.g,
            "latency": self.costs.latency,
            "method": self.method,
            "status": self.status,
            "cost": self.cost,
            "lower_bound": self.lower_bound,
            "busiest": self.count.busiest,
            "busiest_bound": self.busiest_bound.busiest,
            "total_bound": self.total_bound.words,
            "proved_by": self.busiest_bound.method,
            "seconds": round(self.seconds, 6),
            **self.count.to_dict(),
        }


@checked
def solve_parallel(
    dag: Source,
    memory: Memory,
    processors: int,
    *,
    rules: RulesLike = ONE_SHOT,
    costs: Costs = UNIT_COSTS,
    links: Links | None = None,
    time_limit: float | None = 60.0,
    spec: str = "",
) -> ParallelSolution:
    """The cheapest schedule found in the time, and lower bounds on the cost of all.

    Parameters
    ----------
    dag
        The computation.
    memory
        Words of fast memory of each processor, or a text like "64KB".
    processors
        Number of processors.
    rules
        The rules of the game, or their name.
    costs
        Prices of the parts of a step.
    links
        The lattice that processors stand in, each with slow memory of its own, passing values on to
        neighbours; None where they share slow memory.
    time_limit
        Seconds of work; the first schedule is completed in any case.
    spec
        Label of the DAG in results.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    """
    began, budget = monotonic(), Budget(time_limit)
    graph, words, game = load(dag).dag, words_of(memory, dag), rules_of(rules)
    machine = Machine.parallel(processors, words, links, "shared" if links is None else "own")
    require_whole(game)
    require_memory(graph, words, rules=game)
    bounds = parallel_bounds(graph, machine, rules=game)
    busiest, total = best_busiest(bounds), best_total(bounds)
    if links is None:
        play = best_parallel(graph, machine, rules=game, costs=costs, time_limit=time_limit)
        method, schedule, count = play.method, play.schedule, play.count
    else:
        method, schedule = links.name, staged(graph, placement_on(graph, links), machine)
        count = play_on(graph, schedule, machine, rules=game)
    # what is sent costs the receiver
    moved = busiest.busiest if links is None else 0
    cost, floor = count.cost(costs), cost_floor(graph, processors, costs, moved)
    if floor < cost and is_searchable(graph, machine, game, costs):
        found = exact_parallel(
            graph,
            machine,
            rules=game,
            g=int(costs.g),
            compute=int(costs.compute),
            time_limit=None if time_limit is None else SHARE * budget.left,
        )
        floor = max(floor, found.lower_bound)
        if found.schedule is not None and found.cost is not None and found.cost < cost:
            method, schedule = found.method, found.schedule
            count = play_on(graph, schedule, machine, rules=game)
            cost = count.cost(costs)
    return ParallelSolution(
        dag=describe(graph, label_of(dag, spec), rules=game),
        machine=machine,
        rules=game,
        costs=costs,
        method=method,
        schedule=schedule,
        count=count,
        cost=cost,
        lower_bound=floor,
        busiest_bound=busiest,
        total_bound=total,
        seconds=monotonic() - began,
    )


def cost_floor(dag: CDAG, processors: int, costs: Costs, busiest: int) -> float:
    """A cost that no play goes below.

    In steps of words somebody moves at least `busiest` of them; in steps of computations somebody
    makes the p-th part, and those on a path follow each other.

    Parameters
    ----------
    dag
        The computation.
    processors
        Number of them.
    costs
        Prices of the parts of a step.
    busiest
        Words that the busiest processor moves at least.
    """
    steps = max(-(-int(dag.computed.size) // processors), int(dag.level.max(initial=0)))
    return costs.g * busiest + costs.compute * steps


def is_searchable(dag: CDAG, machine: Machine, rules: Rules, costs: Costs) -> bool:
    """Whether the exact search plays this game, and has a chance."""
    whole = all(float(price).is_integer() for price in (costs.g, costs.compute))
    unit = dag.words is None or bool(np.all(dag.words == 1))
    few = dag.n <= SEARCHED and machine.processors <= MOST_SEARCHED
    shared = machine.links is None
    return shared and few and unit and whole and not costs.latency and not rules.sliding
