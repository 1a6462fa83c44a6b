"""Annealed sequences of computations, in which values are computed again."""

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, lock
from dags.work import charge
from pebble import Budget, Move, Rules, Schedule, compulsory_words
from schedulers.search._kernels import sequence_changes as changes
from schedulers.search._kernels import sequences as kernels

FloatArray = npt.NDArray[np.float64]
LARGEST = 1 << 12  # vertices
# Times the computations at the beginning, that a sequence may become, and computations up to which
# it may grow to their square.
LONGEST, SHORT = 4, 1 << 14
HOTS = 0.5, 1.5  # first temperatures, in words of a mean value: which is best depends on the DAG
COLD = 0.15  # the last one
TRIAL = 0.15  # share of the time of a trial of each
SLICE = 200_000  # computations to play between looks at the budget
# The most that a word counts as, of which computations are small parts; and what no cost exceeds.
MOST_SCALE, MOST_COST = 1 << 30, 1 << 60


def takes(dag: CDAG, rules: Rules) -> bool:
    """Whether sequences of a DAG are played here: results are placed, and sizes add up."""
    moved = (
        2
        * longest_sequence(dag.n)
        * (int(dag.indegree.max(initial=0)) + 2)
        * int(dag.sizes.max(initial=1))
    )
    return dag.n <= LARGEST and not rules.sliding and moved < MOST_COST


def longest_sequence(computations: int) -> int:
    """How many computations a sequence has at most, of so many at the beginning."""
    return max(LONGEST * computations, min(computations**2, SHORT), 1)


def annealed(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    budget: Budget,
    goal: int = 0,
    price_of_work: float = 0.0,
) -> Schedule:
    """The best play that is found by changing the sequence of computations of `schedule`.

    A computation moves, goes, if its vertex is computed elsewhere, or a value is computed again
    before it is loaded, perhaps with operands of it. Each change is played as
    `_kernels.sequences` says. Results are placed, whatever the rules.

    Parameters
    ----------
    dag, memory
        The game, with recomputation.
    schedule
        A play of it.
    budget
        Of the changes; some are tried in any case.
    goal
        Words at which the search ends.
    price_of_work
        Words that an operation counts as which is done again. Of plays that cost the same, the one
        with less work is the best.
    """
    sequences = Sequences(dag, memory, price_of_work=price_of_work)
    search = _SequenceSearch(sequences, computations(schedule), budget, goal)
    reached: list[int] = []
    for number, hot in enumerate(HOTS):
        search.anneal(hot, budget.share(TRIAL / (1 - number * TRIAL)))
        reached.append(search.total)
    search.anneal(HOTS[int(np.argmin(reached))], budget.share(1.0))
    return search.schedule()


def pruned(
    dag: CDAG, schedule: Schedule, memory: int, *, price_of_work: float = 0.0, budget: Budget
) -> Schedule:
    """A play without computations that nothing is gained by, of no more cost as it is made.

    Each computation that is done again is left out where the rest then costs no more. Results are
    placed, whatever the rules.

    Parameters
    ----------
    dag, schedule, memory, price_of_work
        As for `annealed`.
    budget
        Of all of it.
    """
    sequences = Sequences(dag, memory, price_of_work=price_of_work)
    search = _SequenceSearch(sequences, computations(schedule), budget, 0)
    search.prune(budget)
    return search.schedule()


def computations(schedule: Schedule) -> Int32Array:
    """The vertices that a schedule computes, in its order."""
    return np.array(schedule.vertex[schedule.op == Move.COMPUTE], np.int32)


def first_computes(dag: CDAG, schedule: Schedule) -> Int32Array:
    """(N,) the computed vertices in the order in which `schedule` first computes them."""
    computed = schedule.vertex[schedule.op == Move.COMPUTE]
    _, places = np.unique(computed, return_index=True)
    return lock(computed[np.sort(places)])


