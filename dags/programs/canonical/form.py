"""The canonical form of a program at given sizes, and the steps that lead there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain

from dags.programs.canonical.directions import upward
from dags.programs.canonical.interchanged import interchanges
from dags.programs.canonical.mirrors import mirrored
from dags.programs.canonical.planes import Planes, planes
from dags.programs.canonical.renamed import Changed, same_dag
from dags.programs.canonical.rows import rows
from dags.programs.canonical.rows import shown as shown_rows
from dags.programs.canonical.slants import straightened
from dags.programs.canonical.steps import counted
from dags.programs.canonical.tiles import untilings
from dags.programs.canonical.unrolled import rollings, runs
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
    live, constants
        The arrays that were asked for, by their names in it.
    """

    program: Program
    steps: tuple[str, ...]
    live: tuple[str, ...] | None = None
    constants: tuple[str, ...] | None = None


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
    apart = planes(with_sizes(program, sizes))
    live, constants = apart.names(live), apart.names(constants)
    plain, steps = _renamed(apart.program, live, constants)  # before rows: those of tiles are none
    steps = [
        *(
            f"planes of {array} are arrays: {', '.join(parts)}"
            for array, parts in apart.parts.items()
        ),
        *steps,
    ]
    plain, flat = rows(plain)
    if flat:
        plain, more = _renamed(plain, live, constants)
        steps += [*shown_rows(flat), *more]
    plain, turned = mirrored(plain)
    if turned:
        plain, more = _renamed(plain, live, constants)
        steps += [*turned, *more]
    stepped = _stepped(plain)
    if stepped is not None:
        plain, live, constants = stepped.program, stepped.names(live), stepped.names(constants)
        steps += [
            f"{array} is read in steps: its parts are {', '.join(parts)}"
            for array, parts in stepped.parts.items()
        ]
    return Canonical(plain if steps else program, tuple(steps), live, constants)


def _stepped(program: Program) -> Planes | None:
    """Return a program whose arrays lie in planes along loops with steps; None if none does."""
    plain, loops = counted(program)
    if not loops:
        return None
    plain, found = rows(plain)
    apart = planes(plain, [each.array for each in found])
    return apart if apart.parts else None


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
) -> Changed | None:
    """Return the first step that leaves the DAG as it is; None if there is none."""
    ways = rollings, runs, untilings, upward, straightened, interchanges
    for step in chain.from_iterable(way(program) for way in ways):
        if same_dag(program, step.program, step.names, live, constants):
            return step
    return None
