"""Copies in scalars: ``x = a[i][k]; for j: c[i][j] += x * b[k][j]`` reads a[i][k] where it reads x.

A copy makes no vertex, but it stands between loops, which then are not those of the plain text. So
do the copies around a sum in a scalar, ``x = c[i]; for j: x += a[i][j]; c[i] = x``, which is one in
the cell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from dags.programs.affine import variable
from dags.programs.canonical.mapping import with_cells
from dags.programs.canonical.paths import Path, blocks, body_with
from dags.programs.canonical.renamed import Changed, Renaming
from dags.programs.nest import (
    Assign,
    Constant,
    If,
    Loop,
    Operation,
    Program,
    Reference,
    Statement,
    references,
)


def uncopied(program: Program) -> Iterator[Changed]:
    """Yield the program without copies in scalars that are read behind them in their blocks."""
    found = _Copies()
    body = _block(program.body, found)
    reads: dict[str, int] = {}
    writes: dict[str, int] = {}
    for assign, _ in program.statements:
        writes[assign.target.array] = writes.get(assign.target.array, 0) + 1
        for cell in references(assign.expression):
            reads[cell.array] = reads.get(cell.array, 0) + 1
    gone = {
        name
        for name, count in found.gone.items()
        if count == writes[name] and found.reads.get(name, 0) == reads.get(name, 0)
    }
    if not gone - {*program.returned}:
        return
    found = _Copies(only=frozenset(gone) - {*program.returned})
    body = _block(program.body, found)
    names: list[Renaming] = []
    number = 0
    for assign, loops in program.statements:
        names.append(Renaming(number, tuple(variable(loop.variable) for loop in loops)))
        number += id(assign) not in found.places
    arrays = " and ".join(dict.fromkeys(found.gone))
    yield Changed(
        replace(program, body=body), tuple(names), f"{arrays}: copies are read where they come from"
    )


def unscaled(program: Program) -> Iterator[Changed]:
    """Yield programs with a cell in the place of a scalar that begins as it, and is stored there.

    A scalar may begin as a number, too. Whether it is read elsewhere is left to the comparison of
    the DAGs, as is whether the cell is.
    """
    for path, block in blocks(program.body, ()):
        for place, begin in enumerate(block):
            if not isinstance(begin, Assign) or begin.target.indices:
                continue
            if isinstance(begin.expression, Operation):
                continue
            end = _stored(block, place)
            if end is None:
                continue
            cell = block[end].target  # type: ignore[union-attr]  # an assignment
            inside = Program("", tuple(block[place + 1 : end])).statements
            loops = {loop.variable for _, around in inside for loop in around}
            if any(name in loops for form in cell.indices for name in form.names):
                continue
            yield _in_cell(program, (*path, place), block[place : end + 1], cell)


def _stored(block: Sequence[Statement], place: int) -> int | None:
    """The place of the first statement that stores a scalar in the cell as which it begins."""
    begin = block[place]
    assert isinstance(begin, Assign)
    for end in range(place + 1, len(block)):
        store = block[end]
        if isinstance(store, Assign) and store.expression == begin.target and store.target.indices:
            is_number = isinstance(begin.expression, Constant)
            return end if is_number or begin.expression == store.target else None
    return None


def _in_cell(program: Program, path: Path, span: Sequence[Statement], cell: Reference) -> Changed:
    """A program with a cell in the place of a scalar.

    Parameters
    ----------
    program
        The program.
    path, span
        The place of the statement by which the scalar begins; that statement, and those up to the
        one that stores it.
    cell
        Where it is stored.
    """
    begin = span[0]
    assert isinstance(begin, Assign)
    scalar = begin.target
    starts = (replace(begin, target=cell),) if isinstance(begin.expression, Constant) else ()
    inside = tuple(_with_cell(statement, scalar, cell) for statement in span[1:-1])
    body = program.body
    for _ in span[1:]:
        body = body_with(body, (*path[:-1], path[-1] + 1), ())
    body = body_with(body, path, (*starts, *inside))
    copies = {id(span[-1])} if starts else {id(begin), id(span[-1])}
    names: list[Renaming] = []
    number = 0
    for assign, loops in program.statements:
        names.append(Renaming(number, tuple(variable(loop.variable) for loop in loops)))
        number += id(assign) not in copies
    shown = f"{scalar.array} is {cell.array} in line {begin.line}, where it is stored"
    return Changed(replace(program, body=body), tuple(names), shown)


def _with_cell(statement: Statement, scalar: Reference, cell: Reference) -> Statement:
    """A statement that reads and writes a cell in the place of a scalar."""
    if isinstance(statement, Loop):
        body = tuple(_with_cell(inner, scalar, cell) for inner in statement.body)
        return replace(statement, body=body)
    if isinstance(statement, If):
        body, otherwise = (
            tuple(_with_cell(inner, scalar, cell) for inner in branch)
            for branch in (statement.body, statement.otherwise)
        )
        return replace(statement, body=body, otherwise=otherwise)
    if not isinstance(statement, Assign):
        return statement

    def placed(reference: Reference) -> Reference:
        return cell if reference == scalar else reference

    expression = with_cells(statement.expression, placed)
    return replace(statement, target=placed(statement.target), expression=expression)


@dataclass
class _Copies:
    """Copies that are taken away.

    Parameters
    ----------
    only
        The scalars to look at; None for all.
    gone, reads
        Of each scalar how many copies went, and how many reads of them.
    places
        The assignments that went.
    """

    only: frozenset[str] | None = None
    gone: dict[str, int] = field(default_factory=dict)
    reads: dict[str, int] = field(default_factory=dict)
    places: set[int] = field(default_factory=set)


def _block(body: Sequence[Statement], found: _Copies) -> tuple[Statement, ...]:
    """A block without its copies."""
    rest = [*body]
    for place, one in enumerate(rest):
        if not isinstance(one, Assign) or not isinstance(one.expression, Reference):
            continue
        name, cell = one.target.array, one.expression
        is_asked = found.only is None or name in found.only
        if one.target.indices or name == cell.array or not is_asked:
            continue
        end = next((n for n in range(place + 1, len(rest)) if _sets(rest[n], name)), len(rest))
        behind = rest[place + 1 : end]
        if any(_hides(each, name, cell) for each in behind):
            continue
        if end < len(rest) and any(c.array == name for c in references(rest[end].expression)):  # type: ignore[union-attr]  # an assignment
            continue
        rest[place + 1 : end] = [_read_from(each, one.target, cell, found) for each in behind]
        found.gone[name] = found.gone.get(name, 0) + 1
        found.places.add(id(one))
    return tuple(_inside(each, found) for each in rest if id(each) not in found.places)


def _inside(some: Statement, found: _Copies) -> Statement:
    if isinstance(some, Loop):
        return replace(some, body=_block(some.body, found))
    if isinstance(some, If):
        body, otherwise = _block(some.body, found), _block(some.otherwise, found)
        return replace(some, body=body, otherwise=otherwise)
    return some


def _sets(some: Statement, name: str) -> bool:
    return isinstance(some, Assign) and some.target.array == name


def _hides(some: Statement, name: str, cell: Reference) -> bool:
    """Whether a statement writes a scalar or what it copies, or has a loop of its index."""
    loops = {variable for form in cell.indices for variable in form.names}
    inside = Program("", (some,)).statements
    if any(assign.target.array in (name, cell.array) for assign, _ in inside):
        return True
    return any(loop.variable in loops for _, around in inside for loop in around)


def _read_from(some: Statement, scalar: Reference, cell: Reference, found: _Copies) -> Statement:
    """A statement that reads a cell in the place of a scalar."""
    if isinstance(some, Loop):
        body = tuple(_read_from(each, scalar, cell, found) for each in some.body)
        return replace(some, body=body)
    if isinstance(some, If):
        body, otherwise = (
            tuple(_read_from(each, scalar, cell, found) for each in branch)
            for branch in (some.body, some.otherwise)
        )
        return replace(some, body=body, otherwise=otherwise)
    if not isinstance(some, Assign):
        return some
    name = scalar.array
    count = sum(each.array == name for each in references(some.expression))
    found.reads[name] = found.reads.get(name, 0) + count
    expression = with_cells(some.expression, lambda each: cell if each == scalar else each)
    return replace(some, expression=expression) if count else some
