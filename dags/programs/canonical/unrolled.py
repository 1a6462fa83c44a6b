"""Loops that a text unrolls by hand: statements for k, k + 1, k + 2 in a loop by three are one.

So are statements without a loop, as those for three taps of a filter: 0, 1 and 2.

The statements of such a loop fall into classes, of which each is the first with the loop variable
moved on, and with scalars of its own, as ``up`` and ``down``. What is left over after a loop, in a
second loop or as statements, joins it where it goes on with the same body.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from dags.programs.affine import Affine, number, variable
from dags.programs.canonical.mapping import with_cells
from dags.programs.canonical.paths import Path, blocks, body_with, loop_paths, statement_at
from dags.programs.canonical.renamed import Changed, Renaming
from dags.programs.nest import (
    Assign,
    Clear,
    Condition,
    Constant,
    Expression,
    If,
    Loop,
    Operation,
    Program,
    Reference,
    Statement,
    assignments,
    references,
)

MOST: Final = 64  # classes of an unrolled loop
_Shift = tuple[int, ...]
LEAST: Final = 3  # statements without a loop that are rolled up: two may be a pair of their own


def rollings(program: Program) -> Iterator[Changed]:
    """Yield programs with an unrolled loop rolled up, a rest joined, or an idle loop left out."""
    scalars = frozenset(name for name, count in program.dimensions.items() if not count)
    written = scalars & {*program.written}
    for path in loop_paths(program.body, ()):
        loop = statement_at(program.body, path)
        assert isinstance(loop, Loop)
        values = _values(loop)
        if values is None:
            continue
        if not values:
            yield _changed(program, path, (), {}, f"loop {loop.variable} never runs")
            continue
        yield from _joined(program, path, loop, values)
        for classes in range(min(abs(loop.step), MOST), 1, -1):
            if loop.step > 0 and not loop.step % classes:
                yield from _rolled(program, path, loop, values, classes, written)


def runs(program: Program) -> Iterator[Changed]:
    """Yield programs with statements in a row as a loop: those for 0, 1 and 2 in indices."""
    for path, block in blocks(program.body, ()):
        for place, first in enumerate(block):
            if not isinstance(first, Assign):
                continue
            run: list[Assign] = [first]
            for follower in block[place + 1 :]:
                if not isinstance(follower, Assign) or not _follows(run, follower):
                    break
                run.append(follower)
            if len(run) < LEAST:
                continue
            name = _fresh(program)
            cells = iter(_shifts(run[0], run[1]))
            expression = _along(first.expression, cells, name)
            target = _along(first.target, cells, name)
            assert isinstance(target, Reference)
            kept = replace(first, expression=expression, target=target)
            start, stop = (number(0),), (number(len(run)),)
            loop = Loop(name, start, stop, 1, (kept,), first.line)
            pairs: Pairs = {
                id(member): (kept, name, number(index)) for index, member in enumerate(run)
            }
            shown = f"{len(run)} statements in line {first.line} are a loop"
            place_of = (*path, place)
            yield _changed(program, place_of, (loop,), pairs, shown, len(run) - 1)


def _along(expression: Expression, shifts: Iterator[_Shift], name: str) -> Expression:
    """An expression whose cells move with a loop, in the order in which they are read."""
    if isinstance(expression, Reference):
        moved = zip(expression.indices, next(shifts), strict=True)
        return Reference(
            expression.array, tuple(form + variable(name).times(by) for form, by in moved)
        )
    if isinstance(expression, Operation):
        operands = tuple(_along(operand, shifts, name) for operand in expression.operands)
        return replace(expression, operands=operands, meaning=None)
    return expression


def _fresh(program: Program) -> str:
    """A name for a loop that nothing has."""
    taken = {loop.variable for _, loops in program.statements for loop in loops}
    taken |= {*program.dimensions, *program.sizes}
    return next(name for suffix in count(1) if (name := f"tap_{suffix}") not in taken)


def _shifts(first: Assign, second: Assign) -> list[_Shift]:
    """How far apart numbers in indices are, of each cell that is read, and the target's."""
    pairs = zip(
        (*references(first.expression), first.target),
        (*references(second.expression), second.target),
        strict=True,
    )
    return [
        tuple(b.constant - a.constant for a, b in zip(x.indices, y.indices, strict=True))
        for x, y in pairs
    ]


def _follows(run: Sequence[Assign], follower: Assign) -> bool:
    """Whether a statement is the last of some, moved on as they are."""
    last = run[-1]
    if _without_numbers(last) != _without_numbers(follower):
        return False
    shifts = _shifts(last, follower)
    if len(run) == 1:
        return any(any(shift) for shift in shifts)
    return shifts == _shifts(run[0], run[1])


def _without_numbers(statement: Assign) -> Assign:
    """A statement without the numbers in its indices."""

    def plain(cell: Reference) -> Reference:
        return Reference(cell.array, tuple(form.plus(-form.constant) for form in cell.indices))

    expression = with_cells(statement.expression, plain)
    return Assign(plain(statement.target), expression, 0)


