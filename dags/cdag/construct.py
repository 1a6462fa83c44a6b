"""A CDAG from edges in any numbering, its other numberings, and its vertices by name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import _kernels
from dags.arguments import checked
from dags.arrays import (
    MAX_VERTICES,
    Int32Array,
    Int64Array,
    lock,
    number_type,
    numbers_where,
    require_length,
)
from dags.cdag.border import Label, output_numbers
from dags.cdag.origin import Origin
from dags.cdag.rows import successor_rows
from dags.cdag.value import CDAG
from dags.errors import InvalidDAGError, did_you_mean, one_line, shown


@checked
def from_edges(
    n: int,
    edges: npt.ArrayLike,
    *,
    words: npt.ArrayLike | None = None,
    work: npt.ArrayLike | None = None,
    outputs: npt.ArrayLike | None = None,
    channel: npt.ArrayLike | None = None,
    labels: Sequence[Label] | None = None,
    in_place: npt.ArrayLike | None = None,
) -> CDAG:
    """The DAG of `n` vertices with the given edges.

    A numbering that is topological already is kept. Otherwise vertices get the numbers of the
    lexicographically smallest topological order, and their old numbers (or `labels`) stay as
    labels. An edge that is given twice counts once: an operand used twice is one value.

    Parameters
    ----------
    n
        Number of vertices; edges name them 0..n-1.
    edges
        (m, 2) pairs (operand, result).
    words, work, channel, labels, in_place
        As in `CDAG`, by old number.
    outputs
        Old numbers of the outputs besides the sinks.

    Raises
    ------
    InvalidDAGError
        For no vertex, an index outside 0..n-1, an edge from a vertex to itself, or a cycle
        (one is named).

    Examples
    --------
    >>> dag = from_edges(3, [(2, 1), (1, 0)])
    >>> dag.labels
    (2, 1, 0)
    """
    if not 1 <= n <= MAX_VERTICES:
        raise InvalidDAGError(f"a DAG has 1 to {MAX_VERTICES} vertices, not {n}")
    if labels is not None and len(labels) != n:
        raise InvalidDAGError(f"labels has {len(labels)} entries for {n} vertices")
    source, target = _endpoints(edges)
    for ends in (source, target):
        if ends.size and (ends.min() < 0 or ends.max() >= n):
            wrong = ends[(ends < 0) | (ends >= n)][0]
            raise InvalidDAGError(f"an edge names vertex {wrong}, outside 0..{n - 1}")
    loops = np.flatnonzero(source == target)
    if loops.size:
        raise InvalidDAGError(f"vertex {_called(source[loops[0]], labels)} has an edge to itself")
    indptr, indices = _csr(n, source, target)
    fields: dict[str, Any] = {
        "words": words,
        "work": work,
        "channel": channel,
        "in_place": in_place,
        "outputs": outputs,
    }
    if (source < target).all():
        return CDAG(indptr, indices, labels=labels, **fields)
    order = _topological_order(n, indptr, indices, labels)
    moved = [labels[v] if labels is not None else v for v in order.tolist()]
    return _renumbered(n, indptr, indices, order, fields, moved)


def renumber(dag: CDAG, order: npt.ArrayLike, *, keep_names: bool = True) -> CDAG:
    """`dag` with vertex ``order[i]`` called i.

    A DAG numbered in the order in which it is played is read front to back, as caches like it:
    replaying is up to ten times faster than under a scattered numbering.

    Parameters
    ----------
    dag
        The computation.
    order
        (n,) all vertices, operands before results.
    keep_names
        Whether old names stay as labels, which takes a Python object a vertex.

    Raises
    ------
    InvalidDAGError
        If `order` is no permutation of the vertices or not topological.
    """
    permutation = np.asarray(order, np.int32)
    if not np.array_equal(np.sort(permutation), np.arange(dag.n)):
        raise InvalidDAGError(f"order is no permutation of the {dag.n} vertices")
    fields = {
        "words": dag.words,
        "work": dag.uniform_work if dag.uniform_work is not None else dag.work,
        "channel": dag.channel,
        "in_place": dag.in_place,
        "outputs": dag.outputs,
    }
    old = dag.labels if dag.labels is not None else range(dag.n)
    labels = [old[v] for v in permutation.tolist()] if keep_names else None
    moved = _renumbered(dag.n, dag.pred_indptr, dag.pred_indices, permutation, fields, labels)
    demands = None if dag.demands is None else dag.demands.moved(permutation)
    return moved.with_word_bytes(dag.word_bytes).with_demands(demands)


def with_origin(dag: CDAG, origin: Origin) -> CDAG:
    """`dag` with the program that it comes from; labels are then those of the program."""
    return CDAG(
        dag.pred_indptr,
        dag.pred_indices,
        words=dag.words,
        work=dag.uniform_work if dag.uniform_work is not None else dag.work,
        outputs=dag.outputs,
        channel=dag.channel,
        family=dag.family,
        params=dag.params,
        origin=origin,
        word_bytes=dag.word_bytes,
        in_place=dag.in_place,
        demands=dag.demands,
    )


def _renumbered(
    n: int,
    indptr: Int64Array,
    indices: Int32Array,
    order: Int32Array,
    fields: Mapping[str, Any],
    labels: Sequence[Label] | None,
) -> CDAG:
    position = np.empty(n, np.int32)
    position[order] = np.arange(n, dtype=np.int32)
    new_indptr = np.zeros(n + 1, np.int64)
    new_indices = np.empty(indices.size, np.int32)
    bad = _kernels.renumber_rows(indptr, indices, order, position, new_indptr, new_indices)
    if bad >= 0:
        raise InvalidDAGError(f"order places vertex {order[bad]} before one of its predecessors")
    moved: dict[str, Any] = {
        name: fields[name] if isinstance(fields[name], int) else _moved(fields[name], order, name)
        for name in ("words", "work", "channel", "in_place")
    }
    outputs = fields["outputs"]
    return CDAG(
        lock(new_indptr),
        lock(new_indices),
        **moved,
        outputs=None if outputs is None else position[output_numbers(outputs, n)],
        labels=labels,
    )


def _moved(values: npt.ArrayLike | None, order: Int32Array, name: str) -> npt.ArrayLike | None:
    """`values`, one a vertex, in the new order."""
    if values is None:
        return None
    array = np.asarray(values)
    require_length(array, order.size, name)
    return array[order]


def _endpoints(edges: npt.ArrayLike) -> tuple[Int64Array, Int64Array]:
    pairs = np.asarray(edges)
    if pairs.size == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise InvalidDAGError(f"edges must be (m, 2) integers, not {pairs.shape} {pairs.dtype}")
    return pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)


def _csr(n: int, source: Int64Array, target: Int64Array) -> tuple[Int64Array, Int32Array]:
    """Predecessor CSR with rising rows and no repeats."""
    keys = np.unique(target * n + source)
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(keys // n, minlength=n), out=indptr[1:])
    return lock(indptr), lock((keys % n).astype(np.int32))


def _topological_order(
    n: int, indptr: Int64Array, indices: Int32Array, labels: Sequence[Label] | None
) -> Int32Array:
    """Return the smallest topological order, or raise naming a cycle."""
    left = np.diff(indptr)
    order = np.empty(n, np.int32)
    placed = _kernels.smallest_first_order(*successor_rows(indptr, indices), left, order)
    if placed < n:
        cycle = _find_cycle(indptr, indices, left)
        shown = " -> ".join(_called(v, labels) for v in [*cycle[:8], cycle[0]])
        raise InvalidDAGError(
            f"the graph has a cycle of {len(cycle)} vertices: {shown}"
            if len(cycle) <= 8
            else f"the graph has a cycle of {len(cycle)} vertices, among them {shown}"
        )
    return order


def _find_cycle(indptr: Int64Array, indices: Int32Array, left: Int64Array) -> list[int]:
    """A cycle among the vertices that could not be placed (left > 0), in edge order."""
    v = int(np.flatnonzero(left)[0])
    seen: dict[int, int] = {}
    walk: list[int] = []
    while v not in seen:
        seen[v] = len(walk)
        walk.append(v)
        row = indices[indptr[v] : indptr[v + 1]]
        v = int(row[left[row] > 0][0])  # an unplaced vertex has an unplaced predecessor
    return walk[seen[v] :][::-1]


def _called(vertex: int, labels: Sequence[Label] | None) -> str:
    return one_line(labels[vertex] if labels is not None else vertex, 40)


def post_order(
    dag: CDAG, *, operands: Int32Array | None = None, with_inputs: bool = True
) -> Int32Array:
    """The vertices in depth-first post-order: each sink's ancestors just before it.

    Parameters
    ----------
    dag
        The computation.
    operands
        (m,) its predecessor rows, each in the order in which operands are visited; None for
        rising order.
    with_inputs
        Whether inputs, each before its first reader, are among the vertices; otherwise only
        computed vertices are.

    Returns
    -------
    Int32Array
        (n,) all vertices or (N,) the computed ones, operands before results; locked.

    Examples
    --------
    >>> from dags import tree
    >>> post_order(tree(2)).tolist()
    [0, 1, 4, 2, 3, 5, 6]
    >>> post_order(tree(2), with_inputs=False).tolist()
    [4, 5, 6]
    """
    rows = dag.pred_indices if operands is None else operands
    is_root = ~dag.is_read if with_inputs else dag.is_computed & ~dag.is_read
    order = np.empty(dag.n if with_inputs else dag.n - dag.inputs.size, np.int32)
    cursor = dag.pred_indptr[:-1].astype(number_type(dag.m))
    roots = lock(numbers_where(is_root))
    _kernels.post_order(dag.pred_indptr, rows, roots, with_inputs, cursor, order)
    return lock(order)


def vertices_named(dag: CDAG, names: Sequence[Label]) -> Int32Array:
    """(k,) the vertices that are called `names`: by their labels, where the DAG has any.

    A label that is a number may be given as text. Vertices without labels are called by their
    numbers.

    Raises
    ------
    InvalidDAGError
        For the first name that no vertex has.

    Examples
    --------
    >>> from dags import from_edges
    >>> dag = from_edges(3, [(0, 1), (1, 2)], labels=["x", "y", "z"])
    >>> vertices_named(dag, ["z", "x"]).tolist()
    [2, 0]
    """
    labels: Sequence[Label] = range(dag.n) if dag.labels is None else dag.labels
    by_text = {str(label): vertex for vertex, label in enumerate(labels)}
    by_label = {label: vertex for vertex, label in enumerate(labels)}
    vertices = np.empty(len(names), np.int32)
    for place, name in enumerate(names):
        vertex = by_label.get(name, by_text.get(str(name)))
        if vertex is None:
            hint = did_you_mean(str(name), by_text)
            raise InvalidDAGError(f"no vertex is called {shown(name)}{hint}")
        vertices[place] = vertex
    return lock(vertices)


def written_names(dag: CDAG) -> list[str] | None:
    """(n,) labels as text, each of which names its vertex; None where they do not."""
    if dag.labels is None:
        return None
    texts = [str(label) for label in dag.labels]
    return texts if len(set(texts)) == dag.n else None
