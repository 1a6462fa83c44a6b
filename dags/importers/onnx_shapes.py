"""Shapes and constants of an ONNX model: symbolic dimensions, inference, folding."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.errors import one_line
from dags.importers.tensor_graph import ImportedGraphError, require_package

SMALL: Final = 1024  # elements of a tensor of integers that is a constant: sizes, axes, indices
FOLDED: Final = 65536  # most elements of a constant that is computed here
PASSES: Final = 8  # inferred shapes give constants, and these shapes

Known = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class InferredModel:
    """An ONNX model with what is known of its tensors.

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
    """Return a model with the shapes of its tensors.

    Parameters
    ----------
    model
        An `onnx.ModelProto`; it is not changed.
    sizes
        Values of its symbolic dimensions. An axis without length and name is called by its input
        and number: "x.0".

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
    _constant_arrays(onnx, copied.graph)
    constants, parameters = _initialisers(onnx, copied.graph)
    _set_sizes(copied.graph, sizes, {*parameters, *constants})
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
    declared = {each.name for each in graph.input}
    index_types = (onnx.TensorProto.INT32, onnx.TensorProto.INT64, onnx.TensorProto.BOOL)
    for tensor in graph.initializer:
        inline = tensor.data_location != onnx.TensorProto.EXTERNAL
        small = math.prod(tensor.dims) <= SMALL and inline
        if small and tensor.data_type in index_types:
            constants[tensor.name] = onnx.numpy_helper.to_array(tensor)
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


def _set_sizes(graph: Any, sizes: Mapping[str, int], others: set[str]) -> None:
    """Give symbolic dimensions their values, and drop the shapes that were derived from them."""
    missing: dict[str, None] = {}
    used: dict[str, None] = {}
    for each in graph.input:
        for axis, dim in enumerate(each.type.tensor_type.shape.dim):
            if (dim.HasField("dim_value") and dim.dim_value > 0) or each.name in others:
                continue
            name = dim.dim_param or f"{each.name}.{axis}"
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
    fixed = [each for each in graph.value_info if _is_fixed(each)]
    del graph.value_info[:]
    graph.value_info.extend(fixed)
    for each in graph.output:
        if not _is_fixed(each):
            each.type.tensor_type.ClearField("shape")


def _is_fixed(info: Any) -> bool:
    tensor = info.type.tensor_type
    return tensor.HasField("shape") and all(
        dim.HasField("dim_value") and dim.dim_value > 0 for dim in tensor.shape.dim
    )


def _infer(onnx: Any, model: Any) -> Any:
    try:
        return require_package("onnx.shape_inference", "onnx", "files of ONNX").infer_shapes(
            model, strict_mode=False, data_prop=True
        )
    except Exception as error:  # the package exports no base of its errors
        raise ImportedGraphError(f"shapes cannot be inferred: {one_line(error)}") from None


def _types(onnx: Any, graph: Any) -> tuple[dict[str, tuple[int, ...]], dict[str, int]]:
    """Return the shapes and the bytes of an element of tensors that have a fixed shape."""
    shapes: dict[str, tuple[int, ...]] = {}
    itemsize: dict[str, int] = {}
    for info in (*graph.input, *graph.value_info, *graph.output):
        tensor = info.type.tensor_type
        if tensor.HasField("shape") and all(dim.HasField("dim_value") for dim in tensor.shape.dim):
            shapes[info.name] = tuple(dim.dim_value for dim in tensor.shape.dim)
        if tensor.elem_type and tensor.elem_type != onnx.TensorProto.STRING:
            itemsize[info.name] = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type).itemsize
    return shapes, itemsize


def _fold(onnx: Any, model: Any, shapes: Mapping[str, tuple[int, ...]], constants: Known) -> Known:
    """Return the constants that nodes make of constants, and of shapes, and that are new."""
    new: Known = {}
    opsets = list(model.opset_import)
    for node in model.graph.node:
        if node.output[0] in constants or any(each.HasField("g") for each in node.attribute):
            continue
        known = {**constants, **new}
        if node.op_type == "Shape" and node.input[0] in shapes:
            given = {node.input[0]: np.broadcast_to(np.float32(0), shapes[node.input[0]])}
        elif all(name in known for name in node.input if name) and _folds(node, known):
            given = {name: known[name] for name in node.input if name}
        else:
            continue
        new |= _values(onnx, node, given, opsets)
    return new


def _folds(node: Any, known: Known) -> bool:
    """Return whether a node of constants gives a constant, and no large one."""
    if node.op_type.startswith(("Random", "Bernoulli", "Multinomial")):
        return False
    if node.op_type in ("ConstantOfShape", "Expand", "Tile"):
        lengths = known[node.input[-1]].tolist()
        return math.prod(max(abs(int(n)), 1) for n in lengths) <= FOLDED
    return True


def _values(onnx: Any, node: Any, given: Known, opsets: Any) -> Known:
    """Return the results of a node as ONNX's own reference computes them; none if it cannot."""
    reference = require_package("onnx.reference", "onnx", "files of ONNX")
    outputs = [name for name in node.output if name]
    function = onnx.helper.make_function("folded", "Node", [*given], outputs, [node], opsets)
    try:
        results = reference.ReferenceEvaluator(function).run(None, given, attributes={})
    except Exception:  # of any kind: what cannot be computed is not folded
        return {}
    arrays = {name: np.asarray(value) for name, value in zip(outputs, results, strict=True)}
    return {} if any(each.size > FOLDED for each in arrays.values()) else arrays
