"""Views of tensors: where each element of a copy, a slice or a concatenation comes from.

They act on arrays that hold the vertex of each element, -1 for a constant, as NumPy acts on
arrays of values. No vertex is made: the elements are those that were there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from dags.arrays import Int32Array

CONSTANT: Final = -1
Ints = Sequence[int]


def same(cells: Int32Array) -> Int32Array:
    """Return the tensor as it is."""
    return cells


def reshape(cells: Int32Array, shape: Ints) -> Int32Array:
    """Return the elements in another shape, in C order."""
    return cells.reshape(tuple(shape))


def transpose(cells: Int32Array, axes: Ints) -> Int32Array:
    """Return the tensor with its axes in another order."""
    return cells.transpose(tuple(axes))


def broadcast(cells: Int32Array, shape: Ints) -> Int32Array:
    """Return the tensor repeated to a shape, by NumPy's rule."""
    return np.broadcast_to(cells, tuple(shape))


def spread(cells: Int32Array, shape: Ints, axes: Ints) -> Int32Array:
    """Return the tensor repeated to a shape, of which its own axes are some."""
    lengths = [1] * len(shape)
    for axis, length in zip(axes, cells.shape, strict=True):
        lengths[axis] = length
    return np.broadcast_to(cells.reshape(lengths), tuple(shape))


def cut(cells: Int32Array, starts: Sequence[Any], stops: Sequence[Any], steps: Ints) -> Int32Array:
    """Return a slice along each axis; None is an end."""
    return cells[tuple(map(slice, starts, stops, steps))]


def join(*cells: Int32Array, axis: int) -> Int32Array:
    """Return a concatenation."""
    return np.concatenate(cells, axis=axis)


def take(cells: Int32Array, axis: int, indices: Any) -> Int32Array:
    """Return the elements at constant indices of an axis."""
    return np.take(cells, np.asarray(indices, np.int64), axis=axis)


def pad(cells: Int32Array, before: Ints, after: Ints, between: Ints) -> Int32Array:
    """Return the tensor with constants around it and between its elements; negative ends cut."""
    lengths = [
        (length - 1) * (gap + 1) + 1 if length else 0
        for length, gap in zip(cells.shape, between, strict=True)
    ]
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
    """Return the tensor side by side with itself, so many times along each axis."""
    return np.tile(cells, tuple(counts))


def flip(cells: Int32Array, axes: Ints) -> Int32Array:
    """Return the tensor with some axes turned round."""
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
