"""``redblue machine density``: Glasser and Zukowski's communication density."""

from math import exp, inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.machine.arguments import finite, numbers
from redblue.cli.machine.tables import emit_rows, short
from redblue.cli.options import Json

if TYPE_CHECKING:
    from collections.abc import Callable

WIRED = 3  # dimensions in which there are wires
PROFILES: dict[str, "Callable[[float], float]"] = {
    "exponential": lambda r: exp(-r),
    "gaussian": lambda r: exp(-r * r),
}


def density(
    dimensions: Annotated[str, typer.Option(help="Dimensions of space, K.")] = "1,2,3,4",
    orders: Annotated[
        str, typer.Option(help="Orders M of communication that falls as d^-M.")
    ] = "0,1,2,2.5,3,4,5,6",
    radius: Annotated[float, typer.Option(help="Metres, radius R of the machine.")] = 3.0,
    near: Annotated[
        float, typer.Option(help="Metres up to which communication is constant, a.")
    ] = 0.5,
    reach: Annotated[float, typer.Option(help="Metres, d_0 of I = gamma (d_0 + d)^-M.")] = 2.0,
    rate: Annotated[
        float, typer.Option(help="I_0 or gamma: bits/s of two processors, times m^M.")
    ] = 1.0,
    packed: Annotated[
        float, typer.Option("--density", help="Processors in a metre^K, rho_0.")
    ] = 1.0,
    processors: Annotated[
        float, typer.Option(help="N, where all talk to all alike in a ball of radius R.")
    ] = 1000,
    growth: Annotated[float, typer.Option(help="How many times the processors.")] = 2.0,
    limit: Annotated[
        float | None, typer.Option(help="The technology's largest Phi: how large may R be?")
    ] = None,
    profile: Annotated[
        str,
        typer.Option(help="Density that falls from rho_0 at the centre: exponential or gaussian."),
    ] = "exponential",
    scale: Annotated[float, typer.Option(help="Metres over which the profile falls by e.")] = 1.0,
    off_centre: Annotated[
        str | None, typer.Option(help="Fractions of R at which to tell Phi: 0,0.5,1.")
    ] = None,
    wires: Annotated[
        int | None, typer.Option(help="Wire about so many processors, and count wires.")
    ] = None,
    temperature: Annotated[float, typer.Option(help="Kelvin, of which a bit has kT.")] = 300,
    field: Annotated[float, typer.Option(help="V/m at which the medium breaks down.")] = 1e8,
    json: Json = False,
) -> None:
    """Print communication densities Phi in the centre, in bits / (s m^(K-1)), and how they scale.

    With I = I_0 a^-M up to a and I_0 d^-M beyond, in a ball (18) and without end; with
    I = gamma (d_0 + d)^-M without end (8), (9); with constant I in a ball of N processors (19) and
    with a density that falls off (11), (14); and for broadcast (15). Off the centre with
    --off-centre; with --wires of discrete wires, straight and bent; and the energy of bits.
    """
    from redblue.papers.commands import density_wiring as wiring

    spaces, falls = numbers(dimensions, int), numbers(orders, float)
    ball = {"near": near, "rate": rate, "density": packed}
    places = numbers(off_centre or "0,0.5", float)
    uniform = space(3, processors, radius, rate, growth)["uniform_flux"]
    endless = {"reach": reach, "rate": rate, "density": packed}
    result = {
        "radius": radius,
        **ball,
        "reach": reach,
        "processors": processors,
        "growth": growth,
        "spaces": [space(k, processors, radius, rate, growth) for k in spaces],
        "balls": [flux(k, order, radius, limit, ball) for k in spaces for order in falls],
        "endless": [
            without_end(k, order, endless) for k in spaces for order in falls if order > k + 1
        ],
        "profile": profile,
        "profiles": [falling(k, profile, rate, packed, scale) for k in spaces],
        "places": places,
        "off_centre": [
            wiring.off_centre(k, order, radius, places, ball) for k in spaces for order in falls
        ]
        if off_centre
        else [],
        "wires": [wiring.wires(k, radius, wires, places) for k in spaces if k <= WIRED]
        if wires is not None
        else [],
        "energy": wiring.energy(uniform, temperature, field),
    }
    if json:
        console.emit_json(result)
    else:
        emit(result)
        wiring.emit_wiring(result)


