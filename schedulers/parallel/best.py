"""The best of all assignments that are known for a DAG, played; segments of orders for any DAG."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from dags import CDAG
from dags.arrays import lock
from dags.work import charge
from pebble import (
    ONE_SHOT,
    UNIT_COSTS,
    Budget,
    Costs,
    Machine,
    MachineCount,
    Rules,
    Schedule,
    play_on,
)
from schedulers.families import FAMILIES
from schedulers.orders import ORDERS
from schedulers.parallel._kernels import merging
from schedulers.parallel.grids import grid_blocks
from schedulers.parallel.local_plays import (
    Assignment,
    Assignments,
    CircularWaitError,
    numbered,
    played,
)
from schedulers.parallel.products import butterfly_parts, cyclic_blocks, product_blocks

ASSIGNMENTS: dict[str, Assignments] = {
    "cholesky": cyclic_blocks,
    "fft": butterfly_parts,
    "lu": cyclic_blocks,
    "matmul": product_blocks,
    "stencil": grid_blocks,
    "sweep": grid_blocks,
}
SMALL = 1 << 16  # vertices up to which segments are tried for families, and all orders and sizes
LARGE, FEW = 1 << 18, 2  # vertices from which on so few of a family's assignments are played

PIECES = (1, 4, 16)  # segments a processor
FAR = 2.0  # computations that a word from another processor takes: it is stored and loaded


@dataclass(frozen=True)
class ParallelPlay:
    """A play by several processors, replayed by the engine.

    Parameters
    ----------
    method
        Name of its assignment.
    schedule
        Its moves.
    count
        Their costs.
    """

    method: str
    schedule: Schedule
    count: MachineCount


def parallel_plays(
    dag: CDAG, machine: Machine, *, rules: Rules = ONE_SHOT
) -> Iterator[ParallelPlay]:
    """Yield plays of all assignments that are known for a DAG; its family's first.

    Parameters
    ----------
    dag
        The computation.
    machine
        Processors that share slow memory.
    rules
        The rules of the game.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    """
    for assignment in assignments(dag, machine):
        try:
            schedule = played(dag, assignment, machine)
        except CircularWaitError:  # an order of the family that is no order of the whole
            continue
        yield ParallelPlay(assignment.name, schedule, play_on(dag, schedule, machine, rules=rules))


def assignments(dag: CDAG, machine: Machine) -> Iterator[Assignment]:
    """Yield the assignments that are known for a DAG; one that was recognised as generated."""
    if dag.recognised is not None:
        vertex = dag.recognised.vertex
        for assignment in assignments(dag.recognised.dag, machine):
            owner = np.empty(dag.n, np.int32)
            owner[vertex] = assignment.owner
            yield Assignment(assignment.name, lock(owner), lock(vertex[assignment.order]))
        return
    known, is_known = ASSIGNMENTS.get(dag.family or ""), False
    if known is not None:
        limit = FEW if dag.n > LARGE else None
        for assignment in islice(known(dag, machine.processors, machine.memory), limit):
            is_known = True
            yield assignment
    if not is_known or dag.n <= SMALL:
        yield from listed_segments(dag, machine.processors, machine.memory)


def best_parallel(
    dag: CDAG,
    machine: Machine,
    *,
    rules: Rules = ONE_SHOT,
    costs: Costs = UNIT_COSTS,
    time_limit: float | None = None,
) -> ParallelPlay:
    """The cheapest of the plays that are made in the time, of one at least.

    Parameters
    ----------
    dag, machine, rules
        As for `parallel_plays`.
    costs
        Prices of the parts of a step.
    time_limit
        Seconds of work; the first play is made to its end, another one where as many are left.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    """
    budget, began = Budget(time_limit), 0.0
    best: ParallelPlay | None = None
    for play in parallel_plays(dag, machine, rules=rules):
        charge("step", dag.n + dag.m)
        took, began = budget.used - began, budget.used
        if best is None or _price(play, costs) < _price(best, costs):
            best = play
        if took > budget.left:
            break
    if best is None:  # segments of an order never wait in a circle
        raise CircularWaitError("processors wait for each other's values in every play")
    return best


def _price(play: ParallelPlay, costs: Costs) -> tuple[float, int, int]:
    """The key of plays: cost, the busiest processor's words, all words."""
    return play.count.cost(costs), play.count.busiest, play.count.io


def listed_segments(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield assignments of segments of topological orders, each to who can finish it first.

    Segments of a topological order are an acyclic partition: none waits for a later one. They are
    taken in order, and each goes to the processor on which its operands and the processor itself
    are ready first, a word from elsewhere counting as two computations.

    Parameters
    ----------
    dag
        The computation.
    processors
        Number of them.
    memory
        Words of fast memory of each.

    Source
    ------
    H. Topcuoglu, S. Hariri and M.-Y. Wu, Performance-effective and low-complexity task scheduling
    for heterogeneous computing, IEEE Trans. Parallel Distrib. Syst. 2002; M. Y. Ozkaya, A. Benoit
    and U. V. Catalyurek, Improving locality-aware scheduling with acyclic directed graph
    partitioning, PPAM 2019.
    """
    small = dag.n <= SMALL
    orders = [(name, order(dag)) for name, order in ORDERS.items() if small or name == "natural"]
    if dag.family in FAMILIES:  # some yield no order for a line
        schedules = islice(FAMILIES[dag.family](dag, memory), 1)
        orders += [("structured", order) for order in schedules]
    steps = int(dag.computed.size)
    cuts = PIECES if small else PIECES[:1]
    sizes = {1} | {max(steps // (processors * pieces), 1) for pieces in cuts}
    for name, order in orders:
        for size in sorted(sizes):
            ends = np.append(np.arange(size, steps, size), steps).astype(np.int64)
            owner = np.full(dag.n, -1, np.int32)
            finish, free = np.zeros(dag.n), np.zeros(processors)
            kept = np.ascontiguousarray(order, np.int32)
            kept.flags.writeable = False
            ends.flags.writeable = False
            merging.deal(
                dag.pred_indptr, dag.pred_indices, dag.sizes, kept, ends, FAR, owner, finish, free
            )
            yield numbered(f"segments of {size} {name}", owner, kept)
