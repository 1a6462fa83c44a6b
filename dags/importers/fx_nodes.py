"""Graphs of torch.fx and torch.export as calls. They are read by attributes, without PyTorch."""

import re
from collections.abc import Mapping
from typing import Any, Final

from dags.importers.tensor_graph import ImportedGraphError, TensorGraph, reading
from dags.importers.torch_functions import torch_tensor_graph
from dags.importers.torch_nodes import Tensor, TorchGraph, TorchNode, function_name, length_of

PARAMETERS: Final = {"batch_norm": ("running_mean", "running_var", "weight", "bias")}
NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "conv": ("stride", "padding", "dilation", "groups"),
    "max_pool": ("kernel_size", "stride", "padding", "dilation"),
    "avg_pool": ("kernel_size", "stride", "padding"),
    "log_softmax": ("dim",),
    "softmax": ("dim",),
}


def is_fx(value: object) -> bool:
    """Whether a value is a graph of torch.fx or torch.export, by its attributes."""
    nodes = getattr(getattr(value, "graph", value), "nodes", None)
    first = next(iter(nodes), None) if nodes is not None and not callable(nodes) else None
    return all(hasattr(first, name) for name in ("op", "target", "args", "kwargs", "meta"))


def from_fx(source: Any, sizes: Mapping[str, int] | None = None) -> TensorGraph:
    """The tensor graph of a `GraphModule`, an `ExportedProgram`, or a `torch.fx.Graph`.

    Arguments and parameters are inputs. Shapes are those that the graph keeps: an exported
    program has them, a traced module after `ShapeProp(module).propagate(*arguments)`.

    Parameters
    ----------
    source
        The graph.
    sizes
        Values of symbolic dimensions.

    Raises
    ------
    ImportedGraphError
        If a shape is not known.
    """
    with reading("the graph of PyTorch"):
        return torch_tensor_graph(_NodeReader(source, sizes or {}).graph())