def space(
    dimensions: int, processors: float, radius: float, rate: float, growth: float
) -> dict[str, Any]:
    """Return the constants of K dimensions, and the fluxes of a ball with uniform traffic."""
    from redblue.papers.models import density_scaling as scaling
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
    """Return Phi of a ball (18), of an infinite one, and the radius that `limit` allows."""
    from redblue.papers.models.density import ball_flux, largest_radius

    found = {
        "dimensions": dimensions,
        "order": order,
        "flux": ball_flux(dimensions, order, radius=radius, **ball),
        "flux_without_end": finite(ball_flux(dimensions, order, radius=inf, **ball)),
    }
    if limit is not None:
        radius = largest_radius(dimensions, order, limit, **ball)
        found |= {"limit": limit, "largest_radius": finite(radius)}
    return found


def without_end(dimensions: int, order: float, endless: dict[str, float]) -> dict[str, Any]:
    """Return (8) and its bound (9)."""
    from redblue.papers.models.density import endless_flux, endless_flux_bound

    return {
        "dimensions": dimensions,
        "order": order,
        "flux": endless_flux(dimensions, order, **endless),
        "bound": endless_flux_bound(dimensions, order, **endless),
    }


def falling(
    dimensions: int, profile: str, rate: float, packed: float, scale: float
) -> dict[str, Any]:
    """Return (11), (13) and (14) for a density that falls off, by quadrature."""
    from dags import UnknownNameError
    from redblue.hardware.validation import require_positive
    from redblue.papers.models.density_integrals import (
        central_flux,
        processor_count,
        uniform_flux_bound,
    )

    if profile not in PROFILES:
        raise UnknownNameError("profile", profile, PROFILES)
    require_positive(rate=rate, density=packed, scale=scale)
    shape = PROFILES[profile]

    def local(r: float) -> float:
        """Return rho(r)."""
        return packed * shape(r / scale)

    return {
        "dimensions": dimensions,
        "processors": processor_count(dimensions, local, scale=scale),
        "flux": central_flux(dimensions, lambda _: rate, local, scale=scale),
        "bound": uniform_flux_bound(dimensions, local, rate, scale=scale),
    }


def emit(result: dict[str, Any]) -> None:
    """Print the tables."""
    console.emit_text(
        f"All talk to all alike: a ball of N = {result['processors']:g} processors with "
        f"R = {result['radius']:g} m (19), and {result['growth']:g} times N\n"
    )
    emit_rows(
        ["K", "C_K", "coefficient", "Phi", "broadcast", "Phi, rho const", "volume, Phi const"],
        ([cell(row[key]) for key in SPACE] for row in result["spaces"]),
    )
    console.emit_text(
        f"\nTalk falls as d^-M beyond a = {result['near']:g} m: a ball of R = "
        f"{result['radius']:g} m (18); without end it is finite for M > K + 1\n"
    )
    limited = "limit" in result["balls"][0]
    headings = ["K", "M", "Phi", "Phi without end", *(["largest R (m)"] if limited else [])]
    keys = [*BALL, *(["largest_radius"] if limited else [])]
    emit_rows(headings, ([cell(row[key]) for key in keys] for row in result["balls"]))
    if result["endless"]:
        console.emit_text(f"\nTalk falls as (d_0 + d)^-M, d_0 = {result['reach']:g} m, no end\n")
        rows = ([cell(row[key]) for key in ENDLESS] for row in result["endless"])
        emit_rows(["K", "M", "Phi (8)", "bound (9)"], rows)
    console.emit_text(f"\nAll talk to all alike, density {result['profile']}\n")
    rows = ([cell(row[key]) for key in PROFILE] for row in result["profiles"])
    emit_rows(["K", "N (13)", "Phi (11)", "bound (14)"], rows)


SPACE = (
    "dimensions",
    "sphere_constant",
    "uniform_coefficient",
    "uniform_flux",
    "broadcast_flux",
    "flux_growth",
    "volume_growth",
)
BALL = ("dimensions", "order", "flux", "flux_without_end")
ENDLESS = ("dimensions", "order", "flux", "bound")
PROFILE = ("dimensions", "processors", "flux", "bound")


def cell(value: float | None) -> str:
    """Return a number, or the sign of infinity."""
    return "inf" if value is None else short(value)
