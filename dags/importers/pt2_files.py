"""Exported programs of PyTorch in `.pt2` files: the graph is JSON in an archive.

Neither PyTorch nor pickle takes part: weights and sample inputs stay where they are.
"""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dags.errors import FormatError, one_line
from dags.importers.rules import Shape
from dags.importers.tensor_graph import ImportedGraphError, TensorGraph
from dags.importers.torch_functions import torch_tensor_graph
from dags.importers.torch_nodes import Tensor, TorchGraph, TorchNode, function_name, length_of

LARGEST: Final = 2**28  # bytes of the graph's JSON
# Bytes of an element by PyTorch's number of its type: bytes, shorts, ..., complex double, bool.
ITEMSIZE: Final = (0, 1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 2)


def from_pt2(path: Path | str, sizes: Mapping[str, int] | None = None) -> TensorGraph:
    """Return the tensor graph of a file that `torch.export.save` wrote.

    Parameters
    ----------
    path
        The file.
    sizes
        Values of symbolic dimensions.

    Raises
    ------
    FormatError
        If it is no such file.
    ImportedGraphError
        If a dimension has no value.
    """
    path = Path(path)
    try:
        program = json.loads(_text(path))
        graph = program["graph_module"]["graph"]
        signature = program["graph_module"]["signature"]
        return torch_tensor_graph(_graph(path.stem, graph, signature, sizes or {}))
    except (zipfile.BadZipFile, RuntimeError) as error:  # encrypted, or compressed in another way
        raise FormatError(path, f"is no archive of torch.export: {one_line(error)}") from None
    except (FormatError, ImportedGraphError):
        raise
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, AttributeError) as error:
        raise FormatError(
            path, f"has no graph that can be read: {type(error).__name__}, {one_line(error)}"
        ) from None


def _text(path: Path) -> bytes:
    """The JSON of the graph in an archive."""
    with zipfile.ZipFile(path) as archive:
        members = [
            member
            for member in archive.infolist()
            if member.filename.endswith(("models/model.json", "serialized_exported_program.json"))
        ]
        if not members:
            raise FormatError(
                path, "is an archive without models/model.json: write it by torch.export.save"
            )
        if members[0].file_size > LARGEST:
            raise FormatError(path, f"has a graph of more than {LARGEST} bytes")
        return archive.read(members[0])


def _graph(name: str, graph: Any, signature: Any, sizes: Mapping[str, int]) -> TorchGraph:
    shapes: dict[str, Shape] = {}
    itemsize: dict[str, int] = {}
    for tensor, meta in graph["tensor_values"].items():
        shapes[tensor] = tuple(_length(length, sizes) for length in meta["sizes"])
        kind = meta["dtype"]
        itemsize[tensor] = ITEMSIZE[kind] if kind < len(ITEMSIZE) else 1
    names = _parameter_names(signature)
    lengths = {
        key: _length(value, sizes)
        for key, value in graph.get("sym_int_values", {}).items()
        if "as_int" in value or "as_expr" in value
    }
    nodes = [_node(node, shapes, names, lengths) for node in graph["nodes"]]
    tensors = [entry["as_tensor"]["name"] for entry in graph["inputs"] if "as_tensor" in entry]
    outputs = [entry["as_tensor"]["name"] for entry in graph["outputs"] if "as_tensor" in entry]
    for old, new in names.items():
        if old in shapes:
            shapes[new], itemsize[new] = shapes.pop(old), itemsize.pop(old)
    return TorchGraph(
        name,
        nodes,
        tuple(names.get(tensor, tensor) for tensor in tensors),
        tuple(names.get(output, output) for output in outputs),
        shapes,
        itemsize,
    )


def _parameter_names(signature: Any) -> dict[str, str]:
    """The parameters' own names, "c.weight"."""
    names = {}
    for spec in signature["input_specs"]:
        for kind, field in (
            ("parameter", "parameter_name"),
            ("buffer", "buffer_name"),
            ("tensor_constant", "tensor_constant_name"),
        ):
            if kind in spec:
                names[spec[kind]["arg"]["name"]] = str(spec[kind][field])
    return names


def _length(size: Mapping[str, Any], sizes: Mapping[str, int]) -> int:
    if "as_int" in size:
        return int(size["as_int"])
    return length_of(str(size["as_expr"]["expr_str"]), sizes)


def _node(
    data: Any, shapes: Mapping[str, Shape], names: Mapping[str, str], lengths: Mapping[str, int]
) -> TorchNode:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for entry in data["inputs"]:
        value = _argument(entry["arg"], names, lengths)
        if entry.get("kind", 1) == 2:
            kwargs[entry["name"]] = value
        else:
            args.append(value)
    results = [tensor for output in data["outputs"] for tensor in _tensors(output)]
    kind = function_name(data["target"])
    called = str(data.get("name") or (results[0] if results else kind))
    return TorchNode(called, kind, tuple(args), kwargs, tuple(results), shapes)


def _argument(data: Mapping[str, Any], names: Mapping[str, str], lengths: Mapping[str, int]) -> Any:
    (kind, value), *_ = data.items()
    if kind == "as_tensor":
        return Tensor(names.get(value["name"], value["name"]))
    if kind in ("as_tensors", "as_optional_tensors"):
        values = [entry.get("as_tensor", entry) for entry in value]
        return [
            Tensor(names.get(entry["name"], entry["name"])) for entry in values if "name" in entry
        ]
    if kind == "as_sym_int":
        return _symbolic(value, lengths)
    if kind == "as_sym_ints":
        return [_symbolic(entry, lengths) for entry in value]
    if kind == "as_none":
        return None
    return value


def _symbolic(value: Mapping[str, Any], lengths: Mapping[str, int]) -> int | None:
    return value["as_int"] if "as_int" in value else lengths.get(value["as_name"])


def _tensors(data: Mapping[str, Any]) -> list[str]:
    """The tensors that a node returns, by name."""
    (kind, value), *_ = data.items()
    if kind == "as_tensor":
        return [str(value["name"])]
    return [str(entry["name"]) for entry in value] if kind == "as_tensors" else []
