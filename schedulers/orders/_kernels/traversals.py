"""Kernels that fill an order: the computed vertices, operands before results.

Legend: ``indptr``, ``indices`` are predecessor CSR, ``succ_indptr``, ``succ_indices`` successor
CSR, ``words`` (n,) sizes, ``order`` (N,) int32 the result.
"""

import heapq

import numpy as np

from dags._numba import inner_kernel, kernel
from dags.arrays import LONG_ROW


@kernel
def breadth_first(indptr, succ_indptr, succ_indices, order):
    """Compute vertices in the order in which they become ready, first the readers of inputs."""
    n = indptr.size - 1
    waiting = np.empty(n, np.int32)
    queue = np.empty(n, np.int32)
    tail = 0
    for v in range(n):
        waiting[v] = indptr[v + 1] - indptr[v]
        if waiting[v] == 0:
            queue[tail] = v
            tail += 1
    inputs = tail
    head = 0
    while head < tail:
        v = queue[head]
        head += 1
        for e in range(succ_indptr[v], succ_indptr[v + 1]):
            w = succ_indices[e]
            waiting[w] -= 1
            if waiting[w] == 0:
                queue[tail] = w
                tail += 1
    for place in range(order.size):  # copying a slice would take two seconds to compile
        order[place] = queue[inputs + place]


@inner_kernel
def _stable_order(keys):
    """Return the places of keys (k,) by rising key, equal ones as they are: a merge sort.

    NumPy's own, compiled by Numba, takes seconds to compile.
    """
    order, merged = np.arange(keys.size), np.empty(keys.size, np.int64)
    width = 1
    while width < keys.size:
        for low in range(0, keys.size, 2 * width):
            middle, high = min(low + width, keys.size), min(low + 2 * width, keys.size)
            left, right = low, middle
            for place in range(low, high):
                if right == high or (left < middle and keys[order[left]] <= keys[order[right]]):
                    merged[place] = order[left]
                    left += 1
                else:
                    merged[place] = order[right]
                    right += 1
        order, merged = merged, order
        width *= 2
    return order


@kernel
def rank_operands(indptr, indices, words, need, ranked):
    """Fill need (n,) integers and ranked (m,) int32: which operand to compute first.

    need: the words that computing a vertex would take if the DAG were a tree and each operand
    were computed alone, the one first that frees most when it is done (Sethi and Ullman; Liu
    for sizes). ranked: predecessor rows in that order.
    """
    for v in range(indptr.size - 1):
        start, end = indptr[v], indptr[v + 1]
        if end - start > LONG_ROW:
            excess = np.empty(end - start, np.int64)
            for i in range(end - start):
                excess[i] = words[indices[start + i]] - need[indices[start + i]]
            places = _stable_order(excess)
            for i in range(end - start):
                ranked[start + i] = indices[start + places[i]]
        else:
            for e in range(start, end):
                u = indices[e]
                k = e
                while k > start and need[ranked[k - 1]] - words[ranked[k - 1]] < need[u] - words[u]:
                    ranked[k] = ranked[k - 1]
                    k -= 1
                ranked[k] = u
        held = 0
        largest = 0
        for e in range(start, end):
            largest = max(largest, held + need[ranked[e]])
            held += words[ranked[e]]
        need[v] = max(largest, held + words[v])


@kernel
def least_live(indptr, indices, succ_indptr, succ_indices, words, growth, order):
    """Compute next the ready vertex after which fewest words are live; of equals, the newest.

    A vertex adds its own words if it is read, and frees the operands of which it is the
    last reader. When a value is left with one reader, the exclusive-or of its readers names it.
    growth (n,) integers of 0: room to work in.
    """
    n = indptr.size - 1
    waiting = np.zeros(n, np.int32)
    readers = np.empty(n, np.int32)
    mixed = np.zeros(n, np.int32)
    done = np.zeros(n, np.bool_)
    for v in range(n):
        readers[v] = succ_indptr[v + 1] - succ_indptr[v]
        for e in range(succ_indptr[v], succ_indptr[v + 1]):
            mixed[v] ^= succ_indices[e]
            if indptr[v] < indptr[v + 1]:
                waiting[succ_indices[e]] += 1
    for v in range(n):
        if readers[v] > 0:
            growth[v] = words[v]
        for e in range(indptr[v], indptr[v + 1]):
            if readers[indices[e]] == 1:
                growth[v] -= words[indices[e]]
    age = 0
    heap = [(np.int64(0), np.int64(0), np.int32(0))]
    heap.pop()
    for v in range(n):
        if indptr[v] < indptr[v + 1] and waiting[v] == 0:
            heapq.heappush(heap, (np.int64(growth[v]), np.int64(age), np.int32(v)))
            age -= 1
    filled = 0
    while heap:
        _, _, v = heapq.heappop(heap)
        if done[v]:
            continue
        done[v] = True
        order[filled] = v
        filled += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            readers[u] -= 1
            mixed[u] ^= v
            if readers[u] == 1:
                w = mixed[u]
                growth[w] -= words[u]
                if waiting[w] == 0:
                    heapq.heappush(heap, (np.int64(growth[w]), np.int64(age), np.int32(w)))
                    age -= 1
        for e in range(succ_indptr[v], succ_indptr[v + 1]):
            w = succ_indices[e]
            waiting[w] -= 1
            if waiting[w] == 0:
                heapq.heappush(heap, (np.int64(growth[w]), np.int64(age), np.int32(w)))
                age -= 1


