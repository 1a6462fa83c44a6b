"""Assignments of a program for all sizes: when each is run, and the cells that it touches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dags.errors import RedBlueError
from dags.programs.affine import Affine, variable
from dags.programs.nest import (
    Assign,
    Clear,
    Condition,
    Constant,
    If,
    Loop,
    Program,
    Reference,
    Statement,
    references,
)

SIGNS = {"ge": ">= 0", "eq": "= 0", "ne": "!= 0"}


class NotReadError(RedBlueError, ValueError):
    """A program that is not described for all sizes; the message says why."""


@dataclass(frozen=True)
class Instances:
    """An assignment as isl reads it.

    Parameters
    ----------
    number, depth
        Its number in the text, and the loops around it.
    where
        The conditions under which it is run, on loops c0, c1, ... and sizes n0, n1, ....
    time
        When: coordinates in lexicographic order.
    reads, writes
        Cells: an array, and its indices.
    moves
        Whether it only moves a value.
    values
        Of each loop variable its value: c0, c1, ... itself, or a form of the numbers of its steps.
    """

    number: int
    depth: int
    where: str
    time: tuple[str, ...]
    reads: tuple[str, ...]
    writes: str
    moves: bool
    values: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The tuple of an instance."""
        return f"S{self.number}[{','.join(f'c{i}' for i in range(self.depth))}]"


def instances(program: Program, *, counted: bool = False) -> list[Instances]:
    """The assignments of a program in the order of its text.

    Parameters
    ----------
    program
        A loop nest.
    counted
        Whether c0, c1, ... are the numbers of steps, from 0 on, of loops with steps other than 1
        and -1: then no condition has a remainder.

    Raises
    ------
    NotReadError
        If a loop with steps other than 1 and -1 has several starts, an array is cleared, or its
        name is none for isl.
    """
    sizes = {name: variable(f"n{place}") for place, name in enumerate(program.sizes)}
    return list(_Walk(sizes, counted).block(program.body, (), (), ()))


class _Walk:
    """Goes through the text and counts the assignments."""

    def __init__(self, sizes: Mapping[str, Affine], counted: bool) -> None:
        self.sizes, self.counted = sizes, counted
        self.count = 0

    def block(
        self,
        body: tuple[Statement, ...],
        loops: tuple[Loop, ...],
        domain: tuple[str, ...],
        time: tuple[str, ...],
    ) -> Iterator[Instances]:
        """Yield the assignments of some statements.

        Parameters
        ----------
        body
            The statements.
        loops, where, time
            The loops around them, their conditions, and the coordinates of time so far.
        """
        names = self.named(loops)
        for place, statement in enumerate(body):
            moment = (*time, str(place))
            if isinstance(statement, Assign):
                yield self.assign(statement, names, loops, domain, moment)
            elif isinstance(statement, Loop):
                inner = (*loops, statement)
                sign = "" if statement.step > 0 or self.is_counted(statement) else "-"
                limits = self.limits(statement, names, len(loops))
                later = (*moment, f"{sign}c{len(loops)}")
                yield from self.block(statement.body, inner, (*domain, *limits), later)
            elif isinstance(statement, If):
                holds = _either(statement.cases, names)
                yield from self.block(statement.body, loops, (*domain, holds), (*moment, "0"))
                fails = f"not ({holds})"
                yield from self.block(statement.otherwise, loops, (*domain, fails), (*moment, "1"))
            elif isinstance(statement, Clear):
                raise NotReadError(f"line {statement.line}: {statement.array} is cleared")

    def named(self, loops: tuple[Loop, ...]) -> dict[str, Affine]:
        """The form of each size and loop variable."""
        names = dict(self.sizes)
        for depth, loop in enumerate(loops):
            names[loop.variable] = self.value(loop, names, depth)
        return names

    def is_counted(self, loop: Loop) -> bool:
        """Whether a loop's steps are counted."""
        return self.counted and abs(loop.step) > 1

    def value(self, loop: Loop, names: Mapping[str, Affine], depth: int) -> Affine:
        """The form of a loop variable."""
        form = variable(f"c{depth}")
        if not self.is_counted(loop):
            return form
        return loop.start[0].replaced(names) + form.times(loop.step)

    def limits(self, loop: Loop, names: Mapping[str, Affine], depth: int) -> list[str]:
        """The conditions on a loop variable."""
        first, end = (">=", "<") if loop.step > 0 else ("<=", ">")
        if abs(loop.step) > 1 and len(loop.start) > 1:
            raise NotReadError(f"line {loop.line}: steps of {loop.step} begin at several places")
        if self.is_counted(loop):
            value = self.value(loop, names, depth)
            ends = (f"{value} {end} {form.replaced(names)}" for form in loop.stop)
            return [f"c{depth} >= 0", *ends]
        conditions = [
            *(f"c{depth} {first} {form.replaced(names)}" for form in loop.start),
            *(f"c{depth} {end} {form.replaced(names)}" for form in loop.stop),
        ]
        if abs(loop.step) == 1:
            return conditions
        start = loop.start[0].replaced(names)
        return [*conditions, f"(c{depth} - ({start})) mod {abs(loop.step)} = 0"]

    def assign(
        self,
        statement: Assign,
        names: Mapping[str, Affine],
        loops: tuple[Loop, ...],
        domain: tuple[str, ...],
        time: tuple[str, ...],
    ) -> Instances:
        """Return one assignment.

        Parameters
        ----------
        statement, names, loops
            The assignment, the forms of its names, and the loops around it.
        where, time
            Its conditions, and the coordinates of time.
        """
        expression = statement.expression
        read = () if isinstance(expression, Constant) else tuple(references(expression))
        instances = Instances(
            self.count,
            len(loops),
            " and ".join(domain) or "0 = 0",
            time,
            tuple(_cell(cell, names) for cell in read),
            _cell(statement.target, names),
            isinstance(expression, Reference),
            tuple(str(names[loop.variable]) for loop in loops),
        )
        self.count += 1
        return instances


def _cell(reference: Reference, names: Mapping[str, Affine]) -> str:
    if not reference.array.isascii():
        raise NotReadError(f"{reference.array} has letters beyond ASCII, which isl does not read")
    indices = ",".join(str(form.replaced(names)) for form in reference.indices)
    return f"A_{reference.array}[{indices}]"


def _either(cases: tuple[tuple[Condition, ...], ...], names: Mapping[str, Affine]) -> str:
    """The condition that one of some cases holds."""
    alternatives = (
        " and ".join(
            f"{condition.form.replaced(names)} {SIGNS[condition.relation]}" for condition in case
        )
        for case in cases
    )
    either = " or ".join(f"({case or '0 = 0'})" for case in alternatives)
    return f"({either or '0 = 1'})"
