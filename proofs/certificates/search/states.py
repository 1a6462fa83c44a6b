"""Runs the search of a game, and gives it room as it grows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.search import _kernels as k
from proofs.certificates.search.fronts import fronts
from proofs.certificates.search.game import Game, mask
from proofs.certificates.search.swaps import swaps

STEPS = 500  # between two looks at the clock
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
    """Searches for plays of one game, below one limit after the other."""

    def __init__(self, game: Game) -> None:
        self._board = board(game)

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
        store = _new_store(limit, most)
        none = np.uint64(0)
        status = k.RUNNING
        k.enter(store, self._board, limit, none, none, none, none, 0)
        while status in (k.RUNNING, k.FULL):
            if status == k.FULL:
                if store.red.size >= most:
                    return None
                store = _larger(store, most)
            elif stop():
                return None
            status = k.search(store, self._board, limit, STEPS)
        states = int(store.at[k.NODES])
        if status == k.FOUND:
            return Found(int(store.at[k.LEVEL]), True, states)
        return Found(int(store.at[k.BEYOND]), False, states)


def board(game: Game) -> k.Board:
    """Return the game as the kernels read it."""
    moved_steps, moved_values = swaps(game)
    step_turns, low_steps, shift_steps = _exchanges(moved_steps)
    value_turns, low_values, shift_values = _exchanges(moved_values)
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
        words=_byte_sums(game.sizes),
        turns=np.array([step_turns, value_turns], np.int64),
        low_steps=np.array(low_steps, np.uint64),
        shift_steps=np.array(shift_steps, np.uint64),
        low_values=np.array(low_values, np.uint64),
        shift_values=np.array(shift_values, np.uint64),
        fronts=marks.steps,
        scores=marks.scores,
        memory=game.memory,
        unit=bool((game.sizes == 1).all() and (game.own == 1).all()),
        sliding=game.sliding,
    )


def _byte_sums(amounts: Int64Array) -> Int64Array:
    """Return (8, 256) the sum of the amounts of the values in each byte of a set."""
    padded = np.zeros(64, np.int64)
    padded[: amounts.size] = amounts
    bits = (BYTES[:, None] >> np.arange(8, dtype=np.uint64)) & np.uint64(1)
    return padded.reshape(8, 8) @ bits.T.astype(np.int64)


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
