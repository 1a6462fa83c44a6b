"""Boundaries in stencils, grids, pyramids and binomial trees, by `layers`, or a formula (S3).

**Large sets (S3).** Layers are points of Z^d, where a point reads its neighbourhood in the layer
before. Let every x > 0 points of a layer have (x^(1/d) + w)^d or more in their neighbourhoods,
those of readers and of operands being alike. Then a set of A vertices with a boundary of b has

    A <= b / (2 m w) (b / (4 - 2^(1-d)))^(1/d) + 3 b / (8 d),    m = d + 1, d >= 2.          (1)

Tables (`layers`, `corner_layers`) prove more, but are too long for large sets.

The proof is S3 in docs/theory/sets.md.

Source
------
Derived here. R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality for the integer lattice,
Transactions of the AMS 353, 2001.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import factorial, prod

from proofs.core.windows import FAR, Count
from proofs.lemmas.isoperimetry.boundary import Inverse, inverse
from proofs.lemmas.isoperimetry.corner_layers import between_corners
from proofs.lemmas.isoperimetry.layers import (
    REACH,
    between_layers,
    dominated_by_layers,
    lines_between,
    lines_dominated,
)
from proofs.lemmas.isoperimetry.neighbourhoods import Border, Points

Most = Callable[[int], int]  # the most vertices of a set with so many values in its boundary
MOST = 4096  # the most dominating values that are worth a table
MOST_SEEN = 2048  # the most points for which it is worth finding what they see in space


@dataclass(frozen=True)
class Continued:
    """The least boundary of a set, by a table for small sets, and by (1) for larger ones.

    Parameters
    ----------
    near
        The least boundary of a set of at most `reach` vertices.
    reach
        The largest set that `near` can be asked for.
    far
        The least boundary of larger ones.
    """

    near: Callable[[int], int]
    reach: int
    far: Inverse

    def __call__(self, size: int) -> int:
        """The least boundary, in values, of a set of `size` vertices."""
        return self.near(size) if size <= self.reach else self.far(size)


def most_vertices(boundary: int, d: int, volume: tuple[int, int]) -> int:
    """The most vertices that (1) allows, or a few more.

    Parameters
    ----------
    boundary
        b, in values.
    d
        Axes of a layer, 2 or more.
    volume
        w^d, as a numerator and a denominator.
    """
    numerator, denominator = volume
    # b (b / (c w^d))^(1/d), c = 4 - 2^(1-d), is the d-th root of b^(d+1) / (c w^d)
    above = boundary ** (d + 1) * denominator * 2 ** (d - 1)
    below = numerator * (2 ** (d + 1) - 1)
    root = least_root(-(-above // below), d)
    return root // (2 * (d + 1)) + 1 + -(-3 * boundary // (8 * d))


def most_between_corners(boundary: int, d: int) -> int:
    """The most vertices that (1) allows where points read themselves and d corners."""
    return most_vertices(boundary, d, (1, factorial(d)))


def most_between_stars(boundary: int, d: int) -> int:
    """The most vertices that (1) allows where points read stars."""
    if d == 2:
        return most_vertices(boundary, d, (2, 1)) - (-boundary // 8)
    return most_vertices(boundary, d, (d + 1, factorial(d)))


def most_between_boxes(boundary: int, d: int) -> int:
    """The most vertices that (1) allows where points read boxes."""
    return most_vertices(boundary, d, (2**d, 1))


def least_root(value: int, d: int) -> int:
    """The least whole number whose d-th power is `value` or more."""
    low, high = -1, 1 << -(-value.bit_length() // d)
    while high - low > 1:
        middle = (low + high) // 2
        if middle**d < value:
            low = middle
        else:
            high = middle
    return high


def stencil_two_sided(
    shape: tuple[int, ...], steps: int, neighbourhood: str = "star", periodic: bool = False
) -> list[list[Count]]:
    """The count of values that sets of `dags.stencil` read and pass on.

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
    """The count of values that sets of `dags.stencil` can be computed from."""
    sides, box = _sides(shape), neighbourhood == "box"
    points = prod(sides)
    kind: Border = "periodic" if periodic else "open"
    return [[_dominated(Points(sides, box, kind), steps * points, points)]]


