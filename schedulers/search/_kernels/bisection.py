"""The kernel that cuts a run of an order in two."""

import numpy as np

from dags._numba import kernel


@kernel
def halve(part, indptr, indices, succ_indptr, succ_indices, sizes, workspace, passes, moves):
    """Rearrange part (k,), a run of an order, into two halves; return the size of the first.

    workspace (4, n) int32 is all zero, and is so again afterwards: the side of each vertex of
    the part, 1 or 2; how many vertices of either side read a value; whether a vertex has moved.
    """
    k = part.size
    side, first, second, moved = workspace[0], workspace[1], workspace[2], workspace[3]
    fewest, most = 35 * k // 100, 65 * k // 100
    taken = k // 2  # vertices on the first side
    for i in range(k):
        side[part[i]] = 1 if i < taken else 2
    for i in range(k):
        for e in range(indptr[part[i]], indptr[part[i] + 1]):
            if side[part[i]] == 1:
                first[indices[e]] += 1
            else:
                second[indices[e]] += 1
    trail = np.empty(moves, np.int64)
    for _ in range(passes):
        saved, best, length, kept = 0, 0, 0, 0
        while length < moves:
            chosen, most_saved = np.int64(-1), 0
            for i in range(k):
                v = part[i]
                if moved[v]:
                    continue
                free = taken < most if side[v] == 2 else taken > fewest
                if not free:
                    continue
                if side[v] == 2:
                    for e in range(indptr[v], indptr[v + 1]):
                        free = free and side[indices[e]] != 2
                else:
                    for e in range(succ_indptr[v], succ_indptr[v + 1]):
                        free = free and side[succ_indices[e]] != 1
                if not free:
                    continue
                # Its own value crosses the cut if it is on the first side and has readers here.
                saves = 0
                if second[v] > 0:
                    saves = sizes[v] if side[v] == 1 else -sizes[v]
                for e in range(indptr[v], indptr[v + 1]):
                    u = indices[e]
                    a, b = first[u], second[u]
                    after_a, after_b = (a - 1, b + 1) if side[v] == 1 else (a + 1, b - 1)
                    if side[u] == 1:  # computed here, before the cut
                        saves += sizes[u] * (int(b > 0) - int(after_b > 0))
                    elif side[u] == 0:  # computed earlier, or an input
                        will = after_a > 0 and after_b > 0
                        saves += sizes[u] * (int(a > 0 and b > 0) - int(will))
                if chosen < 0 or saves > most_saved:
                    chosen, most_saved = v, saves
            if chosen < 0:
                break
            _change(chosen, indptr, indices, side, first, second)
            taken += 1 if side[chosen] == 1 else -1
            moved[chosen] = 1
            trail[length] = chosen
            length += 1
            saved += most_saved
            if saved > best:
                best, kept = saved, length
        for i in range(length - 1, -1, -1):
            moved[trail[i]] = 0
            if i >= kept:
                _change(trail[i], indptr, indices, side, first, second)
                taken += 1 if side[trail[i]] == 1 else -1
        if best == 0:
            break
    after = np.empty(k - taken, part.dtype)
    front, back = 0, 0
    for i in range(k):
        v = part[i]
        for e in range(indptr[v], indptr[v + 1]):
            first[indices[e]] = 0
            second[indices[e]] = 0
        if side[v] == 1:
            part[front] = v
            front += 1
        else:
            after[back] = v
            back += 1
        side[v] = 0
    for i in range(back):
        part[front + i] = after[i]
    return taken


@kernel
def _change(v, indptr, indices, side, first, second):
    """Let v change sides."""
    step = 1 if side[v] == 2 else -1
    for e in range(indptr[v], indptr[v + 1]):
        first[indices[e]] += step
        second[indices[e]] -= step
    side[v] = 3 - side[v]
