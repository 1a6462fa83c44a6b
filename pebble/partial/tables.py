"""The state of a play of partial computation between blocks of moves, as the engine keeps it."""

import numpy as np

from dags import CDAG
from pebble.errors import IllegalMoveError, Violation
from pebble.partial import _kernels
from pebble.rules import PARTIAL
from pebble.schedule import Move, Schedule
from pebble.tables import Table

AT_AN_OPERAND = (
    Violation.MISSING_PREDECESSOR,
    Violation.NOT_AN_OPERAND,
    Violation.ALREADY_AGGREGATED,
    Violation.ONLY_PARTLY_COMPUTED,
)


class PartialTable(Table):
    """The state of a play in which operands are aggregated one by one."""

    def __init__(self, dag: CDAG, memory: int) -> None:
        super().__init__(dag, memory, PARTIAL)
        self.flags = np.zeros(dag.n, np.uint8)
        self.flags[dag.inputs] = _kernels.BLUE
        self.left = np.diff(dag.pred_indptr)
        self.added = np.zeros(dag.m, np.bool_)

    def play(self, block: Schedule) -> None:
        """Play the moves of `block`."""
        dag, before = self.dag, self.moved
        rule, step, where = _kernels.replay(
            dag.pred_indptr,
            dag.pred_indices,
            dag.sizes,
            block.op,
            block.vertex,
            block.operands,
            self.room,
            self.flags,
            self.left,
            self.added,
            self.counters,
        )
        if rule != _kernels.LEGAL:
            raise self._error_of(block, Violation(rule), step, where)
        self._count(block, before)

    def in_slow_memory(self, vertices: np.ndarray) -> np.ndarray:
        """Return which of some vertices are complete, and in slow memory."""
        blue = (self.flags[vertices] & _kernels.BLUE) != 0
        return np.asarray(blue & (self.left[vertices] == 0))

    def total_work(self, computes: int) -> int | None:
        """Return the operations of all values that have been completed."""
        if self.dag.work is None:
            return None
        return int(self.dag.work[self.dag.computed][self.left[self.dag.computed] == 0].sum())

    def _error_of(
        self, block: Schedule, rule: Violation, step: int, where: int
    ) -> IllegalMoveError:
        """Return the error of the move at `step` of `block`."""
        move, vertex = Move(int(block.op[step])), int(block.vertex[step])
        text = f"vertex {where}" if rule in AT_AN_OPERAND else ""
        if rule is Violation.MEMORY_FULL:
            text = self.no_room(vertex)
        return IllegalMoveError(self.played + step, move.name, vertex, rule, text)
