"""Loop nests as data: loops, conditions and assignments with affine indices.

A reader of C or Python text makes a `Program`, and `instantiate` runs it. Loop bounds, conditions
and indices are affine forms of loop variables and sizes (`Affine`); expressions keep only their
operands, not their values.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from dags.errors import RedBlueError
from dags.programs.affine import Affine


@dataclass(frozen=True)
class Reference:
    """A cell of an array, `array[indices]`; a scalar is an array without indices."""

    array: str
    indices: tuple[Affine, ...] = ()

    def __str__(self) -> str:
        return self.array + (f"[{','.join(map(str, self.indices))}]" if self.indices else "")


@dataclass(frozen=True)
class Constant:
    """A literal, a size, or a loop variable used as a value: nothing that has to be computed.

    Parameters
    ----------
    value
        A number, a form of sizes and loop variables, an operation on constants, or the name of
        one, "math.pi"; None where the text does not say.
    """

    value: "int | float | complex | str | Affine | Operation | None" = None


@dataclass(frozen=True)
class Operation:
    """An operator or a function of values; a selection is one of its condition and both branches.

    Parameters
    ----------
    name
        The operator or function, as the text has it; "?:" for a selection.
    operands
        Its reads.
    signs
        The comparisons between its first operands, "<" or "==".
    meaning
        The replacement of a macro that is called by name.
    """

    name: str
    operands: tuple["Expression", ...]
    signs: tuple[str, ...] = ()
    meaning: "Expression | None" = None


Expression = Reference | Constant | Operation
CONSTANT = Constant()  # of a value that the text does not say


@dataclass(frozen=True)
class Assign:
    """One statement: the value of an expression goes to a cell.

    Parameters
    ----------
    target, expression
        The cell, and the value assigned to it. ``a += b`` is ``a = a + b``.
    line
        Its line in the text, from 1.
    """

    target: Reference
    expression: Expression
    line: int


@dataclass(frozen=True)
class Clear:
    """All cells of an array made inside the program become a constant: ``zeros``, ``empty``."""

    array: str
    line: int
    value: Constant = CONSTANT


@dataclass(frozen=True)
class Loop:
    """A loop over a variable.

    Parameters
    ----------
    variable
        Its name.
    start
        Forms of which the largest is the first value (the smallest, if `step` is negative).
    stop
        Forms of which the smallest ends the loop, not included (the largest, if negative).
    step
        The step, not 0.
    body
        The statements for each value.
    line
        Its line in the text.
    """

    variable: str
    start: tuple[Affine, ...]
    stop: tuple[Affine, ...]
    step: int
    body: tuple["Statement", ...]
    line: int

    @property
    def name(self) -> str:
        """Its variable, and its step if it is another one than 1."""
        return self.variable if self.step == 1 else f"{self.variable} in steps of {self.step}"


@dataclass(frozen=True)
class Condition:
    """A form that is at least 0 ("ge"), 0 ("eq") or not 0 ("ne")."""

    form: Affine
    relation: Literal["ge", "eq", "ne"]


@dataclass(frozen=True)
class If:
    """A condition on loop variables and sizes.

    Parameters
    ----------
    cases
        The condition holds if all conditions of at least one case do.
    body, otherwise
        The statements where it holds, and where it does not.
    line
        Its line in the text.
    """

    cases: tuple[tuple[Condition, ...], ...]
    body: tuple["Statement", ...]
    otherwise: tuple["Statement", ...]
    line: int


Statement = Assign | Clear | Loop | If


@dataclass(frozen=True)
class Program:
    """A loop nest, read from text.

    Parameters
    ----------
    name
        Its function or file.
    body
        Its statements, in the order of the text.
    extents
        Declared extents of arrays; an array without an entry is as large as its indices say.
    local
        Arrays made inside the program: their cells are constants before they are written.
    parameters
        Arrays and scalars that the program is given, in order; None if the text does not say.
    returned
        Arrays that the program returns.
    defaults
        Values of sizes that the text has.
    source
        The text, by which the program is known.
    live, constants
        Arrays whose last values are the outputs unless others are named, and names whose values
        are constants unless others are; None where the text does not say.
    types
        Types of arrays and scalars that C text declares; None of text whose numbers are double.
    conversions
        Lines that convert values that are read, and the type they convert to.
    fixed
        Sizes whose values were put in while the text was read.
    """

    name: str
    body: tuple[Statement, ...]
    extents: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)
    local: frozenset[str] = frozenset()
    parameters: tuple[str, ...] | None = None
    returned: tuple[str, ...] = ()
    defaults: Mapping[str, int] = field(default_factory=dict)
    source: str = ""
    live: tuple[str, ...] | None = None
    constants: tuple[str, ...] = ()
    types: Mapping[str, str] | None = None
    conversions: tuple[tuple[int, str], ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @cached_property
    def statements(self) -> tuple[tuple[Assign, tuple[Loop, ...]], ...]:
        """The assignments in the order of the text, each with the loops around it."""
        return tuple(assignments(self.body, ()))

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The names that need values, rising: those in bounds, conditions, indices and extents."""
        return tuple(sorted(_free_names(self)))

    @cached_property
    def dimensions(self) -> dict[str, int]:
        """Number of indices of each array that is read or written."""
        counts: dict[str, int] = {}
        for assign, _ in self.statements:
            for reference in (*references(assign.expression), assign.target):
                counts.setdefault(reference.array, len(reference.indices))
        return counts

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Arrays that are assigned to, in the order of the text."""
        return tuple(dict.fromkeys(assign.target.array for assign, _ in self.statements))

    def live_by_default(self) -> tuple[str, ...]:
        """The arrays whose last values are outputs where nothing else is said.

        Those that the program names itself; else its results and all arrays that it writes and
        does not make, parameters or not (a scalar is the caller's no more, once it is written).
        """
        if self.live is not None:
            return self.live
        names = [name for name in self.written if name not in self.local]
        names = [name for name in names if self.dimensions[name]]
        return tuple(dict.fromkeys((*self.returned, *names)))


def assignments(
    body: tuple[Statement, ...], around: tuple[Loop, ...]
) -> Iterator[tuple[Assign, tuple[Loop, ...]]]:
    """Yield the assignments in `body`, in the order of the text, with the loops around each."""
    for statement in body:
        if isinstance(statement, Assign):
            yield statement, around
        elif isinstance(statement, Loop):
            yield from assignments(statement.body, (*around, statement))
        elif isinstance(statement, If):
            yield from assignments(statement.body, around)
            yield from assignments(statement.otherwise, around)


def references(expression: Expression) -> Iterator[Reference]:
    """Yield the cells that an expression reads, from left to right."""
    if isinstance(expression, Reference):
        yield expression
    elif isinstance(expression, Operation):
        for operand in expression.operands:
            yield from references(operand)


def operations_in(expression: Expression) -> int:
    """The operations that computing an expression takes, those on constants alone left out.

    A multiply-add takes two; a function of values, or a selection, takes one.
    """
    if not isinstance(expression, Operation) or next(references(expression), None) is None:
        return 0
    return 1 + sum(map(operations_in, expression.operands))


def forms_of(
    body: tuple[Statement, ...], bound: frozenset[str]
) -> Iterator[tuple[Affine, frozenset[str]]]:
    """Yield all affine forms in `body`, each with the loop variables that it may use."""
    for statement in body:
        if isinstance(statement, Assign):
            for reference in (*references(statement.expression), statement.target):
                yield from ((form, bound) for form in reference.indices)
        elif isinstance(statement, Loop):
            yield from ((form, bound) for form in (*statement.start, *statement.stop))
            yield from forms_of(statement.body, bound | {statement.variable})
        elif isinstance(statement, If):
            for case in statement.cases:
                yield from ((condition.form, bound) for condition in case)
            yield from forms_of(statement.body, bound)
            yield from forms_of(statement.otherwise, bound)


def _free_names(program: Program) -> set[str]:
    free = {
        name
        for form, bound in forms_of(program.body, frozenset())
        for name in form.names
        if name not in bound
    }
    declared = (form for extents in program.extents.values() for form in extents)
    return free | {name for form in declared for name in form.names}


class ProgramError(RedBlueError, ValueError):
    """Text that is no loop nest with affine bounds, conditions and indices.

    Parameters
    ----------
    message
        The fault, in a clause.
    line
        Its line, from 1; None where it concerns the whole text.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message if line is None else f"line {line}: {message}")
