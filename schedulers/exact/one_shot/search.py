"""The least I/O of a small one-shot game, by best-first search over its states.

A state is the set of computed vertices, the red values, and the dirty ones among them (those that
slow memory does not have). One step computes a vertex, fetches its operands and throws out no
more than must leave for that. A play moves the compulsory words and, for each value that leaves
and comes back, its words once more (it is in slow memory, or must be stored in any case) or twice;
a step pays when a value leaves. So what a step costs is known before it is taken, states come in
the order of what they cost, and no state is made before its turn (partial expansion).

Source
------
A. Felner et al., Partial-expansion A* with selective node generation, AAAI 2012.
"""

import numpy as np

from schedulers.exact.driver import Alarm, levels, run
from schedulers.exact.one_shot import _kernels as k
from schedulers.exact.problem import Problem
from schedulers.exact.symmetry import Symmetry
from schedulers.exact.tables import (
    Outcome,
    byte_images,
    byte_sums,
    new_columns,
    with_more_room,
)

STEPS = 2000  # between two looks at the clock
NODES = 1 << 14  # room at first


def best_first(
    problem: Problem, symmetry: Symmetry, *, upper: int, max_memory: int, alarm: Alarm
) -> Outcome[k.Store]:
    """Return the least I/O of plays with less than `upper` words, or how far the search came.

    Parameters
    ----------
    problem, symmetry
        The game.
    upper
        Words of a play that is known: the bound never exceeds it.
    max_memory
        Bytes that the search may take.
    alarm
        Asked now and then whether to give up.

    Raises
    ------
    TooLargeError
        If `upper` is more than the search can count to.
    """
    limit = levels(problem.compulsory, upper)
    game, store = tables(problem, symmetry), _new_store(limit)
    k.enter(store, game, np.uint64(0), np.uint64(0), np.uint64(problem.fresh), 0, -1)
    return run(
        store,
        lambda store: int(k.search(store, game, limit, STEPS)),
        _larger,
        compulsory=problem.compulsory,
        limit=limit,
        max_memory=max_memory,
        alarm=alarm,
    )


def tables(problem: Problem, symmetry: Symmetry) -> k.Game:
    """Return the problem as the kernels read it."""
    return k.Game(
        operands=problem.operands,
        before=problem.before,
        value=problem.value,
        words=problem.words,
        twin=symmetry.earlier_twin,
        readers=problem.readers,
        sizes=problem.sizes,
        weight=byte_sums(problem.sizes),
        rounds=symmetry.rounds,
        turn_done=byte_images(symmetry.of_computed),
        turn_kept=byte_images(symmetry.of_read),
        full=np.uint64((1 << problem.computed.size) - 1),
        costly=np.uint64(problem.costly),
        memory=problem.memory,
        unit=bool((problem.sizes == 1).all() and (problem.words == 1).all()),
        sliding=problem.rules.sliding,
    )


def _new_store(limit: int) -> k.Store:
    return k.Store(node=np.empty(NODES, k.NODE), **new_columns(limit))


def _larger(store: k.Store) -> k.Store:
    """Return `store` with twice the room where it is short."""
    return k.Store(**with_more_room(store, store.node.size, ("node",)))
