"""The state of a play with one fast memory between blocks of moves, as the engine keeps it.

The engines add words in int64: of each kind of move, of each memory and link, and step by step in a
trace. Every such sum is one over some of the moves that move words; so where those of all such
moves together are at most 2^62, none wraps, nor does the sum of any two. The contents of a fast
memory need no such look: they are at most the words of all values (`pebble.rules.useful_memory`),
2^62 by `dags.cdag.border`. A play with more words than that is refused, in one sentence; the
referee counts it in plain Python.
"""

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import MAX_TOTAL, exact_sum
from pebble._kernels import replay as _kernels
from pebble.count import ChannelCount, IOCount
from pebble.errors import IllegalMoveError, InvalidScheduleError, Violation
from pebble.game import Game
from pebble.moves import Move
from pebble.rules import slides
from pebble.schedule import Schedule


class Table:
    """The state of a play between blocks of moves."""

    def __init__(self, game: Game) -> None:
        dag = self.dag = game.dag
        self.game, self.rules = game, game.rules
        self.flags = np.zeros(dag.n, np.uint8)
        self.flags[dag.inputs] = _kernels.BLUE | _kernels.INPUT
        self.counters = np.zeros(_kernels.COUNTERS, np.int64)
        self.played = 0
        self.work = 0
        self.traffic = np.zeros((2, 256), np.int64)  # words loaded, stored by channel

    def play(self, block: Schedule) -> None:
        """Play the moves of `block`."""
        dag = self.dag
        if not block.is_plain:
            raise InvalidScheduleError("blocks of one play are all of four moves, or all of more")
        before = self.moved
        status, step, detail = _kernels.replay(
            dag.pred_indptr,
            dag.pred_indices,
            dag.sizes,
            block.op,
            block.vertex,
            self.game.memory,
            self.rules.recompute,
            slides(dag, self.rules),
            self.flags,
            self.counters,
        )
        if status != _kernels.LEGAL:
            raise self._error(block, status, step, detail)
        if dag.uniform_work is None and dag.work is not None:
            self.work += exact_sum(dag.work[block.vertex[block.op == Move.COMPUTE]])
        self._count(block, before)

    @property
    def moved(self) -> int:
        """Words loaded and stored so far."""
        words = self.counters[_kernels.WORDS :]
        return int(words[Move.LOAD]) + int(words[Move.STORE])

    def _count(self, block: Schedule, before: int) -> None:
        """Count a block that has been played, before which so many words were moved.

        Raises
        ------
        InvalidScheduleError
            If that makes more words than can be counted.
        """
        dag = self.dag
        require_countable(dag, block.op, block.vertex, before)
        self.played += len(block)
        if dag.channel is not None:
            for row, move in enumerate((Move.LOAD, Move.STORE)):
                moved = block.vertex[block.op == move]
                np.add.at(self.traffic[row], dag.channel[moved], dag.sizes[moved])

    def finish(self) -> IOCount:
        """Return the totals, or raise if an output is not in slow memory."""
        outputs = self.dag.outputs
        missing = outputs[~self.in_slow_memory(outputs)]
        if missing.size:
            vertex = int(missing[0])
            raise IllegalMoveError(self.played, "END", vertex, Violation.OUTPUT_NOT_STORED)
        counters = self.counters.tolist()
        moves, words = counters[_kernels.MOVES :], counters[_kernels.WORDS :]
        return IOCount(
            rules=self.rules,
            loads=words[Move.LOAD],
            stores=words[Move.STORE],
            load_moves=moves[Move.LOAD],
            store_moves=moves[Move.STORE],
            computes=moves[Move.COMPUTE],
            recomputes=counters[_kernels.RECOMPUTES],
            peak=counters[_kernels.PEAK],
            work=self.total_work(moves[Move.COMPUTE]),
            channels=self._channels(),
        )

    def in_slow_memory(self, vertices: np.ndarray) -> np.ndarray:
        """Which of some vertices are in slow memory."""
        return np.asarray((self.flags[vertices] & _kernels.BLUE) != 0)

    def total_work(self, computes: int) -> int | None:
        """The operations of a given number of computations."""
        if self.dag.uniform_work is not None:
            return computes * self.dag.uniform_work
        return None if self.dag.work is None else self.work

    def _channels(self) -> dict[int, ChannelCount]:
        if self.dag.channel is None:
            return {}
        return {
            int(tag): ChannelCount(int(self.traffic[0, tag]), int(self.traffic[1, tag]))
            for tag in np.unique(self.dag.channel)
        }

    def no_room(self, vertex: int) -> str:
        """How many words a vertex is too large by, as a message says it."""
        occupied, size = int(self.counters[_kernels.OCCUPIED]), int(self.dag.sizes[vertex])
        return f"{occupied} + {size} words do not fit into {self.game.memory}"

    def _error(self, block: Schedule, status: int, step: int, detail: int) -> IllegalMoveError:
        """The error of the move at `step` of `block`."""
        move, vertex = Move(int(block.op[step])), int(block.vertex[step])
        text = ""
        if status == _kernels.NO_SUCH_VERTEX:
            rule = Violation.NO_SUCH_VERTEX
        elif status == _kernels.MISSING_PREDECESSOR:
            rule, text = Violation.MISSING_PREDECESSOR, f"vertex {detail}"
        elif status == _kernels.MEMORY_FULL:
            rule = Violation.MEMORY_FULL
            text = self.no_room(vertex)
        else:
            rule = _broken_rule(move, int(self.flags[vertex]))
        return IllegalMoveError(self.played + step, move.name, vertex, rule, text)


def _broken_rule(move: Move, flags: int) -> Violation:
    """Why `move` is illegal for a vertex with these flags."""
    red = bool(flags & _kernels.RED)
    if move is Move.LOAD:
        return Violation.ALREADY_RED if red else Violation.NOT_BLUE
    if move is Move.STORE:
        return Violation.ALREADY_BLUE if red else Violation.NOT_RED
    if move is Move.DELETE:
        return Violation.NOT_RED
    if flags & _kernels.INPUT:
        return Violation.IS_INPUT
    return Violation.ALREADY_RED if red else Violation.ALREADY_COMPUTED


def require_countable(
    dag: CDAG, op: npt.NDArray[np.uint8], vertex: npt.NDArray[np.int32], before: int = 0
) -> None:
    """Raise InvalidScheduleError if legal moves move more words than can be counted.

    Parameters
    ----------
    dag
        The computation.
    op, vertex
        (k,) the moves: all but computations and deletions move the words of their vertex.
    before
        Words that were moved before them.
    """
    if dag.words is None or before + op.size * int(dag.words.max()) <= MAX_TOTAL:
        return
    moved = (op != Move.COMPUTE) & (op != Move.DELETE)
    if before + exact_sum(dag.words[vertex[moved]]) > MAX_TOTAL:
        raise InvalidScheduleError(
            f"the schedule moves more than {MAX_TOTAL} words, more than the engine counts"
        )
