"""Communication density of discrete wires, straight or bent, averaged over a small ball."""

from collections.abc import Iterator
from itertools import product
from math import ceil, gamma, pi

import numpy as np
import numpy.typing as npt

from redblue.answers.hardware.validation import InvalidMachineError, require_positive, require_whole

Points = npt.NDArray[np.float64]
MOST_PAIRS = 1 << 26
AT_ONCE = 1 << 18  # pairs


def lattice_ball(dimensions: int, radius: float, processors: int) -> tuple[Points, float]:
    """Return (n, K) the points of a cubic lattice in a ball, about `processors`, and their spacing.

    Parameters
    ----------
    dimensions
        K.
    radius
        Metres.
    processors
        How many there should be.
    """
    require_whole(1, dimensions=dimensions, processors=processors)
    require_positive(radius=radius)
    if processors**2 > MOST_PAIRS:
        raise InvalidMachineError(f"{processors:,} processors have more pairs than {MOST_PAIRS:,}")
    volume = pi ** (dimensions / 2) / gamma(dimensions / 2 + 1) * radius**dimensions
    spacing = (volume / processors) ** (1 / dimensions)
    side = np.arange(-ceil(radius / spacing), ceil(radius / spacing)) + 0.5
    points = spacing * np.array(list(product(side, repeat=dimensions)))
    return points[(points**2).sum(1) <= radius**2], spacing


def wired_flux(
    points: Points,
    place: Points,
    probe: float,
    *,
    order: float = 0.0,
    near: float = 1.0,
    bent: bool = False,
) -> float:
    """Return Phi of discrete wires near `place`, bits / (s m^(K-1)).

    Each processor has a wire to each other one, in which I(d) bits pass a second: near^-M up to
    `near` and d^-M beyond. A length l of a wire in the probe is I l bits metres / s; all of them,
    over the volume of the probe, are the spatial average of Phi.

    Parameters
    ----------
    points
        (n, K) metres, processors.
    place
        (K,) metres, the middle of the probe.
    probe
        Radius of the ball over which wires are averaged, metres.
    order, near
        M, and the distance up to which I is constant.
    bent
        Whether wires run along the axes, first along the first one; otherwise they are straight.

    Source
    ------
    Glasser and Zukowski, section 2: n B / W of discrete wires; section 5: the average of Phi can
    only increase when wires are not straight.
    """
    require_positive(probe=probe, near=near)
    dimensions = points.shape[1]
    volume = pi ** (dimensions / 2) / gamma(dimensions / 2 + 1) * probe**dimensions
    total = 0.0
    for start, end, rate in _wires(points, order, near):
        for first, last in _pieces(start, end, bent):
            total += float(rate @ _inside(first - place, last - place, probe))
    return float(total / volume)


def wire_metres(
    points: Points, *, order: float = 0.0, near: float = 1.0, bent: bool = False
) -> float:
    """Return bits metres / s in all wires of `wired_flux`: the integral of Phi over all space.

    Parameters
    ----------
    points
        (n, K) metres, processors.
    order, near
        M, and the distance up to which I is constant.
    bent
        Whether wires run along the axes.
    """
    return sum(
        float(rate @ _distances(first, last))
        for start, end, rate in _wires(points, order, near)
        for first, last in _pieces(start, end, bent)
    )


def _wires(points: Points, order: float, near: float) -> Iterator[tuple[Points, Points, Points]]:
    """Yield the ends of wires and their rates, some senders at a time."""
    if len(points) ** 2 > MOST_PAIRS:
        raise InvalidMachineError(f"{len(points):,} processors have more pairs than {MOST_PAIRS:,}")
    block = max(1, AT_ONCE // max(1, len(points)))
    for senders in range(0, len(points), block):
        start = np.repeat(points[senders : senders + block], len(points), axis=0)
        end = np.tile(points, (len(start) // len(points), 1))
        rate = np.maximum(_distances(start, end), near) ** -order
        yield start, end, rate


def _pieces(start: Points, end: Points, bent: bool) -> Iterator[tuple[Points, Points]]:
    """Yield the straight pieces of wires."""
    if not bent:
        yield start, end
        return
    here = start
    for axis in range(start.shape[1]):
        there = here.copy()
        there[:, axis] = end[:, axis]
        yield here, there
        here = there


def _inside(start: Points, end: Points, radius: float) -> Points:
    """Return (w,) how much of each straight piece is in a ball around the origin."""
    step = end - start
    length = np.sqrt((step**2).sum(1))
    unit = step / np.where(length > 0, length, 1.0)[:, None]
    along = -(start * unit).sum(1)
    half = np.sqrt(np.maximum(0.0, radius**2 - (start**2).sum(1) + along**2))
    inside: Points = np.maximum(0.0, np.minimum(length, along + half) - np.maximum(0, along - half))
    return inside


def _distances(start: Points, end: Points) -> Points:
    """Return (w,) distances."""
    found: Points = np.sqrt(((end - start) ** 2).sum(1))
    return found
