"""``redblue papers density``: Glasser and Zukowski's communication density."""

from collections.abc import Callable, Iterator
from math import exp, inf
from typing import TYPE_CHECKING, Any

from redblue.cli.machine.arguments import finite
from redblue.show.answer import Facts, Part
from redblue.show.rows import table, value

if TYPE_CHECKING:
    from redblue.show.rows import Key

WIRED = 3  # dimensions in which there are wires
SHARE = 0.15  # of the radius: the least ball over which wires are averaged
PROFILES: dict[str, Callable[[float], float]] = {
    "exponential": lambda r: exp(-r),
    "gaussian": lambda r: exp(-r * r),
}


def density(
    dimensions: tuple[int, ...] = (1, 2, 3, 4),
    orders: tuple[float, ...] = (0, 1, 2, 2.5, 3, 4, 5, 6),
    radius: float = 3.0,
    near: float = 0.5,
    reach: float = 2.0,
    rate: float = 1.0,
    density: float = 1.0,
    processors: float = 1000,
    growth: float = 2.0,
    limit: float | None = None,
    profile: str = "exponential",
    scale: float = 1.0,
    off_centre: tuple[float, ...] = (),
    wires: int | None = None,
    temperature: float = 300,
    field: float = 1e8,
) -> Facts:
    """Print communication densities Phi in the centre, in bits / (s m^(K-1)), and how they scale.

    (Glasser and Zukowski.) Communication I between two processors falls with their distance d.
    Numbers in parentheses are equations of the paper.

    Decay I_0 d^-M, constant up to a: in a ball (18) and in infinite space. Decay gamma (d_0 + d)^-M
    in infinite space: (8), (9).

    Uniform communication: in a ball of N processors (19), with a density that falls off (11), (14),
    and for broadcast (15).

    Parameters
    ----------
    dimensions
        K, dimensions of space.
    orders
        M, orders of the decay d^-M of communication.
    radius
        R, radius of the machine in metres.
    near
        a, distance in metres up to which communication is constant.
    reach
        d_0 of gamma (d_0 + d)^-M, in metres.
    rate
        I_0 or gamma, in bits/s of two processors, times m^M.
    density
        rho_0, processors per m^K.
    processors
        N, processors of the ball with uniform communication.
    growth
        Factor by which the number of processors grows.
    limit
        Largest Phi of the technology, for the largest possible R; by default no limit.
    profile
        Fall of the density from rho_0 at the centre: exponential or gaussian.
    scale
        Distance in metres over which the profile falls by e.
    off_centre
        Distances from the centre as fractions of R, at which Phi is printed: 0,0.5,1.
    wires
        Number of processors that are wired, about; counts straight and bent wires.
    temperature
        Temperature in kelvin: a bit has the energy kT.
    field
        Breakdown field of the medium in V/m.
    """
    ball = {"near": near, "rate": rate, "density": density}
    places = list(off_centre or (0.0, 0.5))
    endless = {"reach": reach, "rate": rate, "density": density}
    cases = [(k, order) for k in dimensions for order in orders]
    result = {
        "radius": radius,
        **ball,
        "reach": reach,
        "processors": processors,
        "growth": growth,
        "spaces": [space(k, processors, radius, rate, growth) for k in dimensions],
        "balls": [flux(k, order, radius, limit, ball) for k, order in cases],
        "endless": [without_end(k, order, endless) for k, order in cases if order > k + 1],
        "profile": profile,
        "profiles": [falling(k, profile, rate, density, scale) for k in dimensions],
        "places": places,
        "off_centre": [away(k, order, radius, places, ball) for k, order in cases if off_centre],
        "wires": [
            wired(k, radius, wires, places) for k in dimensions if wires is not None and k <= WIRED
        ],
        "energy": energy(
            space(3, processors, radius, rate, growth)["uniform_flux"], temperature, field
        ),
    }
    return Facts(result, tuple(parts(result)))


