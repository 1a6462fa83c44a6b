"""Kernels that run a loop table: one that surveys it, one that lays out its DAG.

Columns of the code (k, 8), after the operation: LOOP: depth, first and end of the forms of its
start, first and end of those of its stop, step, row behind the loop. END: row of its LOOP, whether
only nodes are inside. IF: first and end of its cases, row where none holds. JUMP: row. NODE: node.
CLEAR: array.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel, lean_part

LOOP, END, IF, JUMP, NODE, CLEAR = range(6)
GE, EQ = 0, 1
UNREAD, CONSTANT = -1, -2  # what a cell holds besides the number of a vertex
DONE, TOO_MANY, TOO_LONG = 0, 1, 2
FAR = 2**62


class Tables(NamedTuple):
    """A `LoopTable` as the kernels read it; its shapes are there."""

    forms: np.ndarray
    code: np.ndarray
    case_indptr: np.ndarray
    conditions: np.ndarray
    reference_array: np.ndarray
    reference_first: np.ndarray
    node_target: np.ndarray
    node_is_copy: np.ndarray
    operand_indptr: np.ndarray
    operands: np.ndarray


class Loops(NamedTuple):
    """What a survey knows of loops.

    is_even (k,): rows of loops of which no bound and no condition inside depends on their variable;
    depths (v,) loops around each node; weights (d + 1,) ones: how many runs each run of what is
    that deep stands for.
    """

    is_even: np.ndarray
    depths: np.ndarray
    weights: np.ndarray


class Arrays(NamedTuple):
    """Cells of the arrays: their numbering, and the vertex that each holds.

    first (a + 1,) first cell of each; dims (a,) indices of each; strides (a, d); cells (r, depth
    + 1) the form of the cell that each reference names; holds (cells,) int32: the vertex in each,
    UNREAD or CONSTANT.
    """

    first: np.ndarray
    dims: np.ndarray
    strides: np.ndarray
    cells: np.ndarray
    holds: np.ndarray


class Rows(NamedTuple):
    """The DAG as it grows.

    indptr (n + 1,), indices (m,): predecessors; made_by (n,) int16: the node of a computed vertex,
    -1 - a for an input in array a; points (n, d) int32: loop variables, or indices of an input.
    """

    indptr: np.ndarray
    indices: np.ndarray
    made_by: np.ndarray
    points: np.ndarray


@lean_part
def value_of(forms, row, variables):
    """Return the form in a row for the values of the loop variables (d,)."""
    value = forms[row, variables.size]
    for i in range(variables.size):
        value += forms[row, i] * variables[i]
    return value


@lean_part
def bound_of(forms, first, end, variables, largest):
    """Return the largest or the smallest of some forms."""
    bound = value_of(forms, first, variables)
    for row in range(first + 1, end):
        value = value_of(forms, row, variables)
        if (value > bound) == largest:
            bound = value
    return bound


@lean_inner_kernel
def holds_in_some_case(t, first, end, variables):
    """Return whether all conditions of one of the cases hold."""
    for case in range(first, end):
        holds = True
        for c in range(t.case_indptr[case], t.case_indptr[case + 1]):
            value = value_of(t.forms, t.conditions[c, 0], variables)
            relation = t.conditions[c, 1]
            if relation == GE:
                holds &= value >= 0
            elif relation == EQ:
                holds &= value == 0
            else:
                holds &= value != 0
        if holds:
            return True
    return False


@lean_part
def goes_on(t, pc, variables):
    """Return whether the loop variable has not reached its stop."""
    c = t.code
    upward = c[pc, 6] > 0
    stop = bound_of(t.forms, c[pc, 4], c[pc, 5], variables, not upward)
    return variables[c[pc, 1]] < stop if upward else variables[c[pc, 1]] > stop


@lean_part
def enters(t, pc, variables):
    """Set the loop variable to its start; return whether the loop runs at all."""
    c = t.code
    start = bound_of(t.forms, c[pc, 2], c[pc, 3], variables, c[pc, 6] > 0)
    variables[c[pc, 1]] = start
    return goes_on(t, pc, variables)


@lean_part
def trips(t, pc, variables):
    """Return how often a loop runs from the present value of its variable on."""
    c = t.code
    step = c[pc, 6]
    stop = bound_of(t.forms, c[pc, 4], c[pc, 5], variables, step < 0)
    distance = stop - variables[c[pc, 1]]
    return (abs(distance) + abs(step) - 1) // abs(step)


@lean_inner_kernel
def note_indices(t, reference, dims, variables, lowest, highest):
    """Widen the range of each index of a reference by its present value."""
    array = t.reference_array[reference]
    for i in range(dims[array]):
        value = value_of(t.forms, t.reference_first[reference] + i, variables)
        lowest[reference, i] = min(lowest[reference, i], value)
        highest[reference, i] = max(highest[reference, i], value)


@lean_inner_kernel
def note_node(t, node, dims, variables, lowest, highest):
    """Widen the ranges of the references of a node."""
    for o in range(t.operand_indptr[node], t.operand_indptr[node + 1]):
        if t.operands[o] >= 0:
            note_indices(t, t.operands[o], dims, variables, lowest, highest)
    if t.node_target[node] >= 0:
        note_indices(t, t.node_target[node], dims, variables, lowest, highest)


@lean_part
def times(weight, count):
    """Return a product of two positive numbers, or FAR where it is more: more than any limit."""
    return weight * count if count <= FAR // weight else FAR


@lean_inner_kernel
def next_round(t, loop, loops, variables):
    """Take a loop to its next round; return whether there is one.

    The first round of an even loop stands for all but the last.
    """
    depth, step = t.code[loop, 1], t.code[loop, 6]
    if not loops.is_even[loop]:
        variables[depth] += step
        return goes_on(t, loop, variables)
    left = trips(t, loop, variables) - 1
    variables[depth] += left * step
    loops.weights[depth + 1] = loops.weights[depth]
    return left > 0


@lean_kernel
def survey(t, loops, dims, variables, counts, lowest, highest, limits, is_counting):
    """Count how often each node runs, and find the range of each index, without a DAG.

    A loop with only nodes inside is evaluated at its two ends: forms are affine. So is an even one.
    variables (d,) work; counts (v,) zeros; lowest, highest (r, most dims), left alone if it is only
    counting; limits (2,): runs of nodes, and rows of code. Returns DONE, TOO_MANY or TOO_LONG.
    """
    pc = total = rows = 0
    c, weights = t.code, loops.weights
    while pc < c.shape[0]:
        rows += 1
        if rows > limits[1]:
            return TOO_LONG
        op = c[pc, 0]
        if op == LOOP:
            depth = c[pc, 1]
            if not enters(t, pc, variables):
                pc = c[pc, 7]
            elif c[c[pc, 7] - 1, 2]:
                count = trips(t, pc, variables)
                start = variables[depth]
                for end in range(0 if is_counting else 2):
                    variables[depth] = start + end * (count - 1) * c[pc, 6]
                    for inner in range(pc + 1, c[pc, 7] - 1):
                        note_node(t, c[inner, 1], dims, variables, lowest, highest)
                for inner in range(pc + 1, c[pc, 7] - 1):
                    total += times(weights[depth], count)
                    if total > limits[0]:
                        return TOO_MANY
                    counts[c[inner, 1]] += weights[depth] * count
                pc = c[pc, 7]
            else:
                rounds = trips(t, pc, variables) - 1 if loops.is_even[pc] else 1
                weights[depth + 1] = times(weights[depth], max(rounds, 1))
                pc += 1
        elif op == END:
            loop = c[pc, 1]
            goes = next_round(t, loop, loops, variables)
            pc = loop + 1 if goes else pc + 1
        elif op == IF:
            pc = pc + 1 if holds_in_some_case(t, c[pc, 1], c[pc, 2], variables) else c[pc, 3]
        elif op == JUMP:
            pc = c[pc, 1]
        elif op == NODE:
            if not is_counting:
                note_node(t, c[pc, 1], dims, variables, lowest, highest)
            weight = weights[loops.depths[c[pc, 1]]]
            total += weight
            if total > limits[0]:
                return TOO_MANY
            counts[c[pc, 1]] += weight
            pc += 1
        else:
            pc += 1
    return DONE


@lean_part
def read_cell(a, r, array, cell, n):
    """Return the vertex in a cell, and the number of vertices: a cell not yet read is an input."""
    held = a.holds[cell]
    if held != UNREAD:
        return held, n
    a.holds[cell] = n
    remainder = cell - a.first[array]
    for i in range(a.dims[array]):
        r.points[n, i] = remainder // a.strides[array, i]
        remainder %= a.strides[array, i]
    r.made_by[n] = -1 - array
    r.indptr[n + 1] = r.indptr[n]
    return n, n + 1


@lean_part
def add_operand(r, first, end, u):
    """Put u into the sorted row of predecessors [first, end), once; return the new end."""
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
def run_node(t, a, r, node, variables, kept, operands, n):
    """Run one node; return the number of vertices after it.

    kept (places,): values that earlier nodes of the assignment left; operands (.,) work.
    """
    count = 0
    for o in range(t.operand_indptr[node], t.operand_indptr[node + 1]):
        reference = t.operands[o]
        if reference < 0:
            held = kept[-1 - reference]
        else:
            cell = value_of(a.cells, reference, variables)
            held, n = read_cell(a, r, t.reference_array[reference], cell, n)
        operands[count] = held
        count += 1
    result = CONSTANT
    if t.node_is_copy[node]:
        result = operands[0]
    else:
        first = end = r.indptr[n]
        for i in range(count):
            if operands[i] != CONSTANT:
                end = add_operand(r, first, end, operands[i])
        if end > first:
            result = n
            r.indptr[n + 1] = end
            r.made_by[n] = node
            for i in range(variables.size):
                r.points[n, i] = variables[i]
            n += 1
    target = t.node_target[node]
    if target < 0:
        kept[-1 - target] = result
    else:
        a.holds[value_of(a.cells, target, variables)] = result
    return n


@lean_kernel
def run(t, a, r, variables, kept, operands):
    """Run the code, and fill the rows; return the number of vertices."""
    pc = n = 0
    while pc < t.code.shape[0]:
        op = t.code[pc, 0]
        if op == NODE:
            n = run_node(t, a, r, t.code[pc, 1], variables, kept, operands, n)
            pc += 1
        elif op == LOOP:
            pc = pc + 1 if enters(t, pc, variables) else t.code[pc, 7]
        elif op == END:
            loop = t.code[pc, 1]
            variables[t.code[loop, 1]] += t.code[loop, 6]
            pc = loop + 1 if goes_on(t, loop, variables) else pc + 1
        elif op == IF:
            holds = holds_in_some_case(t, t.code[pc, 1], t.code[pc, 2], variables)
            pc = pc + 1 if holds else t.code[pc, 3]
        elif op == JUMP:
            pc = t.code[pc, 1]
        else:
            array = t.code[pc, 1]
            for cell in range(a.first[array], a.first[array + 1]):
                a.holds[cell] = CONSTANT
            pc += 1
    return n
