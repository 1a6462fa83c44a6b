"""Iterations of a loop that move as many words as the one before them, and need not be run.

Where bounds and conditions inside a loop do not depend on its variable, and all accesses to an
array move on by one and the same step an iteration, iterations are the same but for the cells that
they touch: the cell c of one is the cell c + step of the next (`Shift`).

**Lemma.** Let iteration t + 1 begin in a state that is that of iteration t, each value a step
further on in its array, or at its place where no later iteration touches it. Let both be noted
alike, and let differences of ranks be such that no two operands change their order. Then both move
the same words, and leave the same such states.

*Proof.* What a run does depends on the cells that it touches, on the log between the last of the
memories and now, on the marks, and on what was noted; ranks count by their order alone. All of
these are equal up to the step, by assumption, so that each access is a hit or miss in both, the
same values leave, and the states after both are equal up to the step, too; ranks of values that are
made or first used in the iterations differ by the values of an iteration, others by what they
differed by. Cells that no later iteration touches change only as they leave the memories, which the
log decides.

Backwards the state is whether a cell is read later, or an output (`Marks`), and the same holds.
"""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs._kernels import Tables
from dags.programs.loop_table import Op
from schedulers.curves._kernels import program_stream as k

LARGEST_RANK: Final = 1 << 30
Cells = npt.NDArray[Any]
LRU_AND_NEXT_USE: Final = (k.LRU_LOADS, k.LRU_STORES, k.LOADS, k.STORES)
COUNTERS: Final = (k.INPUTS, k.NUMBER, k.STEPS, k.EDGES, k.OUTPUTS)


@dataclass(frozen=True)
class Reach:
    """The cells of an array that an iteration of a loop may touch.

    Cells are numbered along the step: upwards where it goes up, downwards by their negatives where
    it goes down.

    Parameters
    ----------
    sign
        1 or -1: what a number is multiplied by to be a cell.
    low, high
        The numbers of the first iteration, the latter not included.
    step
        How far each iteration is further on, not negative.
    """

    sign: int
    low: int
    high: int
    step: int

    def view(self, column: Cells, low: int, high: int) -> Cells:
        """The entries with the numbers from `low` to `high`, in their order."""
        if self.sign > 0:
            return column[low:high]
        return column[1 - high : 1 - low][::-1]


class Shift(NamedTuple):
    """How an iteration of a loop is further on than the one before it.

    Attributes
    ----------
    reaches
        What is touched of each array, by its number; others are not touched.
    steps
        (a,) the step of each array, 0 for those that are not touched.
    first
        (a + 1,) the first cell of each array.
    """

    reaches: dict[int, Reach]
    steps: Int64Array
    first: Int64Array


def steps_of(t: Tables, cells: Int64Array, arrays: int, rows: tuple[int, int]) -> Int64Array | None:
    """(a,) how far an iteration of a loop goes on in each array; None where that differs.

    Parameters
    ----------
    t, cells
        The loop table, and the forms of the cells of its references.
    arrays
        Number of arrays.
    rows
        First row of the loop, and the one behind it.
    """
    row, end = rows
    depth, stride = int(t.code[row, 1]), int(t.code[row, 6])
    steps: dict[int, int] = {}
    for line in range(row + 1, end):
        op, c = t.code[line, 0], t.code[line]
        forms: list[int] = []
        if op == Op.LOOP:
            forms = [*range(c[2], c[3]), *range(c[4], c[5])]
        elif op == Op.IF:
            span = slice(t.case_indptr[c[1]], t.case_indptr[c[2]])
            forms = t.conditions[span, 0].tolist()
        elif op == Op.CLEAR:
            return None
        if t.forms[forms, depth].any():
            return None
        for reference in _references(t, c[1]) if op == Op.NODE else ():
            step = int(cells[reference, depth]) * stride
            if steps.setdefault(int(t.reference_array[reference]), step) != step:
                return None
    distances = np.zeros(arrays, np.int64)
    distances[[*steps]] = [*steps.values()]
    return distances


def _references(t: Tables, node: int) -> list[int]:
    return [*t.operands[t.operand_indptr[node] : t.operand_indptr[node + 1]], t.node_target[node]]


def enters_range(t: Tables, row: int, low: Int64Array, high: Int64Array) -> bool:
    """Write the range of a loop's variable, given those of the loops around; False if it is empty.

    A range is never too small.

    Parameters
    ----------
    t, row
        The loop table, and the row of the loop.
    low, high
        (depth,) ranges, both ends included.
    """
    c = t.code[row]
    upward = c[6] > 0
    starts, stops = _ends(t, c[2], c[3], low, high), _ends(t, c[4], c[5], low, high)
    low[c[1]] = max(starts[0]) if upward else max(stops[0]) + 1
    high[c[1]] = min(stops[1]) - 1 if upward else min(starts[1])
    return bool(low[c[1]] <= high[c[1]])


