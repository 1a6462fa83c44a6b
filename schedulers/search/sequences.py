"""Annealed sequences of computations, in which values are computed again."""

from time import perf_counter

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Move, Schedule
from schedulers.search._kernels import sequence_changes as changes
from schedulers.search._kernels import sequences as kernels

LARGEST = 1 << 12  # vertices
LONGEST = 4  # times the computations at the beginning, that a sequence may become
HOTS = 0.5, 1.5  # first temperatures, in words of a mean value: which is best depends on the DAG
COLD = 0.15  # the last one
TRIAL = 0.15  # share of the time of a trial of each
SLICE = 200_000  # computations to play between looks at the clock


def annealed(
    dag: CDAG, schedule: Schedule, memory: int, *, seed: int = 0, end: float, goal: int = 0
) -> Schedule:
    """Return the best play that is found by changing the sequence of computations of `schedule`.

    A computation moves, goes, if its vertex is computed elsewhere, or a value is computed again
    before it is loaded, perhaps with operands of it. Each change is played as
    `_kernels.sequences` says. Results are placed, whatever the rules.

    Parameters
    ----------
    dag, memory
        The game, with recomputation.
    schedule
        A play of it.
    seed
        Seed of the changes.
    end
        When to be done, on the clock `time.perf_counter`; some changes are tried in any case.
    goal
        Words at which the search ends.
    """
    sequence = np.array(schedule.vertex[schedule.op == Move.COMPUTE], np.int32)
    search = _Search(dag, sequence, memory, seed, goal)
    begun = perf_counter()
    reached: list[int] = []
    for number, hot in enumerate(HOTS):
        search.anneal(hot, begun + (number + 1) * TRIAL * (end - begun))
        reached.append(search.total)
    search.anneal(HOTS[int(np.argmin(reached))], end)
    return search.schedule()


class _Search:
    """A sequence, the best one so far, and the generator."""

    def __init__(self, dag: CDAG, sequence: Int32Array, memory: int, seed: int, goal: int) -> None:
        self.memory, self.goal = memory, goal
        self.game = _game(dag)
        self.most = LONGEST * max(sequence.size, dag.computed.size)
        self.desk = self._desk(0)
        self.line = self._line(sequence)
        self.state = np.random.default_rng(seed).integers(1, 2**63, 1, np.uint64)
        self.unit = float(self.game.words.mean())
        self.total = self.least = self._played(self.desk, sequence)

    def anneal(self, hot: float, end: float) -> None:
        """Anneal from the best sequence so far until the time `end`, for one slice at least."""
        begun = perf_counter()
        best = self.line.best[: self.line.count[changes.BEST]].copy()
        self.line.seq[0, : best.size] = best
        self.line.count[changes.LENGTH] = best.size
        self.total = self._played(self.desk, best)
        share = 0.0
        while share < 1.0 and self.least > self.goal:
            temperature = self.unit * hot * (COLD / hot) ** share
            tries = max(1, SLICE // int(self.line.count[changes.LENGTH]))
            words = self.total, self.least
            game = self.game, self.desk, self.line, self.state, self.memory
            self.total, self.least = changes.anneal(*game, temperature, tries, *words)
            now = perf_counter()
            share = (now - begun) / (end - begun) if end > now else 1.0

    def schedule(self) -> Schedule:
        """Return the moves of the best sequence."""
        best = self.line.best[: self.line.count[changes.BEST]].copy()
        operands = int(np.diff(self.game.indptr)[best].sum())
        desk = self._desk(2 * (3 * operands + 3 * best.size))
        self._played(desk, best)
        moves = int(desk.count[kernels.MOVES])
        return Schedule(lock(desk.op[:moves].copy()), lock(desk.vertex[:moves].copy()))

    def _played(self, desk: kernels.Desk, sequence: Int32Array) -> int:
        """Return the words that a sequence moves."""
        self.line.seq[1, : sequence.size] = sequence
        row = self.line.seq[1]
        return int(kernels.played(self.game, desk, row, sequence.size, self.memory, kernels.FAR))

    def _desk(self, moves: int) -> kernels.Desk:
        """Return room for a play, and for so many moves."""
        n, uses = self.game.words.size, self.most * int(self.game.widest[0])
        return kernels.Desk(
            ahead=np.empty(n, np.int64),
            made=np.empty(self.most, np.int64),
            read=np.empty(uses, np.int64),
            reds=np.empty(n, np.int32),
            place=np.empty(n, np.int32),
            blue=np.empty(n, np.uint8),
            pinned=np.empty(n, np.int32),
            loads=np.empty((2, uses), np.int32),
            count=np.zeros(6, np.int64),
            op=np.empty(moves, np.uint8),
            vertex=np.empty(moves, np.int32),
        )

    def _line(self, sequence: Int32Array) -> changes.Line:
        """Return a sequence that is the best so far."""
        n, uses = self.game.words.size, self.desk.read.size
        line = changes.Line(
            seq=np.empty((2, self.most), np.int32),
            first=np.full(n, -1, np.int32),
            times=np.zeros(n, np.int32),
            wanted=np.empty((2, uses), np.int32),
            best=np.empty(self.most, np.int32),
            count=np.zeros(3, np.int64),
            stack=np.empty(changes.DEEPEST, np.int32),
        )
        line.best[: sequence.size] = sequence
        line.count[changes.BEST] = sequence.size
        return line


def _game(dag: CDAG) -> kernels.Rules:
    """Return the game as the kernels read it."""
    is_input, is_output = np.zeros((2, dag.n), np.uint8)
    is_input[dag.inputs] = 1
    is_output[dag.outputs] = 1
    words = np.array(dag.sizes, np.int64)
    widest = np.array([max(int(dag.indegree.max(initial=0)), 1)], np.int64)
    rows = dag.pred_indptr, dag.pred_indices
    compulsory = np.array([dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)], np.int64)
    arrays = words, is_input, is_output, widest, compulsory
    return kernels.Rules(*rows, *(lock(array) for array in arrays))
