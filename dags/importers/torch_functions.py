"""Functions of PyTorch: the rule of each."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from dags.importers import rules
from dags.importers.rules import Rule, Shape, Window
from dags.importers.tensor_graph import Along
from dags.importers.torch_nodes import TorchNode

_POINTWISE: Final = (
    "abs acos acosh add addcdiv addcmul and asin asinh atan atan2 atanh bitwise_and bitwise_not "
    "bitwise_or bitwise_xor ceil celu clamp clamp_max clamp_min clip cos cosh div elu eq erf erfc "
    "exp exp2 expm1 floor floor_divide floordiv fmod ge gelu greater greater_equal gt hardsigmoid "
    "hardswish hardtanh invert isfinite isinf isnan le leaky_relu lerp less less_equal log log10 "
    "log1p log2 logical_and logical_not logical_or logical_xor logsigmoid lt masked_fill maximum "
    "minimum mish mod mul multiply ne neg negative not_equal or pos pow reciprocal relu relu6 "
    "remainder round rsqrt rsub selu sigmoid sign silu sin sinh softplus softsign sqrt square sub "
    "subtract tan tanh threshold true_divide truediv trunc where xor"
)
POINTWISE: Final = frozenset(_POINTWISE.split())
_REDUCTIONS: Final = (
    "all amax amin any argmax argmin logsumexp max mean min nansum norm prod std sum var"
)
REDUCTIONS: Final = frozenset(_REDUCTIONS.split())
BATCH_NORMS: Final = (
    "batch_norm",
    "cudnn_batch_norm",
    "native_batch_norm",
    "native_batch_norm_legit_no_training",
)


def _lengths(value: Any, rank: int, default: int) -> Shape:
    """Return an argument that is a number, or a list, one for all, or nothing."""
    if value is None or value == []:
        return (default,) * rank
    given = [value] * rank if isinstance(value, int) else [int(each) for each in value]
    return tuple(given * rank if len(given) == 1 else given)


def _linear(node: TorchNode) -> Rule:
    rank = len(node.result)
    left: list[int | None] = [*range(len(node.shape(0)) - 1), None]
    right: list[int | None] = [rank - 1, None]
    return _with_added(node, rules.product(left, right, node.result, node.shape(0)[-1]), 2)


def _with_added(node: TorchNode, rule: Rule, place: int) -> Rule:
    """Return the rule of a product to which another operand is added."""
    if len(node.given) < 3:
        return rule
    rows = list(rule.reads or ())
    rows.insert(place, rules.aligned(node.given[place], node.result))
    return Rule(tuple(rows), rule.work + math.prod(node.result))


def _matmul(node: TorchNode) -> Rule:
    return rules.matrix_product(node.shape(0), node.shape(1), node.result)


def _added_matmul(node: TorchNode) -> Rule:
    product = rules.matrix_product(node.shape(1), node.shape(2), node.result)
    return _with_added(node, product, 0)


def _einsum(node: TorchNode) -> Rule:
    found = rules.einsum(str(node.args[0]), node.given, node.result)
    return found or rules.opaque(math.prod(node.result))


def _convolution(node: TorchNode) -> Rule:
    rank = len(node.result) - 2
    general = node.kind == "convolution"  # its arguments have `transposed` between
    numbers = [node.argument(3 + i, n) for i, n in enumerate(("stride", "padding", "dilation"))]
    groups = node.argument(8 if general else 6, "groups", 1)
    kernel = node.shape(1)[2:]
    per = node.shape(1)[1] * math.prod(kernel)
    if (general and node.argument(6, "transposed", False)) or rank != len(kernel):
        return rules.opaque(2 * per * math.prod(node.result))
    dilations = _lengths(numbers[2], rank, 1)
    before = numbers[1]
    if isinstance(before, str):
        same = [(k - 1) * d // 2 for k, d in zip(kernel, dilations, strict=True)]
        before = same if before == "same" else 0
    window = Window(kernel, _lengths(numbers[0], rank, 1), dilations, _lengths(before, rank, 0))
    bias = len(node.given) > 2
    return rules.convolution(node.shape(0)[1], window, groups, node.result, bias=bias)


def _pool(node: TorchNode) -> Rule:
    rank = int(node.kind[-2]) if node.kind[-1] == "d" else 2
    if len(node.result) != rank + 2:
        return rules.opaque(math.prod(node.result))
    kernel = _lengths(node.argument(1, "kernel_size"), rank, 1)
    strides = node.argument(2, "stride")
    dilation = node.argument(4, "dilation") if node.kind.startswith("max") else None
    window = Window(
        kernel,
        kernel if strides in (None, []) else _lengths(strides, rank, 1),
        _lengths(dilation, rank, 1),
        _lengths(node.argument(3, "padding"), rank, 0),
    )
    return rules.pooling(window, node.result)


def _adaptive_pool(node: TorchNode) -> Rule:
    spatial = range(2, len(node.result))
    if len(node.result) > 2 and all(node.result[axis] == 1 for axis in spatial):
        return rules.reduction(node.shape(0), spatial, keep=True)
    return rules.opaque(math.prod(node.shape(0)))


def _softmax(node: TorchNode) -> Rule:
    return rules.along_axes(node.given, node.result, [node.axis(1, default=-1)], rules.SOFTMAX)


def _layer_norm(node: TorchNode) -> Rule:
    normal = len(node.argument(1, "normalized_shape"))
    rank = len(node.result)
    axes = range(rank - normal, rank)
    return rules.along_axes(node.given, node.result, axes, rules.NORMALISATION)


def _batch_norm(node: TorchNode) -> Rule:
    image = tuple(Along(axis) for axis in range(len(node.result)))
    reads = (image, *((Along(1),) for _ in node.given[1:]))
    if node.kind != "native_batch_norm_legit_no_training" and node.argument(5, "training", False):
        return rules.opaque(rules.NORMALISATION * math.prod(node.result))
    return Rule(reads, rules.SCALE_AND_SHIFT * math.prod(node.result))


def _reduction(node: TorchNode) -> Rule:
    axes = node.argument(1, "dim")
    if isinstance(axes, bool) or not isinstance(axes, int | list | tuple):
        axes = []
    keep = len(node.result) == len(node.shape(0))
    chosen = [axes] if isinstance(axes, int) else list(axes)
    if node.kind in ("max", "min") and len(node.given) > 1:
        return rules.pointwise(node.given, node.result)
    return rules.reduction(node.shape(0), chosen, keep) if node.shape(0) else rules.opaque(1)


def _cumulative(node: TorchNode) -> Rule:
    return rules.along_axes(node.given[:1], node.result, [node.axis(1)])


def _embedding(node: TorchNode) -> Rule:
    return rules.lookup(node.shape(1), node.shape(0), 0)


def _index_select(node: TorchNode) -> Rule:
    return rules.lookup(node.shape(1), node.shape(0), node.axis(1))


def _attention(node: TorchNode) -> Rule:
    """Return the rule of softmax(q k^T) v: a part of the rows needs all keys and values."""
    rank = len(node.result)
    ahead = node.result[:-2]
    width, keys = node.shape(0)[-1], node.shape(1)[-2]
    batch = [rules.aligned((*shape[:-2], 1, 1), (*ahead, 1, 1))[:-2] for shape in node.given]
    rows = [(*batch[0], Along(rank - 2), None), *((*each, None, None) for each in batch[1:3])]
    if len(node.given) > 3:
        mask = rules.aligned(node.given[3], (*node.result[:-1], keys))
        rows.append((*mask[:-1], None))
    scores = math.prod(node.result[:-1]) * keys
    work = scores * (2 * width + rules.SOFTMAX + 2 * node.result[-1])
    return Rule(tuple(rows), work, (rank - 1,))


RULES: Final[Mapping[str, Callable[[TorchNode], Rule]]] = {
    **dict.fromkeys(POINTWISE, lambda node: rules.pointwise(node.given, node.result)),
    **dict.fromkeys(REDUCTIONS, _reduction),
    **dict.fromkeys(BATCH_NORMS, _batch_norm),
    **dict.fromkeys(["conv1d", "conv2d", "conv3d", "convolution"], _convolution),
    **dict.fromkeys([f"{kind}_pool{rank}d" for kind in ("avg", "max") for rank in "123"], _pool),
    **dict.fromkeys(["max_pool2d_with_indices", "max_pool3d_with_indices"], _pool),
    **dict.fromkeys([f"adaptive_avg_pool{rank}d" for rank in "123"], _adaptive_pool),
    **dict.fromkeys(["softmax", "log_softmax", "safe_softmax"], _softmax),
    **dict.fromkeys(["layer_norm", "native_layer_norm", "rms_norm"], _layer_norm),
    **dict.fromkeys(["matmul", "mm", "bmm", "mv", "dot"], _matmul),
    **dict.fromkeys(["addmm", "baddbmm"], _added_matmul),
    **dict.fromkeys(["cumsum", "cumprod", "logcumsumexp"], _cumulative),
    "einsum": _einsum,
    "embedding": _embedding,
    "index_select": _index_select,
    "linear": _linear,
    "scaled_dot_product_attention": _attention,
}


def torch_rule(node: TorchNode) -> Rule:
    """Return the rule of a function that is no view; unknown ones are opaque."""
    if node.kind in RULES:
        return RULES[node.kind](node)
    return rules.opaque(math.prod(node.result))
