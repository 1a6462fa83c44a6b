"""Operators of ONNX that copy, slice and join: views, which make no vertex."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from dags.importers.onnx_operators import OnnxNode, View


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
        low, high, by = slice(start, stop, step).indices(node.shape(0)[axis])
        for row, value in zip(bounds, (low, None if high < 0 else high, by), strict=True):
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
    """Return the view that each result of a Split is."""
    rank, axis = len(node.shape(0)), node.axis()
    views: list[View] = []
    start = 0
    for name in node.outputs:
        stop = start + node.shapes[name][axis]
        bounds: list[list[Any]] = [[None] * rank, [None] * rank, [1] * rank]
        bounds[0][axis], bounds[1][axis] = start, stop
        views.append(("cut", dict(zip(("starts", "stops", "steps"), bounds, strict=True))))
        start = stop
    return views


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