class Sequences:
    """Plays of sequences of computations, and their costs.

    Parameters
    ----------
    dag, memory
        The game, with recomputation.
    price_of_work
        Words that an operation counts as which is done again.
    """

    def __init__(self, dag: CDAG, memory: int, *, price_of_work: float = 0.0) -> None:
        self.factor = int(np.gcd.reduce(dag.sizes, initial=0)) or 1
        self.memory, self.price_of_work = memory // self.factor, price_of_work / self.factor
        work = np.ones(dag.n, np.int64) if dag.work is None else dag.work
        self.work = np.where(dag.is_computed, work, 0).astype(np.float64)
        self.longest = longest_sequence(dag.computed.size)
        self.game = _game(dag, self.factor, self.work, self.price_of_work, self.longest)
        self.unit = float(self.game.words.mean())
        self.desk = self._desk(self.longest, 0)

    @property
    def scale(self) -> int:
        """The cost of a word."""
        return int(self.game.scale[0])

    def room_for(self, length: int) -> None:
        """Let sequences be so long."""
        if length > self.longest:
            self.longest = length
            self.desk = self._desk(length, 0)

    def cost(self, sequence: Int32Array) -> int:
        """The cost of a sequence; -1 if it is no play."""
        self.room_for(sequence.size)
        return self._played(self.desk, sequence)

    def schedule(self, sequence: Int32Array) -> Schedule:
        """The moves of a sequence that is a play."""
        operands = int(np.diff(self.game.indptr)[sequence].sum())
        desk = self._desk(max(sequence.size, 1), 2 * (3 * operands + 3 * sequence.size))
        self._played(desk, sequence)
        moves = int(desk.count[kernels.MOVES])
        return Schedule(lock(desk.op[:moves].copy()), lock(desk.vertex[:moves].copy()))

    def _played(self, desk: kernels.Desk, sequence: Int32Array) -> int:
        row = np.array(sequence, np.int32)
        return int(kernels.played(self.game, desk, row, row.size, self.memory, kernels.NO_LIMIT))

    def _desk(self, length: int, moves: int) -> kernels.Desk:
        """Room for a play of a given number of computations, and for so many moves."""
        n, uses = self.game.words.size, length * int(self.game.widest[0])
        return kernels.Desk(
            ahead=np.empty(n, np.int64),
            made=np.empty(length, np.int64),
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


class _SequenceSearch:
    """A sequence, the best one so far, and the generator."""

    def __init__(
        self, sequences: Sequences, sequence: Int32Array, budget: Budget, goal: int
    ) -> None:
        self.sequences = sequences
        sequences.room_for(longest_sequence(sequence.size))
        words = -(-goal // sequences.factor)
        once = int(sequences.game.price.sum()) if sequences.price_of_work else sequences.scale - 1
        self.enough = words * sequences.scale + once
        self.line = _line(sequence, sequences.game.words.size, sequences.desk)
        self.state = budget.rng().integers(1, 2**63, 1, np.uint64)
        self.total = self.least = sequences.cost(sequence)

    def anneal(self, hot: float, budget: Budget) -> None:
        """Anneal from the best sequence so far, for one slice at least."""
        self.total = self._begin()
        known = self.sequences
        share = 0.0
        while share < 1.0 and self.least > self.enough:
            temperature = known.scale * known.unit * hot * (COLD / hot) ** share
            tries = max(1, SLICE // int(self.line.count[changes.LENGTH]))
            costs = self.total, self.least
            game = known.game, known.desk, self.line, self.state, known.memory
            self.total, self.least = changes.anneal(*game, temperature, tries, *costs)
            self._charge(tries)
            share = 1.0 if budget.over else budget.spent

    def prune(self, budget: Budget) -> None:
        """Leave out of the best sequence computations that gain nothing."""
        self.total = self._begin()
        known = self.sequences
        position = int(self.line.count[changes.LENGTH]) - 1
        while position >= 0 and self.total >= 0:
            tries = max(1, SLICE // int(self.line.count[changes.LENGTH]))
            game = known.game, known.desk, self.line, known.memory
            self.total = int(changes.prune(*game, self.total, position, tries))
            self._charge(tries)
            position -= tries
            if budget.over:
                break
        self.least = self.total

    def _charge(self, tries: int) -> None:
        """Charge for so many changes, after each of which the whole sequence is played."""
        charge("sequence", tries * int(self.line.count[changes.LENGTH]))

    def schedule(self) -> Schedule:
        """The moves of the best sequence."""
        return self.sequences.schedule(self._best())

    def _best(self) -> Int32Array:
        return self.line.best[: self.line.count[changes.BEST]].copy()

    def _begin(self) -> int:
        """Let the best sequence be the one that is changed; return its cost."""
        best = self._best()
        self.line.seq[0, : best.size] = best
        self.line.count[changes.LENGTH] = best.size
        return self.sequences.cost(best)


def _line(sequence: Int32Array, n: int, desk: kernels.Desk) -> changes.Line:
    """A sequence that is the best so far."""
    longest, uses = desk.made.size, desk.read.size
    line = changes.Line(
        seq=np.empty((2, longest), np.int32),
        first=np.full(n, -1, np.int32),
        times=np.zeros(n, np.int32),
        wanted=np.empty((2, uses), np.int32),
        best=np.empty(longest, np.int32),
        count=np.zeros(3, np.int64),
        stack=np.empty(changes.DEEPEST, np.int32),
    )
    line.best[: sequence.size] = sequence
    line.count[changes.BEST] = sequence.size
    return line


def _game(
    dag: CDAG, factor: int, work: FloatArray, price_of_work: float, longest: int
) -> kernels.Rules:
    """The game as the kernels read it.

    Parameters
    ----------
    dag
        The computation.
    factor
        Words that are one word there.
    work, price_of_work
        (n,) operations of each computation, and the price of one, in those words.
    longest
        Computations of a sequence.
    """
    is_input, is_output = np.zeros((2, dag.n), np.uint8)
    is_input[dag.inputs] = 1
    is_output[dag.outputs] = 1
    words = np.array(dag.sizes // factor, np.int64)
    widest = np.array([max(int(dag.indegree.max(initial=0)), 1)], np.int64)
    rows = dag.pred_indptr, dag.pred_indices
    compulsory = compulsory_words(dag)
    dearest = float(words.max()) * (int(widest[0]) + 2) + price_of_work * float(work.max())
    scale = MOST_SCALE
    while scale > 1 and scale * dearest * longest > MOST_COST:
        scale //= 2
    price = np.rint(scale * price_of_work * work)
    room = (scale - 1) // longest  # of the work that breaks ties, however much is computed again
    price += np.ceil(work / max(float(work.max()), 1.0) * (room - 1)) if room else 0.0
    arrays = words, is_input, is_output, widest, np.array([compulsory // factor], np.int64)
    costs = np.array([scale], np.int64), price.astype(np.int64)
    return kernels.Rules(*rows, *(lock(array) for array in (*arrays, *costs)))
