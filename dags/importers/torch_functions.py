"""Functions of PyTorch: the names of each rule and view, readers of arguments, whole graphs."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from dags.importers import rules
from dags.importers.casts import with_casts
from dags.importers.rules import Rule, Shape, Window, operator_of, rule_of
from dags.importers.tensor_graph import TensorGraph, TensorOperator, TensorView, reading
from dags.importers.torch_nodes import Tensor, TorchGraph, TorchNode
from dags.importers.views import View, shape_viewed, slice_of, slices_of

Attributes = Mapping[str, Any]
REDUCTIONS: Final = (
    "all amax amin any argmax argmin logsumexp max mean min nansum norm prod std sum var"
)
ADDED_FIRST: Final = ("addmm", "baddbmm")  # to the product of the other two


def _lengths(value: Any, rank: int, default: int) -> Shape:
    """An argument that is a number, or a list, one for all, or nothing."""
    if value is None or value == []:
        return (default,) * rank
    numbers = [value] * rank if isinstance(value, int) else [int(number) for number in value]
    return tuple(numbers * rank if len(numbers) == 1 else numbers)


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
        same_padding = [(k - 1) * d // 2 for k, d in zip(kernel, dilations, strict=True)]
        before = same_padding if before == "same" else 0
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
        REDUCTIONS: (rules.reduction, _reduction),
        "batch_norm cudnn_batch_norm native_batch_norm": (rules.channels, _batch_norm),
        "native_batch_norm_legit_no_training": (rules.channels, _batch_norm),
        "conv1d conv2d conv3d convolution": (rules.convolution, _convolution),
        "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d "
        "max_pool2d_with_indices max_pool3d_with_indices": (rules.pooling, _pool),
        "adaptive_avg_pool1d adaptive_avg_pool2d": (rules.reduction, _adaptive_pool),
        "adaptive_avg_pool3d": (rules.reduction, _adaptive_pool),
        "softmax log_softmax safe_softmax": (rules.rows, _softmax),
        "layer_norm native_layer_norm rms_norm": (rules.rows, _layer_norm),
        "cumsum cumprod logcumsumexp": (rules.rows, _along_axis),
        "linear": (rules.product, _linear),
        "einsum": (rules.einsum, _einsum),
        "embedding": (rules.lookup, _first_axis),
        "index_select": (rules.lookup, _index_select),
    }
)


def torch_tensor_graph(graph: TorchGraph) -> TensorGraph:
    """The tensor graph of calls of PyTorch, which are read from where they are."""
    shapes = dict(graph.shapes)
    steps: list[TensorOperator | TensorView] = []
    for node in graph.nodes:
        with reading(f"{node.kind} {node.name}"):
            made_here = [*_steps(node)]
        for step in made_here:
            if isinstance(step, TensorView) and step.result not in shapes:
                shapes[step.result] = shape_viewed(
                    step.function, [shapes[name] for name in step.operands], step.arguments
                )
            steps.append(step)
    defined = {name for step in steps for name in step.results} | {*graph.inputs}
    read = TensorGraph(
        name=graph.name,
        shapes={name: shape for name, shape in shapes.items() if name in defined}
        | {name: shapes[name] for step in steps for name in step.operands},
        inputs=graph.inputs,
        steps=tuple(steps),
        outputs=graph.outputs,
        itemsize=graph.itemsize,
    )
    return with_casts(read)


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
    rule = rule_of(RULES, node.kind, node, shapes, node.result)
    yield operator_of(node.name, node.kind, names, node.results, rule)


_SAME: Final = (
    "alias alpha_dropout bfloat16 clone contiguous detach double dropout dropout1d dropout2d "
    "dropout3d feature_dropout float half identity lift_fresh_copy to to_copy type_as"
)
_RESHAPES: Final = "flatten reshape reshape_as squeeze unflatten unsafe_view unsqueeze view view_as"
CONSTANTS: Final = [
    "arange",
    "empty",
    "eye",
    "full",
    "linspace",
    "ones",
    "rand",
    "scalar_tensor",
    "zeros",
]


def is_constant(node: TorchNode) -> bool:
    """Whether a node makes an array of constants, or of random numbers."""
    return not node.operands or node.kind.removesuffix("_like").removeprefix("new_") in CONSTANTS


def torch_views(node: TorchNode) -> list[TensorView] | None:
    """The views that a node is; None if it computes something."""
    views = VIEWS_OF[node.kind](node) if node.kind in VIEWS_OF else None
    return None if views is None else [*views]


def _one(node: TorchNode, function: str, **arguments: Any) -> Iterator[TensorView]:
    yield TensorView((node.operands[0],), node.results[0], function, arguments)


def _same(node: TorchNode) -> Iterator[TensorView]:
    return _one(node, "same")


def _reshape(node: TorchNode) -> Iterator[TensorView]:
    return _one(node, "reshape", shape=node.result)


def _transpose(node: TorchNode) -> Iterator[TensorView]:
    axes = list(range(len(node.shape(0))))
    first, second = (-2, -1) if len(node.args) < 2 else (node.axis(1), node.axis(2))
    if len(axes) > 1:
        axes[first], axes[second] = axes[second], axes[first]
    return _one(node, "transpose", axes=axes)


def _permute(node: TorchNode) -> Iterator[TensorView]:
    dims = node.argument(1, "dims")
    axes = dims if isinstance(dims, list | tuple) else node.args[1:]
    return _one(node, "transpose", axes=[int(axis) % len(node.shape(0)) for axis in axes])


def _expand(node: TorchNode) -> Iterator[TensorView]:
    return _one(node, "broadcast", shape=node.result)


def _repeat(node: TorchNode) -> Iterator[TensorView]:
    repeats = node.argument(1, "repeats")
    counts = repeats if isinstance(repeats, list | tuple) else node.args[1:]
    return _one(node, "repeat", counts=list(counts))


def _flip(node: TorchNode) -> Iterator[TensorView]:
    return _one(node, "flip", axes=list(node.argument(1, "dims")))


def _slice(node: TorchNode) -> Iterator[TensorView]:
    low, high = node.argument(2, "start"), node.argument(3, "end")
    step = node.argument(4, "step", 1)
    return _cut(node, node.axis(1), low, high, step)


def _narrow(node: TorchNode) -> Iterator[TensorView]:
    axis, low = node.axis(1), int(node.argument(2, "start"))
    low %= max(node.shape(0)[axis], 1)
    return _cut(node, axis, low, low + node.result[axis])


def _cut(node: TorchNode, axis: int, low: Any, high: Any, step: int = 1) -> Iterator[TensorView]:
    function, bounds = slice_of(len(node.shape(0)), axis, low, high, step)
    return _one(node, function, **bounds)


def _select(node: TorchNode) -> Iterator[TensorView]:
    axis = node.axis(1)
    low = int(node.argument(2, "index")) % max(node.shape(0)[axis], 1)
    return _entry(node, node.results[0], slice_of(len(node.shape(0)), axis, low, low + 1))


def _entry(node: TorchNode, result: str, cut: View) -> Iterator[TensorView]:
    """Yield the views of a slice in the shape of the result."""
    inner = f"{result}.selected"
    yield TensorView((node.operands[0],), inner, *cut)
    yield TensorView((inner,), result, "reshape", {"shape": node.shapes[result]})


def _split(node: TorchNode) -> Iterator[TensorView]:
    axis = node.axis(2)
    lengths = [node.shapes[name][axis] for name in node.results]
    for name, view in zip(node.results, slices_of(len(node.shape(0)), axis, lengths), strict=True):
        yield TensorView((node.operands[0],), name, *view)


def _unbind(node: TorchNode) -> Iterator[TensorView]:
    views = slices_of(len(node.shape(0)), node.axis(1), [1] * len(node.results))
    for name, view in zip(node.results, views, strict=True):
        yield from _entry(node, name, view)


def _join(node: TorchNode) -> Iterator[TensorView]:
    axis = int(node.argument(1, "dim", 0)) % len(node.result)
    yield TensorView(tuple(node.operands), node.results[0], "join", {"axis": axis})


def _stack(node: TorchNode) -> Iterator[TensorView]:
    axis = int(node.argument(1, "dim", 0)) % len(node.result)
    shape = (*node.result[:axis], 1, *node.result[axis + 1 :])
    inner = [f"{node.results[0]}.{place}" for place in range(len(node.operands))]
    for name, view in zip(node.operands, inner, strict=True):
        yield TensorView((name,), view, "reshape", {"shape": shape})
    yield TensorView(tuple(inner), node.results[0], "join", {"axis": axis})


def _pad(node: TorchNode) -> Iterator[TensorView]:
    ends = list(node.argument(1, "pad"))
    rank = len(node.shape(0))
    before, after = [0] * rank, [0] * rank
    for place in range(len(ends) // 2):
        before[rank - 1 - place], after[rank - 1 - place] = ends[2 * place], ends[2 * place + 1]
    return _one(node, "pad", before=before, after=after, between=[0] * rank)


def _index(node: TorchNode) -> Iterator[TensorView] | None:
    """The views that x[index] is; None if there are tensors or lists in the index."""
    argument = node.args[1]
    index = list(argument) if isinstance(argument, tuple) else [argument]
    if any(isinstance(entry, list | tuple | Tensor | bool) for entry in index):
        return None
    shape = node.shape(0)
    named = [entry for entry in index if entry is not None and entry is not ...]
    around = index.index(...) if ... in index else len(index)
    missing = [slice(None)] * (len(shape) - len(named))
    full = [
        entry for entry in [*index[:around], *missing, *index[around + 1 :]] if entry is not None
    ]
    rows: list[list[Any]] = [[], [], []]
    for entry, length in zip(full, shape, strict=True):
        place = slice(entry % length, entry % length + 1) if isinstance(entry, int) else entry
        for row, value in zip(rows, (place.start, place.stop, place.step or 1), strict=True):
            row.append(value)
    bounds = dict(zip(("starts", "stops", "steps"), rows, strict=True))
    return _entry(node, node.results[0], ("cut", bounds))


VIEWS_OF: Final[Mapping[str, Callable[[TorchNode], Iterator[TensorView] | None]]] = {
    **dict.fromkeys(_SAME.split(), _same),
    **dict.fromkeys(_RESHAPES.split(), _reshape),
    **dict.fromkeys(["transpose", "swapaxes", "t", "numpy_T", "adjoint"], _transpose),
    **dict.fromkeys(["expand", "expand_as", "broadcast_to"], _expand),
    **dict.fromkeys(["split", "split_with_sizes", "chunk", "tensor_split"], _split),
    **dict.fromkeys(["cat", "concat", "concatenate"], _join),
    "constant_pad_nd": _pad,
    "flip": _flip,
    "getitem": _index,
    "narrow": _narrow,
    "permute": _permute,
    "repeat": _repeat,
    "select": _select,
    "slice": _slice,
    "stack": _stack,
    "unbind": _unbind,
}
