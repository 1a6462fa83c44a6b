"""Kernels of the least cost of steps over all orders, by balances of the values alive."""

from typing import NamedTuple

import numpy as np

from dags._numba import count_bits, lean_inner_kernel, lean_kernel, lean_part
from pebble.small._kernels.bits import NONE, ONE, lowest_bit

TIMES, STEPS = 7, 7  # bits for a number of steps that are done
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads sets over a hash table, by their highest bits


class BalanceBoard(NamedTuple):
    """A game of c steps and r values; sets are uint64.

    operands (c,) sets of values; room (c,) int64: words beside the operands of each step; words
    (r,) int64; load and store (r,) int64: parts of words that a value pays to come back, and at
    first to leave; sliding: whether a result may take the place of an operand.
    """

    operands: np.ndarray
    room: np.ndarray
    words: np.ndarray
    load: np.ndarray
    store: np.ndarray
    sliding: bool


class Ways(NamedTuple):
    """Ideals in an order in which each comes before those after it, e edges between them.

    alive (s,) sets of values; offset (s,) int64: where the entries of the values alive begin,
    rising; keys (entries,) int32: the account of each; starts (s,) int64: after the i-th of s - 1
    come the steps[starts[i]:starts[i + 1]]; after (e,) int32: the ideals with them.
    """

    alive: np.ndarray
    offset: np.ndarray
    keys: np.ndarray
    starts: np.ndarray
    steps: np.ndarray
    after: np.ndarray


class Desk(NamedTuple):
    """Room for the values alive at one ideal: (64,) int64 each.

    value: their numbers; here: their payments less their balance, at the least, if they are in fast
    memory once the next step is computed, gone: if they are not; more: the cost beyond that to be
    away; order: places in these.
    """

    value: np.ndarray
    here: np.ndarray
    gone: np.ndarray
    more: np.ndarray
    order: np.ndarray


@lean_kernel
def mark_alive(done, readers, maker, alive):
    """Fill alive (s,) with the values alive after each of done (s,)."""
    for i in range(done.size):
        alive_now = NONE
        for v in range(readers.size):
            if not readers[v] & ~done[i]:
                continue
            if maker[v] < 0:
                known = readers[v] & done[i] != NONE
            else:
                known = done[i] >> np.uint64(maker[v]) & ONE != NONE
            if known:
                alive_now |= ONE << np.uint64(v)
        alive[i] = alive_now


@lean_kernel
def list_values(alive, values):
    """Fill values (entries,) with the members of each of alive (s,), rising."""
    entry = 0
    for i in range(alive.size):
        left = alive[i]
        while left:
            values[entry] = lowest_bit(left)
            left &= left - ONE
            entry += 1


