"""Bounds for programs whose values are read at constant distances: stencils, grids, alignments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from dags.cdag.origin import Origin
from pebble import Budget, Game
from proofs.base import Bound, NotApplicableError, bound_method, require_one_shot
from proofs.bounds.loops.references import slots_of
from proofs.bounds.room_for_all import compulsory_bound
from proofs.bounds.thinned import thinned
from proofs.bounds.windows.isoperimetry.set_sizes import best_cuts
from proofs.certificates import Certificate, CertificateError
from proofs.core.windows import Count
from proofs.lemmas.loops.operands import NO_LOOP, Reference
from proofs.lemmas.loops.uniform import (
    FARTHEST,
    MOST_DISTANCES,
    MOST_REFERENCES,
    MOST_STATEMENTS,
    REACH,
    premises,
)

MOST_WAYS = 8  # sets of paths that are tried

Path = dict[str, Any]  # a slot of a certificate
Distance = tuple[int, ...]
Slots = dict[Distance, list[Reference]]
Description = dict[str, Any]
Found = list[tuple[Description, Count]]
# What has been found and verified, with its origin: a curve asks at every memory size.
_known: WeakKeyDictionary[CDAG, tuple[Origin | None, Found]] = WeakKeyDictionary()
_bordered: WeakKeyDictionary[CDAG, tuple[Origin | None, Found]] = WeakKeyDictionary()


def path_sets(
    operator: int,
    loops: Sequence[int],
    references: Mapping[int, list[Reference]],
    direct: Sequence[Distance],
) -> Iterator[dict[Distance, Path]]:
    """Yield sets of paths, one at most by way of each other operator, that fill all dimensions.

    Parameters
    ----------
    operator, loops
        The updates, and the coordinates of their points.
    references
        The operands of each operator.
    direct
        Distances at which updates read each other themselves.
    """
    ways = [
        paths_of_maker
        for maker in references
        if maker != operator
        and (paths_of_maker := paths_through(maker, operator, loops, references))
        and (
            paths_of_maker := {
                distance: path
                for distance, path in paths_of_maker.items()
                if distance not in direct
            }
        )
    ]
    for chosen in islice(product(*(way.items() for way in ways)), MOST_WAYS):
        paths = dict(chosen)
        if paths and np.linalg.matrix_rank(np.array([*direct, *paths])) == len(loops):
            yield paths


def paths_through(
    middle: int,
    operator: int,
    loops: Sequence[int],
    references: Mapping[int, list[Reference]],
) -> dict[Distance, Path]:
    """The paths by way of one operator, by the distance that they bridge.

    Parameters
    ----------
    middle
        The operator between.
    operator, loops, references
        As for `path_sets`.
    """
    paths: dict[Distance, Path] = {}
    firsts = [reference for reference in references[operator] if reference.made_by == middle]
    seconds = [reference for reference in references[middle] if reference.made_by == operator]
    for first, second in product(firsts, seconds):
        first_step, two = _step(first, loops), _step(second, loops)
        if first_step is None or two is None:
            continue
        distance = tuple(a + b for a, b in zip(first_step, two, strict=True))
        if distance[0] not in (-1, 0) or not any(distance) or max(map(abs, distance)) > FARTHEST:
            continue
        begin = [
            reference
            for reference in references[middle]
            if reference.made_by not in references and _begins(reference, second)
        ]
        later = [second, *begin][:MOST_REFERENCES]
        paths[distance] = {
            "through": [first.described()],
            "operator": middle,
            "then": [reference.described() for reference in later],
        }
    return paths


def _step(reference: Reference, loops: Sequence[int]) -> Distance | None:
    """How far an operand is away, None if its coordinates are not its reader's."""
    if reference.loops != tuple(range(len(loops))):
        return None
    return tuple(reference.offsets[loop] for loop in loops)


def _begins(reference: Reference, straight: Reference) -> bool:
    """Whether an input is read where the other operand would be, along fewer loops."""
    pairs = list(zip(reference.loops, reference.offsets, strict=True))
    return any(loop != NO_LOOP for loop, _ in pairs) and all(
        loop == NO_LOOP or offset == straight.offsets[loop] for loop, offset in pairs
    )