def _ends(t: Tables, first: int, end: int, low: Int64Array, high: Int64Array) -> tuple[Any, Any]:
    """The least and the greatest values of some forms."""
    factors, constant = t.forms[first:end, :-1], t.forms[first:end, -1]
    up, down = np.maximum(factors, 0), np.minimum(factors, 0)
    return up @ low + down @ high + constant, up @ high + down @ low + constant


def shift_of(
    t: Tables,
    cells: Int64Array,
    first: Int64Array,
    rows: tuple[int, int],
    steps: Int64Array,
    variables: Int64Array,
    count: int,
) -> Shift | None:
    """How iterations of a loop follow each other; None where arrays may be left.

    Parameters
    ----------
    t, cells, first
        The loop table, forms of the cells of its references, and the first cell of each array.
    rows, steps
        The loop, and what `steps_of` says.
    variables
        Values of the loops around, and of the loop in its first iteration.
    count
        Number of its iterations.
    """
    low, high = variables.copy(), variables.copy()
    reaches: dict[int, Reach] = {}
    row, end = rows[0] + 1, rows[1] - 1
    while row < end:
        below = row + 1
        c = t.code[row]
        if c[0] == Op.LOOP:
            below = row + 1 if enters_range(t, row, low, high) else int(c[7])
        elif c[0] == Op.NODE:
            for reference in _references(t, c[1]):
                form = cells[reference]
                up, down = np.maximum(form[:-1], 0), np.minimum(form[:-1], 0)
                low_end = int(up @ low + down @ high + form[-1])
                high_end = int(up @ high + down @ low + form[-1])
                array = int(t.reference_array[reference])
                _widen(reaches, array, int(steps[array]), low_end, high_end)
        row = below
    for array, reach in reaches.items():
        last = reach.high - 1 + (count - 1) * reach.step
        cell = sorted((reach.sign * reach.low, reach.sign * last))
        if cell[0] < first[array] or cell[1] >= first[array + 1]:
            return None
    return Shift(reaches, steps, first)


def _widen(reaches: dict[int, Reach], array: int, step: int, low: int, high: int) -> None:
    """Add the cells from `low` to `high` of an array."""
    sign = -1 if step < 0 else 1
    low, high = sorted((sign * low, sign * high))
    known = reaches.get(array, Reach(sign, low, high + 1, abs(step)))
    reaches[array] = Reach(sign, min(known.low, low), max(known.high, high + 1), abs(step))


def marks_repeat(shift: Shift, before: Cells, after: Cells, t: int) -> bool:
    """Whether iterations before the t-th begin, backwards, where that began.

    Parameters
    ----------
    shift
        How the iterations follow each other.
    before, after
        Marks of all cells behind iteration t, and before it.
    t
        The iteration, 1 or more.
    """
    for reach in shift.reaches.values():
        low, high = reach.low, reach.high + (t - 1) * reach.step
        further = reach.view(before, low + reach.step, high + reach.step)
        if not np.array_equal(reach.view(after, low, high), further):
            return False
    return True


