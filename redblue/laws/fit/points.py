"""Points of a curve that show its law, and effects of small memories and DAGs, which bend it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf, log2, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG, Computation
from pebble import ONE_SHOT, Rules, compulsory_words, min_memory
from redblue.answers.balance.balance import work_of

OVERHEAD = 2  # words beside a tile: a new value, and one that passes
SINGLE = ("merge_sort", "prefix_scan")  # nothing passes there
GRID_SHARE = 4  # tiles on the shortest side of a grid, at least
STENCIL_SHARE = 3  # the same for a stencil, whose tiles are narrower than their memory is large


def overhead_of(dag: CDAG | Computation, rules: Rules = ONE_SHOT) -> int:
    """The words of a memory that hold no tile.

    Passes of e levels take r^e words and r with radix r; merges of 2^e lists one beside a key of
    each; strips of a stencil on a line, whose order is searched for with little memory, no more,
    and those of w comparators are 2w keys in 2w words. Where results slide, the new value needs
    none.
    """
    slides = int(rules.sliding)
    if dag.family == "fft":
        return int(dag.params["radix"]) - slides
    if dag.family == "odd_even_transposition_sort":
        return 0
    line = dag.family == "stencil" and len(dag.params["shape"]) == 1
    return (1 if line or dag.family in SINGLE else OVERHEAD) - slides


def once_of(dag: CDAG) -> float:
    """The words that are moved once, whatever the memory, as far as that bends the law.

    These are the outputs; where strips sort keys by transposition, all keys come in and go out
    beside the exchanges of the strips. Grids and stencils have faces instead, where tiles end for
    nothing: with k tiles on a side only k - 1 cuts are paid, 2 words at each of a grid's points and
    4 at each of a stencil's, so that the words of one cut on each side are missing: a negative
    number.
    """
    if dag.family == "odd_even_transposition_sort":
        return float(compulsory_words(dag))
    if dag.family not in ("grid", "stencil"):
        return float(dag.words_of(dag.outputs))
    shape: tuple[int, ...] = dag.params["shape"]
    if dag.family == "grid":
        return -2.0 * (len(shape) - 1) * prod(shape) / min(shape)
    return -4.0 * len(shape) * prod(shape) * int(dag.params["steps"]) / min(shape)


def largest_of(dag: CDAG | Computation) -> float:
    """The largest memory at which tiles are small against the DAG; infinity if unknown.

    The first pass of a sorting network sorts blocks of 2^e keys on e (e + 1) / 2 levels, and takes
    so many of few stages that powers look better than the logarithm: e is to be a third of the
    stages, and one more, at most.
    """
    return LARGEST[dag.family](dag.params) if dag.family in LARGEST else inf


def widest_network_pass(n: int) -> int:
    """The most levels of a pass that are few against the stages of a network of n keys."""
    return depth_of(n) // 3 + 1


def depth_of(n: int, base: int = 2) -> int:
    """The levels of a butterfly on n points."""
    depth = 0
    while base**depth < n:
        depth += 1
    return depth


def _network(params: Mapping[str, Any]) -> float:
    return float(2 ** widest_network_pass(params["n"]) + OVERHEAD)


def _grid(params: Mapping[str, Any]) -> float:
    shape = params["shape"]
    return float((min(shape) / GRID_SHARE) ** (len(shape) - 1) + OVERHEAD)


def _stencil(params: Mapping[str, Any]) -> float:
    shape = params["shape"]
    return float((min(shape) / STENCIL_SHARE) ** len(shape) + OVERHEAD)


LARGEST: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "bitonic_sort": _network,
    "grid": _grid,
    "odd_even_merge_sort": _network,
    "stencil": _stencil,
}


Floats = npt.NDArray[np.float64]

# Below this multiple of the smallest memory, tiles are too small to show a law.
SMALLEST = 1.5
# Below this multiple of the compulsory I/O, the curve shows that the DAG is finite.
CLEAR_OF_COMPULSORY = 1.8
# A play counts as another one if the one before moved more than this multiple of its I/O.
EVEN = 1.002


@dataclass(frozen=True)
class Points:
    """A computation and the words that it moves at each size of memory, by rising size.

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
        Words that are moved once whatever the memory, see `redblue.laws.fit.points`; 0 if unknown.
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
        """The points that `keep` (k,) marks."""
        return replace(self, memories=self.memories[keep], ios=self.ios[keep])


def points_of(
    dag: CDAG,
    points: Iterable[tuple[int, int]],
    *,
    rules: Rules = ONE_SHOT,
) -> Points:
    """The points of a curve, by rising memory, where any words are moved.

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
    """The points from which a growing law can be read.

    Left out are memories that hold no tile worth the name, or tiles that are large against the DAG;
    sizes where little more than the compulsory words move, for there the DAG ends and no law shows;
    and the treads of staircases: a memory that moves as much as a smaller one.
    """
    large = (points.memories >= SMALLEST * points.least) & (points.effective > 1)
    large &= points.memories <= points.largest
    clear = points.ios > CLEAR_OF_COMPULSORY * points.compulsory
    clear &= points.ios > points.once
    before = np.concatenate(([np.inf], points.ios[:-1]))
    return points.where(large & clear & (points.ios * EVEN < before))
