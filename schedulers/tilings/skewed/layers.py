"""Nests whose assignments take turns in a first loop, time, each a layer of values after another.

A value is in a **layer**: that of its assignment and step. Each assignment reads values some steps
back and some points away, always the same ones. Where a read has an input in place of a value, at
a border or before the first step, that input is taken for the value that would be there, a copy for
each layer: what is read is a box then, and one read of a tile. Inputs of which copies could be in
fast memory together are not: each instance loads them for itself. Or inputs that are read in many
steps are **kept** in a tile as long as each step reads them. A few that are not told by all axes,
like weights, stay throughout.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import prod

from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.tied_loops import Box, NotCountedError
from dags.programs.touched import common, touched
from schedulers.tilings.parts import items_of
from schedulers.tilings.skewed.cuts import Lean, Point, Skewed

Indices = tuple[tuple[int, ...], tuple[int, ...]]  # the places of some, and the loop of each
FEW = 64  # inputs of an array that stay throughout
MOST_SLOPE = 8  # points that tiles lean over in a step


@dataclass(frozen=True)
class Read:
    """A read of the layers of one assignment.

    Parameters
    ----------
    source, reader
        The assignments.
    step, away
        How far the reader is from the source, in steps and along each axis.
    box
        The instances of the reader that have it.
    """

    source: str
    reader: str
    step: int
    away: Point
    box: Box


@dataclass(frozen=True)
class Copied:
    """A read of an input that is taken for a value of a layer.

    Parameters
    ----------
    access
        It.
    read
        The read of that layer by the same instances.
    """

    access: Access
    read: Read


@dataclass(frozen=True)
class Layers:
    """A nest as layers.

    Parameters
    ----------
    nest
        The nest.
    reads
        All reads of layers, those of inputs that are taken for values with them.
    copied
        These.
    apart
        Of each assignment the inputs that its instances load for themselves.
    kept
        Reads of inputs that are kept from step to step, by array; sources are the arrays.
    always
        Arrays of inputs that stay throughout, and their words.
    """

    nest: BoxNest
    reads: tuple[Read, ...]
    copied: tuple[Copied, ...]
    apart: Mapping[str, tuple[Access, ...]]
    kept: Mapping[str, tuple[Copied, ...]]
    always: Mapping[str, int]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The assignments, in the order of the text."""
        return tuple(each.name for each in self.nest.assignments)

    @property
    def axes(self) -> int:
        """Number of loops besides time."""
        return len(self.nest.assignments[0].box) - 1

    def lean(self, axes: Point) -> Lean | None:
        """A coordinate that rises from what is read to what reads it; None if none does.

        Parameters
        ----------
        axes
            How often each axis is in it.
        """
        for slope in range(MOST_SLOPE + 1):
            shift = dict.fromkeys(self.names, 0)
            for _ in range(len(shift) + 1):
                before = {**shift}
                for each in self.reads:
                    ahead = -slope * each.step - _along(axes, each.away)
                    shift[each.reader] = max(shift[each.reader], shift[each.source] + ahead)
                if shift == before:
                    return Lean(axes, slope, tuple(shift.values()))
        return None

    def ahead(self, lean: Lean, read: Read) -> int:
        """How far a reader is ahead of what it reads in a coordinate."""
        shifts = dict(zip(self.names, lean.shifts, strict=True))
        more = shifts[read.reader] - shifts.get(read.source, 0)
        return _along(lean.axes, read.away) + lean.slope * read.step + more


def _along(leaning: Sequence[int], away: Point) -> int:
    return sum(times * by for times, by in zip(leaning, away, strict=True))


def layers_in(nest: BoxNest, tiles: Skewed) -> Layers:
    """The layers of a nest as tiles of it have them."""
    layers = layers_of(nest, in_steps=tiles.along is None, keeps=tiles.keeps)
    assert layers is not None  # it has such tiles
    return layers


