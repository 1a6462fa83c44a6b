"""Scaling of communication density where every pair of processors communicates alike."""

from math import inf

from redblue.answers.hardware.validation import require_positive, require_whole
from redblue.papers.models.density import finite_power, sphere_constant


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
    """Return Phi in bits / (s m^(K-1)) of a ball of processors in which I is constant (19).

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
    """Return the radius in metres with which N processors have `flux` by (19).

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
    """Return the factor of Phi where N grows by `processors` and the volume by `volume`.

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
    """Return the factor of the volume where N grows by `processors` and Phi stays: N^(2K/(K-1)).

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
    """Return Phi where each processor sends the same to all others: rho(0)^((K-1)/K) N rate.

    The paper's (16), Phi proportional to N, is at constant rho(0); in a ball of constant radius
    rho(0) grows with N, and Phi like N^((2K-1)/K).

    Parameters
    ----------
    dimensions, processors
        K and N.
    central_density
        rho(0), processors / m^K.
    rate
        What each sends, bits / s.

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
