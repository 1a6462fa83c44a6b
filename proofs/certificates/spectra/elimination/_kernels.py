"""Kernels of sparse symmetric elimination: the tree, the blocks, the pivots of a panel."""

import numpy as np

from dags._kernels import sort_range
from dags._numba import kernel


@kernel
def elimination_tree(indptr, indices, parent):
    """Fill parent (n,) of the elimination tree of a symmetric pattern; -1 for roots.

    indptr (n+1,) and indices are rows; only entries left of the diagonal are read.
    """
    n = parent.size
    ancestor = np.empty(n, np.int64)
    for i in range(n):
        parent[i] = -1
        ancestor[i] = -1
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            while j != -1 and j < i:
                above = ancestor[j]
                ancestor[j] = i
                if above == -1:
                    parent[j] = i
                j = above


@kernel
def postorder(parent, order):
    """Fill order (n,) with the vertices of a forest, children before parents, subtrees together."""
    n = parent.size
    first = np.full(n, -1, np.int64)
    sibling = np.full(n, -1, np.int64)
    for v in range(n - 1, -1, -1):
        if parent[v] >= 0:
            sibling[v] = first[parent[v]]
            first[parent[v]] = v
    stack = np.empty(n, np.int64)
    done = 0
    for root in range(n):
        if parent[root] >= 0:
            continue
        top = 1
        stack[0] = root
        while top:
            v = stack[top - 1]
            if first[v] >= 0:
                stack[top] = first[v]
                top += 1
                first[v] = -1
                continue
            order[done] = v
            done += 1
            top -= 1
            if sibling[v] >= 0 and top and stack[top - 1] == parent[v]:
                stack[top] = sibling[v]
                top += 1


@kernel
def column_counts(indptr, indices, parent, count):
    """Fill count (n,) with the entries of each column of L, the diagonal included."""
    n = parent.size
    mark = np.full(n, -1, np.int64)
    for i in range(n):
        count[i] = 1
    for i in range(n):
        mark[i] = i
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            while j < i and mark[j] != i:
                mark[j] = i
                count[j] += 1
                j = parent[j]


@kernel
def group_columns(parent, count, small, starts):
    """Fill starts with the first column of each block; return the number of blocks.

    Columns are in postorder. A subtree of at most `small` columns is one block; above these, a
    column joins the block of the one before it if that is its child and adds few zeros.
    """
    n = parent.size
    size = np.ones(n, np.int64)
    for v in range(n):
        if parent[v] >= 0:
            size[parent[v]] += size[v]
    blocks = 0
    begin = 0
    zeros = 0
    for v in range(n):
        inside = size[v] <= small
        if inside:
            begins = v == 0 or size[v - 1] > small or parent[v - 1] == -1
            if not begins and parent[v - 1] != v:
                # v begins a subtree of its own: it stays only within one that is small.
                top = v - 1
                while parent[top] >= 0 and size[parent[top]] <= small:
                    top = parent[top]
                begins = top < v
        else:
            begins = v == 0 or parent[v - 1] != v or size[v - 1] <= small
            if not begins:
                added = (count[v] + 1 - count[v - 1]) * (v - begin)
                begins = zeros + added > (v - begin + 1) * count[v] // 5
                zeros += added
        if begins:
            starts[blocks] = v
            blocks += 1
            begin = v
            zeros = 0
    return blocks


@kernel
def borders(indptr, indices, starts, above, ptr, rows):
    """Fill rows with the border of each block and ptr (b+1,) with where each begins.

    Blocks are runs of columns from starts (b+1,); above (b,) is each block's parent or -1. A border
    is what the block's columns reach behind them, rising. Return 0, or -1 if rows is too short.
    """
    blocks = above.size
    n = starts[blocks]
    mark = np.full(n, -1, np.int64)
    first = np.full(blocks, -1, np.int64)
    sibling = np.full(blocks, -1, np.int64)
    end = 0
    ptr[0] = 0
    for f in range(blocks):
        last = starts[f + 1]
        begin = end
        for v in range(starts[f], last):
            if end + indptr[v + 1] - indptr[v] > rows.size:
                return -1
            for e in range(indptr[v], indptr[v + 1]):
                w = indices[e]
                if w >= last and mark[w] != f:
                    mark[w] = f
                    rows[end] = w
                    end += 1
        child = first[f]
        while child >= 0:
            if end + ptr[child + 1] - ptr[child] > rows.size:
                return -1
            for e in range(ptr[child], ptr[child + 1]):
                w = rows[e]
                if w >= last and mark[w] != f:
                    mark[w] = f
                    rows[end] = w
                    end += 1
            child = sibling[child]
        sort_range(rows, begin, end)
        ptr[f + 1] = end
        if above[f] >= 0:
            sibling[f] = first[above[f]]
            first[above[f]] = f
    return 0


@kernel
def assemble(indptr, indices, values, shift, first, last, border, place, block):
    """Add the entries of columns first..last-1 to block, below the diagonal, and subtract shift.

    border is the block's border; place (n,) is scratch; values are those of a symmetric matrix.
    """
    for v in range(first, last):
        place[v] = v - first
    for i in range(border.size):
        place[border[i]] = last - first + i
    for v in range(first, last):
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            if w >= v:
                block[place[w], v - first] += values[e]
        block[v - first, v - first] -= shift


@kernel
def extend_add(update, border, place, block):
    """Add the lower triangle of update to block, where place (n,) says that border goes."""
    for i in range(border.size):
        row = place[border[i]]
        for j in range(i + 1):
            block[row, place[border[j]]] += update[i, j]


@kernel
def eliminate_panel(panel, pivots):
    """Eliminate the w columns of panel (r, w), whose first w rows are the diagonal block.

    Turn panel into columns of L, with ones on the diagonal and zeros above, and fill pivots (w,)
    with D. Return 0, or 1 if a pivot is 0 or no number.
    """
    r, w = panel.shape
    column = np.empty(w)
    for j in range(w):
        d = panel[j, j]
        if not abs(d) > 0:
            return 1
        pivots[j] = d
        for k in range(j + 1, w):
            column[k] = panel[k, j]
        for i in range(j + 1, r):
            factor = panel[i, j] / d
            panel[i, j] = factor
            for k in range(j + 1, w):
                panel[i, k] -= factor * column[k]
        panel[j, j] = 1.0
        for k in range(j + 1, w):
            panel[j, k] = 0.0
    return 0
