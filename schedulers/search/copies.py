"""Plays that compute values again, as plays of a DAG that has a copy for each computation."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Move, Schedule


@dataclass(frozen=True)
class Copies:
    """The computations of a play, each a vertex, in the order of the play.

    Parameters
    ----------
    dag
        Inputs, and a copy of a value for each time that it is computed; none that nobody needs.
    vertex
        (n,) the vertex of the computation that each copies.
    """

    dag: CDAG
    vertex: Int32Array


def copies_of(dag: CDAG, schedule: Schedule) -> Copies:
    """Return the computations of a play: whoever reads a value reads its last copy that was red.

    An output is the copy that is stored. Any play of the copies that computes each of them once is
    a play of `dag` that moves as much or less, by `merged`.

    Parameters
    ----------
    dag
        The computation, with an output.
    schedule
        A play of it, legal under the default rules or with recomputation.
    """
    rows = [dag.pred_indices[a:b].tolist() for a, b in pairwise(dag.pred_indptr.tolist())]
    vertex = dag.inputs.tolist()
    here = {v: copy for copy, v in enumerate(vertex)}  # the copy of a value that is or was red
    stored = dict(here)
    read: list[list[int]] = [[] for _ in vertex]
    for move, v in schedule:
        if move is Move.COMPUTE:
            read.append(sorted(here[u] for u in rows[v]))
            here[v] = len(vertex)
            vertex.append(v)
        elif move is Move.STORE:
            stored.setdefault(v, here[v])
        elif move is Move.LOAD:
            here[v] = stored[v]
    outputs = [stored[v] for v in dag.outputs.tolist()]
    return _needed(dag, vertex, read, outputs)


def _needed(dag: CDAG, vertex: list[int], read: list[list[int]], outputs: list[int]) -> Copies:
    """Return the copies that outputs need, numbered anew."""
    needed = np.zeros(len(vertex), np.bool_)
    needed[outputs] = True
    for copy in range(len(vertex) - 1, -1, -1):
        if needed[copy]:
            needed[read[copy]] = True
    number = np.cumsum(needed) - 1
    kept = [read[copy] for copy in np.flatnonzero(needed)]
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in kept], dtype=np.int64)))
    readings = np.array([u for row in kept for u in row], np.int64)
    of = np.array(vertex, np.int32)[needed]
    words = None if dag.words is None else dag.words[of]
    indices = number[readings].astype(np.int32)
    return Copies(CDAG(indptr, indices, words=words, outputs=number[outputs]), lock(of))


def merged(dag: CDAG, copies: Copies, schedule: Schedule) -> Schedule:
    """Return the play of `dag` that a play of copies is: what is red or blue already stays so.

    It holds a value while any copy of it is red, so it takes no more room.

    Parameters
    ----------
    dag
        The computation.
    copies
        Its computations in a play.
    schedule
        A play of `copies.dag` that computes each copy once.
    """
    red, blue = np.zeros(dag.n, np.int64).tolist(), set(dag.inputs.tolist())
    vertex = copies.vertex.tolist()
    made: list[tuple[Move, int]] = []
    for move, copy in schedule:
        v = vertex[copy]
        if move is Move.STORE:
            new = v not in blue
            blue.add(v)
        elif move is Move.DELETE:
            red[v] -= 1
            new = red[v] == 0
        else:
            new = red[v] == 0
            red[v] += 1
        if new:
            made.append((move, v))
    return Schedule.from_moves(made)
