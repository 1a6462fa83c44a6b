"""Kernels on the arrays of a DAG; `indptr` and `indices` are predecessor CSR unless said."""

import heapq

import numpy as np

from dags._numba import inner_kernel, kernel
from dags.arrays import LONG_ROW

RUN_DRY = 2**31 - 1  # the key of a list of which nothing is left
ROWS_OK, ROW_NOT_RISING, PRED_OUT_OF_RANGE, PRED_NOT_SMALLER, PRED_TWICE, POINTER_FALLS = range(6)


@inner_kernel
def copy_over(target, source):
    """Copy the first values of source over all of target (k,).

    A loop, as Numba compiles for the assignment of a slice also the words of its error: seconds.
    """
    for i in range(target.size):
        target[i] = source[i]


@kernel
def sort_range(values, first, last):
    """Sort values[first:last] in place, by D. L. Shell's method with D. E. Knuth's gaps.

    NumPy's sort takes Numba a second to compile.
    """
    gap = 1
    while 3 * gap < last - first:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            x = values[i]
            k = i
            while k >= first + gap and values[k - gap] > x:
                values[k] = values[k - gap]
                k -= gap
            values[k] = x
        gap //= 3


@kernel
def check_rows(indptr, indices):
    """Return (status, vertex, predecessor): each row rising, each entry in 0..v-1.

    indptr (n+1,) int64, indices (m,) int32.
    """
    n = indptr.size - 1
    for v in range(n):
        if indptr[v + 1] < indptr[v]:
            return POINTER_FALLS, v, 0
    for v in range(n):
        start, end = indptr[v], indptr[v + 1]
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
def mark_read(indices, is_read):
    """Mark in is_read (n,) bool the vertices that are operands."""
    for e in range(indices.size):
        is_read[indices[e]] = True


@kernel
def count_readers(indices, readers):
    """Add to readers (n,), integers, how many successors each vertex has."""
    for e in range(indices.size):
        readers[indices[e]] += 1


@kernel
def transpose(indptr, indices, out_indptr, out_indices):
    """Fill the successor CSR: out_indptr (n+1,) zeros, out_indices (m,) int32.

    Successors of a vertex come out in rising order, because rows are visited in rising order.
    While rows are filled, out_indptr[u + 1] is where the next successor of u goes: it ends where
    the row of u does, and no second array is needed.
    """
    n = indptr.size - 1
    for e in range(indices.size):
        u = indices[e]
        if u + 2 <= n:
            out_indptr[u + 2] += 1
    for v in range(1, n):
        out_indptr[v + 1] += out_indptr[v]
    for v in range(n):
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            out_indices[out_indptr[u + 1]] = v
            out_indptr[u + 1] += 1


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
        if fill - start > LONG_ROW:
            sort_range(out_indices, start, fill)
        else:  # insertion, written out: handing arrays to a function takes longer than sorting
            for j in range(start + 1, fill):
                u = out_indices[j]
                k = j
                while k > start and out_indices[k - 1] > u:
                    out_indices[k] = out_indices[k - 1]
                    k -= 1
                out_indices[k] = u
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


@kernel
def post_order(indptr, rows, roots, with_inputs, cursor, order):
    """Fill order with the ancestors of each root, operands first, and then the root.

    rows (m,) int32: predecessor rows in the order of visits; roots (r,) int32: vertices without
    readers; cursor (n,): where each row begins, used up. order, int32, has room for all that is
    reached, without the inputs unless with_inputs.
    """
    n = cursor.size
    seen = np.zeros(n, np.bool_)
    stack = np.empty(n, np.int32)
    filled = 0
    for root in roots:
        stack[0] = root
        height = 1
        while height > 0:
            v = stack[height - 1]
            if cursor[v] == indptr[v + 1]:
                order[filled] = v
                filled += 1
                height -= 1
                continue
            u = rows[cursor[v]]
            cursor[v] += 1
            if not seen[u] and (with_inputs or indptr[u] < indptr[u + 1]):
                seen[u] = True
                stack[height] = u
                height += 1


@kernel
def subset_rows(d, indices):
    """Fill indices (d 2^(d-1),) int32: for each bit set in turn, it without each of its bits.

    The highest bit goes first, so that rows rise.
    """
    fill = 0
    for subset in range(1 << d):
        for bit in range(d - 1, -1, -1):
            if subset >> bit & 1:
                indices[fill] = subset ^ (1 << bit)
                fill += 1


