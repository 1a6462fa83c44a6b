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
        """How many different indices there are; without any, 1 where there are points."""
        if not self.loops:
            return int(all(tie.constant >= 0 for tie in self.ties))
        if self.ties:
            return count_of(self.box, self.ties, self._apart)
        if len(self.rows) == 1:
            return values_taken(self.rows[0], self.box)
        return volume(self.box) if self.is_injective else count_of(self.box, (), self.rows)

    def visits(self, chunks: tuple[Chunked, ...]) -> int:
        """The sum over chunks of loops of how many indices each has."""
        if not (chunks and self.loops):
            return self.touched() if self.rows or self.ties else 1
        if self.ties:
            return count_of(self.box, self.ties, self._apart, chunks)
        if self.is_injective:
            return volume(self.box)
        total = 0
        for parts in product(*(_parts(self.box[chunk.loop], chunk) for chunk in chunks)):
            box = list(self.box)
            for (start, size, _), chunk in zip(parts, chunks, strict=True):
                box[chunk.loop] = start, start + size
            inner = self._replace(box=tuple(box)).touched() if self.rows else 1
            total += prod(alike for _, _, alike in parts) * inner
        return total


def alone(count: int) -> tuple[Row, ...]:
    """An index for each of a given number of loops, alone."""
    return tuple(tuple(int(i == j) for j in range(count)) for i in range(count))


