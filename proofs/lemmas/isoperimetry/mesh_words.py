"""Words of stencils and grids in closed form: windows of two-sided boundaries (C1).

With W windows of A vertices or more, each with a boundary of b = 2 (d + 1) K values or more, plays
move b W - 2 K (W - 1) words, less what lies beyond borders.

The proof is C1 in docs/theory/forms.md.
"""

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from proofs.lemmas.isoperimetry.meshes import (
    most_between_boxes,
    most_between_corners,
    most_between_stars,
)

Params = Mapping[str, Any]


def in_windows(updates: int, size: int, touched: int, carry: int) -> int | None:
    """The words that windows of `size` updates move, which touch so many; None for none.

    Parameters
    ----------
    updates
        How many there are.
    size, touched
        Updates in a window, and the words that these touch at least.
    carry
        Words that each window but the first may find in fast memory.
    """
    windows = updates // size
    return touched * windows - carry * (windows - 1) if windows else None


def _segments(vertices: int, carry: int, d: int, largest: Callable[[int, int], int]) -> int | None:
    """The words of windows with a boundary of 2 (d + 1) K values."""
    if carry < 1:
        return None
    boundary = 2 * (d + 1) * carry
    return in_windows(vertices, largest(boundary - 1, d) + 1, boundary, 2 * carry)


def stencil_words(p: Params, carry: int) -> int | None:
    """The words of a stencil without wrapping in two axes or more, None of others."""
    sides = [side for side in p["shape"] if side > 1]
    d, steps = len(sides), int(p["steps"])
    if d < 2 or p["periodic"]:
        return None
    box = p["neighbourhood"] == "box"
    points, largest = prod(sides), most_between_boxes if box else most_between_stars
    words = _segments(points * steps, carry, d, largest)
    border = points - prod(side - 2 for side in sides)
    if box:
        missing = 3**d * points - prod(3 * side - 2 for side in sides)
    else:
        missing = sum(2 * points // side for side in sides)
    return None if words is None else words - steps * missing - (steps - 1) * border


def grid_words(p: Params, carry: int) -> int | None:
    """The words of a grid in three axes or more, None of others."""
    sides = [side for side in p["shape"] if side > 1]
    d, points = len(sides) - 1, prod(sides)
    if d < 2:
        return None
    words = _segments(points - 1, carry, d, most_between_corners)
    before = sum(points // side - 1 for side in sides)
    behind = points - prod(side - 1 for side in sides) - 1
    return None if words is None else words - before - behind


def two_sided(c: int, vertices: int, carry: int) -> int | None:
    """The sum of boundaries of 4 K values, less 2 K at each cut.

    Parameters
    ----------
    c
        The values more that a layer reads than the one before.
    vertices, carry
        How many vertices are cut into windows, and K.
    """
    if carry < 1:
        return None
    within = (4 * carry - 1) ** 2
    largest = (within + 3) // 12 if c == 1 else (within + 36) // 24
    return in_windows(vertices, largest + 1, 4 * carry, 2 * carry)


def less(words: int | None, waived: int) -> int | None:
    """Words less what is waived; None for none."""
    return None if words is None else words - waived


def grid_form(p: Params, carry: int) -> int | None:
    """The words of a grid in two axes or more, None of others."""
    if sum(side > 1 for side in p["shape"]) > 2:
        return grid_words(p, carry)
    if len(p["shape"]) != 2 or min(p["shape"]) < 2:
        return None
    rows, columns = p["shape"]
    return less(two_sided(1, rows * columns - 1, carry), 2 * (rows + columns - 2))


def open_line(p: Params, carry: int) -> int | None:
    """The words of a stencil on a long line with borders, None of others."""
    side = line_of(p)
    if not side or p["periodic"] or 4 * carry > 2 * side:
        return None
    return two_sided(1, side * p["steps"], carry)


def endless(p: Params, carry: int) -> int | None:
    """The words of a stencil without wrapping, by boundaries without borders."""
    if sum(side > 1 for side in p["shape"]) > 1:
        return stencil_words({**p, "periodic": False}, carry)
    side = line_of(p)
    if not side or p["periodic"]:
        return None
    return less(two_sided(2, side * p["steps"], carry), 4 * p["steps"] - 2)


def line_of(p: Params) -> int:
    """The points of a stencil on a line, 0 if it is on none."""
    sides = [side for side in p["shape"] if side > 1]
    return sides[0] if len(sides) == 1 and sides[0] > 2 else 0
