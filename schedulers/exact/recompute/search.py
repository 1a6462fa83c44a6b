"""The least I/O of a small game in which values may be computed again, by best-first search.

A state is the set of outputs that are stored, the red values and the blue ones, both only as far
as they lead to an output that is not stored. One step computes a vertex, fetches those of its
operands that are blue and not red, and throws out no more than must leave for that; what leaves
is stored or not. Nothing is lost by that: a value may be fetched as late as just before the
computation that reads it, stored as late as before it leaves, an output as early as when it is
computed, and it may leave as late as when room is needed; if it comes back before, it need not.

What remains to be paid is at least the outputs that are not stored and a minimum cut: on every way
from an input to such an output lies a value that is red now or will be fetched. That is consistent:
computing changes nothing, for all ways to the result lead through its operands, which are red;
what is fetched takes no more from the cut than its words, and an output that is stored its words
from the outputs; storing another value, which is red, changes nothing; leaving can only add.
"""

import numpy as np

from dags.arrays import lock
from schedulers.exact import _kernels as shared
from schedulers.exact.driver import Alarm, levels, run
from schedulers.exact.problem import Masks, Problem
from schedulers.exact.recompute import _kernels as k
from schedulers.exact.recompute.flow import new_flow
from schedulers.exact.symmetry import Symmetry
from schedulers.exact.tables import (
    Outcome,
    byte_images,
    byte_sums,
    new_columns,
    with_more_room,
)

STEPS = 200  # between two looks at the clock
NODES = 1 << 14  # room at first


def best_first(
    problem: Problem, symmetry: Symmetry, *, upper: int, max_memory: int, alarm: Alarm
) -> Outcome[k.Store]:
    """Return the least I/O of plays with less than `upper` words, or how far the search came.

    Parameters and errors as for the search of one-shot games.
    """
    limit = levels(problem.compulsory, upper)
    game, store, flow = tables(problem, symmetry), _new_store(limit), new_flow()
    k.enter(store, game, np.uint64(0), np.uint64(0), np.uint64(0), 0, 0, -1)
    return run(
        store,
        lambda store: int(k.search(store, game, flow, limit, STEPS)),
        _larger,
        compulsory=problem.compulsory,
        limit=limit,
        max_memory=max_memory,
        alarm=alarm,
    )


def tables(problem: Problem, symmetry: Symmetry) -> k.Game:
    """Return the problem as the kernels read it."""
    leads, reach, above = ways(problem)
    return k.Game(
        operands=problem.operands,
        value=problem.value,
        words=problem.words,
        twin=symmetry.earlier_twin,
        sizes=problem.sizes,
        weight=byte_sums(problem.sizes),
        rounds=symmetry.rounds,
        turn_done=byte_images(symmetry.of_computed),
        turn_kept=byte_images(symmetry.of_read),
        reach=reach,
        leads=leads,
        above=above,
        inputs=np.uint64(problem.inputs),
        outputs=np.uint64(problem.outputs),
        memory=problem.memory,
        compulsory=problem.compulsory,
        unit=bool((problem.sizes == 1).all() and (problem.words == 1).all()),
        sliding=problem.rules.sliding,
    )


def ways(problem: Problem) -> tuple[Masks, Masks, Masks]:
    """Return the outputs that computed vertices and values lead to, and what is made of values."""
    count, values = problem.computed.size, problem.value.tolist()
    operands = [int(x) for x in problem.operands]
    leads, reach, above = [0] * count, [0] * problem.read.size, [0] * problem.read.size
    for c in reversed(range(count)):
        leads[c] = problem.outputs & 1 << c | (reach[values[c]] if values[c] >= 0 else 0)
        for r in range(problem.read.size):
            if operands[c] >> r & 1:
                reach[r] |= leads[c]
                above[r] |= 1 << values[c] if values[c] >= 0 else 0
    return tuple(lock(np.array(row, np.uint64)) for row in (leads, reach, above))  # type: ignore[return-value]


def _new_store(limit: int) -> k.Store:
    rows = {name: np.empty(NODES, np.int32) for name in k.Store._fields[:8]}
    rows |= {name: np.empty(NODES, np.uint64) for name in ("red", "blue")}
    rows["fate"] = np.empty(NODES, np.uint8)
    slot = np.full(2 * NODES, -1, np.int32)
    return k.Store(**rows, **new_columns(limit), slot=slot)


def _larger(store: k.Store) -> k.Store:
    """Return `store` with twice the room where it is short."""
    columns = with_more_room(store, store.red.size, k.Store._fields[:8])
    if store.at[shared.NODES] == store.red.size:
        columns["slot"] = np.full(2 * store.slot.size, -1, np.int32)
        k.fill_slots(k.Store(**columns))
    return k.Store(**columns)
