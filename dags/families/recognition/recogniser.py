"""The family of a DAG of any origin: candidates by counts, isomorphisms verified edge by edge."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags import _kernels as row_kernels
from dags.arrays import Int32Array, lock
from dags.cdag.value import CDAG, Recognised
from dags.errors import InvalidSpecError, RedBlueError
from dags.families import FAMILIES
from dags.families.common.family import facts_of
from dags.families.common.inverse import arguments_of
from dags.families.recognition import _kernels

Colours = npt.NDArray[np.uint64]
SWEEPS = 2  # down and up each: enough to tell apart most vertices of grids and factorizations


def coloured(dag: CDAG, marks: Sequence[npt.NDArray[np.integer[Any]]] = ()) -> Colours:
    """(n,) colours: vertices that an isomorphism can exchange have the same.

    Each is a hash of the vertex's ancestors and descendants, so that vertices of one colour need
    not be exchangeable.

    Parameters
    ----------
    dag
        The DAG.
    marks
        (n,) integers each, which an isomorphism is to keep: sizes, tags.
    """
    colour = np.zeros(dag.n, np.uint64)
    for mark in marks:
        colour *= np.uint64(0x100000001B3)
        colour += mark.astype(np.uint64)
    for _ in range(SWEEPS):
        _kernels.colour_down(dag.pred_indptr, dag.pred_indices, colour)
        digests = np.zeros(dag.n, np.uint64)
        _kernels.colour_up(dag.pred_indptr, dag.pred_indices, colour, digests)
    return colour


TRIES = 4  # pairings of vertices that refining leaves alike; the families here need one


@dataclass(frozen=True, eq=False)
class Coloured:
    """A DAG with colours that an isomorphism keeps.

    Parameters
    ----------
    dag
        The DAG.
    colour
        (n,) colours of its vertices.
    order
        (n,) vertices by rising colour.
    """

    dag: CDAG
    colour: Colours
    order: Int32Array


def by_colour(dag: CDAG, colour: Colours) -> Coloured:
    """`dag` with its vertices in the order of `colour`."""
    return Coloured(dag, colour, lock(np.argsort(colour, kind="stable").astype(np.int32)))


def isomorphism(left: Coloured, right: Coloured) -> Int32Array | None:
    """(n,) the vertices of `left` that are vertices 0..n-1 of `right`; None if not found.

    The edges of `left`, under the new numbers, are those of `right`: that has been compared.
    Where None is returned, there may be an isomorphism still, if many vertices look alike.
    """
    if (left.dag.n, left.dag.m) != (right.dag.n, right.dag.m):
        return None
    if not np.array_equal(left.colour[left.order], right.colour[right.order]):
        return None
    for attempt in range(TRIES):
        order = _paired(left, right, attempt)
        if order is not None and _same_edges(left.dag, right.dag, order):
            return lock(order)
    return None


def _paired(left: Coloured, right: Coloured, attempt: int) -> Int32Array | None:
    """A candidate for the isomorphism."""
    cells, count = _cells(left, right)
    if count < left.dag.n and not _kernels.match(
        _rows(left.dag), _rows(right.dag), cells, count, attempt
    ):
        return None
    order = np.empty(left.dag.n, np.int32)
    order[cells.vertex[1]] = cells.vertex[0]
    return order


def _rows(dag: CDAG) -> _kernels.Adjacency:
    return _kernels.Adjacency(dag.pred_indptr, dag.pred_indices, *dag.successors)


def _cells(left: Coloured, right: Coloured) -> tuple[_kernels.Cells, int]:
    """The cells of equal colour, all of them waiting, and how many there are."""
    n = left.dag.n
    sorted_colours = left.colour[left.order]
    starts = np.flatnonzero(np.concatenate(([True], sorted_colours[1:] != sorted_colours[:-1])))
    first = np.zeros(n, np.int32)
    first[starts] = starts
    np.maximum.accumulate(first, out=first)
    size, queue, queued = np.zeros((3, n), np.int32)
    size[starts] = np.diff(starts, append=n)
    queue[: starts.size], queued[starts] = starts, 1
    vertex = np.stack((left.order, right.order))
    place, cell = np.empty((2, 2, n), np.int32)
    for side in range(2):
        place[side, vertex[side]] = np.arange(n, dtype=np.int32)
        cell[side, vertex[side]] = first
    counts, marked, touched, members = np.zeros((4, 2, n), np.int32)
    degree = max(int(left.dag.indegree.max()), int(left.dag.outdegree.max()))
    return _kernels.Cells(
        vertex=vertex,
        place=place,
        cell=cell,
        size=size,
        counts=counts,
        marked=marked,
        touched=touched,
        members=members,
        ordered=np.empty(n, np.int32),
        buckets=np.zeros((2, degree + 3), np.int32),
        queue=queue,
        queued=queued,
    ), starts.size


def _same_edges(left: CDAG, right: CDAG, order: Int32Array) -> bool:
    """Whether `left`, with vertex order[i] called i, has the edges of `right`."""
    position = np.empty(left.n, np.int32)
    position[order] = np.arange(left.n, dtype=np.int32)
    indptr, indices = np.zeros(left.n + 1, np.int64), np.empty(left.m, np.int32)
    bad = row_kernels.renumber_rows(
        left.pred_indptr, left.pred_indices, order, position, indptr, indices
    )
    same_rows = np.array_equal(indptr, right.pred_indptr)
    return bad < 0 and same_rows and np.array_equal(indices, right.pred_indices)


# Candidates are built until they have had so many times the edges of the DAG, and so many more.
TIMES, EDGES_MORE = 40, 1 << 20
LARGEST: Final = 1 << 26  # edges of a DAG whose family is looked for: some gigabytes
MARKS: Final = ("words", "outputs", "channel")


def recognise(dag: CDAG) -> CDAG:
    """`dag` with its recognised family; itself if of no known family, or very large.

    Numbers, labels and sizes stay as they are; `CDAG.as_generated` is the DAG in the numbering of
    its generator. Sizes of values may be others than the generator's where that gives none, and
    so may be outputs that are the sinks alone, as many formats keep no others.
    """
    if dag.family is not None or dag.recognised is not None or not 0 < dag.m <= LARGEST:
        return dag
    if dag.in_place is not None:  # no generator says what works in place
        return dag
    colours = _Own(dag)
    for family, arguments in _candidates(dag):
        try:
            generated = FAMILIES[family].make(**arguments)
        except RedBlueError:  # counts allow what the generator does not, or it needs more memory
            continue
        recognised = colours.matched(generated, spec_of(family, arguments))
        if recognised is not None:
            return recognised
    return dag


def recognise_as(dag: CDAG, made: CDAG, spec: str) -> CDAG:
    """`dag`, recognised as a DAG that a generator made.

    Parameters
    ----------
    dag
        A DAG of any origin.
    made
        A generator's DAG.
    spec
        Its name.

    Raises
    ------
    InvalidSpecError
        If the two are not equal up to the numbering, or that could not be verified.
    """
    if dag.in_place is not None:
        raise InvalidSpecError(f"the DAG is not {spec}: some of its values are computed in place")
    recognised = _Own(dag).matched(made, spec)
    if recognised is None:
        raise InvalidSpecError(f"the DAG is not {spec}: {_difference(dag, made)}")
    return recognised


def spec_of(family: str, arguments: Mapping[str, Any]) -> str:
    """Return "stencil:shape=4x4,steps=2" for arguments of a generator; those that are None are out.

    Examples
    --------
    >>> spec_of("stencil", {"shape": (4, 4), "steps": 2, "periodic": True})
    'stencil:shape=4x4,steps=2,periodic=true'
    """
    explicit = {name: value for name, value in arguments.items() if value is not None}
    text = ",".join(f"{name}={_written(value)}" for name, value in explicit.items())
    return f"{family}:{text}"


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _candidates(dag: CDAG) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield families, with arguments that give the counts of `dag`; not too many."""
    facts = facts_of(dag)
    left = TIMES * dag.m + EDGES_MORE
    for family, known in FAMILIES.items():
        for arguments in arguments_of(known, facts):
            if left < 0:
                return
            left -= dag.m
            yield family, arguments


