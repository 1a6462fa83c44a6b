"""Tables of communication density off centre, of its energy, and of discrete wires."""

from typing import Any

from redblue.cli import console
from redblue.cli.machine.tables import emit_rows, short

SHARE = 0.15  # of the radius: the least ball over which wires are averaged


def off_centre(
    dimensions: int, order: float, radius: float, places: list[float], ball: dict[str, float]
) -> dict[str, Any]:
    """Return Phi of a ball at fractions of its radius.

    Parameters
    ----------
    dimensions, order, radius
        K, M and R.
    places
        Fractions of R.
    ball
        The other arguments of `ball_flux`.
    """
    from redblue.papers.models import ball_flux_at

    return {
        "dimensions": dimensions,
        "order": order,
        "flux": [
            ball_flux_at(dimensions, order, distance=part * radius, radius=radius, **ball)
            for part in places
        ],
    }


def energy(flux: float, temperature: float, field: float) -> dict[str, float]:
    """Return the least energy density of a Phi, and the Phi of the strongest field.

    Parameters
    ----------
    flux
        Phi, bits / (s m^2).
    temperature
        Kelvin.
    field
        V / m.
    """
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


def wires(dimensions: int, radius: float, processors: int, places: list[float]) -> dict[str, Any]:
    """Return Phi of discrete wires, straight and bent, where all talk to all alike.

    Parameters
    ----------
    dimensions, radius
        K and R.
    processors
        About how many processors there are in a cubic lattice.
    places
        Fractions of R.
    """
    import numpy as np

    from redblue.hardware.validation import require_whole
    from redblue.papers.models import ball_flux_at, lattice_ball, wire_metres, wired_flux
    from redblue.papers.models.density import ball_processors

    require_whole(1, wires=processors)
    points, spacing = lattice_ball(dimensions, radius, processors)
    packed = len(points) / ball_processors(dimensions, radius)
    here = [np.eye(dimensions)[0] * part * radius for part in places]
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
        "straight": [wired_flux(points, place, probe, near=near) for place in here],
        "bent": [wired_flux(points, place, probe, near=near, bent=True) for place in here],
        "longer": lengths[1] / lengths[0] if lengths[0] else 1.0,
    }


def emit_wiring(result: dict[str, Any]) -> None:
    """Print the tables that were asked for, and the energy."""
    places = result["places"]
    if result["off_centre"]:
        console.emit_text("\nTalk falls as d^-M: Phi at fractions of R from the centre\n")
        emit_rows(
            ["K", "M", *(f"{place:g} R" for place in places)],
            (
                [short(row["dimensions"]), short(row["order"]), *map(short, row["flux"])]
                for row in result["off_centre"]
            ),
        )
    if result["wires"]:
        console.emit_text(
            "\nDiscrete wires, all talk to all alike: Phi (2), and in the ball of a probe\n"
        )
        emit_rows(
            [
                "K",
                "N",
                "probe (m)",
                "at",
                "Phi (2)",
                "straight",
                "bent",
                "bent / straight metres",
            ],
            (
                [
                    short(row["dimensions"]),
                    short(row["processors"]),
                    short(row["probe"]),
                    f"{place:g} R",
                ]
                + [short(row[key][i]) for key in ("continuous", "straight", "bent")]
                + [f"{row['longer']:.4f}"]
                for row in result["wires"]
                for i, place in enumerate(row["places"])
            ),
        )
    known = result["energy"]
    console.emit_text(
        f"\nAt {known['temperature']:g} K a bit takes {known['bit_energy']:.3g} J or more: "
        f"Phi = {short(known['flux'])} bits / (s m^2) holds {known['energy_density']:.3g} J / m^3; "
        f"{known['field']:g} V / m, where media break down, are Phi = "
        f"{known['breakdown_flux']:.3g}\n"
    )
