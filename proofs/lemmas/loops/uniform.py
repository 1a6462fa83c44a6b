"""Two-sided windows of updates that read each other at constant distances (N6).

An update at point p of Z^d has the operands at p + b, for all b of a list of distances. Cut a
one-shot play into windows as in W1, by how many updates are computed in them, with at most m values
red at a cut. With the boundary of S10, or of `layers` where the lattice ends,

    loads + stores >= sum over windows of least(|V|) - 2 m (windows - 1) - pairs that are not sound
                      - births - tails - outputs between pairs + such inputs + such outputs.

As in `program_space`, points are names: all uses of them are verified on the DAG.

The proof is N6 in docs/theory/nests.md.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, for windows. A.
Olivry et al., PLDI 2020, have constants of such kernels for loads alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from pebble import Game
from proofs.core.records import CertificateError, Integers, integer, integers, only, shown
from proofs.core.windows import Count, Cuts, Lemma, Sum
from proofs.lemmas.isoperimetry.corner_layers import between_steps
from proofs.lemmas.isoperimetry.layers import between_layers
from proofs.lemmas.isoperimetry.neighbourhoods import Points
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.iteration_space import HEAD, Vertices
from proofs.lemmas.loops.operands import (
    Reference,
    coordinates_of,
    operands,
    reference_from,
    require_origin,
)
from proofs.lemmas.sets import exchanged, require_one_shot

MOST_STATEMENTS: Final = 16
MOST_DISTANCES: Final = 64
MOST_REFERENCES: Final = 8
FARTHEST: Final = 8  # of a coordinate of a distance
MOST_INDICES: Final = 5
REACH: Final = {2: 8192, 3: 8192, 4: 2048, 5: 1024}  # largest windows, by indices
MOST_POINTS: Final = 2**62
BoolArray = npt.NDArray[np.bool_]

# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, Count]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Lattice:
    """Updates at points, and the operands that they have at constant distances.

    Parameters
    ----------
    updates
        (u,) vertices.
    at
        (d, u) their points.
    distances
        (k, d) how far operands are away.
    read
        (k, u) the operand at each distance, or `HEAD`.
    between
        (k, u) the vertex by way of which it is read, `HEAD` where there is none.
    """

    updates: Int32Array
    at: Int64Array
    distances: Int64Array
    read: Vertices
    between: Vertices


@dataclass(frozen=True, kw_only=True)
class Distances:
    """Windows of updates that read each other at constant distances.

    Parameters
    ----------
    distances
        A list of points.
    statements
        Each with its "operator", the "loops" that are its coordinates, "factor" and "shift" of the
        first of them, and "slots", for each distance the references of its operand, or "through"
        which references of an "operator" it reads that one's operand, "then".
    cuts
        The windows.
    ends
        The coordinates along which the lattice ends.
    """

    distances: Any
    statements: Any
    cuts: Cuts
    ends: Integers = ()


def lattice(game: Game, record: Distances) -> Sum:
    """Exchanges of windows of updates at constant distances (N6)."""
    require_one_shot(game)
    count = premises(game.dag, record.distances, record.statements, record.ends)
    return exchanged(game, [(count, record.cuts)], anywhere=False)


UNIFORM = Lemma(
    Distances,
    lattice,
    lambda record: ("N6", "W1", *(("S1", "S11") if record.ends else ("S10",))),
)


def premises(dag: CDAG, distances: Any, statements: Any, ends: Sequence[int] = ()) -> Count:
    """The boundaries of sets of updates, less the compulsory moves; verified.

    Parameters
    ----------
    dag
        A DAG with an origin.
    distances, statements, ends
        As in a certificate.

    Raises
    ------
    CertificateError
        If the DAG does not have such updates.
    """
    known = _verified.setdefault(dag, {})
    question = dag.origin, repr((distances, statements, ends))
    if question not in known:
        known[question] = _boundary(dag, lattice_of(dag, distances, statements), ends)
    return known[question]


def _boundary(dag: CDAG, lattice: Lattice, ends: Sequence[int]) -> Count:
    """The boundaries, with all that is not to be counted as waived."""
    boundary = _within(lattice, ends) if ends else between_steps(_steps(lattice))
    code, steps = _codes(lattice)
    point = np.full(dag.n, -1, np.int64)
    point[lattice.updates] = code
    unsound, tails = 0, np.zeros(dag.n, np.bool_)
    rows = zip(lattice.read, steps, lattice.distances, strict=True)
    for values, step, distance in rows:
        met = np.zeros(dag.n, np.bool_)
        counting = _counts(lattice, distance, ends)
        unsound += _kernels.meet(values[counting], code[counting] + step, point, met)
        read = lattice.updates[_counts(lattice, -distance, ends)]
        tails[read] |= np.logical_not(met[read])
    tails[dag.outputs] = False
    outside = point >= 0
    outside[lattice.updates] = False
    inputs = int(np.count_nonzero(outside[dag.used_inputs]))
    outside[dag.inputs] = False
    births = int(np.count_nonzero(outside))
    between = _between(dag, lattice, point)
    is_update = np.zeros(dag.n, np.bool_)
    is_update[lattice.updates] = True
    outputs = int(np.count_nonzero(is_update[dag.outputs]))
    return Count(
        lattice.updates.size,
        boundary,
        waived=unsound + births + int(np.count_nonzero(tails)) + inputs + outputs + between,
        reach=REACH[len(lattice.at)],
    )


def _steps(lattice: Lattice) -> set[tuple[int, ...]]:
    """The distances."""
    return {tuple(distance) for distance in lattice.distances.tolist()}


def _within(lattice: Lattice, ends: Sequence[int]) -> Callable[[int], int]:
    """The least boundaries in a lattice that ends along the coordinates `ends`.

    Raises
    ------
    CertificateError
        If there are no such coordinates, or the distances are no star and no box.
    """
    depth = len(lattice.at)
    if [*ends] != sorted({*ends}) or not all(0 < axis < depth for axis in ends):
        raise CertificateError("ends", f"do not rise from 1 to {depth - 1}")
    sides = np.ptp(lattice.at[[*ends]], axis=1) + 1
    for box in (False, True):
        near = [
            step for step in product((-1, 0, 1), repeat=depth - 1) if box or np.abs(step).sum() < 2
        ]
        if _steps(lattice) == {(-1, *step) for step in near}:
            shape = tuple(sides[sides > 1].tolist())
            return between_layers(Points(shape, box, "open", depth - 1 - len(ends)))
    raise CertificateError("distances", "are no star and no box, and the lattice ends somewhere")


def _counts(lattice: Lattice, distance: Int64Array, ends: Sequence[int]) -> BoolArray:
    """(u,) whether the points so far from the updates count, where the lattice ends."""
    coordinates = lattice.at[[*ends]]
    target = coordinates + distance[[*ends], None]
    beyond = (target < coordinates.min(axis=1)[:, None]) | (
        target > coordinates.max(axis=1)[:, None]
    )
    within: BoolArray = np.logical_not(beyond.any(axis=0))
    return within


def _between(dag: CDAG, lattice: Lattice, point: Int64Array) -> int:
    """How many vertices between pairs are outputs.

    Parameters
    ----------
    dag, lattice
        The operator of such vertices.
    point
        (n,) the point of each vertex, -1 for none.

    Raises
    ------
    CertificateError
        If one of them is between two pairs, has a point, or is an input.
    """
    vertices = lattice.between[lattice.between != HEAD]
    if np.unique(vertices).size != vertices.size:
        raise CertificateError("through", "has a vertex between two pairs")
    if (point[vertices] >= 0).any() or (np.diff(dag.pred_indptr)[vertices] == 0).any():
        raise CertificateError("through", "has a vertex with a point, or an input")
    return int(np.isin(vertices, dag.outputs).sum())


def _codes(lattice: Lattice) -> tuple[Int64Array, list[int]]:
    """(u,) a number for each point, and how far each distance changes it."""
    reach = np.abs(lattice.distances).max(axis=0)
    lowest = lattice.at.min(axis=1) - reach
    sides = (lattice.at.max(axis=1) + reach - lowest + 1).tolist()
    code, steps, unit = np.zeros(lattice.updates.size, np.int64), [0] * len(lattice.distances), 1
    for axis, side in enumerate(sides):
        code += (lattice.at[axis] - lowest[axis]) * unit
        steps = [
            step + unit * int(distance[axis])
            for step, distance in zip(steps, lattice.distances, strict=True)
        ]
        unit *= side
        if unit > MOST_POINTS:
            raise CertificateError("statements", f"range over more than {MOST_POINTS} points")
    if np.unique(code).size != code.size:
        raise CertificateError("statements", "have two updates at a point")
    return code, steps


def lattice_of(dag: CDAG, distances: Any, statements: Any) -> Lattice:
    """The updates that a certificate describes."""
    steps = _distances(distances)
    if not isinstance(statements, list) or not 1 <= len(statements) <= MOST_STATEMENTS:
        raise CertificateError("statements", f"are no list of 1 to {MOST_STATEMENTS}")
    parts = [_statement(dag, steps, statement) for statement in statements]
    updates = np.concatenate([part.updates for part in parts])
    if not updates.size or len({statement["operator"] for statement in statements}) != len(
        statements
    ):
        raise CertificateError("statements", "have no updates, or an operator twice")
    coordinates = np.concatenate([part.at for part in parts], axis=1)
    read = np.concatenate([part.read for part in parts], axis=1)
    between = np.concatenate([part.between for part in parts], axis=1)
    return Lattice(updates, coordinates, steps, read, between)


def _distances(data: Any) -> Int64Array:
    """The distances: back by one along the first index, or along the others only."""
    if not isinstance(data, list) or not 1 <= len(data) <= MOST_DISTANCES:
        raise CertificateError("distances", f"are no list of 1 to {MOST_DISTANCES} points")
    points = [integers({"distances": distance}, "distances") for distance in data]
    if len({point.size for point in points}) != 1 or points[0].size not in REACH:
        raise CertificateError("distances", f"do not all have 2 to {MOST_INDICES} coordinates")
    steps = np.stack(points)
    if np.abs(steps).max() > FARTHEST or len({*map(tuple, data)}) != len(data):
        raise CertificateError("distances", f"go beyond {FARTHEST}, or are there twice")
    if steps[:, 0].min() != -1 or steps[:, 0].max() > 0 or not steps.any(axis=1).all():
        raise CertificateError("distances", "do not lead back along the first index, or are 0")
    return steps


def _statement(dag: CDAG, steps: Int64Array, data: Any) -> Lattice:
    """The updates of one statement."""
    if not isinstance(data, Mapping):
        raise CertificateError("statements", "are no objects")
    only(data, ("operator", "loops", "factor", "shift", "slots"))
    origin, operator = require_origin(dag), integer(data, "operator", minimum=0)
    depth, loops = coordinates_of(origin, operator), integers(data, "loops").tolist()
    if len(loops) != steps.shape[1] or any(not 0 <= loop < depth for loop in loops):
        raise CertificateError("loops", f"are not {steps.shape[1]} from 0 to {depth - 1}")
    factor, shift = integer(data, "factor", minimum=1), integer(data, "shift", minimum=0)
    if factor > MOST_STATEMENTS or shift >= factor:
        raise CertificateError("factor", f"is more than {MOST_STATEMENTS}, or shift too large")
    updates = np.flatnonzero(origin.made_by == operator).astype(np.int32)
    coordinates = origin.points[updates][:, loops].T.astype(np.int64)
    coordinates[0] = coordinates[0] * factor + shift
    slots = data["slots"]
    if not isinstance(slots, list) or len(slots) != len(steps):
        raise CertificateError("slots", f"are not {len(steps)}, one for each distance")
    read = [_operands(dag, updates, operator, slot) for slot in slots]
    values, between = (np.stack(rows) for rows in zip(*read, strict=True))
    return Lattice(updates, coordinates, steps, values, between)


def _operands(
    dag: CDAG, updates: Int32Array, operator: int, slot: Any
) -> tuple[Vertices, Vertices]:
    """(u,) the operand in a slot, and (u,) the vertex by way of which it is read.

    Parameters
    ----------
    dag, updates, operator
        The updates of an operator.
    slot
        As in a certificate.
    """
    absent = np.full(updates.size, HEAD, np.int32)
    if not isinstance(slot, Mapping):
        return operands(dag, updates, _references(dag, operator, slot)), absent
    only(slot, ("through", "operator", "then"))
    way = integer(slot, "operator", minimum=0)
    coordinates_of(require_origin(dag), way)
    references = _references(dag, operator, slot["through"])
    if any(reference.made_by != way for reference in references):
        raise CertificateError("through", f"has a reference that operator {way} does not make")
    between = operands(dag, updates, references)
    present = np.flatnonzero(between != HEAD)
    values = absent.copy()
    values[present] = operands(dag, between[present], _references(dag, way, slot["then"]))
    between[values == HEAD] = HEAD
    return values, between


def _references(dag: CDAG, operator: int, slot: Any) -> list[Reference]:
    """The references of a slot."""
    if not isinstance(slot, list) or len(slot) > MOST_REFERENCES:
        raise CertificateError("slots", f"have {shown(slot)}, no list up to {MOST_REFERENCES}")
    return [reference_from(require_origin(dag), operator, reference) for reference in slot]
