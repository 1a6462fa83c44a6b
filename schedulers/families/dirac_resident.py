"""The Dirac operator with all its fields in fast memory, as between two of its applications."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import lock
from dags.families.dirac_numbers import DiracNumbers
from dags.families.lattice_qcd import SPINOR
from pebble import Move, Schedule
from schedulers.families.dirac import dirac_schedule
from schedulers.families.dirac_plans import AT_VISIT, DiracPlan


def resident_dirac_schedule(dag: CDAG) -> tuple[Schedule, Schedule, Schedule]:
    """Return a play of a `dags.dirac` in three parts: fields settle, are worked on, and leave.

    The first part loads Psi and U, the last one stores Phi, 120 n words together on channel 0.
    The second one moves nothing on channel 0. A game begins and ends with all fields in slow
    memory; on a machine that applies the operator again and again, the Phi of one application
    serves the next one, U stays, and only the second part is played: the large-memory regime,
    I_lc = 0. One after another the parts are a legal play under sliding rules, for which
    `resident_peak` words suffice.

    Raises
    ------
    InvalidDAGError
        If `dag` was not made by `dags.dirac`.

    Source
    ------
    G. Bilardi et al., HiPC 2005, theorem 1: 120 n words. As Phi takes the room of Psi behind the
    sweep, 96 n and a front are enough.
    """
    moves = dirac_schedule(dag)
    numbers = DiracNumbers(*(dag.params.get(key, False) for key in ("k", "n4", "wrap", "copies")))
    op, vertex = moves.op, moves.vertex
    fields = vertex < numbers.halo
    leaving = dag.outputs[dag.outputs >= numbers.chains]
    dropped = np.flatnonzero((op == Move.DELETE) & (vertex < numbers.sites))
    last = np.empty(numbers.sites, np.int64)
    last[vertex[dropped]] = dropped  # of several assignments the last one stands
    kept = ~fields & (np.isin(vertex, leaving, invert=True) | (op == Move.COMPUTE))
    kept[last] = True
    return (
        _each(Move.LOAD, np.arange(numbers.halo)),
        Schedule(lock(op[kept]), lock(vertex[kept])),
        _each(Move.STORE, leaving),
    )


def resident_peak(plan: DiracPlan) -> int:
    """Return words of fast memory that suffice for `resident_dirac_schedule`, without a seam.

    Psi and U of all sites, 96 n (18 k^3 less if x4 does not wrap); Phi too of the sites whose
    Psi still waits, half of what waits in `DiracPlan.peak`; and at the site that is visited
    72 more. Just enough for one tile of two slices or more, and of four if x4 wraps.
    """
    waiting = (plan.peak - AT_VISIT) // 2
    return 96 * plan.sites + plan.copied - plan.absent + waiting + 3 * SPINOR


def _each(move: Move, vertices: npt.NDArray[np.signedinteger[Any]]) -> Schedule:
    """Return the schedule that makes one move with each vertex."""
    return Schedule(np.full(vertices.size, move, np.uint8), vertices)