@lean_kernel
def number_accounts(done, alive, readers, needs, keys, sets, rests, numbers):
    """Fill keys (entries,) with accounts: one for a value, its readers done, and two counts.

    The counts are of all steps that are done, and of those in needs (r,). sets, rests, numbers:
    a table of 2^k places, the numbers -1. Return how many accounts there are.
    """
    count, entry = 0, 0
    last = np.uint64(numbers.size - 1)
    for i in range(done.size):
        size = count_bits(done[i])
        left = alive[i]
        while left:
            v = lowest_bit(left)
            left &= left - ONE
            read = readers[v] & done[i]
            remaining = (v << TIMES + STEPS) | (size << STEPS) | count_bits(needs[v] & done[i])
            place = read * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(remaining) * np.uint64(
                0xC2B2AE3D27D4EB4F
            )
            place = (place ^ place >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
            place = (place ^ place >> np.uint64(32)) & last
            while numbers[place] >= 0 and not (sets[place] == read and rests[place] == remaining):
                place = (place + ONE) & last
            if numbers[place] < 0:
                numbers[place], sets[place], rests[place] = count, read, remaining
                count += 1
            keys[entry] = numbers[place]
            entry += 1
    return count


@lean_inner_kernel
def open_desk(board, ways, absence, stored, i, desk):
    """List the values alive at ideal i with their balances; return how many."""
    count = 0
    left = ways.alive[i]
    entry = ways.offset[i]
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        key = ways.keys[entry]
        entry += 1
        lowest = min(board.store[v], stored[key])
        desk.value[count] = v
        desk.here[count] = min(lowest, board.load[v] + absence[key])
        desk.gone[count] = min(lowest, absence[key])
        count += 1
    return count


@lean_part
def account_of(keys, alive, offset, v):
    """Return the account of value v at an ideal, -1 if it is not among those alive there.

    keys: of all entries; alive and offset: of the ideal, as in `Ways`.
    """
    low = ONE << np.uint64(v)
    if not alive & low:
        return np.int64(-1)
    return np.int64(keys[offset + count_bits(alive & (low - ONE))])


@lean_inner_kernel
def newcomers(board, ways, absence, stored, i, after):
    """Return the least that values pay that come into being with a step, less their balances.

    And the most that is saved if one of them is away at once.
    """
    total, saved = np.int64(0), np.int64(0)
    left = ways.alive[after] & ~ways.alive[i]
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        key = account_of(ways.keys, ways.alive[after], ways.offset[after], v)
        lowest = min(np.int64(0), board.store[v] - stored[key])
        total += lowest
        saved = max(saved, lowest - board.store[v] + absence[key])
    return total, saved


@lean_inner_kernel
def list_dearest(board, desk, count, limit):
    """List the first `limit` of the values by their savings for each word; return how many."""
    size = 0
    for k in range(count):
        excess = desk.more[k]
        if excess <= 0:
            continue
        words = board.words[desk.value[k]]
        i = size
        while i > 0:
            previous = desk.order[i - 1]
            if desk.more[previous] * words >= excess * board.words[desk.value[previous]]:
                break
            if i < limit:
                desk.order[i] = previous
            i -= 1
        if i < limit:
            desk.order[i] = k
            size = min(size + 1, limit)
    return size


@lean_inner_kernel
def keep_most(board, desk, count, step):
    """Return the most that the room beside a step saves, and the set of those that stay there."""
    left = board.room[step]
    kept = NONE
    saved = np.int64(0)
    for i in range(list_dearest(board, desk, count, min(left, np.int64(64)))):
        k = desk.order[i]
        v = desk.value[k]
        kept |= ONE << np.uint64(v)
        if left < board.words[v]:
            return saved - -desk.more[k] * left // board.words[v], kept  # rounded up
        left -= board.words[v]
        saved += desk.more[k]
        if not left:
            break
    return saved, kept


@lean_inner_kernel
def least_paid(board, ways, absence, stored, desk, count, i, step, after):
    """Return the least cost of one step, less the growth of balances, and who stays for it."""
    total, slid = newcomers(board, ways, absence, stored, i, after)
    alive, offset = ways.alive[after], ways.offset[after]
    reads = board.operands[step]
    for k in range(count):
        v = desk.value[k]
        key = account_of(ways.keys, alive, offset, v)
        stays = min(np.int64(0), desk.here[k] - stored[key] if key >= 0 else desk.here[k])
        total += stays
        desk.more[k] = 0
        if key < 0:
            continue
        if reads >> np.uint64(v) & ONE:
            slid = max(slid, stays - desk.here[k] + absence[key])
        else:
            desk.more[k] = desk.gone[k] - absence[key] - stays
            total += desk.more[k]
    saved, kept = keep_most(board, desk, count, step)
    return total - saved - (slid if board.sliding else 0), kept


@lean_kernel
def weigh_ways(board, ways, absence, stored, desk, active, gains, kept):
    """Fill gains and kept (e,) after the ideals that are active: (s,) bool.

    away and stored (accounts,) int64 are balances of values that are not in fast memory, and of
    those there that slow memory has besides. gains are the least costs of steps, in parts of words,
    less the growth of balances; kept: sets of values that stay beside them for that.
    """
    for i in range(ways.starts.size - 1):
        if not active[i]:
            continue
        count = open_desk(board, ways, absence, stored, i, desk)
        for e in range(ways.starts[i], ways.starts[i + 1]):
            gains[e], kept[e] = least_paid(
                board, ways, absence, stored, desk, count, i, np.int64(ways.steps[e]), ways.after[e]
            )


@lean_kernel
def least_ways(ways, gains, to_come):
    """Fill to_come (s,) int64 with the least sum of gains on a way from each ideal to the last."""
    last = ways.starts.size - 1
    to_come[last] = 0
    for i in range(last - 1, -1, -1):
        e = ways.starts[i]
        lowest = gains[e] + to_come[ways.after[e]]
        for f in range(e + 1, ways.starts[i + 1]):
            lowest = min(lowest, gains[f] + to_come[ways.after[f]])
        to_come[i] = lowest


@lean_kernel
def ready_steps(before, done, full, sets, steps, starts):
    """Fill sets and steps (e,) with the successors of each of done (s,), starts (s + 1,) int64.

    Return how many there are, -1 if there is no room for all. before (c,) are the steps that come
    before each step, full is the set of all.
    """
    count = 0
    for i in range(done.size):
        starts[i] = count
        left = full & ~done[i]
        while left:
            step = lowest_bit(left)
            left &= left - ONE
            if before[step] & ~done[i]:
                continue
            if count == sets.size:
                return -1
            sets[count] = done[i] | ONE << np.uint64(step)
            steps[count] = step
            count += 1
    starts[done.size] = count
    return count


@lean_kernel
def tell_apart(sets, table, different, place):
    """Fill different (e,) with the sets (e,) uint64 that differ, as met; return how many.

    place (e,) int32 gets the place there of each set. table (2^b,) int32 is all -1, and more than e
    entries: a hash table of these places.
    """
    shift = np.uint64(64)
    size = table.size
    while size > 1:
        size >>= 1
        shift -= ONE
    count = 0
    for i in range(sets.size):
        position = np.int64(sets[i] * GOLDEN >> shift)
        while table[position] >= 0 and different[table[position]] != sets[i]:
            position = (position + 1) & (table.size - 1)
        if table[position] < 0:
            table[position] = count
            different[count] = sets[i]
            count += 1
        place[i] = table[position]
    return count