def space(
    dimensions: int, processors: float, radius: float, rate: float, growth: float
) -> dict[str, Any]:
    """The constants of K dimensions, and the fluxes of a ball with uniform traffic."""
    from redblue.papers.models import density_integrals as scaling
    from redblue.papers.models.density import ball_processors, sphere_constant

    central = processors / ball_processors(dimensions, radius)
    return {
        "dimensions": dimensions,
        "sphere_constant": sphere_constant(dimensions),
        "finite_beyond_order": dimensions + 1,
        "uniform_coefficient": scaling.uniform_coefficient(dimensions),
        "uniform_flux": scaling.uniform_flux(dimensions, processors, radius, rate),
        "broadcast_flux": scaling.broadcast_flux(dimensions, processors, central, rate),
        "flux_growth": scaling.flux_growth(dimensions, processors=growth, volume=growth),
        "volume_growth": finite(scaling.volume_growth(dimensions, growth)),
    }


def flux(
    dimensions: int, order: float, radius: float, limit: float | None, ball: dict[str, float]
) -> dict[str, Any]:
    """Phi of a ball (18), of an infinite one, and the radius that `limit` allows."""
    from redblue.papers.models.density import ball_flux, largest_radius

    row = {
        "dimensions": dimensions,
        "order": order,
        "flux": ball_flux(dimensions, order, radius=radius, **ball),
        "flux_without_end": finite(ball_flux(dimensions, order, radius=inf, **ball)),
    }
    if limit is not None:
        radius = largest_radius(dimensions, order, limit, **ball)
        row |= {"limit": limit, "largest_radius": finite(radius)}
    return row


def without_end(dimensions: int, order: float, endless: dict[str, float]) -> dict[str, Any]:
    """(8) and its bound (9)."""
    from redblue.papers.models.density import endless_flux, endless_flux_bound

    return {
        "dimensions": dimensions,
        "order": order,
        "flux": endless_flux(dimensions, order, **endless),
        "bound": endless_flux_bound(dimensions, order, **endless),
    }


def falling(
    dimensions: int, profile: str, rate: float, density: float, scale: float
) -> dict[str, Any]:
    """(11), (13) and (14) for a density that falls off, by quadrature."""
    from dags import UnknownNameError
    from redblue.answers.hardware.validation import require_positive
    from redblue.papers.models import density_integrals as integrals

    if profile not in PROFILES:
        raise UnknownNameError("profile", profile, PROFILES)
    require_positive(rate=rate, density=density, scale=scale)
    shape = PROFILES[profile]

    def local(r: float) -> float:
        """Return rho(r)."""
        return density * shape(r / scale)

    return {
        "dimensions": dimensions,
        "processors": integrals.processor_count(dimensions, local, scale=scale),
        "flux": integrals.central_flux(dimensions, lambda _: rate, local, scale=scale),
        "bound": integrals.uniform_flux_bound(dimensions, local, rate, scale=scale),
    }


def away(
    dimensions: int, order: float, radius: float, places: list[float], ball: dict[str, float]
) -> dict[str, Any]:
    """Phi of a ball at fractions of its radius."""
    from redblue.papers.models import ball_flux_at

    fluxes = [
        ball_flux_at(dimensions, order, distance=part * radius, radius=radius, **ball)
        for part in places
    ]
    return {"dimensions": dimensions, "order": order, "flux": fluxes}


def energy(flux: float, temperature: float, field: float) -> dict[str, float]:
    """The least energy density of a Phi, and the Phi of the strongest field."""
    from redblue.papers.models import breakdown_flux, energy_density, thermal_bit

    bit = thermal_bit(temperature)
    return {
        "temperature": temperature,
        "bit_energy": bit,
        "flux": flux,
        "energy_density": energy_density(flux, bit=bit),
        "field": field,
        "breakdown_flux": breakdown_flux(field, bit=bit),
    }


