"""Gaps between uses that a value spends in slow memory or not, and the moves that follow."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from pebble import Move, Rules, Schedule
from schedulers.orders.access_order import Accesses

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Gaps:
    """A covering problem: make room at every step, by values that are away between two uses.

    A value is away or stays for a whole gap, from one access of it to the next: nothing is
    gained by leaving later or coming back earlier. Being away costs a load, and the first time
    a store, of a value that is computed and no output. Only gaps and steps that matter are kept.

    Sliding, a result may take the place of one operand that leaves: of one whose last use it is,
    at no price, or of one whose gap begins here and which is away in it.

    Parameters
    ----------
    layout
        The order, as accesses.
    access
        (G,) the access behind which each gap begins.
    value, words
        (G,) the value, and its size.
    first, last
        (G,) the gap covers the rows from `first` to before `last`.
    dirty
        (G,) whether being away costs a store, too, once for all gaps of the value.
    step
        (R,) the step of each row, rising.
    lack
        (R,) words of gaps covering the row that must be away, whatever slides.
    after
        (R,) whether `lack` is for the moment after the computation; otherwise just before it.
    slide_lack
        (R,) words that must be away or slide: after the computation; 0 where `lack` says it all.
    slide_row, slide_gap, slide_room
        (K,) a row with `slide_lack`, a gap that begins there, and the words that are won if the
        result takes its operand's place; one operand at most in each row.
    """

    layout: Accesses
    access: Int64Array
    value: Int64Array
    words: Int64Array
    first: Int64Array
    last: Int64Array
    dirty: BoolArray
    step: Int64Array
    lack: Int64Array
    after: BoolArray
    slide_lack: Int64Array
    slide_row: Int64Array
    slide_gap: Int64Array
    slide_room: Int64Array

    def room(self, absent: BoolArray) -> Int64Array:
        """(R,) the words of gaps away at each row."""
        change = np.zeros(self.step.size + 1, np.int64)
        words = np.where(absent, self.words, 0)
        np.add.at(change, self.first, words)
        np.add.at(change, self.last, -words)
        return np.cumsum(change)[:-1]

    def holds(self, absent: BoolArray) -> bool:
        """Whether there is room enough at every step if these gaps are away."""
        room = self.room(absent)
        slid = np.zeros(self.step.size, np.int64)
        np.maximum.at(slid, self.slide_row, np.where(absent[self.slide_gap], self.slide_room, 0))
        return bool(np.all(room >= self.lack) and np.all(room + slid >= self.slide_lack))

    def cost(self, absent: BoolArray) -> int:
        """The words moved besides the compulsory ones."""
        stored = np.unique(self.value[absent & self.dirty])
        return int(self.words[absent].sum()) + int(self.layout.words[stored].sum())


def gaps(layout: Accesses, memory: int, rules: Rules) -> Gaps:
    """The decisions about an order.

    Parameters
    ----------
    layout
        The order, as accesses.
    memory, rules
        The game; every step must fit.
    """
    begin = np.flatnonzero(layout.touched >= 0).astype(np.int64)
    value = layout.touched[begin].astype(np.int64)
    words = layout.words[value].astype(np.int64)
    opened = layout.step_of[begin].astype(np.int64)
    # A gap covers the steps between its two accesses; there may be none.
    low, high = opened + 1, layout.step_of[layout.following[begin]].astype(np.int64)
    is_operand = begin + 1 < layout.start[opened + 1]
    before, after, largest = _lacks(layout, memory, (low, high, words))
    if rules.sliding:
        after = after - largest
        slides = np.flatnonzero(is_operand & (words > largest[opened]) & (after[opened] > 0))
        slides = slides[after[opened[slides]] > before[opened[slides]]]
    else:
        slides = np.zeros(0, np.int64)
    sliding_step = np.zeros(layout.steps, bool)
    sliding_step[opened[slides]] = True
    lack = np.where(sliding_step, before, np.maximum(before, after))
    hot = (lack > 0) | sliding_step
    row = np.concatenate(([0], np.cumsum(hot)))
    keep = row[high] > row[low]
    keep[slides] = True
    place = np.cumsum(keep) - 1
    return Gaps(
        layout=layout,
        access=begin[keep],
        value=value[keep],
        words=words[keep],
        first=row[low][keep],
        last=row[high][keep],
        dirty=(layout.is_input[value[keep]] == 0) & (layout.is_output[value[keep]] == 0),
        step=np.flatnonzero(hot),
        lack=np.maximum(lack, 0)[hot],
        after=(~sliding_step & (after >= before))[hot],
        slide_lack=np.where(sliding_step, after, 0)[hot],
        slide_row=row[opened[slides]],
        slide_gap=place[slides],
        slide_room=words[slides] - largest[opened[slides]],
    )


def _lacks(
    layout: Accesses, memory: int, spans: tuple[Int64Array, Int64Array, Int64Array]
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """(N,) words lacking before and after each step if nothing is away, and a size.

    It is that of the largest operand whose last use the step is, 0 where there is none.
    """
    low, high, words = spans
    change = np.zeros(layout.steps + 1, np.int64)
    np.add.at(change, low, words)
    np.add.at(change, high, -words)
    kept = np.cumsum(change)[:-1]
    sizes = layout.words[np.where(layout.touched < 0, ~layout.touched, layout.touched)]
    result = layout.start[1:] - 1
    together = np.zeros(layout.steps, np.int64)
    np.add.at(together, layout.step_of, sizes)
    largest = np.zeros(layout.steps, np.int64)
    dying = layout.touched < 0
    dying[result] = False
    np.maximum.at(largest, layout.step_of[dying], sizes[dying])
    after = kept + together - memory
    return after - sizes[result], after, largest


def moves_of(layout: Accesses, absent: set[int]) -> Schedule:
    """The play that computes in an order.

    A value leaves at once where its gap is spent away, and comes back where it is used again. Of
    the operands that leave, the largest goes first: where the rules let it, the result slides.

    Parameters
    ----------
    layout
        The order, as accesses.
    absent
        Accesses behind which the value leaves, beside last ones.
    """
    name, words = layout.name.tolist(), layout.words.tolist()
    touched = layout.touched.tolist()
    owed = [bool(out) for out in layout.is_output]
    blue = [bool(known) for known in layout.is_input]
    red = [False] * layout.values
    moves: list[tuple[Move, int]] = []

    def store(x: int, last: bool) -> None:
        """Store x, which leaves, if it will be missed."""
        if not blue[x] and (owed[x] or not last):
            moves.append((Move.STORE, name[x]))
            blue[x] = True

    for a, b in pairwise(layout.start.tolist()):
        row = [(position, touched[position]) for position in range(a, b)]
        entries = [(position, x if x >= 0 else ~x, x < 0) for position, x in row]
        leaving = [(x, last) for position, x, last in entries[:-1] if last or position in absent]
        leaving.sort(key=lambda entry: -words[entry[0]])
        for _, x, _ in entries[:-1]:
            if not red[x]:
                moves.append((Move.LOAD, name[x]))
                red[x] = True
        for x, last in leaving:
            store(x, last)
        position, result, last = entries[-1]
        moves.append((Move.COMPUTE, name[result]))
        red[result] = True
        for x, _ in leaving:
            moves.append((Move.DELETE, name[x]))
            red[x] = False
        if last or position in absent:
            store(result, last)
            moves.append((Move.DELETE, name[result]))
            red[result] = False
    return Schedule.from_moves(moves)
