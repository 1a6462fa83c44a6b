"""The least cost of a play on a hierarchy of memories, for small DAGs, by search of its states.

A state is what has been computed and what is at each level; the A* algorithm takes states in the
order of what has been spent and what is due at least: values that will be read and are not at level
1 must come down, outputs must go up. The search keeps to plays of one form; each of these changes
makes no play dearer and keeps it legal.

1. A copy leaves a level only when something else needs its room there; what nobody needs leaves at
   once, and so do lower copies of an output that nobody reads any more.
2. A value is stored to the next level only when it is about to leave its own, which is short of
   room.
3. A value is loaded only if it is at no lower level, and some vertex that is not computed reads it.
4. When everything has been computed the outputs that are left go up, those of the highest level
   first: there is room for each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from time import monotonic

import numpy as np

from dags import CDAG
from dags.arrays import lock
from pebble.errors import MemoryTooSmallError
from pebble.moves import Move
from pebble.rules import require_memory
from pebble.schedule import Schedule
from pebble.small._kernels import levels as k
from pebble.small.game import BITS, TooLargeError

STEPS = 2000  # between two looks at the clock
FIRST_NODES = 1 << 12
MOST_NODES = 1 << 25
MAX_MEMORY = 2**31  # bytes
MOST_COSTS = 2**27  # of plays: the queue has a place for each


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
    max_memory: int = MAX_MEMORY,
) -> LevelOptimum:
    """Return the cheapest one-shot play of a small DAG on a hierarchy.

    Parameters
    ----------
    dag
        The computation, of at most 64 vertices that play a part.
    memories
        (L - 1,) words of each level but the last.
    costs
        (L - 1,) what a word costs across each boundary, whole numbers; 1 by default.
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
    prices = [1] * len(memories) if costs is None else [int(price) for price in costs]
    require_levels(dag, memories)
    game = _Game(dag, memories, prices)
    end = None if time_limit is None else monotonic() + time_limit
    store = game.first_store()
    status = k.RUNNING
    while status in (k.RUNNING, k.FULL) and (end is None or monotonic() < end):
        if status == k.FULL:
            if 2 * _bytes(store) > max_memory or 2 * store.spent.size > MOST_NODES:
                break
            store = _larger(store)
        status = k.search(store, game.board, STEPS)
    states, bound = int(store.at[k.NODES]), int(store.at[k.LEVEL])
    if status != k.FOUND:
        return LevelOptimum(None, bound, None, states)
    return LevelOptimum(bound, bound, game.play(store), states)


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


def _bytes(store: k.Store) -> int:
    return sum(array.nbytes for array in store)


def _larger(store: k.Store) -> k.Store:
    """Return a store with twice the room for states."""
    nodes = store.spent.size
    grown = {
        name: np.concatenate((array, np.empty_like(array)))
        for name, array in store._asdict().items()
        if name in ("held", "spent", "parent", "queued", "closed")
    }
    larger = store._replace(**grown, first=np.full(4 * nodes, -1, np.int64))
    k.fill_table(larger)
    return larger


