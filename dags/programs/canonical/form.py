"""The canonical form of a program at given sizes, and the steps that lead there."""

from collections.abc import Mapping
from dataclasses import dataclass

from dags.programs.canonical.rows import rows
from dags.programs.canonical.rows import shown as shown_rows
from dags.programs.fixed import with_sizes
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


def canonical(program: Program, sizes: Mapping[str, int]) -> Canonical:
    """Return the canonical form of a program at given sizes.

    Parameters
    ----------
    program
        A loop nest.
    sizes
        A value for each of its sizes.
    """
    plain = with_sizes(program, sizes)
    plain, flat = rows(plain)
    steps = [*shown_rows(flat)]
    return Canonical(plain if steps else program, tuple(steps))
