"""Kernels that play a stream, and that anneal the order of its periods.

Legend: a stream has C vertices a period, its classes. Class c of period r reads the values
(slot[e], r - back[e]) for first[c] <= e < first[c + 1]; slots below C are classes, the others come
from outside. `due` (C,) float64: class c of period r is computed at r + due[c]. `exported` (C,)
uint8 is 1 where a value is stored anyway. The generator of random numbers is a uint64.
"""

import numpy as np

from dags._kernels import copy_over
from dags._numba import inner_kernel, kernel
from schedulers.eviction._kernels.policies import evict_by_cost
from schedulers.orders._kernels.accesses import LANDMARK, fill_landmarks, next_accesses

PRICE = 2  # of a value that must be stored: as `belady_cost` reckons
HOT, COLD = 0.5, 0.06  # temperatures
UNLIMITED = 2**62  # words


@inner_kernel
def uniform(state):
    """Return the next state of the generator and a number from 0 to 1 (xorshift)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    return state, np.float64(state >> np.uint64(11)) / 9007199254740992.0


@kernel
def ranked(due, turn):
    """Sort turn (C,), the classes, by the time in the period at which they are due.

    Return whether one of them moved.
    """
    moved = False
    for i in range(1, turn.size):
        c = turn[i]
        time = due[c] - np.floor(due[c])
        k = i
        while k > 0:
            before = due[turn[k - 1]]
            if before - np.floor(before) <= time:
                break
            turn[k] = turn[k - 1]
            k -= 1
            moved = True
        turn[k] = c
    return moved


@kernel
def traffic(first, slot, back, slots, exported, due, turn, periods, memory, limit):
    """Return the words that so many periods load, and store besides those stored anyway.

    Values of periods before the first one are in slow memory; those behind the last one do not
    count. Where it is more than `limit`, the number is only known to be.
    """
    classes = turn.size
    low = np.int64(np.floor(due.min()))
    high = np.int64(np.floor(due.max()))
    nearest, furthest = min(back.min(), 0), max(back.max(), 0)
    span = periods + furthest - nearest
    touched = np.empty(periods * (slot.size + classes), np.int32)
    start = np.empty(periods * classes + 1, np.int32)
    values = slots * span
    position = step = 0
    for time in range(low, high + periods):
        for c in turn:
            r = time - np.int64(np.floor(due[c]))
            if r < 0 or r >= periods:
                continue
            start[step] = position
            for e in range(first[c], first[c + 1]):
                touched[position] = slot[e] * span + r - back[e] + furthest
                position += 1
            touched[position] = c * span + r + furthest
            position += 1
            step += 1
    start[step] = position
    following = np.empty(position, np.int32)
    next_accesses(touched, values, following)
    for i in range(position):
        if following[i] < 0:
            touched[i] = ~touched[i]
    settled = np.ones(values, np.uint8)
    for c in range(classes):
        if not exported[c]:
            settled[c * span + furthest : c * span + furthest + periods] = 0
    landmarks = np.empty((position >> LANDMARK) + 1, np.int32)
    fill_landmarks(start, landmarks)
    words = np.ones(values, np.int64)
    nobody = np.empty(0, np.int32)
    loads, stores, _, _ = evict_by_cost(
        touched, start, following, landmarks, words, settled, memory, PRICE, limit, nobody, nobody
    )
    return loads + stores


@inner_kernel
def window(first, slot, back, due, c):
    """Return the times between which class c is due: behind its operands, before its readers."""
    low, high = -np.inf, np.inf
    for e in range(first[c], first[c + 1]):
        if slot[e] < due.size and slot[e] != c:
            low = max(low, due[slot[e]] - back[e])
    for reader in range(due.size):
        for e in range(first[reader], first[reader + 1]):
            if slot[e] == c and reader != c:
                high = min(high, due[reader] + back[e])
    return low, high


@kernel
def anneal(first, slot, back, slots, exported, due, periods, memory, moves, state, best):
    """Anneal `due`, which changes, by so many moves; return the words of the best times.

    best (C,) receives these.

    A move takes a class to some other time between its operands and its readers. Temperatures are
    in words a period, the same for all the periods that are played.
    """
    turn = np.arange(due.size)
    ranked(due, turn)
    current = traffic(first, slot, back, slots, exported, due, turn, periods, memory, UNLIMITED)
    lowest = current
    copy_over(best, due)
    for move in range(moves):
        temperature = periods * HOT * (COLD / HOT) ** (move / moves)
        state, number = uniform(state)
        c = min(np.int64(number * due.size), due.size - 1)
        low, high = window(first, slot, back, due, c)
        old = due[c]
        low, high = max(low, old - 1.0), min(high, old + 1.0)
        state, number = uniform(state)
        due[c] = low + (high - low) * number
        if not low < due[c] < high:
            due[c] = old
            continue
        moved = ranked(due, turn)
        state, number = uniform(state)
        words = current
        if moved or np.floor(old) != np.floor(due[c]):  # else the play is the same
            threshold = current + np.int64(np.ceil(-temperature * np.log(max(number, 1e-300))))
            words = traffic(
                first, slot, back, slots, exported, due, turn, periods, memory, threshold
            )
        if words <= current or number < np.exp((current - words) / temperature):
            current = words
            if current < lowest:
                lowest = current
                copy_over(best, due)
        else:
            due[c] = old
            ranked(due, turn)
    return lowest
