"""Kernels that run a program and count its words by LRU and by furthest next use, without its DAG.

A program is run twice. Backwards, so that each access knows whether it is the last one of its
value, and each assignment whether anybody needs it (`backwards`); then in the order of the text,
with what was noted (`forwards`). An assignment notes whole bytes: bit 0, its value is needed; bit
1, it is an output; bit 2, it is read later; bit 3 + o, its o-th operand is read by nobody later.

Values are known by the cell that holds them. Where the text copies values, and several cells may
hold one, they have numbers of their own (`StreamBoard.holder`, `StreamBoard.holds`).

- *The log* has the accesses in order, each by its value, -1 where that has died. An entry is valid
  if it is the last access of its value. What fast memory of M words holds under LRU are the valid
  entries from a place on, which moves on as room is needed (`tail`).
- *Furthest next use.* A step is full for a memory if that keeps as many values past it as there is
  room beside its own. A value is still there exactly if no full step is between its last access
  and the present one (`full` is behind the last full step); then it is kept past all these steps,
  and each has room for a value less. Of the steps behind the last full one only those matter that
  have less room than all later ones: *the marks*, with `gap` the room of one less that of the mark
  before, linked by `before`. `next_mark` leads from each place of the log to the next mark.

All positions are made small again from time to time (`compact`).
"""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel, lean_part
from dags.programs._kernels import (
    CONSTANT,
    END,
    IF,
    JUMP,
    LOOP,
    NODE,
    UNREAD,
    bound_of,
    enters,
    goes_on,
    holds_in_some_case,
    trips,
    value_of,
)

# Where the last access of a value is, besides places of the log.
OUT, COLD, GONE = -3, -4, -5  # in no memory any more, an input before its first use, dead
LAST, RANK, SPILLED, MISSED, COLUMNS = 0, 1, 2, 3, 4
FIRST_USED = 1 << 40  # more than all ranks
SETTLED = 1 << 20  # memories that have stored a value whose leaving costs no store
READ, OUTPUT = 1, 2  # of a cell, backwards
NEEDED, IS_OUTPUT, IS_READ, OPERANDS = 0, 1, 2, 3  # bits
# Places in the state that is kept between calls.
PC, BYTE, FILLED, INPUTS, NUMBER, STEPS, EDGES, OUTPUTS, FREE, WIDEST, STATE = range(11)


class StreamBoard(NamedTuple):
    """The state of a run in the order of the text.

    memories (k,) rising; counts (7, k): tail, held, LRU's loads, its stores, the place behind the
    last full step, loads and stores of furthest next use; newest (2, k): the last mark, -1 for
    none, and its room. values (v, 4): place of the last access; rank by first use (of an input that
    is not used yet, by first read); how many memories stored it under LRU; bit j where memory j
    did under furthest next use. holder (cells or 0,), holds (v or 0,): the value in a cell, and the
    number of cells from which a value is read later; spare (v or 0,): numbers that are free. log
    (c,); next_mark, gap, before (k or 0, c): none where furthest next use is not counted; operands
    (., 3) work; flags (f,) bytes; state (STATE,).
    """

    memories: np.ndarray
    counts: np.ndarray
    newest: np.ndarray
    values: np.ndarray
    holder: np.ndarray
    holds: np.ndarray
    spare: np.ndarray
    log: np.ndarray
    next_mark: np.ndarray
    gap: np.ndarray
    before: np.ndarray
    operands: np.ndarray
    flags: np.ndarray
    state: np.ndarray


TAIL, HELD, LRU_LOADS, LRU_STORES, FULL, LOADS, STORES, COUNTS = range(8)


@lean_part
def flag(flags, byte, bit):
    """Return a bit that an assignment noted."""
    return (flags[byte + (bit >> 3)] >> (bit & 7)) & 1


