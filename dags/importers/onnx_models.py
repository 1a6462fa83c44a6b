"""ONNX models as tensor graphs: inferred shapes, folded constants, symbolic dimensions."""

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.errors import FormatError, one_line, shown
from dags.importers.casts import with_casts
from dags.importers.onnx_operators import RULES, VIEWS_OF, OnnxNode, split_views
from dags.importers.rules import operator_of, rule_of
from dags.importers.tensor_graph import (
    MAX_ELEMENTS,
    ImportedGraphError,
    TensorGraph,
    TensorOperator,
    TensorView,
    reading,
    require_package,
)

SMALL: Final = 1024  # elements of a tensor of integers that is a constant: sizes, axes, indices
LONGEST_LIST: Final = 2**20  # integers whose values are followed through the inference of shapes
FOLDED: Final = 65536  # most elements of a constant that is computed here
NAMELESS: Final = frozenset({"", "?", "*", "-1", "None", "none", "unk", "unknown"})  # of axes
PASSES: Final = 8  # inferred shapes give constants, and these shapes

Known = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class InferredModel:
    """An ONNX model with the known shapes and values of its tensors.

    Parameters
    ----------
    model
        The model, without local functions.
    shapes, itemsize
        Of the tensors that are known.
    constants
        Values of the small tensors that depend on no input.
    parameters
        Names of the initialisers that are inputs.
    """

    model: Any
    shapes: Mapping[str, tuple[int, ...]]
    itemsize: Mapping[str, int]
    constants: Known
    parameters: tuple[str, ...]


def inferred(model: Any, sizes: Mapping[str, int]) -> InferredModel:
    """A model with the shapes of its tensors.

    Parameters
    ----------
    model
        An `onnx.ModelProto`; it is not changed.
    sizes
        Values of its symbolic dimensions. An axis without length and name, or called "?", is
        named by its input and number: "x.0".

    Raises
    ------
    ImportedGraphError
        If a dimension has no value, or a value no dimension; all of them are named.
    """
    onnx = require_package("onnx", "onnx", "files of ONNX")
    if model.functions:
        model = require_package("onnx.inliner", "onnx", "files of ONNX").inline_local_functions(
            model
        )
    copied = onnx.ModelProto()
    copied.CopyFrom(model)
    _require_single(copied.graph)
    _constant_arrays(onnx, copied.graph)
    constants, parameters = _initialisers(onnx, copied.graph)
    _set_sizes(copied.graph, sizes, {*parameters, *constants})
    _require_shapes(copied.graph)
    for _ in range(PASSES):
        copied = _infer(onnx, copied)
        shapes, itemsize = _types(onnx, copied.graph)
        new = _fold(onnx, copied, shapes, constants)
        if not new:
            break
        constants |= new
        copied.graph.initializer.extend(
            onnx.numpy_helper.from_array(value, name) for name, value in new.items()
        )
    shapes = {**shapes, **{name: value.shape for name, value in constants.items()}}
    return InferredModel(copied, shapes, itemsize, constants, tuple(parameters))


def _require_single(graph: Any) -> None:
    """Raise ImportedGraphError if a name is defined twice, or a node defines none."""
    makers: dict[str, str] = {}
    definitions = {value.name: "an input" for value in graph.input}
    _require_all_single(graph.input, "an input", {})
    _require_all_single(graph.initializer, "an initialiser", makers)
    defined = {**definitions, **makers}  # an initialiser may be the default of an input
    for node in graph.node:
        if not any(node.output):
            raise ImportedGraphError(
                f"the node {node.op_type} {one_line(node.name, 40)} has no result"
            )
        for name in filter(None, node.output):
            if name in defined:
                raise ImportedGraphError(
                    f"{shown(name)} is defined twice: by {defined[name]} and by the node "
                    f"{node.op_type} {one_line(node.name, 40)}".rstrip()
                )
            defined[name] = f"the node {node.op_type} {one_line(node.name, 40)}".rstrip()


def _require_all_single(tensors: Any, kind: str, makers: dict[str, str]) -> None:
    for tensor in tensors:
        if tensor.name in makers:
            raise ImportedGraphError(f"{shown(tensor.name)} is defined twice: by {kind} each time")
        makers[tensor.name] = kind


def _constant_arrays(onnx: Any, graph: Any) -> None:
    """Turn constant nodes of several floating-point numbers into initialisers: parameters."""
    kept = []
    for node in graph.node:
        tensor = node.attribute[0].t if node.op_type == "Constant" and node.attribute else None
        floating = (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16)
        if tensor is None or tensor.data_type not in floating or math.prod(tensor.dims) < 2:
            kept.append(node)
            continue
        graph.initializer.append(tensor)
        graph.initializer[-1].name = node.output[0]
    del graph.node[:]
    graph.node.extend(kept)


