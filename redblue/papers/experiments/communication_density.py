"""Communication density of processors that talk along straight lines, against the paper."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from math import exp, gamma, inf, isinf, log, pi

from redblue.papers.experiments.bench import Bench
from redblue.papers.models import (
    ball_flux,
    central_flux,
    endless_flux,
    sphere_constant,
    uniform_flux,
    volume_growth,
)
from redblue.papers.models.density import ball_processors, endless_flux_bound
from redblue.papers.models.density_integrals import (
    broadcast_flux,
    flux_growth,
    uniform_coefficient,
    uniform_flux_bound,
)
from redblue.show.model import Axis, Claim, Experiment, Figure, by_formulas, judged
from redblue.show.rows import listed, series, table

SOURCE = "Glasser and Zukowski, IEEE Trans. Computers 1988"
RADIUS, NEAR = 3.0, 0.5
CASES = ((1, 0), (1, 3), (2, 1), (2, 4), (3, 0), (3, 2))
EXCLUDED = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4))
DIGITS = 1e-6


def experiment(bench: Bench) -> Experiment:
    """Experiment: traffic through the centre of a machine against its size.

    Nothing is played: closed forms are compared with integrals done by quadrature.

    Source
    ------
    L. A. Glasser, C. A. Zukowski, Continuous models for communication density constraints on
    multiprocessor performance, IEEE Trans. Computers, 1988.
    """
    cases = (*CASES, *bench.pick((), ((1, 5), (2, 0), (2, 6), (3, 1), (3, 5))))
    radii = [2.0 ** (step / 2) for step in range(21)]
    return Experiment(
        name="communication-density",
        title="Communication density: how large a machine its wires allow",
        summary="Densities are integrals, so that formulas are evaluated here, not played. "
        "Processors fill a space of K dimensions, and two at distance d exchange I(d). What passes "
        "through the centre stays finite in a machine without end only if I falls faster than "
        "d^-(K + 1). The paper's closed forms agree with the double integrals that they stand for, "
        "also in the two cases that it leaves out, for which the limits are given here. Two "
        "statements lack a condition.",
        claims=by_formulas(
            replace(claim, tolerance=claim.tolerance or f"{DIGITS:.0e}, relative")
            for claim in (*_endless_claims(), *_ball_claims(cases), *_uniform_claims())
        ),
        tables=(
            table("communication-density",
                  f"Phi of a ball, I_0 = rho_0 = 1, R = {RADIUS:g}, a = {NEAR:g}: (18) and (6).",
                  ((*case, _ball(*case), _integrated(*case)) for case in
                   sorted((*cases, *EXCLUDED))), "K", "M", "closed form", "double integral"),
        ),
        figures=(
            Figure("communication-density", "Density in the centre of a ball of processors in "
                   "three dimensions, where two at distance d exchange d^-M: finite without end "
                   "only for M > 4.", Axis("radius R [m]", 2), Axis("Phi [bits / (s m^2)]", 10),
                   tuple(series(f"M = {order}", radii, float, partial(_ball, 3, order))
                         for order in (0, 2, 3, 4, 5))),
        ),
        formula=r"\Phi = C_K\, I_0\, \rho_0^2 \int_0^\infty u^{K} (d_0 + u)^{-M} du",
        references=("glasser1988",),
    )  # fmt: skip


def _ball(dimensions: int, order: float, radius: float = RADIUS) -> float:
    """Phi of a ball by its closed form."""
    return ball_flux(dimensions, order, radius=radius, near=NEAR)


def _integrated(dimensions: int, order: float) -> float:
    """Phi of a ball by quadrature of (6)."""
    reach = partial(_reach, order)
    return central_flux(dimensions, reach, lambda _r: 1.0, radius=RADIUS, kinks=(NEAR,))


def _reach(order: float, distance: float) -> float:
    return float(max(distance, NEAR) ** -order)


def _apart(cases: tuple[tuple[int, int], ...]) -> float:
    """The largest relative distance between the closed form and the integral."""
    return max(abs(_ball(*case) / _integrated(*case) - 1) for case in cases)


def _endless_claims() -> list[Claim]:
    """The claims on infinite machines."""
    c = {k: sphere_constant(k) for k in range(1, 9)}
    recursion = max(
        abs((k - 3) * c[k - 1] * c[k - 2] / ((k - 2) * c[k - 3]) / c[k] - 1) for k in range(4, 9)
    )
    direct = max(abs(c[k] * gamma(k / 2) / (2 * pi ** (k / 2)) - 1) for k in c)
    edges = [(isinf(endless_flux(k, k + 1, reach=2)), endless_flux(k, k + 1.5, reach=2) < inf)
             for k in (1, 2, 3, 4)]  # fmt: skip
    ratios = {
        k: endless_flux_bound(k, k + 2, reach=2) / endless_flux(k, k + 2, reach=2)
        for k in (1, 2, 3)
    }
    return [
        Claim(
            "Surface of the unit sphere, C_K, and its recursion",
            f"{SOURCE}, equations (3) and (3.1)", "C_1 to C_8 = 2 pi^(K/2) / Gamma(K/2)",
            f"recursion {recursion:.1e} apart, relatively", judged(max(recursion, direct) < DIGITS),
            "from K = 4 on; for K = 3 it would need C_0",
        ),
        Claim(
            "An endless machine has a finite density only if I falls faster than d^-(K+1)",
            f"{SOURCE}, equation (10)", "infinite at M = K + 1, finite beyond",
            f"so in {sum(all(edge) for edge in edges)} of {len(edges)} dimensions",
            judged(all(all(edge) for edge in edges)), "K = 1 to 4; M = K + 1 and K + 1.5",
        ),
        Claim(
            "The bound on it is one", f"{SOURCE}, equation (9)", "at least 1 times the exact Phi",
            listed(ratios.values(), ".4f"),
            judged(abs(ratios[1] - 1) < DIGITS and ratios[2] > 1 and ratios[3] > 1),
            "K = 1, 2, 3 with M = K + 2; equal in one dimension",
        ),
    ]  # fmt: skip


def _ball_claims(cases: tuple[tuple[int, int], ...]) -> list[Claim]:
    """The claims that (18) is the double integral (6)."""
    printed, excluded = _apart(cases), _apart(EXCLUDED)
    return [
        Claim(
            "Density of a ball, as a power of its radius and a constant",
            f"{SOURCE}, equations (17) to (18.2)", "the double integral (6)",
            f"{printed:.1e} apart, relatively", judged(printed < DIGITS),
            f"{len(cases)} pairs of K and M, R = {RADIUS:g}, a = {NEAR:g}, by quadrature",
        ),
        Claim(
            "Density of a ball where M = K or M = K + 1", f"{SOURCE}, equation (18)", "excluded",
            f"a logarithm of R at M = K + 1; {excluded:.1e} apart from the integral, relatively",
            judged(excluded < DIGITS, "corrected"), "C_K I_0 rho_0^2 (2 R ln 2 - K a / (K+1)) and "
            "C_K I_0 rho_0^2 (ln(R/a) + (K+2)/(K+1) - ln 2)",
        ),
    ]  # fmt: skip


def _uniform_claims() -> list[Claim]:
    """The claims on uniform traffic between all processors."""
    flux = {k: central_flux(k, lambda _d: 1.0, lambda r: exp(-r)) for k in (1, 2, 3)}
    minima = {k: uniform_flux_bound(k, lambda r: exp(-r)) for k in flux}
    margin = [flux[k] / minima[k] for k in flux]
    balls = [uniform_flux(k, ball_processors(k, RADIUS), RADIUS) / _ball(k, 0) for k in (1, 2, 3)]
    coefficients = [uniform_coefficient(k) for k in (1, 2, 3)]
    published = (0.5, 0.63662, 0.835563)
    fixed = log(broadcast_flux(3, 2e3, 2e3) / broadcast_flux(3, 1e3, 1e3), 2)
    dense = log(broadcast_flux(3, 2e3, 1.0) / broadcast_flux(3, 1e3, 1.0), 2)
    growth = flux_growth(2, volume=4), flux_growth(2, processors=4, volume=4), volume_growth(3, 2)
    return [
        Claim(
            "Density where I is constant is more than I_0 N times the integral of rho",
            f"{SOURCE}, equation (14)", "more", listed(f"{ratio:.6f} times" for ratio in margin),
            judged(abs(margin[0] - 1) < DIGITS and min(margin[1:]) > 1, "corrected"),
            "rho = exp(-r), K = 1, 2, 3: equal in one dimension",
        ),
        Claim(
            "Density of a ball where I is constant: N^2 I_0 R^(1-K) times a coefficient",
            f"{SOURCE}, equation (19)",
            "0.5, 0.63662 and 0.835563 for K = 1, 2, 3",
            listed(coefficients, ".6g"),
            judged(near(coefficients, published, 1e-5) and near(balls, (1, 1, 1))),
            "2 K (2^K - 1) / (C_K (K + 1)); the same as (18) with M = 0",
        ),
        Claim(
            "A message to all from each: density grows like N", f"{SOURCE}, equation (16)", "N^1",
            f"N^{dense:.4f} at constant central density, N^{fixed:.4f} in a ball of constant size",
            judged(abs(dense - 1) < DIGITS and abs(fixed - 5 / 3) < DIGITS, "corrected"),
            "K = 3; the condition is not printed: N^((2K-1)/K) at constant radius",
        ),
        Claim(
            "Growth of density with area and processors, and of volume at constant density",
            f"{SOURCE}, equations (20) to (22)", "1/2, 8 and 8", listed(growth, "g"),
            judged(near(growth, (0.5, 8, 8))),
            "four times the area for the same N; four times N and area, K = 2; twice N in K = 3",
        ),
    ]  # fmt: skip


def near(values: Iterable[float], wanted: Iterable[float], digits: float = DIGITS) -> bool:
    """Whether numbers are those that are wanted, but for a relative distance."""
    return all(abs(a / b - 1) < digits for a, b in zip(values, wanted, strict=True))
