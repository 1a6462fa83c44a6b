"""Loops over tiles, written by hand: ``ii`` with i in [ii, ii + 32) is a function of i.

Two forms are known: the inner loop runs from a form of the tile on, or it runs over a tile and all
indices read ``32*ii + i``. In both the inner variable, or the sum, says which tile it is in, so
that the loop over tiles can go; what it held together runs for all tiles, one part after another.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dags.programs.affine import Affine, variable
from dags.programs.canonical.mapping import with_forms
from dags.programs.canonical.paths import Path, body_with, loop_paths, statement_at
from dags.programs.canonical.renamed import Changed, Renaming
from dags.programs.nest import If, Loop, Program, Statement, forms_of


def untilings(program: Program) -> Iterator[Changed]:
    """Yield programs without a loop over tiles, the outermost first."""
    for path in loop_paths(program.body, ()):
        loop = statement_at(program.body, path)
        assert isinstance(loop, Loop)
        parts = _whole(loop)
        if parts is None:
            continue
        body = body_with(program.body, path, parts.body)
        yield Changed(
            replace(program, body=body),
            tuple(_names(program, path, loop, parts)),
            f"loop {loop.variable} is over tiles of {', '.join(dict.fromkeys(parts.inner))}",
        )


@dataclass(frozen=True)
class _Parts:
    """The statements of a loop over tiles that run for all tiles.

    Parameters
    ----------
    body
        The statements.
    inner
        Of each assignment the loop that says the tile.
    factors
        What is added to that loop's variable: so many times the tile's.
    """

    body: tuple[Statement, ...]
    inner: tuple[str, ...]
    factors: tuple[int, ...]


def _whole(loop: Loop) -> _Parts | None:
    """The body of a loop over tiles for all tiles; None if its loops are no tiles."""
    if loop.step < 1 or len(loop.start) > 1:
        return None
    body: list[Statement] = []
    inner: list[str] = []
    factors: list[int] = []
    for statement in loop.body:
        found = _untiled(statement, loop)
        if found is None:
            return None
        body += found.body
        inner += found.inner
        factors += found.factors
    return _Parts(tuple(body), tuple(inner), tuple(factors))


def _untiled(statement: Statement, tile: Loop) -> _Parts | None:
    """A statement for all tiles."""
    if isinstance(statement, If):
        if any(tile.variable in form.names for form in _tests(statement)):
            return None
        parts = [_block(statement.body, tile), _block(statement.otherwise, tile)]
        if parts[0] is None or parts[1] is None:
            return None
        body = replace(statement, body=parts[0].body, otherwise=parts[1].body)
        inner = (*parts[0].inner, *parts[1].inner)
        return _Parts((body,), inner, (*parts[0].factors, *parts[1].factors))
    if not isinstance(statement, Loop):
        return None
    bounds = (*statement.start, *statement.stop)
    inside = [form for form, _ in forms_of(statement.body, frozenset())]
    if not any(tile.variable in form.names for form in bounds) and not any(
        tile.variable in form.names and statement.variable in form.names for form in inside
    ):
        found = _block(statement.body, tile)
        if found is None:
            return None
        return replace(found, body=(replace(statement, body=found.body),))
    return _joined(statement, tile)


def _block(body: Sequence[Statement], tile: Loop) -> _Parts | None:
    parts = [_untiled(each, tile) for each in body]
    found = [each for each in parts if each is not None]
    if len(found) < len(parts):
        return None
    return _Parts(
        tuple(one for each in found for one in each.body),
        tuple(one for each in found for one in each.inner),
        tuple(one for each in found for one in each.factors),
    )


def _tests(statement: If) -> Iterator[Affine]:
    return (test.form for case in statement.cases for test in case)


def _joined(inner: Loop, tile: Loop) -> _Parts | None:
    """The loop within tiles as one over all of them."""
    if inner.step < 1 or len(inner.start) > 1:
        return None
    factor = _factor(inner, tile.variable)
    if factor is None:
        return None
    # the new variable is the old one, and `factor` times the tile's
    moved = variable(tile.variable).times(factor)
    start, stops = inner.start[0] + moved, [stop + moved for stop in inner.stop]
    pace = _coefficient(start, tile.variable) * tile.step
    ends = [stop for stop in stops if tile.variable in stop.names]
    widths = [(stop - start) for stop in ends]
    if pace < 1 or pace % inner.step or len(ends) != 1 or widths[0] != Affine((), pace):
        return None
    others = [stop for stop in stops if tile.variable not in stop.names]
    first = start.replaced({tile.variable: tile.start[0]})
    beyond = _beyond(tile, start, others)
    if beyond is None:
        return None
    body = with_forms(inner.body, {inner.variable: variable(inner.variable) - moved})
    if any(tile.variable in form.names for form, _ in forms_of(body, frozenset())):
        return None
    count = len(Program("", body).statements)
    loop = replace(inner, start=(first,), stop=beyond, body=body)
    return _Parts((loop,), (inner.variable,) * count, (factor,) * count)


def _beyond(tile: Loop, start: Affine, others: Sequence[Affine]) -> tuple[Affine, ...] | None:
    """Return where the loop over all tiles ends."""
    ends = [start.replaced({tile.variable: stop}) for stop in tile.stop]
    if all(end in others for end in ends):
        return tuple(others)  # the last tile ends where the tiles do
    if tile.start[0].terms or any(stop.terms for stop in tile.stop):
        return None
    values = range(tile.start[0].constant, min(each.constant for each in tile.stop), tile.step)
    if not values:
        return None
    last = start.replaced({tile.variable: Affine((), values[-1] + tile.step)})
    return (last, *others)


def _factor(inner: Loop, tile: str) -> int | None:
    """How often the tile's variable stands beside the inner one; None if that differs.

    Loops over time need not stand in any index, and then neither does their tile.
    """
    found = set()
    for form, _ in forms_of(inner.body, frozenset()):
        mine, its = _coefficient(form, inner.variable), _coefficient(form, tile)
        if not its:
            if mine:
                found.add(0)
        elif not mine or its % mine:
            return None
        else:
            found.add(its // mine)
    return None if len(found) > 1 else next(iter(found), 0)


def _coefficient(form: Affine, name: str) -> int:
    return dict(form.terms).get(name, 0)


def _names(program: Program, path: Path, tile: Loop, parts: _Parts) -> Iterator[Renaming]:
    """Yield what each assignment is called without a loop over tiles."""
    depth = sum(1 for place in path if place >= 0) - 1
    mine = {id(assign) for assign, _ in Program("", (tile,)).statements}
    inside = iter(zip(parts.inner, parts.factors, strict=True))
    for number, (assign, loops) in enumerate(program.statements):
        names = [loop.variable for loop in loops]
        forms = [variable(name) for name in names]
        if id(assign) in mine and depth < len(loops) and loops[depth] is tile:
            inner, factor = next(inside)
            place = names.index(inner)
            forms[place] = forms[place] + variable(tile.variable).times(factor)
            del forms[depth]
        yield Renaming(number, tuple(forms))
