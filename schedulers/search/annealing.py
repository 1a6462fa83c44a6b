"""Simulated annealing on orders, each move judged by the words that the play then moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from dags.work import UNITS, charge
from pebble import ONE_SHOT, UNLIMITED, Budget, Rules, Schedule
from schedulers.search._kernels import annealing as _kernels
from schedulers.search.replay import Replay, new_replay

COLD = 0.15  # the last temperature, in words of a mean value
WARM = 0.2  # the first one where there is no time to anneal,
HOT = 1.0  # where there is no time to try several,
HOTS = 0.5, 1.0, 2.0, 4.0  # and those that are tried: which is best depends on the DAG
TRIALS = 0.02, 0.04  # shares of the budget of a trial: of all of them, and of the best two
TRIAL_MOVES = 400  # a vertex, that a trial of all should have
# Where there are so many moves a vertex, this share of them is for so many chains from the best
# order, which begin at this temperature.
REHEAT_MOVES, REHEATED, REHEATS, TEPID = 5000, 0.5, 6, 0.35
LAST = 0.9  # share of a chain after which choices know what comes after them
FEW_MOVES = 50  # a vertex, with which there is none
MOVES_PER_VERTEX = 60_000  # of all chains together, where nothing else limits them
START = 150  # vertices that a change takes as long for as it takes in itself
SLICE = 20_000  # steps to play between looks at the budget, if every move plays one in ten

CHAIN_MOVES = 20_000  # moves a vertex for each order that the local search begins with
MOST_CHAINS = 12


@dataclass
class Turns:
    """A budget of work, and of iterations.

    Parameters
    ----------
    budget
        The work; without a limit it is as long as the iterations take.
    iterations
        The most of them.
    """

    budget: Budget
    iterations: int
    done: int = 0

    def progress(self) -> float:
        """The share of the budget that is spent, 1 when it is all."""
        spent = self.done / self.iterations if self.iterations else 1.0
        return min(max(spent, self.budget.spent), 1.0)


@dataclass(frozen=True)
class SearchedPlay:
    """Best play that a local search found.

    Parameters
    ----------
    io
        Words that it moves.
    schedule
        Its moves.
    order
        (N,) the computed vertices in its order.
    moves
        Number of changes of the order that were tried.
    """

    io: int
    schedule: Schedule
    order: Int32Array
    moves: int


def local_search(
    dag: CDAG,
    memory: int,
    starts: Sequence[Int32Array],
    *,
    rules: Rules = ONE_SHOT,
    budget: Budget = UNLIMITED,
    iterations: int | None = None,
    goal: int = 0,
) -> SearchedPlay:
    """The best play found by annealing the orders `starts`, and the best order again.

    Where there is time, several temperatures are tried before, and the best one is for all. Every
    value is computed once. Evictions are decided as by `belady_cost`; but for the end of a chain
    those before a change do not know it, until the whole order is played again after so many
    changes. Where there is time enough, half of it is for annealing the best order again and again
    from a low temperature. Interrupted from the keyboard, it returns the best so far.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    starts
        Orders to begin with, the best first.
    budget, iterations
        Seconds, and changes of the order, that it may take. With iterations alone the result
        is the same every time. With neither, the number of iterations is one that is mostly
        enough; with a time limit it is no more than that, so that a search which ends before its
        time is repeatable too.
    goal
        Words at which the search ends.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    """
    replay = new_replay(dag, memory, rules=rules)
    steps = dag.computed.size
    turns = Turns(budget, MOVES_PER_VERTEX * steps if iterations is None else iterations)
    moves = likely_moves(dag, budget) if iterations is None else iterations
    search = _Annealing(replay, budget.seed, goal, moves)
    try:
        if moves * TRIALS[0] > TRIAL_MOVES * steps:
            search.anneal_best(starts, turns)
        else:
            hot = WARM if moves < FEW_MOVES * len(starts) * steps else HOT
            search.anneal_and_reheat(starts, hot, turns)
    except KeyboardInterrupt:
        if not search.begun:
            raise
    io = replay.start(search.best)
    return SearchedPlay(io, replay.schedule(), replay.order(), turns.done)


def likely_moves(dag: CDAG, budget: Budget) -> int:
    """Return about how many changes of the order there will be time for."""
    limit = MOVES_PER_VERTEX * dag.computed.size
    return int(min(limit, budget.left / (dag.n + START) / UNITS["change"] * 1e9))


class _Annealing:
    """The best order so far, the generator, and the moves that there are likely to be."""

    def __init__(self, replay: Replay, seed: int, goal: int, moves: int) -> None:
        self.replay, self.goal, self.moves = replay, goal, moves
        self.begun = False
        self.best, self.seen = (np.empty_like(replay.play.order) for _ in range(2))
        self.io = self.least = np.iinfo(np.int64).max
        self.blind = 0  # changes since all choices knew the order
        self.state = np.random.default_rng(seed).integers(1, 2**63, 1, np.uint64)
        self.work = np.empty((_kernels.TURNS, 3), np.int32), np.empty(_kernels.TURNS, np.int32)
        self.unit = float(replay.game.words.mean())
        self.vertices = replay.game.words.size + START  # as a change takes longer in a large DAG

    def anneal_best(self, starts: Sequence[Int32Array], budget: Turns) -> None:
        """Anneal from all temperatures for a short time, then from the best two, then the best."""
        hots = list(HOTS)
        for share in TRIALS:
            trials = [(start, hot) for start, hot in zip(cycle(starts), hots, strict=False)]
            reached = self.anneal_all(trials, budget, budget.progress() + share * len(trials))
            if self.io <= self.goal:
                return
            # The sort is stable: of equals the colder one is first.
            hots = [hots[x] for x in np.argsort(reached, kind="stable")][:2]
        self.anneal_and_reheat(starts, hots[0], budget)

    def anneal_and_reheat(self, starts: Sequence[Int32Array], hot: float, budget: Turns) -> None:
        """Spend the time left: on a chain from each order, and where there is time on reheating.

        A chain from the best order begins so cold that most of the order stays.
        """
        reheated = REHEATED if self.moves >= REHEAT_MOVES * self.best.size else 0.0
        begun = budget.progress()
        fresh = begun + (1 - begun) * (1 - reheated)
        self.anneal_all([(start, hot) for start in starts], budget, fresh)
        if not reheated:
            return
        for end in np.linspace(fresh, 1.0, REHEATS + 1)[1:]:
            self.anneal_all([(self.best.copy(), TEPID)], budget, float(end))

    def anneal_all(
        self, chains: Sequence[tuple[Int32Array, float]], budget: Turns, end: float
    ) -> list[int]:
        """Anneal from orders and temperatures until the share `end` of the budget is spent.

        Return the words that each has come to.
        """
        begun = budget.progress()
        shares = np.linspace(begun, min(max(end, begun), 1.0), len(chains) + 1)[1:]
        return [
            self.anneal(start, hot, budget, float(share))
            for (start, hot), share in zip(chains, shares, strict=True)
            if self.io > self.goal or not self.begun
        ]

    def anneal(self, start: Int32Array, hot: float, budget: Turns, end: float) -> int:
        """Anneal from `start` until the share `end` of the budget is spent; return the words."""
        total = self._played(start)
        self.begun = True
        begun = budget.progress()
        moves = max(1, SLICE // (10 + self.best.size // 10))
        while (progress := budget.progress()) < end and self.io > self.goal:
            share = (progress - begun) / (end - begun)
            temperature = self.unit * hot * (COLD / hot) ** share
            slice_moves = min(moves, budget.iterations - budget.done)
            ahead = share >= LAST
            if self.blind > (0 if ahead else self.best.size // 4):
                total = self._renewed()
            total = self._slice(slice_moves, temperature, total, ahead)
            budget.done += slice_moves
            charge("change", slice_moves * self.vertices)
        return self._renewed() if self.blind else total

    def _slice(self, moves: int, temperature: float, total: int, ahead: bool) -> int:
        """Try `moves` changes; return the words of the play that this leads to."""
        replay = self.replay
        total, self.least, _ = _kernels.anneal(
            replay.game,
            replay.play,
            replay.room,
            self.work,
            self.state,
            self.seen,
            replay.memory,
            replay.price,
            temperature,
            moves,
            total,
            self.least,
            ahead,
        )
        if ahead:
            self._take(self.seen, self.least)
        else:
            self.blind += moves
        return total

    def _renewed(self) -> int:
        """Play the order again, and the best that was seen; return the words of the order."""
        order = self.replay.order()
        if self.least < self.io:
            self._played(self.seen)
        return self._played(order)

    def _played(self, order: Int32Array) -> int:
        """Return the words that an order moves if all choices know it; take it if they are less."""
        io = self.replay.start(order)
        charge("step", self.vertices)
        self._take(order, io)
        self.least, self.blind = self.io, 0
        return io

    def _take(self, order: Int32Array, io: int) -> None:
        """Take an order that moves less than the best so far."""
        if io < self.io:
            self.io = io
            self.best[:] = order


def improve(
    dag: CDAG,
    memory: int,
    orders: Sequence[Int32Array],
    *,
    rules: Rules = ONE_SHOT,
    budget: Budget = UNLIMITED,
    iterations: int | None = None,
    goal: int = 0,
) -> SearchedPlay | None:
    """The best play that local search makes of `orders`.

    The play computes every value once. None if it is interrupted from the keyboard before there is
    any.

    Parameters
    ----------
    dag, memory, rules
        The game; every vertex must fit.
    orders
        Orders to begin with, each (N,) computed vertices, the best first.
    budget, iterations
        Seconds, and changes of an order that the local search may try. Without a time limit
        the result is the same every time.
    goal
        Words at which the search ends.
    """
    starts = {order.tobytes(): order for order in orders}.values()
    moves = iterations or likely_moves(dag, budget)
    chains = min(max(moves // (CHAIN_MOVES * dag.n), 1), MOST_CHAINS)
    try:
        return local_search(
            dag,
            memory,
            list(islice(cycle(starts), chains)),
            rules=rules,
            budget=budget,
            iterations=iterations,
            goal=goal,
        )
    except KeyboardInterrupt:
        return None
