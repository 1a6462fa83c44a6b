"""Eviction policies: which value leaves fast memory when room is needed.

All of them free a value at its last use, load an operand when a step needs it, and store a value
when it leaves for the first time before its last use. They differ in who leaves.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from dags.arrays import Int32Array, lock, number_type
from pebble import Schedule
from schedulers.eviction._kernels import policies as _kernels
from schedulers.orders.access_order import Accesses, Places

MOST_WORDS = 2**62  # words
BLOCK_MOVES = 1 << 16  # a block is written, copied and replayed without leaving the cache


@dataclass(frozen=True)
class Victims:
    """Values that leave fast memory before their last use, in order.

    Parameters
    ----------
    value
        (E,) the values that leave.
    end
        (N,) how many have left by the end of each step.
    """

    value: Int32Array
    end: Places


@dataclass(frozen=True)
class Traffic:
    """Traffic of an order under an eviction policy.

    Parameters
    ----------
    loads, stores
        Words moved to fast and to slow memory.
    evictions
        How often a value leaves fast memory before its last use.
    alike
        Whether the same values would leave, as is known, if a store cost twice as much.
    """

    loads: int
    stores: int
    evictions: int
    alike: bool = False

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.loads + self.stores


NOBODY = Victims(np.empty(0, np.int32), np.empty(0, np.int32))


def lru(accesses: Accesses, memory: int, victims: Victims = NOBODY) -> Traffic:
    """The traffic if the least recently used value leaves.

    Parameters
    ----------
    accesses
        Values that each step of an order touches.
    memory
        Words of fast memory, enough for every step.
    victims
        Arrays to record the evictions in; empty ones record nothing.
    """
    recent = _never(accesses)
    return _run(_kernels.evict_lru, accesses, victims, (), (memory, recent))


def fifo(accesses: Accesses, memory: int, victims: Victims = NOBODY) -> Traffic:
    """The traffic if the value leaves that came first.

    Operands that the current step has touched stay.

    Parameters
    ----------
    accesses, memory, victims
        As for `lru`.
    """
    entered, recent = _never(accesses), _never(accesses)
    return _run(_kernels.evict_fifo, accesses, victims, (), (memory, entered, recent))


def belady(accesses: Accesses, memory: int, victims: Victims = NOBODY) -> Traffic:
    """The traffic if the value leaves whose next use is furthest.

    Loads are the fewest possible for the order (values of one size). With stores it is within
    a factor of two of the best.

    Parameters
    ----------
    accesses, memory, victims
        As for `lru`.

    Source
    ------
    L. A. Belady, A study of replacement algorithms for a virtual-storage computer, 1966; for
    the factor, N. Beckmann et al., Writeback-aware caching, APOCS 2020.
    """
    return _run(_kernels.evict_furthest, accesses, victims, (accesses.following,), (memory,))


def belady_clean(accesses: Accesses, memory: int, victims: Victims = NOBODY) -> Traffic:
    """The traffic if the furthest leaves, of equally far ones one that needs no store.

    Parameters
    ----------
    accesses, memory, victims
        As for `lru`.
    """
    return _by_cost(accesses, memory, victims, 1, MOST_WORDS)


def belady_cost(accesses: Accesses, memory: int, victims: Victims = NOBODY) -> Traffic:
    """The traffic if the value leaves that costs least for each step its room is won.

    A value that must be stored when it leaves costs two words and one that need not costs one,
    so the former leaves only if its next use is more than twice as far.

    Parameters
    ----------
    accesses, memory, victims
        As for `lru`.
    """
    return _by_cost(accesses, memory, victims, 2, MOST_WORDS)


def traffic_within(
    accesses: Accesses, memory: int, victims: Victims = NOBODY, *, price: int, most: int
) -> Traffic:
    """The traffic of `belady_clean` or `belady_cost`.

    A play that moves more than `most` words is not counted to its end; its counted part is more,
    too. Where a play by `belady_clean` is `alike`, one by `belady_cost` is the same, or moves more
    than `most` as well.

    Parameters
    ----------
    accesses, memory, victims
        As for `lru`.
    price
        Of a value that must be stored when it leaves: 1 for `belady_clean`, 2 for `belady_cost`.
    most
        Words.
    """
    outputs = accesses.dag.words_of(accesses.dag.outputs)
    if outputs > most:
        return Traffic(0, outputs, 0, alike=True)
    return _by_cost(accesses, memory, victims, price, most - outputs)


def _by_cost(accesses: Accesses, memory: int, victims: Victims, price: int, limit: int) -> Traffic:
    """The traffic; `limit` is without the stores of outputs."""
    before = (accesses.following, accesses.landmarks)
    return _run(_kernels.evict_by_cost, accesses, victims, before, (memory, price, limit))


def _run(
    kernel: Callable[..., tuple[int, ...]],
    accesses: Accesses,
    victims: Victims,
    before: tuple[Places, ...],
    after: tuple[object, ...],
) -> Traffic:
    """The traffic that a policy kernel counts, the stores of outputs with it."""
    loads, spills, evictions, *alike = kernel(
        accesses.touched,
        accesses.start,
        *before,
        accesses.words,
        accesses.settled.copy(),
        *after,
        victims.value,
        victims.end,
    )
    stores = spills + accesses.dag.words_of(accesses.dag.outputs)
    return Traffic(loads, stores, evictions, *map(bool, alike))


def _never(accesses: Accesses) -> Places:
    return np.full(accesses.values, -1, number_type(accesses.touched.size))


Policy = Callable[..., Traffic]


def blocks(accesses: Accesses, memory: int, policy: Policy) -> Iterator[Schedule]:
    """Yield the schedule of `accesses` under `policy`, a block of moves at a time.

    The moves of a step stay in one block. A play of billions of moves can go to the engine
    without ever being in memory as a whole.

    Parameters
    ----------
    accesses, memory
        As for `lru`.
    policy
        One of `EVICTIONS`.
    """
    victims = unrecorded(accesses)
    policy(accesses, memory, victims)
    return moves_of(accesses, victims)


def moves_of(accesses: Accesses, victims: Victims) -> Iterator[Schedule]:
    """Yield the schedule of `accesses` in which `victims` leave, a block of moves at a time."""
    red = np.zeros(accesses.values, np.uint8)
    blue = accesses.is_input.copy()
    room = BLOCK_MOVES
    step = 0
    while step < accesses.steps:
        op, vertex = np.empty(room, np.uint8), np.empty(room, np.int32)
        step, filled = _kernels.emit_moves(
            accesses.touched,
            accesses.start,
            accesses.name,
            victims.value,
            victims.end,
            blue,
            red,
            accesses.is_output,
            step,
            op,
            vertex,
        )
        if not filled:  # the moves of one step are more
            room *= 2
            continue
        yield Schedule(lock(op[:filled].copy()), lock(vertex[:filled].copy()))


def schedule(accesses: Accesses, memory: int, policy: Policy) -> Schedule:
    """The whole schedule of `accesses` under `policy`.

    Parameters
    ----------
    accesses, memory
        As for `lru`.
    policy
        One of `EVICTIONS`.
    """
    return joined(blocks(accesses, memory, policy))


def joined(blocks: Iterable[Schedule]) -> Schedule:
    """The schedule that consists of `blocks`."""
    parts = list(blocks)
    if not parts:
        return Schedule([], [])
    return Schedule(
        lock(np.concatenate([part.op for part in parts])),
        lock(np.concatenate([part.vertex for part in parts])),
    )


def unrecorded(accesses: Accesses) -> Victims:
    """Arrays for the victims of `accesses`; others are never touched."""
    length = accesses.touched.size
    return Victims(np.empty(length, np.int32), np.empty(accesses.steps, number_type(length)))
