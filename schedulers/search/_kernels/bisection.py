"""The kernel that cuts an order in halves, and the halves.

Legend: `part` (k,) is the run, its vertices on side 1 or 2; `trail` (moves,) the vertices that
changed sides in a pass, in that order; `taken` how many vertices are on side 1.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel, lean_inner_kernel, lean_kernel, lean_part


class Neighbours(NamedTuple):
    """Predecessor and successor CSR of n vertices, and the sizes of values."""

    indptr: np.ndarray
    indices: np.ndarray
    succ_indptr: np.ndarray
    succ_indices: np.ndarray
    sizes: np.ndarray  # (n,) int64


class Sides(NamedTuple):
    """Places of vertices; all zero but while a part is cut."""

    side: np.ndarray  # (n,) int32: 1 or 2 for vertices of the part
    first: np.ndarray  # (n,) int32: readers of each value on side 1
    second: np.ndarray  # (n,) int32: readers on side 2
    moved: np.ndarray  # (n,) int32: 1 for what has moved in this pass


@lean_part
def is_free(rows, sides, v):
    """Return whether v can change sides without an edge that leads backwards."""
    if sides.side[v] == 2:
        for e in range(rows.indptr[v], rows.indptr[v + 1]):
            if sides.side[rows.indices[e]] == 2:
                return False
    else:
        for e in range(rows.succ_indptr[v], rows.succ_indptr[v + 1]):
            if sides.side[rows.succ_indices[e]] == 1:
                return False
    return True


@lean_part
def saving(rows, sides, v):
    """Return the words of the cut that it saves if v changes sides."""
    side, sizes = sides.side, rows.sizes
    saves = np.int64(0)
    # Its own value crosses the cut if it is on the first side and has readers here.
    if sides.second[v] > 0:
        saves = sizes[v] if side[v] == 1 else -sizes[v]
    for e in range(rows.indptr[v], rows.indptr[v + 1]):
        u = rows.indices[e]
        a, b = sides.first[u], sides.second[u]
        after_a, after_b = (a - 1, b + 1) if side[v] == 1 else (a + 1, b - 1)
        if side[u] == 1:  # computed here, before the cut
            saves += sizes[u] * (int(b > 0) - int(after_b > 0))
        elif side[u] == 0:  # computed earlier, or an input
            will = after_a > 0 and after_b > 0
            saves += sizes[u] * (int(a > 0 and b > 0) - int(will))
    return saves


@lean_part
def best_change(part, rows, sides, locked):
    """Return the vertex that saves most by changing sides, or -1, and the words saved."""
    fewest, maximum = 35 * part.size // 100, 65 * part.size // 100
    chosen, most_saved = np.int64(-1), np.int64(0)
    for i in range(part.size):
        v = part[i]
        if sides.moved[v]:
            continue
        balanced = locked < maximum if sides.side[v] == 2 else locked > fewest
        if balanced and is_free(rows, sides, v):
            saves = saving(rows, sides, v)
            if chosen < 0 or saves > most_saved:
                chosen, most_saved = np.int64(v), saves
    return chosen, most_saved


@lean_part
def change(rows, sides, v, locked):
    """Let v change sides; return how many are on side 1."""
    step = 1 if sides.side[v] == 2 else -1
    for e in range(rows.indptr[v], rows.indptr[v + 1]):
        sides.first[rows.indices[e]] += step
        sides.second[rows.indices[e]] -= step
    sides.side[v] = 3 - sides.side[v]
    return locked + step


@lean_inner_kernel
def one_pass(part, rows, sides, locked, trail):
    """Let vertices change sides while any can; keep the best of these cuts.

    Return (how many are on side 1, words saved).
    """
    saved = best = np.int64(0)
    length = kept = 0
    while length < trail.size:
        chosen, most_saved = best_change(part, rows, sides, locked)
        if chosen < 0:
            break
        locked = change(rows, sides, chosen, locked)
        sides.moved[chosen] = 1
        trail[length] = chosen
        length += 1
        saved += most_saved
        if saved > best:
            best, kept = saved, length
    for i in range(length - 1, -1, -1):
        sides.moved[trail[i]] = 0
        if i >= kept:
            locked = change(rows, sides, trail[i], locked)
    return locked, best


@lean_inner_kernel
def enter(part, rows, sides, locked):
    """Put the first vertices of the part on side 1, the others on side 2."""
    for i in range(part.size):
        v = part[i]
        sides.side[v] = 1 if i < locked else 2
        readers = sides.first if i < locked else sides.second
        for e in range(rows.indptr[v], rows.indptr[v + 1]):
            readers[rows.indices[e]] += 1


@lean_inner_kernel
def leave(part, rows, sides, after):
    """Put side 1 first in the part, by way of `after`, room for side 2; forget the sides."""
    front = back = 0
    for i in range(part.size):
        v = part[i]
        for e in range(rows.indptr[v], rows.indptr[v + 1]):
            sides.first[rows.indices[e]] = 0
            sides.second[rows.indices[e]] = 0
        if sides.side[v] == 1:
            part[front] = v
            front += 1
        else:
            after[back] = v
            back += 1
        sides.side[v] = 0
    for i in range(back):
        part[front + i] = after[i]


@lean_kernel
def halve(part, rows, sides, passes, trail, after):
    """Rearrange part (k,), a run of an order, into two halves; return the size of the first."""
    half = part.size // 2
    enter(part, rows, sides, half)
    for _ in range(passes):
        half, saved = one_pass(part, rows, sides, half, trail)
        if saved == 0:
            break
    leave(part, rows, sides, after)
    return half


@kernel
def bisect(order, rows, sides, smallest, passes, moves):
    """Rearrange order (N,) int32 until no part has more than `smallest` vertices.

    rows: `Neighbours`; sides: `Sides`; at most `moves` changes of sides in a pass.
    """
    trail, after = np.empty(moves, np.int64), np.empty_like(order)
    parts = np.empty((order.size + 1, 2), np.int64)
    parts[0, 0], parts[0, 1] = 0, order.size
    waiting = 1
    while waiting > 0:
        waiting -= 1
        low, high = parts[waiting, 0], parts[waiting, 1]
        if high - low > smallest:
            middle = low + halve(order[low:high], rows, sides, passes, trail, after)
            parts[waiting, 1] = parts[waiting + 1, 0] = middle
            parts[waiting + 1, 1] = high
            waiting += 2
