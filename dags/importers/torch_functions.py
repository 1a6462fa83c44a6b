"""Functions of PyTorch: the names of each rule, how arguments are read, and whole graphs."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from dags.importers import rules
from dags.importers.rules import Rule, Shape, Window, no_attributes, operator_of, rule_of
from dags.importers.tensor_graph import TensorGraph, TensorOperator, TensorView
from dags.importers.torch_nodes import TorchGraph, TorchNode
from dags.importers.torch_views import is_constant, torch_views
from dags.importers.views import shape_viewed

Attributes = Mapping[str, Any]
POINTWISE: Final = (
    "abs acos acosh add addcdiv addcmul and asin asinh atan atan2 atanh bitwise_and bitwise_not "
    "bitwise_or bitwise_xor ceil celu clamp clamp_max clamp_min clip cos cosh div elu eq erf erfc "
    "exp exp2 expm1 floor floor_divide floordiv fmod ge gelu greater greater_equal gt hardsigmoid "
    "hardswish hardtanh invert isfinite isinf isnan le leaky_relu lerp less less_equal log log10 "
    "log1p log2 logical_and logical_not logical_or logical_xor logsigmoid lt masked_fill maximum "
    "minimum mish mod mul multiply ne neg negative not_equal or pos pow reciprocal relu relu6 "
    "remainder round rsqrt rsub selu sigmoid sign silu sin sinh softplus softsign sqrt square sub "
    "subtract tan tanh threshold true_divide truediv trunc where xor"
)
REDUCTIONS: Final = (
    "all amax amin any argmax argmin logsumexp max mean min nansum norm prod std sum var"
)
ADDED_FIRST: Final = ("addmm", "baddbmm")  # to the product of the other two


def _lengths(value: Any, rank: int, default: int) -> Shape:
    """Return an argument that is a number, or a list, one for all, or nothing."""
    if value is None or value == []:
        return (default,) * rank
    given = [value] * rank if isinstance(value, int) else [int(each) for each in value]
    return tuple(given * rank if len(given) == 1 else given)


def _linear(node: TorchNode) -> Attributes:
    rank = len(node.result)
    left = [*range(len(node.shape(0)) - 1), rank]
    return {"axes": (left, [rank - 1, rank])}


def _einsum(node: TorchNode) -> Attributes:
    return {"equation": str(node.args[0])}


def _convolution(node: TorchNode) -> Attributes | Rule:
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
    return {"window": window, "groups": groups}


def _pool(node: TorchNode) -> Attributes | Rule:
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
    return {"window": window}


def _adaptive_pool(node: TorchNode) -> Attributes | Rule:
    spatial = range(2, len(node.result))
    if len(node.result) > 2 and all(node.result[axis] == 1 for axis in spatial):
        return {"axes": spatial}
    return rules.opaque(math.prod(node.shape(0)))


def _softmax(node: TorchNode) -> Attributes:
    return {"axes": [node.axis(1, default=-1)], "each": rules.SOFTMAX, "passes": rules.PASSES}


def _layer_norm(node: TorchNode) -> Attributes:
    rank, normal = len(node.result), len(node.argument(1, "normalized_shape"))
    passes = rules.PASSES - node.kind.startswith("rms")
    return {"axes": range(rank - normal, rank), "each": rules.NORMALISATION, "passes": passes}


def _batch_norm(node: TorchNode) -> Attributes | Rule:
    if node.kind != "native_batch_norm_legit_no_training" and node.argument(5, "training", False):
        return rules.opaque(rules.NORMALISATION * math.prod(node.result))
    return {}


def _reduction(node: TorchNode) -> Attributes:
    axes = node.argument(1, "dim")
    if isinstance(axes, bool) or not isinstance(axes, int | list | tuple):
        axes = []
    if node.kind in ("max", "min") and len(node.given) > 1:
        return {"axes": None}
    keep = len(node.result) == len(node.shape(0))
    return {"axes": [axes] if isinstance(axes, int) else list(axes), "keep": keep}


def _along_axis(node: TorchNode) -> Attributes:
    return {"axes": [node.axis(1)]}


def _first_axis(node: TorchNode) -> Attributes:
    return {"axis": 0}


def _index_select(node: TorchNode) -> Attributes:
    return {"axis": node.axis(1)}


RULES: Final = rules.table(
    {
        POINTWISE: (rules.pointwise, no_attributes),
        REDUCTIONS: (rules.reduction, _reduction),
        "batch_norm cudnn_batch_norm native_batch_norm": (rules.channels, _batch_norm),
        "native_batch_norm_legit_no_training": (rules.channels, _batch_norm),
        "conv1d conv2d conv3d convolution": (rules.convolution, _convolution),
        "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d": (rules.pooling, _pool),
        "max_pool3d max_pool2d_with_indices max_pool3d_with_indices": (rules.pooling, _pool),
        "adaptive_avg_pool1d adaptive_avg_pool2d": (rules.reduction, _adaptive_pool),
        "adaptive_avg_pool3d": (rules.reduction, _adaptive_pool),
        "softmax log_softmax safe_softmax": (rules.rows, _softmax),
        "layer_norm native_layer_norm rms_norm": (rules.rows, _layer_norm),
        "cumsum cumprod logcumsumexp": (rules.rows, _along_axis),
        "matmul mm bmm mv dot addmm baddbmm": (rules.matrix_product, no_attributes),
        "linear": (rules.product, _linear),
        "einsum": (rules.einsum, _einsum),
        "embedding": (rules.lookup, _first_axis),
        "index_select": (rules.lookup, _index_select),
        "scaled_dot_product_attention": (rules.attention, no_attributes),
    }
)


def torch_tensor_graph(graph: TorchGraph) -> TensorGraph:
    """Return the tensor graph of calls of PyTorch, which are read from where they are."""
    shapes = dict(graph.shapes)
    steps: list[TensorOperator | TensorView] = []
    for node in graph.nodes:
        for step in _steps(node):
            if isinstance(step, TensorView) and step.result not in shapes:
                shapes[step.result] = shape_viewed(
                    step.function, [shapes[name] for name in step.operands], step.arguments
                )
            steps.append(step)
    made = {name for step in steps for name in step.results} | {*graph.inputs}
    return TensorGraph(
        name=graph.name,
        shapes={name: shape for name, shape in shapes.items() if name in made}
        | {name: shapes[name] for step in steps for name in step.operands},
        inputs=graph.inputs,
        steps=tuple(steps),
        outputs=graph.outputs,
        itemsize=graph.itemsize,
    )


def _steps(node: TorchNode) -> Iterator[TensorOperator | TensorView]:
    if not node.results or is_constant(node):
        return
    views = torch_views(node)
    if views is not None:
        yield from views
        return
    names, shapes = node.operands, node.given
    if node.kind in ADDED_FIRST:
        names, shapes = names[1:] + names[:1], shapes[1:] + shapes[:1]
    rule = rule_of(RULES.get(node.kind), node, shapes, node.result)
    yield operator_of(node.name, node.kind, names, node.results, rule)
