"""Operators of ONNX: the names of each rule and view, and how their attributes are read."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dags.importers import rules
from dags.importers.rules import Rule, Shape, Window, no_attributes
from dags.importers.tensor_graph import ImportedGraphError
from dags.importers.views import View, slices_of

Attributes = Mapping[str, Any]
REDUCTIONS: Final = (
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "
    "ReduceSum ReduceSumSquare"
)


@dataclass(frozen=True)
class OnnxNode:
    """A node with the shapes and the constants that it meets.

    Parameters
    ----------
    kind, name
        Type and name of the operator.
    inputs, outputs
        Names of tensors; "" for one that is left out.
    attributes
        Values by name.
    shapes, constants
        Those of the model.
    version
        Of the operator set.
    """

    kind: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]
    shapes: Mapping[str, Shape]
    constants: Mapping[str, Any]
    version: int

    def shape(self, place: int) -> Shape:
        """The shape of an operand."""
        return self.shapes[self.inputs[place]]

    @property
    def given(self) -> list[Shape]:
        """Shapes of all operands that are there."""
        return [self.shapes[name] for name in self.inputs if name]

    @property
    def result(self) -> Shape:
        """Shape of the first result."""
        return self.shapes[self.outputs[0]]

    def integers(self, place: int, attribute: str = "") -> list[int] | None:
        """A list that is an attribute or, in newer models, a constant operand; or None."""
        if attribute in self.attributes:
            value = self.attributes[attribute]
            return [int(number) for number in np.ravel(value)]
        if place >= len(self.inputs) or not self.inputs[place]:
            return None
        if self.inputs[place] not in self.constants:
            raise ImportedGraphError(
                f"{self.kind} {self.name or self.outputs[0]}: {self.inputs[place]} says the shape "
                "of a result and depends on values"
            )
        return [int(number) for number in self.constants[self.inputs[place]].ravel()]

    def axis(self, default: int = 0) -> int:
        """The attribute `axis`, counted from the front."""
        value = int(self.attributes.get("axis", default))
        return value % max(len(self.shape(0)), 1)


def _softmax(node: OnnxNode) -> Attributes:
    rank = len(node.result)
    axis = node.axis(1 if node.version < 13 else -1)
    axes = range(axis, rank) if node.version < 13 else (axis,)  # the older one goes to the end
    return {"axes": axes, "each": rules.SOFTMAX, "passes": rules.PASSES}


def _layer_norm(node: OnnxNode) -> Attributes:
    passes = rules.PASSES - node.kind.startswith("RMS")
    axes = range(node.axis(-1), len(node.result))
    return {"axes": axes, "each": rules.NORMALISATION, "passes": passes}


def _batch_norm(node: OnnxNode) -> Attributes | Rule:
    if node.attributes.get("training_mode"):
        return rules.opaque(rules.NORMALISATION * math.prod(node.result))
    return {}


def _instance_norm(node: OnnxNode) -> Attributes:
    return {"axes": range(2, len(node.result))}


def _gemm(node: OnnxNode) -> Attributes:
    turned = [bool(node.attributes.get(name)) for name in ("transA", "transB")]
    return {"axes": ([2, 0] if turned[0] else [0, 2], [1, 2] if turned[1] else [2, 1])}


def _einsum(node: OnnxNode) -> Attributes:
    return {"equation": str(node.attributes["equation"])}


def _window(node: OnnxNode, kernel: Sequence[int]) -> Window:
    rank = len(kernel)
    strides = tuple(node.attributes.get("strides", [1] * rank))
    dilations = tuple(node.attributes.get("dilations", [1] * rank))
    mode = node.attributes.get("auto_pad", "NOTSET")
    before = list(node.attributes.get("pads", [0] * 2 * rank))[:rank]
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        lengths = zip(node.shape(0)[2:], node.result[2:], strides, kernel, dilations, strict=True)
        all_ = [max((o - 1) * s + (k - 1) * d + 1 - i, 0) for i, o, s, k, d in lengths]
        before = [(padding + (mode == "SAME_LOWER")) // 2 for padding in all_]
    return Window(tuple(kernel), strides, dilations, tuple(before))


def _conv(node: OnnxNode) -> Attributes:
    groups = int(node.attributes.get("group", 1))
    return {"window": _window(node, node.shape(1)[2:]), "groups": groups}


def _pool(node: OnnxNode) -> Attributes:
    return {"window": _window(node, node.attributes["kernel_shape"])}


def _global_pool(node: OnnxNode) -> Attributes:
    return {"axes": range(2, len(node.shape(0)))}


def _reduce(node: OnnxNode) -> Attributes:
    axes = node.integers(1, "axes") or []
    if not axes and node.attributes.get("noop_with_empty_axes"):
        return {"axes": None}
    return {"axes": axes, "keep": bool(node.attributes.get("keepdims", 1))}


def _arg(node: OnnxNode) -> Attributes:
    return {"axes": [node.axis()], "keep": bool(node.attributes.get("keepdims", 1))}


def _cumulative(node: OnnxNode) -> Attributes:
    return {"axes": node.integers(1) or [0]}


def _lookup(node: OnnxNode) -> Attributes:
    return {"axis": node.axis()}


RULES: Final = rules.table(
    {
        "Max Mean Min PRelu Sum": (rules.pointwise, no_attributes),
        REDUCTIONS: (rules.reduction, _reduce),
        "ArgMax ArgMin": (rules.reduction, _arg),
        "Softmax LogSoftmax Hardmax": (rules.rows, _softmax),
        "LayerNormalization RMSNormalization": (rules.rows, _layer_norm),
        "CumSum": (rules.rows, _cumulative),
        "MaxPool AveragePool LpPool": (rules.pooling, _pool),
        "GlobalAveragePool GlobalMaxPool GlobalLpPool": (rules.reduction, _global_pool),
        "BatchNormalization": (rules.channels, _batch_norm),
        "InstanceNormalization": (rules.channels, _instance_norm),
        "Conv": (rules.convolution, _conv),
        "Einsum": (rules.einsum, _einsum),
        "Gather": (rules.lookup, _lookup),
        "Gemm": (rules.product, _gemm),
    }
)


def _reshape(node: OnnxNode) -> View:
    return "reshape", {"shape": node.result}


def _transpose(node: OnnxNode) -> View:
    rank = len(node.shape(0))
    return "transpose", {"axes": list(node.attributes.get("perm", range(rank - 1, -1, -1)))}


def _expand(node: OnnxNode) -> View:
    return "broadcast", {"shape": node.result}


def _same(node: OnnxNode) -> View:
    return "same", {}


def _slice(node: OnnxNode) -> View:
    rank = len(node.shape(0))
    starts = node.integers(1, "starts") or []
    stops = node.integers(2, "ends") or []
    axes = node.integers(3, "axes")
    steps = node.integers(4) or [1] * len(starts)
    bounds: list[list[Any]] = [[None] * rank, [None] * rank, [1] * rank]
    places = range(len(starts)) if axes is None else axes
    for axis, start, stop, step in zip(places, starts, stops, steps, strict=True):
        low, high, stride = slice(start, stop, step).indices(node.shape(0)[axis])
        for row, value in zip(bounds, (low, None if high < 0 else high, stride), strict=True):
            row[axis % rank] = value
    return "cut", dict(zip(("starts", "stops", "steps"), bounds, strict=True))


def _concat(node: OnnxNode) -> View:
    return "join", {"axis": node.axis()}


def _pad(node: OnnxNode) -> View | None:
    rank = len(node.shape(0))
    if node.attributes.get("mode", "constant") != "constant" or len(node.inputs) > 3:
        return None
    if len(node.inputs) > 2 and node.inputs[2] and node.inputs[2] not in node.constants:
        return None
    ends = node.integers(1, "pads") or []
    return "pad", {"before": ends[:rank], "after": ends[rank:], "between": [0] * rank}


def _tile(node: OnnxNode) -> View:
    return "repeat", {"counts": node.integers(1)}


def _gather(node: OnnxNode) -> View | None:
    indices = node.constants.get(node.inputs[1])
    return None if indices is None else ("take", {"axis": node.axis(), "indices": indices.tolist()})


def split_views(node: OnnxNode) -> list[View]:
    """The view that each result of a Split is."""
    axis = node.axis()
    return slices_of(
        len(node.shape(0)), axis, [node.shapes[output][axis] for output in node.outputs]
    )


VIEWS_OF: Final[Mapping[str, Callable[[OnnxNode], View | None]]] = {
    **dict.fromkeys(["Reshape", "Flatten", "Squeeze", "Unsqueeze"], _reshape),
    **dict.fromkeys(["Identity", "Cast", "CastLike", "Dropout"], _same),
    "Concat": _concat,
    "Expand": _expand,
    "Gather": _gather,
    "Pad": _pad,
    "Slice": _slice,
    "Tile": _tile,
    "Transpose": _transpose,
}
