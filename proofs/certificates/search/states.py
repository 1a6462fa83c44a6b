"""Runs the search of a game, and gives it room as it grows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.search import _kernels as k
from proofs.certificates.search.fronts import fronts
from proofs.certificates.search.game import Game, Masks, mask
from proofs.certificates.search.swaps import swaps

STEPS = 500  # between two looks at the clock, if they are short
BYTES = np.arange(256, dtype=np.uint64)
MOST_WORDS = 2**24
FAR = 2**62
NODES = ("done", "red", "dirty", "spent", "queued")


@dataclass(frozen=True)
class Found:
    """What a search came to.

    Parameters
    ----------
    excess
        Words that every play exceeds the compulsory ones by, at least.
    complete
        Whether some play exceeds them by no more.
    states
        States that were kept.
    """

    excess: int
    complete: bool
    states: int


class Search:
    """Searches for plays of one game, below one limit after the other.

    Parameters
    ----------
    new_board
        The game as the kernels read it, with room to work in that nobody else uses.
    begin
        The kernel that enters the first state of a board into a store, below a limit.
    go_on
        The kernel that searches for some steps.
    steps
        How many of them between two looks at the clock.
    """

    def __init__(
        self,
        new_board: Callable[[], Any],
        begin: Callable[[k.Store, Any, int], object],
        go_on: Callable[[k.Store, Any, int, int], int],
        steps: int = STEPS,
    ) -> None:
        self._new_board = new_board
        self._begin = begin
        self._go_on = go_on
        self._steps = steps

    def below(self, limit: int, most: int, stop: Callable[[], bool] = bool) -> Found | None:
        """Return what all states below `limit` prove, or None if they are too many.

        Parameters
        ----------
        limit
            States that cannot lead to plays of less excess than this are left out.
        most
            States that may be kept.
        stop
            Asked now and then whether to give up.
        """
        if limit > MOST_WORDS:
            return None
        board, store = self._new_board(), _new_store(limit, most)
        status = k.RUNNING
        self._begin(store, board, limit)
        while status in (k.RUNNING, k.FULL):
            if status == k.FULL:
                if store.red.size >= most:
                    return None
                store = _larger(store, most)
            elif stop():
                return None
            status = self._go_on(store, board, limit, self._steps)
        states = int(store.at[k.NODES])
        if status == k.FOUND:
            return Found(int(store.at[k.LEVEL]), True, states)
        return Found(int(store.at[k.BEYOND]), False, states)


def one_shot(game: Game) -> Search:
    """Return the search of a game in which each value is computed once."""
    fixed = board(game)
    return Search(lambda: fixed, k.begin, k.search)


def board(game: Game) -> k.Board:
    """Return the game as the kernels read it."""
    turns, low_steps, shift_steps, low_values, shift_values = exchanges(*swaps(game))
    marks = fronts(game)
    return k.Board(
        operands=game.operands,
        before=game.before,
        result=game.result,
        own=game.own,
        readers=game.readers,
        sizes=game.sizes,
        costly=np.uint64(mask(np.flatnonzero(game.price == 2).tolist())),
        full=np.uint64((1 << game.steps.size) - 1),
        words=byte_sums(game.sizes),
        turns=turns,
        low_steps=low_steps,
        shift_steps=shift_steps,
        low_values=low_values,
        shift_values=shift_values,
        fronts=marks.steps,
        scores=marks.scores,
        memory=game.memory,
        unit=bool((game.sizes == 1).all() and (game.own == 1).all()),
        sliding=game.sliding,
    )


def byte_sums(amounts: Int64Array) -> Int64Array:
    """Return (8, 256) the sum of the amounts of the values in each byte of a set."""
    padded = np.zeros(64, np.int64)
    padded[: amounts.size] = amounts
    bits = (BYTES[:, None] >> np.arange(8, dtype=np.uint64)) & np.uint64(1)
    return padded.reshape(8, 8) @ bits.T.astype(np.int64)


def exchanges(
    steps: Int64Array, values: Int64Array
) -> tuple[Int64Array, Masks, Masks, Masks, Masks]:
    """Return swaps of steps and of values as `Board` has them: turns, and low and shift of each."""
    step_turns, low_steps, shift_steps = _exchanges(steps)
    value_turns, low_values, shift_values = _exchanges(values)
    return (
        np.array([step_turns, value_turns], np.int64),
        np.array(low_steps, np.uint64),
        np.array(shift_steps, np.uint64),
        np.array(low_values, np.uint64),
        np.array(shift_values, np.uint64),
    )


def _exchanges(images: Int64Array) -> tuple[list[int], list[int], list[int]]:
    """Return where each swap begins, sets of bits, and how far above them their images are."""
    turns, low, shift = [0], [], []
    for row in images.tolist():
        apart: dict[int, list[int]] = {}
        for i, j in enumerate(row):
            if i < j:
                apart.setdefault(j - i, []).append(i)
        low += [mask(bits) for bits in apart.values()]
        shift += list(apart)
        turns.append(len(low))
    return turns, low, shift


def _new_store(limit: int, most: int) -> k.Store:
    nodes = min(1 << 12, most)
    return k.Store(
        done=np.empty(nodes, np.uint64),
        red=np.empty(nodes, np.uint64),
        dirty=np.empty(nodes, np.uint64),
        spent=np.empty(nodes, np.int32),
        queued=np.empty(nodes, np.int32),
        table=np.full(_places(nodes), -1, np.int32),
        bucket=np.full(limit + 1, -1, np.int32),
        at=np.array([0, 0, FAR], np.int64),
    )


def _larger(store: k.Store, most: int) -> k.Store:
    """Return `store` with twice the room, for `most` states if these are fewer."""
    size = min(2 * store.red.size, most)
    columns = {name: np.resize(getattr(store, name), size) for name in NODES}
    larger = store._replace(table=np.full(_places(size), -1, np.int32), **columns)
    k.fill_table(larger)
    return larger


def _places(nodes: int) -> int:
    """Return a power of two, at least twice as many as there are nodes."""
    return 1 << int(2 * nodes - 1).bit_length()
