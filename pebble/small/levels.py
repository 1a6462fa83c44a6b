"""The least cost of a play on a hierarchy of memories, for small DAGs, by search of its states.

E5 in docs/theory/search.md has the proof, item by item, that the plays left out are not needed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from dags import CDAG
from dags.arrays import lock
from pebble.budget import Budget
from pebble.errors import MemoryTooSmallError
from pebble.game import Game
from pebble.machine import Machine
from pebble.moves import Action, Move
from pebble.rules import require_memory
from pebble.schedule import Schedule
from pebble.small._kernels import levels as k
from pebble.small.game import BITS, TooLargeError, mask, members
from pebble.small.plays import path_to_goal
from pebble.small.search import MOST_LEVELS, Search, words_of

STEPS = 2000  # between two looks at the clock
EVERYTHING = (1 << BITS) - 1


@dataclass(frozen=True)
class LevelOptimum:
    """Result of a search for the cheapest play on a hierarchy.

    Parameters
    ----------
    cost
        The least cost; None if the search gave up.
    lower_bound
        Lower bound on the cost of any legal play.
    schedule
        A play that costs so much.
    states
        States that were kept.
    """

    cost: int | None
    lower_bound: int
    schedule: Schedule | None
    states: int


def least_cost(
    dag: CDAG,
    memories: Sequence[int],
    costs: Sequence[int] | None = None,
    *,
    time_limit: float | None = None,
    max_memory: int = Budget.bytes,
) -> LevelOptimum:
    """The cheapest one-shot play of a small DAG on a hierarchy.

    Parameters
    ----------
    dag
        The computation, of at most 64 vertices that play a part.
    memories
        (L - 1,) words of each level but the last.
    costs
        (L - 1,) the price of a word across each boundary, whole numbers; 1 by default.
    time_limit
        Seconds, roughly; None for no limit.
    max_memory
        Bytes that the search may take, roughly.

    Raises
    ------
    TooLargeError
        If the DAG has more vertices, or values and prices are too large.
    MemoryTooSmallError
        If some vertex cannot be computed at level 1, or some value does not fit into a level.
    """
    budget = Budget(time_limit, max_memory)
    prices = [1] * len(memories) if costs is None else [int(price) for price in costs]
    require_levels(dag, memories)
    values = np.flatnonzero(dag.is_computed | dag.is_read)
    board, limit = _board(Game(dag, Machine.levels(memories)), prices, values)
    sets, keyed = len(memories) + 2, (EVERYTHING, EVERYTHING)
    search = Search(
        lambda: board, k.begin, k.search, keyed=keyed, steps=STEPS, unit="level state", sets=sets
    )
    outcome = search.below(limit, budget=budget)
    cost, schedule = None, None
    if outcome.found:
        path = path_to_goal(outcome.store)
        states = [[int(x) for x in outcome.store.sets[node]] for node in path]
        moves = [*_moves(board, states), *_last_stores(states[-1])]
        named = (move._replace(vertex=int(values[move.vertex])) for move in moves)
        cost, schedule = outcome.excess, Schedule.from_actions(named)
    return LevelOptimum(cost, outcome.excess, schedule, outcome.states)


def require_levels(dag: CDAG, memories: Sequence[int]) -> None:
    """Raise MemoryTooSmallError where a hierarchy cannot play a DAG at all.

    Parameters
    ----------
    dag
        The computation.
    memories
        (L - 1,) words of each level but the last.
    """
    require_memory(dag, memories[0])
    largest = int(dag.sizes.max(initial=0))
    for level, words in enumerate(memories[1:], start=2):
        if words < largest:
            vertex = dag.name(int(dag.sizes.argmax()))
            raise MemoryTooSmallError(words, largest, vertex, f"it passes level {level}")


def _board(game: Game, costs: Sequence[int], values: np.ndarray) -> tuple[k.LevelsBoard, int]:
    """The game on some values as the kernels read it, and a cost that no play needs."""
    dag, n = game.dag, values.size
    if n > BITS:
        raise TooLargeError(f"at most {BITS} vertices are searched, not {n}")
    place = {v: i for i, v in enumerate(values.tolist())}
    rows = [dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]] for v in values]
    preds = [mask(place[u] for u in row.tolist()) for row in rows]
    words = dag.sizes[values]
    down = [0, 0, *accumulate(costs)]
    up = [0, *(down[-1] - cost for cost in down[1:])]
    highest = down[-1] * (
        sum(int(words[u]) for row in preds for u in members(row)) + int(words.sum())
    )
    if highest >= MOST_LEVELS:
        raise TooLargeError(f"plays cost up to {highest}: {MOST_LEVELS} costs are told apart")
    board = k.LevelsBoard(
        preds=lock(np.array(preds, np.uint64)),
        succs=lock(
            np.array([mask(v for v in range(n) if preds[v] >> u & 1) for u in range(n)], np.uint64)
        ),
        words=words_of(words),
        is_output=np.uint64(mask(place[v] for v in dag.outputs.tolist())),
        inputs=np.uint64(mask(v for v in range(n) if not preds[v])),
        full=np.uint64(mask(range(n))),
        room=lock(np.array([0, *game.machine.rooms[:-1]], np.int64)),
        down=lock(np.array(down, np.int64)),
        up=lock(np.array(up, np.int64)),
        state=np.zeros((2, len(down)), np.uint64),
    )
    return board, highest + 1


def _moves(board: k.LevelsBoard, states: Sequence[list[int]]) -> Iterator[Action]:
    """Yield the moves between states: in each something new is at one level, and others leave.

    Values that make room leave before, those that nobody needs any more after.
    """
    for state, target in pairwise(states):
        (level, v) = next(
            (place, v)
            for place in range(1, len(state))
            for v in members(target[place] & ~state[place])
        )
        move, place = Move.LOAD, level
        kept = 0
        if state[0] != target[0]:
            move, kept = Move.COMPUTE, int(board.preds[v])
        elif state[level - 1] >> v & 1 and level > 1:
            move, place = Move.STORE, level - 1
        leaving = [
            (place, u)
            for place in range(1, len(state))
            for u in members(state[place] & ~target[place])
        ]
        before = [(place, u) for place, u in leaving if place == level and not kept >> u & 1]
        after = sorted({*leaving} - {*before})
        yield from (Action(Move.DELETE, u, place - 1) for place, u in before)
        yield Action(move, v, place - 1)
        yield from (Action(Move.DELETE, u, place - 1) for place, u in after)


def _last_stores(state: Sequence[int]) -> Iterator[Action]:
    """Yield the moves that take the outputs up, those of the highest level first."""
    last = len(state) - 1
    for level in range(last - 1, 0, -1):
        for v in members(state[level]):
            for place in range(level, last):
                yield Action(Move.STORE, v, place - 1)
                yield Action(Move.DELETE, v, place - 1)