def _values(loop: Loop) -> range | None:
    """The values of a loop's variable; None if they are not known."""
    if any(form.terms for form in (*loop.start, *loop.stop)):
        return None
    starts, stops = ([form.constant for form in forms] for forms in (loop.start, loop.stop))
    join = (max, min) if loop.step > 0 else (min, max)
    return range(join[0](starts), join[1](stops), loop.step)


def _rolled(
    program: Program,
    path: Path,
    loop: Loop,
    values: range,
    classes: int,
    scalars: frozenset[str],
) -> Iterator[Changed]:
    """Yield the program with a loop that runs so many times more often."""
    unit = loop.step // classes
    match = _Match(loop.variable, classes, unit, scalars)
    body = match.folded(loop.body)
    if body is None or not match.pairs:
        return
    start, stop = number(values[0]), number(values[-1] + loop.step)
    whole = replace(loop, start=(start,), stop=(stop,), step=unit, body=tuple(body))
    shown = f"loop {loop.variable} is unrolled {classes} times"
    yield _changed(program, path, (whole,), match.pairs, shown)


def _joined(program: Program, path: Path, loop: Loop, values: range) -> Iterator[Changed]:
    """Yield the program with a loop that goes on where the statements behind it do."""
    around = _block_of(program.body, path)
    behind = around[path[-1] + 1 :]
    more = _goes_on(loop, values, behind)
    if more is None:
        return
    last, pairs, count = more
    stop = last + (1 if loop.step > 0 else -1)
    whole = replace(loop, start=(number(values[0]),), stop=(number(stop),))
    shown = f"loop {loop.variable} is joined by what goes on with it"
    yield _changed(program, path, (whole,), pairs, shown, count)


Pairs = dict[int, tuple[Assign, str, Affine]]  # by the identity of an assignment that goes


def _goes_on(
    loop: Loop, values: range, behind: Sequence[Statement]
) -> tuple[int, Pairs, int] | None:
    """The last value of a loop with what goes on behind it, its names, and its length."""
    following = values[-1] + loop.step
    match = _Match(loop.variable, 1, 0, frozenset())
    if behind and isinstance(behind[0], Loop):
        other = behind[0]
        inner = _values(other)
        if inner and inner[0] == following and (other.step == loop.step or len(inner) == 1):
            moved = {loop.variable: variable(other.variable)}
            if match.same_all(loop.body, other.body, moved):
                pairs = match.named(loop.body, other.body, variable(other.variable))
                depth = {key: (kept, other.variable, by) for key, (kept, _, by) in pairs.items()}
                return inner[-1], depth, 1
    rest = behind[: len(loop.body)]
    if len(rest) == len(loop.body) and match.same_all(
        loop.body, rest, {loop.variable: number(following)}
    ):
        return following, match.named(loop.body, rest, number(following)), len(rest)
    return None


def _block_of(body: Sequence[Statement], path: Path) -> Sequence[Statement]:
    """The block that a place is in."""
    if len(path) == 1:
        return body
    statement = body[path[0]]
    if isinstance(statement, If):
        return _block_of(statement.body if path[1] == -1 else statement.otherwise, path[2:])
    assert isinstance(statement, Loop)
    return _block_of(statement.body, path[1:])


def _changed(
    program: Program,
    path: Path,
    some: tuple[Statement, ...],
    pairs: Pairs,
    shown: str,
    behind: int = 0,
) -> Changed:
    """A program with statements in the place of one and of those behind it.

    Parameters
    ----------
    program, path
        The program, and the place.
    some
        The statements.
    pairs
        For each assignment that goes the one that stays in its place.
    shown, behind
        A sentence on the step, and how many statements behind the place go, too.
    """
    body = program.body
    for _ in range(behind):
        body = body_with(body, (*path[:-1], path[-1] + 1), ())
    changed = replace(program, body=body_with(body, path, some))
    numbers = {id(assign): at for at, (assign, _) in enumerate(changed.statements)}
    depth = sum(1 for place in path if place >= 0) - 1
    names = []
    for assign, loops in program.statements:
        forms = [variable(loop.variable) for loop in loops]
        if id(assign) in pairs:
            kept, inner, by = pairs[id(assign)]
            if len(loops) > depth and loops[depth].variable == inner:
                forms[depth] = by
            else:
                forms.insert(depth, by)
            names.append(Renaming(numbers[id(kept)], tuple(forms)))
        else:
            names.append(Renaming(numbers.get(id(assign), 0), tuple(forms)))
    return Changed(changed, tuple(names), shown)


