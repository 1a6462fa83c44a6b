"""Kernels on the arrays of a DAG; `indptr` and `indices` are predecessor CSR unless said."""

import heapq

import numpy as np

from dags._numba import kernel

LONG_ROW = 32  # entries from which on insertion takes longer than sorting
ROWS_OK, ROW_NOT_RISING, PRED_OUT_OF_RANGE, PRED_NOT_SMALLER, PRED_TWICE = range(5)


@kernel
def check_rows(indptr, indices):
    """Return (status, vertex, predecessor): each row rising, each entry in 0..v-1.

    indptr (n+1,) int64, indices (m,) int32.
    """
    n = indptr.size - 1
    for v in range(n):
        start, end = indptr[v], indptr[v + 1]
        if end < start:
            return ROW_NOT_RISING, v, 0
        last = -1
        for e in range(start, end):
            u = indices[e]
            if u < 0 or u >= n:
                return PRED_OUT_OF_RANGE, v, u
            if u >= v:
                return PRED_NOT_SMALLER, v, u
            if u == last:
                return PRED_TWICE, v, u
            if u < last:
                return ROW_NOT_RISING, v, u
            last = u
    return ROWS_OK, 0, 0


@kernel
def transpose(indptr, indices, out_indptr, out_indices):
    """Fill the successor CSR: out_indptr (n+1,) int64 zeros, out_indices (m,) int32.

    Successors of a vertex come out in rising order, because rows are visited in rising order.
    """
    n = indptr.size - 1
    for e in range(indices.size):
        out_indptr[indices[e] + 1] += 1
    for v in range(n):
        out_indptr[v + 1] += out_indptr[v]
    cursor = out_indptr[:-1].copy()
    for v in range(n):
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            out_indices[cursor[u]] = v
            cursor[u] += 1


@kernel
def smallest_first_order(succ_indptr, succ_indices, indegree, order):
    """Fill order (n,) int32 with the lexicographically smallest topological order.

    succ_* is successor CSR; indegree (n,) int64 is used up. Returns how many vertices were
    placed: fewer than n where there is a cycle, and then those with indegree > 0 are left.
    """
    n = indegree.size
    heap = [np.int32(0)]
    heap.pop()
    for v in range(n):
        if indegree[v] == 0:
            heapq.heappush(heap, np.int32(v))
    placed = 0
    while heap:
        v = heapq.heappop(heap)
        order[placed] = v
        placed += 1
        for e in range(succ_indptr[v], succ_indptr[v + 1]):
            w = succ_indices[e]
            indegree[w] -= 1
            if indegree[w] == 0:
                heapq.heappush(heap, np.int32(w))
    return placed


@kernel
def sort_short(values, start, end):
    """Sort values[start:end], which is mostly a few entries long, in place."""
    if end - start > LONG_ROW:
        values[start:end].sort()
        return
    for i in range(start + 1, end):
        value = values[i]
        k = i
        while k > start and values[k - 1] > value:
            values[k] = values[k - 1]
            k -= 1
        values[k] = value


@kernel
def renumber_rows(indptr, indices, order, position, out_indptr, out_indices):
    """Fill the CSR of the DAG in which vertex order[i] is called i; rows come out rising.

    order (n,) int32 and its inverse position (n,) int32. Returns the first new number whose
    row has an entry that is not smaller, or -1.
    """
    n = order.size
    fill = 0
    bad = -1
    for i in range(n):
        v = order[i]
        start = fill
        for e in range(indptr[v], indptr[v + 1]):
            out_indices[fill] = position[indices[e]]
            fill += 1
        sort_short(out_indices, start, fill)
        out_indptr[i + 1] = fill
        if bad < 0 and fill > start and out_indices[fill - 1] >= i:
            bad = i
    return bad


@kernel
def longest_paths(indptr, indices, level):
    """Fill level (n,) int32 of zeros: edges on a longest path to each vertex."""
    for v in range(level.size):
        for e in range(indptr[v], indptr[v + 1]):
            level[v] = max(level[v], level[indices[e]] + 1)