@lean_part
def note_backwards(t, cells, marks, node, variables, flags, byte):
    """Note the bytes of one assignment, the last first; return where they begin."""
    first, end = t.operand_indptr[node], t.operand_indptr[node + 1]
    size = (end - first + OPERANDS + 7) >> 3
    byte -= size
    for i in range(size):
        flags[byte + i] = 0
    target = value_of(cells, t.node_target[node], variables)
    later = marks[target]
    marks[target] = 0
    if later == 0:
        return byte
    flags[byte] = 1 | (later & OUTPUT) | ((later & READ) << IS_READ)
    if t.node_is_copy[node]:
        cell = value_of(cells, t.operands[first], variables)
        if later & READ and not marks[cell] & READ:
            flags[byte] |= 1 << OPERANDS
        marks[cell] |= later
        return byte
    for o in range(end - first):
        cell = value_of(cells, t.operands[first + o], variables)
        if not marks[cell] & READ:
            bit = OPERANDS + o
            flags[byte + (bit >> 3)] |= 1 << (bit & 7)
            marks[cell] |= READ
    return byte


@lean_kernel
def backwards(t, first, cells, marks, variables, flags, state, stop, limit):
    """Run rows of code up to `stop`, written backwards, until the flags are full.

    marks (cells,) uint8: whether what a cell holds is read later, and is an output; `limit` bytes
    are enough for an assignment. The bytes are filled from the end, down to state[BYTE].
    """
    pc, byte = state[PC], state[BYTE]
    c = t.code
    while pc < stop:
        op = c[pc, 0]
        if op == NODE:
            if byte < limit:
                break
            byte = note_backwards(t, cells, marks, c[pc, 1], variables, flags, byte)
            pc += 1
        elif op == LOOP:
            if enters(t, pc, variables):
                variables[c[pc, 1]] += (trips(t, pc, variables) - 1) * c[pc, 6]
                pc += 1
            else:
                pc = c[pc, 7]
        elif op == END:
            loop = c[pc, 1]
            upward = c[loop, 6] > 0
            start = bound_of(t.forms, c[loop, 2], c[loop, 3], variables, upward)
            if variables[c[loop, 1]] == start:
                pc += 1
            else:
                variables[c[loop, 1]] -= c[loop, 6]
                pc = loop + 1
        elif op == IF:
            pc = pc + 1 if holds_in_some_case(t, c[pc, 1], c[pc, 2], variables) else c[pc, 3]
        elif op == JUMP:
            pc = c[pc, 1]
        else:
            for cell in range(first[c[pc, 1]], first[c[pc, 1] + 1]):
                marks[cell] = 0
            pc += 1
    state[PC], state[BYTE] = pc, byte


@lean_part
def found_mark(links, place):
    """Return the first mark from a place of the log on, or the place where the log ends."""
    root = place
    while links[root] != root:
        root = links[root]
    while links[place] != root and place != root:
        links[place], place = root, links[place]
    return root


@lean_part
def unlink(b, j, mark):
    """Take a mark away: the next one is compared with the one before it."""
    b.next_mark[j, mark] = mark + 1


@lean_part
def keep_past(b, j, last, filled):
    """Keep a value from its last access to now, past all steps between."""
    mark = found_mark(b.next_mark[j], last + 1)
    if mark >= filled:
        return
    b.newest[1, j] -= 1
    b.gap[j, mark] -= 1
    if b.gap[j, mark] > 0:
        return
    previous = b.before[j, mark]
    if previous >= 0:
        b.gap[j, mark] = b.gap[j, previous]
        b.before[j, mark] = b.before[j, previous]
        unlink(b, j, previous)
        return
    b.counts[FULL, j] = mark
    unlink(b, j, mark)
    if b.newest[0, j] == mark:
        b.newest[0, j] = -1
    else:
        following = found_mark(b.next_mark[j], mark + 1)
        b.before[j, following] = -1


