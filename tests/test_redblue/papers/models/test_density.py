"""Glasser and Zukowski: closed forms against quadrature, limits, and the published numbers."""

from math import cos, exp, gamma, inf, isfinite, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import quad

from redblue.answers.hardware import InvalidMachineError
from redblue.papers.models.density import (
    ball_flux,
    ball_processors,
    endless_flux,
    endless_flux_bound,
    largest_radius,
    sphere_constant,
)
from redblue.papers.models.density_integrals import (
    broadcast_flux,
    central_flux,
    flux_growth,
    processor_count,
    uniform_coefficient,
    uniform_flux,
    uniform_flux_bound,
    uniform_radius,
    volume_growth,
)

PUBLISHED = 5e-6  # the golden values have six significant digits
SPACES = st.integers(1, 6)
ORDERS = st.floats(0, 8)
BALL = {"near": 0.5, "radius": 3.0}


def ball_coefficients(k, order, near):
    """beta (18.1), delta (18.2) of Phi = C_K I_0 rho_0^2 (beta + delta R^(K+1-M)), as printed."""
    beyond = k + 1 - order
    constant = order * near**beyond / ((k + 1) * -beyond)
    return constant, 2 * (2.0 ** (beyond - 1) - 1) / ((beyond - 1) * beyond)


def test_sphere_constants_as_published(golden):
    for dimensions, constant in golden["models"]["C_K"].items():
        assert sphere_constant(int(dimensions)) == pytest.approx(constant, rel=PUBLISHED)


def test_both_recursions():
    c = {k: sphere_constant(k) for k in range(1, 40)}
    assert [c[1], c[2], c[3]] == pytest.approx([2, 2 * pi, 4 * pi], rel=1e-15)
    for k in range(4, 40):
        assert c[k] == pytest.approx((k - 3) * c[k - 1] * c[k - 2] / ((k - 2) * c[k - 3]))
    for k in range(3, 40):
        assert c[k] == pytest.approx(2 * pi * c[k - 2] / (k - 2))


def test_sphere_constant_is_the_slope_of_a_volume():
    """The Gaussian integral over K axes is pi^(K/2), by shells C_K times that of r^(K-1)."""
    for k in range(1, 8):
        shells = quad(lambda r, k=k: r ** (k - 1) * exp(-r * r), 0, 20, epsabs=0, epsrel=1e-12)[0]
        assert sphere_constant(k) * shells == pytest.approx(pi ** (k / 2), rel=1e-10)


def test_balls_as_published(golden):
    for k, order, near, radius, flux in golden["models"]["eq18_Phi0(I0=rho0=1)"]["rows"]:
        assert ball_flux(k, order, near=near, radius=radius) == pytest.approx(flux, rel=PUBLISHED)


@given(SPACES, ORDERS, st.floats(0.05, 0.95), st.floats(0.1, 10), st.floats(0.1, 10))
def test_balls_by_their_integral(k, order, part, radius, packed):
    near = part * radius

    def weighted(u):
        return u**k * max(u, near) ** -order * (1 if u < radius else 2 * radius / u - 1)

    pieces = [(0, near), (near, radius), (radius, 2 * radius)]
    expected = sum(quad(weighted, *piece, epsabs=0, epsrel=1e-11)[0] for piece in pieces)
    expected *= sphere_constant(k) * packed**2 * 0.7
    result = ball_flux(k, order, near=near, radius=radius, rate=0.7, density=packed)
    assert result == pytest.approx(expected, rel=1e-9)


@given(SPACES, ORDERS)
def test_equation_18_as_printed(k, order):
    assume(min(abs(order - k), abs(order - k - 1)) > 1e-3)
    constant, slope = ball_coefficients(k, order, 0.5)
    printed = sphere_constant(k) * (constant + slope * 3 ** (k - order + 1))
    assert ball_flux(k, order, **BALL) == pytest.approx(printed, rel=1e-9)