def layers_of(nest: BoxNest, *, in_steps: bool, keeps: bool = False) -> Layers | None:
    """The layers of a nest; None where it has none.

    Parameters
    ----------
    nest
        The nest.
    in_steps
        Whether a tile is run step after step, so that copies of different steps are apart.
    keeps
        Whether inputs that are read in many steps are kept.
    """
    if not all(map(_is_layered, nest.assignments)):
        return None
    if len({len(each.box) for each in nest.assignments}) > 1:
        return None
    known = {each.name: each for each in nest.assignments}
    every = [(each, access) for each in nest.assignments for access in each.reads]
    try:
        pairs = [(each, one) for each, one in every if one.array in known]
        reads = [_read(known[one.array], each, one) for each, one in pairs]
        if not reads or any(each.step < 0 for each in reads):
            return None
        inputs = _Inputs(nest, reads, in_steps=in_steps, keeps=keeps)
        for array in dict.fromkeys(one.array for _, one in every if one.array not in known):
            inputs.take([(each.name, one) for each, one in every if one.array == array])
    except NotCountedError:
        return None
    merged = _merged([*reads, *(each.read for each in inputs.copied)])
    return Layers(
        nest, tuple(merged), tuple(inputs.copied), inputs.apart, inputs.kept, inputs.always
    )


def _is_layered(each: Assignment) -> bool:
    """Whether each instance makes an item of its own, told by its loops."""
    width = len(each.box)
    alone = tuple(tuple(int(i == j) for j in range(width)) for i in range(width))
    plain = not each.ties and not each.sums and not any(one.ties for one in each.reads)
    ends = each.outputs is None or not each.outputs.ties
    return plain and ends and width > 1 and each.numbers is not None and each.item.rows == alone


def _made_at(read: Read) -> Box:
    """The instances that make what is read, or would."""
    far = (read.step, *read.away)
    return tuple((low - by, high - by) for (low, high), by in zip(read.box, far, strict=True))


def _read(source: Assignment, reader: Assignment, access: Access) -> Read:
    """A read of values, by where the instance is that made them."""
    axes = tuple(range(len(source.box)))
    offset = _offset(access, (axes, axes))
    step, *away = (by - more for by, more in zip(source.item.offset, offset, strict=True))
    return Read(source.name, reader.name, step, tuple(away), access.box)


def _offset(access: Access, found: Indices) -> Point:
    """How far indices are from the loops that they go with.

    Raises
    ------
    NotCountedError
        If an index goes with no such loop.
    """
    offset = []
    for place, axis in zip(*found, strict=True):
        row, by = access.rows[place], access.offset[place]
        low, high = access.box[axis]
        if any(row[at] != (at == axis) for at in range(len(row))):
            if any(row) or high - low != 1:
                raise NotCountedError("an index is of several loops")
            by -= low
        offset.append(by)
    return tuple(offset)


def _axes_of(accesses: Sequence[Access]) -> Indices | None:
    """The places of indices that are no constant, and the loop of each; None if unknown."""
    places, axes = list[int](), list[int]()
    for place in range(len(accesses[0].rows)):
        loops = {at for one in accesses for at, by in enumerate(one.rows[place]) if by}
        if len(loops) > 1 or (not loops and len({one.offset[place] for one in accesses}) > 1):
            return None
        if loops:
            places.append(place)
            axes += loops
    width = len(accesses[0].box)
    told = {*axes} | {0} == {*range(width)} and len({*axes}) == len(axes)
    return (tuple(places), tuple(axes)) if told else None


