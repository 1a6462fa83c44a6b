"""Origin of the vertices of a program's DAG: assignments, iteration points, cells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array, lock

if TYPE_CHECKING:
    from dags.programs.nest import Program

Int16Array = npt.NDArray[np.int16]
ARRAYS = "made_by", "points"
SOME = 2**14  # vertices of which labels are made at a time


@dataclass(frozen=True)
class Operator:
    """An assignment of a program, or one operation in it.

    Parameters
    ----------
    statement
        Number of the assignment, from 0, in the order of the text.
    part
        Number of the operation within it; None if the assignment is one vertex.
    variables
        The loop variables around it, the outermost first.
    loops
        Numbers of these loops: two operators are in the same loop if they share its number.
    name
        The name of the assignment in labels; None for "S" and its number.
    """

    statement: int
    part: int | None
    variables: tuple[str, ...]
    loops: tuple[int, ...]
    name: str | None = None


@dataclass(frozen=True, eq=False)
class Origin:
    """The program of a DAG, and the place of each vertex in it.

    Parameters
    ----------
    program, digest
        Name of the program, and SHA-256 of its text.
    sizes
        Values of its sizes.
    operators
        Its assignments, or their operations.
    arrays
        Names and numbers of indices of its arrays.
    made_by
        (n,) number of the operator that computes a vertex; -1 - a for an input in array a.
    points
        (n, d) values of the loop variables where it is computed, the outermost first; the indices
        of an input; places beyond are 0.
    text
        The program, with the arrays that are live and constant; None where it is not at hand, as
        in files.
    """

    program: str
    digest: str
    sizes: Mapping[str, int]
    operators: tuple[Operator, ...]
    arrays: tuple[tuple[str, int], ...]
    made_by: Int16Array | Int32Array
    points: Int32Array
    text: "Program | None" = None

    def __post_init__(self) -> None:
        for name in ARRAYS:
            array = getattr(self, name)
            if array.flags.writeable:
                object.__setattr__(self, name, lock(array.copy()))

    def __reduce__(self) -> tuple[Any, ...]:
        names = [field.name for field in fields(self) if field.name not in ARRAYS]
        return _rebuild, (self.made_by, self.points, {name: getattr(self, name) for name in names})

    @cached_property
    def statement(self) -> Int16Array | Int32Array:
        """(n,) number of the assignment that computes a vertex; -1 for an input."""
        kind = self.made_by.dtype
        numbers = np.array([operator.statement for operator in self.operators], kind)
        found = np.full(self.made_by.size, -1, kind)
        computed = self.made_by >= 0
        found[computed] = numbers[self.made_by[computed]]
        return lock(found)

    def point(self, vertex: int) -> tuple[int, ...]:
        """The loop variables where a vertex is computed, or the indices of an input."""
        made_by = int(self.made_by[vertex])
        count = (
            self.arrays[-1 - made_by][1] if made_by < 0 else len(self.operators[made_by].variables)
        )
        return tuple(self.points[vertex, :count].tolist())

    def label(self, vertex: int) -> str:
        """Return "A[3,4]" for an input, "S2[i=3,j=1]" for a computed vertex.

        Where an assignment has several operations, "S2.0[i=3,j=1]" is the first.
        """
        pattern, _ = self._pattern(int(self.made_by[vertex]))
        return pattern % self.point(vertex)

    def labels(self) -> Iterator[str]:
        """Yield the labels of all vertices."""
        patterns = [*map(self._pattern, range(-len(self.arrays), len(self.operators)))]
        for first in range(0, self.made_by.size, SOME):
            block = slice(first, first + SOME)
            made_by = (self.made_by[block] + len(self.arrays)).tolist()
            for kind, point in zip(made_by, self.points[block].tolist(), strict=True):
                pattern, count = patterns[kind]
                yield pattern % tuple(point[:count])

    def _pattern(self, made_by: int) -> tuple[str, int]:
        """The labels of the values of one operator or array, and its number of indices.

        They are a pattern of Python's operator %, with one place for each index.
        """
        if made_by < 0:
            name, count = self.arrays[-1 - made_by]
            places = ["%d"] * count
        else:
            operator = self.operators[made_by]
            name = operator.name or f"S{operator.statement}"
            name += "" if operator.part is None else f".{operator.part}"
            count = len(operator.variables)
            places = [f"{_escaped(variable)}=%d" for variable in operator.variables]
        inside = ",".join(places)
        return f"{_escaped(name)}[{inside}]" if places else _escaped(name), count


def _escaped(text: str) -> str:
    """Text that stands for itself in a pattern."""
    return text.replace("%", "%%")


def _rebuild(made_by: Int16Array, points: Int32Array, scalars: Mapping[str, Any]) -> Origin:
    """The Origin that `__reduce__` took apart; pickle leaves its arrays to nobody else."""
    return Origin(**scalars, made_by=lock(made_by), points=lock(points))
