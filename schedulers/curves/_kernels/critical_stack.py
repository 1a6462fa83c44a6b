"""Kernels that count the words of furthest next use at every memory size in one pass.

`touched` and `start` are as in `schedulers.eviction._kernels.policies`; values have one word each.
`schedulers.curves.memory_curve` explains points, tokens and their balance.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel, lean_inner_kernel, lean_kernel, lean_part
from schedulers.orders._kernels.accesses import step_value

# Places in the state of `belady_depths`.
POINTS, TREE_END, SIZE_BEFORE, FRESH, PUSHED, BELADY_STATE = 0, 1, 2, 3, 4, 5
NO_TOKEN = np.int32(2**31 - 1)


class Sequence(NamedTuple):
    """An access sequence of V values."""

    touched: np.ndarray  # (T,) int32
    start: np.ndarray  # (N + 1,)
    spills: np.ndarray  # (V,) uint8: 1 for a computed value that is no output


class Counts(NamedTuple):
    """Operands that are found, and spills; D is the most values that are live at once."""

    hits: np.ndarray  # (D + 2,) int64: operands that are found from each memory size on
    stores: np.ndarray  # (D + 2,) int64: spills that always are
    deepest: np.ndarray  # (V,) int32, first 0: the size from which on a value was always found


class StackBoard(NamedTuple):
    """Points, of which there are up to P, and the tokens on them."""

    recent: np.ndarray  # (V,) int32, first -1: the last step that touched a value
    point_of: np.ndarray  # (V,) int32: the point at which it fell out of the current step
    where: np.ndarray  # (D + 1,) int32: the point of each token, for sizes up to D
    change: np.ndarray  # (P,) int32: tokens less values at each point
    level: np.ndarray  # (P,) int32: its token
    pushed_value: np.ndarray  # (P,) int32: what fell out and is still needed
    pushed_point: np.ndarray  # (P,) int32: where it did


class Tree(NamedTuple):
    """A tree over points: (2P,) int32."""

    total: np.ndarray  # sums of changes
    rise: np.ndarray  # largest sums from the left
    token: np.ndarray  # smallest tokens


@kernel
def peak_live(touched, start):
    """Return the most values that are needed at once: by a step, or before and after it."""
    seen = np.int64(-1)
    live = peak = 0
    for step in range(start.size - 1):
        dying = 0
        for position in range(start[step], start[step + 1]):
            x = step_value(touched[position])
            if x > seen:
                seen = x
                live += 1
            dying += touched[position] < 0
        peak = max(peak, live)
        live -= dying
    return peak


@lean_inner_kernel
def set_leaves(tree, change, level, first, end):
    """Bring points first..end-1 and the nodes above them up to date."""
    total, rise, token = tree
    half = total.size >> 1
    for point in range(first, end):
        total[half + point] = change[point]
        rise[half + point] = change[point]
        token[half + point] = level[point]
    low, high = (half + first) >> 1, (half + end - 1) >> 1
    while low > 0:
        for node in range(low, high + 1):
            left = 2 * node
            total[node] = total[left] + total[left + 1]
            rise[node] = max(rise[left], total[left] + rise[left + 1])
            token[node] = min(token[left], token[left + 1])
        low >>= 1
        high >>= 1


@lean_part
def best_token(tree, point):
    """Return the smallest token at or before the first balanced point from `point` on."""
    total, rise, token = tree
    half = total.size >> 1
    surplus = 0
    node = half + point
    while node > 1:
        if node & 1 == 0:
            surplus += total[node + 1]
        node >>= 1
    node = half + point
    if surplus > 0:
        while True:  # up to the first right neighbour in which the surplus is used up
            if node & 1 == 0:
                if rise[node + 1] >= surplus:
                    node += 1
                    break
                surplus -= total[node + 1]
            node >>= 1
        while node < half:
            node *= 2
            if rise[node] < surplus:
                surplus -= total[node]
                node += 1
    best = token[node]
    while node > 1:
        if node & 1:
            best = min(best, token[node - 1])
        node >>= 1
    return best


@lean_part
def put_token(board, point, change, token):
    """Let a new point have a change and a token."""
    board.change[point] = change
    board.level[point] = token
    if token != NO_TOKEN:
        board.where[token] = point


@lean_part
def take_token(board, token):
    """Take a token from its point; return the point."""
    source = board.where[token]
    board.change[source] -= 1
    board.level[source] = NO_TOKEN
    return source


@lean_part
def find_operand(counts, board, tree, x):
    """Count an operand that was touched before; return the token that it takes."""
    origin = board.point_of[x]
    token = best_token(tree, origin)
    counts.hits[token] += 1
    counts.deepest[x] = max(counts.deepest[x], token)
    source = take_token(board, token)
    board.change[origin] += 1
    set_leaves(tree, board.change, board.level, source, source + 1)
    set_leaves(tree, board.change, board.level, origin, origin + 1)
    return token


@lean_part
def fall_out(seq, board, step, group, pushed):
    """Let values that only the step before touched fall out at `group`."""
    for position in range(seq.start[step - 1], seq.start[step]):
        x = seq.touched[position]
        if x >= 0 and board.recent[x] == step - 1:
            board.point_of[x] = group
            board.pushed_value[pushed] = x
            board.pushed_point[pushed] = group
            pushed += 1
    return pushed


@lean_part
def count_kept(seq, board, step):
    """Return how many values of this step the step before touched too."""
    kept = 0
    if step > 0:
        for position in range(seq.start[step], seq.start[step + 1]):
            kept += board.recent[step_value(seq.touched[position])] == step - 1
    return kept


@lean_kernel
def belady_depths(seq, counts, board, tree, state, step):
    """Follow the critical stack from `step` on; return the step at which points run out, or N."""
    points, tree_end, before = state[POINTS], state[TREE_END], state[SIZE_BEFORE]
    fresh, pushed = state[FRESH], state[PUSHED]
    while step < seq.start.size - 1:
        a, b = seq.start[step], seq.start[step + 1]
        size = b - a
        if points + 1 + size + before > board.level.size:
            break
        if pushed + before > board.pushed_value.size:
            break
        leaving = before - count_kept(seq, board, step)
        group = points
        put_token(board, group, 0, NO_TOKEN)
        points += 1
        implicit = before
        for position in range(a, b):
            x = step_value(seq.touched[position])
            stays = step > 0 and board.recent[x] == step - 1
            seen = board.recent[x] >= 0
            if not stays and seen:
                end = points if size > before else group
                if end > tree_end:
                    set_leaves(tree, board.change, board.level, tree_end, end)
                    tree_end = end
                token = find_operand(counts, board, tree, x)
            board.recent[x] = step
            if stays:
                continue
            if not seen:
                fresh += 1
                token = np.int32(fresh) if fresh < board.where.size else NO_TOKEN
            put_token(board, points, 1, token)
            points += 1
            if leaving > 0:
                leaving -= 1
                board.change[group] -= 1
            else:
                implicit += 1
                source = take_token(board, implicit)
                if source < tree_end:
                    set_leaves(tree, board.change, board.level, source, source + 1)
            if size > before and group < tree_end:
                tree_end = group  # values went into this group while the tree has seen it
        for _ in range(leaving):
            put_token(board, points, 1, np.int32(implicit))
            points += 1
            implicit -= 1
            board.change[group] -= 1
        if step > 0:
            pushed = fall_out(seq, board, step, group, pushed)
        for position in range(a, b):
            x = ~seq.touched[position]
            if x >= 0 and seq.spills[x]:
                counts.stores[counts.deepest[x]] += 1
        before = size
        step += 1
    state[POINTS], state[TREE_END], state[SIZE_BEFORE] = points, tree_end, before
    state[FRESH], state[PUSHED] = fresh, pushed
    return step


@kernel
def compact_points(
    point_of, place_of, change, level, pushed_value, pushed_point, state, in_use, new_place,
    new_change, new_level, new_value, new_point,
):  # fmt: skip
    """Copy the points that matter into new arrays; between them, two carry all that was.

    A point matters if it has a token, or a value fell out there that is still needed. Of the
    others between two that do, only the sum of their changes and its largest partial sum can
    be seen. in_use, new_place (P,): room to work in.
    """
    points = state[POINTS]
    kept = 0
    for k in range(state[PUSHED]):
        x, point = pushed_value[k], pushed_point[k]
        if point_of[x] == point:
            in_use[point] = 1
            new_value[kept] = x
            new_point[kept] = point
            kept += 1
    filled = 0
    run = highest = 0
    for point in range(points):
        if not in_use[point] and level[point] == NO_TOKEN:
            run += change[point]
            highest = max(highest, run)
            continue
        if filled > 0:
            if highest > 0:
                new_change[filled] = highest
                new_level[filled] = NO_TOKEN
                filled += 1
            if run != highest:
                new_change[filled] = run - highest
                new_level[filled] = NO_TOKEN
                filled += 1
        run = highest = 0
        new_change[filled] = change[point]
        new_level[filled] = level[point]
        if level[point] != NO_TOKEN:
            place_of[level[point]] = filled
        new_place[point] = filled
        filled += 1
    if filled > 0:
        if highest > 0:
            new_change[filled] = highest
            new_level[filled] = NO_TOKEN
            filled += 1
        if run != highest:
            new_change[filled] = run - highest
            new_level[filled] = NO_TOKEN
            filled += 1
    for k in range(kept):
        new_point[k] = new_place[new_point[k]]
        point_of[new_value[k]] = new_point[k]
    state[POINTS] = filled
    state[TREE_END] = 0
    state[PUSHED] = kept
