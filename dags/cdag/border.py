"""Checks of sizes and arrays; each raises an error that names the number or the place."""

import os
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from dags import _kernels
from dags.arrays import (
    MAX_TOTAL,
    MAX_VERTICES,
    Int32Array,
    Int64Array,
    exact_sum,
    lock,
    locked,
    require_length,
)
from dags.cdag.demands import Demands
from dags.cdag.origin import Origin
from dags.errors import InvalidDAGError, InvalidSpecError, shown

MAX_EDGES: Final = 2**59  # their numbers, doubled, count bytes in 64 bits


def require_at_least(minimum: int, **parameters: int) -> None:
    """Raise InvalidSpecError for the first of `parameters` that is below `minimum`."""
    for name, value in parameters.items():
        if value < minimum:
            raise InvalidSpecError(f"{name} must be at least {minimum}, not {value}")


def require_below(limit: int, **parameters: int) -> None:
    """Raise InvalidSpecError for the first of `parameters` that is not below `limit`."""
    for name, value in parameters.items():
        if value >= limit:
            raise InvalidSpecError(f"{name} must be below {limit}, not {value}")


def require_room(vertices: int, edges: int) -> None:
    """Raise InvalidSpecError if a DAG of this size cannot be held.

    A vertex takes 8 bytes of row pointer, an edge 4; building needs about as much again.
    """
    if edges > MAX_EDGES or vertices > MAX_VERTICES:
        # not the number itself: Python refuses to show one of thousands of digits
        raise InvalidSpecError(
            f"a DAG has at most {MAX_VERTICES} vertices and {MAX_EDGES} edges; this would have more"
        )
    needed = 2 * (8 * vertices + 4 * edges)
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > physical:
        raise InvalidSpecError(
            f"{vertices} vertices and {edges} edges take {needed >> 30} GiB to build; "
            f"this machine has {physical >> 30}"
        )


Label = str | int


def check_structure(indptr: Int64Array, indices: Int32Array) -> None:
    """Raise InvalidDAGError unless the two arrays are the predecessor CSR of a DAG."""
    n = indptr.size - 1
    if n < 1:
        raise InvalidDAGError("the graph is empty: a DAG has at least one vertex")
    if n > MAX_VERTICES:
        raise InvalidDAGError(f"{n} vertices are more than {MAX_VERTICES}")
    if indptr[0] != 0 or indptr[-1] != indices.size:
        raise InvalidDAGError(
            f"pred_indptr must run from 0 to {indices.size}, not from {indptr[0]} to {indptr[-1]}"
        )
    status, vertex, pred = _kernels.check_rows(indptr, indices)
    if status == _kernels.POINTER_FALLS:
        raise InvalidDAGError(f"pred_indptr falls at vertex {int(np.diff(indptr).argmin())}")
    if status == _kernels.PRED_OUT_OF_RANGE:
        raise InvalidDAGError(f"vertex {vertex} has predecessor {pred}, outside 0..{n - 1}")
    if status == _kernels.PRED_NOT_SMALLER and pred == vertex:
        raise InvalidDAGError(f"vertex {vertex} has an edge to itself")
    if status == _kernels.PRED_NOT_SMALLER:
        raise InvalidDAGError(
            f"vertex {vertex} has predecessor {pred}, which is not smaller: "
            "number the vertices in a topological order, or let from_edges do it"
        )
    if status == _kernels.PRED_TWICE:
        raise InvalidDAGError(f"vertex {vertex} has predecessor {pred} twice")
    if status == _kernels.ROW_NOT_RISING:
        raise InvalidDAGError(f"the predecessors of vertex {vertex} do not rise")


def value_sizes(
    words: npt.ArrayLike | None, outdegree: Int64Array, labels: Sequence[Label] | None
) -> Int64Array | None:
    """Validated sizes, None where all of them are one word.

    Parameters
    ----------
    words
        (n,) words of each value, or None.
    outdegree
        (n,) readers of each value: with them, no count of words can overflow.
    labels
        Names of the vertices in messages.
    """
    if words is None:
        return None
    sizes: Int64Array = locked(words, np.int64, "words")
    require_length(sizes, outdegree.size, "words")
    if sizes.min() < 1:
        vertex = int(sizes.argmin())
        raise InvalidDAGError(
            f"vertex {vertex_name(vertex, labels)} has size {sizes[vertex]}: at least 1 word"
        )
    traffic = sizes * (outdegree + 2.0)
    if traffic.sum() > MAX_TOTAL:  # so that a play that reloads every operand can be counted
        vertex = int(traffic.argmax())
        raise InvalidDAGError(
            f"vertex {vertex_name(vertex, labels)} has size {sizes[vertex]}: "
            f"words moved could exceed {MAX_TOTAL}"
        )
    return None if sizes.max() == 1 else sizes


