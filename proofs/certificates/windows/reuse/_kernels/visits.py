"""Kernels that visit the sets of steps which a short window of a play can hold."""

from typing import NamedTuple

import numpy as np

from dags._numba import count_bits, inner_kernel, kernel, lean_part
from proofs.certificates.windows.reuse._kernels.orders import least_loss


@lean_part
def join(steps, hull, depth, x):
    """Fill row `depth` of hull with row depth - 1 and step x; return how many steps it spans.

    hull (3, A+1, row) uint64: members, steps after some member, steps before some member.
    """
    word, bit = x >> 6, np.uint64(1) << np.uint64(x & 63)
    size = 0
    for w in range(hull.shape[2]):
        members = hull[0, depth - 1, w]
        if w == word:
            members |= bit
        after = hull[1, depth - 1, w] | steps.below[x, w]
        before = hull[2, depth - 1, w] | steps.above[x, w]
        hull[0, depth, w], hull[1, depth, w], hull[2, depth, w] = members, after, before
        size += count_bits(members | (after & before))
    return size


class Visit(NamedTuple):
    """The set that is visited, and the steps that may join it; rows by the size of the set."""

    count: np.ndarray  # (n,) int64: members that touch each value
    chosen: np.ndarray  # (A,) int64: members
    spare: np.ndarray  # (A+1,) int64: slack of the first members
    hull: np.ndarray  # (3, A+1, row) uint64: as `join` says
    room: np.ndarray  # (A+1, N) int64: steps that may join,
    rooms: np.ndarray  # (A+1,) int64: how many,
    added: np.ndarray  # (A+1, N) int64: those among them that may since the last one joined,
    news: np.ndarray  # (A+1,) int64: how many
    mark: np.ndarray  # (N,) int64: the root for which a step is a member, or may join or might have
    gain: np.ndarray  # (N,) int64: weight of the values of each step that some member touches


@lean_part
def enter(steps, charge, weight, visit, size, y):
    """Let step y join the `size` members."""
    visit.chosen[size] = y
    visit.spare[size + 1] = visit.spare[size] + charge[y] - visit.gain[y]
    join(steps, visit.hull, size + 1, y)
    for k in range(steps.starts[y], steps.starts[y + 1]):
        u = steps.values[k]
        visit.count[u] += 1
        if visit.count[u] == 1:
            for j in range(steps.touch_starts[u], steps.touch_starts[u + 1]):
                visit.gain[steps.touching[j]] += weight[u]


@lean_part
def note(steps, weight, visit, orders, size, slack, witness):
    """Lower the slack of the members to that of their set."""
    spare = visit.spare[size]
    if orders is not None:
        spare += lost_in_order(steps, weight, visit, orders, size, slack)
    for k in range(size):
        x = visit.chosen[k]
        if spare < slack[x]:
            slack[x] = spare
            for j in range(witness.shape[1]):
                witness[x, j] = visit.chosen[j] if j < size else -1


@lean_part
def lost_in_order(steps, weight, visit, orders, size, slack):
    """Return the pairs the set cannot keep in any order, or 0 where that lowers no slack."""
    spare = visit.spare[size]
    ceiling = spare
    for k in range(size):
        ceiling = max(ceiling, slack[visit.chosen[k]])
    if spare >= 0 or ceiling == spare:
        return np.int64(0)
    return least_loss(steps, weight, visit.chosen, size, min(ceiling, 0) - spare, orders)


@lean_part
def invite(steps, visit, size, root):
    """List who may join after the last member: those that might before it, and its neighbours."""
    y = visit.chosen[size - 1]
    filled = visit.rooms[size - 1]
    for k in range(filled):
        visit.room[size, k] = visit.room[size - 1, k]
    new = 0
    for k in range(steps.near_starts[y], steps.near_starts[y + 1]):
        z = steps.near[k]
        if z > root and visit.mark[z] != root:
            visit.mark[z] = root
            visit.room[size, filled + new] = z
            visit.added[size, new] = z
            new += 1
    visit.rooms[size] = filled + new
    visit.news[size] = new


@lean_part
def leave(steps, weight, visit, size):
    """Let the last member go, and forget whom it alone invited."""
    for k in range(visit.news[size]):
        visit.mark[visit.added[size, k]] = -1
    y = visit.chosen[size - 1]
    for k in range(steps.starts[y], steps.starts[y + 1]):
        u = steps.values[k]
        visit.count[u] -= 1
        if visit.count[u] == 0:
            for j in range(steps.touch_starts[u], steps.touch_starts[u + 1]):
                visit.gain[steps.touching[j]] -= weight[u]


