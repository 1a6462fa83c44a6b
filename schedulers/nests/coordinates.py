"""Coordinates of the vertices of a loop nest, by which its points are tiled."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dags.arrays import Int64Array
from dags.cdag.origin import Operator, Origin

PHASE = " phase"  # no loop variable has a space
TIME = " time"


@dataclass(frozen=True)
class Coordinates:
    """Coordinates of the vertices of a program's DAG.

    Parameters
    ----------
    of
        (n,) numbers from 0 on for each name: a loop variable (0 where a vertex is outside of its
        loops), PHASE, which of the outermost loops and assignments of the text it is in, TIME, the
        outermost loop variable, with what is directly inside its loop one after the other, and the
        two `diagonals` of TIME and each inner loop variable.
    variables
        The loop variables, in the order of the text.
    outermost
        Those of the outermost loops.
    """

    of: Mapping[str, Int64Array]
    variables: tuple[str, ...]
    outermost: frozenset[str]

    @cached_property
    def extent(self) -> dict[str, int]:
        """Number of values of each coordinate, from 0 on."""
        return {name: int(values.max(initial=0)) + 1 for name, values in self.of.items()}


def diagonals(name: str) -> tuple[str, str]:
    """Return the names of TIME plus and minus a loop variable: the sides of diamonds.

    What reads its neighbours one step of time ago goes back along neither of them.
    """
    return f"{TIME} + {name}", f"{TIME} - {name}"


def coordinates(origin: Origin) -> Coordinates:
    """Return the coordinates of all vertices; inputs are at 0."""
    n = origin.made_by.size
    names = list(dict.fromkeys(name for each in origin.operators for name in each.variables))
    found = {name: np.zeros(n, np.int64) for name in [*names, PHASE, TIME]}
    phases, places, parts = _places(origin.operators)
    by_operator = np.argsort(origin.made_by, kind="stable")
    ends = np.searchsorted(origin.made_by[by_operator], np.arange(len(origin.operators) + 1))
    for number, operator in enumerate(origin.operators):
        mine = by_operator[ends[number] : ends[number + 1]]
        for depth, name in enumerate(operator.variables):
            found[name][mine] = origin.points[mine, depth]
        found[PHASE][mine] = phases[number]
        if operator.variables:
            outermost = origin.points[mine, 0].astype(np.int64)
            found[TIME][mine] = outermost * parts[phases[number]] + places[number]
    for name in (*names, TIME):
        found[name] -= found[name].min(initial=0)
    outermost = frozenset(each.variables[0] for each in origin.operators if each.variables)
    for name in names:
        if name not in outermost:
            rising, falling = diagonals(name)
            found[rising] = found[TIME] + found[name]
            found[falling] = found[TIME] - found[name]
            found[falling] -= found[falling].min(initial=0)
    return Coordinates(found, tuple(names), outermost)


def _places(operators: tuple[Operator, ...]) -> tuple[list[int], list[int], list[int]]:
    """Return the phase of each operator, its place inside, and the number of places of a phase."""
    outer: dict[tuple[int, ...], int] = {}
    inner: list[dict[tuple[int, ...], int]] = []
    phases, places = [], []
    for operator in operators:
        own = (-1, operator.statement)
        phase = outer.setdefault(operator.loops[:1] or own, len(outer))
        if phase == len(inner):
            inner.append({})
        phases.append(phase)
        places.append(inner[phase].setdefault(operator.loops[1:2] or own, len(inner[phase])))
    return phases, places, [len(each) for each in inner]