def _parts(ends: tuple[int, int], chunk: Chunked) -> list[tuple[int, int, int]]:
    """The chunks of a loop: the first value, how many values, how many are alike."""
    (low, high), (_, size, first) = ends, chunk
    begin, end = -((first - low) // size), (high - first) // size
    start, behind = first + size * begin, first + size * end
    if begin > end:
        return [(low, high - low, 1)]
    parts = [(low, start - low, 1), (start, size, end - begin), (behind, high - behind, 1)]
    return [part for part in parts if part[1] > 0 and part[2] > 0]


@lru_cache(maxsize=1 << 12)
def groups(rows: tuple[Row, ...], box: Box, ties: tuple[Tie, ...] = ()) -> tuple[Group, ...]:
    """The loops that have several values in groups, with the indices and conditions of each.

    Conditions on loops with one value each are a group without loops.
    """
    varied = {loop for loop, (low, high) in enumerate(box) if high - low > 1}
    links = [{loop for loop in varied if row[loop]} for row in (*rows, *(tie.row for tie in ties))]
    sets: list[set[int]] = [{loop} for loop in sorted(varied)]
    for link in links:
        common = [members for members in sets if members & link]
        if common:
            sets = [members for members in sets if not members & link] + [set().union(*common)]
    parts = []
    for loops in (*map(sorted, sets), []):
        places = [place for place in range(len(rows)) if links[place] & set(loops)]
        tied = [
            tie for tie, link in zip(ties, links[len(rows) :], strict=True) if link & set(loops)
        ]
        if not loops:
            tied = [tie for tie, link in zip(ties, links[len(rows) :], strict=True) if not link]
        short = [_shortened(tie, loops, box) for tie in tied]
        if loops or short:
            part = tuple(tuple(rows[place][loop] for loop in loops) for place in places)
            ends = tuple(box[loop] for loop in loops)
            parts.append(Group(tuple(loops), ends, tuple(short), part, tuple(places)))
    return tuple(parts)


def _shortened(tie: Tie, loops: Sequence[int], box: Box) -> Tie:
    """A condition on some loops alone; the others have one value each."""
    offset = sum(
        coefficient * box[loop][0] for loop, coefficient in enumerate(tie.row) if loop not in loops
    )
    return Tie(tuple(tie.row[loop] for loop in loops), tie.constant + offset)


def points(box: Box, ties: tuple[Tie, ...]) -> int:
    """How many points of a box keep to conditions."""
    if not ties:
        return volume(box)
    return _alone(Access("", alone(len(box)), (0,) * len(box), box, ties), box)


def visits(access: Access, chunks: Sequence[Chunked]) -> int:
    """The sum over all iterations of some levels of how many items each touches.

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
    known = {chunk.loop: chunk for chunk in chunks}
    for group in groups(access.rows, access.box, access.ties):
        cuts = [
            known[loop]._replace(loop=position)
            for position, loop in enumerate(group.loops)
            if loop in known
        ]
        total *= group.visits(tuple(cuts))
    return total


@lru_cache(maxsize=1 << 12)
def _rank(rows: tuple[Row, ...]) -> int:
    return int(np.linalg.matrix_rank(np.array(rows, float)))


def touched(accesses: Sequence[Access], run: Box | None = None) -> int:
    """How many items of one array some iterations touch.

    Parameters
    ----------
    accesses
        Accesses to the array, of one assignment or (where all are run) of several.
    run
        The iterations; None for all.
    """
    boxes = [access.box if run is None else common(access.box, run) for access in accesses]
    pairs = zip(accesses, boxes, strict=True)
    kept = list(dict.fromkeys((access, box) for access, box in pairs if volume(box)))
    if len(kept) > 1:
        kept = [(access, box) for access, box in kept if not access.ties or _alone(access, box)]
    if not kept:
        return 0
    charge("set", len(kept))
    kept = _unflattened(tuple(kept))
    if len(kept) == 1:
        return _alone(*kept[0])
    return union([_image(access, box) for access, box in kept])


@lru_cache(maxsize=1 << 10)
def _unflattened(pairs: tuple[tuple[Access, Box], ...]) -> list[tuple[Access, Box]]:
    """Accesses on boxes with indices like 965 k + j as two, k and j, where they are rows.

    Items have other names then, and are as many. What an index takes is a progression no more where
    its rows are not full, and would be listed.
    """
    current, place = [*pairs], 0
    while place < len(current[0][0].rows):
        moving = [[*_moves(access.rows[place], box)] for access, box in current]
        mixed = any(sum(map(bool, row)) > 1 for row in moving)
        lengths = sorted(
            {abs(coefficient) for row in moving for coefficient in row if abs(coefficient) > 1},
            reverse=True,
        )
        cut = (_in_rows(current, place, length) for length in lengths * mixed)
        rows = next(filter(None, cut), None)
        current, place = (current, place + 1) if rows is None else (rows, place)
    return current


def _in_rows(
    pairs: Sequence[tuple[Access, Box]], place: int, length: int
) -> list[tuple[Access, Box]] | None:
    """Accesses with one index in rows: the row, and the place in it.

    None if no rows of this length have all places that an access takes in one of them, or all
    indices are rows or places alone.
    """
    inner = [
        tuple(coefficient if coefficient % length else 0 for coefficient in access.rows[place])
        for access, _ in pairs
    ]
    across = [
        tuple(coefficient // length * (not coefficient % length) for coefficient in e.rows[place])
        for e, _ in pairs
    ]
    if not any(any(_moves(row, box)) for row, (_, box) in zip(inner, pairs, strict=True)):
        return None
    ends = [
        values_within(row, access.offset[place], box)
        for row, (access, box) in zip(inner, pairs, strict=True)
    ]
    for begin, _ in ends:  # where rows may begin
        number = [(low - begin) // length for low, _ in ends]
        if all(
            high < begin + length * (position + 1)
            for (_, high), position in zip(ends, number, strict=True)
        ):
            return [
                (
                    _with_two(
                        access,
                        place,
                        (outer, row_number),
                        (rest_row, access.offset[place] - length * row_number),
                    ),
                    box,
                )
                for (access, box), outer, rest_row, row_number in zip(
                    pairs, across, inner, number, strict=True
                )
            ]
    return None


def _with_two(access: Access, place: int, *indices: tuple[Row, int]) -> Access:
    """An access with two indices, rows with constants, in the place of one."""
    rows, offset = zip(*indices, strict=True)
    return replace(
        access,
        rows=(*access.rows[:place], *rows, *access.rows[place + 1 :]),
        offset=(*access.offset[:place], *offset, *access.offset[place + 1 :]),
    )


def values_within(row: Sequence[int], offset: int, run: Box) -> tuple[int, int]:
    """The least and the largest value of an affine function on a box."""
    ends = [
        (coefficient * low, coefficient * (high - 1))
        for coefficient, (low, high) in zip(row, run, strict=True)
    ]
    return offset + sum(map(min, ends)), offset + sum(map(max, ends))


def common(box: Box, run: Box) -> Box:
    """The intersection of two boxes; some first value is not below the last if nothing."""
    pairs = zip(box, run, strict=True)
    return tuple((max(low, start), min(high, end)) for (low, high), (start, end) in pairs)


def _alone(access: Access, run: Box) -> int:
    """How many items one access touches."""
    parts = groups(access.rows, run, access.ties)
    return prod(group.touched() for group in parts if group.rows or group.ties)


def _image(access: Access, run: Box) -> Image:
    """The indices of the items that an access touches."""
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
    """The part of an index from loops other than some."""
    offset = (
        coefficient * run[loop][0]
        for loop, coefficient in enumerate(access.rows[place])
        if loop not in loops
    )
    return access.offset[place] + sum(offset)


def same_visits(accesses: Sequence[Access], chunks: Sequence[Sequence[Chunked]]) -> bool:
    """Whether accesses of several assignments are known to touch the same at each visit.

    Parameters
    ----------
    accesses
        One of each assignment.
    chunks
        The levels that they share, of each assignment its loops.
    """
    (first, *later) = (_told(*pair) for pair in zip(accesses, chunks, strict=True))
    return first is not None and all(key == first for key in later)


def _told(access: Access, chunks: Sequence[Chunked]) -> object:
    """A key of the items that an access touches in iterations of some levels, or None."""
    parts = []
    known = {chunk.loop: (number, chunk) for number, chunk in enumerate(chunks)}
    for group in groups(access.rows, access.box, access.ties):
        offset = [_offset(access, access.box, place, group.loops) for place in group.places]
        levels = []
        for number, chunk in (known[loop] for loop in group.loops if loop in known):
            place = group.loops.index(chunk.loop)
            single = [
                position
                for position, row in enumerate(group.rows)
                if row[place] == sum(map(abs, row)) == 1
            ]
            if group.rows and not single:
                return None
            first = chunk.first + offset[single[0]] if single else group.box[place]
            levels.append((number, group.places[single[0]] if single else -1, chunk.size, first))
        span = span_of(group.box, group.ties, group.rows, tuple(offset)) if group.rows else ()
        if span or levels or group.ties:
            parts.append((group.places, span, tuple(levels), () if group.rows else group.ties))
    alone_at = [
        position for position, row in enumerate(access.rows) if not any(_moves(row, access.box))
    ]
    return sorted(map(repr, parts)), [
        _offset(access, access.box, position, ()) for position in alone_at
    ]


def _moves(row: Row, box: Box) -> Iterable[int]:
    return (
        coefficient for coefficient, (low, high) in zip(row, box, strict=True) if high - low > 1
    )


def _of_index(group: Group, offset: int) -> Values:
    """The values of the only index of a group."""
    (row,) = group.rows
    if not group.ties:
        return progression(row, offset, group.box)
    if (run := tied_progression(group.box, group.ties, row)) is not None:
        return run[0] + offset, *run[1:]
    values = values_of(group.box, group.ties, row) + offset
    if values[-1] - values[0] + 1 == values.size:
        return int(values[0]), 1, values.size
    return values