@bound_method
@thinned
def uniform(game: Game, budget: Budget) -> Bound:
    """Lower bound for one-shot plays of a program, by windows of updates at constant distances.

    Points that a set of lattice points reads outside of itself, and those read outside of it, are
    found layer by layer (`proofs.lemmas.isoperimetry.corner_layers`); the points of `dag.origin`
    tell which distances there are. Statements that take turns in a loop over time are layers of
    their own. `proofs.lemmas.loops.uniform` has the proof.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If values may be computed again, or no assignment reads another at constant distances.

    Examples
    --------
    >>> from dags import load
    >>> uniform(load("polybench/jacobi-1d:TSTEPS=24,N=66"), 8).io > 798
    True
    """
    require_one_shot("uniform", game.rules)
    dag = game.dag
    if dag.origin is None:
        raise NotApplicableError(f"{dag!r} has no points of a program")
    known = [*known_lattices(dag), *bordered_lattices(dag)]
    if not known:
        raise NotApplicableError(f"{dag!r} has no values that are read at constant distances")
    best = compulsory_bound("uniform", game)
    for description, boundary in known:
        moves, cuts = best_cuts(boundary, 2 * game.red, budget)
        if (io := game.compulsory + game.word * moves) > best.io:
            certificate = Certificate("uniform", {**description, "cuts": cuts})
            best = Bound("uniform", game.memory, io, game.rules, certificate)
    return best


def known_lattices(dag: CDAG) -> Found:
    """The lattices without end that hold for a DAG."""
    return _kept(_known, dag, _descriptions)


def bordered_lattices(dag: CDAG) -> Found:
    """The lattices with ends that hold for a DAG: of stars and boxes."""
    return _kept(_bordered, dag, _with_ends)


def _kept(
    known: WeakKeyDictionary[CDAG, tuple[Origin | None, Found]],
    dag: CDAG,
    descriptions: Callable[[CDAG, Origin], Iterator[Description]],
) -> Found:
    """The descriptions that hold, found once for each DAG."""
    origin, found = known.get(dag, (None, []))
    if origin is not None and origin is dag.origin:
        return found
    found = []
    assert dag.origin is not None
    for description in descriptions(dag, dag.origin):
        try:
            found.append((description, premises(dag, **description)))
        except CertificateError:
            continue
    known[dag] = dag.origin, found
    return found


def _with_ends(dag: CDAG, origin: Origin) -> Iterator[Description]:
    """Yield the lattices of stars and boxes, ending along all axes or all but the longest ones."""
    for description in _descriptions(dag, origin):
        distances, statements = description["distances"], description["statements"]
        near = _neighbourhood(distances)
        if near:
            chosen = [distances.index(step) for step in near]
            read = [
                {**statement, "slots": [statement["slots"][i] for i in chosen]}
                for statement in statements
            ]
            axes = range(1, len(near[0]))
            longest = sorted(axes, key=lambda axis: -_extent(origin, statements, axis))
            for endless in range(len(longest)):
                ends = sorted(longest[endless:])
                yield {"distances": near, "statements": read, "ends": ends}


def _neighbourhood(distances: list[list[int]]) -> list[list[int]]:
    """The box or else the star one step back that is among the distances, if any."""
    steps = list(product((-1, 0, 1), repeat=len(distances[0]) - 1))
    for limit in (len(steps[0]), 1):
        near = [[-1, *step] for step in steps if sum(map(abs, step)) <= limit]
        if all(step in distances for step in near):
            return near
    return []


def _extent(origin: Origin, statements: list[Description], axis: int) -> int:
    """The range of a coordinate of the updates."""
    loops = [(statement["operator"], statement["loops"][axis]) for statement in statements]
    coordinates = [origin.points[origin.made_by == operator, loop] for operator, loop in loops]
    return max(int(np.ptp(coordinate)) if coordinate.size else 0 for coordinate in coordinates)


def _descriptions(dag: CDAG, origin: Origin) -> Iterator[Description]:
    """Yield lattices: operators that take turns along a loop, or one, which is read by itself."""
    references = {
        operator: [
            reference for slot in slots_of(dag, origin, operator) for reference in slot.references
        ]
        for operator, operator_record in enumerate(origin.operators)
        if len(operator_record.variables) in REACH
    }
    for group in _groups(origin, references):
        depth = len(origin.operators[group[0]].variables)
        for first in range(depth):
            loops = [first, *(loop for loop in range(depth) if loop != first)]
            slots = [_slots(group, operator, loops, references[operator]) for operator in group]
            distances = sorted(set.intersection(*map(set, slots)))[:MOST_DISTANCES]
            if any(distance[0] == -1 for distance in distances) and len(distances) > 1:
                yield _description(group, loops, slots, distances)
            if len(group) == 1 and np.linalg.matrix_rank(_matrix(distances, depth)) < depth:
                for paths in path_sets(group[0], loops, references, distances):
                    yield _by_paths(group[0], loops, slots[0], paths)


