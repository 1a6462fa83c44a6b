"""Glasser and Zukowski's communication density: traffic along straight lines between processors.

Processors fill a space of K dimensions, rho of them in a metre^K; two at distance d exchange I(d)
bits a second. Phi, in bits / (s m^(K-1)), is the traffic through a unit of cross section in the
centre, where it is densest. It measures how hard the wiring is; a technology has a largest Phi.
"""

from math import gamma, inf, log, pi

from scipy.special import beta, exprel

from redblue.answers.hardware.validation import (
    InvalidMachineError,
    require_no_less,
    require_positive,
    require_whole,
)
from redblue.papers.models.roots import rising_root

LN2 = log(2)


def sphere_constant(dimensions: int) -> float:
    """C_K = 2 pi^(K/2) / Gamma(K/2), the surface of the unit sphere in K dimensions (3.1).

    The recursion (3.1), (K-3) C_{K-1} C_{K-2} / ((K-2) C_{K-3}), is right from K = 4 on; for K = 3
    it would need C_0. C_K = 2 pi C_{K-2} / (K-2) is right from K = 3 on.

    Source
    ------
    L. A. Glasser, C. A. Zukowski, Continuous models for communication density constraints on
    multiprocessor performance, IEEE Trans. Computers, 1988, equations (3) and (3.1).

    Examples
    --------
    >>> [round(sphere_constant(dimensions), 4) for dimensions in (1, 2, 3, 4)]
    [2.0, 6.2832, 12.5664, 19.7392]
    """
    require_whole(1, dimensions=dimensions)
    try:
        return 2 * float(pi ** (dimensions / 2)) / gamma(dimensions / 2)
    except OverflowError:
        raise InvalidMachineError(f"{dimensions} dimensions are too many") from None


def endless_flux(
    dimensions: int, order: float, *, reach: float, rate: float = 1.0, density: float = 1.0
) -> float:
    """Phi of a machine without end in which I(d) = rate (reach + d)^-order.

    That is (8) with (7) as an equation: C_K rate density^2 reach^(K+1-M) B(K+1, M-K-1), with the
    beta function. Infinity unless M > K + 1 (10): in three dimensions communication must fall
    faster than the fourth power of distance.

    Parameters
    ----------
    dimensions, order
        K and M.
    reach
        d_0, metres.
    rate
        gamma, bits m^M / s for each pair of processors.
    density
        rho_0, processors / m^K.

    Source
    ------
    Glasser and Zukowski, equations (7) to (10); the closed form is ours: swapping the integrals
    leaves that of u^K (d_0 + u)^-M.

    Examples
    --------
    >>> round(endless_flux(3, 5, reach=2), 5), endless_flux(3, 4, reach=2)
    (1.5708, inf)
    """
    beyond = _beyond(dimensions, order)
    require_positive(reach=reach, rate=rate, density=density)
    if beyond >= 0:
        return inf
    shape = float(beta(dimensions + 1, -beyond))
    return sphere_constant(dimensions) * rate * density**2 * finite_power(reach, beyond) * shape


def endless_flux_bound(
    dimensions: int, order: float, *, reach: float, rate: float = 1.0, density: float = 1.0
) -> float:
    """The bound (9) of `endless_flux`; they are equal in one dimension.

    C_K rate density^2 reach^(K+1-M) / ((M-K)(M-K-1)), or infinity unless M > K + 1.

    Parameters
    ----------
    dimensions, order
        K and M: communication falls as d^-M.
    reach
        a, metres.
    rate
        I_0, bits / s.
    density
        rho_0, processors / m^K.
    """
    beyond = _beyond(dimensions, order)
    require_positive(reach=reach, rate=rate, density=density)
    if beyond >= 0:
        return inf
    scale = sphere_constant(dimensions) * rate * density**2
    return scale * finite_power(reach, beyond) / ((1 - beyond) * -beyond)


