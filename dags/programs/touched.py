"""Numbers of items that iterations of a nest touch: images of boxes under affine functions.

The index of an item is affine in the loops. Indices that share no loop, and whose loops no
condition ties, vary independently, so that an image is a product over **groups** of loops and
indices; several accesses to one array touch the union of such products. All counts are exact.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from dags.programs.box_nests import Access, volume
from dags.programs.tied_loops import Box, Chunked, Row, Tie, count_of, span_of, values_of
from dags.programs.unions import (
    Image,
    Values,
    progression,
    tied_progression,
    union,
    values_taken,
)
from dags.work import charge


class Group(NamedTuple):
    """Loops that indices or conditions bring together.

    Attributes
    ----------
    loops
        By their places, rising.
    box, ties, rows
        Of these loops alone; constants of conditions include the parts of other loops.
    places
        The places of the indices.
    """

    loops: tuple[int, ...]
    box: Box
    ties: tuple[Tie, ...]
    rows: tuple[Row, ...]
    places: tuple[int, ...]

    @property
    def is_injective(self) -> bool:
        """True where different values of the loops always have different indices."""
        return bool(self.rows) and _rank(self.rows) == len(self.loops)

    @property
    def _apart(self) -> tuple[Row, ...]:
        """The indices, or each loop alone where these say as much."""
        return alone(len(self.loops)) if self.is_injective else self.rows

    def touched(self) -> int:
        """Return how many different indices there are; without any, 1 where there are points."""
        if not self.loops:
            return int(all(tie.constant >= 0 for tie in self.ties))
        if self.ties:
            return count_of(self.box, self.ties, self._apart)
        if len(self.rows) == 1:
            return values_taken(self.rows[0], self.box)
        return volume(self.box) if self.is_injective else count_of(self.box, (), self.rows)

    def visits(self, chunks: tuple[Chunked, ...]) -> int:
        """Return the sum over chunks of loops of how many indices each has."""
        if not (chunks and self.loops):
            return self.touched() if self.rows or self.ties else 1
        if self.ties:
            return count_of(self.box, self.ties, self._apart, chunks)
        if self.is_injective:
            return volume(self.box)
        total = 0
        for parts in product(*(_parts(self.box[each.loop], each) for each in chunks)):
            box = list(self.box)
            for (start, size, _), each in zip(parts, chunks, strict=True):
                box[each.loop] = start, start + size
            inner = self._replace(box=tuple(box)).touched() if self.rows else 1
            total += prod(alike for _, _, alike in parts) * inner
        return total


def alone(count: int) -> tuple[Row, ...]:
    """Return an index for each of so many loops, alone."""
    return tuple(tuple(int(i == j) for j in range(count)) for i in range(count))


def _parts(ends: tuple[int, int], chunk: Chunked) -> list[tuple[int, int, int]]:
    """Return the chunks of a loop: the first value, how many values, how many are alike."""
    (low, high), (_, size, first) = ends, chunk
    begin, end = -((first - low) // size), (high - first) // size
    start, behind = first + size * begin, first + size * end
    if begin > end:
        return [(low, high - low, 1)]
    some = [(low, start - low, 1), (start, size, end - begin), (behind, high - behind, 1)]
    return [each for each in some if each[1] > 0 and each[2] > 0]


@lru_cache(maxsize=1 << 12)
def groups(rows: tuple[Row, ...], box: Box, ties: tuple[Tie, ...] = ()) -> tuple[Group, ...]:
    """Return the loops that have several values in groups, with the indices and conditions of each.

    Conditions on loops with one value each are a group without loops.
    """
    varied = {at for at, (low, high) in enumerate(box) if high - low > 1}
    links = [{at for at in varied if row[at]} for row in (*rows, *(tie.row for tie in ties))]
    sets: list[set[int]] = [{at} for at in sorted(varied)]
    for link in links:
        common = [each for each in sets if each & link]
        if common:
            sets = [each for each in sets if not each & link] + [set().union(*common)]
    found = []
    for loops in (*map(sorted, sets), []):
        mine = [at for at in range(len(rows)) if links[at] & set(loops)]
        tied = [
            tie for tie, link in zip(ties, links[len(rows) :], strict=True) if link & set(loops)
        ]
        if not loops:
            tied = [tie for tie, link in zip(ties, links[len(rows) :], strict=True) if not link]
        short = [_shortened(tie, loops, box) for tie in tied]
        if loops or short:
            part = tuple(tuple(rows[at][loop] for loop in loops) for at in mine)
            ends = tuple(box[loop] for loop in loops)
            found.append(Group(tuple(loops), ends, tuple(short), part, tuple(mine)))
    return tuple(found)


def _shortened(tie: Tie, loops: Sequence[int], box: Box) -> Tie:
    """Return a condition on some loops alone; the others have one value each."""
    rest = sum(by * box[at][0] for at, by in enumerate(tie.row) if at not in loops)
    return Tie(tuple(tie.row[at] for at in loops), tie.constant + rest)


def points(box: Box, ties: tuple[Tie, ...]) -> int:
    """Return how many points of a box keep to conditions."""
    if not ties:
        return volume(box)
    return _alone(Access("", alone(len(box)), (0,) * len(box), box, ties), box)


def visits(access: Access, chunks: Sequence[Chunked]) -> int:
    """Return the sum over all iterations of some levels of how many items each touches.

    Parameters
    ----------
    access
        Of one assignment.
    chunks
        The levels: of each loop one at most.
    """
    if not volume(access.box):
        return 0
    total = 1
    known = {each.loop: each for each in chunks}
    for group in groups(access.rows, access.box, access.ties):
        mine = [
            known[loop]._replace(loop=at) for at, loop in enumerate(group.loops) if loop in known
        ]
        total *= group.visits(tuple(mine))
    return total


@lru_cache(maxsize=1 << 12)
def _rank(rows: tuple[Row, ...]) -> int:
    return int(np.linalg.matrix_rank(np.array(rows, float)))


def touched(accesses: Sequence[Access], run: Box | None = None) -> int:
    """Return how many items of one array some iterations touch.

    Parameters
    ----------
    accesses
        Accesses to the array, of one assignment or (where all are run) of several.
    run
        The iterations; None for all.
    """
    boxes = [each.box if run is None else common(each.box, run) for each in accesses]
    pairs = zip(accesses, boxes, strict=True)
    some = list(dict.fromkeys((each, box) for each, box in pairs if volume(box)))
    if len(some) > 1:
        some = [(each, box) for each, box in some if not each.ties or _alone(each, box)]
    if not some:
        return 0
    charge("set", len(some))
    some = _unflattened(tuple(some))
    if len(some) == 1:
        return _alone(*some[0])
    return union([_image(access, both) for access, both in some])


@lru_cache(maxsize=1 << 10)
def _unflattened(some: tuple[tuple[Access, Box], ...]) -> list[tuple[Access, Box]]:
    """Return accesses on boxes with indices like 965 k + j as two, k and j, where they are rows.

    Items have other names then, and are as many. What an index takes is a progression no more where
    its rows are not full, and would be listed.
    """
    found, place = [*some], 0
    while place < len(found[0][0].rows):
        moving = [[*_moves(access.rows[place], box)] for access, box in found]
        mixed = any(sum(map(bool, each)) > 1 for each in moving)
        lengths = sorted({abs(by) for each in moving for by in each if abs(by) > 1}, reverse=True)
        cut = (_in_rows(found, place, length) for length in lengths * mixed)
        other = next(filter(None, cut), None)
        found, place = (found, place + 1) if other is None else (other, place)
    return found


def _in_rows(
    some: Sequence[tuple[Access, Box]], place: int, length: int
) -> list[tuple[Access, Box]] | None:
    """Return accesses with one index in rows: the row, and the place in it.

    None if no rows of this length have all places that an access takes in one of them, or all
    indices are rows or places alone.
    """
    along = [tuple(by if by % length else 0 for by in each.rows[place]) for each, _ in some]
    across = [tuple(by // length * (not by % length) for by in e.rows[place]) for e, _ in some]
    if not any(any(_moves(row, box)) for row, (_, box) in zip(along, some, strict=True)):
        return None
    ends = [
        values_within(row, access.offset[place], box)
        for row, (access, box) in zip(along, some, strict=True)
    ]
    for begin, _ in ends:  # where rows may begin
        number = [(low - begin) // length for low, _ in ends]
        if all(
            high < begin + length * (at + 1) for (_, high), at in zip(ends, number, strict=True)
        ):
            return [
                (
                    _with_two(
                        access, place, (one, at), (other, access.offset[place] - length * at)
                    ),
                    box,
                )
                for (access, box), one, other, at in zip(some, across, along, number, strict=True)
            ]
    return None


def _with_two(access: Access, place: int, *indices: tuple[Row, int]) -> Access:
    """Return an access with two indices, rows with constants, in the place of one."""
    rows, offset = zip(*indices, strict=True)
    return replace(
        access,
        rows=(*access.rows[:place], *rows, *access.rows[place + 1 :]),
        offset=(*access.offset[:place], *offset, *access.offset[place + 1 :]),
    )


def values_within(row: Sequence[int], offset: int, run: Box) -> tuple[int, int]:
    """Return the least and the largest value of an affine function on a box."""
    ends = [(by * low, by * (high - 1)) for by, (low, high) in zip(row, run, strict=True)]
    return offset + sum(map(min, ends)), offset + sum(map(max, ends))


def common(box: Box, run: Box) -> Box:
    """Return the intersection of two boxes; some first value is not below the last if nothing."""
    pairs = zip(box, run, strict=True)
    return tuple((max(low, least), min(high, end)) for (low, high), (least, end) in pairs)


def _alone(access: Access, run: Box) -> int:
    """Return how many items one access touches."""
    some = groups(access.rows, run, access.ties)
    return prod(group.touched() for group in some if group.rows or group.ties)


def _image(access: Access, run: Box) -> Image:
    """Return the indices of the items that an access touches."""
    sets: dict[int, Values] = {
        place: (_offset(access, run, place, ()), 1, 1) for place in range(len(access.rows))
    }
    joint = {}
    for group in groups(access.rows, run, access.ties):
        offset = tuple(_offset(access, run, place, group.loops) for place in group.places)
        if len(group.rows) == 1:
            (place,) = group.places
            sets[place] = _of_index(group, offset[0])
        elif group.rows:
            for place in group.places:
                del sets[place]
            span = span_of(group.box, group.ties, group.rows, offset)
            joint[group.places] = span, group.touched()
    return Image(sets, joint)


def _offset(access: Access, run: Box, place: int, loops: Sequence[int]) -> int:
    """Return the part of an index from loops other than some."""
    rest = (by * run[at][0] for at, by in enumerate(access.rows[place]) if at not in loops)
    return access.offset[place] + sum(rest)


def same_visits(accesses: Sequence[Access], chunks: Sequence[Sequence[Chunked]]) -> bool:
    """Return whether accesses of several assignments are known to touch the same at each visit.

    Parameters
    ----------
    accesses
        One of each assignment.
    chunks
        The levels that they share, of each assignment its loops.
    """
    (first, *others) = (_told(*each) for each in zip(accesses, chunks, strict=True))
    return first is not None and all(each == first for each in others)


def _told(access: Access, chunks: Sequence[Chunked]) -> object:
    """Return a key of the items that an access touches in iterations of some levels, or None."""
    found = []
    known = {each.loop: (number, each) for number, each in enumerate(chunks)}
    for group in groups(access.rows, access.box, access.ties):
        offset = [_offset(access, access.box, place, group.loops) for place in group.places]
        levels = []
        for number, each in (known[loop] for loop in group.loops if loop in known):
            place = group.loops.index(each.loop)
            alone = [
                at for at, row in enumerate(group.rows) if row[place] == sum(map(abs, row)) == 1
            ]
            if group.rows and not alone:
                return None
            first = each.first + offset[alone[0]] if alone else group.box[place]
            levels.append((number, group.places[alone[0]] if alone else -1, each.size, first))
        span = span_of(group.box, group.ties, group.rows, tuple(offset)) if group.rows else ()
        if span or levels or group.ties:
            found.append((group.places, span, tuple(levels), () if group.rows else group.ties))
    alone_at = [at for at, row in enumerate(access.rows) if not any(_moves(row, access.box))]
    return sorted(map(repr, found)), [_offset(access, access.box, at, ()) for at in alone_at]


def _moves(row: Row, box: Box) -> Iterable[int]:
    return (by for by, (low, high) in zip(row, box, strict=True) if high - low > 1)


def _of_index(group: Group, offset: int) -> Values:
    """Return the values of the only index of a group."""
    (row,) = group.rows
    if not group.ties:
        return progression(row, offset, group.box)
    if (run := tied_progression(group.box, group.ties, row)) is not None:
        return run[0] + offset, *run[1:]
    values = values_of(group.box, group.ties, row) + offset
    if values[-1] - values[0] + 1 == values.size:
        return int(values[0]), 1, values.size
    return values