class _Game:
    """A game on sets of values, and the way back to a play."""

    def __init__(self, dag: CDAG, memories: Sequence[int], costs: Sequence[int]) -> None:
        self.values = np.flatnonzero(dag.is_computed | dag.is_read)
        if self.values.size > BITS:
            raise TooLargeError(f"at most {BITS} vertices are searched, not {self.values.size}")
        place = {v: i for i, v in enumerate(self.values.tolist())}
        rows = [dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]] for v in self.values]
        self.preds = [sum(1 << place[u] for u in row.tolist()) for row in rows]
        n = self.values.size
        self.succs = [sum(1 << v for v in range(n) if self.preds[v] >> u & 1) for u in range(n)]
        self.words = dag.sizes[self.values].tolist()
        self.outputs = sum(1 << place[v] for v in dag.outputs.tolist())
        self.inputs = sum(1 << v for v in range(n) if not self.preds[v])
        self.last = len(memories) + 1
        everything = sum(self.words)
        self.room = [0, *(min(words, everything) for words in memories), everything]
        self.costs = [0, *costs]
        down = [0, *(sum(costs[: level - 1]) for level in range(1, self.last + 1))]
        up = [0, *(sum(costs[level - 1 :]) for level in range(1, self.last + 1))]
        most = sum(
            down[-1] * sum(self.words[u] for u in range(n) if self.preds[v] >> u & 1)
            + up[1] * self.words[v]
            for v in range(n)
        )
        if most >= MOST_COSTS:
            raise TooLargeError(f"plays cost up to {most}: {MOST_COSTS} costs are told apart")
        self.most = most + 1
        self.board = k.Board(
            preds=_sets(self.preds),
            succs=_sets(self.succs),
            words=lock(np.array(self.words, np.int64)),
            is_output=np.uint64(self.outputs),
            inputs=np.uint64(self.inputs),
            room=lock(np.array(self.room, np.int64)),
            down=lock(np.array(down, np.int64)),
            up=lock(np.array(up, np.int64)),
        )

    def first_store(self) -> k.Store:
        """Return a store with the state before the first move."""
        held = np.zeros((FIRST_NODES, self.last + 1), np.uint64)
        spent, parent, queued = (np.zeros(FIRST_NODES, np.int64) for _ in range(3))
        store = k.Store(
            held=held,
            spent=spent,
            parent=parent,
            queued=queued,
            closed=np.zeros(FIRST_NODES, np.bool_),
            first=np.full(2 * FIRST_NODES, -1, np.int64),
            bucket=np.full(self.most, -1, np.int64),
            at=np.zeros(3, np.int64),
        )
        start = np.zeros(self.last + 1, np.uint64)
        start[self.last] = self.inputs
        k.start(store, self.board, start)
        return store

    def play(self, store: k.Store) -> Schedule:
        """Return the play that ends in the goal of a search."""
        path = [int(store.at[k.GOAL])]
        while store.parent[path[-1]] >= 0:
            path.append(int(store.parent[path[-1]]))
        states = [[int(x) for x in store.held[node]] for node in reversed(path)]
        moves: list[tuple[Move, int, int]] = []
        for state, target in pairwise(states):
            moves += next(made for made, after in self._following(state) if after == target)
        moves += self._last_stores(states[-1])
        names = self.values.tolist()
        op, vertex, level = zip(*((move, names[v], at) for move, v, at in moves), strict=True)
        return Schedule(op, vertex, place=np.array(level) - 1)

    def _following(
        self, state: list[int]
    ) -> Iterator[tuple[list[tuple[Move, int, int]], list[int]]]:
        """Yield the moves of a step, and the state after it."""
        for move, v, level, target in self._copies(state):
            kept = self.preds[v] if move is Move.COMPUTE else 0
            others = list(_members(state[target] & ~kept))
            need = self._weight(state[target] | 1 << v) - self.room[target]
            for count in range(len(others) + 1):
                for leaving in combinations(others, count):
                    spare = sum(self.words[u] for u in leaving) - need
                    if spare < 0 or any(self.words[u] <= spare for u in leaving):
                        continue
                    after = state.copy()
                    after[target] = after[target] & ~sum(1 << u for u in leaving) | 1 << v
                    after[0] |= (move is Move.COMPUTE) << v
                    moves = [(Move.DELETE, u, target) for u in leaving]
                    moves.append((move, v, level))
                    yield moves + self._settle(after), after

    def _copies(self, state: list[int]) -> Iterator[tuple[Move, int, int, int]]:
        """Yield the moves that make a copy, and the level of the copy."""
        for level in range(1, self.last):
            for v in _members(state[level + 1] & ~state[level]):
                yield Move.LOAD, v, level, level
            for v in _members(state[level] & ~state[level + 1]):
                yield Move.STORE, v, level, level + 1
        for v, row in enumerate(self.preds):
            if row and not state[0] >> v & 1 and not row & ~state[1]:
                yield Move.COMPUTE, v, 1, 1

    def _settle(self, state: list[int]) -> list[tuple[Move, int, int]]:
        """Delete what nobody needs, in place; return the moves."""
        moves = []
        for v in range(len(self.words)):
            if self.succs[v] & ~state[0]:
                continue
            keep = bool(self.outputs >> v & 1)
            for level in range(self.last, 0, -1):
                if state[level] >> v & 1:
                    if not keep and level < self.last:
                        state[level] &= ~(1 << v)
                        moves.append((Move.DELETE, v, level))
                    keep = False
        return moves

    def _last_stores(self, state: list[int]) -> list[tuple[Move, int, int]]:
        """Return the moves that take the outputs up, those of the highest level first."""
        moves = []
        for level in range(self.last - 1, 0, -1):
            for v in _members(state[level]):
                for at in range(level, self.last):
                    moves += [(Move.STORE, v, at), (Move.DELETE, v, at)]
        return moves

    def _weight(self, values: int) -> int:
        return sum(self.words[v] for v in _members(values))


def _members(values: int) -> Iterator[int]:
    """Yield the members of a set."""
    while values:
        yield (values & -values).bit_length() - 1
        values &= values - 1


def _sets(values: Sequence[int]) -> np.ndarray:
    return lock(np.array(values, np.uint64))
