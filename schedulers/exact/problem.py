"""What the exact searches work on: a small DAG as sets of bits, its twins side by side."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG, RedBlueError
from dags.arrays import Int64Array, lock
from pebble import ONE_SHOT, Rules

Row = tuple[tuple[int, ...], tuple[int, ...]]  # operands and readers
Masks = npt.NDArray[np.uint64]
MOST = 64  # bits of a word


class TooLargeError(RedBlueError, ValueError):
    """The DAG has more vertices than an exact search can keep as bits."""


@dataclass(frozen=True)
class Problem:
    """A game on sets of bits.

    Computed vertices are numbered 0..c-1 and values that somebody reads 0..r-1; the two are
    numbered apart, so that a DAG of 80 vertices may fit where each has no more than 64. Values
    with the same operands, readers and words (twins) have neighbouring numbers.

    Parameters
    ----------
    rules, memory
        The game, and the words of fast memory.
    computed, read
        (c,) and (r,) the vertices in the DAG, inputs that nobody reads left out.
    operands
        (c,) sets of values that each computed vertex reads.
    before
        (c,) sets of computed vertices among the operands.
    value
        (c,) number of each computed vertex among the values, -1 if nobody reads it.
    readers
        (r,) sets of computed vertices that read each value.
    words, sizes
        (c,) and (r,) words.
    inputs
        Set of the values that begin in slow memory.
    outputs
        Set of the computed vertices that must end in slow memory.
    costly
        Set of the values that take a store and a load if they leave and come back: not inputs,
        which are in slow memory, nor outputs, which are stored in any case.
    fresh
        Set of the values that come from nowhere, once and free: sources that are no inputs.
    compulsory
        Words that every play moves: inputs that are read, and outputs.
    """

    rules: Rules
    memory: int
    computed: Int64Array
    read: Int64Array
    operands: Masks
    before: Masks
    value: Int64Array
    readers: Masks
    words: Int64Array
    sizes: Int64Array
    inputs: int
    outputs: int
    costly: int
    fresh: int
    compulsory: int


def problem(
    dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, free_sources: bool = False
) -> Problem:
    """Return the game on `dag`.

    Parameters
    ----------
    dag, memory, rules
        The game.
    free_sources
        Whether sources come from nowhere, once and free, and nothing must end in slow memory: what
        this costs is what a part of a larger DAG adds to its cost, at the least.

    Raises
    ------
    TooLargeError
        If it has more than 64 computed vertices, or more than 64 values that are read.
    """
    read = np.flatnonzero(dag.outdegree > 0)
    computed = dag.computed.astype(np.int64)
    for what, vertices in (("computed vertices", computed), ("values that are read", read)):
        if vertices.size > MOST:
            raise TooLargeError(f"exact search is for up to {MOST} {what}, not {vertices.size}")
    rows = _rows(dag)
    outputs = [] if free_sources else dag.outputs.tolist()
    read = np.array(sorted(read.tolist(), key=_twins_together(dag, rows, outputs)), np.int64)
    place_read = {v: i for i, v in enumerate(read.tolist())}
    place_computed = {v: i for i, v in enumerate(computed.tolist())}
    costly = [v for v in read.tolist() if v not in outputs and (dag.indegree[v] or free_sources)]
    fresh = [v for v in read.tolist() if free_sources and not dag.indegree[v]]
    paid = [] if free_sources else [*dag.used_inputs.tolist(), *outputs]
    return Problem(
        rules=rules,
        memory=memory,
        computed=lock(computed),
        read=lock(read),
        operands=_masks([rows[v][0] for v in computed.tolist()], place_read),
        before=_masks([rows[v][0] for v in computed.tolist()], place_computed),
        value=lock(np.array([place_read.get(v, -1) for v in computed.tolist()], np.int64)),
        readers=_masks([rows[v][1] for v in read.tolist()], place_computed),
        words=lock(dag.sizes[computed].astype(np.int64)),
        sizes=lock(dag.sizes[read].astype(np.int64)),
        inputs=0 if free_sources else _mask(dag.used_inputs.tolist(), place_read),
        outputs=_mask(outputs, place_computed),
        costly=_mask(costly, place_read),
        fresh=_mask(fresh, place_read),
        compulsory=int(sum(int(dag.sizes[v]) for v in paid)),
    )


def _rows(dag: CDAG) -> list[Row]:
    """Return the predecessors and the successors of each vertex."""
    succ_indptr, succ_indices = dag.successors

    def row(indptr: npt.NDArray[Any], indices: npt.NDArray[Any], v: int) -> tuple[int, ...]:
        return tuple(indices[indptr[v] : indptr[v + 1]].tolist())

    return [
        (row(dag.pred_indptr, dag.pred_indices, v), row(succ_indptr, succ_indices, v))
        for v in range(dag.n)
    ]


def _twins_together(dag: CDAG, rows: list[Row], outputs: list[int]) -> Callable[[int], Any]:
    """Return a key that sorts vertices by their first twin."""
    kinds = [(rows[v], int(dag.sizes[v]), v in outputs) for v in range(dag.n)]
    first: dict[Any, int] = {}
    for v, kind in enumerate(kinds):
        first.setdefault(kind, v)
    return lambda v: (first[kinds[v]], v)


def _mask(vertices: list[int], place: dict[int, int]) -> int:
    return sum(1 << place[v] for v in vertices if v in place)


def _masks(rows: list[tuple[int, ...]], place: dict[int, int]) -> Masks:
    return lock(np.array([_mask(list(row), place) for row in rows], np.uint64))
