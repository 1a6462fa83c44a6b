"""Meshes of processing elements: which of them are equivalent, against Moreira's numbers."""

from itertools import product

from machines import GridProblem, MeshElement, quality, submesh
from machines.mesh import (
    calculation_time,
    communication_time,
    efficiency,
    full_memory_efficiency,
    largest_grid,
    overlap_crossover,
    step_time,
)
from proofs.laws import LOGARITHM, Law
from redblue.experiments.bench import Bench
from redblue.experiments.result import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Series,
    Table,
    by_formulas,
    columns,
    judged,
    rows_of,
)

SOURCE = "J. E. Moreira, Conditions for scalability of mesh-connected massively parallel processors"
ELEMENT = MeshElement(rate=1e10, bandwidth=1e9, memory=2**30, latency=5e-6)
PROBLEM = GridProblem(points=1024, bytes_per_point=8, flops_per_point=100)
SIDES = (1, 2, 4, 8, 16, 32, 64)
SAME = 1e-12


def experiment(bench: Bench) -> Experiment:
    """Experiment: performance of submeshes against that of single elements of equal quality.

    Source
    ------
    J. E. Moreira, Conditions for scalability of mesh-connected massively parallel processors.
    """
    factors = bench.pick((2, 4), (2, 3, 4, 8))
    return Experiment(
        name="mesh",
        title="Meshes: which processing elements are equivalent",
        summary=(
            "A q x q x q submesh has q^3 times the memory and the arithmetic of an element and "
            "q^2 times its bandwidth, and a single element with so much performs exactly alike on "
            "every grid. Phi_3 = (B / R) M^(1/3) is what they share: with its fewer bytes for "
            "each operation the larger element gets along because it has more memory. That is "
            "Kung's law for grids of three dimensions, and the figures of merit that the paper "
            "asks for in other computations are his other laws."
        ),
        claims=by_formulas((*_equivalence_claims(factors), *_efficiency_claims(), _kung_claim())),
        tables=(_table(),),
        figures=(_figure(),),
        formula=r"\Phi_3 = \frac{B}{R} M^{1/3}",
        references=("moreira", "kung1986"),
    )


def _equivalence_claims(factors: tuple[int, ...]) -> list[Claim]:
    """Return the claims that an element with the numbers of a submesh performs as it does."""
    cases = list(product(factors, (8, 16, 32), (512, 1024, 3000), (False, True)))
    apart = 0.0
    for q, side, points, overlap in cases:
        problem = GridProblem(points, 8, 100)
        small = step_time(problem, ELEMENT, side * q, overlap=overlap)
        large = step_time(problem, submesh(ELEMENT, q), side, overlap=overlap)
        apart = max(apart, abs(large / small - 1))
    larger = submesh(ELEMENT, 2)
    each, both = (quality(element) for element in (ELEMENT, larger))
    bytes_each = ELEMENT.bandwidth / ELEMENT.rate / (larger.bandwidth / larger.rate)
    return [
        Claim(
            "A mesh of q^3 times larger elements takes the same time for every grid",
            f"{SOURCE}, equations (14) to (20)",
            "the same",
            f"at most {apart:.1e} apart, relatively",
            judged(apart < SAME),
            f"{len(cases)} grids, meshes and q, with and without overlap; q^3 M, q^2 B, q^3 R",
            tolerance="1e-12, relative",
        ),
        Claim(
            "Quality Phi_3 = (B / R) M^(1/3) is that of the submesh",
            f"{SOURCE}, equations (22) and (23)",
            "102.4 for both",
            f"{each:.10g} and {both:.10g}",
            judged(abs(each - 102.4) < 1e-9 and abs(both / each - 1) < SAME),
            "B = 1e9 byte/s, R = 1e10 flop/s, M = 2^30 byte; q = 2",
            tolerance="1e-9",
        ),
        Claim(
            "The larger element needs fewer bytes for each operation",
            f"{SOURCE}, equation (21)",
            "half of them for q = 2",
            f"1 / {bytes_each:g}",
            judged(abs(bytes_each - 2) < SAME),
            tolerance="1e-12",
        ),
        Claim(
            "The largest grid that fits is (M / k)^(1/3) P points a side",
            f"{SOURCE}, equation (2)",
            "4096 for P = 8, k = 8",
            f"{largest_grid(ELEMENT, 8, 8):.6f}",
            judged(abs(largest_grid(ELEMENT, 8, 8) - 4096) < 1e-6),
            tolerance="1e-6",
        ),
    ]