def operations(
    work: npt.ArrayLike | int | None, n: int, labels: Sequence[Label] | None
) -> Int64Array | int | None:
    """Validated operations: of each vertex, or the same number for all computed ones.

    Parameters
    ----------
    work
        (n,) operations, one number for all computed vertices, or None.
    n
        Number of vertices.
    labels
        Names of the vertices in messages.
    """
    if work is None:
        return None
    if isinstance(work, int):
        if not 0 <= work < 2**31:
            raise InvalidDAGError(f"work must be in 0..{2**31 - 1}, not {work}")
        return work
    counts: Int64Array = locked(work, np.int64, "work")
    require_length(counts, n, "work")
    if counts.min() < 0:
        vertex = int(counts.argmin())
        raise InvalidDAGError(
            f"vertex {vertex_name(vertex, labels)} has work {counts[vertex]}: at least 0"
        )
    if exact_sum(counts) > MAX_TOTAL:
        vertex = int(counts.argmax())
        raise InvalidDAGError(
            f"vertex {vertex_name(vertex, labels)} has work {counts[vertex]}: "
            f"operations of all vertices exceed {MAX_TOTAL}"
        )
    return counts


def channel_tags(channel: npt.ArrayLike | None, n: int) -> npt.NDArray[np.uint8] | None:
    """Validated channel tags."""
    if channel is None:
        return None
    tags = locked(channel, np.uint8, "channel")
    require_length(tags, n, "channel")
    return tags


def in_place_marks(
    marks: npt.ArrayLike,
    rows: tuple[Int64Array, Int32Array, Int64Array],
    labels: Sequence[Label] | None,
) -> npt.NDArray[np.bool_]:
    """Validated marks of the values that may take the place of an operand of their size.

    Parameters
    ----------
    marks
        (n,) whether each may.
    rows
        The predecessor CSR, and the size of each value.
    labels
        Names of the vertices in messages.
    """
    indptr, indices, sizes = rows
    converted = np.asarray(marks)
    if converted.dtype != np.bool_ or converted.ndim != 1:
        raise InvalidDAGError(
            f"in_place must be one row of bool, not {converted.shape} {converted.dtype}"
        )
    require_length(converted, sizes.size, "in_place")
    chosen: npt.NDArray[np.bool_] = lock(converted.copy())
    result = np.repeat(np.arange(sizes.size), np.diff(indptr))
    alike = np.zeros(sizes.size, np.bool_)
    alike[result[sizes[indices] == sizes[result]]] = True
    wrong = np.flatnonzero(chosen & ~alike)
    if wrong.size:
        vertex = int(wrong[0])
        raise InvalidDAGError(
            f"vertex {vertex_name(vertex, labels)} is to be computed in place, and none of its "
            f"{int(indptr[vertex + 1] - indptr[vertex])} operands has its size of {sizes[vertex]}"
        )
    return chosen


def demands_of(demands: Demands | None, n: int) -> Demands | None:
    """Return `demands`, or raise InvalidDAGError if they are of another number of values."""
    if demands is not None and demands.alignment.size != n:
        raise InvalidDAGError(f"demands are on {demands.alignment.size} values, not {n}")
    return demands


def vertex_labels(labels: Sequence[Label] | None, n: int) -> tuple[Label, ...] | None:
    """Validated labels, None where each is its vertex's number."""
    if labels is None:
        return None
    names = tuple(labels)
    if len(names) != n:
        raise InvalidDAGError(f"labels has {len(names)} entries for {n} vertices")
    for label in names:
        if not isinstance(label, str | int):
            raise InvalidDAGError(f"labels must be strings or integers, not {shown(label)}")
    if len(set(names)) < n:
        raise InvalidDAGError("labels must differ: two vertices have the same name")
    return None if names == tuple(range(n)) else names


def output_numbers(named: npt.ArrayLike, n: int) -> Int32Array:
    """Return `named` as vertex numbers, or raise InvalidDAGError where one is not in 0..n-1."""
    outputs: Int32Array = locked(named, np.int32, "outputs")
    wrong = outputs[(outputs < 0) | (outputs >= n)]
    if wrong.size:
        raise InvalidDAGError(f"outputs must be in 0..{n - 1}, not {wrong[0]}")
    return outputs


def vertex_name(vertex: int, labels: Sequence[Label] | None) -> str:
    """How messages call `vertex`: its number, and its label where it has another."""
    label = labels[vertex] if labels is not None else vertex
    return f"{vertex}" if label == vertex else f"{vertex} ({shown(label)})"


def origin_of(origin: Origin | None, n: int) -> Origin | None:
    """Return `origin`, or raise InvalidDAGError if it is that of another number of vertices."""
    if origin is not None and not origin.made_by.size == origin.points.shape[0] == n:
        raise InvalidDAGError(f"origin has {origin.made_by.size} vertices, not {n}")
    return origin