@pytest.mark.parametrize("k", range(1, 7))
def test_the_excluded_orders(k):
    near, radius = BALL["near"], BALL["radius"]
    at_k = sphere_constant(k) * (2 * log(2) * radius - k * near / (k + 1))
    beyond = sphere_constant(k) * (log(radius / near) + (k + 2) / (k + 1) - log(2))
    assert ball_flux(k, k, **BALL) == pytest.approx(at_k, rel=1e-13)
    assert ball_flux(k, k + 1, **BALL) == pytest.approx(beyond, rel=1e-13)
    for order, value in ((k, at_k), (k + 1, beyond)):
        for step in (1e-15, 1e-12, 1e-9, 1e-7):
            for sign in (-1, 1):
                near_by = ball_flux(k, order + sign * step, **BALL)
                assert near_by == pytest.approx(value, rel=5 * step + 1e-13)


@given(SPACES, ORDERS)
def test_balls_grow_towards_the_one_without_end(k, order):
    fluxes = [ball_flux(k, order, near=0.5, radius=radius) for radius in (1, 10, 1e3, 1e9)]
    end = ball_flux(k, order, near=0.5, radius=inf)
    assert fluxes == sorted(fluxes)
    assert fluxes[-1] <= end * (1 + 1e-12)
    assert isfinite(end) == (order > k + 1)
    if order > k + 1.5:
        assert fluxes[-1] == pytest.approx(end, rel=1e-3)
        constant, _ = ball_coefficients(k, order, 0.5)
        assert end == pytest.approx(sphere_constant(k) * constant)


@given(SPACES, ORDERS, st.floats(1.01, 50))
def test_the_radius_that_a_flux_allows(k, order, times):
    minimum = ball_flux(k, order, near=0.5, radius=0.5 * (1 + 1e-12))
    radius = largest_radius(k, order, times * minimum, near=0.5)
    if isfinite(radius):
        reached = ball_flux(k, order, near=0.5, radius=radius)
        assert reached == pytest.approx(times * minimum, rel=1e-9)
    else:
        assert ball_flux(k, order, near=0.5, radius=inf) <= times * minimum


def test_machines_without_end_as_published(golden):
    for k, order, reach, flux, bound in golden["models"]["eq8_exact_and_eq9_bound(gamma=rho0=1)"][
        "rows"
    ]:
        assert endless_flux(k, order, reach=reach) == pytest.approx(flux, rel=PUBLISHED)
        assert endless_flux_bound(k, order, reach=reach) == pytest.approx(bound, rel=PUBLISHED)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("excess", [0.25, 1.0, 2.5])
def test_machines_without_end_by_quadrature(k, excess):
    order = k + 1 + excess
    result = central_flux(k, lambda d: 0.7 * (2 + d) ** -order, lambda _: 3.0)
    exact = endless_flux(k, order, reach=2, rate=0.7, density=3)
    assert result == pytest.approx(exact, rel=1e-8)
    bound = endless_flux_bound(k, order, reach=2, rate=0.7, density=3)
    assert exact <= bound * (1 + 1e-12)
    assert (k == 1) == (bound == pytest.approx(exact))


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("excess", [-1.5, -0.5, -0.01, 0.0])
def test_what_does_not_converge(k, excess):
    order = k + 1 + excess
    assert endless_flux(k, order, reach=2) == endless_flux_bound(k, order, reach=2) == inf
    assert ball_flux(k, order, near=0.5, radius=inf) == inf
    with pytest.raises(InvalidMachineError, match="does not converge"):
        central_flux(k, lambda d: (2 + d) ** -order, lambda _: 1.0)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_number_of_processors_converges_beyond_order_k(k):
    finite = processor_count(k, lambda r: (1 + r) ** -(k + 0.5))
    assert finite == pytest.approx(sphere_constant(k) * gamma(k) * gamma(0.5) / gamma(k + 0.5))
    with pytest.raises(InvalidMachineError, match="does not converge"):
        processor_count(k, lambda r: (1 + r) ** -k)


