"""Primitives of JAX: the names of each rule and view, and how their parameters are read."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dags.importers import rules
from dags.importers.rules import Rule, Shape, Window, no_attributes
from dags.importers.views import View

Params = Mapping[str, Any]
SAME: Final = "convert_element_type copy copy_p device_put name sharding_constraint stop_gradient"
REDUCTIONS: Final = (
    "argmax argmin reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_xor"
)


@dataclass(frozen=True)
class Primitive:
    """A call of a primitive: its parameters, and shapes of all operands and of the first result."""

    params: Params
    shapes: Sequence[Shape]
    result: Shape


def _reduction(call: Primitive) -> Params:
    return {"axes": call.params["axes"], "keep": False}


def _cumulative(call: Primitive) -> Params:
    return {"axes": [call.params["axis"]]}


def _sort(call: Primitive) -> Params:
    axis = call.params["dimension"]
    return {"axes": [axis], "each": math.ceil(math.log2(max(call.shapes[0][axis], 2)))}


def _dot(call: Primitive) -> Params:
    (sums, batches) = call.params["dimension_numbers"]
    following = len(batches[0])
    axes: list[list[int]] = []
    for shape, summed, batch in zip(call.shapes, sums, batches, strict=True):
        own = [0] * len(shape)
        for place, axis in enumerate(batch):
            own[axis] = place
        for place, axis in enumerate(summed):
            own[axis] = len(call.result) + place
        for axis in range(len(shape)):
            if axis not in summed and axis not in batch:
                own[axis] = following
                following += 1
        axes.append(own)
    return {"axes": axes}


def _convolution(call: Primitive) -> Params | Rule:
    params, numbers = call.params, call.params["dimension_numbers"]
    weights = numbers.rhs_spec
    kernel = tuple(call.shapes[1][axis] for axis in weights[2:])
    if params["batch_group_count"] != 1 or any(
        dilation != 1 for dilation in params["lhs_dilation"]
    ):
        per = call.shapes[1][weights[1]] * math.prod(kernel)
        return rules.opaque(2 * per * math.prod(call.result))
    return {
        "window": Window(
            kernel,
            tuple(params["window_strides"]),
            tuple(params["rhs_dilation"]),
            tuple(low for low, _ in params["padding"]),
        ),
        "groups": params["feature_group_count"],
        "orders": (numbers.lhs_spec, weights, numbers.out_spec),
    }


def _window(call: Primitive) -> Params | Rule:
    params = call.params
    kernel = tuple(params["window_dimensions"])
    if any(dilation != 1 for dilation in params["base_dilation"]):
        return rules.opaque(math.prod(kernel) * math.prod(call.result))
    before = tuple(low for low, _ in params["padding"])
    strides, dilations = tuple(params["window_strides"]), tuple(params["window_dilation"])
    return {"window": Window(kernel, strides, dilations, before)}


RULES: Final = rules.table(
    {
        "max min": (rules.pointwise, no_attributes),
        REDUCTIONS: (rules.reduction, _reduction),
        "cumlogsumexp cummax cummin cumprod cumsum": (rules.rows, _cumulative),
        "reduce_window_max reduce_window_min reduce_window_sum": (rules.pooling, _window),
        "sort": (rules.rows, _sort),
        "dot_general": (rules.product, _dot),
        "conv_general_dilated": (rules.convolution, _convolution),
    }
)


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
    **dict.fromkeys(SAME.split(), lambda params, shape, result: ("same", {})),
    "broadcast_in_dim": _spread,
    "expand_dims": _squeeze,
    "pad": _pad,
    "reshape": _reshape,
    "rev": _flip,
    "slice": _slice,
    "squeeze": _squeeze,
    "transpose": _transpose,
}
