"""Kernels that colour the vertices of a DAG, and refine two colourings until they match.

A partition of the vertices of two DAGs into cells: each cell is a range of places, the same for
both, and holds equally many vertices of either. A cell is named by its first place.
"""

from typing import Any, NamedTuple

import numpy as np

from dags._numba import inner_kernel, kernel, lean_part

DOWN = np.uint64(0x9E3779B97F4A7C15)
UP = np.uint64(0xC2B2AE3D27D4EB4F)
ONE_MIX, OTHER_MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class Adjacency(NamedTuple):
    """Predecessor and successor CSR of a DAG: int64 pointers and int32 vertices, locked."""

    pred_indptr: Any
    pred_indices: Any
    succ_indptr: Any
    succ_indices: Any


class Cells(NamedTuple):
    """Partition of the n vertices of two DAGs, and room to refine it; all int32.

    vertex, place, cell (2, n): the vertex at each place, its inverse, and the cell of each vertex.
    size (n,): vertices of each cell. counts (2, n): neighbours of each vertex in a set, marked
    (2, n): how many of a cell have any, the last of the cell; both 0 in between.
    touched (2, n): cells that have any. members (2, n), ordered (n,): copies. buckets (2, d + 3)
    zeros, d the largest degree. queue (n,) and queued (n,): the cells that are to be refined by.
    """

    vertex: Any
    place: Any
    cell: Any
    size: Any
    counts: Any
    marked: Any
    touched: Any
    members: Any
    ordered: Any
    buckets: Any
    queue: Any
    queued: Any


@lean_part
def mixed(word):
    """Return a uint64 whose bits each depend on all bits of `word` (the end of splitmix64)."""
    word = (word ^ (word >> np.uint64(30))) * ONE_MIX
    word = (word ^ (word >> np.uint64(27))) * OTHER_MIX
    return word ^ (word >> np.uint64(31))


@kernel
def colour_down(indptr, indices, colour):
    """Mix into colour (n,) uint64 of each vertex those of its ancestors; predecessor CSR."""
    for v in range(colour.size):
        total = colour[v]
        for e in range(indptr[v], indptr[v + 1]):
            total += mixed(colour[indices[e]] ^ DOWN)
        colour[v] = mixed(total)


@kernel
def colour_up(indptr, indices, colour, digests):
    """Mix into colour (n,) uint64 of each vertex those of its descendants; told (n,) is zeros."""
    for v in range(colour.size - 1, -1, -1):
        colour[v] = mixed(colour[v] + digests[v])
        share = mixed(colour[v] ^ UP)
        for e in range(indptr[v], indptr[v + 1]):
            digests[indices[e]] += share


@inner_kernel
def put(cells, side, place, v):
    """Let vertex v of one DAG stand at a place."""
    cells.vertex[side, place] = v
    cells.place[side, v] = place


@inner_kernel
def touch(indptr, indices, side, held, cells):
    """Count the neighbours of each vertex among the first `held` members; return cells touched.

    Vertices that are counted go to the end of their cell.
    """
    count = 0
    for i in range(held):
        member = cells.members[side, i]
        for e in range(indptr[member], indptr[member + 1]):
            v = indices[e]
            if cells.counts[side, v] == 0:
                first = cells.cell[side, v]
                if cells.marked[side, first] == 0:
                    cells.touched[side, count] = first
                    count += 1
                cells.marked[side, first] += 1
                old = cells.place[side, v]
                new = first + cells.size[first] - cells.marked[side, first]
                put(cells, side, old, cells.vertex[side, new])
                put(cells, side, new, v)
            cells.counts[side, v] += 1
    return count


@inner_kernel
def reorder(side, start, end, low, high, cells):
    """Sort places start..end-1 of one DAG by counts in low..high, how often each occurs given."""
    for count in range(low, high + 1):  # from how many there are to where they begin
        cells.buckets[side, count + 1] += cells.buckets[side, count]
    for place in range(start, end):
        v = cells.vertex[side, place]
        count = cells.counts[side, v]
        cells.ordered[cells.buckets[side, count]] = v
        cells.buckets[side, count] += 1
    for place in range(start, end):
        put(cells, side, place, cells.ordered[place - start])


