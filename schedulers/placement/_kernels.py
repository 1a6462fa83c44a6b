"""Complete search for a placement of buffers in memory of a given size.

Legend. Buffers 0..n-1 stand in a static order of preference. Lifetimes are ranges of *sections*,
moments at which no further buffer can begin before one ends. A buffer is placed at its *low*, the
lowest address above all that is placed under it, so a placement is made from below. ``perm`` has
the buffers by the section in which they begin; what is still to be placed is a segment of it, cut
into parts where no lifetime joins them.

A *frame* has a part, the buffer that was placed in it first, and where its search stands. The
frames of all parts that are placed, or in work, are on one stack.
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel, lean_part

PART, END, LAST, LAST_RANK, LIMIT, BUFFER, LOW, RANK, TRAIL, RANKS, PARENT, NEXT = range(12)
FIELDS = 12
TOP, TRAILED, RANKED, MODE, WORK = range(5)
FURTHER, DEEPER = range(2)
UNDECIDED, PLACED, IMPOSSIBLE, FULL = range(4)


class Buffers(NamedTuple):
    """Buffers in a static order, and the memory."""

    first: np.ndarray  # (n,) int64: section in which each begins
    last: np.ndarray  # (n,) int64: section before which it ends
    size: np.ndarray  # (n,) int64
    align: np.ndarray  # (n,) int64
    fixed: np.ndarray  # (n,) int64: the only address, or -1
    capacity: int
    by_load: int  # 1 if parts are ordered again by the load that is left


class PlacementSearch(NamedTuple):
    """The state of a search, which can be left and taken up again."""

    low: np.ndarray  # (n,) int64
    address: np.ndarray  # (n,) int64, -1 while not placed
    perm: np.ndarray  # (n,) int64
    rank: np.ndarray  # (n,) int64: preference among buffers at one address
    left: np.ndarray  # (sections,) int64: sizes still to be placed
    floor: np.ndarray  # (sections,) int64, to work in
    load: np.ndarray  # (n,) int64, to work in
    sorted: np.ndarray  # (n,) int64, to work in
    trail: np.ndarray  # (2, pairs) int64: lows that were raised
    ranks: np.ndarray  # (2, room) int64: ranks that were changed
    frames: np.ndarray  # (n + 1, FIELDS) int64
    head: np.ndarray  # (5,) int64


@lean_part
def aligned(address, alignment):
    """Return the lowest multiple of the alignment that is no lower."""
    return (address + alignment - 1) // alignment * alignment


@lean_kernel
def search(buffers, state, limit):
    """PlacementSearch until that much work is done; return UNDECIDED, PLACED, IMPOSSIBLE or FULL.

    The capacity is at least the load of every moment, and no fixed buffer ends above it.
    """
    head, frames = state.head, state.frames
    while head[WORK] < limit:
        if head[MODE] == DEEPER:
            if not open_part(buffers, state):
                return PLACED
            head[MODE] = FURTHER
        top = head[TOP]
        undo(buffers, state, top)
        chosen = following(buffers, state, top)
        if chosen < 0:
            parent = frames[top, PARENT]
            head[TOP] = top - 1
            while head[TOP] > parent:
                undo(buffers, state, head[TOP])
                head[TOP] -= 1
            if parent == 0:
                return IMPOSSIBLE
            continue
        if head[TRAILED] + frames[top, END] - frames[top, PART] > state.trail.shape[1]:
            return FULL
        if put(buffers, state, top, chosen) and fits(buffers, state, top):
            head[MODE] = DEEPER
    return UNDECIDED


@lean_inner_kernel
def open_part(buffers, state):
    """Push a frame for the next part that is to be placed; return False if there is none."""
    head, frames, perm, first, last = (
        state.head,
        state.frames,
        state.perm,
        buffers.first,
        buffers.last,
    )
    parent = head[TOP]
    while parent >= 0 and frames[parent, NEXT] == frames[parent, END]:
        parent = frames[parent, PARENT]
    if parent < 0:
        return False
    start, stop = frames[parent, NEXT], frames[parent, END]
    reach, end = last[perm[start]], start + 1
    while end < stop and first[perm[end]] < reach:
        reach = max(reach, last[perm[end]])
        end += 1
    frames[parent, NEXT] = end
    is_whole = start == frames[parent, PART] + 1 and end == stop and frames[parent, BUFFER] >= 0
    below = frames[parent, LOW] if is_whole else 0
    rank = frames[parent, RANK] if is_whole else -1
    if not is_whole and buffers.by_load == 1:
        prefer(buffers, state, start, end)
    head[TOP] += 1
    frame = frames[head[TOP]]
    frame[PART], frame[END], frame[PARENT], frame[BUFFER] = start, end, parent, -1
    frame[LAST], frame[LAST_RANK], frame[LOW], frame[RANK] = below, rank, below, rank
    frame[LIMIT] = highest(buffers, state, start, end, below)
    return True


@lean_inner_kernel
def highest(buffers, state, start, end, below):
    """Return the address from which on no buffer of a part need be placed first; -1 for none.

    A buffer that ends by then could have been placed under it. One that ends by `below` could have
    been placed earlier, and one that has to be lower cannot be placed any more.
    """
    limit = np.int64(1) << np.int64(62)
    for k in range(start, end):
        i = state.perm[k]
        too_low = buffers.fixed[i] >= 0 and state.low[i] < below
        if too_low or state.low[i] + buffers.size[i] <= below:
            return np.int64(-1)
        limit = min(limit, aligned(max(state.low[i], below), buffers.align[i]) + buffers.size[i])
    return limit


@lean_inner_kernel
def prefer(buffers, state, start, end):
    """Rank the buffers of a part by the largest load that is left in their sections."""
    head, rank, load, queue = state.head, state.rank, state.load, state.sorted
    if head[RANKED] + end - start > state.ranks.shape[1]:
        return
    for k in range(start, end):
        i = state.perm[k]
        largest = np.int64(0)
        for section in range(buffers.first[i], buffers.last[i]):
            largest = max(largest, state.left[section])
        load[i] = largest
        place = k - start
        while place > 0 and (
            load[queue[place - 1]] < largest
            or (load[queue[place - 1]] == largest and queue[place - 1] > i)
        ):
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = i
    head[WORK] += end - start
    for k in range(end - start):
        i = queue[k]
        state.ranks[0, head[RANKED]], state.ranks[1, head[RANKED]] = i, rank[i]
        head[RANKED] += 1
        rank[i] = k


@lean_inner_kernel
def following(buffers, state, top):
    """Return the next buffer to try in a frame, by address and rank; -1 if there is none."""
    frame, low, rank = state.frames[top], state.low, state.rank
    best = np.int64(-1)
    for k in range(frame[PART], frame[END]):
        i = state.perm[k]
        if low[i] >= frame[LIMIT] or low[i] < frame[LOW]:
            continue
        if low[i] == frame[LOW] and rank[i] <= frame[RANK]:
            continue
        if best < 0 or low[i] < low[best] or (low[i] == low[best] and rank[i] < rank[best]):
            best = i
    state.head[WORK] += frame[END] - frame[PART]
    return best


@lean_inner_kernel
def put(buffers, state, top, chosen):
    """Place a buffer and raise those that overlap; return False if one has to be lower."""
    frame, head, perm, low = state.frames[top], state.head, state.perm, state.low
    frame[BUFFER], frame[LOW], frame[RANK] = chosen, low[chosen], state.rank[chosen]
    frame[TRAIL], frame[RANKS] = head[TRAILED], head[RANKED]
    state.address[chosen] = low[chosen]
    first, last = buffers.first[chosen], buffers.last[chosen]
    for section in range(first, last):
        state.left[section] -= buffers.size[chosen]
    place = frame[PART]
    while perm[place] != chosen:
        place += 1
    while place > frame[PART]:
        perm[place] = perm[place - 1]
        place -= 1
    perm[place] = chosen
    frame[NEXT] = frame[PART] + 1
    end = low[chosen] + buffers.size[chosen]
    possible = True
    for k in range(frame[PART] + 1, frame[END]):
        i = perm[k]
        if buffers.first[i] < last and first < buffers.last[i] and low[i] < end:
            state.trail[0, head[TRAILED]], state.trail[1, head[TRAILED]] = i, low[i]
            head[TRAILED] += 1
            low[i] = aligned(end, buffers.align[i])
            if 0 <= buffers.fixed[i] < low[i]:
                possible = False
    return possible


@lean_inner_kernel
def undo(buffers, state, top):
    """Take back the buffer that was placed in a frame, if any."""
    frame, head, perm = state.frames[top], state.head, state.perm
    chosen = frame[BUFFER]
    if chosen < 0:
        return
    frame[BUFFER] = -1
    state.address[chosen] = -1
    while head[RANKED] > frame[RANKS]:
        head[RANKED] -= 1
        state.rank[state.ranks[0, head[RANKED]]] = state.ranks[1, head[RANKED]]
    while head[TRAILED] > frame[TRAIL]:
        head[TRAILED] -= 1
        state.low[state.trail[0, head[TRAILED]]] = state.trail[1, head[TRAILED]]
    first = buffers.first[chosen]
    for section in range(first, buffers.last[chosen]):
        state.left[section] += buffers.size[chosen]
    place = frame[PART]
    while place + 1 < frame[END]:
        after = perm[place + 1]
        if buffers.first[after] > first or (buffers.first[after] == first and after > chosen):
            break
        perm[place] = after
        place += 1
    perm[place] = chosen


@lean_inner_kernel
def fits(buffers, state, top):
    """Return whether each section has room for all that is left above its lowest low."""
    frame, perm, floor = state.frames[top], state.perm, state.floor
    below, capacity = frame[LOW], buffers.capacity
    start, end = frame[PART] + 1, frame[END]
    if start == end:
        return True
    begin, reach, work = buffers.first[perm[start]], np.int64(0), np.int64(0)
    for k in range(start, end):
        reach = max(reach, buffers.last[perm[k]])
    for section in range(begin, reach):
        floor[section] = capacity
    possible = True
    for k in range(start, end):
        i = perm[k]
        low = aligned(max(state.low[i], below), buffers.align[i])
        if low > capacity - buffers.size[i]:
            possible = False
            break
        for section in range(buffers.first[i], buffers.last[i]):
            floor[section] = min(floor[section], low)
        work += buffers.last[i] - buffers.first[i]
    if possible:
        for section in range(begin, reach):
            if floor[section] > capacity - state.left[section]:
                possible = False
                break
    state.head[WORK] += work + reach - begin
    return possible