def _efficiency_claims() -> list[Claim]:
    """Return the claims on speedup and efficiency."""
    alone = efficiency(PROBLEM, ELEMENT, 1)
    silent = MeshElement(ELEMENT.rate, ELEMENT.bandwidth, ELEMENT.memory)
    full = GridProblem(largest_grid(silent, 8, 8), 8, 100)
    direct, by_quality = efficiency(full, silent, 8), full_memory_efficiency(full, silent)
    crossover = overlap_crossover(PROBLEM, ELEMENT)
    sides = tuple(PROBLEM.points / (crossover * factor) for factor in (0.99, 1.01))
    few, many = (
        communication_time(PROBLEM, ELEMENT, side) < calculation_time(PROBLEM, ELEMENT, side)
        for side in sides
    )
    return [
        Claim(
            "Efficiency of one element, E(1)",
            f"{SOURCE}, equations (5), (7) and (9)",
            "1",
            f"{alone:.6f}",
            judged(abs(alone - 0.999219) < 5e-7, "corrected"),
            "(5) counts messages for P = 1 too, which T(1) in (7) has not",
            tolerance="5e-7",
        ),
        Claim(
            "With its memory full an element's efficiency depends on Phi_3 alone",
            "this project, from (3), (4) and (22)",
            f"1 / (1 + d k^(4/3) / (f Phi_3)) = {by_quality:.9f}",
            f"{direct:.9f}",
            judged(abs(direct / by_quality - 1) < 1e-9),
            "without latency",
            tolerance="1e-9, relative",
        ),
        Claim(
            "From n* points a side on, calculation hides communication",
            f"{SOURCE}, equation (6)",
            "n* = 8.21283 for L = 5e-6 s",
            f"n* = {crossover:.5f}",
            judged(abs(crossover - 8.21283) < 1e-5 and not few and many),
            "the root of L + d k n^2 / B = f n^3 / R; hidden 1% above it and not 1% below",
            tolerance="1e-5",
        ),
    ]


def _kung_claim() -> Claim:
    """Return the claim that memory grown by Kung's laws keeps the quality of each law."""
    laws = (Law("power", 1 / 3), Law("power", 1 / 2), Law("power", 1 / 4), LOGARITHM)
    apart = 0.0
    for law, alpha in product(laws, (1.5, 2, 3)):
        element = MeshElement(rate=1e10, bandwidth=1e9, memory=2**20)
        faster = MeshElement(1e10 * alpha, 1e9, law.rebalance(alpha, element.memory))
        apart = max(apart, abs(quality(faster, law) / quality(element, law) - 1))
    return Claim(
        "Phi_LINPACK and Phi_FFT, which are asked for, are Kung's laws",
        f"{SOURCE}, section 5; Kung 1986, equation (1)",
        "Phi stays where R grows alpha times and M by the law",
        f"at most {apart:.1e} apart, relatively",
        judged(apart < 1e-9),
        "(B / R) times M^(1/3), M^(1/2), M^(1/4) and log2 M; alpha = 1.5, 2 and 3",
        tolerance="1e-9, relative",
    )


def _table() -> Table:
    names = ("P", "T [s]", "T with overlap [s]", "efficiency", "T of q = 2 elements, P / 2 [s]")
    rows = []
    for side in SIDES:
        times = [step_time(PROBLEM, ELEMENT, side, overlap=overlap) for overlap in (False, True)]
        larger = step_time(PROBLEM, submesh(ELEMENT, 2), side / 2) if side > 1 else None
        rows.append((side, *times, efficiency(PROBLEM, ELEMENT, side), larger))
    caption = (
        "A time step on 1024^3 points with P^3 elements (L = 5e-6 s, B = 1e9 byte/s, R = 1e10 "
        "flop/s, k = 8, f = 100), and with an eighth as many elements of q = 2."
    )
    return Table("mesh", caption, columns(*names), rows_of(*rows))


def _figure() -> Figure:
    """Return the figure of efficiency against the number of elements, for three qualities."""
    x = tuple(float(side**3) for side in SIDES)
    series = []
    for factor in (1, 4, 16):
        element = MeshElement(1e10, 1e9 / factor, 2**30, 5e-6)
        y = tuple(efficiency(PROBLEM, element, side) for side in SIDES)
        series.append(Series(f"Phi_3 = {quality(element):.4g}", x, y, "measured"))
    return Figure(
        "mesh",
        "Efficiency of P^3 elements on 1024^3 points, for three bandwidths.",
        Axis("elements P^3", 2),
        Axis("efficiency"),
        tuple(series),
    )
