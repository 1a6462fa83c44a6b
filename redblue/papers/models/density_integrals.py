"""Communication density in the centre for any density of processors and any I(d), by quadrature."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from typing import NoReturn

from scipy.integrate import quad

from redblue.answers.hardware.validation import InvalidMachineError, require_positive
from redblue.papers.models.density import sphere_constant

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
    """Return Phi in the centre, in bits / (s m^(K-1)): (6) for an I that depends on distance alone.

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
        least = max(0.0, distance - radius)
        turns = [turn for corner in corners for turn in (corner, distance - corner)]
        turns += [scale * decade for decade in DECADES]  # a far pair has its weight close to r = 0
        return 2 * _integral(
            lambda r: density(r) * density(distance - r), least, distance / 2, turns, scale
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
    """Return N, the integral of the density over all space (13).

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
    """Return a lower bound on Phi where I is constant: I_0 N times the integral of rho(r) (14).

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
    """Return the integral over [start, end], cut at the corners, in units of `scale`."""
    inner = sorted({corner / scale for corner in corners if start < corner < end})
    pieces = list(pairwise([start / scale, *inner, end / scale]))
    if end == inf and not _vanishes(lambda x: function(x * scale)):
        _refuse(*pieces[-1])
    return scale * sum(_piece(lambda x: function(x * scale), *piece) for piece in pieces)


def _piece(function: Profile, start: float, end: float) -> float:
    found, uncertainty, _, *problem = quad(
        function, start, end, epsabs=0.0, epsrel=RELATIVE, limit=200, full_output=1
    )
    doubtful = bool(problem) and not uncertainty <= 1e3 * RELATIVE * abs(found)
    if doubtful:
        _refuse(start, end)
    return float(found)


def _refuse(start: float, end: float) -> NoReturn:
    """Raise InvalidMachineError."""
    raise InvalidMachineError(f"the integral over [{start:g}, {end:g}] does not converge")


def _vanishes(function: Profile) -> bool:
    """Return whether x f(x) still falls far out.

    Quadrature alone does not show divergence: it extrapolates, and gives x^(-1/2) a finite
    integral.
    """
    far, farther = (x * function(x) for x in FAR)
    return farther < far * (1 - 1e-6) or farther == 0
