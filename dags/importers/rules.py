"""The vocabulary of operators: needs of a part of a result of each operand, and operations.

All tools have the same few kinds of operators; only names and attributes differ. `COMMON` has those
without attributes, for all tools. Beside it a tool says by a table which of its names is which
rule, and reads the attributes; a rule takes the shapes of the operands and the result, and these.

A rule is a nest: a loop for each axis of the result, and after these one for each index that is
summed over. `Along` names loops by their numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dags.importers.tensor_graph import Along, Reads, TensorOperator

Shape = tuple[int, ...]
Shapes = Sequence[Shape]
Axes = Sequence[int | None]
SOFTMAX: Final = 5  # maximum, difference, exponential, sum, quotient
NORMALISATION: Final = 7  # sum, deviation, square, its sum, quotient, scale, shift
SCALE_AND_SHIFT: Final = 2
POINTWISE: Final = (
    "abs acos acosh add add_any addcdiv addcmul and asin asinh atan atan2 atanh bessel_i0e "
    "bessel_i1e bit_shift bitwise_and bitwise_not bitwise_or bitwise_xor cbrt ceil celu clamp "
    "clamp_max clamp_min clip clz complex conj cos cosh digamma div elu eq equal erf erf_inv erfc "
    "exp exp2 expm1 floor floor_divide floordiv fmod ge gelu greater greater_equal "
    "greater_or_equal gt hardsigmoid hardswish hardtanh igamma igammac imag integer_pow invert "
    "isfinite isinf isnan le leaky_relu lerp less less_equal less_or_equal lgamma log log10 log1p "
    "log2 logical_and logical_not logical_or logical_xor logistic logsigmoid lt masked_fill "
    "maximum minimum mish mod mul multiply ne neg negative nextafter not not_equal or polygamma "
    "population_count pos pow real reciprocal reduce_precision relu relu6 rem remainder round "
    "rsqrt rsub select_n selu shift_left shift_right_arithmetic shift_right_logical shrink sigmoid "
    "sign silu sin sinh softplus softsign sqrt square sub subtract swish tan tanh threshold "
    "thresholded_relu true_divide truediv trunc where xor"
)
PASSES: Final = 2  # of both: maximum and sum, mean and deviation


@dataclass(frozen=True)
class Rule:
    """Reads, work, axes that are not cut, and passes, as `TensorOperator` has them."""

    reads: tuple[Reads, ...] | None
    work: int
    whole: tuple[int, ...] = ()
    passes: int | None = 0


# A rule of the vocabulary and the attributes of a tool's node; those may be a rule of their own.
Word = tuple[Callable[..., Rule], Callable[[Any], Mapping[str, Any] | Rule]]


def no_attributes(node: object) -> Mapping[str, Any]:
    """The attributes of operators that have none that matter."""
    return {}


def folded(name: str) -> str:
    """The letters of a name by which tools agree: "leakyrelu" for "LeakyRelu"."""
    return name.replace("_", "").lower()


def table(rows: Mapping[str, Word]) -> dict[str, Word]:
    """The rule of each folded name: those of all tools, and rows of one: "Max Mean Min"."""
    all_rows = {**COMMON, **rows}
    return {folded(name): word for names, word in all_rows.items() for name in names.split()}


def rule_of(
    words: Mapping[str, Word], kind: str, node: object, shapes: Shapes, result: Shape
) -> Rule:
    """The rule of a node; uncut, with an operation an element, if it is not known.

    Parameters
    ----------
    words, kind, node
        The table of the tool, its name of the operator, and the source of its attributes.
    shapes, result
        Shapes of the operands and of the first result.
    """
    if folded(kind) not in words:
        return opaque(math.prod(result))
    rule, attributes = words[folded(kind)]
    answer = attributes(node)
    return answer if isinstance(answer, Rule) else rule(shapes, result, **answer)


def operator_of(
    name: str, kind: str, operands: Sequence[str | None], results: tuple[str, ...], rule: Rule
) -> TensorOperator:
    """An operator by its rule; operands that are None are constants."""
    present = [place for place, operand in enumerate(operands) if operand is not None]
    fits = rule.reads is not None and len(rule.reads) == len(operands)
    return TensorOperator(
        name=name,
        kind=kind,
        operands=tuple(str(operands[place]) for place in present),
        results=results,
        work=rule.work,
        reads=tuple(rule.reads[place] for place in present) if rule.reads and fits else None,
        whole=rule.whole,
        passes=rule.passes,
    )


def opaque(elements: int) -> Rule:
    """The rule of an operator that is not known: uncut, an operation an element."""
    return Rule(None, elements, passes=None)


def pointwise(shapes: Shapes, result: Shape, each: int = 1) -> Rule:
    """The rule of an elementwise operator with NumPy's broadcasting.

    Parameters
    ----------
    shapes, result
        Those of the operands and the result.
    each
        Operations for an element of the result.
    """
    return Rule(tuple(aligned(shape, result) for shape in shapes), each * math.prod(result))


def aligned(shape: Shape, result: Shape) -> Reads:
    """The needs of an element of an operand that is broadcast to a shape."""
    ahead = len(result) - len(shape)
    return tuple(
        Along(ahead + axis) if ahead + axis >= 0 and length == result[ahead + axis] > 1 else None
        for axis, length in enumerate(shape)
    )


def rows(
    shapes: Shapes, result: Shape, axes: Sequence[int], each: int = 1, passes: int | None = None
) -> Rule:
    """The rule of an operator that goes along some axes of its first operand.

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
    passes
        Sums over these axes that an element needs, each with the one before it; None where it is
        no matter of sums.
    """
    removed = {axis % max(len(result), 1) for axis in axes}
    return Rule(
        tuple(aligned(shape, result) for shape in shapes),
        each * math.prod(result),
        tuple(sorted(removed)),
        passes,
    )


def channels(shapes: Shapes, result: Shape, axes: Sequence[int] = ()) -> Rule:
    """The rule of a normalisation that scales and shifts by channel, which is axis 1.

    Parameters
    ----------
    shapes, result
        Those of the image, of the numbers of each channel, and of the result.
    axes
        Those over which sums are taken; none if these are given.
    """
    parameters = (Along(1),) if len(result) > 1 else (None,)
    image = tuple(Along(axis) for axis in range(len(result)))
    cost = NORMALISATION if axes else SCALE_AND_SHIFT
    reads = (image, *(parameters for _ in shapes[1:]))
    return Rule(reads, cost * math.prod(result), tuple(axes), PASSES if axes else 0)


def reduction(
    shapes: Shapes, result: Shape, axes: Sequence[int] | None = (), keep: bool = True
) -> Rule:
    """The rule of a sum, a maximum or a mean over some axes: an operation an element.

    Parameters
    ----------
    shapes, result
        Those of the operands, the first of which is reduced, and of the result.
    axes
        The axes that are summed; none for all. None if nothing is.
    keep
        Whether they stay, with length 1.
    """
    if axes is None:
        return pointwise(shapes, result)
    if not shapes[0]:
        return opaque(1)
    removed = {axis % len(shapes[0]) for axis in axes} or {*range(len(shapes[0]))}
    left = [axis for axis in range(len(shapes[0])) if keep or axis not in removed]
    sums = {axis: len(left) + place for place, axis in enumerate(sorted(removed))}
    first = tuple(
        Along(sums[axis] if axis in removed else left.index(axis)) for axis in range(len(shapes[0]))
    )
    other_reads = tuple((None,) * len(shape) for shape in shapes[1:])
    return Rule((first, *other_reads), math.prod(shapes[0]))


def product(shapes: Shapes, result: Shape, axes: Sequence[Axes]) -> Rule:
    """The rule of a product of two operands: two operations for each that is summed.

    Parameters
    ----------
    shapes, result
        Those of the two, of others that are added to the product, and of the result.
    axes
        The loop that each axis of the two goes along: an axis of the result, or one after these
        if it is summed; None where it has length 1.
    """
    reads = tuple(tuple(None if a is None else Along(a) for a in indices) for indices in axes)
    pairs = zip(axes[0], shapes[0], strict=True)
    k = math.prod(n for axis, n in pairs if axis is not None and axis >= len(result))
    added = tuple(aligned(shape, result) for shape in shapes[2:])
    return Rule(reads + added, (2 * k + len(added)) * math.prod(result))


def matrix_product(shapes: Shapes, result: Shape) -> Rule:
    """The rule of numpy.matmul, to which other operands are added."""
    left, right = shapes[:2]
    batch = len(result) - (len(left) > 1) - (len(right) > 1)
    rows, columns, summed = batch, len(result) - 1, len(result)
    ahead = [_batch_axes(shape, result[:batch]) for shape in (left, right)]
    axes = (
        [*ahead[0], rows, summed] if len(left) > 1 else [summed],
        [*ahead[1], summed, columns] if len(right) > 1 else [summed],
    )
    return product(shapes, result, axes)


def _batch_axes(shape: Shape, batch: Shape) -> list[int | None]:
    return [None if index is None else index.axis for index in aligned(shape[:-2], batch)]


def einsum(shapes: Shapes, result: Shape, equation: str) -> Rule:
    """The rule of an einsum, such as "ij,jk->ik"; uncut where it has an ellipsis."""
    text = equation.replace(" ", "")
    given, arrow, out = text.partition("->")
    terms = given.split(",")
    if "." in text or len(terms) != len(shapes):
        return opaque(math.prod(result))
    letters = given.replace(",", "")
    out = out if arrow else "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    lengths = dict(zip("".join(terms), (n for shape in shapes for n in shape), strict=False))
    loops = out + "".join(dict.fromkeys(letter for letter in letters if letter not in out))
    reads = tuple(tuple(Along(loops.index(letter)) for letter in term) for term in terms)
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

    def reads(self, first: int, taps: int) -> Reads:
        """The needs of an element of the axes of the operand that have windows.

        Parameters
        ----------
        first
            The axis of the result that the first of them goes along.
        taps
            The loop over its window.
        """
        numbers = zip(self.strides, self.kernel, self.dilations, self.before, strict=True)
        return tuple(
            Along(first + axis, stride, length, dilation, offset, tap=taps + axis)
            for axis, (stride, length, dilation, offset) in enumerate(numbers)
        )


def convolution(
    shapes: Shapes,
    result: Shape,
    window: Window,
    groups: int = 1,
    orders: Sequence[Sequence[int]] | None = None,
) -> Rule:
    """The rule of a convolution of (batch, channels, ...) with (filters, channels, ...).

    Parameters
    ----------
    shapes, result
        Those of the image, of the weights, perhaps of a number for each filter, and of the result.
    window
        The windows.
    groups
        Groups of channels; filters of a group read its channels alone.
    orders
        Where these axes are in the image, the weights and the result, if not in this order.
    """
    image_order, weight_order, out = orders or [range(len(result))] * 3
    if groups < 1 or min(result[out[1]], shapes[0][image_order[1]]) < groups:
        return opaque(math.prod(result))  # no group would have a channel
    filters = result[out[1]] // groups
    per = shapes[0][image_order[1]] // groups
    summed = len(result)
    channel = Along(1, per, per, group=filters, tap=summed) if groups > 1 else Along(summed)
    image: Reads = (Along(0), channel, *window.reads(2, summed + 1))
    taps = tuple(Along(summed + 1 + axis) for axis in range(len(window.kernel)))
    weights: Reads = (Along(1), Along(summed), *taps)
    reads = _permuted(image, image_order, out), _permuted(weights, weight_order, out)
    bias = shapes[2:]
    work = (2 * per * math.prod(window.kernel) + len(bias)) * math.prod(result)
    return Rule((*reads, *((Along(out[1]),) for _ in bias)), work)


def _permuted(row: Reads, order: Sequence[int], out: Sequence[int]) -> Reads:
    """Reads of axes in their own order, by the axes of a result in its own."""
    reads: list[Along | None] = [None] * len(row)
    for axis, index in zip(order, row, strict=True):
        assert index is not None  # convolutions read along all axes
        reads[axis] = index.renamed(dict(enumerate(out)))
    return tuple(reads)


def pooling(shapes: Shapes, result: Shape, window: Window) -> Rule:
    """The rule of a maximum or mean over windows: an operation for each of their cells.

    The windows are over the last axes; those before are batch and channels.
    """
    ahead = len(result) - len(window.kernel)
    kept = tuple(Along(axis) for axis in range(ahead))
    image: Reads = (*kept, *window.reads(ahead, len(result)))
    return Rule((image,), math.prod(window.kernel) * math.prod(result))


def lookup(shapes: Shapes, result: Shape, axis: int) -> Rule:
    """The rule of reading a table, the first operand, at indices that are computed.

    Which entries are read depends on values: each part reads the table along the whole axis.
    """
    table, indices = shapes[:2]
    table_row: Reads = tuple(
        None
        if position == axis
        else Along(position if position < axis else position + len(indices) - 1)
        for position in range(len(table))
    )
    index_reads = tuple(Along(axis + position) for position in range(len(indices)))
    return Rule((table_row, index_reads), 0, passes=None)


def attention(shapes: Shapes, result: Shape) -> Rule:
    """The rule of softmax(q k^T) v: a part of the rows needs all keys and values."""
    rank = len(result)
    ahead = result[:-2]
    width, keys = shapes[0][-1], shapes[1][-2]
    batch = [aligned((*shape[:-2], 1, 1), (*ahead, 1, 1))[:-2] for shape in shapes]
    each_row: list[Reads] = [
        (*batch[0], Along(rank - 2), Along(rank)),
        (*batch[1], Along(rank + 1), Along(rank)),
        (*batch[2], Along(rank + 1), Along(rank - 1)),
    ]
    if len(shapes) > 3:
        mask = aligned(shapes[3], (*result[:-1], keys))
        each_row.append((*mask[:-1], None if mask[-1] is None else Along(rank + 1)))
    scores = math.prod(result[:-1]) * keys
    work = scores * (2 * width + SOFTMAX + 2 * result[-1])
    return Rule(tuple(each_row), work, (rank - 1,), PASSES)


# Operators that are the same in all tools that have them.
COMMON: Final[Mapping[str, Word]] = {
    POINTWISE: (pointwise, no_attributes),
    "matmul mm bmm mv dot addmm baddbmm": (matrix_product, no_attributes),
    "scaled_dot_product_attention": (attention, no_attributes),
}