def test_falling_densities_as_published(golden):
    for k, count, flux, bound in golden["models"]["eq11_vs_eq14_rho=exp(-r),I0=1"]["rows"]:
        assert processor_count(k, lambda r: exp(-r)) == pytest.approx(count, rel=PUBLISHED)
        assert central_flux(k, lambda _: 1, lambda r: exp(-r)) == pytest.approx(flux, rel=PUBLISHED)
        assert uniform_flux_bound(k, lambda r: exp(-r)) == pytest.approx(bound, rel=PUBLISHED)


def test_falling_densities_far_from_one_metre():
    """With rho = exp(-r/s), w(d) = d exp(-d/s): Phi = C_K K! s^(K+1), for every s."""
    for k in (1, 2, 3):
        for scale in (1e-6, 1e6):
            result = central_flux(k, lambda _: 1, lambda r, s=scale: exp(-r / s), scale=scale)
            assert result == pytest.approx(sphere_constant(k) * gamma(k + 1) * scale ** (k + 1))


def test_any_density_and_communication_by_sums():
    """Equation (6) by the midpoint rule, on r and on r* - r."""

    def packed(r):
        return 2.0 if r < 1 else 0.5 + 0.1 * r

    def talk(d):
        return 2 + cos(d)

    steps = 1500
    middle = (np.arange(steps) + 0.5) * 3 / steps
    local = np.array([packed(r) for r in middle])
    for k in (1, 2, 3):
        separate = middle[:, None] + middle
        terms = separate ** (k - 1) * (2 + np.cos(separate)) * local[:, None] * local
        sums = sphere_constant(k) * terms.sum() * (3 / steps) ** 2
        result = central_flux(k, talk, packed, radius=3.0, kinks=[1.0])
        assert result == pytest.approx(sums, rel=1e-5)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("order", [0, 1, 2.5, 4])
def test_balls_are_a_case_of_the_general_integral(k, order):
    result = central_flux(
        k, lambda d: max(d, 0.5) ** -order, lambda _: 1.0, radius=3.0, kinks=[0.5]
    )
    assert result == pytest.approx(ball_flux(k, order, **BALL), rel=1e-8)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("packed", [lambda r: exp(-r), lambda r: (1 + r) ** -6.0])
def test_a_finite_flux_needs_a_finite_number(k, packed):
    flux, bound = central_flux(k, lambda _: 1, packed), uniform_flux_bound(k, packed)
    if k == 1:
        assert flux == pytest.approx(bound)  # the paper prints >
    else:
        assert flux > bound


def test_uniform_communication_as_published(golden):
    for k, count, radius, flux, coefficient in golden["models"]["eq19"]["rows"]:
        assert uniform_flux(k, count, radius) == pytest.approx(flux, rel=PUBLISHED)
        assert uniform_coefficient(k) == pytest.approx(coefficient, rel=PUBLISHED)


def test_radii_that_are_too_small_and_too_large():
    minimum = ball_flux(3, 2, near=1, radius=1.000001)
    assert largest_radius(3, 2, minimum * 0.9, near=1) == 0
    assert largest_radius(3, 2, minimum, near=1) == pytest.approx(1.000001)
    assert largest_radius(3, 4, 1e6, near=1) == inf  # e^79577 metres


@given(SPACES, st.floats(0.1, 100), st.floats(0.1, 10), st.floats(0.1, 10))
def test_uniform_communication_is_order_0(k, radius, packed, rate):
    count = ball_processors(k, radius, packed)
    by_ball = ball_flux(k, 0, near=radius / 2, radius=radius, rate=rate, density=packed)
    assert uniform_flux(k, count, radius, rate) == pytest.approx(by_ball, rel=1e-11)
    if k > 1:
        assert uniform_radius(k, count, by_ball, rate) == pytest.approx(radius, rel=1e-9)