def _groups(origin: Origin, references: dict[int, list[Reference]]) -> Iterator[list[int]]:
    """Yield operators that read each other in turn, and each alone."""
    for operator in references:
        operator_record = origin.operators[operator]
        turns = [
            reference
            for reference in references
            if origin.operators[reference].loops[:1] == operator_record.loops[:1]
            and len(origin.operators[reference].variables) == len(operator_record.variables)
        ]
        yield [operator]
        if 1 < len(turns) <= MOST_STATEMENTS and turns[0] == operator:
            yield turns


def _slots(group: list[int], operator: int, loops: list[int], references: list[Reference]) -> Slots:
    """The operands of an operator at each distance, inputs and others where lines begin too.

    Parameters
    ----------
    group, operator
        The operators, and which of them.
    loops
        The coordinates of points.
    references
        All that it reads.
    """
    slots: Slots = {}
    straight = tuple(range(len(loops)))
    for reference in references:
        if reference.made_by in group and reference.loops == straight:
            turn = group.index(reference.made_by) - group.index(operator)
            offsets = [reference.offsets[loop] for loop in loops]
            distance = (offsets[0] * len(group) + turn, *offsets[1:])
            if any(distance) and distance[0] in (-1, 0) and max(map(abs, distance)) <= FARTHEST:
                slots.setdefault(distance, []).append(reference)
    slots |= {
        centre: [operand] for centre, operand in _centres(slots, loops) if centre not in slots
    }
    for distance, members in slots.items():
        begin = [
            reference
            for reference in references
            if reference.made_by not in group and _is_at(reference, loops, distance)
        ]
        members += begin[: MOST_REFERENCES - len(members)]
    return slots


def _centres(slots: Slots, loops: list[int]) -> Iterator[tuple[Distance, Reference]]:
    """Yield operands amid two others: read too, perhaps, but taken for something else.

    A program whose outer loop has two rounds reads there values of the first.

    Parameters
    ----------
    slots
        The operands at each distance.
    loops
        The coordinates of points.
    """
    for distance, (reference, *_) in slots.items():
        for axis in range(1, len(distance)):
            opposite = (*distance[:axis], -distance[axis], *distance[axis + 1 :])
            if distance[axis] == 1 and opposite in slots:
                offsets = list(reference.offsets)
                offsets[loops[axis]] -= 1
                centre = (*distance[:axis], 0, *distance[axis + 1 :])
                yield centre, replace(reference, offsets=tuple(offsets))


def _is_at(reference: Reference, loops: list[int], distance: Distance) -> bool:
    """Whether a value of another maker is as far away, but along loops it does not know."""
    steps = dict(zip(loops, distance, strict=True))
    pairs = zip(reference.loops, reference.offsets, strict=True)
    return any(loop in loops for loop in reference.loops) and all(
        offset == steps[loop] for loop, offset in pairs if loop in loops[1:]
    )


def _matrix(distances: list[Distance], depth: int) -> Int64Array:
    """(k, d) distances."""
    return np.array(distances, np.int64).reshape(-1, depth)


def _by_paths(
    operator: int, loops: list[int], slots: Slots, paths: dict[Distance, Path]
) -> Description:
    """The arguments of `premises` where values are read by way of others."""
    distances = sorted({*slots, *paths})
    read = {
        distance: [member.described() for member in members] for distance, members in slots.items()
    }
    entries = [paths.get(distance, read.get(distance)) for distance in distances]
    statement = {"operator": operator, "loops": loops, "factor": 1, "shift": 0, "slots": entries}
    return {"distances": [list(distance) for distance in distances], "statements": [statement]}


def _description(
    group: list[int], loops: list[int], slots: list[Slots], distances: list[Distance]
) -> Description:
    """The arguments of `premises`."""
    return {
        "distances": [list(distance) for distance in distances],
        "statements": [
            {
                "operator": operator,
                "loops": loops,
                "factor": len(group),
                "shift": turn,
                "slots": [
                    [reference.described() for reference in read[distance]]
                    for distance in distances
                ],
            }
            for turn, (operator, read) in enumerate(zip(group, slots, strict=True))
        ],
    }
