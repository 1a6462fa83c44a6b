"""Tensor graphs: operators on arrays of known shapes, as other tools have them."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Final

import numpy as np

from dags.arrays import Int64Array
from dags.errors import RedBlueError, one_line


class ImportedGraphError(RedBlueError, ValueError):
    """A graph of another tool that has no DAG, or not the one asked for."""


# What damaged graphs, and those of other releases of a tool, raise where they are read.
DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


@contextmanager
def reading(subject: str) -> Iterator[None]:
    """Turn what a damaged graph raises into ImportedGraphError: that `subject` is not read."""
    try:
        yield
    except RedBlueError:
        raise
    except MemoryError:
        raise ImportedGraphError(f"{subject}: too large for the memory of this machine") from None
    except DAMAGE as error:
        missing = "there is no " * isinstance(error, KeyError)
        raise ImportedGraphError(f"{subject} cannot be read: {missing}{one_line(error)}") from None


def require_package(name: str, extra: str, wanted: str) -> Any:
    """A module that only an extra of this project installs.

    Parameters
    ----------
    name
        The module.
    extra
        The extra that installs it.
    wanted
        The operator or view that needs it, as the subject of the message.

    Raises
    ------
    ImportedGraphError
        If it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise ImportedGraphError(
            f"{wanted} need the package {package}: pip install 'redblue[{extra}]'"
        ) from None


MAX_ELEMENTS: Final = 2**40  # of one tensor
MOST_INDICES: Final = 2**26  # of one axis, that a part of a result needs
MOST_IN_WINDOWS: Final = 2**22  # of windows, which are sorted
MAX_SUMS: Final = 64  # indices that an operator sums over


@dataclass(frozen=True)
class Along:
    """The indices of an operand's axis that an index of a result's axis needs.

    Index i needs ``(i // group) * stride - offset + dilation * t`` for t in 0..taps-1, where that
    is inside the operand: by default i itself, for a window some around it, for groups of
    channels those of its group.

    Parameters
    ----------
    axis
        The axis of the result. One beyond these is the number of an index that is summed over: a
        result needs all of the operand's axis, and other operands go along the same one.
    stride, taps, dilation, offset, group
        The numbers of the formula.
    tap
        The number of the index t, where others go along it.
    """

    axis: int
    stride: int = 1
    taps: int = 1
    dilation: int = 1
    offset: int = 0
    group: int = 1
    tap: int | None = None

    def renamed(self, axes: Mapping[int, int]) -> "Along":
        """The needs where axes of the result have other numbers."""
        return replace(self, axis=axes.get(self.axis, self.axis))

    def indices(self, low: int, high: int, length: int) -> Int64Array:
        """The indices, rising, that low..high-1 of the result need of an axis so long."""
        plain = (self.stride, self.taps, self.offset, self.group) == (1, 1, 0, 1)
        if (high - low) * self.taps > (MOST_INDICES if plain else MOST_IN_WINDOWS):
            raise ImportedGraphError(
                f"{high - low} indices of windows of {self.taps} are too many to be laid out"
            )
        if plain:
            return np.arange(low, min(high, length))
        starts = np.unique(np.arange(low, high) // self.group) * self.stride - self.offset
        needed = np.unique(starts[:, None] + self.dilation * np.arange(self.taps))
        inside: Int64Array = needed[(needed >= 0) & (needed < length)]
        return inside


Reads = tuple[Along | None, ...]  # for each axis of an operand; None: all of it


@dataclass(frozen=True)
class TensorOperator:
    """An operator: its results are computed from its operands.

    Parameters
    ----------
    name, kind
        Its name, which labels its result, and says its operation: "MatMul".
    operands, results
        Names of tensors. Operands that are constants may be missing.
    work
        Operations for all results together; None if unknown.
    reads
        For each operand the need of a part of a result of it, by the result's axes; None where
        every part needs everything, so that it has one part.
    whole
        Axes of the results that are not cut.
    passes
        Sums over these that an element of the result needs, each with the one before it; None
        where it is not known which loops the operator is.
    """

    name: str
    kind: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    work: int | None = None
    reads: tuple[Reads, ...] | None = None
    whole: tuple[int, ...] = ()
    passes: int | None = None


@dataclass(frozen=True)
class TensorView:
    """A tensor that shows elements of other tensors and stores none of its own.

    Parameters
    ----------
    operands, result
        Names of tensors.
    function
        One of `dags.importers.views.VIEWS`.
    arguments
        Its arguments.
    """

    operands: tuple[str, ...]
    result: str
    function: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def results(self) -> tuple[str, ...]:
        """The one result, as operators have it."""
        return (self.result,)


@dataclass(frozen=True)
class TensorGraph:
    """Operators and views in the order of their execution.

    Parameters
    ----------
    name
        Name of the model.
    shapes
        Lengths of the axes of every tensor that is no constant.
    inputs
        Arguments and parameters. A tensor that is neither here nor a result is a constant.
    steps
        Operators and views; each comes after those whose results it reads.
    outputs
        The results of the graph.
    itemsize
        Bytes of an element where they are known.
    """

    name: str
    shapes: Mapping[str, tuple[int, ...]]
    inputs: tuple[str, ...]
    steps: tuple[TensorOperator | TensorView, ...]
    outputs: tuple[str, ...]
    itemsize: Mapping[str, int] = field(default_factory=dict)

    @property
    def word(self) -> int | None:
        """Bytes of a word: of the elements that there are most of; None where none are known."""
        elements = Counter[int]()
        for name, size in self.itemsize.items():
            elements[size] += self.elements(name) if name in self.shapes else 0
        return max(elements, key=lambda size: (elements[size], size), default=None)

    @property
    def operators(self) -> tuple[TensorOperator, ...]:
        """The steps that compute something."""
        return tuple(step for step in self.steps if isinstance(step, TensorOperator))

    def elements(self, tensor: str) -> int:
        """How many elements a tensor has."""
        return math.prod(self.shapes[tensor])

    def first_result(self, operator: TensorOperator) -> str:
        """The first result of an operator that has elements, else the first."""
        filled = (name for name in operator.results if self.elements(name))
        return next(filled, operator.results[0])

    def reads_axes(self, operator: TensorOperator) -> bool:
        """Whether an operator's reads have the axes of its operands and results."""
        if operator.reads is None:
            return True
        rank = len(self.shapes[self.first_result(operator)])
        ranks = [len(self.shapes.get(name, ())) for name in operator.operands]
        axes = [index.axis for row in operator.reads for index in row if index is not None]
        return [len(row) for row in operator.reads] == ranks and all(
            0 <= axis < rank + MAX_SUMS for axis in axes
        )
