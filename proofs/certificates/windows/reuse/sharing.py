"""Steps of a DAG with the values that they share."""

from functools import cached_property

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Rules
from proofs.certificates.certificate import CertificateError
from proofs.certificates.pieces.piece import BoolArray, Cutter
from proofs.certificates.pieces.wavefronts import taken_words
from proofs.certificates.windows.reuse import _kernels

MOST_STEPS = 2**13


class Sharing:
    """The steps of a DAG, its values, and the room that steps leave for others.

    Parameters
    ----------
    dag
        Up to `MOST_STEPS` computed vertices.
    memory, rules
        The game.

    Raises
    ------
    CertificateError
        If there are more.
    """

    def __init__(self, dag: CDAG, memory: int, rules: Rules) -> None:
        self.dag = dag
        self.size = int(dag.computed.size)
        if self.size > MOST_STEPS:
            raise CertificateError("dag", f"computes {self.size} vertices, more than {MOST_STEPS}")
        piece = Cutter(dag).whole()
        taken = taken_words(piece, rules, 1, np.zeros(dag.n, np.int64))[dag.computed]
        self.slots = self.size * memory - int(taken.sum())
        self.words = piece.words
        self.touching = np.bincount(dag.pred_indices, minlength=dag.n) + dag.is_computed
        self.pairs: Int64Array = np.maximum(self.touching - 1, 0)
        self.costly: BoolArray = (piece.price == 2) & (self.pairs > 0)

    @cached_property
    def steps(self) -> _kernels.Steps:
        """The steps as kernels read them."""
        dag = self.dag
        place = np.full(dag.n, -1, np.int64)
        place[dag.computed] = np.arange(self.size)
        rows = [
            [*dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist(), v]
            for v in dag.computed.tolist()
        ]
        members: list[list[int]] = [[] for _ in range(dag.n)]
        for x, row in enumerate(rows):
            for u in row:
                members[u].append(x)
        near = [sorted({y for u in row for y in members[u]} - {x}) for x, row in enumerate(rows)]
        above, below = np.zeros((2, self.size, -(-self.size // 64)), np.uint64)
        _kernels.relatives(dag.pred_indptr, dag.pred_indices, place, above, below)
        return _kernels.Steps(*_rows(rows), *_rows(near), *_rows(members), above, below)


def _rows(rows: list[list[int]]) -> tuple[Int64Array, Int64Array]:
    """Return rows of numbers as CSR."""
    ends = np.cumsum([0, *map(len, rows)])
    return lock(ends.astype(np.int64)), lock(np.array([v for row in rows for v in row], np.int64))
