"""Loads and stores of tiles that lean over, counted axis by axis.

At a step the instances of an assignment in a tile are a box, and so are those of a read. So the
values of a layer that a tile reads and has not made are points of which each axis says whether it
is in some boxes; summed over all tiles, such products are products of sums over the tiles along
each axis. An axis is cut where a box begins or ends; between cuts all points are in the same boxes.
The sums depend on the place of the layer's tiles alone, which repeats.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.programs.box_nests import Assignment
from dags.programs.tied_loops import NotCountedError
from dags.programs.touched import points
from schedulers.tilings.skewed.cuts import Skewed
from schedulers.tilings.skewed.layers import Layers, Read

SAFE, MOST_BITS, MOST_STEPS = 2**62, 62, 1 << 21
Bools = npt.NDArray[np.bool_]
Ends = tuple[int, int]


class _Interval(NamedTuple):
    """Points of an axis of which something is so, and how far ahead their reader is in a tile."""

    ends: Ends
    ahead: int


class _Axis(NamedTuple):
    """Points of an axis, and tiles along it, by what is so.

    Attributes
    ----------
    counts
        (places, kinds) pairs of a point and a tile, by the place of tiles and the kind.
    made, out
        (kinds,) whether the tile makes the value; whether it does and the value is an output.
    read
        Of each read (kinds,) whether the tile has the reader.
    wanted
        Of each read (kinds,) whether the tile makes the value, and there is a reader.
    """

    counts: Int64Array
    made: Bools
    out: Bools
    read: list[Bools]
    wanted: list[Bools]


def skewed_words(layers: Layers, tiles: Skewed) -> tuple[int, int]:
    """Return the words that tiles load and store in all.

    Parameters
    ----------
    layers, tiles
        The nest, and its tiles.

    Raises
    ------
    NotCountedError
        If a layer is read in very many ways, or there are very many steps.
    """
    alone = (points(each.box, each.ties) for some in layers.apart.values() for each in some)
    loads, stores = sum(alone) + sum(layers.always.values()), 0
    for each in layers.nest.assignments:
        reads = [one for one in layers.reads if one.source == each.name]
        moved = _Layer(layers, tiles, each, reads).words()
        loads, stores = loads + moved[0], stores + moved[1]
    for some in layers.kept.values():
        loads += _Layer(layers, tiles, None, [each.read for each in some]).words()[0]
    return loads, stores


class _Layer:
    """The layers of one assignment; without one, inputs that are kept, as in each step."""

    def __init__(
        self, layers: Layers, tiles: Skewed, maker: Assignment | None, reads: Sequence[Read]
    ) -> None:
        self.layers, self.tiles = layers, tiles
        self.name = "" if maker is None else maker.name
        nothing = ((0, 0),) * (1 + layers.axes)
        self.box = nothing if maker is None else maker.box
        self.out = nothing if maker is None else _outputs(maker)
        before = [replace(each, step=-1) for each in reads] if maker is None else []
        self.reads = [*reads, *before]

    def words(self) -> tuple[int, int]:
        """The words that tiles load and store of all layers."""
        ends = [self.box[0]] * bool(self.name)
        ends += [
            (low - one.step, high - one.step) for one in self.reads for low, high in one.box[:1]
        ]
        if not ends:
            return 0, 0
        begin, end = min(low for low, _ in ends), max(high for _, high in ends)
        if end - begin > MOST_STEPS:
            raise NotCountedError("there are very many steps")
        steps = np.arange(begin, end)
        kinds, kind = _rows(self._kinds(steps))
        places, axes = [kind], list[_Axis]()
        for axis in range(self.layers.axes):
            of_tiles, place = np.unique(self._place(steps, axis), return_inverse=True)
            axes.append(self._axis(axis, of_tiles))
            places.append(place)
        alike, place = _rows(np.stack(places, axis=1))
        times = np.bincount(place)
        moved = [0, 0]
        for number, row in enumerate(kinds):
            some = alike[:, 0] == number
            counts = [a.counts[at] for a, at in zip(axes, alike[some, 1:].T, strict=True)]
            for way, which in enumerate(self._which(row.tolist(), axes)):
                moved[way] += _sum(which, counts, times[some])
        return moved[0], moved[1]

    def _kinds(self, steps: Int64Array) -> Int64Array:
        """(steps, 2 + 2 reads) if made, if output, and if read and how many bands later."""
        begin = min(each.box[0][0] for each in self.layers.nest.assignments)
        columns = [_within(steps, ends) for ends in (self.box[0], self.out[0])]
        band = (steps - begin) // self.tiles.height
        for each in self.reads:
            later = (steps + each.step - begin) // self.tiles.height - band
            active = _within(steps + each.step, each.box[0]) & (later >= 0)
            columns += [active, np.where(active, later, 0)]
        return np.stack(columns, axis=1).astype(np.int64)

    def _place(self, steps: Int64Array, axis: int) -> Int64Array:
        """(steps,) where the tiles along an axis are at each step."""
        lean, side = self.tiles.leans[axis], self.tiles.sides[axis]
        return lean.slope * steps % side if lean is not None and side else 0 * steps

    def _axis(self, axis: int, of_tiles: Int64Array) -> _Axis:
        """The points of an axis, and the tiles along it, at places of the tiles."""
        lean = self.tiles.leans[axis]
        made = _Interval(self.box[1 + axis], 0)
        some = [made]
        for each in self.reads:
            (low, high), by = each.box[1 + axis], each.away[axis]
            ahead = 0 if lean is None else self.layers.ahead(lean, each)
            some.append(_Interval((low - by, high - by), ahead))
        different = list(dict.fromkeys(some))
        shift = 0
        if lean is not None and self.name:
            shift = lean.shifts[self.layers.names.index(self.name)]
        signs, counts = _signed(
            different, self.out[1 + axis], of_tiles + shift, self.tiles.sides[axis]
        )
        bits = (signs[:, None] >> np.arange(2 * len(different) + 1) & 1).astype(bool).T
        at = [different.index(each) for each in some[1:]]
        return _Axis(
            counts,
            bits[0],
            bits[2 * len(different)],
            [bits[each] for each in at],
            [bits[len(different) + each] for each in at],
        )

    def _which(self, kind: list[int], axes: Sequence[_Axis]) -> tuple[Int64Array, Int64Array]:
        """(kinds, ...) how often a value is loaded by a tile, and stored."""
        made, out, *rest = kind
        active = [(at, rest[2 * at + 1]) for at in range(len(self.reads)) if rest[2 * at]]
        makes = _every([each.made for each in axes])
        nothing = np.zeros_like(makes)
        read = {at: _every([each.read[at] for each in axes]) for at, _ in active}
        loads = nothing.astype(np.int64)
        if not self.name:
            own, before = (
                reduce(or_, (read[at] for at, _ in active if self.reads[at].step == step), nothing)
                for step in (0, -1)
            )
            return (own & ~before).astype(np.int64), loads
        for band in {later for _, later in active}:
            own = reduce(or_, (read[at] for at, later in active if later == band))
            loads += own & ~makes if made and not band else own
        if not made:
            return loads, 0 * loads
        left = _every([each.out for each in axes]) if out else nothing
        for at, later in active:
            wanted = _every([each.wanted[at] for each in axes])
            left = left | (wanted & ~read[at] if not later else wanted)
        return loads, (left & makes).astype(np.int64)


def _outputs(maker: Assignment) -> Sequence[Ends]:
    """The instances that make outputs."""
    if maker.outputs is None:
        return ((0, 0),) * len(maker.box)
    found = []
    for axis, (row, by) in enumerate(zip(maker.outputs.rows, maker.outputs.offset, strict=True)):
        low, high = maker.outputs.box[axis] if any(row) else (0, 1)
        back = by - maker.item.offset[axis]
        found.append((low + back, high + back))
    return found


def _within(values: Int64Array, ends: Ends) -> Bools:
    return (values >= ends[0]) & (values < ends[1])


def _rows(some: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The different rows of numbers from 0 on, and the number of each of its own."""
    number = np.zeros(len(some), np.int64)
    for column in some.T:
        number = np.unique(number * (1 + column.max()) + column, return_inverse=True)[1].reshape(-1)
    first = np.zeros(int(number.max()) + 1, np.int64)
    first[number] = np.arange(len(some))
    return some[first], number


