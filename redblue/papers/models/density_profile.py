"""Communication density away from the centre of a ball: of a continuum, and of wires."""

from collections.abc import Iterator
from itertools import product
from math import ceil, cos, exp, gamma, log, pi, sin, sqrt

import numpy as np
import numpy.typing as npt
from scipy.integrate import quad
from scipy.special import exprel

from redblue.answers.hardware.validation import (
    InvalidMachineError,
    require_no_less,
    require_positive,
    require_whole,
)
from redblue.papers.models.density import finite_power, sphere_constant

BOLTZMANN = 1.380649e-23  # J / K
LIGHT = 299_792_458.0  # m / s
VACUUM = 8.8541878188e-12  # F / m
RELATIVE = 1e-10


def ball_flux_at(
    dimensions: int,
    order: float,
    *,
    distance: float,
    radius: float,
    near: float,
    rate: float = 1.0,
    density: float = 1.0,
) -> float:
    """Phi at `distance` from the centre of the ball of `ball_flux`.

    A line through the point leaves the ball at A metres on one side and B on the other. Processors
    on it at a and b exchange I(a + b), and there are (a + b)^(K-1) as many in a cone: with
    W'' = d^(K-1) I(d) and W(0) = 0 all pairs of the line amount to W(A + B) - W(A) - W(B), and Phi
    is the integral of that over all directions. In the centre, where A = B = R, it is (18).

    Parameters
    ----------
    dimensions, order
        K and M.
    distance
        Metres from the centre, at most the radius.
    radius, near, rate, density
        As in `ball_flux`; the radius is finite.

    Raises
    ------
    InvalidMachineError
        If a number is out of range.

    Source
    ------
    Glasser and Zukowski, equations (2) and (5), which the paper evaluates in the centre only.

    Examples
    --------
    >>> [round(ball_flux_at(1, 0, distance=t, radius=3, near=0.5), 9) for t in (0, 1, 3)]
    [18.0, 16.0, 0.0]
    """
    constant = sphere_constant(dimensions)
    require_positive(radius=radius, near=near, rate=rate, density=density)
    require_no_less(0, distance=distance, order=order)
    if near >= radius:
        raise InvalidMachineError(f"near, {near:g} m, must be less than the radius, {radius:g} m")
    if distance > radius:
        raise InvalidMachineError(f"{distance:g} m is beyond the radius, {radius:g} m")

    if distance == radius:
        return 0.0  # no line between two processors

    def line(cosine: float) -> float:
        """The sum over all pairs on a line whose angle to the radius is given."""
        half = sqrt(max(0.0, radius**2 - distance**2 * (1 - cosine**2)))
        ends = half + distance * cosine, max(0.0, half - distance * cosine)
        first, second = (_twice(dimensions, order, end, near) for end in ends)
        return max(0.0, _twice(dimensions, order, 2 * half, near) - first - second)

    scale = rate * density**2
    if dimensions == 1 or distance == 0:
        return scale * constant * line(1.0)
    around = 2 * sphere_constant(dimensions - 1)
    integral, _ = quad(
        lambda angle: sin(angle) ** (dimensions - 2) * line(cos(angle)),
        0,
        pi / 2,
        epsrel=RELATIVE,
        limit=200,
    )
    return scale * around * float(integral)


def _twice(dimensions: int, order: float, distance: float, near: float) -> float:
    """W: d^(K-1) I(d) integrated twice from 0."""
    inner = min(distance, near)
    within = finite_power(near, -order) * inner ** (dimensions + 1) / dimensions / (dimensions + 1)
    if distance <= near:
        return within
    fall, last = dimensions - order, log(distance / near)
    slope = finite_power(near, fall)

    def once(place: float) -> float:
        """W' at near e^place, times the length of a step there."""
        beyond = place * float(exprel(fall * place))
        return slope * (1 / dimensions + beyond) * near * exp(place)

    integral, _ = quad(once, 0, last, epsrel=RELATIVE)
    return within + float(integral)


def thermal_bit(temperature: float = 300.0) -> float:
    """Return kT in joules, on the order of which the energy of a bit is at least.

    Source
    ------
    Glasser and Zukowski, section 1.

    Examples
    --------
    >>> f"{thermal_bit():.3g}"
    '4.14e-21'
    """
    require_positive(temperature=temperature)
    return BOLTZMANN * temperature


def energy_density(flux: float, *, bit: float, speed: float = LIGHT) -> float:
    """The energy of the bits under way, in J / m^K: a flux of Phi holds Phi / c bits.

    Parameters
    ----------
    flux
        Phi, bits / (s m^(K-1)); of a wire of diameter D with B bits / s, B / D^2.
    bit
        E_0, joules of a bit.
    speed
        c, metres / s.

    Source
    ------
    Glasser and Zukowski, section 1: B E_0 / (c D^2) in a wire.

    Examples
    --------
    >>> energy_density(3e8, bit=2.0, speed=3e8)
    2.0
    """
    require_no_less(0, flux=flux)
    require_positive(bit=bit, speed=speed)
    return flux * bit / speed


def breakdown_flux(
    field: float, *, bit: float, permittivity: float = 1.0, speed: float = LIGHT
) -> float:
    """The Phi, bits / (s m^2), whose energy is that of the strongest electric field.

    Half of epsilon field^2 joules in a cubic metre, which move at c.

    Parameters
    ----------
    field
        V / m at which the medium breaks down: 5e7 to 2e8 for mylar, polypropylene, glasses (the
        paper prints kV / m where kV / mm must be meant).
    bit
        E_0, joules of a bit.
    permittivity
        Of the medium, in that of the vacuum.
    speed
        c, metres / s.

    Source
    ------
    Glasser and Zukowski, section 1.

    Examples
    --------
    >>> f"{breakdown_flux(1e8, bit=thermal_bit()):.2g}"
    '3.2e+33'
    """
    require_positive(field=field, bit=bit, permittivity=permittivity, speed=speed)
    return permittivity * VACUUM * field**2 / 2 * speed / bit


Points = npt.NDArray[np.float64]
MOST_PAIRS = 1 << 26
AT_ONCE = 1 << 18  # pairs


def lattice_ball(dimensions: int, radius: float, processors: int) -> tuple[Points, float]:
    """(n, K) the points of a cubic lattice in a ball, about `processors`, and their spacing.

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
    """Phi of discrete wires near `place`, bits / (s m^(K-1)).

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
    """Bits metres / s in all wires of `wired_flux`: the integral of Phi over all space.

    Parameters
    ----------
    points, order, near
        As for `wired_flux`.
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
    current = start
    for axis in range(start.shape[1]):
        next_position = current.copy()
        next_position[:, axis] = end[:, axis]
        yield current, next_position
        current = next_position


def _inside(start: Points, end: Points, radius: float) -> Points:
    """(w,) how much of each straight piece is in a ball around the origin."""
    step = end - start
    length = np.sqrt((step**2).sum(1))
    unit = step / np.where(length > 0, length, 1.0)[:, None]
    projection = -(start * unit).sum(1)
    half = np.sqrt(np.maximum(0.0, radius**2 - (start**2).sum(1) + projection**2))
    inside: Points = np.maximum(
        0.0, np.minimum(length, projection + half) - np.maximum(0, projection - half)
    )
    return inside


def _distances(start: Points, end: Points) -> Points:
    """(w,) distances."""
    lengths: Points = np.sqrt(((end - start) ** 2).sum(1))
    return lengths
