"""Kernels that look for the order of a set of steps in which most can be kept."""

from typing import NamedTuple

import numpy as np

from dags._numba import count_bits, lean_inner_kernel, lean_part

MEMBERS, SHARED, STACK, SEEN = 16, 64, 4096, 1024
MOST_STATES = 4096  # of one set
PAID = 64  # added to the place from which values may still be dropped


class Orders(NamedTuple):
    """Room for the states of a set of steps: which are done, and which values are kept."""

    price: np.ndarray  # (1,) int64: of more room for a step
    work: np.ndarray  # (1,) int64: states so far
    value: np.ndarray  # (SHARED,) int64: values of several members,
    touch: np.ndarray  # (SHARED,) uint64: these members,
    maker: np.ndarray  # (SHARED,) int64: the member that has to make room for it, or -1
    need: np.ndarray  # (MEMBERS,) uint64: members before each,
    own: np.ndarray  # (MEMBERS,) uint64: which of these values it touches,
    made: np.ndarray  # (MEMBERS,) uint64: and which it has to make room for
    sets: np.ndarray  # (STACK, 2) uint64: states to look at: members done, values kept
    rest: np.ndarray  # (STACK, 3) int64: what is lost, the last member, and from where to drop
    seen: np.ndarray  # (SEEN, 2) uint64: states that were looked at, by a hash,
    lost: np.ndarray  # (SEEN, 2) int64: what was lost, and the set of which they are


def new_orders(price: int) -> Orders:
    """Return room for states.

    Parameters
    ----------
    price
        The price of more room for a step.
    """
    return Orders(
        np.full(1, price, np.int64),
        np.zeros(1, np.int64),
        np.empty(SHARED, np.int64),
        np.empty(SHARED, np.uint64),
        np.empty(SHARED, np.int64),
        np.empty(MEMBERS, np.uint64),
        np.empty(MEMBERS, np.uint64),
        np.empty(MEMBERS, np.uint64),
        np.empty((STACK, 2), np.uint64),
        np.empty((STACK, 3), np.int64),
        np.zeros((SEEN, 2), np.uint64),
        np.full((SEEN, 2), -1, np.int64),
    )


@lean_part
def share(steps, weight, chosen, size, orders):
    """List the values of several members; return how many there are, or -1 if too many."""
    listed = 0
    for k in range(size):
        x = chosen[k]
        for e in range(steps.starts[x], steps.starts[x + 1]):
            u, j = steps.values[e], 0
            while j < listed and orders.value[j] != u:
                j += 1
            if j == listed:
                if listed == SHARED:
                    return np.int64(-1)
                orders.value[j], orders.touch[j], orders.maker[j] = u, np.uint64(0), -1
                listed += 1
            orders.touch[j] |= np.uint64(1) << np.uint64(k)
            if steps.maker[u] == x:
                orders.maker[j] = k
    shared = 0
    for j in range(listed):
        if weight[orders.value[j]] > 0 and count_bits(orders.touch[j]) > 1:
            orders.value[shared], orders.touch[shared] = orders.value[j], orders.touch[j]
            orders.maker[shared] = orders.maker[j]
            shared += 1
    return np.int64(shared)


@lean_part
def own_values(orders, size, shared):
    """List the values that each member touches and makes, as sets of places."""
    for k in range(size):
        orders.own[k], orders.made[k] = np.uint64(0), np.uint64(0)
    for j in range(shared):
        bit, x = np.uint64(1) << np.uint64(j), orders.touch[j]
        while x:
            orders.own[lowest(x)] |= bit
            x &= x - np.uint64(1)
        if orders.maker[j] >= 0:
            orders.made[orders.maker[j]] |= bit


@lean_part
def lowest(x):
    """Return the place of the lowest bit of a set that is not empty."""
    return count_bits((x & (~x + np.uint64(1))) - np.uint64(1))


@lean_part
def precede(steps, chosen, size, orders):
    """List the members that are before each member."""
    for k in range(size):
        orders.need[k] = np.uint64(0)
        for i in range(size):
            y = chosen[i]
            if steps.above[chosen[k], y >> 6] >> np.uint64(y & 63) & np.uint64(1):
                orders.need[k] |= np.uint64(1) << np.uint64(i)


@lean_part
def push(orders, top, done, kept, lost, last, begin):
    """Put a state on the stack; return its height, -1 if it is full."""
    if top < 0 or top == STACK:
        return np.int64(-1)
    orders.sets[top, 0], orders.sets[top, 1] = done, kept
    orders.rest[top, 0], orders.rest[top, 1], orders.rest[top, 2] = lost, last, begin
    return np.int64(top + 1)


@lean_part
def in_the_way(orders, kept, last):
    """Return the values that take room beside the needs of the last member itself, as a set."""
    return kept & (orders.made[last] | ~orders.own[last])


@lean_part
def is_new(orders, number, done, kept, lost):
    """Return whether no such state has lost as little, and remember this one."""
    mixed = done ^ kept ^ kept >> np.uint64(10) ^ kept >> np.uint64(20) ^ kept >> np.uint64(30)
    h = np.int64(mixed % np.uint64(SEEN))
    equal = orders.lost[h, 1] == number and orders.seen[h, 0] == done and orders.seen[h, 1] == kept
    if equal and orders.lost[h, 0] <= lost:
        return False
    orders.seen[h, 0], orders.seen[h, 1] = done, kept
    orders.lost[h, 0], orders.lost[h, 1] = lost, number
    return True


