"""Rules of operators: what a part of a result needs of each operand, and the operations.

All tools have the same few kinds of operators; only names and attributes differ.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dags.importers.tensor_graph import Along, Reads

Shape = tuple[int, ...]
SOFTMAX: Final = 5  # maximum, difference, exponential, sum, quotient
NORMALISATION: Final = 7  # sum, deviation, square, its sum, quotient, scale, shift
SCALE_AND_SHIFT: Final = 2


@dataclass(frozen=True)
class Rule:
    """Reads, axes that are not cut, and work, as `TensorOperator` has them."""

    reads: tuple[Reads, ...] | None
    work: int
    whole: tuple[int, ...] = ()


def pointwise(shapes: Sequence[Shape], result: Shape, each: int = 1) -> Rule:
    """Return the rule of an elementwise operator with NumPy's broadcasting.

    Parameters
    ----------
    shapes, result
        Those of the operands and the result.
    each
        Operations for an element of the result.
    """
    reads = tuple(aligned(shape, result) for shape in shapes)
    return Rule(reads, each * math.prod(result))


def aligned(shape: Shape, result: Shape) -> Reads:
    """Return what an element needs of an operand that is broadcast to a shape."""
    ahead = len(result) - len(shape)
    return tuple(
        Along(ahead + axis) if ahead + axis >= 0 and length == result[ahead + axis] > 1 else None
        for axis, length in enumerate(shape)
    )


def along_axes(shapes: Sequence[Shape], result: Shape, axes: Sequence[int], each: int = 1) -> Rule:
    """Return the rule of an operator that goes along some axes of its first operand.

    Softmax and normalisation keep the axes, so that results have them; they are not cut. Other
    operands are broadcast.

    Parameters
    ----------
    shapes, result
        Those of the operands and the result, which is like the first operand.
    axes
        The axes that a result needs all of.
    each
        Operations for an element of the result.
    """
    gone = {axis % max(len(result), 1) for axis in axes}
    reads = tuple(
        tuple(None if along is None or along.axis in gone else along for along in row)
        for row in (aligned(shape, result) for shape in shapes)
    )
    return Rule(reads, each * math.prod(result), tuple(sorted(gone)))


def reduction(shape: Shape, axes: Sequence[int], keep: bool) -> Rule:
    """Return the rule of a sum, a maximum or a mean over some axes: an operation an element.

    Parameters
    ----------
    shape
        That of the operand.
    axes
        The axes that are summed; none for all.
    keep
        Whether they stay, with length 1.
    """
    gone = {axis % len(shape) for axis in axes} or set(range(len(shape)))
    left = [axis for axis in range(len(shape)) if keep or axis not in gone]
    reads: Reads = tuple(
        None if axis in gone else Along(left.index(axis)) for axis in range(len(shape))
    )
    return Rule((reads,), math.prod(shape))


def product(left: Sequence[int | None], right: Sequence[int | None], result: Shape, k: int) -> Rule:
    """Return the rule of a product that sums over k indices: 2 k operations an element.

    Parameters
    ----------
    left, right
        The axis of the result that each axis of an operand goes along; None where it is summed,
        or has length 1.
    result
        Shape of the result.
    k
        Number of products that are summed.
    """
    reads = tuple(tuple(None if a is None else Along(a) for a in axes) for axes in (left, right))
    return Rule(reads, 2 * k * math.prod(result))


def matrix_product(left: Shape, right: Shape, result: Shape) -> Rule:
    """Return the rule of numpy.matmul."""
    batch = len(result) - (len(left) > 1) - (len(right) > 1)
    rows, columns = (batch, len(result) - 1)
    ahead = [_batch_axes(shape, result[:batch]) for shape in (left, right)]
    return product(
        [*ahead[0], rows, None] if len(left) > 1 else [None],
        [*ahead[1], None, columns] if len(right) > 1 else [None],
        result,
        left[-1],
    )


def _batch_axes(shape: Shape, batch: Shape) -> list[int | None]:
    return [None if along is None else along.axis for along in aligned(shape[:-2], batch)]


def einsum(equation: str, shapes: Sequence[Shape], result: Shape) -> Rule | None:
    """Return the rule of an einsum; None where it has an ellipsis.

    Parameters
    ----------
    equation
        Such as "ij,jk->ik".
    shapes, result
        Those of the operands and the result.
    """
    text = equation.replace(" ", "")
    given, arrow, out = text.partition("->")
    terms = given.split(",")
    if "." in text or len(terms) != len(shapes):
        return None
    letters = given.replace(",", "")
    out = out if arrow else "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    lengths = dict(zip("".join(terms), (n for shape in shapes for n in shape), strict=False))
    reads = tuple(
        tuple(Along(out.index(letter)) if letter in out else None for letter in term)
        for term in terms
    )
    summed = math.prod(n for letter, n in lengths.items() if letter not in out)
    return Rule(reads, max(len(terms), 1) * summed * math.prod(result))


@dataclass(frozen=True)
class Window:
    """Sliding windows over the axes after the first two, batch and channels.

    Parameters
    ----------
    kernel, strides, dilations, before
        Lengths, strides, dilations and padding before, each an entry an axis.
    """

    kernel: Shape
    strides: Shape
    dilations: Shape
    before: Shape

    def reads(self) -> Reads:
        """Return what an element needs of the axes of the operand that have windows."""
        rows = zip(self.strides, self.kernel, self.dilations, self.before, strict=True)
        return tuple(
            Along(2 + axis, stride, taps, dilation, offset)
            for axis, (stride, taps, dilation, offset) in enumerate(rows)
        )


def convolution(
    channels: int, window: Window, groups: int, result: Shape, *, bias: bool = False
) -> Rule:
    """Return the rule of a convolution of (batch, channels, ...) with (filters, channels, ...).

    Parameters
    ----------
    channels
        Channels of the image.
    window
        The windows.
    groups
        Groups of channels; filters of a group read its channels alone.
    result
        Shape of the result.
    bias
        Whether there is a third operand, a number for each filter.
    """
    filters, per = result[1] // groups, channels // groups
    own = Along(1, stride=per, taps=per, group=filters) if groups > 1 else None
    image: Reads = (Along(0), own, *window.reads())
    weights: Reads = (Along(1), None, *(None for _ in window.kernel))
    work = (2 * per * math.prod(window.kernel) + bias) * math.prod(result)
    return Rule((image, weights, (Along(1),))[: 2 + bias], work)


def pooling(window: Window, result: Shape) -> Rule:
    """Return the rule of a maximum or mean over windows: an operation for each of their cells."""
    image: Reads = (Along(0), Along(1), *window.reads())
    return Rule((image,), math.prod(window.kernel) * math.prod(result))


def lookup(indices: Shape, table: Shape, axis: int) -> Rule:
    """Return the rule of reading a table, the first operand, at indices that are computed.

    Which entries are read depends on values: each part reads the table along the whole axis.
    """
    rank = len(indices)
    own: Reads = tuple(
        None if each == axis else Along(each if each < axis else each + rank - 1)
        for each in range(len(table))
    )
    return Rule((own, tuple(Along(axis + each) for each in range(rank))), 0)


def opaque(elements: int) -> Rule:
    """Return the rule of an operator that is not known: uncut, an operation an element."""
    return Rule(None, elements)
