"""Kernels that cut pieces out of a DAG, and check flows through them."""

import numpy as np

from dags._numba import kernel


@kernel
def cut_out(indptr, indices, vertices, local, out_indptr, out_indices):
    """Fill the predecessor CSR of the DAG that `vertices` (p,) span, numbered by their order.

    indptr (n+1,) and indices (m,) are the whole; local (n,) holds -1 before and after;
    out_indptr is (p+1,) zeros, out_indices has room for the rows of all of `vertices`.
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
    """Fill what a flow carries through each vertex, and what it adds there.

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
        needs = np.sort(need[indices[indptr[v] : indptr[v + 1]]])[::-1]
        for stored in range(operands + 1):
            least = operands + placed
            for i in range(stored, operands):
                least = max(least, needs[i] + i - stored)
            if least <= memory:
                break
        need[v] = least
        spills += min(stored, operands)
    return spills


@kernel
def followers(indptr, indices, front, below, first):
    """Mark the vertices `front` (k,) and what follows them, and those without others before them.

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
def count_descendants(indptr, indices, members, count):
    """Add to count (n,) of each vertex how many of `members` (k,) it is an ancestor of."""
    n = indptr.size - 1
    seen = np.full(n, -1, np.int64)
    stack = np.empty(n, np.int64)
    for i in range(members.size):
        stack[0] = members[i]
        size = 1
        while size > 0:
            size -= 1
            v = stack[size]
            for e in range(indptr[v], indptr[v + 1]):
                u = indices[e]
                if seen[u] != i:
                    seen[u] = i
                    count[u] += 1
                    stack[size] = u
                    size += 1