@lean_part
def words_in_all(steps, orders, x):
    """Return the words of a set of values."""
    total = np.int64(0)
    while x:
        total += steps.words[orders.value[lowest(x)]]
        x &= x - np.uint64(1)
    return total


@lean_part
def missing(steps, chosen, orders, kept, last, begin):
    """Return the words that the last member has too little room for.

    kept: the values that are kept; begin: from which on they may leave.
    """
    room = steps.room[chosen[last]]
    if begin >= PAID:
        room += steps.more[chosen[last]]
    return words_in_all(steps, orders, in_the_way(orders, kept, last)) - room


@lean_part
def drop(steps, weight, chosen, orders, top, over, state):
    """Put on the stack the values that may leave to make room; return the height, -1 if it is full.

    over: the words that are missing; state: members done, values kept, words lost, the last member,
    from where to drop. Of values none is the first that leaves if those after it are too few.
    """
    done, kept, lost, last, begin = state
    paid = np.int64(PAID) if begin >= PAID else np.int64(0)
    if begin == 0 and steps.more[chosen[last]] > 0:
        top = push(orders, top, done, kept, lost + orders.price[0], last, np.int64(PAID))
    place = np.uint64(max(begin - paid - 1, 0))  # the value at `begin` - 1 has left
    x = in_the_way(orders, kept, last) >> place << place
    able = words_in_all(steps, orders, x)
    while able >= over:
        j = lowest(x)
        x &= x - np.uint64(1)
        able -= steps.words[orders.value[j]]
        remaining = kept & ~(np.uint64(1) << np.uint64(j))
        lost_now = lost + weight[orders.value[j]]
        top = push(orders, top, done, remaining, lost_now, last, np.int64(j + 1) + paid)
    return top


@lean_part
def kept_after(orders, later, kept, k):
    """Return the values that are kept after member k, the last one of the members `later` done."""
    x = orders.own[k]
    while x:
        bit = x & (~x + np.uint64(1))
        x ^= bit
        if orders.touch[lowest(bit)] & ~later:
            kept |= bit
        else:
            kept &= ~bit
    return kept


@lean_part
def go_on(steps, chosen, orders, size, top, done, kept, lost):
    """Put on the stack the members that may be computed next; return the height.

    A member that fits and keeps nothing new comes at once: had it come later, in its place the
    values that it touches would be kept from before it to after it, or be dropped as often.
    """
    unit, begun = np.uint64(1), top
    for k in range(size):
        if done >> np.uint64(k) & unit or orders.need[k] & ~done:
            continue
        following = done | unit << np.uint64(k)
        held = kept_after(orders, following, kept, k)
        if not held & ~kept and missing(steps, chosen, orders, held, k, 0) <= 0:
            return push(orders, begun, following, held, lost, np.int64(k), np.int64(0))
        top = push(orders, top, following, held, lost, np.int64(k), np.int64(0))
    return top


@lean_part
def has_room_for_all(steps, chosen, size, orders, shared):
    """Return whether every member has room for all values of several members."""
    total = np.int64(0)
    for j in range(shared):
        total += steps.words[orders.value[j]]
    for k in range(size):
        if steps.room[chosen[k]] < total:
            return False
    return True


@lean_inner_kernel
def least_loss(steps, weight, chosen, size, budget, orders):
    """Return the least weight of pairs that no order of the members can keep, or the budget.

    In some order that respects which steps are before which, each value that several members touch
    stays from one to the next, or is dropped for its weight. Beside each member there may be as
    much as it has room for, or as it has for a price. 0 where that is not found soon.
    """
    shared = share(steps, weight, chosen, size, orders)
    if shared < 0 or size > MEMBERS or has_room_for_all(steps, chosen, size, orders, shared):
        return np.int64(0)
    precede(steps, chosen, size, orders)
    own_values(orders, size, shared)
    full = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    number, lowest = orders.work[0], np.int64(budget)
    empty = np.uint64(0)
    top = push(orders, np.int64(0), empty, empty, np.int64(0), np.int64(-1), np.int64(0))
    while top > 0:
        top -= 1
        done, kept = orders.sets[top, 0], orders.sets[top, 1]
        lost, last, begin = orders.rest[top, 0], orders.rest[top, 1], orders.rest[top, 2]
        if lost >= lowest:
            continue
        orders.work[0] += 1
        if orders.work[0] > number + MOST_STATES:
            return np.int64(0)
        if last >= 0:
            over = missing(steps, chosen, orders, kept, last, begin)
            if over > 0:
                state = done, kept, lost, last, begin
                top = drop(steps, weight, chosen, orders, top, over, state)
                continue
        if done == full:
            lowest = lost
        elif is_new(orders, number, done, kept, lost):
            top = go_on(steps, chosen, orders, size, top, done, kept, lost)
    return lowest if top == 0 else np.int64(0)
