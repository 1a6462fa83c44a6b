"""What must be paid, at the least, before the first of a set of steps.

A *front* is a set F of steps that contains the readers of all that it makes. Take the moment at
which the first step x of F is computed, and let D be the values that have been in fast memory
before. D contains all that every possible x is computed from, in one or more steps, and nothing
that F makes. A value of D is alive if it has a reader outside D; x's operands are alive. Let

    c(v) = words(v) min(theta, price(v)),    theta = 1 or 2,

and C the least sum of c over the alive values of any such D that is closed under predecessors: a
minimum cut. Of the alive values those in fast memory have at most K words, K being the memory
without what x takes besides (`wavefronts` says what that is), and each other one has left and will
come back. So these others have c(v) of at least C - theta K together, their *score* less theta M.
"""

from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.search import _kernels
from proofs.certificates.search.game import Game, Masks, mask, members


@dataclass(frozen=True)
class Fronts:
    """Fronts, and what entering them takes.

    Parameters
    ----------
    steps
        (2, k) sets of steps, for theta = 1 and 2.
    scores
        (2, k) scores less theta M, the largest first; 0 for none.
    """

    steps: Masks
    scores: Int64Array


def fronts(game: Game) -> Fronts:
    """Return the fronts of `game` that say most: by what they follow, and by height."""
    network = _Network(game)
    tried = sorted(network.fronts(), key=int.bit_count)
    steps: list[list[int]] = []
    scores: list[list[int]] = []
    for theta in (1, 2):
        scored = [network.score(front, theta) - theta * game.memory for front in tried]
        kept = _least(list(zip(scored, tried, strict=True)))
        scores.append([score for score, _ in kept])
        steps.append([front for _, front in kept])
    most = max(map(len, steps))
    return Fronts(
        np.array([row + [0] * (most - len(row)) for row in steps], np.uint64).reshape(2, most),
        np.array([row + [0] * (most - len(row)) for row in scores], np.int64).reshape(2, most),
    )


def _least(scored: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those with a score, the largest first, without those that contain a better one."""
    kept: list[tuple[int, int]] = []
    for score, front in sorted(scored, key=lambda entry: -entry[0]):
        if score > 0 and all(front & other != other for _, other in kept):
            kept.append((score, front))
    return kept


class _Network:
    """The flows that bound cuts of a game from below."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.operands = game.operands.tolist()
        self.result = game.result.tolist()
        self._maker = np.full(game.values.size, -1, np.int64)
        self._maker[game.result[game.result >= 0]] = np.flatnonzero(game.result >= 0)
        steps = range(len(self.operands))
        # Steps are numbered topologically, so what is before a step is known when it comes.
        self.below: list[int] = []  # values that a step is computed from, in one or more steps
        self.before: list[int] = []  # steps before a step
        for v in steps:
            before = members(int(game.before[v]))
            self.below.append(self.operands[v])
            self.before.append(int(game.before[v]))
            for u in before:
                self.below[v] |= self.below[u]
                self.before[v] |= self.before[u]
        self.after = [mask(w for w in steps if self.before[w] >> v & 1) | 1 << v for v in steps]

    def fronts(self) -> set[int]:
        """Return the fronts that are tried."""
        steps = range(len(self.operands))
        made = mask(r for r in self.result if r >= 0)
        origin = [below & ~made for below in self.below]
        height = [0] * len(self.operands)
        for v in steps:
            height[v] = 1 + max((height[u] for u in members(self.before[v])), default=0)
        found = {self.after[v] for v in steps}
        found |= {mask(w for w in steps if height[w] >= least) for least in set(height)}
        found |= {mask(w for w in steps if origin[w] & origin[v] == origin[v]) for v in steps}
        ends = mask(v for v in steps if self.result[v] < 0)
        return (found | {ends}) - {0}

    def score(self, front: int, theta: int) -> int:
        """Return C - theta (K - M): what entering `front` takes with no memory at all."""
        first = [v for v in members(front) if not self.before[v] & front]
        forced = self.below[first[0]]
        for v in first:
            forced &= self.below[v]
        extra = min(self._extra(v) for v in first)
        return self._cut(front, forced, theta) + theta * extra

    def _extra(self, v: int) -> int:
        """Return the words that computing v takes from values before it."""
        own = int(self.game.own[v])
        if not self.game.sliding:
            return own
        return max(0, own - max(int(self.game.sizes[r]) for r in members(self.operands[v])))

    def _cut(self, front: int, forced: int, theta: int) -> int:
        """Return the value of a greatest flow from values in `forced` to steps in `front`."""
        game = self.game
        capacity = game.sizes * np.minimum(theta, game.price)
        relations = (game.operands, game.readers, game.result, self._maker, capacity)
        return int(_kernels.greatest_flow(*relations, np.uint64(front), np.uint64(forced)))