def sweep_dominated(
    shape: tuple[int, ...], neighbourhood: str = "star", periodic: bool = False
) -> list[list[Count]]:
    """The count of values that sets of `dags.sweep` can be computed from: their reads.

    With borders there is the second way of `stencil_two_sided`: all that a vertex reads are
    inputs, so that the neighbours that are not there count once for each vertex.
    """
    sides, box = _sides(shape), neighbourhood == "box"
    points, missing = prod(sides), _missing(sides, len(sides), box)
    kinds: dict[Border, int] = {"periodic": 0} if periodic else {"open": 0, "endless": missing}
    return [[_seen(Points(sides, box, kind), points, extra)] for kind, extra in kinds.items()]


def grid_two_sided(shape: tuple[int, ...]) -> list[list[Count]]:
    """The count of values that sets of `dags.grid` read and pass on, in an endless grid.

    Layers are points with the same sum of coordinates. Waived are the input, the output, reads
    before it of points on the first face along an axis, and readers behind it of points on a last
    face.
    """
    sides = _sides(shape)
    points = prod(sides)
    before = sum(points // side - 1 for side in sides)
    behind = points - prod(side - 1 for side in sides) - 1
    if len(sides) < 2:
        return []
    waived = 2 + before + behind
    d = len(sides) - 1
    boundary = between_corners(d)
    if d == 1:
        return [[Count(points - 1, boundary, waived)]]
    return [[_continued(boundary, partial(most_between_corners, d=d), points - 1, waived)]]


def pyramid_two_sided(height: int) -> list[list[Count]]:
    """The count of values that sets of `dags.pyramid` read and pass on.

    x vertices of a row read at least x + 1, and would be read by x + 1 if the rows did not grow
    shorter: waived are the ends of all rows between the base and the top, h + 1 inputs, and the
    output.
    """
    computed = height * (height + 1) // 2
    return [[Count(computed, lines_between(1), waived=height + 2 + 2 * (height - 1))]]


def pyramid_dominated(height: int) -> list[list[Count]]:
    """The count of values that sets of `dags.pyramid` can be computed from."""
    computed = height * (height + 1) // 2
    return [[Count(computed, lines_dominated(1), waived=height + 1)]]


def binomial_two_sided(n: int) -> list[list[Count]]:
    """The count of values that sets of `dags.binomial` read and pass on.

    The pyramid turned round: waived are the input, n + 1 outputs, and reads of both ends of each
    row beyond the row before.
    """
    return [[Count(n * (n + 3) // 2, lines_between(1), waived=n + 2 + 2 * n)]]


def _between(beta: Points, vertices: int, waived: int) -> Count:
    if len(beta.shape) + beta.axes == 1:
        c, limit = _line(beta)
        return Count(vertices, lines_between(c, 2 * limit), waived)
    if beta.border == "endless":
        largest = _most(beta.shape, beta.box)
        return _continued(between_layers(beta), largest, vertices, waived)
    return Count(vertices, between_layers(beta), waived, reach=REACH)


def _continued(near: Callable[[int], int], largest: Most, vertices: int, waived: int) -> Count:
    return Count(vertices, Continued(near, REACH, inverse(largest)), waived)


def _most(sides: tuple[int, ...], box: bool) -> Most:
    """The most vertices with a boundary, between endless layers with so many axes."""
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

    def fewest(size: int) -> int:
        return int(seen[size])

    return Count(points, fewest, waived=points + extra, reach=seen.size - 1)


def _sides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The sides that are longer than 1."""
    return tuple(side for side in shape if side > 1)


def _partly_endless(sides: tuple[int, ...], axes: int, box: bool) -> Points:
    """The points of a grid that goes on along its first axes."""
    if axes == len(sides):
        return Points(sides, box, "endless")
    return Points(sides[axes:], box, "open", axes)


def _beyond(sides: tuple[int, ...], axes: int, box: bool, steps: int) -> int:
    """The words waived for the borders of the first axes of a stencil, in all its layers."""
    border = prod(sides) - prod(side - 2 for side in sides[:axes]) * prod(sides[axes:])
    return steps * _missing(sides, axes, box) + (steps - 1) * border


def _missing(sides: tuple[int, ...], axes: int, box: bool) -> int:
    """The neighbours that are not there along the first axes, each for each point."""
    if not box:
        return sum(2 * prod(sides) // side for side in sides[:axes])
    first_axes, across = (
        [3 * side - 2 for side in lengths] for lengths in (sides[:axes], sides[axes:])
    )
    missing: int = (3**axes * prod(sides[:axes]) - prod(first_axes)) * prod(across)
    return missing