@given(SPACES, st.floats(0.1, 100), st.floats(0.1, 100))
def test_scaling_rules(k, processors, volume):
    old = uniform_flux(k, 1000, 2)
    new = uniform_flux(k, 1000 * processors, 2 * volume ** (1 / k))
    assert new / old == pytest.approx(flux_growth(k, processors=processors, volume=volume))
    if k > 1:
        larger = volume_growth(k, processors)
        assert flux_growth(k, processors=processors, volume=larger) == pytest.approx(1)


def test_scaling_as_the_paper_says():
    assert volume_growth(3, 2) == 8
    radius = uniform_radius(3, 2000, 1.0) / uniform_radius(3, 1000, 1.0)
    assert radius == pytest.approx(2)  # linear in N; the density falls as N^-2
    assert flux_growth(2, volume=4) == 1 / 2
    assert flux_growth(2, processors=4, volume=4) == 8
    assert flux_growth(3, processors=2, volume=2) == pytest.approx(2 ** (4 / 3))  # (20)
    assert flux_growth(3, processors=2, volume=1) == 4  # (21)
    density = 5.0
    assert flux_growth(3, processors=density) == density**2  # (22) at constant R
    assert volume_growth(1, 2) == inf
    assert volume_growth(1, 1) == 1


def test_broadcast():
    """N at constant rho(0); N^((2K-1)/K) R^(1-K) at constant R."""
    for k in (1, 2, 3):
        assert broadcast_flux(k, 2000, 7.0) == pytest.approx(2 * broadcast_flux(k, 1000, 7.0))
        packed = {n: n / ball_processors(k, 3.0) for n in (1000, 2000)}
        growth = broadcast_flux(k, 2000, packed[2000]) / broadcast_flux(k, 1000, packed[1000])
        assert growth == pytest.approx(2 ** ((2 * k - 1) / k))
    assert broadcast_flux(2, 1e6, 1.0) < uniform_flux(2, 1e6, sqrt(1e6 / pi))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: sphere_constant(0), "dimensions must be a whole number of at least 1, not 0"),
        (lambda: sphere_constant(2.5), "dimensions must be a whole number"),
        (lambda: sphere_constant(10**6), "1000000 dimensions are too many"),
        (lambda: ball_flux(3, 2, radius=2, near=3), "near must be less than the radius, not 3"),
        (lambda: ball_flux(3, 2, radius=2, near=2), "near must be less than the radius"),
        (lambda: ball_flux(3, 2, radius=2, near=0), "near must be positive"),
        (lambda: ball_flux(3, -1, radius=2, near=1), "order must be finite and at least 0"),
        (lambda: ball_flux(3, 2, radius=2, near=1, rate=-1), "rate must be positive"),
        (lambda: ball_flux(3, 400, radius=2, near=1e-9), "beyond what a floating-point number"),
        (lambda: endless_flux(3, 5, reach=0), "reach must be positive"),
        (lambda: endless_flux_bound(3, 5, reach=1, density=0), "density must be positive"),
        (lambda: largest_radius(3, 2, 0, near=1), "flux must be positive"),
        (lambda: volume_growth(3, 1e200), "1e\\+200\\^3 is beyond"),
        (lambda: uniform_radius(1, 10, 1.0), "dimensions must be a whole number of at least 2"),
        (lambda: uniform_flux(3, 0, 1), "processors must be positive"),
        (lambda: volume_growth(3, -2), "processors must be positive"),
        (lambda: broadcast_flux(3, 1, 0), "central density must be positive"),
        (lambda: central_flux(3, abs, abs, radius=-1), "radius must be positive"),
        (lambda: central_flux(3, abs, abs, scale=0), "scale must be positive"),
    ],
)
def test_nonsense(ask, message):
    with pytest.raises(InvalidMachineError, match=message):
        ask()