@inner_kernel
def _show_smaller(tree, v, operands, made_count, inputs):
    """Let tournament node v show the smaller key of its children; return comparisons made."""
    smaller, larger = 2 * v, 2 * v + 1
    if tree[1, larger] < tree[1, smaller]:
        smaller, larger = larger, smaller
    tree[1, v], tree[2, v] = tree[1, smaller], tree[2, smaller]
    if tree[1, larger] == RUN_DRY:
        tree[0, v] = tree[0, smaller]
        return made_count
    operands[made_count, 0] = min(tree[0, smaller], tree[0, larger])
    operands[made_count, 1] = max(tree[0, smaller], tree[0, larger])
    tree[0, v] = inputs + made_count
    return made_count + 1


@inner_kernel
def _merge(vertex, key, side, start, end, length, tree, place, operands, comparisons):
    """Merge the lists of `length` keys in start..end-1 of `side` into the other side.

    Arrays as in merge_sort. Returns how many comparisons have been made.
    """
    n = key.shape[1]
    k = (end - start + length - 1) // length
    for j in range(k):
        place[j] = start + j * length
        tree[0, k + j], tree[1, k + j] = vertex[side, place[j]], key[side, place[j]]
        tree[2, k + j] = j
    for v in range(k - 1, 0, -1):
        comparisons = _show_smaller(tree, v, operands, comparisons, n)
    for t in range(start, end):
        vertex[1 - side, t], key[1 - side, t] = tree[0, 1], tree[1, 1]
        j = tree[2, 1]
        place[j] += 1
        if place[j] < min(start + (j + 1) * length, end):
            tree[0, k + j], tree[1, k + j] = vertex[side, place[j]], key[side, place[j]]
        else:
            tree[1, k + j] = RUN_DRY
        v = (k + j) // 2
        while v > 0:
            comparisons = _show_smaller(tree, v, operands, comparisons, n)
            v //= 2
    return comparisons


@kernel
def merge_sort(vertex, key, run, ways, tree, place, operands):
    """Sort by merges of first `run` lists and then `ways` lists; return (comparisons, side).

    vertex, key (2, n) int32: the vertices and distinct keys of all lists, one after another, given
    on side 0 and left sorted on the side that is returned. tree (3, 2k) int32 with k the larger of
    run and ways: of each node its vertex, its key, the list it came from. place (k,) int64.
    operands (enough, 2) int32 is filled with the operands of each comparison, the smaller number
    first.
    """
    n = key.shape[1]
    comparisons, side, length = (
        np.int64(0),
        np.int64(0),
        np.int64(1),
    )  # a plain 0 is a type of its own
    fan = run
    while length < n:
        step = length * fan
        for start in range(0, n, step):
            end = min(start + step, n)
            comparisons = _merge(
                vertex, key, side, start, end, length, tree, place, operands, comparisons
            )
        side, length, fan = 1 - side, step, ways
    return comparisons, side


@kernel
def mark_needed(indptr, indices, n, needed):
    """Mark in needed (n,) bool, where outputs are marked, all that they are computed from."""
    for v in range(n - 1, -1, -1):
        if needed[v]:
            for e in range(indptr[v], indptr[v + 1]):
                needed[indices[e]] = True


@kernel
def keep_marked(indptr, indices, made_by, points, n, needed, number):
    """Move the rows of marked vertices together, in place; number (n,) int32 is their new number.

    made_by (n,), points (n, k): moved with them. Returns how many there are.
    """
    count = 0
    end = np.int64(0)
    for v in range(n):
        first, behind = indptr[v], indptr[v + 1]
        if not needed[v]:
            number[v] = -1
            continue
        number[v] = count
        # indptr[count] <= indptr[v] for every row read later, so nothing unread is written over
        start = end
        for e in range(first, behind):
            indices[end] = number[indices[e]]
            end += 1
        made_by[count] = made_by[v]
        for axis in range(points.shape[1]):  # not by rows, as `copy_over` says
            points[count, axis] = points[v, axis]
        indptr[count] = start
        count += 1
    indptr[count] = end
    return count
