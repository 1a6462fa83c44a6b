"""Plays that compute again values that leave, without computations and loads that gain nothing."""

from collections.abc import Iterable

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from dags.work import charge, seconds_of
from pebble import Budget, Move, Rules, Schedule, play, rank_of
from schedulers.search import sequences
from schedulers.search._kernels import dropping as kernels
from schedulers.search.rematerialization import MOST_ROUNDS
from schedulers.search.sequences import Sequences, takes

# Words of a mean value that a computation of mean work counts as: nearly nothing, so that nothing
# is stored that can be computed again, up to so much that this is done only where it is cheap.
TOLLS = 1e-6, 0.02, 0.1, 0.5
Moves = list[tuple[Move, int]]


def dropped(
    dag: CDAG,
    orders: Iterable[Int32Array],
    memory: int,
    *,
    rules: Rules,
    price_of_work: float = 0.0,
    budget: Budget,
) -> Schedule | None:
    """The cheapest play that computes values again instead of storing them, if any is.

    The values of an order are computed one after the other. Who makes room for that is chosen by
    the cost to have it again, for its size and for the time until then; an operand that is not
    there is computed again first, and so are its own. Nothing is found under sliding rules, and in
    a large DAG.

    Parameters
    ----------
    dag, memory, rules
        The game, with recomputation.
    orders
        Orders of first computations.
    price_of_work
        Words that an operation counts as which is done again.
    budget
        Of all of it; one play is tried in any case.

    Source
    ------
    M. Kirisame et al., Dynamic Tensor Rematerialization, ICLR 2021, whose time since the last use
    is here, where the order is known, the time until the next.
    """
    if not takes(dag, rules):
        return None
    sequences = Sequences(dag, memory, price_of_work=price_of_work)
    sequences_made: list[Int32Array] = []
    for order in orders:
        for toll in TOLLS:
            if sequences_made and budget.over:
                break
            sequence = _sequence(sequences, order, toll)
            if sequence is not None:
                sequences_made.append(sequence)
    costs = [sequences.cost(candidate) for candidate in sequences_made]
    playable = [
        (cost, candidate)
        for cost, candidate in zip(costs, sequences_made, strict=True)
        if cost >= 0
    ]
    if not playable:
        return None
    return sequences.schedule(min(playable, key=lambda pair: pair[0])[1])


def _sequence(sequences: Sequences, order: Int32Array, toll: float) -> Int32Array | None:
    """The computations of a play; None where they would be too many."""
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
    charge("sequence", max(length, order.size))
    return floor.seq[:length].copy() if length >= 0 else None


def pruned(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules,
    price_of_work: float = 0.0,
    budget: Budget,
) -> Schedule:
    """A play that costs no more, without computations that gain nothing.

    A value stays in fast memory where there is room until it would be computed again or loaded; one
    that nobody reads before it leaves is neither. Of a DAG that `sequences` takes, each computation
    is left out where the rest then costs no more.

    Parameters
    ----------
    dag, memory, rules
        The game, with recomputation.
    schedule
        A play of it.
    price_of_work
        Words that an operation counts as which is done again.
    budget
        Of all of it: nothing is begun that would last longer.
    """
    known = play(dag, schedule, memory, rules=rules)
    if not known.recomputes:
        return schedule
    best = schedule
    if sequences.takes(dag, rules):
        shortened = sequences.pruned(dag, best, memory, price_of_work=price_of_work, budget=budget)
        best = _better(dag, best, shortened, memory, rules, price_of_work)
    for _ in range(MOST_ROUNDS):
        if seconds_of("move", len(best) + dag.m) > budget.left:
            break
        charge("move", len(best) + dag.m)
        shortened = _without_needless(dag, best, memory)
        if len(shortened) == len(best):
            break
        best = _better(dag, best, shortened, memory, rules, price_of_work)
    return best


def _better(
    dag: CDAG, first: Schedule, second: Schedule, memory: int, rules: Rules, price: float
) -> Schedule:
    """The better of two plays, the first where they are as good."""

    def rank(schedule: Schedule) -> tuple[float, int, int]:
        return rank_of(dag, play(dag, schedule, memory, rules=rules), price)

    return second if rank(second) < rank(first) else first


def _without_needless(dag: CDAG, schedule: Schedule, memory: int) -> Schedule:
    """The moves without those that bring values that are there, or could have stayed."""
    kept = _stays(dag, schedule, memory)
    return _used(dag, [move for move, stays in zip(schedule, kept, strict=True) if stays])


def _stays(dag: CDAG, schedule: Schedule, memory: int) -> list[bool]:
    """Which moves stay where values do not leave that have room until they come back."""
    gain = np.array([1, 0, 1, -1])[schedule.op] * dag.sizes[schedule.vertex]
    occupied = np.cumsum(gain)
    kept = [True] * len(schedule)
    left: dict[int, int] = {}  # where each value left fast memory last
    for place, (move, v) in enumerate(schedule):
        if move is Move.DELETE:
            left[v] = place
        elif move is not Move.STORE and (stay_begin := left.pop(v, None)) is not None:
            size = int(dag.sizes[v])
            if int(occupied[stay_begin:place].max()) + size <= memory:
                occupied[stay_begin:place] += size
                kept[stay_begin] = kept[place] = False
    return kept


def _used(dag: CDAG, moves: Moves) -> Schedule:
    """The moves without those that make values red which nobody then reads or stores."""
    bounds, operands = dag.pred_indptr.tolist(), dag.pred_indices.tolist()
    times = np.bincount([v for move, v in moves if move is Move.COMPUTE], minlength=dag.n).tolist()
    needed, leaving = set[int](), dict[int, int]()
    kept = [True] * len(moves)
    for place in range(len(moves) - 1, -1, -1):
        move, v = moves[place]
        if move is Move.DELETE:
            leaving[v] = place
            needed.discard(v)
        elif move is Move.STORE:
            needed.add(v)
        elif v not in needed and (move is Move.LOAD or times[v] > 1):
            times[v] -= move is Move.COMPUTE
            kept[place] = False
            if v in leaving:
                kept[leaving.pop(v)] = False
        else:
            needed.discard(v)
            leaving.pop(v, None)
            if move is Move.COMPUTE:
                needed.update(operands[bounds[v] : bounds[v + 1]])
    return Schedule.from_moves([moves[x] for x in range(len(moves)) if kept[x]])
