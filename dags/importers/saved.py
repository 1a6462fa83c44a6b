"""Tensor graphs as JSON: results of any reader of this room, without its package.

An object whose first entry is ``"redblue": "tensor graph"``; nothing in it is run when it is read.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from dags.cdag.files import writing
from dags.errors import FormatError, one_line, shown
from dags.importers.checks import check_graph
from dags.importers.dask_graphs import from_dask
from dags.importers.tensor_graph import (
    Along,
    ImportedGraphError,
    Reads,
    TensorGraph,
    TensorOperator,
    TensorView,
)

MARK: Final = "tensor graph"
_BEGIN: Final = re.compile(rb'\s*\{\s*"redblue"\s*:\s*"tensor graph"')
NO_GRAPH: Final = (
    "is no tensor graph in JSON, and nothing is unpickled: write one by dags.importers.save_graph"
)
_ALONG: Final = ("axis", "stride", "taps", "dilation", "offset", "group", "tap")


def save_graph(graph: TensorGraph, path: Path | str) -> None:
    """Write a tensor graph as JSON, for a name that ends in .json or .dask."""
    steps = [_view_object(s) if isinstance(s, TensorView) else _object(s) for s in graph.steps]
    data = {
        "redblue": MARK,
        "name": graph.name,
        "tensors": {
            name: [list(shape), graph.itemsize.get(name)] for name, shape in graph.shapes.items()
        },
        "inputs": list(graph.inputs),
        "steps": steps,
        "outputs": list(graph.outputs),
    }
    with writing(Path(path)) as temporary:
        temporary.write_text(json.dumps(data), encoding="utf-8")


def is_saved_graph(path: Path) -> bool:
    """Whether a file begins as those that `save_graph` writes."""
    try:
        with path.open("rb") as file:
            return _BEGIN.match(file.read(128).removeprefix(b"\xef\xbb\xbf")) is not None
    except (OSError, ValueError):
        return False


def read_graph(path: Path | str) -> TensorGraph:
    """The tensor graph in a file that `save_graph` wrote, or in one of tasks.

    A file of tasks is an object that has, for the name of each task, a list of the names of those
    that it reads: ``{"x": [], "y": ["x"]}``. Their values are words.

    Raises
    ------
    FormatError
        If the file is no such JSON, or something in it does not fit.
    """
    path = Path(path)
    try:
        data = json.loads(path.read_bytes())
        if _is_tasks(data):
            return from_dask(data)
        if not isinstance(data, dict) or data.get("redblue") != MARK:
            raise FormatError(path, NO_GRAPH)
        return _graph(data)
    except ImportedGraphError as error:
        raise FormatError(path, str(error)) from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise FormatError(path, NO_GRAPH) from None
    except FormatError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError) as error:
        raise FormatError(
            path, f"is no tensor graph that can be read: {type(error).__name__}, {one_line(error)}"
        ) from None


def _is_tasks(data: object) -> bool:
    """Whether JSON is an object of lists of names that are all there."""
    return isinstance(data, dict) and all(
        isinstance(row, list) and all(isinstance(name, str) and name in data for name in row)
        for row in data.values()
    )


def _object(step: TensorOperator) -> dict[str, Any]:
    fields = asdict(step)
    if step.reads is not None:
        fields["reads"] = [
            [None if a is None else [getattr(a, key) for key in _ALONG] for a in row]
            for row in step.reads
        ]
    return fields


def _view_object(view: TensorView) -> dict[str, Any]:
    return {
        "view": view.function,
        "operands": list(view.operands),
        "result": view.result,
        "arguments": {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in view.arguments.items()
        },
    }


def _graph(data: Mapping[str, Any]) -> TensorGraph:
    shapes, itemsize = {}, {}
    for name, (shape, size) in data["tensors"].items():
        shapes[name] = tuple(_whole(length) for length in shape)
        if size is not None:
            itemsize[name] = max(_whole(size), 1)
    steps = tuple(_step(step) for step in data["steps"])
    inputs, outputs = tuple(map(str, data["inputs"])), tuple(map(str, data["outputs"]))
    graph = TensorGraph(str(data["name"]), shapes, inputs, steps, outputs, itemsize)
    check_graph(graph)
    return graph


def _step(data: Mapping[str, Any]) -> TensorOperator | TensorView:
    operands = tuple(map(str, data["operands"]))
    if "view" in data:
        return TensorView(operands, str(data["result"]), str(data["view"]), data["arguments"])
    reads = data["reads"]
    return TensorOperator(
        name=str(data["name"]),
        kind=str(data["kind"]),
        operands=operands,
        results=tuple(map(str, data["results"])),
        work=None if data["work"] is None else _whole(data["work"]),
        reads=None if reads is None else tuple(_reads(row) for row in reads),
        whole=tuple(_whole(axis) for axis in data["whole"]),
        passes=None if data.get("passes") is None else _whole(data["passes"]),
    )


def _reads(row: Sequence[Sequence[int | None] | None]) -> Reads:
    return tuple(None if index is None else _along(index) for index in row)


def _along(numbers: Sequence[int | None]) -> Along:
    axis, stride, taps, dilation, offset, group = map(_whole, numbers[:6])
    tap = None if numbers[6:] in ([], [None]) else _whole(*numbers[6:])
    return Along(axis, stride, taps, dilation, offset, max(group, 1), tap)


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**62:
        raise ValueError(f"{shown(value)} is no whole number from 0")
    return value
