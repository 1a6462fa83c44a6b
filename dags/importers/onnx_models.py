"""ONNX models as tensor graphs."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from dags.errors import FormatError, RedBlueError, one_line
from dags.importers.onnx_operators import RULES, VIEWS_OF, OnnxNode, split_views
from dags.importers.onnx_shapes import InferredModel, inferred
from dags.importers.rules import operator_of, rule_of
from dags.importers.tensor_graph import (
    ImportedGraphError,
    TensorGraph,
    TensorOperator,
    TensorView,
    require_package,
)

WANTED: Final = "files of ONNX"
DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
BY_VALUE: Final = frozenset({"NonZero", "Unique", "NonMaxSuppression", "Compress", "StringSplit"})


def from_onnx(source: Any, sizes: Mapping[str, int] | None = None) -> TensorGraph:
    """Return the tensor graph of an ONNX model.

    Arguments of the model and initialisers are inputs, but for initialisers of at most 1,024
    integers or truth values: these are sizes, axes and indices, which are constants.

    Parameters
    ----------
    source
        An `onnx.ModelProto`, or a path; weights in other files are not needed.
    sizes
        Values of the symbolic dimensions.

    Raises
    ------
    FormatError
        If the file is no ONNX model.
    ImportedGraphError
        If a dimension has no value, or an operator is not read.
    """
    path = source if isinstance(source, str | os.PathLike) else None
    model = source if path is None else read_model(Path(path))
    try:
        return _tensor_graph(inferred(model, sizes or {}))
    except DAMAGE as error:
        if isinstance(error, RedBlueError):
            raise
        raise ImportedGraphError(
            f"is no ONNX model that can be read: {type(error).__name__}, {one_line(error)}"
        ) from None


def _tensor_graph(known: InferredModel) -> TensorGraph:
    version = max(
        (each.version for each in known.model.opset_import if each.domain in ("", "ai.onnx")),
        default=1,
    )
    graph = known.model.graph
    steps = [step for node in graph.node for step in _steps(_node(node, known, version), node)]
    made = {name for step in steps for name in step.results}
    inputs = [each.name for each in graph.input if each.name not in known.constants]
    used = {name for step in steps for name in step.operands} | made | {*inputs}
    return TensorGraph(
        name=graph.name or "model",
        shapes={name: known.shapes[name] for name in used if name in known.shapes},
        inputs=tuple(inputs),
        steps=tuple(steps),
        outputs=tuple(each.name for each in graph.output),
        itemsize=known.itemsize,
    )


def read_model(path: Path) -> Any:
    """Return the `onnx.ModelProto` in a file.

    Raises
    ------
    FormatError
        If it holds none.
    """
    onnx = require_package("onnx", "onnx", WANTED)
    try:
        model = onnx.load(path, load_external_data=False)
    except OSError:
        raise
    except Exception as error:  # protobuf's error is of a class that it does not export
        raise FormatError(path, f"is no ONNX model: {one_line(error)}") from None
    if not model.graph.node:
        raise FormatError(path, "is no ONNX model with operators")
    return model


def _node(node: Any, known: InferredModel, version: int) -> OnnxNode:
    get = require_package("onnx.helper", "onnx", WANTED).get_attribute_value
    if not all(isinstance(each, str) for each in (node.op_type, node.name, *node.output)):
        raise ValueError("a name is not UTF-8")
    attributes = {each.name: get(each) for each in node.attribute}
    return OnnxNode(
        kind=node.op_type,
        name=node.name,
        inputs=tuple(node.input),
        outputs=tuple(node.output),
        attributes={
            name: value.decode() if isinstance(value, bytes) else value
            for name, value in attributes.items()
        },
        shapes=known.shapes,
        constants=known.constants,
        version=version,
    )


def _steps(node: OnnxNode, proto: Any) -> Iterator[TensorOperator | TensorView]:
    """Yield what a node is: nothing if its results are constants."""
    results = tuple(name for name in node.outputs if name)
    if all(name in node.constants for name in results) or node.kind == "Constant":
        return
    called = f"{node.kind} {node.name or results[0]}"
    if any(each.HasField("g") or each.graphs for each in proto.attribute):
        raise ImportedGraphError(f"{called} has a graph inside, which is not read")
    for name in (*(name for name in node.inputs if name), *results[:1]):
        if name not in node.shapes:
            why = "depends on values" if node.kind in BY_VALUE else "is not known"
            raise ImportedGraphError(f"{called}: the shape of {name} {why}")
    if node.kind == "Split":
        for name, (function, arguments) in zip(results, split_views(node), strict=True):
            yield TensorView(node.inputs[:1], name, function, arguments)
        return
    view = VIEWS_OF[node.kind](node) if node.kind in VIEWS_OF else None
    if view is not None:
        operands = node.inputs if node.kind == "Concat" else node.inputs[:1]
        yield TensorView(operands, results[0], *view)
        return
    made = tuple(name for name in results if name in node.shapes)
    rule = rule_of(RULES.get(node.kind), node, node.given, node.result)
    yield operator_of(node.name, node.kind, [name for name in node.inputs if name], made, rule)
