"""Loops in the order of the indices that are written: `for j, for i: b[i][j]` is `for i, for j`.

Two loops of which the inner one is all that the outer one runs are exchanged where the DAG stays
the same, so that in the end loops of the cell that is written come first, in the order of its
indices, and then those of the cells that are read. Ends of the inner loop that move with the outer
one by one are solved for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dags.programs.affine import Affine, variable
from dags.programs.canonical.mapping import Ranges, interval, range_of_loop
from dags.programs.canonical.paths import body_with, loop_paths, statement_at
from dags.programs.canonical.renamed import Changed, Renaming
from dags.programs.nest import Loop, Program, Reference, assignments, references

Forms = tuple[Affine, ...]


def interchanges(program: Program) -> Iterator[Changed]:
    """Yield programs with two loops exchanged that are not in the order of what is written."""
    for path in loop_paths(program.body, ()):
        outer = statement_at(program.body, path)
        assert isinstance(outer, Loop)
        if len(outer.body) != 1 or not isinstance(outer.body[0], Loop):
            continue
        inner = outer.body[0]
        if _rank(inner, inner.variable) >= _rank(inner, outer.variable):
            continue
        around = _ranges(program, path)
        swapped = None if around is None else _exchanged(outer, inner, around)
        if swapped is None:
            continue
        changed = replace(program, body=body_with(program.body, path, (swapped,)))
        ids = {id(assign) for assign, _ in assignments((outer,), ())}
        depth = sum(1 for place in path if place >= 0) - 1
        names = []
        for number, (assign, loops) in enumerate(program.statements):
            forms = [variable(loop.variable) for loop in loops]
            if id(assign) in ids and depth < len(loops) and loops[depth] is outer:
                forms[depth], forms[depth + 1] = forms[depth + 1], forms[depth]
            names.append(Renaming(number, tuple(forms)))
        shown = f"loops {outer.variable} and {inner.variable} are exchanged"
        yield Changed(changed, tuple(names), shown)


def _rank(loop: Loop, name: str) -> tuple[int, int, int]:
    """The place of a loop among the indices of what a nest writes and reads first."""
    for number, (assign, _) in enumerate(assignments((loop,), ())):
        cells: list[Reference] = [assign.target, *references(assign.expression)]
        for place, cell in enumerate(cells):
            for index, form in enumerate(cell.indices):
                if name in form.names:
                    return number, place, index
    return len(loop.body), 0, 0


def _ranges(program: Program, path: tuple[int, ...]) -> Ranges | None:
    """The ranges of the loops around a place; None if one of them never runs."""
    ranges: dict[str, tuple[int, int]] = {}
    for end in range(1, len(path)):
        if path[end] < 0 or path[end - 1] < 0:
            continue
        loop = statement_at(program.body, path[:end])
        if isinstance(loop, Loop):
            here = range_of_loop(loop, ranges)
            if here is None:
                return None
            ranges[loop.variable] = here
    return ranges


def _exchanged(outer: Loop, inner: Loop, around: Ranges) -> Loop | None:
    """Two loops, the inner one outside; None where its ends are not solved for the other."""
    name = outer.variable
    moves = any(name in form.names for form in (*inner.start, *inner.stop))
    if not moves:
        return replace(inner, body=(replace(outer, body=inner.body),))
    if outer.step != 1 or inner.step != 1:
        return None
    here = range_of_loop(outer, around)
    if here is None:
        return None
    lowest, highest = list(outer.start), list(outer.stop)  # of the outer loop, by the inner one
    starts, stops = [], []
    inner_form = variable(inner.variable)
    for form in inner.start:  # v >= form
        factor = dict(form.terms).get(name, 0)
        rest = form - variable(name).times(factor)
        if factor == 0:
            starts.append(form)
        elif factor == 1:
            highest.append(inner_form - rest.plus(-1))
            starts += [rest + low for low in outer.start]
        elif factor == -1:
            lowest.append(rest - inner_form)
            starts += [rest - high.plus(-1) for high in outer.stop]
        else:
            return None
    for form in inner.stop:  # v < form
        factor = dict(form.terms).get(name, 0)
        rest = form - variable(name).times(factor)
        if factor == 0:
            stops.append(form)
        elif factor == 1:
            lowest.append(inner_form - rest.plus(-1))
            stops += [rest + high.plus(-1) for high in outer.stop]
        elif factor == -1:
            highest.append(rest - inner_form)
            stops += [rest - low for low in outer.start]
        else:
            return None
    first, last = _needed(starts, around, 1), _needed(stops, around, -1)
    swapped = replace(inner, start=first, stop=last, body=())
    whole = range_of_loop(swapped, around)
    if whole is None:
        return None
    within = {**around, inner.variable: whole}
    start, stop = _needed(lowest, within, 1), _needed(highest, within, -1)
    return replace(swapped, body=(replace(outer, start=start, stop=stop, body=inner.body),))


def _needed(forms: Sequence[Affine], ranges: Ranges, sign: int) -> Forms:
    """Forms without those that another one is never behind.

    Parameters
    ----------
    forms
        Starts, of which the largest counts, or stops, of which the smallest does.
    ranges
        Of the loops in them.
    sign
        1 for starts, -1 for stops.
    """
    candidates = [*dict.fromkeys(forms)]
    for form in [*candidates]:
        rivals = [rival for rival in candidates if rival != form]
        if any(interval((rival - form).times(sign), ranges)[0] >= 0 for rival in rivals):
            candidates.remove(form)
    return tuple(candidates)
