"""Functions of PyTorch that copy, slice and join: views, which make no vertex."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from dags.importers.tensor_graph import TensorView
from dags.importers.torch_nodes import Tensor, TorchNode
from dags.importers.views import View, slice_of, slices_of

_SAME: Final = (
    "alias alpha_dropout bfloat16 clone contiguous detach double dropout dropout1d dropout2d "
    "dropout3d feature_dropout float half identity lift_fresh_copy to to_copy type_as"
)
_RESHAPES: Final = "flatten reshape reshape_as squeeze unflatten unsafe_view unsqueeze view view_as"
CONSTANTS: Final = (
    "arange",
    "empty",
    "eye",
    "full",
    "linspace",
    "ones",
    "rand",
    "scalar_tensor",
    "zeros",
)


def is_constant(node: TorchNode) -> bool:
    """Return whether a node makes an array of constants, or of random numbers."""
    return not node.operands or node.kind.removesuffix("_like").removeprefix("new_") in CONSTANTS


def torch_views(node: TorchNode) -> list[TensorView] | None:
    """Return the views that a node is; None if it computes something."""
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
    given = node.argument(1, "dims")
    axes = given if isinstance(given, list | tuple) else node.args[1:]
    return _one(node, "transpose", axes=[int(axis) % len(node.shape(0)) for axis in axes])


def _expand(node: TorchNode) -> Iterator[TensorView]:
    return _one(node, "broadcast", shape=node.result)


def _repeat(node: TorchNode) -> Iterator[TensorView]:
    given = node.argument(1, "repeats")
    counts = given if isinstance(given, list | tuple) else node.args[1:]
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
    for name, each in zip(node.operands, inner, strict=True):
        yield TensorView((name,), each, "reshape", {"shape": shape})
    yield TensorView(tuple(inner), node.results[0], "join", {"axis": axis})


def _pad(node: TorchNode) -> Iterator[TensorView]:
    ends = list(node.argument(1, "pad"))
    rank = len(node.shape(0))
    before, after = [0] * rank, [0] * rank
    for place in range(len(ends) // 2):
        before[rank - 1 - place], after[rank - 1 - place] = ends[2 * place], ends[2 * place + 1]
    return _one(node, "pad", before=before, after=after, between=[0] * rank)


def _index(node: TorchNode) -> Iterator[TensorView] | None:
    """Return the views that x[index] is; None if there are tensors or lists in the index."""
    given = node.args[1]
    index = list(given) if isinstance(given, tuple) else [given]
    if any(isinstance(each, list | tuple | Tensor | bool) for each in index):
        return None
    shape = node.shape(0)
    named = [each for each in index if each is not None and each is not ...]
    around = index.index(...) if ... in index else len(index)
    missing = [slice(None)] * (len(shape) - len(named))
    full = [each for each in [*index[:around], *missing, *index[around + 1 :]] if each is not None]
    rows: list[list[Any]] = [[], [], []]
    for each, length in zip(full, shape, strict=True):
        place = slice(each % length, each % length + 1) if isinstance(each, int) else each
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
