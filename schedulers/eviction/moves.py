"""From an order and a policy to the moves of a schedule."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from dags.arrays import lock, number_type
from pebble import Schedule
from schedulers.access_order import Accesses
from schedulers.eviction import _kernels
from schedulers.eviction.policies import Traffic, Victims

Policy = Callable[..., Traffic]
BLOCK_MOVES = 1 << 16  # a block is written, copied and replayed without leaving the cache


def blocks(accesses: Accesses, memory: int, policy: Policy) -> Iterator[Schedule]:
    """Yield the schedule of `accesses` under `policy`, a block of moves at a time.

    The moves of a step stay in one block. A play of billions of moves can go to the engine
    without ever being in memory as a whole.

    Parameters
    ----------
    accesses
        Values that each step of an order touches.
    memory
        Words of fast memory, enough for every step.
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
    """Return the whole schedule of `accesses` under `policy`.

    Parameters
    ----------
    accesses
        Values that each step of an order touches.
    memory
        Words of fast memory, enough for every step.
    policy
        One of `EVICTIONS`.
    """
    return joined(blocks(accesses, memory, policy))


def joined(blocks: Iterable[Schedule]) -> Schedule:
    """Return the schedule that consists of `blocks`."""
    parts = list(blocks)
    if not parts:
        return Schedule([], [])
    return Schedule(
        lock(np.concatenate([part.op for part in parts])),
        lock(np.concatenate([part.vertex for part in parts])),
    )


def unrecorded(accesses: Accesses) -> Victims:
    """Return arrays for the victims of `accesses`; what no eviction needs is never touched."""
    most = accesses.touched.size
    return Victims(np.empty(most, np.int32), np.empty(accesses.steps, number_type(most)))
