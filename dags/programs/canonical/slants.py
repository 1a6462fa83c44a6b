"""Loops that follow another: ``for (h = i; h < i + 3; h++)`` is one over r = h - i, from 0 to 3.

Both ends of such a loop move with the loops around it in one way. Each instance is renamed, and
none is moved.
"""

from collections.abc import Iterator
from dataclasses import replace

from dags.programs.affine import Affine, variable
from dags.programs.canonical.mapping import with_forms
from dags.programs.canonical.paths import body_with, loop_paths, statement_at
from dags.programs.canonical.renamed import Changed, Renaming
from dags.programs.nest import Loop, Program


def straightened(program: Program) -> Iterator[Changed]:
    """Yield programs with a loop whose ends do not move with others."""
    for path in loop_paths(program.body, ()):
        loop = statement_at(program.body, path)
        assert isinstance(loop, Loop)
        slants = {form.terms for form in (*loop.start, *loop.stop)}
        if len(slants) > 1 or slants == {()}:
            continue
        slant = Affine(slants.pop())
        straight = replace(
            loop,
            start=tuple(form - slant for form in loop.start),
            stop=tuple(form - slant for form in loop.stop),
            body=with_forms(loop.body, {loop.variable: variable(loop.variable) + slant}),
        )
        changed = replace(program, body=body_with(program.body, path, (straight,)))
        depth = sum(1 for place in path if place >= 0) - 1
        ids = {id(assign) for assign, _ in Program("", (loop,)).statements}
        names = []
        for number, (assign, loops) in enumerate(program.statements):
            forms = [variable(level.variable) for level in loops]
            if id(assign) in ids and depth < len(loops) and loops[depth] is loop:
                forms[depth] = forms[depth] - slant
            names.append(Renaming(number, tuple(forms)))
        yield Changed(changed, tuple(names), f"loop {loop.variable} moves with {_named(slant)}")


def _named(slant: Affine) -> str:
    return " and ".join(slant.names)
