"""Lattices and their tiles: which tiles and orders move least in the long run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, product
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array, Int64Array
from schedulers.families.lattice_patterns import _kernels
from schedulers.families.tiles import in_turn

Vector = tuple[int, ...]
System = tuple[Vector, ...]  # rows: coordinates in which no operand is ahead
Times = npt.NDArray[np.float64]
STEPS = 96  # that are played, at least, to see what a period moves
MOST_CLASSES = 40  # vertices of a tile whose order is searched for
SEARCHED = 16  # words up to which it is: beyond, nothing was found
ALONG = 3  # the longest such tile in the direction of its stream
TRIED, FINALISTS = 16, 3  # tiles
FEW_MOVES, MANY_MOVES = 1000, 6000
KEPT = (
    6  # patterns, for evictions are greedy, and a DAG has edges: the best one cannot be predicted
)
SEED = 1
MOST_MEMORY = 64  # words beyond which patterns gain a few percent at most
LARGE = 1 << 19  # points from which only the best pattern is tried
LEAST_POINTS, MOST_POINTS = 100, 1 << 21


@dataclass(frozen=True)
class Lattice:
    """A translation-invariant DAG: the same kinds of vertices at each point of a lattice.

    Parameters
    ----------
    reads
        For each kind its operands, as (kind, distance): at point x it reads the value at x -
        distance.
    """

    reads: tuple[tuple[tuple[int, Vector], ...], ...]

    @property
    def kinds(self) -> int:
        """Vertices at each point."""
        return len(self.reads)


@dataclass(frozen=True)
class Frame:
    """Cut of a lattice into tiles.

    With y for the coordinates of a point x, tile k has those with k_i sides_i <= y_i < (k_i + 1)
    sides_i. No operand is ahead in any coordinate, so that tiles can be played in lexicographic
    order. Those that differ in the last coordinate alone are a stream.

    Parameters
    ----------
    system
        Rows: the coordinates, as many as a point has itself.
    sides
        Of a tile.
    """

    system: System
    sides: Vector

    @cached_property
    def residues(self) -> Int64Array:
        """(points of a tile, coordinates): by the last coordinate, then by the others."""
        last, *others_ranges = (range(side) for side in (self.sides[-1], *self.sides[:-1]))
        box = np.array([(*across, last) for last, *across in product(last, *others_ranges)])
        return box[self._are_points(box)]

    @cached_property
    def is_sound(self) -> bool:
        """True if a step by a side, in any coordinate, leads from point to point."""
        return bool(self._are_points(np.diag(self.sides)).all())

    def _are_points(self, y: Int64Array) -> npt.NDArray[np.bool_]:
        """Which of (places, coordinates) are coordinates of a point."""
        x = np.linalg.solve(np.array(self.system, float), y.T.astype(float))
        return np.asarray((abs(x - x.round()) < 1e-6).all(axis=0))


@dataclass(frozen=True, eq=False)
class Stream:
    """A stream of tiles; arrays as in `_kernels`.

    Class c is kind c % kinds at point c // kinds of `Frame.residues`.
    """

    first: Int64Array
    slot: Int64Array
    back: Int64Array
    slots: int
    exported: npt.NDArray[np.uint8]

    @property
    def classes(self) -> int:
        """Vertices a period."""
        return self.exported.size

    @property
    def periods(self) -> int:
        """Number of tiles that are played to see how many words one moves."""
        return max(-(-STEPS // self.classes), 3)

    @property
    def least(self) -> float:
        """Words a vertex that are stored for other streams, and loaded from them once."""
        return (int(self.exported.sum()) + self.slots - self.classes) / self.classes

    @property
    def plain(self) -> Times:
        """(C,) times at which the classes follow each other."""
        return (np.arange(self.classes) + 0.5) / self.classes

    def words(self, due: Times, memory: int) -> float:
        """The words a vertex that are moved in the long run."""
        turn = np.arange(self.classes)
        _kernels.ranked(due, turn)
        short_run, long_run = (
            int(
                _kernels.traffic(
                    *(self.first, self.slot, self.back, self.slots, self.exported),
                    *(due, turn, periods, memory, _kernels.UNLIMITED),
                )
            )
            for periods in (self.periods, 4 * self.periods)
        )
        return (
            (long_run - short_run) / (3 * self.periods) + int(self.exported.sum())
        ) / self.classes

    def annealed(self, memory: int, moves: int, seed: int = 1) -> Times:
        """Times at which the classes move less, as found in so many moves."""
        due, best = self.plain, self.plain
        _kernels.anneal(
            *(self.first, self.slot, self.back, self.slots, self.exported),
            *(due, self.periods, memory, moves, np.uint64(seed), best),
        )
        return best


@lru_cache(maxsize=1 << 12)
def stream(lattice: Lattice, frame: Frame) -> Stream:
    """The stream of a lattice that is cut so.

    Raises
    ------
    ValueError
        If an operand is ahead in some coordinate, or the frame is not sound.
    """
    if not frame.is_sound:
        raise ValueError(f"a step by a side of {frame} does not lead from point to point")
    points = frame.residues
    number = np.full(frame.sides, -1)
    number[tuple(points.T)] = np.arange(len(points))
    operands: list[list[tuple[int, int]]] = [[] for _ in range(len(points) * lattice.kinds)]
    outside: dict[tuple[int, ...], int] = {}
    exported = np.zeros(len(operands), np.uint8)
    for kind, reads in enumerate(lattice.reads):
        for source, distance in reads:
            step = np.array(frame.system) @ np.array(distance)
            if (step < 0).any():
                raise ValueError(f"operand at distance {distance} is ahead in {frame}")
            tile, residue = np.divmod(points - step, frame.sides)
            read = number[tuple(residue.T)] * lattice.kinds + source
            for reader, (k, slot) in enumerate(zip(tile.tolist(), read.tolist(), strict=True)):
                if any(k[:-1]):
                    exported[slot] = 1
                    slot = len(operands) + outside.setdefault((*k[:-1], slot), len(outside))
                operands[reader * lattice.kinds + kind].append((slot, -k[-1]))
    sizes = [len(row) for row in operands]
    slot, back = np.array([slot_of_operand for row in operands for slot_of_operand in row]).T
    slots = len(operands) + len(outside)
    return Stream(np.cumsum([0, *sizes]), slot.copy(), back.copy(), slots, exported)


class Pattern(NamedTuple):
    """An order of a lattice.

    Attributes
    ----------
    words
        That it moves in the long run, a vertex.
    frame
        How the lattice is cut into tiles.
    due
        (classes of `stream`,) class c of tile k of a stream is computed at time k + due[c], where
        the tiles of a stream follow each other in time.
    """

    words: float
    frame: Frame
    due: Times


@lru_cache(maxsize=256)
def best_patterns(
    lattice: Lattice, systems: tuple[System, ...], memory: int
) -> tuple[Pattern, ...]:
    """The best orders found for the points of tiles, as far as better, and the plain one.

    - *Plain.* Tiles of all shapes that may fit are played for some periods, their points in the
      order of their coordinates, and evictions as by `belady_cost`.
    - *Found.* With little memory the order of tiles is annealed, as times at which the vertices of
      a tile are computed: it may begin the next tiles of its stream before it ends. Of the tiles
      that would move less with room enough for all that their streams keep, those that would
      gain least are tried first, for they need least room. The moves are so many, with a seed,
      so that the patterns are the same every time.

    Parameters
    ----------
    lattice
        The vertices of one point of the lattice, and their operands.
    systems
        Coordinates in which tiles may be boxes.
    memory
        Words of fast memory.
    """
    frames = [Frame(system, sides) for system in systems for sides in _sides(system, memory, 1)]
    plain = min(
        (_plain(lattice, frame, memory) for frame in frames), key=lambda pattern: pattern.words
    )
    hopeful = _hopeful(lattice, systems, memory, plain.words) if memory <= SEARCHED else []
    patterns = _searched(lattice, hopeful, memory)
    better = [pattern for pattern in patterns if pattern.words < plain.words]
    return (*better[:KEPT], plain)


def _plain(lattice: Lattice, frame: Frame, memory: int) -> Pattern:
    pattern_stream = stream(lattice, frame)
    return Pattern(pattern_stream.words(pattern_stream.plain, memory), frame, pattern_stream.plain)


def _searched(lattice: Lattice, frames: list[Frame], memory: int) -> list[Pattern]:
    """The patterns found by annealing in these frames, the best first."""
    patterns: list[Pattern] = []
    for moves, kept in ((FEW_MOVES, FINALISTS), (MANY_MOVES, 1)):
        patterns += [_annealed(lattice, frame, memory, moves) for frame in frames]
        patterns.sort(key=lambda pattern: pattern.words)
        frames = [pattern.frame for pattern in patterns[:kept]]
    return patterns


def _annealed(lattice: Lattice, frame: Frame, memory: int, moves: int) -> Pattern:
    pattern_stream = stream(lattice, frame)
    due = pattern_stream.annealed(memory, moves, SEED)
    return Pattern(pattern_stream.words(due, memory), frame, due)


def _hopeful(
    lattice: Lattice, systems: tuple[System, ...], memory: int, limit: float
) -> list[Frame]:
    """Frames whose streams would move less than `limit` with room enough, most first."""
    best_frames: dict[tuple[float, int, System], Frame] = {}
    for system in systems:
        for sides in _sides(system, memory, ALONG):
            frame = Frame(system, sides)
            size = len(frame.residues) * lattice.kinds
            if size <= MOST_CLASSES:
                best_frames.setdefault((stream(lattice, frame).least, -size, system), frame)
    hopeful = sorted((key for key in best_frames if key[0] < limit), reverse=True)
    return [best_frames[key] for key in hopeful[:TRIED]]


def _sides(system: System, memory: int, axis: int) -> Iterator[Vector]:
    """Yield sides of sound tiles that may fit into `memory`, of about equal length across."""
    across = len(system) - 1
    sparsity = round(abs(np.linalg.det(np.array(system))))
    longest = memory if across == 1 else 2 * round(memory**0.5) + 1
    for sides in product(*(range(1, longest + 1) for _ in range(across))):
        even = prod(sides) <= memory * sparsity and max(sides) <= 2 * min(sides) + 2
        if even or across == 1:
            lengths = (h for h in range(1, axis * sparsity + 1))
            sound = (h for h in lengths if Frame(system, (*sides, h)).is_sound)
            yield from ((*sides, h) for h in islice(sound, axis))


def pattern_orders(
    lattice: Lattice,
    systems: tuple[System, ...],
    memory: int,
    count: int,
    points: Callable[[], Int64Array],
) -> Iterator[Int32Array]:
    """Yield the orders by `pattern_order` of the best patterns, where memory is small.

    Parameters
    ----------
    lattice
        The lattice that the DAG is part of.
    systems
        Coordinates in which tiles may be cut.
    memory
        Words of fast memory.
    count
        How many points there are.
    points
        Makes their coordinates, as in `pattern_order`.
    """
    if memory <= MOST_MEMORY and LEAST_POINTS <= count <= MOST_POINTS:
        patterns = best_patterns(lattice, systems, memory)
        for pattern in patterns[: 1 if count > LARGE else None]:
            yield pattern_order(pattern, points(), lattice.kinds)


def pattern_order(pattern: Pattern, points: Int64Array, kinds: int = 1) -> Int32Array:
    """The places of the vertices at `points` in the order of a pattern.

    Parameters
    ----------
    pattern
        An order of the lattice.
    points
        (coordinates of the lattice, points).
    kinds
        Vertices at each point: vertex v is of kind v % kinds at point v // kinds.
    """
    frame = pattern.frame
    residues = frame.residues
    number = np.zeros(frame.sides, np.int64)
    number[tuple(residues.T)] = np.arange(len(residues))
    tiles, within = [], np.zeros(points.shape[1], np.int64)
    for row, side in zip(frame.system, frame.sides, strict=True):
        tile, residue = np.divmod(np.array(row) @ points, side)
        tiles.append(np.repeat(tile, kinds))
        within = within * side + residue
    classes = number.reshape(-1)[within]
    classes = (classes[:, None] * kinds + np.arange(kinds)).reshape(-1)
    turn = np.argsort(np.argsort(pattern.due % 1, kind="stable"))
    tiles[-1] = tiles[-1] + np.floor(pattern.due).astype(np.int64)[classes]
    total = np.zeros(classes.size, np.int64)
    for key in (*tiles, turn[classes]):
        low = key.min(initial=0)
        total = total * (key.max(initial=0) - low + 1) + key - low
    return in_turn(total).astype(np.int32)
