"""Kernels that append the vertices of array operations to a DAG as it grows."""

from typing import NamedTuple

import numpy as np

from dags._numba import kernel, lean_kernel, lean_part

CONSTANT = -1  # what a cell of a traced array holds besides the number of a vertex


class TracedRows(NamedTuple):
    """The DAG as it grows, with room behind it.

    indptr (n + 1,), indices (m,): predecessors; made_by (n,) int32: the operator of a computed
    vertex, -1 - a for a cell of argument a; place (n,) int32: the number of its point among those
    of its operator, or of its cell, in C order.
    """

    indptr: np.ndarray
    indices: np.ndarray
    made_by: np.ndarray
    place: np.ndarray


@lean_part
def add_operand(r, first, end, u):
    """Put u into the sorted row of predecessors [first, end), once; return the new end."""
    if u < 0:
        return end
    position = end
    while position > first and r.indices[position - 1] > u:
        position -= 1
    if position > first and r.indices[position - 1] == u:
        return end
    for i in range(end, position, -1):
        r.indices[i] = r.indices[i - 1]
    r.indices[position] = u
    return end + 1


@lean_part
def close_row(r, n, end, operator, place):
    """Make vertex n of the operands up to `end`, unless there are none; return the vertex."""
    if end == r.indptr[n]:
        return CONSTANT
    r.indptr[n + 1] = end
    r.made_by[n] = operator
    r.place[n] = place
    return n


@lean_part
def join(r, n, u, v, operator, place):
    """Make vertex n of two operands; return the vertex."""
    first = r.indptr[n]
    end = add_operand(r, first, first, u)
    end = add_operand(r, first, end, v)
    return close_row(r, n, end, operator, place)


@lean_kernel
def append_inputs(r, n, count, argument):
    """Append the cells of an argument; return the number of vertices."""
    for i in range(count):
        r.indptr[n + 1] = r.indptr[n]
        r.made_by[n] = -1 - argument
        r.place[n] = i
        n += 1
    return n


@lean_kernel
def append_cells(r, n, operands, operator, vertices):
    """Append one vertex a column of operands (o, cells); made (cells,) the vertices."""
    for i in range(vertices.size):
        first = end = r.indptr[n]
        for o in range(operands.shape[0]):
            end = add_operand(r, first, end, operands[o, i])
        vertices[i] = close_row(r, n, end, operator, i)
        n += vertices[i] >= 0
    return n


@lean_kernel
def append_chains(r, n, cells, operator, results):
    """Append the sums, left to right, of each row of cells (s, k).

    made (s, k) has the results of the first 1, 2, ..., k cells; or (s, 1), those of all.
    """
    rows, k = cells.shape
    for row in range(rows):
        total = cells[row, 0]
        if results.shape[1] > 1:
            results[row, 0] = total
        for p in range(1, k):
            total = join(r, n, total, cells[row, p], operator, row * k + p)
            n += total >= 0
            if results.shape[1] > 1:
                results[row, p] = total
        if results.shape[1] == 1:
            results[row, 0] = total
    return n


@lean_part
def append_tree(r, n, queue, k, operator, place):
    """Append sums of the first k entries of queue (2k - 1,): sum t adds entries 2t and 2t + 1."""
    for t in range(k - 1):
        u = join(r, n, queue[2 * t], queue[2 * t + 1], operator, place + t + 1)
        n += u >= 0
        queue[k + t] = u
    return n


@lean_kernel
def append_trees(r, n, cells, operator, queue, results):
    """Append the sums by trees of each row of cells (s, k); queue (2k - 1,) work; made (s, 1)."""
    rows, k = cells.shape
    for row in range(rows):
        for t in range(k):  # not a slice, as `copy_over` says
            queue[t] = cells[row, t]
        n = append_tree(r, n, queue, k, operator, row * k)
        results[row, 0] = queue[2 * k - 2]
    return n


@lean_part
def append_product(r, n, cells, address, beyond, row, p, operator, place):
    """Append the product, left to right, of one cell of each operand; return it and n."""
    product = cells[address[0, row] + beyond[0, p]]
    for o in range(1, address.shape[0]):
        product = join(r, n, product, cells[address[o, row] + beyond[o, p]], operator, place)
        n += product >= 0
    return product, n


@lean_kernel
def append_products(r, n, cells, address, beyond, multiply, add, queue, results):
    """Append sums over p of products over o of cells[address[o, row] + beyond[o, p]], a row each.

    cells (.,) all operands; address (o, rows), beyond (o, k); multiply, add: operators; queue
    (2k - 1,) work where sums are trees, else (0,); made (rows,).
    """
    k = beyond.shape[1]
    for row in range(results.size):
        total = CONSTANT
        for p in range(k):
            place = row * k + p
            term, n = append_product(r, n, cells, address, beyond, row, p, multiply, place)
            if queue.size:
                queue[p] = term
            elif p == 0:
                total = term
            else:
                total = join(r, n, total, term, add, place)
                n += total >= 0
        if queue.size:
            n = append_tree(r, n, queue, k, add, row * k)
            total = queue[2 * k - 2]
        results[row] = total
    return n


@lean_kernel
def append_fused(r, n, cells, address, beyond, operator, results):
    """Append the same sums, each product added up in the vertex that makes it."""
    k = beyond.shape[1]
    for row in range(results.size):
        total = CONSTANT
        for p in range(k):
            first = r.indptr[n]
            end = add_operand(r, first, first, total)
            for o in range(address.shape[0]):
                end = add_operand(r, first, end, cells[address[o, row] + beyond[o, p]])
            if p == 0 and address.shape[0] == 1:
                total = cells[address[0, row] + beyond[0, 0]]
            else:
                total = close_row(r, n, end, operator, row * k + p)
                n += total >= 0
        results[row] = total
    return n


@kernel
def points_of(made_by, place, shapes, dims, points):
    """Fill points (n, d) with the indices that the places (n,) are.

    shapes (s, d), dims (s,): those of the operators, and of argument a in the row -1 - a.
    """
    for v in range(made_by.size):
        row = made_by[v] if made_by[v] >= 0 else shapes.shape[0] + made_by[v]
        quotient = place[v]
        for i in range(dims[row] - 1, -1, -1):
            points[v, i] = quotient % shapes[row, i]
            quotient //= shapes[row, i]
