"""Boundaries in stencils, grids, pyramids and binomial trees, by `layers` and `spaces`."""

from collections.abc import Callable
from functools import partial
from math import prod

from proofs.core.windows import FAR, Count
from proofs.lemmas.isoperimetry.boundary import inverse
from proofs.lemmas.isoperimetry.corner_layers import between_corners
from proofs.lemmas.isoperimetry.layers import (
    REACH,
    between_layers,
    dominated_by_layers,
    lines_between,
    lines_dominated,
)
from proofs.lemmas.isoperimetry.neighbourhoods import Border, Points
from proofs.lemmas.isoperimetry.spaces import (
    Continued,
    Most,
    most_between_boxes,
    most_between_corners,
    most_between_stars,
)

MOST = 4096  # the most dominating values that are worth a table
MOST_SEEN = 2048  # the most points for which it is worth finding what they see in space


def stencil_two_sided(
    shape: tuple[int, ...], steps: int, neighbourhood: str = "star", periodic: bool = False
) -> list[list[Count]]:
    """Return what sets of vertices of `dags.stencil` read and pass on.

    With borders there are more ways: to think of the grid as endless along none of its axes, or
    one, or more, the longest ones, and to waive, of every layer that is read, each neighbour that
    is not there along them, once for each point that would read it, and, of every layer but the
    last, each point at these borders, which might be needed only there. Where axes close to rings
    there is that way too, with all of them endless: more is read, and each value is still read by
    its own point, so that none becomes an output.
    """
    sides, box = _sides(shape), neighbourhood == "box"
    points, ways = prod(sides), range(len(sides) + 1)
    longest = tuple(sorted(sides, reverse=True))
    waived = [2 * points + _beyond(longest, axes, box, steps) for axes in ways]
    if periodic:
        rings = _between(Points(sides, box, "periodic"), steps * points, 2 * points)
        if len(sides) < 2:
            return [[rings]]
        return [[rings], [Count(steps * points, inverse(_most(sides, box)), waived[-1])]]
    return [
        [_between(_partly_endless(longest, axes, box), steps * points, waived[axes])]
        for axes in ways
    ]


def stencil_dominated(
    shape: tuple[int, ...], steps: int, neighbourhood: str = "star", periodic: bool = False
) -> list[list[Count]]:
    """Return what sets of vertices of `dags.stencil` can be computed from."""
    sides, box = _sides(shape), neighbourhood == "box"
    points = prod(sides)
    kind: Border = "periodic" if periodic else "open"
    return [[_dominated(Points(sides, box, kind), steps * points, points)]]


def sweep_dominated(
    shape: tuple[int, ...], neighbourhood: str = "star", periodic: bool = False
) -> list[list[Count]]:
    """Return what sets of vertices of `dags.sweep` can be computed from: what they read.

    With borders there is the second way of `stencil_two_sided`: all that a vertex reads are
    inputs, so that the neighbours that are not there count once for each vertex.
    """
    sides, box = _sides(shape), neighbourhood == "box"
    points, missing = prod(sides), _missing(sides, len(sides), box)
    kinds: dict[Border, int] = {"periodic": 0} if periodic else {"open": 0, "endless": missing}
    return [[_seen(Points(sides, box, kind), points, extra)] for kind, extra in kinds.items()]