@kernel
def fewest_loads(indptr, indices, succ_indptr, succ_indices, words, memory, prices, order):
    """Fill order (N,) with the ready vertices of least price, one after the other.

    prices (4,) are those of a load, of the last reader of a value in all and in memory, and the
    discount of each operand. The price of a ready vertex changes where an operand enters or leaves
    memory, and where a value is left with one reader. Values that were touched longest ago leave.
    """
    n = indptr.size - 1
    waiting, readers = np.zeros(n, np.int32), np.zeros(n, np.int32)
    price = np.zeros(n, np.int64)
    touched = np.full(n, -1, np.int64)  # when, for a value in memory
    done = np.zeros(n, np.bool_)
    ready, resident = np.empty(n, np.int32), np.empty(n, np.int32)
    width, size, room = 0, 0, memory
    for v in range(n):
        readers[v] = succ_indptr[v + 1] - succ_indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            waiting[v] += indptr[indices[e]] < indptr[indices[e] + 1]
        price[v] += (prices[0] - prices[3]) * (indptr[v + 1] - indptr[v])
        if readers[v] == 1:
            price[succ_indices[succ_indptr[v]]] -= prices[1]
        if indptr[v] < indptr[v + 1] and waiting[v] == 0:
            ready[width] = v
            width += 1
    for filled in range(order.size):
        best = _cheapest(ready, width, price)
        v = ready[best]
        width -= 1
        ready[best] = ready[width]
        order[filled] = v
        done[v] = True
        for e in range(indptr[v], indptr[v + 1] + 1):
            u = v if e == indptr[v + 1] else indices[e]
            if touched[u] < 0:
                _move(u, -1, succ_indptr, succ_indices, done, readers, prices, price)
                resident[size] = u
                size += 1
                room -= words[u]
            touched[u] = filled
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            readers[u] -= 1
            if readers[u] == 1:
                for f in range(succ_indptr[u], succ_indptr[u + 1]):
                    if not done[succ_indices[f]]:
                        price[succ_indices[f]] -= prices[1] + prices[2]
        size, freed = _without_dead(resident, size, readers, touched, words)
        room += freed
        while size > 0 and room < 1:
            oldest = _oldest(resident, size, touched, readers)
            u = resident[oldest]
            _move(u, 1, succ_indptr, succ_indices, done, readers, prices, price)
            touched[u] = -1
            room += words[u]
            size -= 1
            resident[oldest] = resident[size]
        width = _now_ready(v, succ_indptr, succ_indices, waiting, ready, width)


@kernel
def _cheapest(ready, width, price):
    """Return the place of the vertex of least price, the first of equals, of so many."""
    best = 0
    for i in range(1, width):
        a, b = ready[i], ready[best]
        if price[a] < price[b] or (price[a] == price[b] and a < b):
            best = i
    return best


@kernel
def _oldest(resident, size, touched, readers):
    """Return the place of the value touched longest ago, of equals that with most readers."""
    oldest = 0
    for i in range(1, size):
        a, b = resident[i], resident[oldest]
        if touched[a] < touched[b] or (touched[a] == touched[b] and readers[a] > readers[b]):
            oldest = i
    return oldest


@kernel
def _without_dead(resident, size, readers, touched, words):
    """Strike values nobody reads any more; return how many stay, and the words of the others."""
    kept, freed = 0, 0
    for i in range(size):
        u = resident[i]
        if readers[u] > 0:
            resident[kept] = u
            kept += 1
        else:
            touched[u] = -1
            freed += words[u]
    return kept, freed


@kernel
def _move(u, sign, succ_indptr, succ_indices, done, readers, prices, price):
    """Change the prices of the readers of u, which enters (sign -1) or leaves memory (1)."""
    change = prices[0]
    if readers[u] == 1:
        change += prices[2]
    for e in range(succ_indptr[u], succ_indptr[u + 1]):
        if not done[succ_indices[e]]:
            price[succ_indices[e]] += sign * change


@kernel
def _now_ready(v, succ_indptr, succ_indices, waiting, ready, width):
    """Append to ready the vertices that waited for v alone; return how many are ready."""
    for e in range(succ_indptr[v], succ_indptr[v + 1]):
        w = succ_indices[e]
        waiting[w] -= 1
        if waiting[w] == 0:
            ready[width] = w
            width += 1
    return width
