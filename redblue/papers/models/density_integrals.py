"""Communication density in the centre, for any density and any I(d), and how it scales."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from typing import NoReturn

from scipy.integrate import quad

from redblue.answers.hardware.validation import InvalidMachineError, require_positive, require_whole
from redblue.papers.models.density import finite_power, sphere_constant

Profile = Callable[[float], float]
RELATIVE = 1e-9
FAR = (1e8, 1e12)
DECADES = tuple(10.0**power for power in range(12))


def central_flux(
    dimensions: int,
    communication: Profile,
    density: Profile,
    *,
    radius: float = inf,
    kinks: Sequence[float] = (),
    scale: float = 1.0,
) -> float:
    """Phi in the centre, in bits / (s m^(K-1)): (6) for an I that depends on distance alone.

    Two processors on opposite sides, at r and d - r, are d apart: Phi is C_K times the integral of
    d^(K-1) I(d) w(d), where w(d) is that of rho(r) rho(d - r), which is (6) with d = r*.

    Parameters
    ----------
    dimensions
        K.
    communication
        I(d), bits / s for each pair of processors d metres apart.
    density
        rho(r), processors / m^K at r metres from the centre.
    radius
        Metres, beyond which there are no processors.
    kinks
        Distances at which I or rho is not smooth.
    scale
        Metres over which I or rho changes; where the space has no end, quadrature looks there.

    Raises
    ------
    InvalidMachineError
        If the integral does not converge.

    Source
    ------
    Glasser and Zukowski, equation (6).

    Examples
    --------
    >>> from math import exp
    >>> round(central_flux(1, lambda d: 1.0, lambda r: exp(-r)), 9)
    2.0
    """
    constant = sphere_constant(dimensions)
    _require_extent(radius, scale)
    corners = sorted({kink for kink in kinks if 0 < kink < radius})
    folds = {first + second for first in corners for second in corners}
    folds |= {radius + corner for corner in (0.0, *corners)}

    def pairs(distance: float) -> float:
        """Return w(d), twice the integral over the nearer half of the pairs."""
        start = max(0.0, distance - radius)
        turns = [turn for corner in corners for turn in (corner, distance - corner)]
        turns += [scale * decade for decade in DECADES]  # a far pair has its weight close to r = 0
        return 2 * _integral(
            lambda r: density(r) * density(distance - r), start, distance / 2, turns, scale
        )

    return constant * _integral(
        lambda d: d ** (dimensions - 1) * communication(d) * pairs(d) if d > 0 else 0.0,
        0.0,
        2 * radius,
        [*kinks, *folds],
        scale,
    )


def processor_count(
    dimensions: int, density: Profile, *, radius: float = inf, scale: float = 1.0
) -> float:
    """N, the integral of the density over all space (13).

    Parameters
    ----------
    dimensions
        K.
    density
        rho(r), processors / m^K at the distance r from the middle, in metres.
    radius
        Distance beyond which there are none, metres.
    scale
        Length in metres over which `density` changes.

    Raises
    ------
    InvalidMachineError
        If it does not converge: the density must fall faster than r^-K.
    """
    constant = sphere_constant(dimensions)
    _require_extent(radius, scale)
    return constant * _integral(
        lambda r: r ** (dimensions - 1) * density(r), 0.0, radius, (), scale
    )


def uniform_flux_bound(
    dimensions: int,
    density: Profile,
    rate: float = 1.0,
    *,
    radius: float = inf,
    scale: float = 1.0,
) -> float:
    """A lower bound on Phi where I is constant: I_0 N times the integral of rho(r) (14).

    The paper prints >; in one dimension they are equal. With `central_flux` for a constant I,
    which is (11), it says that a finite Phi needs a finite number of processors.

    Parameters
    ----------
    dimensions
        K.
    density
        rho(r), processors / m^K at the distance r from the middle, in metres.
    rate
        I_0, bits / s for each pair of processors.
    radius
        Distance beyond which there are no processors, metres.
    scale
        Length in metres over which `density` changes.

    Source
    ------
    Glasser and Zukowski, equations (11) to (14).

    Examples
    --------
    >>> from math import exp
    >>> round(uniform_flux_bound(2, lambda r: exp(-r)), 5)
    6.28319
    """
    require_positive(rate=rate)
    count = processor_count(dimensions, density, radius=radius, scale=scale)
    return rate * count * _integral(density, 0.0, radius, (), scale)


def _require_extent(radius: float, scale: float) -> None:
    require_positive(scale=scale)
    if radius != inf:
        require_positive(radius=radius)


def _integral(
    function: Profile, start: float, end: float, corners: Sequence[float], scale: float
) -> float:
    """The integral over [start, end], cut at the corners, in units of `scale`."""
    inner = sorted({corner / scale for corner in corners if start < corner < end})
    pieces = list(pairwise([start / scale, *inner, end / scale]))
    if end == inf and not _vanishes(lambda x: function(x * scale)):
        _refuse(*pieces[-1])
    return scale * sum(_piece(lambda x: function(x * scale), *piece) for piece in pieces)


def _piece(function: Profile, start: float, end: float) -> float:
    value, uncertainty, _, *problem = quad(
        function, start, end, epsabs=0.0, epsrel=RELATIVE, limit=200, full_output=1
    )
    doubtful = bool(problem) and not uncertainty <= 1e3 * RELATIVE * abs(value)
    if doubtful:
        _refuse(start, end)
    return float(value)


def _refuse(start: float, end: float) -> NoReturn:
    """Raise InvalidMachineError."""
    raise InvalidMachineError(f"the integral over [{start:g}, {end:g}] does not converge")


def _vanishes(function: Profile) -> bool:
    """Whether x f(x) still falls far out.

    Quadrature alone does not show divergence: it extrapolates, and gives x^(-1/2) a finite
    integral.
    """
    far, farther = (x * function(x) for x in FAR)
    return farther < far * (1 - 1e-6) or farther == 0


def uniform_coefficient(dimensions: int) -> float:
    """Return 2 K (2^K - 1) / (C_K (K + 1)), the factor of N^2 I_0 R^(1-K) in (19).

    Examples
    --------
    >>> [round(uniform_coefficient(dimensions), 6) for dimensions in (1, 2, 3)]
    [0.5, 0.63662, 0.835563]
    """
    constant = sphere_constant(dimensions)
    return 2 * dimensions * (2.0**dimensions - 1) / (constant * (dimensions + 1))


def uniform_flux(dimensions: int, processors: float, radius: float, rate: float = 1.0) -> float:
    """Phi in bits / (s m^(K-1)) of a ball of processors in which I is constant (19).

    Parameters
    ----------
    dimensions, processors
        K and N.
    radius
        R, metres.
    rate
        I_0, bits / s for each pair of processors.

    Source
    ------
    Glasser and Zukowski, equation (19), which is (18) with M = 0.

    Examples
    --------
    >>> round(uniform_flux(3, 1000, radius=2))
    208891
    """
    require_positive(processors=processors, radius=radius, rate=rate)
    scale = uniform_coefficient(dimensions) * rate
    return scale * finite_power(processors, 2) * finite_power(radius, 1 - dimensions)


def uniform_radius(dimensions: int, processors: float, flux: float, rate: float = 1.0) -> float:
    """The radius in metres with which N processors have `flux` by (19).

    Parameters
    ----------
    dimensions
        K, at least 2.
    processors
        N.
    flux
        Phi, bits / (s m^(K-1)).
    rate
        I_0, bits / s for each pair of processors.

    Raises
    ------
    InvalidMachineError
        In one dimension, where Phi does not depend on the radius.
    """
    require_whole(2, dimensions=dimensions)
    require_positive(processors=processors, flux=flux, rate=rate)
    needed = uniform_coefficient(dimensions) * rate * finite_power(processors, 2) / flux
    return finite_power(needed, 1 / (dimensions - 1))


def flux_growth(dimensions: int, *, processors: float = 1.0, volume: float = 1.0) -> float:
    """The factor of Phi where N grows by `processors` and the volume by `volume`.

    N^2 V^((1-K)/K), which is (20), (21) and (22): at constant density, with V growing like N, it
    is N^((K+1)/K); at constant N, V^((1-K)/K).

    Parameters
    ----------
    dimensions
        K.
    processors, volume
        Factors by which N and V grow.

    Source
    ------
    Glasser and Zukowski, equations (19) to (22).

    Examples
    --------
    >>> flux_growth(2, volume=4), flux_growth(2, processors=4, volume=4)
    (0.5, 8.0)
    """
    require_whole(1, dimensions=dimensions)
    require_positive(processors=processors, volume=volume)
    thinned = finite_power(volume, (1 - dimensions) / dimensions)
    return finite_power(processors, 2) * thinned


def volume_growth(dimensions: int, processors: float) -> float:
    """The factor of the volume where N grows by `processors` and Phi stays: N^(2K/(K-1)).

    Eight times the volume for twice the processors in three dimensions. Infinity in one, where
    distance does not thin communication out, unless there are no more processors.

    Source
    ------
    Glasser and Zukowski, section 4, after equation (22).

    Examples
    --------
    >>> volume_growth(3, 2)
    8.0
    """
    require_whole(1, dimensions=dimensions)
    require_positive(processors=processors)
    if dimensions == 1:
        return inf if processors > 1 else 1.0
    return finite_power(processors, 2 * dimensions / (dimensions - 1))


def broadcast_flux(
    dimensions: int, processors: float, central_density: float, rate: float = 1.0
) -> float:
    """Phi where each processor sends the same to all others: rho(0)^((K-1)/K) N rate.

    The paper's (16), Phi proportional to N, is at constant rho(0); in a ball of constant radius
    rho(0) grows with N, and Phi like N^((2K-1)/K).

    Parameters
    ----------
    dimensions, processors
        K and N.
    central_density
        rho(0), processors / m^K.
    rate
        The rate of each, bits / s.

    Source
    ------
    Glasser and Zukowski, equations (15) and (16).

    Examples
    --------
    >>> broadcast_flux(2, processors=1000, central_density=9.0)
    3000.0
    """
    require_whole(1, dimensions=dimensions)
    require_positive(processors=processors, central_density=central_density, rate=rate)
    across = finite_power(central_density, (dimensions - 1) / dimensions)
    return rate * processors * across