def grid_two_sided(shape: tuple[int, ...]) -> list[list[Count]]:
    """Return what sets of vertices of `dags.grid` read and pass on, in an endless grid.

    Layers are points with the same sum of coordinates. Waived are the input, the output, what
    points on the first face along an axis would read before it, and what points on a last face
    might be needed for behind it.
    """
    sides = _sides(shape)
    points = prod(sides)
    before = sum(points // side - 1 for side in sides)
    behind = points - prod(side - 1 for side in sides) - 1
    if len(sides) < 2:
        return []
    waived = 2 + before + behind
    d = len(sides) - 1
    least = between_corners(d)
    if d == 1:
        return [[Count(points - 1, least, waived)]]
    return [[_continued(least, partial(most_between_corners, d=d), points - 1, waived)]]


def pyramid_two_sided(height: int) -> list[list[Count]]:
    """Return what sets of vertices of `dags.pyramid` read and pass on.

    x vertices of a row read at least x + 1, and would be read by x + 1 if the rows did not grow
    shorter: waived are the ends of all rows between the base and the top, h + 1 inputs, and the
    output.
    """
    computed = height * (height + 1) // 2
    return [[Count(computed, lines_between(1), waived=height + 2 + 2 * (height - 1))]]


def pyramid_dominated(height: int) -> list[list[Count]]:
    """Return what sets of vertices of `dags.pyramid` can be computed from."""
    computed = height * (height + 1) // 2
    return [[Count(computed, lines_dominated(1), waived=height + 1)]]


def binomial_two_sided(n: int) -> list[list[Count]]:
    """Return what sets of vertices of `dags.binomial` read and pass on.

    The pyramid turned round: waived are the input, n + 1 outputs, and what both ends of each
    row would read beyond the row before.
    """
    return [[Count(n * (n + 3) // 2, lines_between(1), waived=n + 2 + 2 * n)]]


def _between(beta: Points, vertices: int, waived: int) -> Count:
    if len(beta.shape) + beta.axes == 1:
        c, limit = _line(beta)
        return Count(vertices, lines_between(c, 2 * limit), waived)
    if beta.border == "endless":
        most = _most(beta.shape, beta.box)
        return _continued(between_layers(beta), most, vertices, waived)
    return Count(vertices, between_layers(beta), waived, reach=REACH)


def _continued(near: Callable[[int], int], most: Most, vertices: int, waived: int) -> Count:
    return Count(vertices, Continued(near, REACH, inverse(most)), waived)


def _most(sides: tuple[int, ...], box: bool) -> Most:
    """Return the most vertices with a boundary, between endless layers with so many axes."""
    return partial(most_between_boxes if box else most_between_stars, d=len(sides))


def _dominated(beta: Points, vertices: int, waived: int) -> Count:
    if len(beta.shape) == 1:
        c, limit = _line(beta)
        return Count(vertices, lines_dominated(c, limit), waived)
    return Count(vertices, dominated_by_layers(beta, min(MOST, waived)), waived)


def _line(beta: Points) -> tuple[int, int]:
    """Return c, and from how many vertices of a layer on more than c need not be seen."""
    side = beta.shape[0]
    if beta.border == "endless":
        return 2, FAR
    return (2, side - 1) if beta.border == "periodic" else (1, side)


def _seen(beta: Points, points: int, extra: int) -> Count:
    seen = beta(min(points, REACH if len(beta.shape) < 3 else MOST_SEEN))

    def least(size: int) -> int:
        return int(seen[size])

    return Count(points, least, waived=points + extra, reach=seen.size - 1)


def _sides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sides that are longer than 1."""
    return tuple(side for side in shape if side > 1)


def _partly_endless(sides: tuple[int, ...], axes: int, box: bool) -> Points:
    """Return the points of a grid that goes on along its first axes."""
    if axes == len(sides):
        return Points(sides, box, "endless")
    return Points(sides[axes:], box, "open", axes)


def _beyond(sides: tuple[int, ...], axes: int, box: bool, steps: int) -> int:
    """Return what is waived for the borders of the first axes of a stencil, in all its layers."""
    border = prod(sides) - prod(side - 2 for side in sides[:axes]) * prod(sides[axes:])
    return steps * _missing(sides, axes, box) + (steps - 1) * border


def _missing(sides: tuple[int, ...], axes: int, box: bool) -> int:
    """Return the neighbours that are not there along the first axes, each for each point."""
    if not box:
        return sum(2 * prod(sides) // side for side in sides[:axes])
    along, across = ([3 * side - 2 for side in some] for some in (sides[:axes], sides[axes:]))
    missing: int = (3**axes * prod(sides[:axes]) - prod(along)) * prod(across)
    return missing