@inner_kernel
def sort_by_count(start, end, cells):
    """Sort places start..end-1 of both DAGs by counts; return whether both have the same counts."""
    low = high = cells.counts[0, cells.vertex[0, start]]
    for side in range(2):
        for place in range(start, end):
            count = cells.counts[side, cells.vertex[side, place]]
            cells.buckets[side, count + 1] += 1
            low, high = min(low, count), max(high, count)
    equal = True
    for count in range(low, high + 1):
        equal = equal and cells.buckets[0, count + 1] == cells.buckets[1, count + 1]
    for side in range(2):
        if equal and low < high:
            reorder(side, start, end, low, high, cells)
        for count in range(low, high + 2):
            cells.buckets[side, count] = 0
    return equal


@inner_kernel
def enqueue(cells, first, waiting):
    """Add a cell to those that are to be refined by; return how many wait."""
    cells.queue[waiting] = first
    cells.queued[first] = 1
    return waiting + 1


@inner_kernel
def split(first, cells, waiting):
    """Split a cell of sorted counts; return how many cells wait.

    All parts but a largest one are to be refined by, unless the cell itself was.
    """
    end = first + cells.size[first]
    start = end - cells.marked[0, first]
    begin, largest, longest = first, first, start - first
    cells.size[first] = longest
    before = waiting
    for place in range(start, end):
        v = cells.vertex[0, place]
        if place > start and cells.counts[0, v] != cells.counts[0, cells.vertex[0, place - 1]]:
            begin = place
        elif place == start:
            begin = start
        if place == begin and begin != first:
            cells.size[begin] = 0
            waiting = enqueue(cells, begin, waiting)
        cells.size[begin] += 1
        if cells.size[begin] > longest:
            longest, largest = cells.size[begin], begin
        cells.cell[0, v] = begin
        cells.cell[1, cells.vertex[1, place]] = begin
    if cells.queued[first] == 0 and largest != first:
        for i in range(before, waiting):
            if cells.queue[i] == largest:
                cells.queue[i] = first
        cells.queued[largest], cells.queued[first] = 0, 1
    return waiting


@inner_kernel
def split_touched(touched, cells, waiting):
    """Split all cells that were touched; return how many cells wait, -1 if the DAGs differ."""
    for i in range(touched):
        first = cells.touched[0, i]
        held = cells.marked[0, first]
        if cells.marked[1, first] != held:
            return -1
        end = first + cells.size[first]
        if not sort_by_count(end - held, end, cells):
            return -1
        waiting = split(first, cells, waiting)
        for side in range(2):
            cells.marked[side, first] = 0
            for place in range(end - held, end):
                cells.counts[side, cells.vertex[side, place]] = 0
    return waiting


@inner_kernel
def refine(left, right, cells, waiting):
    """Split cells until all vertices of one have equally many neighbours in each cell.

    one, other: rows of the DAGs. Returns whether they are still alike.
    """
    while waiting > 0:
        waiting -= 1
        first = cells.queue[waiting]
        cells.queued[first] = 0
        held = cells.size[first]
        for side in range(2):
            for i in range(held):
                cells.members[side, i] = cells.vertex[side, first + i]
        for forward in range(2):
            if forward:
                touched = touch(left.succ_indptr, left.succ_indices, 0, held, cells)
                other_touched = touch(right.succ_indptr, right.succ_indices, 1, held, cells)
            else:
                touched = touch(left.pred_indptr, left.pred_indices, 0, held, cells)
                other_touched = touch(right.pred_indptr, right.pred_indices, 1, held, cells)
            waiting = split_touched(touched, cells, waiting) if touched == other_touched else -1
            if waiting < 0:
                return False
    return True


@kernel
def match(left, right, cells, waiting, shift):
    """Refine, and pair vertices that refining does not tell apart, until all cells are pairs.

    one, other: rows of the DAGs. waiting: how many cells are queued, all of them. shift: which
    vertex of the other DAG a pair takes, counted from the end of the cell, modulo its size.
    Returns whether every vertex has a partner, at the same place.
    """
    if not refine(left, right, cells, waiting):
        return False
    first = 0
    while first < cells.size.size:
        held = cells.size[first]
        if held == 1:
            first += 1
            continue
        last = first + held - 1
        partner, end = cells.vertex[1, last - shift % held], cells.vertex[1, last]
        put(cells, 1, cells.place[1, partner], end)
        put(cells, 1, last, partner)
        cells.size[first], cells.size[last] = held - 1, 1
        cells.cell[0, cells.vertex[0, last]] = cells.cell[1, partner] = last
        if not refine(left, right, cells, enqueue(cells, last, 0)):
            return False
    return True