@lean_part
def next_to_join(steps, visit, size, length):
    """Return the next step that may join without the set spanning too much, or -1."""
    while visit.rooms[size] > 0:
        visit.rooms[size] -= 1
        z = visit.room[size, visit.rooms[size]]
        if join(steps, visit.hull, size + 1, z) <= length:
            return z
    return np.int64(-1)


@inner_kernel
def new_visit(steps, values, length):
    """Return room for sets of up to `length` steps."""
    size, row = steps.above.shape
    return Visit(
        np.zeros(values, np.int64),
        np.empty(length, np.int64),
        np.zeros(length + 1, np.int64),
        np.zeros((3, length + 1, row), np.uint64),
        np.empty((length + 1, size), np.int64),
        np.zeros(length + 1, np.int64),
        np.empty((length + 1, size), np.int64),
        np.zeros(length + 1, np.int64),
        np.full(size, -1, np.int64),
        np.zeros(size, np.int64),
    )


@lean_part
def try_last(steps, charge, weight, visit, orders, size, z, length, ceiling, slack, witness):
    """Lower the slack of the `size` members and of step z to that of their set, if it is lower.

    ceiling: the largest slack of a member.
    """
    spare = visit.spare[size] + charge[z] - visit.gain[z]
    if spare < max(ceiling, slack[z]) and join(steps, visit.hull, size + 1, z) <= length:
        visit.chosen[size] = z
        visit.spare[size + 1] = spare
        note(steps, weight, visit, orders, size + 1, slack, witness)


@lean_part
def try_all_last(steps, charge, weight, visit, orders, size, root, length, slack, witness):
    """Try all that may join the `size` members as the last of a set of `length`."""
    y = visit.chosen[size - 1]
    ceiling = slack[y]
    for k in range(size):
        ceiling = max(ceiling, slack[visit.chosen[k]])
    for k in range(visit.rooms[size - 1]):
        z = visit.room[size - 1, k]
        try_last(steps, charge, weight, visit, orders, size, z, length, ceiling, slack, witness)
    for k in range(steps.near_starts[y], steps.near_starts[y + 1]):
        z = steps.near[k]
        if z > root and visit.mark[z] != root:
            try_last(steps, charge, weight, visit, orders, size, z, length, ceiling, slack, witness)


@kernel
def least_slacks(
    steps, charge, weight, orders, length, counted, first, last, limit, slack, witness
):
    """Lower slack (N,) to the least of each step's sets; return how many sets are counted, or -1.

    The sets are the connected ones of 2 to `length` steps that span no more than that, among them
    those whose lowest step is from `first` up to `last`. Those of up to `counted` steps are
    counted, length or one less: if that, larger ones are only met where they lower a slack, which
    is much faster. The slack of a set is the sum of its steps' charge (N,) less its savings: of
    each value that some of its steps touch, its weight (n,) for all of them but one. witness (N, A)
    int64 gets the set of each step's least slack, -1 behind its end. -1 if there are more than
    `limit`. With room for `orders`, a set saves no more than it can keep in some order, and the
    states of these orders are counted, too; for None, which compiles to another kernel, all of it.

    Each set is built once, from its lowest step on: a step may join that is a neighbour of some
    member, and was of none when an earlier choice passed it over (S. Wernicke, Efficient detection
    of network motifs, IEEE/ACM Trans. Comput. Biol. Bioinform. 2006).
    """
    visit = new_visit(steps, weight.size, length)
    total = 0
    for root in range(first, last):
        visit.mark[root] = root
        y, size = np.int64(root), 0
        while True:
            if y >= 0:
                enter(steps, charge, weight, visit, size, y)
                size += 1
                total += size > 1
                if total + states_so_far(orders) > limit:
                    return -1
                if size > 1:
                    note(steps, weight, visit, orders, size, slack, witness)
                visit.news[size] = 0
                if counted < length and size == counted:
                    arguments = size, root, length, slack, witness
                    try_all_last(steps, charge, weight, visit, orders, *arguments)
                visit.rooms[size] = 0
                if size < counted:
                    invite(steps, visit, size, root)
            y = next_to_join(steps, visit, size, length)
            if y < 0:
                leave(steps, weight, visit, size)
                size -= 1
                if size == 0:
                    break
    return total


@lean_part
def states_so_far(orders):
    """Return how many states of orders were looked at."""
    if orders is None:
        return np.int64(0)
    return orders.work[0]
