"""Plays in a given order in which some values have one stay in fast memory: they are never spilled.

The choice of what leaves is that of `belady_cost`, among the values that may: the one that is read
last of all leaves, and one that must be stored counts as half as far. Plain Python, for graphs of
tensors; what searches for all kinds of plays knows no such values.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from dags import CDAG
from pebble import ONE_SHOT, Move, Rules, Schedule

DIRTY = 2  # how many times as far a value has to be that must be stored


def kept_schedule(
    dag: CDAG,
    order: npt.ArrayLike | Sequence[int],
    memory: int,
    kept: Collection[int],
    *,
    rules: Rules = ONE_SHOT,
) -> Schedule | None:
    """A schedule in an order in which some values have one stay; None where there is none.

    Parameters
    ----------
    dag
        The computation.
    order
        (N,) its computed vertices, operands before results.
    memory
        Words of fast memory.
    kept
        The values that have one stay, from the first move that needs them to the last.
    rules
        The rules; results slide onto operands that die if these let them.

    Examples
    --------
    >>> from dags import fft
    >>> dag = fft(4)
    >>> [kept_schedule(dag, dag.computed, m, [4, 5]) is None for m in (3, 4, 5)]
    [True, True, False]
    """
    play = _PlayState(dag, order, memory, frozenset(int(v) for v in kept), rules)
    fits = all(play.compute(step, v) for step, v in enumerate(play.order))
    return Schedule.from_moves(play.moves) if fits else None


class _PlayState:
    """The state of a play."""

    def __init__(
        self,
        dag: CDAG,
        order: npt.ArrayLike | Sequence[int],
        memory: int,
        kept: frozenset[int],
        rules: Rules,
    ) -> None:
        self.dag, self.memory, self.kept, self.rules = dag, memory, kept, rules
        self.order: list[int] = np.asarray(order).tolist()
        self.words: list[int] = dag.sizes.tolist()
        indptr, indices = dag.pred_indptr.tolist(), dag.pred_indices.tolist()
        self.rows = [indices[indptr[v] : indptr[v + 1]] for v in range(dag.n)]
        self.reads: list[list[int]] = [[] for _ in range(dag.n)]
        for step, v in enumerate(self.order):
            for u in self.rows[v]:
                self.reads[u].append(step)
        self.outputs = frozenset(dag.outputs.tolist())
        self.stored = set(dag.inputs.tolist())
        self.here: set[int] = set()
        self.used = 0
        self.moves: list[tuple[Move, int]] = []

    def compute(self, step: int, v: int) -> bool:
        """Compute a value; return whether there was room."""
        row = self.rows[v]
        missing = [u for u in row if u not in self.here]
        under = self.under(step, v)
        beside = self.words[v] if under is None else max(0, self.words[v] - self.words[under])
        needed = sum(self.words[u] for u in missing) + beside
        while self.used + needed > self.memory:
            leaving = [u for u in self.here if u not in row and u not in self.kept]
            if not leaving:
                return False
            victim = max(leaving, key=lambda u: (self.distance(u, step), self.words[u], u))
            self.store(victim)  # every value that is still there is read again
            self.leave(victim)
        for u in missing:
            self.put(Move.LOAD, u)
        if under in self.outputs and under not in self.stored:
            assert under is not None
            self.store(under)
        self.put(Move.COMPUTE, v)
        if under is not None:
            self.leave(under)
        if v in self.outputs:
            self.store(v)
        for u in [*row, v]:
            if u in self.here and self.following(u, step) is None:
                self.leave(u)
        return True

    def under(self, step: int, v: int) -> int | None:
        """The operand that dies whose place a value takes."""
        if not self.rules.sliding:
            return None
        marks = self.dag.in_place
        dying = [u for u in self.rows[v] if self.following(u, step) is None]
        if marks is not None:
            dying = [u for u in dying if marks[v] and self.words[u] == self.words[v]]
        return max(dying, key=lambda u: self.words[u], default=None)

    def following(self, u: int, step: int) -> int | None:
        """The next step after this one that reads a value."""
        reads = self.reads[u]
        place = bisect_right(reads, step)
        return reads[place] if place < len(reads) else None

    def distance(self, u: int, step: int) -> float:
        """The steps until a value is read, fewer where it must be stored before."""
        following = self.following(u, step - 1)
        assert following is not None  # what nothing reads has left
        far = following - step
        return far if u in self.stored or u in self.outputs else far / DIRTY

    def put(self, move: Move, u: int) -> None:
        """Bring a value."""
        self.moves.append((move, u))
        self.here.add(u)
        self.used += self.words[u]

    def store(self, u: int) -> None:
        """Store a value that has no copy in slow memory."""
        if u not in self.stored:
            self.moves.append((Move.STORE, u))
            self.stored.add(u)

    def leave(self, u: int) -> None:
        """Delete a value."""
        self.moves.append((Move.DELETE, u))
        self.here.remove(u)
        self.used -= self.words[u]
