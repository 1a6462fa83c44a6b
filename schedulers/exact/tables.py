"""What the two searches share: tables for their kernels, and a store that grows."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from schedulers.exact import _kernels as k
from schedulers.exact.problem import Masks
from schedulers.exact.symmetry import MOST_SYMMETRIES

BYTES = np.arange(256, dtype=np.uint64)
RECORDS = 1 << 10  # room at first, larger than MOST_SYMMETRIES / 16
S = TypeVar("S")


@dataclass(frozen=True)
class Outcome(Generic[S]):
    """What a search came to.

    Parameters
    ----------
    bound
        Words that no play does without.
    found
        Whether there is a play with so many.
    states
        States that were kept.
    store
        All of them.
    """

    bound: int
    found: bool
    states: int
    store: S


def byte_sums(sizes: Int64Array) -> Int64Array:
    """Return (8, 256) the words of the values in each byte of a set."""
    padded = np.zeros(64, np.int64)
    padded[: sizes.size] = sizes
    bits = (BYTES[:, None] >> np.arange(8, dtype=np.uint64)) & np.uint64(1)
    return lock(padded.reshape(8, 8) @ bits.T.astype(np.int64))


def byte_images(images: Int64Array) -> Masks:
    """Return (g, bytes, 256) the image of each byte of a set under each permutation."""
    turns, size = images.shape
    table = np.zeros((turns, -(-size // 8), 256), np.uint64)
    for i in range(size):
        has = (BYTES >> np.uint64(i % 8)) & np.uint64(1)
        table[:, i // 8, :] |= has[None, :] << images[:, i, None].astype(np.uint64)
    return lock(table)


def new_columns(limit: int) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of an empty store that are not about nodes, for levels up to `limit`."""
    at = np.zeros(6, np.int64)
    at[k.GOAL] = -1
    return {
        "done": np.empty(RECORDS, np.uint64),
        **{name: np.empty(RECORDS, np.int32) for name in ("first", "still", "still_end")},
        **_keys(4 * RECORDS),
        "pool": np.empty(16 * RECORDS, np.int32),
        "bucket": np.full(limit + 1, -1, np.int32),
        "at": at,
    }


def _keys(size: int) -> dict[str, npt.NDArray[Any]]:
    return {
        "key": np.empty(size, np.uint64),
        "key_record": np.full(size, -1, np.int32),
        "key_turn": np.empty(size, np.int32),
    }


def counters(store: Any) -> Int64Array:
    """Return where a store is; the kernels say what is where."""
    at: Int64Array = store.at
    return at


def size_in_bytes(store: Any) -> int:
    """Return the bytes that a store takes."""
    return sum(column.nbytes for column in store)


def with_more_room(store: Any, room: int, of_nodes: tuple[str, ...]) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of a store by name, those that are short with twice the room.

    Parameters
    ----------
    store
        A `Store` of this search or of another one that keeps records and keys as it does.
    room
        How many nodes it has room for.
    of_nodes
        Columns with an entry a node.
    """
    at = store.at
    columns: dict[str, npt.NDArray[Any]] = store._asdict()
    short: list[str] = []
    if at[k.NODES] == room:
        short += of_nodes
    if at[k.RECORDS] == store.done.size:
        short += ["done", "first", "still", "still_end"]
    if at[k.POOLED] + MOST_SYMMETRIES >= store.pool.size:
        short.append("pool")
    for name in short:
        columns[name] = np.concatenate([columns[name], np.empty_like(columns[name])])
    if 2 * at[k.KEYS] + 8 > store.key.size:
        columns |= _keys(2 * store.key.size)
        k.move_keys(store, type(store)(**columns))
    return columns
