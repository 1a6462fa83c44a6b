"""The order of a DAG that is part of a lattice."""

from collections.abc import Callable, Iterator

import numpy as np

from dags.arrays import Int32Array, Int64Array
from schedulers.families.lattice_patterns.lattices import Lattice, System
from schedulers.families.lattice_patterns.patterns import Pattern, best_patterns
from schedulers.families.stable_sort import in_turn

MOST_MEMORY = 64  # words beyond which patterns gain a few percent at most
LARGE = 1 << 19  # points from which only the best pattern is tried
LEAST_POINTS, MOST_POINTS = 100, 1 << 21


def pattern_orders(
    lattice: Lattice,
    systems: tuple[System, ...],
    memory: int,
    count: int,
    points: Callable[[], Int64Array],
) -> Iterator[Int32Array]:
    """Yield what `pattern_order` makes of the best patterns, where memory is small.

    Parameters
    ----------
    lattice
        What the DAG is part of.
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
    """Return the places of the vertices at `points` in the order of a pattern.

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
