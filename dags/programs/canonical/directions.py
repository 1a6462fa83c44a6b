"""Loops that run down where they might run up: each instance keeps its name."""

from collections.abc import Iterator
from dataclasses import replace

from dags.programs.affine import variable
from dags.programs.canonical.paths import body_with, loop_paths, statement_at
from dags.programs.canonical.renamed import Changed, Renaming
from dags.programs.nest import Loop, Program


def upward(program: Program) -> Iterator[Changed]:
    """Yield programs with a loop that runs up by one, and not down."""
    names = tuple(
        Renaming(number, tuple(variable(loop.variable) for loop in loops))
        for number, (_, loops) in enumerate(program.statements)
    )
    for path in loop_paths(program.body, ()):
        loop = statement_at(program.body, path)
        assert isinstance(loop, Loop)
        if loop.step == -1:
            start = tuple(form.plus(1) for form in loop.stop)
            stop = tuple(form.plus(1) for form in loop.start)
            other = replace(loop, start=start, stop=stop, step=1)
            changed = replace(program, body=body_with(program.body, path, (other,)))
            yield Changed(changed, names, f"loop {loop.variable} may run upwards")