class _Own:
    """A DAG that is compared with candidates, coloured once for each set of marks."""

    def __init__(self, dag: CDAG) -> None:
        self.dag = dag
        self.coloured: dict[tuple[str, ...], Coloured] = {}

    def matched(self, generated: CDAG, spec: str) -> CDAG | None:
        """The DAG, recognised as `generated`; None if no isomorphism was found."""
        if not _alike(self.dag, generated):
            return None
        kept = tuple(mark for mark in MARKS if _must_agree(self.dag, generated, mark))
        if kept not in self.coloured:
            self.coloured[kept] = _coloured(self.dag, kept)
        vertex = isomorphism(self.coloured[kept], _coloured(generated, kept))
        if vertex is None or not all(
            np.array_equal(_mark(self.dag, mark)[vertex], _mark(generated, mark)) for mark in kept
        ):
            return None
        return _recognised(self.dag, generated, vertex, spec)


def _alike(left: CDAG, right: CDAG) -> bool:
    """Whether simple counts are the same."""
    return (
        (left.n, left.m) == (right.n, right.m)
        and np.array_equal(_histogram(left.indegree), _histogram(right.indegree))
        and np.array_equal(_histogram(left.outdegree), _histogram(right.outdegree))
    )


def _histogram(degrees: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.bincount(degrees)


def _must_agree(dag: CDAG, generated: CDAG, mark: str) -> bool:
    """Whether the isomorphism must keep sizes, outputs or channels: both DAGs have some."""
    if mark == "outputs":
        return _names_outputs(dag)
    return getattr(dag, mark) is not None and getattr(generated, mark) is not None


def _names_outputs(dag: CDAG) -> bool:
    """Whether outputs are read."""
    return bool(dag.is_read[dag.outputs].any())


def _coloured(dag: CDAG, kept: tuple[str, ...]) -> Coloured:
    return by_colour(dag, coloured(dag, [_mark(dag, mark) for mark in kept]))


def _mark(dag: CDAG, name: str) -> npt.NDArray[Any]:
    """(n,) sizes or channels, or whether a vertex is an output."""
    if name != "outputs":
        return np.asarray(getattr(dag, name))
    marks = np.zeros(dag.n, np.int8)
    marks[dag.outputs] = 1
    return marks


def _recognised(dag: CDAG, generated: CDAG, vertex: Int32Array, spec: str) -> CDAG:
    """`dag` with the DAG that it is under the numbers of `generated`."""
    position = np.empty(dag.n, np.int32)
    position[vertex] = np.arange(dag.n, dtype=np.int32)
    numbered = CDAG(
        generated.pred_indptr,
        generated.pred_indices,
        words=None if dag.words is None else lock(dag.words[vertex]),
        work=_work(dag, generated, vertex),
        outputs=position[dag.outputs],
        channel=None if dag.channel is None else lock(dag.channel[vertex]),
        family=generated.family,
        params=generated.params,
    )
    own_marks = tuple(mark for mark in MARKS if not _same(numbered, generated, mark))
    return dag.recognised_as(Recognised(spec, numbered, vertex, own_marks))


def _work(dag: CDAG, generated: CDAG, vertex: Int32Array) -> npt.NDArray[np.int64] | int | None:
    """Operations by the generator's numbers: its own where `dag` gives none."""
    if dag.uniform_work is not None:
        return dag.uniform_work
    if dag.work is None or not dag.work.any():
        return generated.uniform_work if generated.uniform_work is not None else generated.work
    return lock(dag.work[vertex])


def _same(left: CDAG, right: CDAG, mark: str) -> bool:
    ours, theirs = getattr(left, mark), getattr(right, mark)
    return ours is theirs or (
        ours is not None and theirs is not None and np.array_equal(ours, theirs)
    )


def _difference(dag: CDAG, generated: CDAG) -> str:
    """How two DAGs differ that are not the same up to the numbering."""
    for kind in ("vertices", "edges", "inputs"):
        ours, theirs = (_count(graph, kind) for graph in (dag, generated))
        if ours != theirs:
            return f"it has {ours} {kind}, not {theirs}"
    if not _alike(dag, generated):
        return "its vertices have other numbers of operands and readers"
    return "no renumbering makes one of the other"


def _count(dag: CDAG, kind: str) -> int:
    return {"vertices": dag.n, "edges": dag.m, "inputs": dag.inputs.size}[kind]
