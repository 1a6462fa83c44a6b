"""Speed-up and words against the number of processors and their memory."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dags import CDAG
from dags.arguments import checked
from pebble import ONE_SHOT, UNIT_COSTS, Costs, Machine, Rules, require_memory
from proofs.bounds.processors import best_busiest, parallel_bounds
from redblue.answers.parallel.solving import cost_floor
from redblue.answers.results import describe
from redblue.answers.sources import (
    Memories,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.words import memories_of
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.rows import table
from schedulers.parallel import best_parallel


@dataclass(frozen=True)
class Speedup:
    """The cheapest play of a number of processors with some memory each.

    Parameters
    ----------
    processors, memory
        Number of processors, and words of fast memory of each.
    method
        The play.
    cost, cost_bound
        Its cost, and a cost that no play goes below.
    speedup
        How many times cheaper it is than one processor's play with as much memory.
    busiest, busiest_bound
        Words that the busiest processor moves, and a lower bound on them in any play.
    io
        Words that all processors move.
    """

    processors: int
    memory: int
    method: str
    cost: float
    cost_bound: float
    speedup: float
    busiest: int
    busiest_bound: int
    io: int


@dataclass(frozen=True, repr=False)
class Speedups(Printed):
    """Plays of a DAG by several numbers of processors.

    Parameters
    ----------
    dag
        The DAG's sizes.
    rules, costs
        The game.
    rows
        One for each memory and number of processors.
    """

    dag: dict[str, Any]
    rules: Rules
    costs: Costs
    rows: tuple[Speedup, ...]

    def __repr__(self) -> str:
        best = max(self.rows, key=lambda row: row.speedup, default=None)
        found = (
            ""
            if best is None
            else (f": at most {best.speedup:.2f} times as fast, by {best.processors} processors")
        )
        return f"<Speedups of {self.dag['spec']}, {self.rules.name}{found}>"

    @property
    def memories(self) -> tuple[int, ...]:
        """The sizes of memory, in their order."""
        return tuple(dict.fromkeys(row.memory for row in self.rows))

    def shown(self) -> tuple[Table]:
        """A line for each memory and number of processors."""
        found = table(
            "speedups", f"{self.dag['spec']}, {self.rules.name}, g = {self.costs.g:g}", self.rows,
            "M <- memory", "p <- processors", "cost <- cost", "at least <- cost_bound",
            ("speed-up", lambda row: round(row.speedup, 2)), "words of busiest <- busiest",
            "at least <- busiest_bound", "all words <- io", "schedule <- method",
        )  # fmt: skip
        return (found,)

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        return {
            "dag": self.dag,
            "rules": self.rules.name,
            "g": self.costs.g,
            "latency": self.costs.latency,
            "rows": [dict(vars(row)) for row in self.rows],
        }


@checked
def speedups(
    dag: Source,
    memories: Memories,
    processors: Iterable[int],
    *,
    rules: RulesLike = ONE_SHOT,
    costs: Costs = UNIT_COSTS,
    time_limit: float | None = None,
    spec: str = "",
) -> Speedups:
    """The cheapest schedule for each memory size and each number of processors.

    Parameters
    ----------
    dag
        The computation.
    memories
        Words of fast memory of each processor, as numbers or as a text like "8:512".
    processors
        Numbers of processors.
    rules
        The rules of the game, or their name.
    costs
        Prices of the parts of a step.
    time_limit
        Seconds for each of them; the first schedule is completed in any case.
    spec
        Label of the DAG in results.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    """
    graph, game, numbers = load(dag).dag, rules_of(rules), tuple(processors)
    rows = []
    for memory in memories_of(memories, dag):
        require_memory(graph, memory, rules=game)
        alone = best_parallel(
            graph, Machine.parallel(1, memory), rules=game, costs=costs, time_limit=time_limit
        ).count.cost(costs)
        for number in numbers:
            machine = Machine.parallel(number, memory)
            rows.append(_row(graph, machine, game, costs, time_limit, alone))
    name = describe(graph, label_of(dag, spec), rules=game)
    return Speedups(name, game, costs, tuple(rows))


def _row(
    dag: CDAG,
    machine: Machine,
    rules: Rules,
    costs: Costs,
    time_limit: float | None,
    alone: float,
) -> Speedup:
    """The row of a machine.

    Parameters
    ----------
    dag, machine, rules, costs, time_limit
        As for `best_parallel`.
    alone
        Cost of one processor's play.
    """
    play = best_parallel(dag, machine, rules=rules, costs=costs, time_limit=time_limit)
    bound = best_busiest(parallel_bounds(dag, machine, rules=rules)).busiest
    cost = play.count.cost(costs)
    return Speedup(
        processors=machine.processors,
        memory=machine.memory,
        method=play.method,
        cost=cost,
        cost_bound=cost_floor(dag, machine.processors, costs, bound),
        speedup=alone / cost if cost else 1.0,
        busiest=play.count.busiest,
        busiest_bound=bound,
        io=play.count.io,
    )