@lean_part
def add_mark(b, j, place, room):
    """Mark a step at its first place of the log; earlier marks with as much room go."""
    newest = b.newest[0, j]
    while newest >= 0 and b.newest[1, j] >= room:
        b.newest[1, j] -= b.gap[j, newest]
        unlink(b, j, newest)
        newest = b.before[j, newest]
    if newest < 0:
        b.newest[1, j] = 0
    if room == 0:
        b.counts[FULL, j] = place
        b.newest[0, j] = -1
        return
    b.next_mark[j, place] = place
    b.gap[j, place] = room - b.newest[1, j]
    b.before[j, place] = newest
    b.newest[0, j] = place
    b.newest[1, j] = room


@lean_part
def find_by_next_use(b, x, filled):
    """Count an operand under furthest next use in each memory."""
    last = b.values[x, LAST]
    for j in range(b.gap.shape[0]):
        if last >= 0 and last >= b.counts[FULL, j]:
            keep_past(b, j, last, filled)
            continue
        b.counts[LOADS, j] += 1
        if not b.values[x, MISSED] >> j & 1:
            b.values[x, MISSED] |= 1 << j
            b.counts[STORES, j] += 1


@lean_part
def touch(b, x, place, is_result):
    """Bring a value to the top of LRU in each memory; what has no room leaves."""
    last = b.values[x, LAST]
    b.log[place] = x
    b.values[x, LAST] = place
    for j in range(b.gap.shape[0]):
        b.next_mark[j, place] = place + 1
        b.next_mark[j, place + 1] = place + 1
    for j in range(b.memories.size):
        if not is_result:
            if last >= b.counts[TAIL, j]:
                return
            b.counts[LRU_LOADS, j] += 1
        b.counts[HELD, j] += 1
        while b.counts[HELD, j] > b.memories[j]:
            tail = b.counts[TAIL, j]
            b.counts[TAIL, j] += 1
            y = b.log[tail]
            if y >= 0 and b.values[y, LAST] == tail:
                b.counts[HELD, j] -= 1
                if b.values[y, SPILLED] == j:
                    b.values[y, SPILLED] += 1
                    b.counts[LRU_STORES, j] += 1


@lean_part
def value_in(b, cell):
    """Return the value in a cell; one that was not there before is an input."""
    if b.holder.size == 0:
        if b.values[cell, LAST] == UNREAD:
            enter_input(b, cell)
        return cell
    x = b.holder[cell]
    if x == UNREAD:
        x = new_value(b)
        b.holder[cell] = x
        b.holds[x] = 1
        enter_input(b, x)
    return x


@lean_part
def enter_input(b, x):
    """Give an input, which has not been used yet, its rank."""
    b.values[x, LAST] = COLD
    b.values[x, RANK] = b.state[INPUTS]
    b.values[x, SPILLED] = SETTLED
    b.values[x, MISSED] = -1
    b.state[INPUTS] += 1


@lean_part
def new_value(b):
    """Return a free number."""
    b.state[FREE] -= 1
    return b.spare[b.state[FREE]]


@lean_part
def is_constant(b, x):
    """Return whether that is a constant, of which nothing has to be moved."""
    return x < 0 or b.values[x, LAST] == CONSTANT


@lean_part
def gather(t, cells, b, node, variables, byte):
    """Put the operands of an assignment in the order of their first uses; return how many.

    Those that are used for the first time come last, in the order in which the text reads them.
    """
    first, end = t.operand_indptr[node], t.operand_indptr[node + 1]
    width = 0
    for o in range(end - first):
        x = value_in(b, value_of(cells, t.operands[first + o], variables))
        if is_constant(b, x) or not flag(b.flags, byte, NEEDED):
            continue
        dies = np.int64(flag(b.flags, byte, OPERANDS + o))
        if b.holder.size > 0 and dies:
            b.holds[x] -= 1
            dies = np.int64(b.holds[x] == 0)
        rank = np.int64(b.values[x, RANK])
        if b.values[x, LAST] == COLD:
            rank += FIRST_USED
        position = width
        while position > 0 and b.operands[position - 1, 0] > rank:
            position -= 1
        if position > 0 and b.operands[position - 1, 0] == rank:
            b.operands[position - 1, 2] |= dies
            continue
        for i in range(width, position, -1):
            for column in range(3):
                b.operands[i, column] = b.operands[i - 1, column]
        b.operands[position, 0] = rank
        b.operands[position, 1] = x
        b.operands[position, 2] = dies
        width += 1
    return width


