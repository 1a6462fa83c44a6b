"""Closed forms of grids in three and four axes and of stencils in two to four, by `segments`.

`proofs.lemmas.isoperimetry.spaces` has the boundaries of sets of vertices in layers
with d axes. Windows of more vertices than it allows for b - 1 have a boundary of b; b = 2 (d + 1) K
is best. Grids are thought of as endless, and what is missing at borders is waived (`meshes` there).
"""

from collections.abc import Callable
from math import prod

from proofs.closed_forms.form import Params, in_windows
from proofs.lemmas.isoperimetry.spaces import (
    most_between_boxes,
    most_between_corners,
    most_between_stars,
)


def _segments(vertices: int, carry: int, d: int, most: Callable[[int, int], int]) -> int | None:
    """Return what windows with a boundary of 2 (d + 1) K values move."""
    if carry < 1:
        return None
    boundary = 2 * (d + 1) * carry
    return in_windows(vertices, most(boundary - 1, d) + 1, boundary, 2 * carry)


def stencil_words(p: Params, carry: int) -> int | None:
    """Return what a stencil without wrapping in two axes or more moves, None of others."""
    sides = [side for side in p["shape"] if side > 1]
    d, steps = len(sides), int(p["steps"])
    if d < 2 or p["periodic"]:
        return None
    box = p["neighbourhood"] == "box"
    points, most = prod(sides), most_between_boxes if box else most_between_stars
    words = _segments(points * steps, carry, d, most)
    border = points - prod(side - 2 for side in sides)
    if box:
        missing = 3**d * points - prod(3 * side - 2 for side in sides)
    else:
        missing = sum(2 * points // side for side in sides)
    return None if words is None else words - steps * missing - (steps - 1) * border


def grid_words(p: Params, carry: int) -> int | None:
    """Return what a grid in three axes or more moves, None of others."""
    sides = [side for side in p["shape"] if side > 1]
    d, points = len(sides) - 1, prod(sides)
    if d < 2:
        return None
    words = _segments(points - 1, carry, d, most_between_corners)
    before = sum(points // side - 1 for side in sides)
    behind = points - prod(side - 1 for side in sides) - 1
    return None if words is None else words - before - behind


SIZE = (
    "b W - 2 K (W - 1) - borders, b = 2 (d + 1) K, W = [V / A], A the least whole number above "
    "b / (2 (d + 1) w) (b / (4 - 2^(1-d)))^(1/d) + 3 b / (8 d)"
)
GRID = f"{SIZE}, d one less than the axes, w = (1 / d!)^(1/d)"
STENCIL = (
    f"{SIZE} (+ b / 8 for stars in 2-D), w = 2 for boxes, ((d + 1) / d!)^(1/d) for stars, "
    "sqrt(2) in 2-D"
)
