"""Runs a best-first search in slices, and gives it room as it grows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dags.arrays import Int64Array, lock
from dags.work import charge
from pebble.budget import UNLIMITED, Budget
from pebble.small._kernels import states as k
from pebble.small._kernels.bits import Words

MOST_STATES = 2**25
MOST_LEVELS = 2**26  # words of excess that can be told apart
FIRST_NODES = 2**12
FIRST_LEVELS = 2**8
BYTES = np.arange(256, dtype=np.uint64)


@dataclass(frozen=True)
class Outcome:
    """Result of a search.

    Parameters
    ----------
    excess
        Lower bound on the excess of all plays, in words; no more than the limit.
    found
        Whether some play has no more: it ends in a goal of `store`.
    exhausted
        Whether there is no play below the limit.
    states
        States that were kept.
    store
        All of them.
    """

    excess: int
    found: bool
    exhausted: bool
    states: int
    store: k.Store


class Search:
    """A best-first search of one game for schedules that cost less than a limit.

    Parameters
    ----------
    new_board
        Returns the game as the kernels read it, with room to work in that nobody else uses.
    begin
        The kernel that enters the first state of a board into a store, or says at which level.
    go_on
        The kernel that searches for some steps.
    keyed
        Steps and values by which states are told apart into lists.
    steps
        How many of them between two looks at the budget.
    unit
        What a step, state or move that is looked at is called in `dags.work`.
    sets
        How many sets a state has beside three.
    """

    def __init__(
        self,
        new_board: Callable[[], Any],
        begin: Callable[[k.Store, Any], object],
        go_on: Callable[[k.Store, Any, int, int], int],
        *,
        keyed: tuple[int, int],
        steps: int,
        unit: str,
        sets: int = 0,
    ) -> None:
        self._new_board = new_board
        self._begin = begin
        self._go_on = go_on
        self._keyed = lock(np.array(keyed, np.uint64))
        self._steps = steps
        self._unit, self._sets = unit, sets

    def below(
        self,
        limit: int,
        *,
        max_states: int = MOST_STATES,
        budget: Budget = UNLIMITED,
        interrupted: Callable[[], object] | None = None,
    ) -> Outcome:
        """The least excess of plays below `limit`, or a bound where the search gives up.

        Parameters
        ----------
        limit
            Words; plays of so much excess, or more, are not of interest.
        max_states
            States that may be kept.
        budget
            Of the search; its bytes are those of the states, roughly.
        interrupted
            Called at Ctrl-C, which then ends no more than this search.
        """
        board, limit = self._new_board(), min(limit, MOST_LEVELS)
        store = self._first_store(max_states)
        status = k.RUNNING if limit > 0 else k.EXHAUSTED
        if status == k.RUNNING and not budget.over:
            store = self._started(board, store, limit)
        try:
            while status in (k.RUNNING, k.FULL) and not budget.over:
                if status == k.FULL:
                    larger = _larger(store, max_states, budget.bytes)
                    if larger is None:
                        break
                    store = larger
                before = int(store.at[k.WORK])
                status = self._go_on(store, board, limit, self._steps)
                charge(self._unit, int(store.at[k.WORK]) - before)
        except KeyboardInterrupt:
            if interrupted is None:
                raise
            interrupted()
        return Outcome(
            excess=max(min(int(store.at[k.LEVEL]), limit), 0),
            found=status == k.FOUND,
            exhausted=status == k.EXHAUSTED,
            states=int(store.at[k.NODES]),
            store=store,
        )

    def _started(self, board: Any, store: k.Store, limit: int) -> k.Store:
        """The store with the state before the first step, unless that must cost `limit`."""
        self._begin(store, board)
        level = int(store.at[k.LATER])
        if 0 <= level < limit:
            store = _with_levels(store, level)
            store.at[k.LEVEL] = level
            self._begin(store, board)
        return store

    def _first_store(self, max_states: int) -> k.Store:
        """An empty store with room for a node."""
        nodes = max(min(FIRST_NODES, max_states), 1)
        queue = np.zeros(6, np.int64)
        queue[[k.GOAL, k.LATER]] = -1
        return k.Store(
            node=np.empty(nodes, k.NODE),
            first=_places(nodes),
            level=np.full(FIRST_LEVELS, -1, np.int32),
            keyed=self._keyed,
            at=queue,
            sets=np.empty((nodes, self._sets), np.uint64),
        )


def _places(nodes: int) -> Any:
    """A table for so many lists."""
    return np.full(1 << int(2 * nodes - 1).bit_length(), -1, np.int32)


def _larger(store: k.Store, max_states: int, max_memory: int) -> k.Store | None:
    """`store` with more room where it is short of it, or None if it may not grow."""
    nodes = store.node.size
    if store.at[k.WANTED] >= store.level.size:
        return _with_levels(store, int(store.at[k.WANTED]))
    size = min(2 * nodes, max_states)
    kept = store.node.nbytes + store.first.nbytes + store.sets.nbytes
    if size == nodes or 2 * kept > max_memory:
        return None
    node, sets = np.empty(size, k.NODE), np.empty((size, store.sets.shape[1]), np.uint64)
    node[:nodes], sets[:nodes] = store.node, store.sets
    larger = store._replace(node=node, sets=sets, first=_places(size))
    k.fill_lists(store, larger)
    return larger


def _with_levels(store: k.Store, last: int) -> k.Store:
    """`store` with room for levels up to `last`, and some more."""
    level = np.full(max(1 << last.bit_length(), store.level.size), -1, np.int32)
    level[: store.level.size] = store.level
    return store._replace(level=level)


def words_of(sizes: Int64Array) -> Words:
    """Sizes of values as the kernels read them."""
    padded = np.zeros(64, np.int64)
    padded[: sizes.size] = sizes
    bits = (BYTES[:, None] >> np.arange(8, dtype=np.uint64)) & np.uint64(1)
    by_byte = padded.reshape(8, 8) @ bits.T.astype(np.int64)
    return Words(by_byte=lock(by_byte), unit=bool((sizes == 1).all()))