@lean_part
def number(b, x):
    """Give a value its rank, at its first use or as it is made."""
    b.values[x, RANK] = b.state[NUMBER]
    b.state[NUMBER] += 1


@lean_part
def make(b, x, byte):
    """Begin a computed value."""
    is_output = flag(b.flags, byte, IS_OUTPUT)
    number(b, x)
    b.values[x, SPILLED] = SETTLED if is_output else 0
    b.values[x, MISSED] = -1 if is_output else 0
    b.state[OUTPUTS] += is_output


@lean_part
def die(b, x, place):
    """Take a value from all memories, as its last use is over."""
    b.log[place] = -1
    if b.values[x, LAST] == place:
        b.values[x, LAST] = GONE
        if b.holder.size > 0:
            b.spare[b.state[FREE]] = x
            b.state[FREE] += 1
    for j in range(b.memories.size):
        b.counts[HELD, j] -= 1


@lean_part
def take_step(b, x, width, byte):
    """Touch the operands and the result x of a step, and let go what nobody reads later."""
    place = b.state[FILLED]
    b.state[WIDEST] = max(b.state[WIDEST], width + 1)
    if b.state[WIDEST] > b.memories[0]:
        return
    for i in range(width):
        find_by_next_use(b, b.operands[i, 1], place)
    for i in range(width):
        if b.operands[i, 0] >= FIRST_USED:
            number(b, b.operands[i, 1])
        touch(b, b.operands[i, 1], place + i, False)
    make(b, x, byte)
    touch(b, x, place + width, True)
    b.state[FILLED] += width + 1
    b.state[STEPS] += 1
    b.state[EDGES] += width
    for j in range(b.gap.shape[0]):
        add_mark(b, j, place, b.memories[j] - width - 1)
    for i in range(width):
        if b.operands[i, 2]:
            die(b, b.operands[i, 1], place + i)
    if not flag(b.flags, byte, IS_READ):
        die(b, x, place + width)


@lean_part
def copy_value(b, source, target, byte):
    """Let a cell hold what another one holds; no value is made."""
    x = value_in(b, source)
    if is_constant(b, x):
        b.holder[target] = CONSTANT
        return
    b.holds[x] += np.int64(flag(b.flags, byte, IS_READ)) - flag(b.flags, byte, OPERANDS)
    b.holder[target] = x


@lean_part
def run_node(t, cells, b, node, variables):
    """Run one assignment."""
    byte = b.state[BYTE]
    count = t.operand_indptr[node + 1] - t.operand_indptr[node]
    b.state[BYTE] += (count + OPERANDS + 7) >> 3
    target = value_of(cells, t.node_target[node], variables)
    if t.node_is_copy[node]:
        source = value_of(cells, t.operands[t.operand_indptr[node]], variables)
        copy_value(b, source, target, byte)
        return
    width = gather(t, cells, b, node, variables, byte)
    if b.holder.size == 0:
        if width > 0:
            take_step(b, target, width, byte)
        else:
            b.values[target, LAST] = CONSTANT
    elif width > 0:
        x = new_value(b)
        b.holds[x] = 1
        b.holder[target] = x
        take_step(b, x, width, byte)
    else:
        b.holder[target] = CONSTANT