def _initialisers(onnx: Any, graph: Any) -> tuple[Known, list[str]]:
    """Take initialisers apart: values of small integers, and names of parameters.

    Parameters become arguments of the graph, so that their values, which may be gigabytes, are
    neither read nor copied; where inference may want a few, they stay.
    """
    constants: Known = {}
    parameters: list[str] = []
    kept = []
    declared = {tensor.name for tensor in graph.input}
    index_types = (onnx.TensorProto.INT32, onnx.TensorProto.INT64, onnx.TensorProto.BOOL)
    for tensor in graph.initializer:
        inline = tensor.data_location != onnx.TensorProto.EXTERNAL
        small = math.prod(tensor.dims) <= SMALL and inline
        if small and tensor.data_type in index_types:
            constants[tensor.name] = _values_of(onnx, tensor)
            kept.append(tensor)
            continue
        parameters.append(tensor.name)
        if small:
            kept.append(tensor)
        if tensor.name not in declared:
            graph.input.append(
                onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            )
    for sparse in graph.sparse_initializer:
        raise ImportedGraphError(f"the sparse initialiser {sparse.values.name} is not read")
    del graph.initializer[:]
    graph.initializer.extend(kept)
    return constants, parameters


def _values_of(onnx: Any, tensor: Any) -> npt.NDArray[Any]:
    """The values of an initialiser."""
    with reading(f"the initialiser {one_line(tensor.name, 40)}"):
        values: npt.NDArray[Any] = onnx.numpy_helper.to_array(tensor)
        return values


def _set_sizes(graph: Any, sizes: Mapping[str, int], others: set[str]) -> None:
    """Give symbolic dimensions their values, and drop the shapes that were derived from them."""
    missing: dict[str, None] = {}
    used: dict[str, None] = {}
    for value in graph.input:
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if (dim.HasField("dim_value") and dim.dim_value > 0) or value.name in others:
                continue
            name = dim.dim_param
            if name in NAMELESS or set(name) & set(",=:"):
                name = f"{value.name}.{axis}"
            used[name] = None
            if name in sizes:
                dim.dim_value = sizes[name]
            else:
                missing[name] = None
    unknown = [name for name in sizes if name not in used]
    if unknown:
        raise ImportedGraphError(
            f"there is no dimension {unknown[0]}; {', '.join(used) or 'all have lengths'}"
        )
    if missing:
        raise ImportedGraphError(
            f"{', '.join(missing)} {'has no value' if len(missing) == 1 else 'have no values'}; "
            f"add {','.join(f'{name}=...' for name in missing)}"
        )
    fixed = [value for value in graph.value_info if _is_fixed(value)]
    del graph.value_info[:]
    graph.value_info.extend(fixed)
    for value in graph.output:
        if not _is_fixed(value):
            value.type.tensor_type.ClearField("shape")


def _require_shapes(graph: Any) -> None:
    """Raise ImportedGraphError for an input that is too large: ONNX ends Python where it counts."""
    for value in graph.input:
        lengths = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        if min(lengths, default=0) < 0 or math.prod(max(n, 1) for n in lengths) > MAX_ELEMENTS:
            raise ImportedGraphError(
                f"{shown(value.name)} has a shape of less than 0 or more than {MAX_ELEMENTS} "
                "elements"
            )


def _is_fixed(info: Any) -> bool:
    tensor = info.type.tensor_type
    return tensor.HasField("shape") and all(
        dim.HasField("dim_value") and dim.dim_value > 0 for dim in tensor.shape.dim
    )


def _infer(onnx: Any, model: Any) -> Any:
    inference = require_package("onnx.shape_inference", "onnx", "files of ONNX")
    try:
        return inference.infer_shapes(
            model, strict_mode=False, data_prop=not _has_long_list(onnx, model.graph)
        )
    except Exception as error:  # the package exports no base of its errors
        raise ImportedGraphError(f"shapes cannot be inferred: {one_line(error)}") from None


def _has_long_list(onnx: Any, graph: Any) -> bool:
    """Whether an input is a list of very many integers: ONNX names the values of each."""
    for value in graph.input:
        tensor = value.type.tensor_type
        if tensor.elem_type in (onnx.TensorProto.INT32, onnx.TensorProto.INT64):
            lengths = [dim.dim_value for dim in tensor.shape.dim]
            if len(lengths) == 1 and lengths[0] > LONGEST_LIST:
                return True
    return False


def _types(onnx: Any, graph: Any) -> tuple[dict[str, tuple[int, ...]], dict[str, int]]:
    """The shapes and the bytes of an element of tensors that have a fixed shape."""
    shapes: dict[str, tuple[int, ...]] = {}
    itemsize: dict[str, int] = {}
    for info in (*graph.input, *graph.value_info, *graph.output):
        tensor = info.type.tensor_type
        if tensor.HasField("shape") and all(dim.HasField("dim_value") for dim in tensor.shape.dim):
            shapes[info.name] = tuple(dim.dim_value for dim in tensor.shape.dim)
        if tensor.elem_type and tensor.elem_type != onnx.TensorProto.STRING:
            itemsize[info.name] = _bytes_of(onnx, info.name, tensor.elem_type)
    return shapes, itemsize