class _NodeReader:
    """Reads nodes one after the other."""

    def __init__(self, source: Any, sizes: Mapping[str, int]) -> None:
        self.source, self.sizes = source, sizes
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.itemsize: dict[str, int] = {}
        self.values: dict[Any, Any] = {}  # what a node is in arguments: a tensor, or several
        self.inputs: list[str] = []
        self.nodes: list[TorchNode] = []
        self.outputs: tuple[str, ...] = ()

    def graph(self) -> TorchGraph:
        """The calls."""
        graph = getattr(self.source, "graph", self.source)
        names = _parameter_names(self.source)
        for node in graph.nodes:
            if node.op in ("placeholder", "get_attr"):
                called = names.get(
                    node.name, node.name if node.op == "placeholder" else node.target
                )
                value = self._value(node) if node.op == "placeholder" else self._attribute(node)
                if value is not None:
                    self.values[node] = Tensor(self._input(str(called), value))
            elif node.op == "output":
                outputs = self._plain(node.args)
                self.outputs = tuple(output.name for output in _flat(outputs))
            else:
                self._call(node)
        name = type(self.source).__name__
        return TorchGraph(
            name, self.nodes, tuple(self.inputs), self.outputs, self.shapes, self.itemsize
        )

    def _call(self, node: Any) -> None:
        if node.op == "call_module":
            kind, args, kwargs = self._module(node)
        else:
            target = node.target
            text = target if isinstance(target, str) else _path(target)
            kind, args, kwargs = function_name(text), self._plain(node.args), dict(node.kwargs)
            kwargs = {key: self._plain(argument) for key, argument in kwargs.items()}
        if kind == "getitem" and isinstance(args[0], tuple | list):
            self.values[node] = args[0][args[1]]
            return
        value = self._value(node)
        if value is None and node.meta.get("val") is not None:  # a number, a length for example
            number = node.meta["val"]
            self.values[node] = number if isinstance(number, float) else self._length(number)
            return
        if value is None:
            if _flat([args, kwargs]):
                raise ImportedGraphError(
                    f"{node.name} has no shape: export the program by torch.export, or call "
                    "torch.fx.passes.shape_prop.ShapeProp(module).propagate(*arguments)"
                )
            return
        several = type(value) is list  # what describes one tensor may be a tuple
        parts = list(value) if several else [value]
        names = [f"{node.name}.{place}" if several else node.name for place in range(len(parts))]
        tensors = [self._tensor(name, value) for name, value in zip(names, parts, strict=True)]
        self.values[node] = tuple(tensors) if several else tensors[0]
        results = tuple(tensor.name for tensor in tensors if tensor is not None)
        self.nodes.append(TorchNode(node.name, kind, tuple(args), kwargs, results, self.shapes))

    def _module(self, node: Any) -> tuple[str, list[Any], dict[str, Any]]:
        """The function that a layer is, its parameters among the arguments."""
        module = self.source.get_submodule(node.target)
        kind = _snake(type(module).__name__)
        kind = "batch_norm" if kind.startswith("batch_norm") else kind
        state = {**dict(module.named_parameters(recurse=False)), **dict(module.named_buffers())}
        tensors = [
            Tensor(self._input(f"{node.target}.{name}", state[name]))
            for name in PARAMETERS.get(kind, ("weight", "bias"))
            if state.get(name) is not None
        ]
        args = [*self._plain(node.args)]
        family = re.sub(r"\d?d$", "", kind)
        if hasattr(module, "normalized_shape"):
            return kind, [args[0], list(module.normalized_shape), *tensors], {}
        if kind == "embedding":
            return kind, [*tensors, *args], {}
        numbers = {name: getattr(module, name) for name in NUMBERS.get(family, ())}
        return kind, [*args, *tensors], {key: _listed(number) for key, number in numbers.items()}

    def _plain(self, value: Any) -> Any:
        """Arguments with tensors in the place of nodes."""
        if isinstance(value, list | tuple):
            return (
                type(value)(map(self._plain, value))
                if type(value) in (list, tuple)
                else [self._plain(element) for element in value]
            )
        if isinstance(value, slice):
            return slice(*map(self._plain, (value.start, value.stop, value.step)))
        if hasattr(value, "op") and hasattr(value, "meta"):
            return self.values.get(value)
        return value

    def _value(self, node: Any) -> Any:
        """The graph's record of a result: something with a shape, or several."""
        value = node.meta.get("val", node.meta.get("tensor_meta"))
        if isinstance(value, list) or (isinstance(value, tuple) and not hasattr(value, "shape")):
            return [entry if hasattr(entry, "shape") else None for entry in value]
        return value if hasattr(value, "shape") else None

    def _attribute(self, node: Any) -> Any:
        value = self._value(node)
        place = self.source
        for part in str(node.target).split("."):
            place = getattr(place, part, None)
        return value if value is not None else place if hasattr(place, "shape") else None

    def _input(self, name: str, value: Any) -> str:
        while name in self.shapes and name not in self.inputs:
            name += "'"
        if name not in self.inputs:
            self.inputs.append(name)
            self._tensor(name, value)
        return name

    def _tensor(self, name: str, value: Any) -> Tensor | None:
        if value is None:
            return None
        self.shapes[name] = tuple(self._length(length) for length in value.shape)
        self.itemsize[name] = int(getattr(getattr(value, "dtype", None), "itemsize", 1))
        return Tensor(name)

    def _length(self, value: Any) -> int:
        return value if type(value) is int else length_of(str(value), self.sizes)


def _flat(value: Any) -> list[Tensor]:
    """The tensors in nested lists and dicts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [tensor for part in value for tensor in _flat(part)]
    return [value] if isinstance(value, Tensor) else []


def _path(target: Any) -> str:
    text = str(target)
    return text if text.startswith(("aten.", "torch.ops.")) else str(target.__name__)


def _snake(name: str) -> str:
    """Return "conv2d" for "Conv2d", "batch_norm2d" for "BatchNorm2d", "relu" for "ReLU"."""
    known = {"ReLU": "relu", "ReLU6": "relu6", "GELU": "gelu", "SiLU": "silu", "ELU": "elu"}
    known |= {"LeakyReLU": "leaky_relu", "LogSoftmax": "log_softmax", "RMSNorm": "rms_norm"}
    return known.get(name) or re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _parameter_names(source: Any) -> dict[str, str]:
    """The parameters' own names, "c.weight", of placeholders of an exported program."""
    signature = getattr(source, "graph_signature", None)
    specs = getattr(signature, "input_specs", None) or ()
    return {spec.arg.name: spec.target for spec in specs if spec.target}
