"""Loops in steps, counted: ``for (k = 0; k < n; k += 4)`` is one over the numbers of its steps.

Each instance is renamed alone. With ``k = 4 q`` an array that is read at k, k + 1, k + 2, k + 3 has
rows of four, whose planes are arrays.
"""

from dataclasses import replace

from dags.programs.affine import Affine, number, variable
from dags.programs.canonical.mapping import with_forms
from dags.programs.nest import If, Loop, Program, Statement


def counted(program: Program) -> tuple[Program, tuple[str, ...]]:
    """A program whose loops with steps, of which the ends are numbers, go up by one.

    Parameters
    ----------
    program
        A loop nest whose sizes are numbers.

    Returns
    -------
    tuple
        The program, and the variables of these loops.
    """
    found: list[str] = []
    body = tuple(_statement(each, found) for each in program.body)
    return (replace(program, body=body) if found else program), tuple(dict.fromkeys(found))


def _statement(some: Statement, found: list[str]) -> Statement:
    if isinstance(some, If):
        body = tuple(_statement(each, found) for each in some.body)
        otherwise = tuple(_statement(each, found) for each in some.otherwise)
        return replace(some, body=body, otherwise=otherwise)
    if not isinstance(some, Loop):
        return some
    loop = replace(some, body=tuple(_statement(each, found) for each in some.body))
    if loop.step < 2 or any(form.terms for form in (*loop.start, *loop.stop)):
        return loop
    first = max(form.constant for form in loop.start)
    count = len(range(first, min(form.constant for form in loop.stop), loop.step))
    form = variable(loop.variable).times(loop.step).plus(first)
    found.append(loop.variable)
    body = with_forms(loop.body, {loop.variable: form})
    return replace(loop, start=(Affine(),), stop=(number(count),), step=1, body=body)