def ball_flux(
    dimensions: int,
    order: float,
    *,
    radius: float,
    near: float,
    rate: float = 1.0,
    density: float = 1.0,
) -> float:
    """Phi of a ball of processors with I(d) = rate near^-M up to `near`, rate d^-M beyond.

    That is (18) for every M: also for M = K, where it is C_K I_0 rho_0^2 (2 R ln 2 - K a / (K+1)),
    and M = K + 1, where it is C_K I_0 rho_0^2 (ln(R/a) + (K+2)/(K+1) - ln 2). With q = K + 1 - M
    and g = 2 (2^(q-1) - 1) / (q-1), (18) is a^q (1/(K+1) + (g-1)/q) + g (R^q - a^q) / q; no term
    is negative, and the quotients are evaluated so that no digits are lost close to either limit.

    Parameters
    ----------
    dimensions, order
        K and M.
    radius
        R, metres; infinity for a machine without end.
    near
        a, metres, less than R.
    rate
        I_0, bits m^M / s for each pair of processors.
    density
        rho_0, processors / m^K.

    Raises
    ------
    InvalidMachineError
        If a number is not positive, or `near` not less than `radius`.

    Source
    ------
    Glasser and Zukowski, equations (17) to (18.2); the limits are ours.

    Examples
    --------
    >>> [round(ball_flux(3, order, radius=3, near=0.5), 4) for order in (0, 3, 4)]
    [1187.522, 47.5497, 29.5135]
    """
    beyond = _beyond(dimensions, order)
    require_positive(near=near, rate=rate, density=density)
    if not near < radius:
        raise InvalidMachineError(
            f"near must be less than the radius, not {near:g} with the radius {radius:g}"
        )
    scale = sphere_constant(dimensions) * rate * density**2
    return scale * _ball(dimensions, beyond, radius, near)


def largest_radius(
    dimensions: int,
    order: float,
    flux: float,
    *,
    near: float,
    rate: float = 1.0,
    density: float = 1.0,
) -> float:
    """The radius in metres at which `ball_flux` reaches `flux`.

    Infinity where it never does, or beyond 1e100; 0 where a ball of radius `near` has more.

    Parameters
    ----------
    dimensions, order
        K and M: communication falls as d^-M.
    flux
        Phi, bits / (s m^(K-1)).
    near
        Distance in metres below which communication does not depend on it.
    rate
        I_0, bits / s.
    density
        rho_0, processors / m^K.

    Examples
    --------
    >>> radius = largest_radius(3, 2, 100.0, near=0.5)
    >>> round(ball_flux(3, 2, radius=radius, near=0.5), 9)
    100.0
    >>> largest_radius(3, 5, 100.0, near=0.5)
    inf
    """
    require_positive(flux=flux, near=near, rate=rate, density=density)
    beyond = _beyond(dimensions, order)
    wanted = flux / (sphere_constant(dimensions) * rate * density**2)
    if _ball(dimensions, beyond, inf, near) <= wanted:
        return inf
    if _ball(dimensions, beyond, near, near) > wanted:
        return 0.0
    try:
        return rising_root(lambda radius: _ball(dimensions, beyond, radius, near) - wanted, near)
    except InvalidMachineError:  # it rises, to more than is wanted, but as slowly as a logarithm
        return inf


def ball_processors(dimensions: int, radius: float, density: float = 1.0) -> float:
    """The number of processors in a ball: C_K rho R^K / K (13).

    Parameters
    ----------
    dimensions
        K.
    radius
        R, metres.
    density
        rho, processors / m^K.
    """
    require_positive(radius=radius, density=density)
    return sphere_constant(dimensions) * density * finite_power(radius, dimensions) / dimensions


def _beyond(dimensions: int, order: float) -> float:
    """K + 1 - M, negative where a machine without end has a finite Phi."""
    require_whole(1, dimensions=dimensions)
    require_no_less(0, order=order)
    return dimensions + 1 - order


def _ball(dimensions: int, q: float, radius: float, near: float) -> float:
    """Phi / (C_K I_0 rho_0^2) as `ball_flux` describes."""
    g = 2 * LN2 * float(exprel((q - 1) * LN2))
    above = (LN2 * float(exprel(q * LN2)) - 1) / (q - 1) if abs(q) < 0.5 else (g - 1) / q
    core = finite_power(near, q) * (1 / (dimensions + 1) + above)
    if radius == inf:
        return core + g * finite_power(near, q) / -q if q < 0 else inf
    stretch = log(radius / near)
    if q < 0:
        return core + g * finite_power(near, q) * stretch * float(exprel(q * stretch))
    return core + g * finite_power(radius, q) * stretch * float(exprel(-q * stretch))


def finite_power(base: float, exponent: float) -> float:
    """Return base^exponent, or raise InvalidMachineError where that is too large."""
    try:
        return float(base**exponent)
    except OverflowError:
        raise InvalidMachineError(
            f"{base:g}^{exponent:g} is beyond what a floating-point number holds"
        ) from None
