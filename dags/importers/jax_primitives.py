"""Primitives of JAX: the rule of each, or the view that it is."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dags.importers import rules
from dags.importers.rules import Rule, Shape, Window
from dags.importers.tensor_graph import Along, Reads

Params = Mapping[str, Any]
View = tuple[str, dict[str, Any]]

_POINTWISE: Final = (
    "abs acos acosh add add_any and asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt "
    "ceil clamp clz complex conj cos cosh digamma div eq erf erf_inv erfc exp exp2 expm1 "
    "floor ge gt igamma igammac imag integer_pow is_finite le lgamma log log1p logistic lt "
    "max min mul ne neg nextafter not or polygamma population_count pow real "
    "reduce_precision rem round rsqrt select_n shift_left shift_right_arithmetic "
    "shift_right_logical sign sin sinh sqrt square sub tan tanh xor"
)
POINTWISE: Final = frozenset(_POINTWISE.split())
SAME: Final = (
    "convert_element_type",
    "copy",
    "copy_p",
    "device_put",
    "name",
    "sharding_constraint",
    "stop_gradient",
)
REDUCED: Final = ("and", "max", "min", "or", "prod", "sum", "xor")
REDUCTIONS: Final = frozenset(["argmax", "argmin", *(f"reduce_{each}" for each in REDUCED)])
CUMULATIVE: Final = frozenset(["cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum"])
WINDOWS: Final = frozenset(["reduce_window_max", "reduce_window_min", "reduce_window_sum"])


def primitive_rule(name: str, params: Params, shapes: Sequence[Shape], result: Shape) -> Rule:
    """Return the rule of a primitive that is no view; unknown ones are opaque.

    Parameters
    ----------
    name, params
        Name and parameters of the primitive.
    shapes, result
        Shapes of all operands, and of the first result.
    """
    if name in POINTWISE:
        return rules.pointwise(shapes, result)
    if name in REDUCTIONS:
        return rules.reduction(shapes[0], params["axes"], keep=False)
    if name in CUMULATIVE:
        return rules.along_axes(shapes, result, [params["axis"]])
    if name in WINDOWS:
        return _window(params, result)
    if name == "sort":
        return rules.along_axes(
            shapes,
            result,
            [params["dimension"]],
            math.ceil(math.log2(max(shapes[0][params["dimension"]], 2))),
        )
    if name == "dot_general":
        return _dot(params, shapes, result)
    if name == "conv_general_dilated":
        return _convolution(params, shapes, result)
    return rules.opaque(math.prod(result))


def _dot(params: Params, shapes: Sequence[Shape], result: Shape) -> Rule:
    (sums, batches) = params["dimension_numbers"]
    following = len(batches[0])
    axes: list[list[int | None]] = []
    for shape, summed, batch in zip(shapes, sums, batches, strict=True):
        own: list[int | None] = [None] * len(shape)
        for place, axis in enumerate(batch):
            own[axis] = place
        for axis in range(len(shape)):
            if axis not in summed and axis not in batch:
                own[axis] = following
                following += 1
        axes.append(own)
    k = math.prod(shapes[0][axis] for axis in sums[0])
    return rules.product(axes[0], axes[1], result, k)


def _convolution(params: Params, shapes: Sequence[Shape], result: Shape) -> Rule:
    numbers = params["dimension_numbers"]
    image, weights, out = numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec
    per = shapes[1][weights[1]] * math.prod(shapes[1][axis] for axis in weights[2:])
    if params["batch_group_count"] != 1 or any(each != 1 for each in params["lhs_dilation"]):
        return rules.opaque(2 * per * math.prod(result))
    window = Window(
        tuple(shapes[1][axis] for axis in weights[2:]),
        tuple(params["window_strides"]),
        tuple(params["rhs_dilation"]),
        tuple(low for low, _ in params["padding"]),
    )
    rule = rules.convolution(
        shapes[0][image[1]],
        window,
        params["feature_group_count"],
        tuple(result[axis] for axis in out),
    )
    reads = tuple(
        _permuted(row, spec, out)
        for row, spec in zip(rule.reads or (), (image, weights), strict=True)
    )
    return Rule(reads, rule.work)


def _permuted(row: Reads, spec: Sequence[int], out: Sequence[int]) -> Reads:
    """Return reads of (batch, channels, ...) for axes in another order."""
    found: list[Along | None] = [None] * len(row)
    for axis, along in zip(spec, row, strict=True):
        if along is not None:
            found[axis] = Along(
                out[along.axis], along.stride, along.taps, along.dilation, along.offset, along.group
            )
    return tuple(found)


def _window(params: Params, result: Shape) -> Rule:
    if any(each != 1 for each in params["base_dilation"]):
        return rules.opaque(math.prod(params["window_dimensions"]) * math.prod(result))
    rows = zip(
        params["window_strides"],
        params["window_dimensions"],
        params["window_dilation"],
        params["padding"],
        strict=True,
    )
    reads = tuple(
        Along(axis, stride, taps, dilation, low)
        for axis, (stride, taps, dilation, (low, _)) in enumerate(rows)
    )
    return Rule((reads,), math.prod(params["window_dimensions"]) * math.prod(result))


def _reshape(params: Params, shape: Shape, result: Shape) -> View | None:
    return ("reshape", {"shape": result}) if params.get("dimensions") is None else None


def _squeeze(params: Params, shape: Shape, result: Shape) -> View:
    return "reshape", {"shape": result}


def _transpose(params: Params, shape: Shape, result: Shape) -> View:
    return "transpose", {"axes": list(params["permutation"])}


def _spread(params: Params, shape: Shape, result: Shape) -> View:
    return "spread", {"shape": result, "axes": list(params["broadcast_dimensions"])}


def _slice(params: Params, shape: Shape, result: Shape) -> View:
    return "cut", {
        "starts": list(params["start_indices"]),
        "stops": list(params["limit_indices"]),
        "steps": list(params["strides"] or [1] * len(shape)),
    }


def _flip(params: Params, shape: Shape, result: Shape) -> View:
    return "flip", {"axes": list(params["dimensions"])}


def _pad(params: Params, shape: Shape, result: Shape) -> View:
    before, after, between = zip(*params["padding_config"], strict=True)
    return "pad", {"before": list(before), "after": list(after), "between": list(between)}


VIEWS_OF: Final[Mapping[str, Callable[[Params, Shape, Shape], View | None]]] = {
    **dict.fromkeys(SAME, lambda params, shape, result: ("same", {})),
    "broadcast_in_dim": _spread,
    "expand_dims": _squeeze,
    "pad": _pad,
    "reshape": _reshape,
    "rev": _flip,
    "slice": _slice,
    "squeeze": _squeeze,
    "transpose": _transpose,
}
