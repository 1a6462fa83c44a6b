"""Plays in which values leave fast memory unstored and are computed again when they are needed."""

from collections.abc import Iterable
from time import perf_counter

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Rules, Schedule
from schedulers.search._kernels import dropping as kernels
from schedulers.search.sequences import Sequences, takes

# Words of a mean value that a computation of mean work counts as: nearly nothing, so that nothing
# is stored that can be computed again, up to so much that this is done only where it is cheap.
TOLLS = 1e-6, 0.02, 0.1, 0.5


def dropped(
    dag: CDAG,
    orders: Iterable[Int32Array],
    memory: int,
    *,
    rules: Rules,
    price_of_work: float = 0.0,
    end: float,
) -> Schedule | None:
    """Return the cheapest play that computes values again instead of storing them, if any is.

    The values of an order are computed one after the other. Who makes room for that is chosen by
    what it costs to have it again, for its size and for the time until then; an operand that is
    not there is computed again first, and so are its own. Nothing is found under sliding rules, and
    in a large DAG.

    Parameters
    ----------
    dag, memory, rules
        The game, with recomputation.
    orders
        Orders of first computations.
    price_of_work
        Words that an operation counts as which is done again.
    end
        When to be done, on the clock `time.perf_counter`; one play is tried in any case.

    Source
    ------
    M. Kirisame et al., Dynamic Tensor Rematerialization, ICLR 2021, whose time since the last use
    is here, where the order is known, the time until the next.
    """
    if not takes(dag, rules):
        return None
    sequences = Sequences(dag, memory, price_of_work=price_of_work)
    made: list[Int32Array] = []
    for order in orders:
        for toll in TOLLS:
            if made and perf_counter() > end:
                break
            sequence = _sequence(sequences, order, toll)
            if sequence is not None:
                made.append(sequence)
    costs = [sequences.cost(one) for one in made]
    playable = [(cost, one) for cost, one in zip(costs, made, strict=True) if cost >= 0]
    if not playable:
        return None
    return sequences.schedule(min(playable, key=lambda pair: pair[0])[1])


def _sequence(sequences: Sequences, order: Int32Array, toll: float) -> Int32Array | None:
    """Return the computations of a play; None where they would be too many."""
    n = sequences.game.words.size
    turn = np.full(n, kernels.FAR, np.int64)
    turn[order] = np.arange(order.size)
    work = sequences.work / max(sequences.work.mean(), 1e-9)
    floor = kernels.Floor(
        goal=lock(np.array(order, np.int32)),
        turn=turn,
        red=np.zeros(n, np.uint8),
        blue=np.zeros(n, np.uint8),
        waits=np.zeros(n, np.int32),
        use=np.zeros(n, np.int64),
        lost=np.zeros(n),
        toll=toll * sequences.unit * work + sequences.price_of_work * sequences.work,
        stack=np.empty(n, np.int32),
        seq=np.empty(sequences.longest, np.int32),
        count=np.zeros(2, np.int64),
    )
    length = kernels.drop_and_compute(sequences.game, floor, sequences.memory)
    return floor.seq[:length].copy() if length >= 0 else None
