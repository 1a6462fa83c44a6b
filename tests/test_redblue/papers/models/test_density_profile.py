"""Communication density off centre, its energy, and discrete wires."""

import json
from math import inf, pi

import numpy as np
import pytest
from scipy.integrate import quad

from redblue.answers.hardware import InvalidMachineError
from redblue.papers.models import (
    ball_flux_at,
    breakdown_flux,
    energy_density,
    lattice_ball,
    thermal_bit,
    wire_metres,
    wired_flux,
)
from redblue.papers.models.density import ball_processors


def test_golden_values_in_the_centre(shared):
    models = json.loads((shared / "golden" / "seed_papers.json").read_text())["models"]
    rows = models["eq18_Phi0(I0=rho0=1)"]["rows"]
    assert len(rows) == 32
    for dimensions, order, near, radius, published in rows:
        result = ball_flux_at(dimensions, order, distance=0, radius=radius, near=near)
        assert result == pytest.approx(published, rel=1e-5)


def test_on_a_line():
    """K = 1 and constant I: all pairs on either side of a point, both ways."""
    for place in (0.0, 1.0, 2.5, 3.0):
        result = ball_flux_at(1, 0, distance=place, radius=3, near=1, rate=2, density=5)
        assert result == pytest.approx(2 * 2 * 25 * (3 - place) * (3 + place))


@pytest.mark.parametrize(("order", "near"), [(0, 0.5), (3, 0.4)])
def test_all_of_space_holds_all_wires(order, near):
    """The integral of Phi is what all pairs send, times how far: here with distances in a ball."""
    radius = 1.0

    def distances(d):
        """Pairs at distance d in the unit ball, whose volume is 4 pi / 3."""
        return 3 * d**2 - 9 * d**3 / 4 + 3 * d**5 / 16

    sent, _ = quad(lambda d: distances(d) * max(d, near) ** -order * d, 0, 2, points=[near])
    flux, _ = quad(
        lambda t: 4 * pi * t**2 * ball_flux_at(3, order, distance=t, radius=radius, near=near),
        0,
        radius,
        epsrel=1e-4,
    )
    assert flux == pytest.approx(sent * (4 * pi / 3) ** 2, rel=1e-4)


@pytest.mark.parametrize(("dimensions", "longer"), [(1, 1.0), (2, 4 / pi), (3, 1.5)])
def test_discrete_wires(dimensions, longer):
    points, spacing = lattice_ball(dimensions, 1.0, 400)
    packed = len(points) / ball_processors(dimensions, 1.0)
    for part in (0.0, 0.5):
        place = np.eye(dimensions)[0] * part
        expected = ball_flux_at(
            dimensions, 0, distance=part, radius=1, near=spacing, density=packed
        )
        assert wired_flux(points, place, 0.2) == pytest.approx(expected, rel=0.12)
    bent = wire_metres(points, bent=True)
    assert bent / wire_metres(points) == pytest.approx(longer, rel=0.02)
    everywhere = wired_flux(points, np.zeros(dimensions), 3.0, bent=True)
    assert everywhere * ball_processors(dimensions, 3.0) == pytest.approx(bent)


def test_a_wire_of_two_processors():
    ends = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert wire_metres(ends, order=1, near=0.1) == pytest.approx(2.0)
    assert wire_metres(ends, bent=True) == pytest.approx(14.0)
    inside = wired_flux(ends, np.array([1.5, 2.0]), 1.0)
    assert inside == pytest.approx(2 * 2 / pi)
    assert wired_flux(ends, np.array([3.0, 0.0]), 1.0) == 0
    assert wired_flux(ends, np.array([3.0, 0.0]), 1.0, bent=True) == pytest.approx(2 / pi)


def test_energy():
    assert thermal_bit(300) == pytest.approx(4.1419e-21, rel=1e-4)
    assert energy_density(1e19, bit=thermal_bit()) == pytest.approx(1.3816e-10, rel=1e-4)
    limit = breakdown_flux(1e8, bit=1e-20)
    assert energy_density(limit, bit=1e-20) == pytest.approx(8.854e-12 * 1e16 / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ball_flux_at(3, 1, distance=4, radius=3, near=1), "4 m is beyond the radius, 3 m"),
        (
            lambda: ball_flux_at(3, 1, distance=0, radius=inf, near=1),
            "finite, not inf",
        ),
        (lambda: lattice_ball(3, 1.0, 10**6), "1,000,000 processors have more pairs"),
        (lambda: energy_density(1.0, bit=0.0), "bit must be positive"),
    ],
)
def test_errors(call, message):
    with pytest.raises(InvalidMachineError, match=message):
        call()