@dataclass
class _Match:
    """Finds statements that are others with a loop variable moved on.

    Parameters
    ----------
    variable, classes, unit
        The loop variable, how many classes there are, and how far one is from the next.
    scalars
        Scalars that may have a name of their own in each class.
    """

    variable: str
    classes: int
    unit: int
    scalars: frozenset[str]
    pairs: Pairs = field(default_factory=dict)
    names: dict[int, dict[str, str]] = field(default_factory=dict)

    def folded(self, body: Sequence[Statement]) -> list[Statement] | None:
        """The statements of the first class; None if there are no such classes."""
        found: list[Statement] = []
        used: set[int] = set()
        for place, statement in enumerate(body):
            if place in used:
                continue
            if isinstance(statement, Loop) and not self._mentions(statement):
                names, pairs = {key: dict(each) for key, each in self.names.items()}, {**self.pairs}
                inner = self.folded(statement.body)
                if inner is not None:
                    found.append(replace(statement, body=tuple(inner)))
                    continue
                self.names, self.pairs = names, pairs
            places = self._others(body, place, used)
            if places is None:
                return None
            used |= {*places}
            found.append(statement)
        return found

    def _mentions(self, loop: Loop) -> bool:
        return any(self.variable in form.names for form in (*loop.start, *loop.stop))

    def _others(self, body: Sequence[Statement], place: int, used: set[int]) -> list[int] | None:
        """The places of a statement's counterparts in all other classes."""
        places: list[int] = []
        for shift in range(1, self.classes):
            by = variable(self.variable).plus(shift * self.unit)
            for other in range(place + 1, len(body)):
                if other in used or other in places:
                    continue
                names = dict(self.names.get(shift, {}))
                if self._same(body[place], body[other], {self.variable: by}, names):
                    self.names[shift] = names
                    self.pairs |= self.named([body[place]], [body[other]], by)
                    places.append(other)
                    break
            else:
                return None
        return places

    def named(self, kept: Sequence[Statement], gone: Sequence[Statement], by: Affine) -> Pairs:
        """Return for each assignment that goes the one that stays, and where it is in the loop."""
        some = zip(assignments(tuple(kept), ()), assignments(tuple(gone), ()), strict=True)
        return {id(other): (one, self.variable, by) for (one, _), (other, _) in some}

    def same_all(
        self, one: Sequence[Statement], other: Sequence[Statement], forms: Mapping[str, Affine]
    ) -> bool:
        """Whether statements are others with forms in the place of some names."""
        return len(one) == len(other) and all(
            self._same(a, b, forms, {}) for a, b in zip(one, other, strict=True)
        )

    def _same(
        self, one: Statement, other: Statement, forms: Mapping[str, Affine], names: dict[str, str]
    ) -> bool:
        if isinstance(one, Assign) and isinstance(other, Assign):
            return self._value(one.expression, other.expression, forms, names) and self._cell(
                one.target, other.target, forms, names
            )
        if isinstance(one, Loop) and isinstance(other, Loop):
            inner = {**forms, one.variable: variable(other.variable)}
            return (
                one.step == other.step
                and _moved(one.start, forms) == other.start
                and _moved(one.stop, forms) == other.stop
                and self._block(one.body, other.body, inner, names)
            )
        if isinstance(one, If) and isinstance(other, If):
            cases = tuple(
                tuple(Condition(test.form.replaced(forms), test.relation) for test in case)
                for case in one.cases
            )
            return (
                cases == other.cases
                and self._block(one.body, other.body, forms, names)
                and self._block(one.otherwise, other.otherwise, forms, names)
            )
        return isinstance(one, Clear) and isinstance(other, Clear) and one.array == other.array

    def _block(
        self,
        one: Sequence[Statement],
        other: Sequence[Statement],
        forms: Mapping[str, Affine],
        names: dict[str, str],
    ) -> bool:
        return len(one) == len(other) and all(
            self._same(a, b, forms, names) for a, b in zip(one, other, strict=True)
        )

    def _cell(
        self, one: Reference, other: Reference, forms: Mapping[str, Affine], names: dict[str, str]
    ) -> bool:
        if one.array in self.scalars and other.array in self.scalars:
            known = names.setdefault(one.array, other.array)
            return known == other.array and [*names.values()].count(known) == 1
        return one.array == other.array and _moved(one.indices, forms) == other.indices

    def _value(
        self, one: Expression, other: Expression, forms: Mapping[str, Affine], names: dict[str, str]
    ) -> bool:
        if isinstance(one, Reference) and isinstance(other, Reference):
            return self._cell(one, other, forms, names)
        if isinstance(one, Operation) and isinstance(other, Operation):
            return (
                (one.name, one.signs, len(one.operands))
                == (other.name, other.signs, len(other.operands))
            ) and all(
                self._value(a, b, forms, names)
                for a, b in zip(one.operands, other.operands, strict=True)
            )
        if isinstance(one, Constant) and isinstance(other, Constant):
            if isinstance(one.value, Affine) and isinstance(other.value, Affine):
                return one.value.replaced(forms) == other.value
            return type(one.value) is type(other.value)
        return False


def _moved(some: Sequence[Affine], forms: Mapping[str, Affine]) -> tuple[Affine, ...]:
    return tuple(form.replaced(forms) for form in some)
