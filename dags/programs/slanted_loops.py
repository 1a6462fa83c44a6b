"""Slanted loops, `for d < n - i`, as loops to where they lead: `j = i + d`.

Where an array is filled by diagonals, conditions and indices mix loops; sums or differences of two
loops say the same with fewer of them, and then the triangle is one of differences, which formulas
count, and an index is a loop.
"""

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np

from dags.arrays import Int64Array
from dags.programs.tied_loops import Row

MOST_LOOPS = 5  # of which sums are tried
PAIR = 2
Names = tuple[str, ...]


def upright(
    ties: Sequence[Row], indices: Sequence[Row], itself: Sequence[Sequence[Row]], names: Names
) -> list[tuple[tuple[Row, ...], Names]]:
    """Changes of loops that leave as few mixed as there can be, and the names of the new.

    All of them have the same loops, in all directions; there is none where no change helps.

    Parameters
    ----------
    ties, indices
        The coefficients of conditions, and of indices.
    itself
        Of each read of the assignment's own values the coefficients of the loops that made them.
    names
        Of the loops.
    """
    width = len(names)
    if not 1 < width <= MOST_LOOPS or not ties:
        return []
    tied, often = np.array(ties), np.array([*indices, (0,) * width])
    self_reads = [np.array(matrix) for matrix in itself]

    def mixed(forward: Int64Array, back: Int64Array) -> int:
        rows = [often @ back, *(forward @ matrix @ back for matrix in self_reads)]
        return _beyond(tied @ back, PAIR) + sum(_beyond(row, 1) for row in rows)

    identity = forward = back = np.eye(width, dtype=np.int64)
    while True:
        tried = [(step @ forward, back @ undone) for step, undone in _steps(width)]
        best = min(tried, key=lambda change: mixed(*change))
        if mixed(*best) >= mixed(forward, back):
            break
        forward, back = best
    if (forward == identity).all():
        return []
    turns = sorted(product((1, -1), repeat=width), key=lambda signs: signs.count(-1))
    turned = [tuple(map(tuple, (np.diag(signs) @ forward).tolist())) for signs in turns]
    return [(rows, tuple(_sum(row, names) for row in rows)) for rows in turned]


def _beyond(rows: Int64Array, limit: int) -> int:
    """How many loops there are in rows beyond so many in each."""
    return int(np.maximum(np.count_nonzero(rows, axis=1) - limit, 0).sum())


def _steps(width: int) -> list[tuple[Int64Array, Int64Array]]:
    """Return changes that add a loop to another or take it off, and what undoes them."""
    identity = np.eye(width, dtype=np.int64)
    added = [(target, source) for target, source in permutations(range(width), 2)]
    units = [np.outer(identity[target], identity[source]) for target, source in added]
    return [(identity + sign * unit, identity - sign * unit) for unit in units for sign in (1, -1)]


def _sum(row: Row, names: Names) -> str:
    """The name of a sum of loops, the positive ones first."""
    parts = [
        (coefficient, name) for coefficient, name in zip(row, names, strict=True) if coefficient
    ]
    if down := all(coefficient < 0 for coefficient, _ in parts):
        parts = [(-coefficient, name) for coefficient, name in parts]
    parts.sort(key=lambda part: part[0] < 0)
    signs = ("-" if coefficient < 0 else "+" for coefficient, _ in parts)
    text = "".join(
        f"{sign}{abs(coefficient) if abs(coefficient) > 1 else ''}{name}"
        for sign, (coefficient, name) in zip(signs, parts, strict=True)
    )
    return text.removeprefix("+") + " in steps of -1" * down
