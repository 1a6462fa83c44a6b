"""Elements of tensors as affine functions of loops: contents of views, and reads of operators.

An axis of a tensor is a product of **atoms**, (4, 8) for 32 elements in four rows of eight, so that
a reshape is affine in the atoms of its result. A **piece** says where elements of a box of atoms
come from: which array, and which item of it, an affine function of the atoms.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any

from dags.importers.rules import Shape
from dags.importers.tensor_graph import ImportedGraphError
from dags.programs.box_nests import Access
from dags.programs.tied_loops import Box, Row

Atoms = tuple[int, ...]
MOST_VALUES = 64  # of a loop that is taken apart


class NotAffineError(ImportedGraphError):
    """A graph whose operators are no loops that read affine functions of themselves."""


@dataclass(frozen=True)
class Affine:
    """A number that is affine in loops: coefficients, and a constant."""

    row: Row
    offset: int = 0

    def plus(self, addend: "Affine", factor: int = 1) -> "Affine":
        """The sum with a multiple of another."""
        row = tuple(a + factor * b for a, b in zip(self.row, addend.row, strict=True))
        return Affine(row, self.offset + factor * addend.offset)

    def ends(self, box: Box) -> tuple[int, int]:
        """The least and the largest value in a box."""
        parts = [
            (coefficient * low, coefficient * (high - 1))
            for coefficient, (low, high) in zip(self.row, box, strict=True)
        ]
        return (
            self.offset + sum(min(part) for part in parts),
            self.offset + sum(max(part) for part in parts),
        )


@dataclass(frozen=True)
class Shown:
    """A tensor as functions of the atoms of its axes, all of which have at least two values.

    Parameters
    ----------
    axes
        The atoms of each axis, the outermost first.
    pieces
        Where elements come from: accesses whose loops are the atoms, on disjoint boxes. An element
        in none of them is constant.
    """

    axes: tuple[Atoms, ...]
    pieces: tuple[Access, ...]

    @property
    def atoms(self) -> Atoms:
        """All atoms, axis by axis."""
        return sum(self.axes, ())

    def places(self, axis: int) -> range:
        """Which atoms are those of an axis."""
        first = sum(map(len, self.axes[:axis]))
        return range(first, first + len(self.axes[axis]))


def atoms_of(length: int) -> Atoms:
    """The atoms of an axis that is not cut."""
    return (length,) if length > 1 else ()


def array_of(name: str, axes: Sequence[Atoms]) -> Shown:
    """An array whose items are the values of its atoms."""
    atoms = sum(axes, ())
    box = tuple((0, atom) for atom in atoms)
    return Shown(tuple(axes), (Access(name, unit_rows(len(atoms)), (0,) * len(atoms), box),))


def unit_rows(count: int) -> tuple[Row, ...]:
    """The coefficients of each of some loops."""
    return tuple(tuple(int(i == j) for j in range(count)) for i in range(count))


def refined(length: int, several: Sequence[Atoms]) -> Atoms:
    """Atoms of an axis of which the atoms of all of some are products.

    Raises
    ------
    NotAffineError
        If there are none.
    """
    cuts = {prod(atoms[place:]) for atoms in several for place in range(len(atoms) + 1)}
    ends = sorted({*cuts, 1, length}, reverse=True)
    pairs = list(pairwise(ends))
    if any(high % low for high, low in pairs):
        raise NotAffineError(f"an axis of {length} is read in rows of lengths that mix")
    return tuple(high // low for high, low in pairs)


def read_through(
    shown: Shown, indices: Sequence[Affine], box: Box, limits: Sequence[tuple[Affine, int]] = ()
) -> Iterator[Access]:
    """Yield the reads of loops from a tensor at affine values of its atoms.

    Parameters
    ----------
    shown
        The tensor.
    indices
        Of each atom its value, by the loops.
    box
        The loops.
    limits
        Values that are inside of the tensor only from 0 to below some number.
    """
    for piece in shown.pieces:
        boxes = [box]
        inside = [(index, 0, high) for index, high in limits]
        inside += [(index, *ends) for index, ends in zip(indices, piece.box, strict=True)]
        for index, low, high in inside:
            boxes = [part for domain in boxes for part in _where(index, low, high, domain)]
        rows, offset = [], []
        for row, shift in zip(piece.rows, piece.offset, strict=True):
            total = Affine((0,) * len(box), shift)
            for index, factor in zip(indices, row, strict=True):
                total = total.plus(index, factor)
            rows.append(total.row)
            offset.append(total.offset)
        for domain in boxes:
            yield Access(piece.array, tuple(rows), tuple(offset), domain)


def _where(index: Affine, low: int, high: int, box: Box) -> Iterator[Box]:
    """Yield the disjoint boxes in which an index is from `low` to below `high`."""
    lowest, highest = index.ends(box)
    if low <= lowest and highest < high:
        yield box
        return
    several = [
        loop
        for loop, coefficient in enumerate(index.row)
        if coefficient and box[loop][1] - box[loop][0] > 1
    ]
    several.sort(key=lambda loop: box[loop][1] - box[loop][0])
    if not several:
        return
    *outer, last = several
    if outer:  # a value of the shortest loop after the other; those that see the same are one
        yield from _joined(index, low, high, box, outer[0])
        return
    coefficient, remainder = index.row[last], index.offset
    remainder += sum(
        factor * box[loop][0] for loop, factor in enumerate(index.row) if factor and loop != last
    )
    if coefficient < 0:
        coefficient, low, high, remainder = -coefficient, 1 - high, 1 - low, -remainder
    first, end = -(-(low - remainder) // coefficient), -(-(high - remainder) // coefficient)
    first, end = max(first, box[last][0]), min(end, box[last][1])
    if first < end:
        yield (*box[:last], (first, end), *box[last + 1 :])


def _joined(index: Affine, low: int, high: int, box: Box, loop: int) -> Iterator[Box]:
    """Yield the boxes of each value of a loop, equal ones of consecutive values as one."""
    if box[loop][1] - box[loop][0] > MOST_VALUES:
        raise NotAffineError("parts of a tensor are read along two long loops at once")
    before: tuple[int, list[Box]] | None = None
    for value in range(*box[loop]):
        single = (*box[:loop], (value, value + 1), *box[loop + 1 :])
        inside = [
            (*domain[:loop], (0, 0), *domain[loop + 1 :])
            for domain in _where(index, low, high, single)
        ]
        if before is not None and before[1] == inside:
            continue
        if before is not None:
            yield from _filled(before[1], loop, before[0], value)
        before = value, inside
    if before is not None:
        yield from _filled(before[1], loop, before[0], box[loop][1])


def _filled(boxes: Sequence[Box], loop: int, low: int, high: int) -> Iterator[Box]:
    return ((*domain[:loop], (low, high), *domain[loop + 1 :]) for domain in boxes)


def view_of(
    function: str, operands: Sequence[Shown], shapes: Sequence[Shape], result: Shape, arguments: Any
) -> Shown:
    """A view of tensors.

    Parameters
    ----------
    function, given
        One of `dags.importers.views.VIEWS`, and its arguments.
    operands, shapes
        The tensors, and their shapes.
    result
        The shape of the view.

    Raises
    ------
    NotAffineError
        If its elements are no affine functions of its axes.
    """
    if function == "same":
        return operands[0]
    if function == "reshape":
        return _reshaped(operands[0], result)
    if function == "join":
        return _joint(operands, shapes, result, arguments["axis"] % len(result))
    axes: dict[int, tuple[int, int, int]] = {}  # of the result: operand's axis, factor, offset
    first, shape = operands[0], shapes[0]
    if function == "transpose":
        axes = {place: (axis, 1, 0) for place, axis in enumerate(arguments["axes"])}
    elif function == "broadcast":
        ahead = len(result) - len(shape)
        axes = {ahead + axis: (axis, 1, 0) for axis, length in enumerate(shape) if length > 1}
    elif function == "spread":
        pairs = zip(arguments["axes"], shape, strict=True)
        axes = {place: (axis, 1, 0) for axis, (place, n) in enumerate(pairs) if n > 1}
    elif function == "cut":
        ends = zip(arguments["starts"], arguments["stops"], arguments["steps"], shape, strict=True)
        for axis, (start, stop, step, length) in enumerate(ends):
            low, _, stride = slice(start, stop, step).indices(length)
            axes[axis] = axis, stride, low
    elif function == "pad" and not any(arguments["between"]):
        axes = {axis: (axis, 1, -low) for axis, low in enumerate(arguments["before"])}
    elif function == "flip":
        turned = {axis % len(shape) for axis in arguments["axes"]}
        axes = {
            axis: (axis, -1, n - 1) if axis in turned else (axis, 1, 0)
            for axis, n in enumerate(shape)
        }
    elif function == "repeat" and all(
        n == 1 or stride == 1
        for n, stride in zip(shape, arguments["counts"][-len(shape) :], strict=False)
    ):
        ahead = len(result) - len(shape)
        axes = {ahead + axis: (axis, 1, 0) for axis, length in enumerate(shape) if length > 1}
    else:
        raise NotAffineError(f"{function} takes elements that are no affine function of the result")
    return _moved(first, shape, result, axes)


def _moved(
    shown: Shown, shape: Shape, result: Shape, axes: Mapping[int, tuple[int, int, int]]
) -> Shown:
    """A tensor along whose axes others go on, with a factor and an offset."""
    source_axes = {axis: shown.axes[axis] for axis in range(len(shape))}
    atoms = [
        source_axes[axes[place][0]]
        if place in axes and axes[place][1:] == (1, 0) and shape[axes[place][0]] == length
        else atoms_of(length)
        for place, length in enumerate(result)
    ]
    view = Shown(tuple(atoms), ())
    box = tuple((0, length) for length in view.atoms)
    forms: dict[int, Affine] = {atom: Affine((0,) * len(box)) for atom in range(len(shown.atoms))}
    limits = []
    for place, (axis, factor, offset) in axes.items():
        own_atoms, theirs = view.places(place), shown.places(axis)
        if atoms[place] == source_axes[axis] and (factor, offset) == (1, 0):
            forms |= {
                atom: Affine(unit_rows(len(box))[target])
                for atom, target in zip(theirs, own_atoms, strict=True)
            }
            continue
        row = [0] * len(box)
        for atom in own_atoms:
            row[atom] = factor
        index = Affine(tuple(row), offset)
        limits.append((index, shape[axis]))
        forms |= dict(zip(theirs, _digits(index, source_axes[axis], box), strict=True))
    pieces = read_through(shown, [forms[atom] for atom in sorted(forms)], box, limits)
    return replace(view, pieces=tuple(pieces))


def _digits(index: Affine, atoms: Atoms, box: Box) -> list[Affine]:
    """The atoms of an index of an axis; raises NotAffineError where they are rounded."""
    if len(atoms) <= 1:
        return [index] * len(atoms)
    indices = []
    for place, length in enumerate(atoms):
        weight = prod(atoms[place + 1 :])
        row = tuple(
            coefficient // weight if coefficient % weight == 0 else 0 for coefficient in index.row
        )
        remainder = index.plus(Affine(row), -weight)
        first, last = remainder.ends(box)
        if first // weight != last // weight:
            raise NotAffineError("an axis in rows is read in other parts")
        indices.append(Affine(row, remainder.ends(box)[0] // weight))
        index = index.plus(indices[-1], -weight)
        if not 0 <= indices[-1].ends(box)[0] <= indices[-1].ends(box)[1] < length:
            raise NotAffineError("an axis in rows is read beyond its ends")
    return indices


def _reshaped(shown: Shown, result: Shape) -> Shown:
    """A tensor in another shape: atoms of both are products of common ones."""
    total = prod(result)
    flat = refined(total, [shown.atoms, tuple(n for n in result if n > 1)])
    axes, place = [], 0
    for length in result:
        atoms: list[int] = []
        while prod(atoms) < length:
            atoms.append(flat[place])
            place += 1
        axes.append(tuple(atoms))
    box = tuple((0, length) for length in flat)
    indices, place = [], 0
    for length in shown.atoms:
        first, size = place, 1
        while size < length:
            size *= flat[place]
            place += 1
        row = [0] * len(flat)
        for atom in range(first, place):
            row[atom] = prod(flat[atom + 1 : place])
        indices.append(Affine(tuple(row)))
    return Shown(tuple(axes), tuple(read_through(shown, indices, box)))


def _joint(operands: Sequence[Shown], shapes: Sequence[Shape], result: Shape, axis: int) -> Shown:
    """Tensors one after the other along an axis.

    Where all have the same atoms along it, which tensor it is becomes one more.
    """
    first = operands[0].axes[axis]
    rows = len(first) > 1
    if rows and any(operand.axes[axis] != first for operand in operands):
        raise NotAffineError("tensors are joined along an axis in rows")
    joint = (len(operands), *first) if rows else atoms_of(result[axis])
    axes = [
        joint if place == axis else refined(length, [operand.axes[place] for operand in operands])
        for place, length in enumerate(result)
    ]
    view = Shown(tuple(axes), ())
    box = tuple((0, length) for length in view.atoms)
    units = unit_rows(len(box))
    pieces: list[Access] = []
    start = 0
    for number, (shown, shape) in enumerate(zip(operands, shapes, strict=True)):
        indices: list[Affine] = []
        limits: list[tuple[Affine, int]] = []
        for place in range(len(result)):
            places = view.places(place)
            if place != axis:
                row = [0] * len(box)
                for atom, weight in zip(places, _weights(axes[place]), strict=True):
                    row[atom] = weight
                theirs = shown.axes[place]
                indices += digits_of(Affine(tuple(row)), axes[place], theirs, places)
            elif rows:
                limits.append((Affine(units[places[0]], -number), 1))
                indices += [Affine(units[atom]) for atom in places[1:]]
            else:
                row_of = units[places[0]] if places else (0,) * len(box)
                limits.append((Affine(row_of, -start), shape[axis]))
                indices += [Affine(row_of, -start)] * len(shown.axes[axis])
        pieces += read_through(shown, indices, box, limits)
        start += shape[axis]
    return replace(view, pieces=tuple(pieces))


def _weights(atoms: Atoms) -> list[int]:
    return [prod(atoms[place + 1 :]) for place in range(len(atoms))]


def digits_of(index: Affine, finer: Atoms, atoms: Atoms, places: Sequence[int]) -> Iterator[Affine]:
    """Yield the atoms of an index whose loops are finer atoms of the same axis.

    Parameters
    ----------
    index
        The index, by loops.
    finer
        Atoms of which those wanted are products; each is a loop.
    atoms
        Those that are wanted.
    places
        The loops of the finer ones.
    """
    if len(atoms) <= 1:
        yield from [index] * len(atoms)
        return
    weights = _weights(finer)
    for place, length in enumerate(atoms):
        below = prod(atoms[place + 1 :])
        row = [0] * len(index.row)
        for atom, weight in zip(places, weights, strict=True):
            if below <= weight < below * length:
                row[atom] = weight // below
        yield Affine(tuple(row))