class _Inputs:
    """The reads of inputs of a nest, each in one way.

    Parameters
    ----------
    nest, reads
        The nest, and its reads of values.
    in_steps, keeps
        As for `layers_of`.

    Attributes
    ----------
    copied, apart, kept, always
        As `Layers` has them.
    """

    def __init__(
        self, nest: BoxNest, reads: Sequence[Read], *, in_steps: bool, keeps: bool
    ) -> None:
        self.boxes = {each.name: each.box for each in nest.assignments}
        different = dict.fromkeys(replace(each, box=()) for each in reads)
        self.reads = sorted(different, key=lambda one: one.step)
        self.in_steps, self.keeps = in_steps, keeps
        self.copied: list[Copied] = []
        self.apart: dict[str, tuple[Access, ...]] = {}
        self.kept: dict[str, tuple[Copied, ...]] = {}
        self.always: dict[str, int] = {}

    def take(self, mine: Sequence[tuple[str, Access]]) -> None:
        """Take the reads of an array, each with its reader.

        Raises
        ------
        NotCountedError
            If an item would be taken in two ways, or may be read twice by one instance.
        """
        array = mine[0][1].array
        found = _axes_of([one for _, one in mine])
        some: list[tuple[str, Access]] = []
        if found is not None:
            is_kept = self.keeps and 0 not in found[1]
            long = [(name, one) for name, one in mine if is_kept and not _is_thin(one)]
            self.kept |= {array: tuple(_kept(long, found))} if long else {}
            some = [each for each in mine if each not in long]
            copied = self._copied(some, found)
            used = [(each.read.reader, each.access) for each in copied]
            some = [each for each in some if each not in used]
            for taken, others in ((long, [*used, *some]), (used, some)):
                if any(
                    _meet(items_of(one), items_of(two)) for _, one in taken for _, two in others
                ):
                    raise NotCountedError("an input is taken in two ways")
            self.copied += copied
        elif (words := touched([one for _, one in mine])) <= FEW:
            self.always[array] = words
        else:
            some = [*mine]
            for (reader, one), (other, two) in combinations(some, 2):
                if reader == other and _meet(one.box, two.box):
                    raise NotCountedError("an input may be read twice by one instance")
        for reader, access in some:
            self.apart[reader] = (*self.apart.get(reader, ()), access)

    def _copied(self, mine: Sequence[tuple[str, Access]], found: Indices) -> list[Copied]:
        """The reads that are taken for values of layers."""
        best: list[Copied] = []
        for source in self.boxes:
            reads = [each for each in self.reads if each.source == source]
            shifts = {
                _shift(_offset(access, found), found, read)
                for reader, access in mine
                for read in reads
                if read.reader == reader
            }
            for shift in sorted(shifts):
                tried = (self._taken(each, found, reads, shift) for each in mine)
                some = [each for each in tried if each is not None]
                best = max(best, some, key=len)
        told = 0 in found[1]  # each layer has items of its own
        return best if told else _without_overlaps(best, in_steps=self.in_steps)

    def _taken(
        self, mine: tuple[str, Access], found: Indices, reads: Sequence[Read], shift: Point
    ) -> Copied | None:
        """A read as one of layers, if nothing else is there."""
        reader, access = mine
        offset = _offset(access, found)
        for each in reads:
            if each.reader == reader and _shift(offset, found, each) == shift:
                one = replace(each, box=access.box)
                taken = (two.read for two in self.copied if two.read.source == each.source)
                places = (self.boxes[each.source], *map(_made_at, taken))
                if not any(_meet(_made_at(one), place) for place in places):
                    return Copied(access, one)
        return None


def _is_thin(access: Access) -> bool:
    """Whether an access is that of one step."""
    low, high = access.box[0]
    return high - low == 1


def _kept(mine: Sequence[tuple[str, Access]], found: Indices) -> Iterator[Copied]:
    """Yield reads of an array whose items are told by the axes, from these."""
    for reader, access in mine:
        by_axis = dict(zip(found[1], _offset(access, found), strict=True))
        away = tuple(-by_axis[axis] for axis in range(1, len(access.box)))
        yield Copied(access, Read(access.array, reader, 0, away, access.box))


def _shift(offset: Point, found: Indices, read: Read) -> Point:
    """How far items of an array are from the instances that would have made them."""
    far = (read.step, *read.away)
    return tuple(by + far[axis] for by, axis in zip(offset, found[1], strict=True))


def _without_overlaps(some: Sequence[Copied], *, in_steps: bool) -> list[Copied]:
    """Reads of inputs of which no two copies are in fast memory together.

    In steps each copy is read in one step, if all reads of an item are as many steps back;
    otherwise only what is read in a single step is kept, of one layer.
    """

    def layer(each: Copied) -> int:
        return each.access.box[0][0] - each.read.step

    if in_steps and not any(
        one.read.step != two.read.step
        and not (_is_thin(one.access) and _is_thin(two.access) and layer(one) == layer(two))
        and _meet(items_of(one.access), items_of(two.access))
        for one, two in combinations(some, 2)
    ):
        return list(some)
    thin = [each for each in some if _is_thin(each.access)]
    return [each for each in thin if layer(each) == min(map(layer, thin))]


def _meet(one: Box, other: Box) -> bool:
    return volume(common(one, other)) > 0


def _merged(reads: Sequence[Read]) -> Iterator[Read]:
    """Yield reads, those of one box in pieces as one."""
    alike: dict[tuple[str, str, int, Point], list[Box]] = {}
    for each in reads:
        boxes = alike.setdefault((each.source, each.reader, each.step, each.away), [])
        if each.box not in boxes:
            boxes.append(each.box)
    for key, boxes in alike.items():
        ends = [
            (min(low for low, _ in one), max(high for _, high in one))
            for one in zip(*boxes, strict=True)
        ]
        apart = not any(_meet(one, two) for one, two in combinations(boxes, 2))
        whole = apart and sum(map(volume, boxes)) == prod(high - low for low, high in ends)
        for box in [tuple(ends)] if whole else boxes:
            yield Read(*key, box)
