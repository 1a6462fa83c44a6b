"""Nodes of PyTorch's graphs, by name and arguments, wherever they come from."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final

from dags.importers.rules import Shape
from dags.importers.tensor_graph import ImportedGraphError

_OPERATORS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "Mul": lambda a, b: a * b,
    "FloorDiv": lambda a, b: a // b if b else 0,
}


@dataclass(frozen=True)
class Tensor:
    """A tensor in the arguments of a node."""

    name: str


@dataclass(frozen=True)
class TorchNode:
    """A call in a graph.

    Parameters
    ----------
    name
        Its name.
    kind
        Name of the function, without namespace, overload and underscores: "conv2d".
    args, kwargs
        Arguments: tensors, numbers, lists of them.
    results
        Names of the tensors that it returns.
    shapes
        Those of all tensors of the graph.
    """

    name: str
    kind: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    results: tuple[str, ...]
    shapes: Mapping[str, Shape] = field(repr=False)

    def argument(self, place: int, name: str, default: Any = None) -> Any:
        """An argument by place or name."""
        if place < len(self.args):
            return self.args[place]
        return self.kwargs.get(name, default)

    @property
    def operands(self) -> list[str]:
        """Names of the tensors in the arguments, in order, each time that they are there."""
        return [tensor.name for tensor in _tensors([*self.args, *self.kwargs.values()])]

    def shape(self, place: int) -> Shape:
        """The shape of an operand."""
        return self.shapes[self.operands[place]]

    @property
    def given(self) -> list[Shape]:
        """Shapes of all operands."""
        return [self.shapes[name] for name in self.operands]

    @property
    def result(self) -> Shape:
        """Shape of the first result."""
        return self.shapes[self.results[0]]

    def axis(self, place: int, name: str = "dim", default: int = 0) -> int:
        """An axis of the first operand, counted from the front."""
        value = self.argument(place, name, default)
        return int(default if value is None else value) % max(len(self.shape(0)), 1)


@dataclass(frozen=True)
class TorchGraph:
    """The calls of a graph and its tensors.

    Parameters
    ----------
    name
        Name of the model.
    nodes
        Calls, in order.
    inputs, outputs
        Names of tensors; parameters are among the inputs.
    shapes, itemsize
        Of all tensors.
    """

    name: str
    nodes: Sequence[TorchNode]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    shapes: Mapping[str, Shape]
    itemsize: Mapping[str, int]


def _tensors(values: Sequence[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, list | tuple):
            yield from _tensors(value)


def function_name(target: str) -> str:
    """Return "conv2d" for "torch.ops.aten.conv2d.default", "relu" for "relu_"."""
    parts = target.split(".")
    name = parts[parts.index("aten") + 1] if "aten" in parts[:-1] else parts[-1]
    return name.strip("_")


def length_of(text: str, sizes: Mapping[str, int]) -> int:
    """The length of an axis where its symbols have values.

    Parameters
    ----------
    text
        Such as "4*s0", or "Mul(Integer(4), Symbol('s0'))", as SymPy writes it in full.
    sizes
        Values of symbols.

    Raises
    ------
    ImportedGraphError
        If a symbol has no value, or the length is no sum or product of such.
    """
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        raise ImportedGraphError(f"the length {text[:60]!r} is not read") from None
    missing = sorted({*_symbols(tree)} - {*sizes})
    if missing:
        raise ImportedGraphError(
            f"{', '.join(missing)} {'has no value' if len(missing) == 1 else 'have no values'}; "
            f"add {','.join(f'{name}=...' for name in missing)}"
        )
    value = _value(tree, sizes)
    if value is None:
        raise ImportedGraphError(f"the length {text[:60]!r} is not read")
    return value


def _symbols(tree: ast.expr) -> Iterator[str]:
    if isinstance(tree, ast.Name):
        yield tree.id
    elif isinstance(tree, ast.BinOp):
        yield from (*_symbols(tree.left), *_symbols(tree.right))
    elif isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        for arg in tree.args:
            if tree.func.id == "Symbol" and isinstance(arg, ast.Constant):
                yield str(arg.value)
            else:
                yield from _symbols(arg)


def _value(tree: ast.expr, sizes: Mapping[str, int]) -> int | None:
    """The value; None if there is something else than sums and products in it."""
    if isinstance(tree, ast.Constant):
        return tree.value if type(tree.value) is int else None
    if isinstance(tree, ast.Name):
        return sizes[tree.id]
    if isinstance(tree, ast.BinOp):
        return _combined(type(tree.op).__name__, [tree.left, tree.right], sizes)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.args:
        if tree.func.id == "Symbol" and isinstance(tree.args[0], ast.Constant):
            return sizes[str(tree.args[0].value)]
        if tree.func.id == "Integer":
            return _value(tree.args[0], sizes)
        return _combined(tree.func.id, tree.args, sizes)
    return None


def _combined(operator: str, parts: Sequence[ast.expr], sizes: Mapping[str, int]) -> int | None:
    values = [_value(part, sizes) for part in parts]
    known = [value for value in values if value is not None]
    if operator not in _OPERATORS or len(known) < len(values):
        return None
    return reduce(_OPERATORS[operator], known)
