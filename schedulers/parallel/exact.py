"""The cheapest play of a tiny game by several processors, by best-first search.

A step costs `g` if its moves are loads or stores and `compute` if they are computations, whatever
number of processors move, one value each: the game of Boehnlein, Papp and Yzelman. The search keeps
to plays of one form; each item is a change that makes no play dearer and keeps it legal.

1. *Nothing leaves early.* A value leaves a fast memory just before another one takes its place, or
   when it is of no use any more. What comes back in the meantime need not come.
2. *Loads with room.* A value more in fast memory does no harm. In a step of loads, a processor
   with room for one loads a value of use, if there is any; where values may be computed again, one
   with room computes in a step of computations.
3. *Symmetry.* Processors are alike: states are told apart up to their order.
4. *What is still due.* Each vertex that must still be computed is; of p processors, p in a step,
   and one after another on a path. An operand of these that is nowhere in fast memory, and is an
   input or (one-shot) has been computed, is loaded. An output that is not in slow memory is stored.
   No step takes more from this than it costs, so the cheapest play is the first that ends.

Source
------
T. Boehnlein, P. A. Papp and A. N. Yzelman, Red-blue pebbling with multiple processors: time,
communication and memory trade-offs, SIROCCO 2025 (arXiv 2409.03898).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic
from typing import Any

import numpy as np

from dags import CDAG, InvalidSpecError
from dags.arrays import lock
from pebble import ONE_SHOT, Rules, require_memory
from pebble.parallel import Machine, Made, ParallelMove, ParallelSchedule, require_whole
from pebble.small.game import TooLargeError
from schedulers.base import Status
from schedulers.parallel._kernels import exact as k

BITS = 64
MOST_PROCESSORS = 16
FIRST_NODES = 1 << 12
FIRST_LEVELS = 1 << 8
STEPS = 200  # states opened between two looks at the clock
MAX_MEMORY = 2**31  # bytes
_, STORE, COMPUTE, DELETE = list(ParallelMove)[:4]


@dataclass(frozen=True)
class ParallelSearchResult:
    """Result of a search for the cheapest play by several processors.

    Parameters
    ----------
    method
        Name of the search.
    schedule
        The best schedule found, or None.
    cost
        Its cost, the sum over all steps; None without a schedule.
    lower_bound
        Lower bound that was proved on the cost of any legal play.
    status
        "optimal": `cost` equals `lower_bound`; "unknown": no schedule was found in time.
    seconds
        Duration of the search.
    states
        States that were kept.
    """

    method: str
    schedule: ParallelSchedule | None
    cost: int | None
    lower_bound: int
    status: Status
    seconds: float
    states: int


def exact_parallel(
    dag: CDAG,
    machine: Machine,
    *,
    rules: Rules = ONE_SHOT,
    g: int = 1,
    compute: int = 1,
    time_limit: float | None = None,
    max_memory: int = MAX_MEMORY,
) -> ParallelSearchResult:
    """Return the cheapest play, if it is found in time.

    Parameters
    ----------
    dag
        The computation: at most 64 vertices, of one word each.
    machine
        Processors that meet in one slow memory.
    rules
        The rules of the game; results do not slide.
    g, compute
        Cost of a step of loads or stores, and of one of computations.
    time_limit
        Seconds.
    max_memory
        Bytes that the states may take, roughly.

    Raises
    ------
    TooLargeError
        If the DAG or the machine is more than the search can hold.
    InvalidSpecError
        If the machine or the rules are of another kind, or a price is negative.
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    """
    began = monotonic()
    _require(dag, machine, rules, g, compute)
    board = _board(dag, machine, rules, (g, g, compute))
    store = _first_store(machine.processors)
    k.enter(store, board, board.inputs, np.uint64(0), 0, 0, -1, 0)
    status = k.RUNNING
    while status in (k.RUNNING, k.FULL):
        if time_limit is not None and monotonic() > began + time_limit:
            break
        if status == k.FULL:
            if 2 * sum(array.nbytes for array in store) > max_memory:
                break
            store = _larger(store)
        status = k.search(store, board, STEPS)
    found = status == k.FOUND
    level = int(store.at[k.LEVEL])
    return ParallelSearchResult(
        method="exact",
        schedule=_schedule(dag, store) if found else None,
        cost=level if found else None,
        lower_bound=level,
        status="optimal" if found else "unknown",
        seconds=monotonic() - began,
        states=int(store.at[k.NODES]),
    )


def _require(dag: CDAG, machine: Machine, rules: Rules, g: int, compute: int) -> None:
    """Raise for a game that the search does not play."""
    require_whole(rules)
    if dag.n > BITS:
        raise TooLargeError(f"{dag.n} vertices are more than the {BITS} that can be searched")
    if machine.processors > MOST_PROCESSORS:
        raise TooLargeError(
            f"{machine.processors} processors are more than the {MOST_PROCESSORS} that can be "
            "searched"
        )
    if dag.words is not None and (dag.words != 1).any():
        raise InvalidSpecError("plays by several processors are searched for values of one word")
    if machine.links is not None or machine.slow != "shared" or machine.ports is not None:
        raise InvalidSpecError("plays are searched for processors that share all of slow memory")
    if rules.sliding:
        raise InvalidSpecError("plays by several processors are searched where results are placed")
    if g < 0 or compute < 0:
        raise InvalidSpecError(f"costs must be at least 0, not {g} and {compute}")
    require_memory(dag, machine.memory, rules=rules)


def _mask(vertices: Any) -> np.uint64:
    return np.uint64(sum(1 << int(v) for v in vertices))


def _board(dag: CDAG, machine: Machine, rules: Rules, price: tuple[int, ...]) -> k.Board:
    """Return the game as the kernels read it, with room to work in."""
    n, p = dag.n, machine.processors
    rows = [dag.pred_indices[a:b] for a, b in pairwise(dag.pred_indptr)]
    height = np.ones(n, np.int64)
    for v in reversed(range(n)):
        height[rows[v]] = np.maximum(height[rows[v]], height[v] + 1)
    choices = 1 + n * min(machine.memory, n)
    return k.Board(
        operands=lock(np.array([_mask(row) for row in rows], np.uint64)),
        height=lock(height),
        inputs=_mask(dag.inputs),
        outputs=_mask(dag.outputs),
        computed=_mask(dag.computed),
        memory=machine.memory,
        recompute=rules.recompute,
        price=lock(np.array(price, np.int64)),
        choice_red=np.empty((p, choices), np.uint64),
        choice_vertex=np.empty((p, choices), np.int64),
        choices=np.zeros(p, np.int64),
        turn=np.zeros(p, np.int64),
        red=np.zeros(p, np.uint64),
    )


def _first_store(processors: int) -> k.Store:
    """Return an empty store."""
    return k.Store(
        red=np.empty((FIRST_NODES, processors), np.uint64),
        blue=np.empty(FIRST_NODES, np.uint64),
        done=np.empty(FIRST_NODES, np.uint64),
        spent=np.empty(FIRST_NODES, np.int32),
        parent=np.empty(FIRST_NODES, np.int32),
        moved=np.empty((FIRST_NODES, processors), np.int8),
        kind=np.empty(FIRST_NODES, np.uint8),
        is_open=np.empty(FIRST_NODES, np.uint8),
        table=np.full(4 * FIRST_NODES, -1, np.int32),
        entry_node=np.empty(2 * FIRST_NODES, np.int32),
        entry_spent=np.empty(2 * FIRST_NODES, np.int32),
        entry_next=np.empty(2 * FIRST_NODES, np.int32),
        first=np.full(FIRST_LEVELS, -1, np.int32),
        at=np.zeros(5, np.int64),
    )


def _larger(store: k.Store) -> k.Store:
    """Return the store with twice the room, and room for the level that is wanted."""
    grown = {
        name: np.concatenate((array, np.empty_like(array)))
        for name, array in store._asdict().items()
        if name not in ("table", "first", "at")
    }
    levels = max(2 * int(store.at[k.WANTED]), store.first.size)
    first = np.full(levels, -1, np.int32)
    first[: store.first.size] = store.first
    table = np.full(2 * store.table.size, -1, np.int32)
    larger = store._replace(table=table, first=first, **grown)
    k.fill_table(larger)
    return larger


def _schedule(dag: CDAG, store: k.Store) -> ParallelSchedule:
    """Return the play that ends in the goal of a search."""
    way = [int(store.at[k.GOAL])]
    while store.parent[way[-1]] >= 0:
        way.append(int(store.parent[way[-1]]))
    way.reverse()
    operands = [dag.pred_indices[a:b].tolist() for a, b in pairwise(dag.pred_indptr)]
    moves: list[Made] = []
    for step, (before, after) in enumerate(pairwise(way)):
        kind = ParallelMove(int(store.kind[after]))
        for q, v in enumerate(store.moved[after].tolist()):
            held = set(_members(int(store.red[before, q])))
            kept = set(_members(int(store.red[after, q])))
            reads = set(operands[v]) if kind is COMPUTE and v >= 0 else set()
            first, last = held - kept - reads, (held | {v}) - kept - {-1}
            if kind is STORE or v < 0:
                first, last = set(), held - kept
            moves += [Made(DELETE, u, q, step) for u in sorted(first)]
            moves += [Made(kind, v, q, step)] * (v >= 0)
            moves += [Made(DELETE, u, q, step) for u in sorted(last - first)]
    return ParallelSchedule.from_moves(moves)


def _members(vertices: int) -> Iterator[int]:
    while vertices:
        yield (vertices & -vertices).bit_length() - 1
        vertices &= vertices - 1
