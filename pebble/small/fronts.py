"""Lower bounds on words paid before the first of a front, a set of steps.

E6 in docs/theory/search.md has the definition and the proof.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from pebble.small._kernels.cuts import FLOW, LINKS, PATH, Cut, Flow, minimum_cut
from pebble.small.game import Masks, SmallGame, mask, members

THETAS = (1, 2)


@dataclass(frozen=True)
class Fronts:
    """Fronts, and the words that entering them takes.

    Parameters
    ----------
    steps
        (2, k) sets of steps, for theta = 1 and 2.
    scores
        (2, k) scores less theta M, the largest first; 0 for none.
    """

    steps: Masks
    scores: Int64Array


def new_flow() -> Flow:
    """Room for a minimum cut."""
    return Flow(
        np.zeros(64, FLOW),
        np.zeros((2, 64, 64), np.int64),
        np.empty(128, PATH),
        np.zeros(1, np.int64),
    )


def links(game: SmallGame) -> npt.NDArray[np.void]:
    """The results and the operands of the values of a game."""
    operands, result = game.operands.tolist(), game.result.tolist()
    above = [[result[v] for v in members(readers)] for readers in game.readers.tolist()]
    rows = np.empty(game.values.size, LINKS)
    rows["above"] = np.array([mask(r for r in row if r >= 0) for row in above], np.uint64)
    made_of = [operands[c] if c >= 0 else 0 for c in game.maker.tolist()]
    rows["made_of"] = np.array(made_of, np.uint64)
    return lock(rows)


def fronts(game: SmallGame) -> Fronts:
    """The fronts of `game` that say most: by their ancestors, and by height."""
    scores_of = _Scores(game)
    tried = sorted(scores_of.fronts(), key=int.bit_count)
    steps: list[list[int]] = []
    scores: list[list[int]] = []
    for theta in THETAS:
        scored = [scores_of.score(front, theta) - theta * game.memory for front in tried]
        kept = _least(list(zip(scored, tried, strict=True)))
        scores.append([score for score, _ in kept])
        steps.append([front for _, front in kept])
    size = max(map(len, steps))
    return Fronts(
        lock(np.array([row + [0] * (size - len(row)) for row in steps], np.uint64)),
        lock(np.array([row + [0] * (size - len(row)) for row in scores], np.int64)),
    )


def _least(scored: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those with a score, the largest first, without those that contain a better one."""
    kept: list[tuple[int, int]] = []
    for score, front in sorted(scored, key=lambda entry: -entry[0]):
        if score > 0 and all(front & better != better for _, better in kept):
            kept.append((score, front))
    return kept


class _Scores:
    """The cuts that bound the words of entering a front."""

    def __init__(self, game: SmallGame) -> None:
        self.game = game
        self.operands = game.operands.tolist()
        self.result = game.result.tolist()
        self.made = [1 << r if r >= 0 else 0 for r in self.result]
        self.everything = (1 << game.values.size) - 1
        costly = game.costly
        price = np.array([1 + (costly >> r & 1) for r in range(game.values.size)], np.int64)
        self._capacity = {theta: lock(game.sizes * np.minimum(theta, price)) for theta in THETAS}
        self._links, self._flow = links(game), new_flow()
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
        """The fronts that are tried."""
        steps = range(len(self.operands))
        computed = mask(r for r in self.result if r >= 0)
        origin = [below & ~computed for below in self.below]
        height = [0] * len(self.operands)
        for v in steps:
            height[v] = 1 + max((height[u] for u in members(self.before[v])), default=0)
        candidates = {self.after[v] for v in steps}
        candidates |= {mask(w for w in steps if height[w] >= lowest) for lowest in set(height)}
        candidates |= {mask(w for w in steps if origin[w] & origin[v] == origin[v]) for v in steps}
        ends = mask(v for v in steps if self.result[v] < 0)
        return (candidates | {ends}) - {0}

    def score(self, front: int, theta: int) -> int:
        """C - theta (K - M): the words of entering `front` with no memory at all."""
        first = [v for v in members(front) if not self.before[v] & front]
        forced = self.below[first[0]]
        for v in first:
            forced &= self.below[v]
        extra = min(self._extra(v) for v in first)
        return self._cut(front, forced, theta) + theta * extra

    def _extra(self, v: int) -> int:
        """The words that computing v takes from values before it."""
        size, outside = int(self.game.own[v]), int(self.game.outside[v])
        if not self.game.rules.sliding:
            return outside + size
        sizes = (int(self.game.sizes[r]) for r in members(self.operands[v]))
        return outside + max(0, size - max([int(self.game.replaceable[v]), *sizes]))

    def _cut(self, front: int, forced: int, theta: int) -> int:
        """The least c of alive values between those in `forced` and the front."""
        produced = ends = 0
        for v in members(front):
            produced |= self.made[v]
            ends |= self.operands[v]
        cut = Cut(
            sources=np.uint64(forced),
            ends=np.uint64(ends),
            region=np.uint64(self.everything & ~produced),
            cuttable=np.uint64(self.everything),
            capacity=self._capacity[theta],
            closed=True,
        )
        return int(minimum_cut(self._links, self._flow, cut))
