"""Nests whose assignments take turns in a first loop, time, each a layer of values after another.

A value is in a **layer**: that of its assignment and step. Each assignment reads values some steps
back and some points away, always the same ones. Where a read has an input in place of a value, at
a border or before the first step, that input is taken for the value that would be there, a copy for
each layer: what is read is a box then, and one read of a tile. Inputs of which copies could be in
fast memory together are not: each instance loads them for itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from math import prod

from dags.programs.box_nests import Access, Assignment, BoxNest, volume
from dags.programs.tied_loops import Box, NotCountedError
from dags.programs.touched import common
from schedulers.tilings.skewed.cuts import Lean, Point, Skewed

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
    """

    nest: BoxNest
    reads: tuple[Read, ...]
    copied: tuple[Copied, ...]
    apart: Mapping[str, tuple[Access, ...]]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The assignments, in the order of the text."""
        return tuple(each.name for each in self.nest.assignments)

    @property
    def axes(self) -> int:
        """Number of loops besides time."""
        return len(self.nest.assignments[0].box) - 1

    def lean(self, axes: Point) -> Lean | None:
        """Return a coordinate that rises from what is read to what reads it; None if none does.

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
        """Return how far a reader is ahead of what it reads in a coordinate."""
        reader, source = (
            lean.shifts[self.names.index(each)] for each in (read.reader, read.source)
        )
        return _along(lean.axes, read.away) + lean.slope * read.step + reader - source


def _along(leaning: Sequence[int], away: Point) -> int:
    return sum(times * by for times, by in zip(leaning, away, strict=True))


def layers_in(nest: BoxNest, tiles: Skewed) -> Layers:
    """Return the layers of a nest as tiles of it have them."""
    layers = layers_of(nest, in_steps=tiles.along is None)
    assert layers is not None  # it has such tiles
    return layers


def layers_of(nest: BoxNest, *, in_steps: bool) -> Layers | None:
    """Return the layers of a nest; None where it has none.

    Parameters
    ----------
    nest
        The nest.
    in_steps
        Whether a tile is run step after step, so that copies of different steps are apart.
    """
    if not all(map(_is_layered, nest.assignments)):
        return None
    if len({len(each.box) for each in nest.assignments}) > 1:
        return None
    known = {each.name: each for each in nest.assignments}
    try:
        reads = [
            _read(known[access.array], each, access)
            for each in nest.assignments
            for access in each.reads
            if access.array in known
        ]
        if not reads or any(each.step < 0 for each in reads):
            return None
        copied, apart = list[Copied](), dict[str, tuple[Access, ...]]()
        arrays = {one.array: None for each in nest.assignments for one in each.reads}
        for array in arrays.keys() - known.keys():
            mine = [(e, one) for e in nest.assignments for one in e.reads if one.array == array]
            some, left = _copies(mine, reads, known, in_steps=in_steps)
            if any(map(_is_taken_twice, product(copied, some))):
                return None
            copied += some
            for reader, access in left:
                apart[reader] = (*apart.get(reader, ()), access)
    except NotCountedError:
        return None
    every = (*reads, *(each.read for each in copied))
    return Layers(nest, tuple(_merged(every)), tuple(copied), apart)


def _is_layered(each: Assignment) -> bool:
    """Return whether each instance makes an item of its own, told by its loops."""
    width = len(each.box)
    alone = tuple(tuple(int(i == j) for j in range(width)) for i in range(width))
    plain = not each.ties and not each.sums and not any(one.ties for one in each.reads)
    ends = each.outputs is None or not each.outputs.ties
    return plain and ends and width > 1 and each.numbers is not None and each.item.rows == alone


def _is_taken_twice(pair: tuple[Copied, Copied]) -> bool:
    """Return whether two inputs may be taken for one value."""
    one, two = (each.read for each in pair)
    return one.source == two.source and _meet(_made_at(one), _made_at(two))


def _made_at(read: Read) -> Box:
    """Return the instances that make what is read, or would."""
    far = (read.step, *read.away)
    return tuple((low - by, high - by) for (low, high), by in zip(read.box, far, strict=True))


def _read(source: Assignment, reader: Assignment, access: Access) -> Read:
    """Return a read of values, by where the instance is that made them."""
    axes = tuple(range(len(source.box)))
    offset = _offset(access, axes)
    step, *away = (by - more for by, more in zip(source.item.offset, offset, strict=True))
    return Read(source.name, reader.name, step, tuple(away), access.box)


def _offset(access: Access, axes: Sequence[int]) -> Point:
    """Return how far each index is from the loop that it goes with.

    Raises
    ------
    NotCountedError
        If an index goes with no such loop.
    """
    found = []
    for row, by, axis in zip(access.rows, access.offset, axes, strict=True):
        low, high = access.box[axis]
        if any(row[at] != (at == axis) for at in range(len(row))):
            if any(row) or high - low != 1:
                raise NotCountedError("an index is of several loops")
            by -= low
        found.append(by)
    return tuple(found)


