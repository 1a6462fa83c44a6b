"""The canonical form of a program at given sizes, and the steps that lead there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from dags.programs.canonical.renamed import same_dag
from dags.programs.canonical.rows import rows
from dags.programs.canonical.rows import shown as shown_rows
from dags.programs.canonical.tiles import Untiled, untilings
from dags.programs.fixed import with_sizes
from dags.programs.integer_sets import isl
from dags.programs.nest import Program


@dataclass(frozen=True)
class Canonical:
    """A program in canonical form.

    Parameters
    ----------
    program
        The program; its sizes are numbers where a step was taken.
    steps
        A sentence on each thing that was taken away from the text.
    """

    program: Program
    steps: tuple[str, ...]


def canonical(
    program: Program,
    sizes: Mapping[str, int],
    live: Collection[str] | None = None,
    constants: Collection[str] | None = None,
) -> Canonical:
    """Return the canonical form of a program at given sizes.

    Parameters
    ----------
    program
        A loop nest.
    sizes
        A value for each of its sizes.
    live, constants
        As for `dags.programs.instantiate`.
    """
    plain = with_sizes(program, sizes)
    plain, steps = _renamed(plain, live, constants)  # before rows: those of tiles are none
    plain, flat = rows(plain)
    if flat:
        plain, more = _renamed(plain, live, constants)
        steps += [*shown_rows(flat), *more]
    return Canonical(plain if steps else program, tuple(steps))


def _renamed(
    program: Program, live: Collection[str] | None, constants: Collection[str] | None
) -> tuple[Program, list[str]]:
    """Return a program after all steps that rename its instances, and a sentence on each."""
    steps: list[str] = []
    while isl is not None and (step := _taken(program, live, constants)) is not None:
        program = step.program
        steps.append(step.shown)
    return program, steps


def _taken(
    program: Program, live: Collection[str] | None, constants: Collection[str] | None
) -> Untiled | None:
    """Return the first step that leaves the DAG as it is; None if there is none."""
    for step in untilings(program):
        if same_dag(program, step.program, step.names, live, constants):
            return step
    return None