def wired(dimensions: int, radius: float, processors: int, places: list[float]) -> dict[str, Any]:
    """Phi of discrete wires in a cubic lattice, straight and bent; all talk to all alike."""
    import numpy as np

    from redblue.answers.hardware.validation import require_whole
    from redblue.papers.models import ball_flux_at, lattice_ball, wire_metres, wired_flux
    from redblue.papers.models.density import ball_processors

    require_whole(1, wires=processors)
    points, spacing = lattice_ball(dimensions, radius, processors)
    packed = len(points) / ball_processors(dimensions, radius)
    straight = [np.eye(dimensions)[0] * part * radius for part in places]
    near, probe = spacing / 2, max(SHARE * radius, spacing)
    ball = {"radius": radius, "near": near, "density": packed}
    lengths = [wire_metres(points, near=near, bent=bent) for bent in (False, True)]
    return {
        "dimensions": dimensions,
        "processors": len(points),
        "places": places,
        "continuous": [
            ball_flux_at(dimensions, 0, distance=part * radius, **ball) for part in places
        ],
        "probe": probe,
        "straight": [wired_flux(points, place, probe, near=near) for place in straight],
        "bent": [wired_flux(points, place, probe, near=near, bent=True) for place in straight],
        "longer": lengths[1] / lengths[0] if lengths[0] else 1.0,
    }


def parts(result: dict[str, Any]) -> Iterator[Part]:
    """Yield the tables and the sentence on energy."""
    axes, places, known = ("K <- dimensions", "M <- order"), result["places"], result["energy"]
    yield table(
        "spaces",
        f"All talk to all alike: a ball of N = {result['processors']:g} processors with "
        f"R = {result['radius']:g} m (19), and {result['growth']:g} times N", result["spaces"],
        "K <- dimensions", "C_K <- sphere_constant", "coefficient <- uniform_coefficient",
        "Phi <- uniform_flux", "broadcast <- broadcast_flux", "Phi, rho const <- flux_growth",
        unbounded("volume, Phi const", "volume_growth"),
    )  # fmt: skip
    limited = "limit" in result["balls"][0]
    yield table(
        "balls",
        f"Talk falls as d^-M beyond a = {result['near']:g} m: a ball of R = "
        f"{result['radius']:g} m (18); without end it is finite for M > K + 1", result["balls"],
        *axes, "Phi <- flux", unbounded("Phi without end", "flux_without_end"),
        *([unbounded("largest R [m]", "largest_radius")] if limited else ()),
    )  # fmt: skip
    if result["endless"]:
        caption = f"Talk falls as (d_0 + d)^-M, d_0 = {result['reach']:g} m, no end"
        columns = ("Phi (8) <- flux", "bound (9) <- bound")
        yield table("endless", caption, result["endless"], *axes, *columns)
    yield table(
        "profiles", f"All talk to all alike, density {result['profile']}", result["profiles"],
        "K <- dimensions", "N (13) <- processors", "Phi (11) <- flux", "bound (14) <- bound",
    )  # fmt: skip
    if result["off_centre"]:
        caption = "Talk falls as d^-M: Phi at fractions of R from the centre"
        fluxes = (f"{place:g} R <- flux.{i}" for i, place in enumerate(places))
        yield table("off-centre", caption, result["off_centre"], *axes, *fluxes)
    if result["wires"]:
        yield table(
            "wires", "Discrete wires, all talk to all alike: Phi (2), and in the ball of a probe",
            [(row, f"{part:g} R", i) for row in result["wires"] for i, part in enumerate(places)],
            "K <- 0.dimensions", "N <- 0.processors", "probe [m] <- 0.probe", "at <- 1",
            ("Phi (2)", lambda row: row[0]["continuous"][row[2]]),
            ("straight", lambda row: row[0]["straight"][row[2]]),
            ("bent", lambda row: row[0]["bent"][row[2]]), "bent / straight metres <- 0.longer",
        )  # fmt: skip
    yield (
        f"At {known['temperature']:g} K a bit takes {known['bit_energy']:.3g} J or more: "
        f"Phi = {known['flux']:,.6g} bits / (s m^2) holds {known['energy_density']:.3g} J / m^3; "
        f"{known['field']:g} V / m, where media break down, are Phi = "
        f"{known['breakdown_flux']:.3g}"
    )


def unbounded(heading: str, key: str) -> "tuple[str, Key]":
    """A column in which nothing stands for the infinite."""
    return heading, lambda row: inf if value(row, key) is None else value(row, key)
