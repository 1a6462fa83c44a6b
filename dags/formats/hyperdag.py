"""HyperDAG v1 text, as the HyperDAG_DB collection and OneStopParallel write it.

``%`` starts a comment, on a line of its own or after numbers. The other lines are ``M N P``, then
M hyperedges, N vertices and P pins:

- a hyperedge is ``id``, ``id weight`` or ``id communication memory``: the weight, or the memory,
  is the size in words of the value that it carries;
- a vertex is ``id``, ``id work`` or ``id work type``. Four and more numbers are how the
  coarse-grained files of the collection name the *types* of an operation, none of them a weight:
  such a file gives no work;
- a pin is ``hyperedge vertex``. The first pin of a hyperedge is the vertex that computes its
  value, the others are those that read it.

Where one vertex has several hyperedges they are one value, of the largest size among them. A
vertex without a hyperedge has one word. All lines of a kind have equally many numbers.

Source
------
P. A. Papp, G. Anegg, A. N. Yzelman, DAG scheduling in the BSP model, 2023, and the repository
Algebraic-Programming/HyperDAG_DB.
"""

from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from dags.arrays import Int64Array
from dags.cdag.construct import from_edges
from dags.cdag.value import CDAG
from dags.errors import FormatError
from dags.formats.number_lines import NumberLines, number_lines
from dags.formats.text import read_text, write_lines

WEIGHTED_COLUMNS: Final = 3  # most numbers on a hyperedge line
TYPED_COLUMNS: Final = 4  # fewest numbers on a vertex line that are types


def read(path: Path) -> CDAG:
    """The DAG of a hyperDAG file; its words and work where the file gives them.

    Raises
    ------
    FormatError
        If the file does not follow the format.
    InvalidDAGError
        If its hyperedges form a cycle, or a size is below 1.
    """
    lines = number_lines(path, read_text(path))
    hyperedges, vertices, pins = lines.header("hyperedges vertices pins")
    lines.require_rows(
        hyperedges + vertices + pins,
        f"{hyperedges} hyperedges, {vertices} vertices and {pins} pins",
    )
    first_vertex, first_pin = 1 + hyperedges, 1 + hyperedges + vertices
    edge_rows = _described(lines, 1, first_vertex, "hyperedge")
    vertex_rows = _described(lines, first_vertex, first_pin, "vertex")
    pin_rows = lines.integers(first_pin, first_pin + pins, "pin", 2)
    lines.require_known(first_pin, pin_rows[:, 0], range(hyperedges), "hyperedge")
    lines.require_known(first_pin, pin_rows[:, 1], range(vertices), "vertex")
    source, edges = _sources_and_edges(path, pin_rows, hyperedges)
    words = work = None
    if edge_rows.shape[1] > 1:
        words = _words(vertices, source, edge_rows[:, -1])
    if 1 < vertex_rows.shape[1] < TYPED_COLUMNS:
        work = vertex_rows[:, 1]
    return from_edges(vertices, edges, words=words, work=work)


def write(dag: CDAG, path: Path) -> None:
    """Write `dag` as hyperDAG v1; labels, channels and outputs besides the sinks are lost.

    A value of more than one word without readers gets a hyperedge of one pin.
    """
    indptr, successors = dag.successors
    sources = np.flatnonzero((dag.outdegree > 0) | (dag.sizes != 1))
    counts = 1 + np.diff(indptr)[sources]
    hyperedge = np.repeat(np.arange(sources.size), counts)
    vertex = np.empty(hyperedge.size, np.int64)
    is_first = np.zeros(hyperedge.size, bool)
    is_first[np.cumsum(counts) - counts] = True
    vertex[is_first] = sources
    vertex[~is_first] = successors
    work = ("" if dag.work is None else f" {operations}" for operations in _each(dag.work, dag.n))
    header = ["% hyperDAG v1: hyperedges (id words), vertices (id work), pins (hyperedge vertex)"]
    write_lines(
        path,
        chain(
            header,
            [f"{sources.size} {dag.n} {hyperedge.size}"],
            map("{} {}".format, range(sources.size), dag.sizes[sources].tolist()),
            map("{}{}".format, range(dag.n), work),
            map("{} {}".format, hyperedge.tolist(), vertex.tolist()),
        ),
    )


def _each(work: Int64Array | None, n: int) -> list[int]:
    return [0] * n if work is None else work.tolist()


def _described(lines: NumberLines, start: int, stop: int, kind: str) -> Int64Array:
    """Return lines start..stop-1 in the order of their ids, of which each of 0.. occurs once."""
    width = lines.width(start) if start < stop else 1
    if kind == "hyperedge" and width > WEIGHTED_COLUMNS:
        raise lines.error(start, f"a hyperedge line has 1 to 3 numbers, not {width}")
    rows = lines.integers(start, stop, kind, width)
    ids = rows[:, 0]
    lines.require_known(start, ids, range(ids.size), kind)
    order = np.argsort(ids, kind="stable")
    twice = np.flatnonzero(np.diff(ids[order]) == 0)
    if twice.size:
        second = int(order[twice[0] + 1])
        raise lines.error(start + second, f"{kind} {ids[second]} is described twice")
    return rows[order]


def _sources_and_edges(
    path: Path, pins: Int64Array, hyperedges: int
) -> tuple[Int64Array, Int64Array]:
    """The vertex of the first pin of each hyperedge, and (operand, result) of the others."""
    present, first = np.unique(pins[:, 0], return_index=True)
    if present.size < hyperedges:
        bare = int(np.setdiff1d(np.arange(hyperedges), present)[0])
        raise FormatError(path, f"hyperedge {bare} has no pin, so that nothing computes it")
    source: Int64Array = pins[first, 1]
    is_first = np.zeros(len(pins), bool)
    is_first[first] = True
    readers = pins[~is_first]
    return source, np.column_stack((source[readers[:, 0]], readers[:, 1]))


def _words(vertices: int, source: Int64Array, weight: Int64Array) -> Int64Array:
    words = np.full(vertices, np.iinfo(np.int64).min)
    np.maximum.at(words, source, weight)
    is_source = np.zeros(vertices, bool)
    is_source[source] = True
    words[~is_source] = 1
    return words
