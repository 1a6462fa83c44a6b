"""Steps of a DAG with the values that they share."""

from functools import cached_property

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Rules
from proofs.certificates.pieces.piece import BoolArray, Cutter
from proofs.certificates.pieces.wavefronts import taken_words
from proofs.certificates.windows.reuse._kernels.steps import Steps, relatives
from proofs.core.records import CertificateError

MOST_STEPS = 2**13


class Sharing:
    """The steps of a DAG, its values, and the room that steps leave for others.

    Parameters
    ----------
    dag
        Up to `MOST_STEPS` computed vertices.
    memory, rules
        The game.
    twins
        Whether both of each pair of `twins` are one step.

    Raises
    ------
    CertificateError
        If there are more.
    """

    def __init__(self, dag: CDAG, memory: int, rules: Rules, *, twins: bool = False) -> None:
        self.dag = dag
        if dag.computed.size > MOST_STEPS:
            reason = f"computes {dag.computed.size} vertices, more than {MOST_STEPS}"
            raise CertificateError("dag", reason)
        first, second = np.array(twins_of(dag, rules) if twins else [], np.int64).reshape(-1, 2).T
        is_single = dag.is_computed.copy()
        is_single[second] = False
        self.leaders = lock(np.flatnonzero(is_single))
        self.size = self.leaders.size
        self.step = np.full(dag.n, -1, np.int64)
        self.step[self.leaders] = np.arange(self.size)
        self.step[second] = self.step[first]
        piece = Cutter(dag).whole()
        used = taken_words(piece, rules, 1, np.zeros(dag.n, np.int64))
        used[first] -= piece.words[first]
        self.room = lock(memory - used[self.leaders])
        self.slots: int = sum(self.room.tolist())
        self.words = piece.words
        repeated = np.zeros(dag.n, np.bool_)
        repeated[second] = True
        heads = np.repeat(np.arange(dag.n), dag.indegree)
        readers = np.bincount(dag.pred_indices[~repeated[heads]], minlength=dag.n)
        self.touching = readers + dag.is_computed
        self.pairs: Int64Array = np.maximum(self.touching - 1, 0)
        self.costly: BoolArray = (piece.price == 2) & (self.pairs > 0)
        self.is_twin = np.zeros(dag.n, np.bool_)
        self.is_twin[first] = self.is_twin[second] = True

    @cached_property
    def steps(self) -> Steps:
        """The steps as kernels read them."""
        dag = self.dag
        rows = [
            dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
            for v in self.leaders.tolist()
        ]
        for v in dag.computed.tolist():
            rows[self.step[v]].append(v)
        members: list[list[int]] = [[] for _ in range(dag.n)]
        for x, row in enumerate(rows):
            for u in row:
                members[u].append(x)
        near = [sorted({y for u in row for y in members[u]} - {x}) for x, row in enumerate(rows)]
        above, below = np.zeros((2, self.size, -(-self.size // 64)), np.uint64)
        relatives(dag.pred_indptr, dag.pred_indices, self.step, above, below)
        return Steps(
            *(*_rows(rows), *_rows(near), *_rows(members), above, below, self.room),
            lock(np.where(self.is_twin, self.words, 0)[self.leaders]),
            self.words,
            lock(np.where(self.is_twin, self.step, -1)),
        )


def twins_of(dag: CDAG, rules: Rules) -> list[tuple[int, int]]:
    """The pairs of vertices that are one step; `savings` says which, and why.

    Parameters
    ----------
    dag, rules
        The game.
    """
    sizes = dag.sizes
    if rules.sliding or rules.recompute or (dag.n and sizes.min() < sizes.max()):
        return []
    alike: dict[tuple[int, ...], list[int]] = {}
    for v in dag.computed.tolist():
        row = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        alike.setdefault(tuple(sorted(row)), []).append(v)
    read = np.bincount(dag.pred_indices, minlength=dag.n).tolist()
    return [
        (twins[0], twins[1])
        for row, twins in alike.items()
        if len(row) == len(twins) == 2 and all(read[u] == 2 for u in row)
    ]


def _rows(rows: list[list[int]]) -> tuple[Int64Array, Int64Array]:
    """Rows of numbers as CSR."""
    ends = np.cumsum([0, *map(len, rows)])
    return lock(ends.astype(np.int64)), lock(np.array([v for row in rows for v in row], np.int64))
