"""Programs with other references, and the ranges of their loops."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dags.programs.affine import Affine, variable
from dags.programs.fixed import with_names
from dags.programs.nest import (
    Assign,
    Constant,
    Expression,
    If,
    Loop,
    Operation,
    Program,
    Reference,
    Statement,
    references,
)

Range = tuple[int, int]
Ranges = Mapping[str, Range]


@dataclass(frozen=True)
class Cells:
    """Where the cells of an array are: those of another one.

    Parameters
    ----------
    array
        The other array.
    indices
        Its indices, as forms of those of the cell, i0, i1, ....
    """

    array: str
    indices: tuple[Affine, ...]

    def of(self, cell: Sequence[Affine]) -> tuple[Affine, ...]:
        """The indices of a cell in the other array."""
        names = {f"i{place}": form for place, form in enumerate(cell)}
        return tuple(form.replaced(names) for form in self.indices)


def own_cells(array: str, dimensions: int) -> Cells:
    """The cells of an array where they are."""
    return Cells(array, tuple(variable(f"i{place}") for place in range(dimensions)))


def composed(first: Mapping[str, Cells], then: Mapping[str, Cells]) -> dict[str, Cells]:
    """Return where the cells of arrays are that are those of arrays elsewhere.

    Parameters
    ----------
    first, then
        The cells of arrays of one program in the text, and of arrays of the next in that program.
    """
    composition = {name: cells for name, cells in first.items() if name not in then}
    for name, cells in then.items():
        outer = first.get(cells.array)
        composition[name] = cells if outer is None else Cells(outer.array, outer.of(cells.indices))
    return composition


Change = Callable[[Reference, "Ranges | None"], Reference]


def with_references(program: Program, change: Change) -> Program:
    """A program without sizes, with other references.

    Parameters
    ----------
    program
        A loop nest.
    change
        The new reference for each that is read or written, by the ranges of the loops around it;
        None in the place of those where some loop never runs.
    """
    return replace(program, body=tuple(_statement(each, change, {}) for each in program.body))


def _statement(some: Statement, change: Change, ranges: Ranges | None) -> Statement:
    if isinstance(some, Assign):
        expression = with_cells(some.expression, lambda cell: change(cell, ranges))
        return replace(some, target=change(some.target, ranges), expression=expression)
    if isinstance(some, Loop):
        here = None if ranges is None else range_of_loop(some, ranges)
        inner = None if here is None or ranges is None else {**ranges, some.variable: here}
        return replace(some, body=tuple(_statement(each, change, inner) for each in some.body))
    if isinstance(some, If):
        body = tuple(_statement(each, change, ranges) for each in some.body)
        otherwise = tuple(_statement(each, change, ranges) for each in some.otherwise)
        return replace(some, body=body, otherwise=otherwise)
    return some


def with_forms(body: tuple[Statement, ...], forms: Mapping[str, Affine]) -> tuple[Statement, ...]:
    """Statements with forms in the place of some names."""
    return tuple(with_names(each, forms) for each in body)


def with_cells(some: Expression, change: Callable[[Reference], Reference]) -> Expression:
    """An expression that reads other cells."""
    if isinstance(some, Reference):
        return change(some)
    if isinstance(some, Constant):
        return some
    meaning = None if some.meaning is None else with_cells(some.meaning, change)
    operands = tuple(with_cells(each, change) for each in some.operands)
    return Operation(some.name, operands, some.signs, meaning)


def ranged_references(
    body: tuple[Statement, ...], ranges: Ranges
) -> Iterator[tuple[Reference, Ranges]]:
    """Yield the references of a program without sizes, with the ranges of the loops around each.

    Ranges are those of intervals, which are never too small; loops that never run are left out.
    """
    for statement in body:
        if isinstance(statement, Assign):
            for reference in (*references(statement.expression), statement.target):
                yield reference, ranges
        elif isinstance(statement, If):
            yield from ranged_references(statement.body, ranges)
            yield from ranged_references(statement.otherwise, ranges)
        elif isinstance(statement, Loop):
            here = range_of_loop(statement, ranges)
            if here is not None:
                yield from ranged_references(statement.body, {**ranges, statement.variable: here})


def range_of_loop(loop: Loop, ranges: Ranges) -> Range | None:
    """The least and the largest value of a loop's variable; None if it never runs."""
    starts = [interval(form, ranges) for form in loop.start]
    stops = [interval(form, ranges) for form in loop.stop]
    if loop.step > 0:
        low, high = max(each[0] for each in starts), min(each[1] for each in stops) - 1
    else:
        low, high = max(each[0] for each in stops) + 1, min(each[1] for each in starts)
    exact = all(low_ == high_ for low_, high_ in (*starts, *stops))
    if exact and low <= high:  # the last value that its steps reach
        steps = (high - low) // abs(loop.step) * abs(loop.step)
        low, high = (low, low + steps) if loop.step > 0 else (high - steps, high)
    return (low, high) if low <= high else None


def interval(form: Affine, ranges: Ranges) -> Range:
    """The least and the largest value of a form."""
    low = high = form.constant
    for name, factor in form.terms:
        ends = [factor * end for end in ranges[name]]
        low, high = low + min(ends), high + max(ends)
    return low, high