def marks_in_front(shift: Shift, marks: Cells, t: int) -> Cells:
    """The marks before the first iteration, from those before the t-th, which repeat."""
    shifted = marks.copy()
    for reach in shift.reaches.values():
        if reach.step:
            number = np.arange(reach.low, reach.high + t * reach.step)
            # the first iteration that may touch a cell is the last to change it
            first = np.maximum((number - reach.high) // reach.step + 1, 0)
            source = number + (t - first) * reach.step
            shifted[reach.sign * number] = marks[reach.sign * source]
    return shifted


class State(NamedTuple):
    """The state of a run between iterations: a board that was made compact."""

    log: Cells
    counts: Cells
    newest: Cells
    marks: tuple[Cells, ...]
    values: Cells
    state: Cells


def state_of(b: k.StreamBoard, *, copied: bool) -> State:
    """The state of a board, made compact; `copied` unless it is read before more is run."""
    k.compact(b, np.empty(b.log.size + 1, np.int32), np.zeros(b.memories.size, np.int64))
    filled = int(b.state[k.FILLED])
    marks = []
    for j in range(b.gap.shape[0]):
        places = np.flatnonzero(b.next_mark[j, :filled] == np.arange(filled))
        marks += [places, b.gap[j, places]]
    log = b.log[: filled - 1].copy()
    parts = b.counts.copy(), b.newest.copy(), tuple(marks)
    return State(log, *parts, b.values.copy() if copied else b.values, b.state.copy())


class Drift(NamedTuple):
    """How ranks of an array go on, and those that an iteration meets.

    Attributes
    ----------
    of_older
        By how much ranks of values are larger, an iteration later, that are not made or used for
        the first time in an iteration; None where none lives.
    is_new
        Which values of the touched cells are.
    met
        (2, v) ranks before the iteration and before the next one.
    groups
        Of each difference the least and largest rank.
    """

    of_older: int | None
    is_new: npt.NDArray[np.bool_]
    met: Int64Array
    groups: dict[int, tuple[int, int]]


def advanced(
    b: k.StreamBoard, shift: Shift, before: State, t: int, count: int, further: int
) -> bool:
    """Let a board be as it is after some more iterations that repeat; return False if they do not.

    Parameters
    ----------
    b
        The board after iteration t.
    shift
        How iterations follow each other.
    before
        The state before iteration t.
    t, count
        The iteration, and how many there are.
    further
        Iterations behind it that were noted as it was.
    """
    after = state_of(b, copied=False)
    moving = _moving(shift, before, after, t, count)
    if moving is None:
        return False
    drifts: dict[int, Drift] = {}
    for array, reach in shift.reaches.items():
        drift = _drift(reach, before, after, t, count)
        if drift is None:
            return False
        drifts[array] = drift
    old, new = np.concatenate([drift.met for drift in drifts.values()], axis=1)
    if not np.array_equal(np.argsort(old), np.argsort(new)):
        return False
    groups: dict[int, tuple[int, int]] = {}
    for drift in drifts.values():
        for shift_by, (low, high) in drift.groups.items():
            known = groups.get(shift_by, (low, high))
            groups[shift_by] = min(low, known[0]), max(high, known[1])
    return _is_ordered(groups, further) and _advance(
        b, shift, before, after, drifts, moving, t, further
    )


def _moving(
    shift: Shift, before: State, after: State, t: int, count: int
) -> npt.NDArray[np.bool_] | None:
    """Which entries of the log are a step further on; None where states differ."""
    constant_fields = (k.TAIL, k.HELD, k.FULL)
    if before.log.size != after.log.size or len(before.marks) != len(after.marks):
        return None
    pairs = [(before.counts[row], after.counts[row]) for row in constant_fields]
    pairs += [(before.newest, after.newest), *zip(before.marks, after.marks, strict=True)]
    if not all(np.array_equal(*pair) for pair in pairs):
        return None
    array = np.searchsorted(shift.first, before.log, "right") - 1
    moving: npt.NDArray[np.bool_] = after.log == before.log + shift.steps[array]
    if not np.all(moving | (after.log == before.log)):
        return None
    for index, reach in shift.reaches.items():
        number = reach.sign * before.log[(array == index) & ~moving].astype(np.int64)
        low, high = reach.low + t * reach.step, reach.high + (count - 1) * reach.step
        if np.any((number >= low) & (number < high)):
            return None
    old, new = before.values[before.log], after.values[after.log]
    columns = [k.SPILLED, k.MISSED]
    return moving if np.array_equal(old[:, columns], new[:, columns]) else None


def _drift(reach: Reach, before: State, after: State, t: int, count: int) -> Drift | None:
    """How ranks go on; None where cells that are touched later differ otherwise."""
    low, high = reach.low + (t + 1) * reach.step, reach.high + (count - 1) * reach.step
    was = reach.view(before.values, low - reach.step, high - reach.step)
    later = reach.view(after.values, low, high)
    last = later[:, k.LAST]
    if not np.array_equal(was[:, k.LAST], last) or np.any(last == k.COLD):
        return None
    living = (last >= 0) | (last == k.OUT)
    for column in (k.SPILLED, k.MISSED):
        if not np.array_equal(was[living, column], later[living, column]):
            return None
    ranks = np.stack((was[:, k.RANK], later[:, k.RANK])).astype(np.int64)
    is_new = living & (ranks[1] >= before.state[k.NUMBER])
    older = living & ~is_new
    kinds = np.unique(ranks[1, older] - ranks[0, older]).tolist()
    if len(kinds) > 1:
        return None
    numbered = int(after.state[k.NUMBER] - before.state[k.NUMBER])
    cells, groups = slice(0, reach.high - reach.low), dict[int, tuple[int, int]]()
    for kind, members in ((numbered, is_new[cells]), (kinds[0] if kinds else 0, older[cells])):
        if members.any():
            met = ranks[1, cells][members]
            lowest, highest = groups.get(kind, (int(met.min()), int(met.max())))
            groups[kind] = min(lowest, int(met.min())), max(highest, int(met.max()))
    return Drift(kinds[0] if kinds else None, is_new, ranks[:, cells][:, living[cells]], groups)


def _is_ordered(groups: dict[int, tuple[int, int]], further: int) -> bool:
    """Whether ranks of different drifts stay in their order for some iterations."""
    kinds = sorted(groups)
    for place, slow in enumerate(kinds):
        for fast in kinds[place + 1 :]:
            overtakes = groups[slow][1] >= groups[fast][0]
            if overtakes and groups[fast][1] + further * fast >= groups[slow][0] + further * slow:
                return False
    return True


def _advance(
    b: k.StreamBoard,
    shift: Shift,
    before: State,
    after: State,
    drifts: dict[int, Drift],
    moving: npt.NDArray[np.bool_],
    t: int,
    further: int,
) -> bool:
    """Move values and counters on; return False where the rank of a value is not known."""
    old, ranks = b.values.copy(), b.values[:, k.RANK].astype(np.int64)
    born, assigned = (
        int(before.state[k.NUMBER]),
        int(after.state[k.NUMBER] - before.state[k.NUMBER]),
    )
    array = np.searchsorted(shift.first, after.log, "right") - 1
    goes = moving & (shift.steps[array] != 0)
    targets: list[tuple[Cells, Cells, Cells, int]] = []  # cells, sources, iterations, array
    for index, reach in shift.reaches.items():
        if reach.step:
            number = np.arange(
                reach.low + (t + 1) * reach.step, reach.high + (t + further) * reach.step
            )
            later = np.minimum(t + further, (number - reach.low) // reach.step) - t
            source = reach.sign * (number - later * reach.step)
            targets.append((reach.sign * number, source, later, index))
    array_of = after.log[goes]
    new_log = after.log + np.where(goes, further * shift.steps[array], 0).astype(after.log.dtype)
    for index in np.unique(array[goes]).tolist():
        entries = goes & (array == index)
        later = np.full(int(entries.sum()), further)
        targets.append((new_log[entries], after.log[entries], later, index))
    new_ranks = []
    for _, source, later, index in targets:
        drift = drifts[index].of_older
        last, rank = old[source, k.LAST], ranks[source]
        unknown = ((last >= 0) | (last == k.OUT)) & (rank < born)
        if drift is None and np.any(unknown):
            return False
        new_ranks.append(rank + later * np.where(unknown, drift or 0, assigned))
    b.values[array_of, k.LAST] = k.OUT
    _leave(b, array_of)
    for (cell, source, _, _), rank in zip(targets, new_ranks, strict=True):
        b.values[cell] = old[source]
        ranks[cell] = rank
        in_log = cell[old[source, k.LAST] >= 0]
        b.values[in_log, k.LAST] = k.OUT
        _leave(b, in_log)
    for index, reach in shift.reaches.items():
        if not reach.step:
            reach.view(ranks, reach.low, reach.high)[drifts[index].is_new] += further * assigned
    log = slice(0, new_log.size)
    b.log[log] = new_log
    b.values[new_log, k.SPILLED] = old[after.log, k.SPILLED]
    b.values[new_log, k.LAST] = np.arange(new_log.size)
    for row in LRU_AND_NEXT_USE:
        b.counts[row] += further * (after.counts[row] - before.counts[row])
    for counter in COUNTERS:
        b.state[counter] += further * (after.state[counter] - before.state[counter])
    _rank(b, ranks)
    return True


def _leave(b: k.StreamBoard, values: Cells) -> None:
    """Say of values that left all memories that all have stored them, if they have to."""
    unsettled = values[b.values[values, k.SPILLED] < k.SETTLED]
    b.values[unsettled, k.SPILLED] = b.memories.size


def _rank(b: k.StreamBoard, ranks: Int64Array) -> None:
    """Write ranks, made small where they are large: their order alone counts."""
    if b.state[k.NUMBER] > LARGEST_RANK:
        last = b.values[:, k.LAST]
        living = np.flatnonzero((last >= 0) | (last == k.OUT))
        ranks[living[np.argsort(ranks[living])]] = np.arange(living.size)
        b.state[k.NUMBER] = living.size
    fits = b.values[:, k.LAST] != k.GONE
    b.values[fits, k.RANK] = np.minimum(ranks[fits], LARGEST_RANK)