def _axes_of(accesses: Sequence[Access]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the places of indices that are no constant, and the loop of each; None if unknown."""
    places, axes = list[int](), list[int]()
    for place in range(len(accesses[0].rows)):
        loops = {at for one in accesses for at, by in enumerate(one.rows[place]) if by}
        if len(loops) > 1 or (not loops and len({one.offset[place] for one in accesses}) > 1):
            return None
        if loops:
            places.append(place)
            axes += loops
    width = len(accesses[0].box)
    return (tuple(places), tuple(axes)) if {*axes} | {0} == {*range(width)} else None


def _copies(
    mine: Sequence[tuple[Assignment, Access]],
    reads: Sequence[Read],
    known: Mapping[str, Assignment],
    *,
    in_steps: bool,
) -> tuple[list[Copied], list[tuple[str, Access]]]:
    """Return the reads of an array that are of layers, and those that are apart.

    Raises
    ------
    NotCountedError
        If the same items are of both, or are read twice by one instance.
    """
    accesses = [one for _, one in mine]
    found = _axes_of(accesses)
    some: list[Copied] = []
    if found is not None and len({*found[1]}) == len(found[1]):
        for source in known.values():
            tried = _taken(mine, [one for one in reads if one.source == source.name], source, found)
            if len(tried) > len(some):
                some = tried
    told = found is not None and 0 in found[1]  # each layer has items of its own
    kept = some if told else _without_overlaps(some, in_steps=in_steps)
    used = [each.access for each in kept]
    left = [(each.name, one) for each, one in mine if one not in used]
    for (reader, one), (other, two) in combinations(left, 2):
        if found is None and reader == other and _meet(one.box, two.box):
            raise NotCountedError("an input may be read twice by one instance")
    for each in kept:
        for _, one in left:
            if found is None or _meet(_items(each.access), _items(one)):
                raise NotCountedError("an input is of layers and apart")
    return kept, left


def _taken(
    mine: Sequence[tuple[Assignment, Access]],
    reads: Sequence[Read],
    source: Assignment,
    found: tuple[tuple[int, ...], tuple[int, ...]],
) -> list[Copied]:
    """Return the reads of an array that may be of the layers of an assignment."""
    places, axes = found
    best: list[Copied] = []
    offsets = {}
    for each, access in mine:
        short = Access(
            access.array,
            tuple(access.rows[place] for place in places),
            tuple(access.offset[place] for place in places),
            access.box,
        )
        offsets[each.name, access] = _offset(short, axes)
    fars = {(read.reader, read.step, read.away): read for read in reads}
    shifts = {
        _shift(offset, axes, read)
        for (reader, _), offset in offsets.items()
        for read in fars.values()
        if read.reader == reader
    }
    for shift in sorted(shifts):
        some = []
        for (reader, access), offset in offsets.items():
            for read in fars.values():
                if read.reader != reader or _shift(offset, axes, read) != shift:
                    continue
                one = replace(read, box=access.box)
                if not _meet(_made_at(one), source.box):
                    some.append(Copied(access, one))
                    break
        if len(some) > len(best):
            best = some
    return best


def _shift(offset: Point, axes: Sequence[int], read: Read) -> Point:
    """Return how far items of an array are from the instances that would have made them."""
    far = (read.step, *read.away)
    return tuple(by + far[axis] for by, axis in zip(offset, axes, strict=True))


def _without_overlaps(some: Sequence[Copied], *, in_steps: bool) -> list[Copied]:
    """Return reads of inputs of which no two copies are in fast memory together.

    In steps each copy is read in one step, if all reads of an item are as many steps back;
    otherwise only what is read in a single step is kept.
    """
    if in_steps:
        meet = any(
            one.read.step != two.read.step and _meet(_items(one.access), _items(two.access))
            for one, two in combinations(some, 2)
        )
        if not meet:
            return list(some)
    thin = [each for each in some if each.access.box[0][1] - each.access.box[0][0] == 1]
    layers = [each.access.box[0][0] - each.read.step for each in thin]
    return [each for each, layer in zip(thin, layers, strict=True) if layer == min(layers)]


def _items(access: Access) -> Box:
    """Return the least box with the items of an access."""
    found = []
    for row, by in zip(access.rows, access.offset, strict=True):
        ends = [(k * low, k * (high - 1)) for k, (low, high) in zip(row, access.box, strict=True)]
        found.append((by + sum(map(min, ends)), by + sum(map(max, ends)) + 1))
    return tuple(found)


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