def _bytes_of(onnx: Any, name: str, kind: int) -> int:
    """The bytes of an element of a type, by its number in ONNX."""
    try:
        size: int = onnx.helper.tensor_dtype_to_np_dtype(kind).itemsize
    except (KeyError, TypeError, ValueError):
        raise ImportedGraphError(
            f"{one_line(name, 40)} has elements of type {kind}, which ONNX has not"
        ) from None
    return size


def _fold(onnx: Any, model: Any, shapes: Mapping[str, tuple[int, ...]], constants: Known) -> Known:
    """The constants that nodes make of constants, and of shapes, and that are new."""
    new: Known = {}
    opsets = list(model.opset_import)
    for node in model.graph.node:
        if node.output[0] in constants or any(
            attribute.HasField("g") for attribute in node.attribute
        ):
            continue
        known = {**constants, **new}
        if node.op_type == "Shape" and node.input[0] in shapes:
            operands = {node.input[0]: np.broadcast_to(np.float32(0), shapes[node.input[0]])}
        elif all(name in known for name in node.input if name) and _folds(node, known):
            operands = {name: known[name] for name in node.input if name}
        else:
            continue
        new |= _values(onnx, node, operands, opsets)
    return new


def _folds(node: Any, known: Known) -> bool:
    """Whether a node of constants gives a constant, and no large one."""
    if node.op_type.startswith(("Random", "Bernoulli", "Multinomial")):
        return False
    if node.op_type in ("ConstantOfShape", "Expand", "Tile"):
        lengths = known[node.input[-1]].tolist()
        return math.prod(max(abs(int(n)), 1) for n in lengths) <= FOLDED
    return True


def _values(onnx: Any, node: Any, operands: Known, opsets: Any) -> Known:
    """The results of a node as ONNX's own reference computes them; none if it cannot."""
    reference = require_package("onnx.reference", "onnx", "files of ONNX")
    outputs = [name for name in node.output if name]
    function = onnx.helper.make_function("folded", "Node", [*operands], outputs, [node], opsets)
    try:
        results = reference.ReferenceEvaluator(function).run(None, operands, attributes={})
    except Exception:  # of any kind: what cannot be computed is not folded
        return {}
    arrays = {name: np.asarray(value) for name, value in zip(outputs, results, strict=True)}
    return {} if any(array.size > FOLDED for array in arrays.values()) else arrays


WANTED: Final = "files of ONNX"
BY_VALUE: Final = frozenset({"NonZero", "Unique", "NonMaxSuppression", "Compress", "StringSplit"})


def from_onnx(source: Any, sizes: Mapping[str, int] | None = None) -> TensorGraph:
    """The tensor graph of an ONNX model.

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
    with reading("the ONNX model"):
        return _tensor_graph(inferred(model, sizes or {}))


def _tensor_graph(known: InferredModel) -> TensorGraph:
    version = max(
        (opset.version for opset in known.model.opset_import if opset.domain in ("", "ai.onnx")),
        default=1,
    )
    graph = known.model.graph
    steps = [step for node in graph.node for step in _read_node(node, known, version)]
    defined = {name for step in steps for name in step.results}
    inputs = [value.name for value in graph.input if value.name not in known.constants]
    used = {name for step in steps for name in step.operands} | defined | {*inputs}
    read = TensorGraph(
        name=graph.name or "model",
        shapes={name: known.shapes[name] for name in used if name in known.shapes},
        inputs=tuple(inputs),
        steps=tuple(steps),
        outputs=tuple(value.name for value in graph.output),
        itemsize=known.itemsize,
    )
    return with_casts(read)


def read_model(path: Path) -> Any:
    """The `onnx.ModelProto` in a file.

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


def _read_node(node: Any, known: InferredModel, version: int) -> list[TensorOperator | TensorView]:
    """The steps of a node; one whose attributes do not fit its operands is named."""
    with reading(one_line(f"{node.op_type} {node.name or ' '.join(node.output)}", 80)):
        return [*_steps(_node(node, known, version), node)]


def _node(node: Any, known: InferredModel, version: int) -> OnnxNode:
    get = require_package("onnx.helper", "onnx", WANTED).get_attribute_value
    if not all(isinstance(name, str) for name in (node.op_type, node.name, *node.output)):
        raise ValueError("a name is not UTF-8")
    attributes = {attribute.name: get(attribute) for attribute in node.attribute}
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
    """Yield the operator or view of a node: nothing if its results are constants."""
    results = tuple(name for name in node.outputs if name)
    if all(name in node.constants for name in results) or node.kind == "Constant":
        return
    called = f"{node.kind} {node.name or results[0]}"
    if any(attribute.HasField("g") or attribute.graphs for attribute in proto.attribute):
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
    computed = tuple(name for name in results if name in node.shapes)
    rule = rule_of(RULES, node.kind, node, node.given, node.result)
    yield operator_of(node.name, node.kind, [name for name in node.inputs if name], computed, rule)
