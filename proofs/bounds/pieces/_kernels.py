"""Kernels that take a DAG apart."""

import numpy as np

from dags._numba import inner_kernel, kernel, lean_inner_kernel, lean_kernel


@kernel
def connected_parts(indptr, indices, kind, label):
    """Fill label (n,) with the part that each vertex belongs to, and return how many there are.

    Vertices are in one part if a way of edges between vertices of the same `kind` (n,) leads from
    one to the other. Parts are numbered from 0, in the order of their first vertices. indptr
    (n+1,), indices: predecessor CSR.
    """
    n = indptr.size - 1
    for v in range(n):
        label[v] = v  # the first vertex that is known of its part
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if kind[u] != kind[v]:
                continue
            a, b = first_of(label, u), first_of(label, v)
            label[max(a, b)] = min(a, b)
    parts = 0
    for v in range(n):
        if label[v] == v:
            label[v] = parts
            parts += 1
        else:
            label[v] = label[label[v]]
    return parts


@inner_kernel
def first_of(label, v):
    """Return the vertex at the end of the chain that begins at v, and shorten the chain."""
    while label[v] != v:
        label[v] = label[label[v]]
        v = label[v]
    return v


@kernel
def clusters(indptr, indices, succ_indptr, succ_indices, size, order, ends):
    """Fill order (n,) and ends (n,) int64 with sets of at most `size`; return how many.

    Each grows breadth first from the vertex that was first seen and not taken by the one before:
    so that sets lie beside each other.
    """
    n = indptr.size - 1
    seen = np.zeros(n, np.bool_)
    visited = np.zeros(n, np.bool_)
    frontier = np.empty(n, np.int64)  # vertices seen, in the order in which they were
    head, tail = 0, 0
    count, filled = 0, 0
    mark = np.full(n, -1, np.int64)
    root = 0
    while filled < n:
        while head < tail and visited[frontier[head]]:
            head += 1
        if head < tail:
            seed = frontier[head]
        else:
            while visited[root]:
                root += 1
            seed = root
        start = filled
        order[filled] = seed
        filled += 1
        mark[seed] = count
        position = start
        while position < filled:
            v = order[position]
            position += 1
            visited[v] = True
            for half in range(2):
                first = indptr[v] if half == 0 else succ_indptr[v]
                last = indptr[v + 1] if half == 0 else succ_indptr[v + 1]
                for e in range(first, last):
                    u = indices[e] if half == 0 else succ_indices[e]
                    if visited[u] or mark[u] == count:
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


@lean_inner_kernel
def mixed(number):
    """Return a hash of a uint64 as another."""
    z = (number + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@lean_kernel
def refine(indptr, indices, colour, around, rounds):
    """Refine colour (n,) uint64 by those of predecessors and successors, some times.

    around (3, n) uint64 is room to work in: hashes, and their sums before and after each vertex.
    """
    three, five = np.uint64(3), np.uint64(5)
    for _ in range(rounds):
        for v in range(colour.size):
            around[0, v] = mixed(colour[v])
            around[1, v] = around[2, v] = np.uint64(0)
        for v in range(colour.size):
            for e in range(indptr[v], indptr[v + 1]):
                around[1, v] += around[0, indices[e]]
                around[2, indices[e]] += around[0, v]
        for v in range(colour.size):
            sums = three * mixed(around[1, v]) + five * mixed(around[2, v])
            colour[v] = around[0, v] + sums
