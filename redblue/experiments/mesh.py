"""Meshes of processing elements: which of them are equivalent, against Moreira's numbers."""

from itertools import product

from machines import MeshElement, quality, submesh
from machines.mesh import efficiency, largest_grid, step_time
from proofs.laws import LOGARITHM, Law
from redblue.experiments.bench import Bench
from redblue.experiments.mesh_plays import (
    ELEMENT,
    PROBLEM,
    SOURCE,
    capacity_note,
    efficiency_claims,
    equivalence_claims,
)
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Series,
    Table,
    columns,
    judged,
    rows_of,
)

SIDES = (1, 2, 4, 8, 16, 32, 64)
CASES = ((12, 6, 2), (24, 6, 2), (18, 9, 3), (24, 12, 4))  # points, elements a side, and q


def experiment(bench: Bench) -> Experiment:
    """Experiment: performance of submeshes against that of single elements of equal quality.

    Source
    ------
    J. E. Moreira, Conditions for scalability of mesh-connected massively parallel processors.
    """
    return Experiment(
        name="mesh",
        title="Meshes: which processing elements are equivalent",
        summary=(
            "A q x q x q submesh has q^3 times the memory and the arithmetic of an element and "
            "q^2 times its bandwidth, and a single element with so much performs exactly alike on "
            "every grid, as plays on tori show to the word. Phi_3 = (B / R) M^(1/3) is what they "
            "share: with its fewer bytes for each operation the larger element gets along because "
            "it has more memory. That is "
            "Kung's law for grids of three dimensions, and the figures of merit that the paper "
            "asks for in other computations are his other laws."
        ),
        claims=(
            *equivalence_claims(bench.pick(CASES[:2], CASES)),
            _capacity_claim(),
            *efficiency_claims(12, (1, 3, 4, 6)),
            _kung_claim(),
        ),
        tables=(_table(),),
        figures=(_figure(),),
        formula=r"\Phi_3 = \frac{B}{R} M^{1/3}",
        references=("moreira", "kung1986"),
    )


def _capacity_claim() -> Claim:
    """Return the claim on the largest grid that fits."""
    return Claim(
        "The largest grid that fits is (M / k)^(1/3) P points a side",
        f"{SOURCE}, equation (2)",
        "4096 for P = 8, k = 8",
        f"{largest_grid(ELEMENT, 8, 8):.10g}",
        judged(abs(largest_grid(ELEMENT, 8, 8) - 4096) < 1e-6, "recomputed"),
        capacity_note(),
        kind="formulas",
        tolerance="1e-6",
    )


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
        f"at most {apart:.1e} apart, relatively" if apart else "the same",
        judged(apart < 1e-9, "recomputed"),
        "(B / R) times M^(1/3), M^(1/2), M^(1/4) and log2 M; alpha = 1.5, 2 and 3. The laws are "
        "recovered from plays; that they make figures of merit is arithmetic",
        kind="formulas",
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
