"""Operators of ONNX: the rule of each, or the view that it is."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dags.importers import rules
from dags.importers.errors import ImportedGraphError
from dags.importers.rules import Rule, Window
from dags.importers.tensor_graph import Along

Shape = tuple[int, ...]
View = tuple[str, dict[str, Any]]  # function and arguments

POINTWISE: Final = (
    "Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot BitwiseOr "
    "BitwiseXor Ceil Celu Clip Cos Cosh Div Elu Equal Erf Exp Floor Gelu Greater "
    "GreaterOrEqual HardSigmoid HardSwish IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean "
    "Min Mish Mod Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu Shrink Sigmoid Sign "
    "Sin Sinh Softplus Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where Xor"
)
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
        """Return the shape of an operand."""
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
        """Return a list that is an attribute or, in newer models, a constant operand; or None."""
        if attribute in self.attributes:
            value = self.attributes[attribute]
            return [int(each) for each in np.ravel(value)]
        if place >= len(self.inputs) or not self.inputs[place]:
            return None
        if self.inputs[place] not in self.constants:
            raise ImportedGraphError(
                f"{self.kind} {self.name or self.outputs[0]}: {self.inputs[place]} says the shape "
                "of a result and depends on values"
            )
        return [int(each) for each in self.constants[self.inputs[place]].ravel()]

    def axis(self, default: int = 0) -> int:
        """Return the attribute `axis`, counted from the front."""
        value = int(self.attributes.get("axis", default))
        return value % max(len(self.shape(0)), 1)


def _pointwise(node: OnnxNode) -> Rule:
    return rules.pointwise(node.given, node.result)


def _softmax(node: OnnxNode) -> Rule:
    rank = len(node.result)
    axis = node.axis(1 if node.version < 13 else -1)
    axes = range(axis, rank) if node.version < 13 else (axis,)  # the older one goes to the end
    return rules.along_axes(node.given, node.result, axes, rules.SOFTMAX)


def _layer_norm(node: OnnxNode) -> Rule:
    axes = range(node.axis(-1), len(node.result))
    return rules.along_axes(node.given, node.result, axes, rules.NORMALISATION)


def _batch_norm(node: OnnxNode) -> Rule:
    rank = len(node.result)
    own = (Along(1),) if rank > 1 else (None,)
    image = tuple(Along(axis) for axis in range(rank))
    reads = (image, *(own for _ in node.given[1:]))
    if node.attributes.get("training_mode"):
        return rules.opaque(rules.NORMALISATION * math.prod(node.result))
    return Rule(reads, rules.SCALE_AND_SHIFT * math.prod(node.result))


def _instance_norm(node: OnnxNode) -> Rule:
    rank = len(node.result)
    image = (Along(0), Along(1), *(None for _ in range(rank - 2)))
    own = (Along(1),)
    work = rules.NORMALISATION * math.prod(node.result)
    return Rule((image, own, own), work, tuple(range(2, rank)))


def _matmul(node: OnnxNode) -> Rule:
    return rules.matrix_product(node.shape(0), node.shape(1), node.result)


def _gemm(node: OnnxNode) -> Rule:
    turned = [bool(node.attributes.get(name)) for name in ("transA", "transB")]
    k = node.shape(0)[0 if turned[0] else 1]
    left: list[int | None] = [None, 0] if turned[0] else [0, None]
    right: list[int | None] = [1, None] if turned[1] else [None, 1]
    rule = rules.product(left, right, node.result, k)
    if len(node.given) < 3:
        return rule
    added = rules.aligned(node.given[2], node.result)
    return Rule((*(rule.reads or ()), added), rule.work + math.prod(node.result))


def _einsum(node: OnnxNode) -> Rule:
    found = rules.einsum(str(node.attributes["equation"]), node.given, node.result)
    return found or rules.opaque(math.prod(node.result))


def _window(node: OnnxNode, kernel: Sequence[int]) -> Window:
    rank = len(kernel)
    strides = tuple(node.attributes.get("strides", [1] * rank))
    dilations = tuple(node.attributes.get("dilations", [1] * rank))
    mode = node.attributes.get("auto_pad", "NOTSET")
    before = list(node.attributes.get("pads", [0] * 2 * rank))[:rank]
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        lengths = zip(node.shape(0)[2:], node.result[2:], strides, kernel, dilations, strict=True)
        all_ = [max((o - 1) * s + (k - 1) * d + 1 - i, 0) for i, o, s, k, d in lengths]
        before = [(each + (mode == "SAME_LOWER")) // 2 for each in all_]
    return Window(tuple(kernel), strides, dilations, tuple(before))


def _conv(node: OnnxNode) -> Rule:
    window = _window(node, node.shape(1)[2:])
    groups = int(node.attributes.get("group", 1))
    has_bias = len(node.given) > 2
    return rules.convolution(node.shape(0)[1], window, groups, node.result, bias=has_bias)


def _pool(node: OnnxNode) -> Rule:
    return rules.pooling(_window(node, node.attributes["kernel_shape"]), node.result)


def _global_pool(node: OnnxNode) -> Rule:
    return rules.reduction(node.shape(0), range(2, len(node.shape(0))), keep=True)


def _reduce(node: OnnxNode) -> Rule:
    axes = node.integers(1, "axes") or []
    if not axes and node.attributes.get("noop_with_empty_axes"):
        return rules.pointwise(node.given[:1], node.result)
    keep = bool(node.attributes.get("keepdims", 1))
    return _first(node, rules.reduction(node.shape(0), axes, keep))


def _arg(node: OnnxNode) -> Rule:
    keep = bool(node.attributes.get("keepdims", 1))
    return rules.reduction(node.shape(0), [node.axis()], keep)


def _first(node: OnnxNode, rule: Rule) -> Rule:
    """Return the rule of an operator whose other operands are constants."""
    others = tuple((None,) * len(shape) for shape in node.given[1:])
    return Rule((*(rule.reads or ()), *others), rule.work, rule.whole)


def _cumulative(node: OnnxNode) -> Rule:
    axes = node.integers(1) or [0]
    return _first(node, rules.along_axes(node.given[:1], node.result, axes))


def _gather(node: OnnxNode) -> Rule:
    return rules.lookup(node.shape(1), node.shape(0), node.axis())


RULES: Final[Mapping[str, Callable[[OnnxNode], Rule]]] = {
    **dict.fromkeys(POINTWISE.split(), _pointwise),
    **dict.fromkeys(REDUCTIONS.split(), _reduce),
    **dict.fromkeys(["ArgMax", "ArgMin"], _arg),
    **dict.fromkeys(["Softmax", "LogSoftmax", "Hardmax"], _softmax),
    **dict.fromkeys(["LayerNormalization", "RMSNormalization"], _layer_norm),
    **dict.fromkeys(["MaxPool", "AveragePool", "LpPool"], _pool),
    **dict.fromkeys(["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"], _global_pool),
    "BatchNormalization": _batch_norm,
    "InstanceNormalization": _instance_norm,
    "Conv": _conv,
    "CumSum": _cumulative,
    "Einsum": _einsum,
    "Gather": _gather,
    "Gemm": _gemm,
    "MatMul": _matmul,
}
