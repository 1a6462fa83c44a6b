"""Kernels that find wavefronts: minimum cuts between a vertex's ancestors and its descendants.

Legend: ``indptr``, ``indices`` are predecessor CSR; ``succ_indptr``, ``succ_indices`` successor
CSR, and ``succ_edges`` (m,) the place in `indices` of each edge of the latter; ``capacity`` (n,)
what an alive value counts; ``side`` (n,) int8 1 for the ancestors of x, 2 for x and its
descendants, 0 otherwise.

The network has two nodes for each vertex v, "in" 2v and "out" 2v + 1: an arc from in to out with
the vertex's capacity, one from out of u to in of v for each edge (u, v), and one from in of v to
in of u; the last two without limit. ``through`` (n,), ``forth`` (m,) and ``back`` (m,) int64 are
the flow on them. It begins at in of the ancestors and ends at in of x and its descendants.
"""

import numpy as np

from dags._numba import kernel


@kernel
def place_edges(indptr, indices, succ_indptr, succ_edges):
    """Fill succ_edges (m,) int32 with each edge's place in the predecessor rows."""
    cursor = succ_indptr[:-1].copy()
    for v in range(indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            succ_edges[cursor[u]] = e
            cursor[u] += 1


@kernel
def mark_sides(indptr, indices, succ_indptr, succ_indices, x, side):
    """Fill `side`; return (alive after the ancestors alone, alive before the descendants alone).

    Both ends of the range of closed sets: each of the two counts an upper bound on the cut.
    """
    n = side.size
    for v in range(n):
        side[v] = 0
    side[x] = 1
    for v in range(x, -1, -1):
        if side[v] == 1:
            for e in range(indptr[v], indptr[v + 1]):
                side[indices[e]] = 1
    side[x] = 2
    for v in range(x, n):
        if side[v] == 2:
            for e in range(succ_indptr[v], succ_indptr[v + 1]):
                side[succ_indices[e]] = 2


@kernel
def least_trivial_cut(succ_indptr, succ_indices, capacity, side):
    """Return the smaller cut of two: the ancestors alone, and all but the descendants."""
    early = 0
    late = 0
    for v in range(side.size):
        if side[v] == 2:
            continue
        first = side[v] == 1
        last = False
        leaves = False
        for e in range(succ_indptr[v], succ_indptr[v + 1]):
            last |= side[succ_indices[e]] == 2
            leaves |= side[succ_indices[e]] != 1
        if first and leaves:
            early += capacity[v]
        if last:
            late += capacity[v]
    return min(early, late)


@kernel
def layer(
    indptr,
    indices,
    succ_indptr,
    succ_indices,
    succ_edges,
    capacity,
    side,
    through,
    forth,
    back,
    depth,
    queue,
):
    """Fill depth (2n,) with the arcs from the ancestors to each node, -1 beyond the nearest end.

    Returns the depth of the nearest end, or -1 if none can be reached. queue (2n,) is work space.
    """  # fmt: skip
    tail = 0
    for node in range(depth.size):
        depth[node] = -1
    for v in range(side.size):
        if side[v] == 1:
            depth[2 * v] = 0
            queue[tail] = 2 * v
            tail += 1
    head = 0
    goal = -1
    while head < tail:
        node = queue[head]
        head += 1
        d = depth[node] + 1
        if goal >= 0 and d > goal:
            break
        v = node >> 1
        if node & 1:
            if through[v] > 0 and depth[2 * v] < 0:
                depth[2 * v] = d
                queue[tail] = 2 * v
                tail += 1
            for k in range(succ_indptr[v], succ_indptr[v + 1]):
                w = succ_indices[k]
                if depth[2 * w] < 0:
                    depth[2 * w] = d
                    if side[w] == 2:
                        goal = d
                    else:
                        queue[tail] = 2 * w
                        tail += 1
            continue
        if through[v] < capacity[v] and depth[2 * v + 1] < 0:
            depth[2 * v + 1] = d
            queue[tail] = 2 * v + 1
            tail += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if depth[2 * u] < 0:
                depth[2 * u] = d
                queue[tail] = 2 * u
                tail += 1
            if forth[e] > 0 and depth[2 * u + 1] < 0:
                depth[2 * u + 1] = d
                queue[tail] = 2 * u + 1
                tail += 1
        for k in range(succ_indptr[v], succ_indptr[v + 1]):
            w = succ_indices[k]
            if back[succ_edges[k]] > 0 and depth[2 * w] < 0:
                depth[2 * w] = d
                if side[w] == 2:
                    goal = d
                else:
                    queue[tail] = 2 * w
                    tail += 1
    return goal


@kernel
def block(
    indptr,
    indices,
    succ_indptr,
    succ_indices,
    succ_edges,
    capacity,
    side,
    through,
    forth,
    back,
    depth,
    goal,
    cursor,
    path,
    arcs,
):
    """Send flow along arcs that go one layer deeper until no more can reach depth `goal`.

    Returns how much was sent. cursor, path and arcs (2n,) are work space: the next arc to try
    of each node, and the nodes and arcs of the path at hand.
    """  # fmt: skip
    sent = 0
    for node in range(cursor.size):
        cursor[node] = 0
    for root in range(side.size):
        if side[root] != 1:
            continue
        path[0] = 2 * root
        length = 1
        while length > 0:
            node = path[length - 1]
            v = node >> 1
            d = depth[node] + 1
            if d == goal + 1:  # only an end has this depth: send what fits, and start anew
                amount = np.int64(2**62)
                for i in range(length - 1):
                    w = path[i] >> 1
                    k = arcs[i]
                    if path[i] & 1:
                        if k == 0:
                            amount = min(amount, through[w])
                    elif k == 0:
                        amount = min(amount, capacity[w] - through[w])
                    else:
                        e = indptr[w] + (k - 1) // 2
                        if e < indptr[w + 1]:
                            if k % 2 == 0:
                                amount = min(amount, forth[e])
                        else:
                            j = succ_indptr[w] + k - 1 - 2 * (indptr[w + 1] - indptr[w])
                            amount = min(amount, back[succ_edges[j]])
                for i in range(length - 1):
                    w = path[i] >> 1
                    k = arcs[i]
                    if path[i] & 1:
                        if k == 0:
                            through[w] -= amount
                        else:
                            forth[succ_edges[succ_indptr[w] + k - 1]] += amount
                    elif k == 0:
                        through[w] += amount
                    else:
                        e = indptr[w] + (k - 1) // 2
                        if e < indptr[w + 1]:
                            if k % 2 == 0:
                                forth[e] -= amount
                            else:
                                back[e] += amount
                        else:
                            j = succ_indptr[w] + k - 1 - 2 * (indptr[w + 1] - indptr[w])
                            back[succ_edges[j]] -= amount
                sent += amount
                length = 1
                continue
            target = -1
            k = cursor[node]
            if node & 1:
                if k == 0:
                    if through[v] > 0 and depth[2 * v] == d and d < goal:
                        target = 2 * v
                    else:
                        k = 1
                if k > 0:
                    while succ_indptr[v] + k - 1 < succ_indptr[v + 1]:
                        w = succ_indices[succ_indptr[v] + k - 1]
                        if depth[2 * w] == d and (d < goal or side[w] == 2):
                            target = 2 * w
                            break
                        k += 1
            else:
                preds = indptr[v + 1] - indptr[v]
                if k == 0:
                    if through[v] < capacity[v] and depth[2 * v + 1] == d and d < goal:
                        target = 2 * v + 1
                    else:
                        k = 1
                if k > 0:
                    while target < 0 and k <= 2 * preds:
                        e = indptr[v] + (k - 1) // 2
                        u = indices[e]
                        if k % 2 == 1:
                            if depth[2 * u] == d and (d < goal or side[u] == 2):
                                target = 2 * u
                                break
                        elif forth[e] > 0 and depth[2 * u + 1] == d and d < goal:
                            target = 2 * u + 1
                            break
                        k += 1
                    while target < 0 and succ_indptr[v] + k - 1 - 2 * preds < succ_indptr[v + 1]:
                        j = succ_indptr[v] + k - 1 - 2 * preds
                        w = succ_indices[j]
                        if (
                            back[succ_edges[j]] > 0
                            and depth[2 * w] == d
                            and (d < goal or side[w] == 2)
                        ):
                            target = 2 * w
                            break
                        k += 1
            cursor[node] = k
            if target >= 0:
                arcs[length - 1] = k
                path[length] = target
                length += 1
            else:
                length -= 1
                if length > 0:
                    cursor[path[length - 1]] += 1
    return sent


@kernel
def greatest_flow(
    indptr,
    indices,
    succ_indptr,
    succ_indices,
    succ_edges,
    capacity,
    side,
    through,
    forth,
    back,
    nodes,
):
    """Fill through, forth and back with a greatest flow, and return how much it is.

    nodes (5, 2n) int32 is work space. Dinic's algorithm: in rounds, along shortest paths.
    """  # fmt: skip
    through[:] = 0
    forth[:] = 0
    back[:] = 0
    value = 0
    while True:
        goal = layer(
            indptr, indices, succ_indptr, succ_indices, succ_edges, capacity, side,
            through, forth, back, nodes[0], nodes[1],
        )  # fmt: skip
        if goal < 0:
            return value
        value += block(
            indptr, indices, succ_indptr, succ_indices, succ_edges, capacity, side,
            through, forth, back, nodes[0], goal, nodes[2], nodes[3], nodes[4],
        )  # fmt: skip


@kernel
def widest(
    indptr,
    indices,
    succ_indptr,
    succ_indices,
    succ_edges,
    capacity,
    bonus,
    candidates,
    best,
    side,
    through,
    forth,
    back,
    nodes,
):
    """Return (vertex, score): the first of `candidates` that scores more than all and than `best`.

    A vertex scores its cut and bonus (n,). vertex is -1 if none scores more than `best`.
    """  # fmt: skip
    vertex = -1
    for x in candidates:
        mark_sides(indptr, indices, succ_indptr, succ_indices, x, side)
        if least_trivial_cut(succ_indptr, succ_indices, capacity, side) + bonus[x] <= best:
            continue
        value = greatest_flow(
            indptr, indices, succ_indptr, succ_indices, succ_edges, capacity, side,
            through, forth, back, nodes,
        )  # fmt: skip
        if value + bonus[x] > best:
            best = value + bonus[x]
            vertex = x
    return vertex, best


@kernel
def clusters(indptr, indices, succ_indptr, succ_indices, size, order, ends):
    """Fill order (n,) and ends (n,) int64 with sets of at most `size`; return how many.

    Each grows breadth first from the vertex that was first seen and not taken by the one before:
    so that sets lie beside each other.
    """
    n = indptr.size - 1
    seen = np.zeros(n, np.bool_)
    taken = np.zeros(n, np.bool_)
    frontier = np.empty(n, np.int64)  # vertices seen, in the order in which they were
    head, tail = 0, 0
    count, filled = 0, 0
    mark = np.full(n, -1, np.int64)
    root = 0
    while filled < n:
        while head < tail and taken[frontier[head]]:
            head += 1
        if head < tail:
            seed = frontier[head]
        else:
            while taken[root]:
                root += 1
            seed = root
        start = filled
        order[filled] = seed
        filled += 1
        mark[seed] = count
        at = start
        while at < filled:
            v = order[at]
            at += 1
            taken[v] = True
            for half in range(2):
                first = indptr[v] if half == 0 else succ_indptr[v]
                last = indptr[v + 1] if half == 0 else succ_indptr[v + 1]
                for e in range(first, last):
                    u = indices[e] if half == 0 else succ_indices[e]
                    if taken[u] or mark[u] == count:
                        continue
                    if filled - start < size:
                        mark[u] = count
                        order[filled] = u
                        filled += 1
                    elif not seen[u]:
                        seen[u] = True
                        frontier[tail] = u
                        tail += 1
        ends[count] = filled
        count += 1
    return count
