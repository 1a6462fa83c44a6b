"""Points of a curve: those that show the law, and those that show that the DAG is finite."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log2

import numpy as np
import numpy.typing as npt

from dags import CDAG
from pebble import ONE_SHOT, Rules, compulsory_words, min_memory
from redblue.answers.balance.balance import work_of
from redblue.laws.fit.finite import OVERHEAD, largest_of, once_of, overhead_of

Floats = npt.NDArray[np.float64]

# Below this multiple of the smallest memory, tiles are too small to show a law.
SMALLEST = 1.5
# Below this multiple of the compulsory I/O, the curve shows that the DAG is finite.
CLEAR_OF_COMPULSORY = 1.8
# A play counts as another one if the one before moved more than this multiple of its I/O.
EVEN = 1.002


@dataclass(frozen=True)
class Points:
    """A computation and what it moves at some sizes of memory, by rising size.

    Parameters
    ----------
    memories
        (k,) words of fast memory.
    ios
        (k,) words moved, not rising.
    work
        Operations of the computation.
    compulsory
        Words that every play moves; 0 if unknown.
    once
        Words that are moved once whatever the memory, see `redblue.laws.fit.finite`; 0 if unknown.
    least
        The smallest memory that can play.
    words
        Words of all values: more memory than that is of no use.
    overhead
        Words of the memory that hold no tile.
    largest
        The largest memory at which no tile is large against the DAG.
    """

    memories: Floats
    ios: Floats
    work: int
    compulsory: int = 0
    once: float = 0
    least: int = 1
    words: float = np.inf
    overhead: int = OVERHEAD
    largest: float = np.inf

    @property
    def ratios(self) -> Floats:
        """(k,) operations for a word that is moved."""
        return self.work / self.ios

    @property
    def net_ratios(self) -> Floats:
        """(k,) the same without the words that are moved once."""
        return self.work / (self.ios - self.once)

    @property
    def effective(self) -> Floats:
        """(k,) words of fast memory that can hold a tile."""
        return self.memories - self.overhead

    @property
    def octaves(self) -> float:
        """Octaves of effective memory."""
        if self.memories.size < 2:
            return 0.0
        return log2(float(self.effective[-1] / self.effective[0]))

    def where(self, keep: npt.NDArray[np.bool_]) -> "Points":
        """Return the points that `keep` (k,) marks."""
        return replace(self, memories=self.memories[keep], ios=self.ios[keep])


def points_of(
    dag: CDAG,
    points: Iterable[tuple[int, int]],
    *,
    rules: Rules = ONE_SHOT,
) -> Points:
    """Return the points of a curve, by rising memory, where any words are moved.

    A schedule that is legal with M words is legal with more: each I/O is replaced by the least
    with as much memory or less.

    Parameters
    ----------
    dag
        The computation.
    points
        Pairs (memory, io) of schedules of `dag`, in words.
    rules
        The rules of the game.
    """
    known = sorted((memory, io) for memory, io in points if io > 0)
    memories = np.array([memory for memory, _ in known], float)
    ios = np.minimum.accumulate(np.array([io for _, io in known], float)) if known else memories
    return Points(
        memories,
        ios,
        work_of(dag),
        compulsory=int(compulsory_words(dag)),
        once=once_of(dag),
        least=min_memory(dag, rules=rules),
        words=float(dag.sizes.sum()),
        overhead=overhead_of(dag, rules),
        largest=largest_of(dag),
    )


def telling(points: Points) -> Points:
    """Return the points from which a growing law can be read.

    Left out are memories that hold no tile worth the name, or tiles that are large against the
    DAG; sizes where little more than the compulsory words move, for there the DAG ends and no law
    shows; and the treads of staircases: a memory that moves what a smaller one moves.
    """
    large = (points.memories >= SMALLEST * points.least) & (points.effective > 1)
    large &= points.memories <= points.largest
    clear = points.ios > CLEAR_OF_COMPULSORY * points.compulsory
    clear &= points.ios > points.once
    before = np.concatenate(([np.inf], points.ios[:-1]))
    return points.where(large & clear & (points.ios * EVEN < before))
