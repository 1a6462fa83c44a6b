"""Mirrors: loops that run down run up, and arrays that are read from their ends are turned round.

A loop over i from its last value to its first is one over ``low + high - i``: each instance is
renamed, none is moved. Where one index of an array falls in all references with every loop, cells f
become ``low + high - f``: no two cells become one. Neither changes the DAG but for names.
"""

from dataclasses import replace

from dags.programs.affine import Affine, number, variable
from dags.programs.canonical.mapping import (
    Cells,
    Range,
    Ranges,
    interval,
    own_cells,
    range_of_loop,
    ranged_references,
    with_forms,
    with_references,
)
from dags.programs.nest import If, Loop, Program, Reference, Statement


def mirrored(program: Program) -> tuple[Program, tuple[str, ...], dict[str, Cells]]:
    """A program whose loops run up, and whose indices rise.

    Parameters
    ----------
    program
        A loop nest whose sizes are numbers.

    Returns
    -------
    tuple
        The program, a sentence on each change, and where cells are of arrays that are turned round.
    """
    steps: list[str] = []
    mapping: dict[str, Cells] = {}
    body = tuple(_upright(statement, {}, steps) for statement in program.body)
    if steps:
        program = replace(program, body=body)
    for array, dimensions in program.dimensions.items():
        for place in range(dimensions):
            cells = _falling(program, array, place)
            if cells is not None:
                program = _turned(program, array, place, sum(cells))
                whole = mapping.get(array, own_cells(array, dimensions))
                turned = own_cells(array, dimensions).indices
                index = number(sum(cells)) - turned[place]
                turned = (*turned[:place], index, *turned[place + 1 :])
                mapping[array] = Cells(array, whole.of(turned))
                steps.append(f"{array} is turned round: its cells are counted from their end")
    return program, tuple(dict.fromkeys(steps)), mapping


def _upright(statement: Statement, ranges: Ranges | None, steps: list[str]) -> Statement:
    """A statement whose loops by -1 go up by 1."""
    if isinstance(statement, If):
        body = tuple(_upright(child, ranges, steps) for child in statement.body)
        otherwise = tuple(_upright(child, ranges, steps) for child in statement.otherwise)
        return replace(statement, body=body, otherwise=otherwise)
    if not isinstance(statement, Loop):
        return statement
    here = None if ranges is None else range_of_loop(statement, ranges)
    if statement.step == -1 and here is not None:
        total = number(sum(here))
        form = total - variable(statement.variable)
        steps.append(f"loop {statement.variable} is mirrored: it runs upwards")
        statement = replace(
            statement,
            start=tuple(total - end for end in statement.start),
            stop=tuple(total - end for end in statement.stop),
            step=1,
            body=with_forms(statement.body, {statement.variable: form}),
        )
    inner = None if ranges is None or here is None else {**ranges, statement.variable: here}
    return replace(statement, body=tuple(_upright(child, inner, steps) for child in statement.body))


def _falling(program: Program, array: str, place: int) -> Range | None:
    """The least and the largest value of an index that falls with all loops; else None."""
    cells: list[Range] = []
    falls = False
    for reference, ranges in ranged_references(program.body, {}):
        if reference.array == array:
            form = reference.indices[place]
            if any(factor > 0 for _, factor in form.terms):
                return None
            falls |= bool(form.terms)
            cells.append(interval(form, ranges))
    if not falls:
        return None
    return min(low for low, _ in cells), max(high for _, high in cells)


def _turned(program: Program, array: str, place: int, total: int) -> Program:
    """A program with cell ``total - f`` in the place of cell f."""

    def change(reference: Reference, ranges: Ranges | None) -> Reference:
        del ranges
        if reference.array != array:
            return reference
        index: Affine = number(total) - reference.indices[place]
        before, after = reference.indices[:place], reference.indices[place + 1 :]
        return Reference(array, (*before, index, *after))

    return with_references(program, change)