def _every(some: Sequence[Bools]) -> Bools:
    """(kinds, ...) whether all axes say so."""
    return reduce(np.logical_and.outer, some)


def _signed(
    some: Sequence[_Interval], out: Ends, of_tiles: Int64Array, side: int
) -> tuple[Int64Array, Int64Array]:
    """Kinds of pairs of a point and a tile, and how many there are of each.

    Parameters
    ----------
    some
        Intervals; the tiles of the first are the makers.
    out
        Points that are outputs.
    of_tiles, side
        Where tiles begin, and their length; 0 for a single tile.

    Returns
    -------
    signs, counts
        (kinds,) bits: for each interval whether the tile has the reader of the point, and, if it
        is the maker, whether the point is in; at last if it is, and the point an output. And
        (places, kinds) numbers of pairs.
    """
    count = len(some)
    if 2 * count + 1 > MOST_BITS:
        raise NotCountedError("a layer is read in very many ways")
    some, out, alike = _shortened(some, out, side)
    cuts = _cuts(
        [*(end for each in some for end in each.ends), *out, *(low for low, _ in alike)],
        some,
        of_tiles,
        side,
    )
    start, width = cuts[:, :-1], np.diff(cuts, axis=1)
    for low, times in alike:
        width = np.where(_within(start, (low, low + side)), times * width, width)
    inside = [_within(start, each.ends) for each in some]
    at = [(start + of_tiles[:, None] + each.ahead) // side if side else 0 * start for each in some]
    signs, sizes = list[Int64Array](), list[Int64Array]()
    for leader in range(count):
        same = [inside[each] & (at[each] == at[leader]) for each in range(count)]
        new = inside[leader] & ~reduce(or_, same[:leader], np.zeros_like(inside[0]))
        flags = [*same] if leader else [*same, *inside, _within(start, out)]
        signs.append(np.sum([flag * (1 << bit) for bit, flag in enumerate(flags)], axis=0))
        sizes.append(width * new)
    kinds, kind = np.unique(np.stack(signs), return_inverse=True)
    place = np.broadcast_to(np.arange(len(start))[:, None], (count, *start.shape))
    flat = (place * len(kinds) + kind.reshape(place.shape)).reshape(-1)
    counts = np.zeros(len(start) * len(kinds), np.int64)
    np.add.at(counts, flat, np.stack(sizes).reshape(-1))
    return kinds, counts.reshape(len(start), len(kinds))


def _shortened(
    some: Sequence[_Interval], out: Ends, side: int
) -> tuple[Sequence[_Interval], Ends, list[tuple[int, int]]]:
    """Intervals without whole tiles in which nothing begins or ends.

    Of alike tiles between two ends one is left: with it come where it begins, and how many.
    """
    ends = sorted({*(end for each in some for end in each.ends), *out})
    if not side:
        return some, out, []
    moved, back, alike = {ends[0]: ends[0]}, 0, list[tuple[int, int]]()
    for low, high in pairwise(ends):
        times = (high - low) // side
        if times > 1:
            back += (times - 1) * side
            alike.append((high - back - side, times))
        moved[high] = high - back
    shorter = [each._replace(ends=(moved[each.ends[0]], moved[each.ends[1]])) for each in some]
    return shorter, (moved[out[0]], moved[out[1]]), alike


def _cuts(
    borders: Sequence[int], some: Sequence[_Interval], of_tiles: Int64Array, side: int
) -> Int64Array:
    """(places, cuts) rising points between which nothing begins or ends."""
    low, high = min(borders), max(borders)
    found = [np.broadcast_to(np.array(borders), (len(of_tiles), len(borders)))]
    if side:
        tiles = np.arange((high - low) // side + 2) * side
        for ahead in {each.ahead for each in some}:
            first = low + (-(low + of_tiles + ahead)) % side
            found.append(np.minimum(first[:, None] + tiles, high))
    return np.sort(np.concatenate(found, axis=1), axis=1)


def _sum(which: Int64Array, counts: Sequence[Int64Array], times: Int64Array) -> int:
    """The sum over rows of the products of what axes count, of the kinds that count."""
    most = float(times.sum()) * float(which.max(initial=0))
    for each in counts:
        most *= float(each.sum(axis=1).max(initial=0))
    kind: Any = np.int64 if most < SAFE else object
    total = np.tensordot(counts[0].astype(kind), which.astype(kind), (1, 0))
    for each in counts[1:]:
        total = (total * each.reshape(each.shape + (1,) * (total.ndim - 2))).sum(axis=1)
    return int((total * times.astype(kind)).sum())
