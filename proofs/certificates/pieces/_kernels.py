"""Kernels that cut pieces out of a DAG, and check flows through them."""

import numpy as np

from dags._kernels import sort_range
from dags._numba import kernel, lean_kernel, lean_part


@kernel
def cut_out(indptr, indices, vertices, local, sizes, out_indptr, out_indices, outside, replaceable):
    """Fill the predecessor CSR of the DAG that `vertices` (p,) span, numbered by their order.

    indptr (n+1,) and indices (m,) are the whole; local (n,) holds -1 before and after;
    out_indptr is (p+1,) zeros, out_indices has room for the rows of all of `vertices`. outside
    (p,) gets the words, by sizes (n,), of the predecessors that are none of them, replaceable (p,)
    those of the largest; both are zeros before.
    """
    for i in range(vertices.size):
        local[vertices[i]] = i
    edges = 0
    for i in range(vertices.size):
        v = vertices[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = local[indices[e]]
            if u >= 0:
                out_indices[edges] = u
                edges += 1
            else:
                outside[i] += sizes[indices[e]]
                replaceable[i] = max(replaceable[i], sizes[indices[e]])
        out_indptr[i + 1] = edges
    for i in range(vertices.size):
        local[vertices[i]] = -1


@kernel
def relatives(indptr, indices, x, above, below):
    """Mark the ancestors of `x` in above (n,), and x and its descendants in below (n,)."""
    above[x] = True
    for v in range(x, -1, -1):
        if above[v]:
            for e in range(indptr[v], indptr[v + 1]):
                above[indices[e]] = True
    above[x] = False
    below[x] = True
    for v in range(x + 1, indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            if below[indices[e]]:
                below[v] = True
                break


@kernel
def supplies(indptr, indices, edges, amounts, closures, returns, through, supply):
    """Fill the flow through each vertex, and its growth there.

    A flow of amounts[i] leaves the edge numbered edges[i] (its tail's value goes through it) and
    one of returns[i] runs back along the edge numbered closures[i]. through (n,) and supply (n,)
    int64 begin as zeros; an edge's number is its place in `indices`.
    """
    head = np.empty(indices.size, np.int64)
    for v in range(indptr.size - 1):
        head[indptr[v] : indptr[v + 1]] = v
    for i in range(edges.size):
        u = indices[edges[i]]
        through[u] += amounts[i]
        supply[u] += amounts[i]
        supply[head[edges[i]]] -= amounts[i]
    for i in range(closures.size):
        supply[head[closures[i]]] += returns[i]
        supply[indices[closures[i]]] -= returns[i]


@kernel
def least_spills(indptr, indices, memory, placed):
    """Return how many values of a forest must leave fast memory and come back.

    indptr (n+1,) and indices (m,) are the predecessors, each a predecessor of one vertex; placed
    is 1 where a result lies beside its operands, 0 where it slides. `forests` has the proof.
    """
    n = indptr.size - 1
    need = np.ones(n, np.int64)
    spills = 0
    for v in range(n):
        operands = indptr[v + 1] - indptr[v]
        if operands == 0:
            continue
        needs = np.empty(operands, np.int64)
        for i in range(operands):
            needs[i] = -need[indices[indptr[v] + i]]
        sort_range(needs, 0, operands)
        for i in range(operands):  # falling
            needs[i] = -needs[i]
        # In `needs` from here on: the largest of needs[i] + i, from each operand to the last.
        for i in range(operands - 1, -1, -1):
            needs[i] += i
            if i + 1 < operands:
                needs[i] = max(needs[i], needs[i + 1])
        stored, room = 0, max(operands + placed, needs[0])
        while stored < operands and room > memory:
            stored += 1
            room = operands + placed
            if stored < operands:
                room = max(room, needs[stored] - stored)
        need[v] = room
        spills += stored
    return spills


@kernel
def followers(indptr, indices, front, below, first):
    """Mark the vertices `front` (k,) and their descendants, and those without others before them.

    below, first (n,) bool are False before.
    """
    for i in range(front.size):
        below[front[i]] = True
        first[front[i]] = True
    for v in range(indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            if below[indices[e]]:
                below[v] = True
                first[v] = False


@kernel
def common_ancestors(indptr, indices, members, common):
    """Keep true in common (n,) bool, all true before, only the ancestors of all `members` (k,).

    Bit i of a vertex says whether it is, or is an ancestor of, member i of 64 that are looked at
    together; `members` rise, so that no vertex above the last of the 64 matters.
    """
    reach = np.zeros(indptr.size - 1, np.uint64)
    for start in range(0, members.size, 64):
        end = min(start + 64, members.size)
        common_reach = np.uint64(0)
        for i in range(start, end):
            reach[members[i]] = np.uint64(1) << np.uint64(i - start)
            common_reach |= reach[members[i]]
        for v in range(members[end - 1], -1, -1):
            if reach[v] != 0:
                for e in range(indptr[v], indptr[v + 1]):
                    reach[indices[e]] |= reach[v]
        any_common = False
        for v in range(common.size):
            common[v] = common[v] and reach[v] == common_reach
            reach[v] = 0
        for i in range(start, end):
            common[members[i]] = False
        for v in range(common.size):
            any_common = any_common or common[v]
        if not any_common:
            return


@lean_kernel
def closures(indptr, indices, above, below):
    """Fill `above` and `below` (n, words) uint64: each computed vertex with its kin before, after.

    Vertex v is the bit v % 64 of number v // 64; inputs are in no set. indptr (n+1,), indices (m,):
    predecessor CSR.
    """
    n = indptr.size - 1
    for v in range(n):
        if indptr[v] < indptr[v + 1]:
            above[v, v >> 6] |= np.uint64(1) << np.uint64(v & 63)
            for e in range(indptr[v], indptr[v + 1]):
                join(above[v], above[indices[e]])
    for v in range(n - 1, -1, -1):
        if indptr[v] < indptr[v + 1]:
            below[v, v >> 6] |= np.uint64(1) << np.uint64(v & 63)
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if indptr[u] < indptr[u + 1]:
                join(below[u], below[v])


@lean_part
def join(row, members):
    """Add to a set the members of another one."""
    for w in range(row.size):
        row[w] |= members[w]