@lean_kernel
def forwards(t, first, cells, variables, b, stop):
    """Run rows of code up to `stop`; stop before where flags or the log are at their end."""
    pc = b.state[PC]
    c = t.code
    while pc < stop:
        op = c[pc, 0]
        if op == NODE:
            full = b.state[FILLED] + b.operands.shape[0] + 1 >= b.log.size
            if full or b.state[BYTE] >= b.flags.size or b.state[WIDEST] > b.memories[0]:
                break
            run_node(t, cells, b, c[pc, 1], variables)
            pc += 1
        elif op == LOOP:
            pc = pc + 1 if enters(t, pc, variables) else c[pc, 7]
        elif op == END:
            loop = c[pc, 1]
            variables[c[loop, 1]] += c[loop, 6]
            pc = loop + 1 if goes_on(t, loop, variables) else pc + 1
        elif op == IF:
            pc = pc + 1 if holds_in_some_case(t, c[pc, 1], c[pc, 2], variables) else c[pc, 3]
        elif op == JUMP:
            pc = c[pc, 1]
        else:
            for cell in range(first[c[pc, 1]], first[c[pc, 1] + 1]):
                if b.holder.size > 0:
                    b.holder[cell] = CONSTANT
                else:
                    b.values[cell, LAST] = CONSTANT
            pc += 1
    b.state[PC] = pc


@lean_inner_kernel
def move_mark(b, j, mark, place, left):
    """Move a mark to a smaller place; of two at one place the earlier stays, which has less room.

    left (k,): the gaps of marks that went, for the next one.
    """
    gap = b.gap[j, mark] + left[j]
    if b.newest[0, j] == place:
        left[j] = gap
        return
    left[j] = 0
    b.gap[j, place] = gap
    b.before[j, place] = b.newest[0, j]
    b.newest[0, j] = place


@lean_inner_kernel
def find_marks(b, is_mark, filled):
    """Note which places of the log are marks, bit j for memory j, and forget the newest."""
    is_mark[: filled + 1] = 0
    for j in range(b.gap.shape[0]):
        mark = b.newest[0, j]
        while mark >= 0:
            is_mark[mark] |= 1 << j
            mark = b.before[j, mark]
        b.newest[0, j] = -1


@lean_inner_kernel
def link_marks(b, filled):
    """Let each place of the log, and the one behind it, lead to the next mark."""
    for j in range(b.gap.shape[0]):
        for place in range(filled + 1):
            b.next_mark[j, place] = place + 1
        b.next_mark[j, filled] = filled
        mark = b.newest[0, j]
        while mark >= 0:
            b.next_mark[j, mark] = mark
            mark = b.before[j, mark]


@lean_kernel
def compact(b, is_mark, left):
    """Move the valid entries of the log to its front, and put an invalid one behind them.

    Values that are in no memory by either rule are OUT. is_mark (c + 1,) int32 and left (k,) of
    zeros are work.
    """
    k, end = b.memories.size, b.state[FILLED]
    tails, fulls = b.counts[TAIL], b.counts[FULL]
    base = tails[k - 1]
    for j in range(b.gap.shape[0]):
        base = min(base, fulls[j])
    find_marks(b, is_mark, end)
    filled = np.int64(0)
    for place in range(end + 1):
        for j in range(k):
            if tails[j] == place:
                tails[j] = filled
            if fulls[j] == place:
                fulls[j] = filled
            if j < b.gap.shape[0] and is_mark[place] >> j & 1:
                move_mark(b, j, place, filled, left)
        if place == end:
            break
        x = b.log[place]
        if x < 0 or b.values[x, LAST] != place:
            continue
        if place < base:
            b.values[x, LAST] = OUT
            continue
        b.log[filled] = x
        b.values[x, LAST] = filled
        filled += 1
    for j in range(k):
        b.newest[1, j] -= left[j]
    b.log[filled] = -1
    b.state[FILLED] = filled + 1
    link_marks(b, filled + 1)
