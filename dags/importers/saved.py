"""Tensor graphs as JSON: what any reader of this room found, without the package it came from.

An object whose first entry is ``"redblue": "tensor graph"``; nothing in it is run when it is read.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from dags.atomic import writing
from dags.errors import FormatError, one_line, shown
from dags.importers.dask_graphs import from_dask
from dags.importers.errors import ImportedGraphError
from dags.importers.tensor_graph import Along, Reads, TensorGraph, TensorOperator, TensorView
from dags.importers.views import VIEWS, shape_viewed

MARK: Final = "tensor graph"
_BEGIN: Final = re.compile(rb'\s*\{\s*"redblue"\s*:\s*"tensor graph"')
NO_GRAPH: Final = (
    "is no tensor graph in JSON, and nothing is unpickled: write one by dags.importers.save_graph"
)
MAX_ELEMENTS: Final = 2**40
_ALONG: Final = ("axis", "stride", "taps", "dilation", "offset", "group")


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
    """Return whether a file begins as those that `save_graph` writes."""
    try:
        with path.open("rb") as file:
            return _BEGIN.match(file.read(128).removeprefix(b"\xef\xbb\xbf")) is not None
    except (OSError, ValueError):
        return False


def read_graph(path: Path | str) -> TensorGraph:
    """Return the tensor graph in a file that `save_graph` wrote, or in one of tasks.

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
        return _graph(path, data)
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
    """Return whether JSON is an object of lists of names that are all there."""
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
            key: list(each) if isinstance(each, tuple) else each
            for key, each in view.arguments.items()
        },
    }


def _graph(path: Path, data: Mapping[str, Any]) -> TensorGraph:
    shapes, itemsize = {}, {}
    for name, (shape, size) in data["tensors"].items():
        shapes[name] = tuple(_whole(each) for each in shape)
        if math.prod(max(length, 1) for length in shapes[name]) > MAX_ELEMENTS:
            raise FormatError(path, f"{shown(name)} has more than {MAX_ELEMENTS} elements")
        if size is not None:
            itemsize[name] = max(_whole(size), 1)
    steps = tuple(_step(each) for each in data["steps"])
    inputs, outputs = tuple(map(str, data["inputs"])), tuple(map(str, data["outputs"]))
    graph = TensorGraph(str(data["name"]), shapes, inputs, steps, outputs, itemsize)
    _check(path, graph)
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
        whole=tuple(_whole(each) for each in data["whole"]),
    )


def _reads(row: list[list[int] | None]) -> Reads:
    return tuple(None if each is None else _along(each) for each in row)


def _along(numbers: list[int]) -> Along:
    axis, stride, taps, dilation, offset, group = map(_whole, numbers)
    return Along(axis, stride, taps, dilation, offset, max(group, 1))


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**62:
        raise ValueError(f"{shown(value)} is no whole number from 0")
    return value


def _check(path: Path, graph: TensorGraph) -> None:
    """Raise FormatError if a name, a rank or an order does not fit."""
    made: set[str] = set()
    for name in graph.inputs:
        if name not in graph.shapes or name in made:
            raise FormatError(path, f"the input {shown(name)} has no shape, or is there twice")
        made.add(name)
    later = {name for step in graph.steps for name in _results(step)}
    for step in graph.steps:
        for name in step.operands:
            if name in later and name not in made:
                raise FormatError(path, f"{shown(name)} is read before it is computed")
        for name in _results(step):
            if name in made or name not in graph.shapes:
                raise FormatError(path, f"{shown(name)} has no shape, or is computed twice")
            made.add(name)
        _check_step(path, graph, step)


def _check_step(path: Path, graph: TensorGraph, step: TensorOperator | TensorView) -> None:
    if isinstance(step, TensorView):
        if step.function not in VIEWS:
            raise FormatError(path, f"no view is called {shown(step.function)}")
        given = [graph.shapes.get(name, ()) for name in step.operands]
        try:
            shape = shape_viewed(step.function, given, step.arguments)
        except ImportedGraphError as error:
            raise FormatError(path, f"{step.result}: {error}") from None
        if shape != graph.shapes[step.result]:
            raise FormatError(path, f"{step.result} is said not to have its shape {shape}")
        return
    if not step.results:
        raise FormatError(path, f"the operator {shown(step.name)} has no result")
    rank = len(graph.shapes[step.results[0]])
    if step.reads is None:
        return
    ranks = [len(graph.shapes.get(name, ())) for name in step.operands]
    axes = [along.axis for row in step.reads for along in row if along is not None]
    if [len(row) for row in step.reads] != ranks or any(axis >= rank for axis in axes):
        raise FormatError(path, f"the operator {shown(step.name)} reads axes that are not there")


def _results(step: TensorOperator | TensorView) -> tuple[str, ...]:
    return (step.result,) if isinstance(step, TensorView) else step.results
