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
    """Return changes of loops that leave as few mixed as there can be, and the names of the new.

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
    own = [np.array(each) for each in itself]

    def mixed(forward: Int64Array, back: Int64Array) -> int:
        rows = [often @ back, *(forward @ each @ back for each in own)]
        return _beyond(tied @ back, PAIR) + sum(_beyond(each, 1) for each in rows)

    alone = forward = back = np.eye(width, dtype=np.int64)
    while True:
        tried = [(step @ forward, back @ undone) for step, undone in _steps(width)]
        best = min(tried, key=lambda one: mixed(*one))
        if mixed(*best) >= mixed(forward, back):
            break
        forward, back = best
    if (forward == alone).all():
        return []
    turns = sorted(product((1, -1), repeat=width), key=lambda signs: signs.count(-1))
    turned = [tuple(map(tuple, (np.diag(signs) @ forward).tolist())) for signs in turns]
    return [(rows, tuple(_sum(row, names) for row in rows)) for rows in turned]


def _beyond(rows: Int64Array, most: int) -> int:
    """Return how many loops there are in rows beyond so many in each."""
    return int(np.maximum(np.count_nonzero(rows, axis=1) - most, 0).sum())


def _steps(width: int) -> list[tuple[Int64Array, Int64Array]]:
    """Return changes that add a loop to another or take it off, and what undoes them."""
    alone = np.eye(width, dtype=np.int64)
    added = [(at, by) for at, by in permutations(range(width), 2)]
    units = [np.outer(alone[at], alone[by]) for at, by in added]
    return [(alone + sign * unit, alone - sign * unit) for unit in units for sign in (1, -1)]


def _sum(row: Row, names: Names) -> str:
    """Return the name of a sum of loops, the positive ones first."""
    parts = [(by, name) for by, name in zip(row, names, strict=True) if by]
    if down := all(by < 0 for by, _ in parts):
        parts = [(-by, name) for by, name in parts]
    parts.sort(key=lambda part: part[0] < 0)
    signs = ("-" if by < 0 else "+" for by, _ in parts)
    said = "".join(
        f"{sign}{abs(by) if abs(by) > 1 else ''}{name}"
        for sign, (by, name) in zip(signs, parts, strict=True)
    )
    return said.removeprefix("+") + " in steps of -1" * down
