"""Views of tensors: where each element of a copy, a slice or a concatenation comes from.

They act on arrays that hold the vertex of each element, -1 for a constant, as NumPy acts on
arrays of values. No vertex is made: the elements are those that were there.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

import numpy as np

from dags.arrays import Int32Array
from dags.errors import one_line
from dags.importers.tensor_graph import ImportedGraphError

CONSTANT: Final = -1
MAX_COPIED: Final = 2**29  # elements of a tensor that a view does not only show
Ints = Sequence[int]


def _require_room(*lengths: int) -> None:
    elements = math.prod(max(length, 0) for length in lengths)
    if elements > MAX_COPIED:
        raise ValueError(f"it has {elements} elements, and at most {MAX_COPIED} are laid out")


def same(cells: Int32Array) -> Int32Array:
    """The tensor as it is."""
    return cells


def reshape(cells: Int32Array, shape: Ints) -> Int32Array:
    """The elements in another shape, in C order."""
    if any(cells.strides):
        _require_room(*cells.shape)
    return cells.reshape(tuple(shape))


def transpose(cells: Int32Array, axes: Ints) -> Int32Array:
    """The tensor with its axes in another order."""
    return cells.transpose(tuple(axes))


def broadcast(cells: Int32Array, shape: Ints) -> Int32Array:
    """The tensor repeated to a shape, by NumPy's rule."""
    return np.broadcast_to(cells, tuple(shape))


def spread(cells: Int32Array, shape: Ints, axes: Ints) -> Int32Array:
    """The tensor repeated to a shape, of which its own axes are some."""
    lengths = [1] * len(shape)
    for axis, length in zip(axes, cells.shape, strict=True):
        lengths[axis] = length
    return np.broadcast_to(cells.reshape(lengths), tuple(shape))


def cut(cells: Int32Array, starts: Sequence[Any], stops: Sequence[Any], steps: Ints) -> Int32Array:
    """A slice along each axis; None is an end."""
    return cells[tuple(map(slice, starts, stops, steps))]


def join(*cells: Int32Array, axis: int) -> Int32Array:
    """A concatenation."""
    _require_room(sum(cells_of_operand.size for cells_of_operand in cells))
    return np.concatenate(cells, axis=axis)


def take(cells: Int32Array, axis: int, indices: Any) -> Int32Array:
    """The elements at constant indices of an axis."""
    places = np.asarray(indices, np.int64)
    _require_room(*np.delete(cells.shape, axis).tolist(), places.size)
    return np.take(cells, places, axis=axis)


def pad(cells: Int32Array, before: Ints, after: Ints, between: Ints) -> Int32Array:
    """The tensor with constants around it and between its elements; negative ends cut."""
    lengths = [
        (length - 1) * (gap + 1) + 1 if length else 0
        for length, gap in zip(cells.shape, between, strict=True)
    ]
    _require_room(
        *(n + max(a, 0) + max(b, 0) for n, a, b in zip(lengths, before, after, strict=True))
    )
    spread = np.full(lengths, CONSTANT, np.int32)
    spread[tuple(slice(None, None, gap + 1) for gap in between)] = cells
    wide = np.pad(
        spread,
        [(max(low, 0), max(high, 0)) for low, high in zip(before, after, strict=True)],
        constant_values=CONSTANT,
    )
    ends = zip(wide.shape, before, after, strict=True)
    return wide[tuple(slice(max(-low, 0), n - max(-high, 0)) for n, low, high in ends)]


def repeat(cells: Int32Array, counts: Ints) -> Int32Array:
    """The tensor side by side with itself, so many times along each axis."""
    _require_room(cells.size, *counts)
    return np.tile(cells, tuple(counts))


def flip(cells: Int32Array, axes: Ints) -> Int32Array:
    """The tensor with some axes turned round."""
    return np.flip(cells, tuple(axes))


VIEWS: Final[Mapping[str, Callable[..., Int32Array]]] = {
    "broadcast": broadcast,
    "cut": cut,
    "flip": flip,
    "join": join,
    "pad": pad,
    "repeat": repeat,
    "reshape": reshape,
    "same": same,
    "spread": spread,
    "take": take,
    "transpose": transpose,
}


View = tuple[str, dict[str, Any]]  # a function and its arguments


def slice_of(rank: int, axis: int, low: Any, high: Any, step: int = 1) -> View:
    """The view of a slice of one axis; None is an end."""
    bounds: list[list[Any]] = [[None] * rank, [None] * rank, [1] * rank]
    bounds[0][axis], bounds[1][axis], bounds[2][axis] = low, high, step
    return "cut", dict(zip(("starts", "stops", "steps"), bounds, strict=True))


def slices_of(rank: int, axis: int, lengths: Sequence[int]) -> list[View]:
    """The views of slices of an axis that follow each other."""
    ends = [0, *accumulate(lengths)]
    return [slice_of(rank, axis, low, high) for low, high in pairwise(ends)]


def viewed(function: str, cells: Sequence[Int32Array], arguments: Mapping[str, Any]) -> Int32Array:
    """A view of tensors.

    Parameters
    ----------
    function
        One of `VIEWS`.
    cells
        The vertex of each element of each operand.
    arguments
        Those of the function.

    Raises
    ------
    ImportedGraphError
        If it does not fit the operands.
    """
    try:
        return VIEWS[function](*cells, **arguments)
    except (ValueError, IndexError, TypeError, OverflowError, MemoryError) as error:
        raise ImportedGraphError(
            f"{function} does not fit its operands: {one_line(error)}"
        ) from None


def shape_viewed(
    function: str, shapes: Sequence[Sequence[int]], arguments: Mapping[str, Any]
) -> tuple[int, ...]:
    """Return the shape of a view of tensors of some shapes; raise as `viewed` does."""
    cells = [np.broadcast_to(np.int32(0), tuple(shape)) for shape in shapes]
    return tuple(viewed(function, cells, arguments).shape)
