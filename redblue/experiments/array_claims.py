"""Kung's claims on arrays of processing elements, computed by `machines`."""

from math import isclose

from machines import MACHINES, ProcessingElement, ProcessorArray
from proofs.laws import LOGARITHM, SQUARE_ROOT, Law
from redblue.experiments.law_claims import KUNG
from redblue.experiments.result import Claim, Table, columns, judged

SIDE = 10
MEMORY = 1024
ONE = ProcessingElement(compute=32.0, bandwidth=1.0, memory=MEMORY)
LAWS = {d: Law("power", 1 / d) for d in (1, 2, 3, 4)}


def array_claims() -> tuple[Claim, ...]:
    """Return the claims of section 5, and of the Warp machine."""
    return linear_claim(), square_claim(), automatic_claim(), boundary_claim(), warp_claim()


def linear_claim() -> Claim:
    """Return the claim that the elements of a linear array need p times the memory each."""
    array = ProcessorArray(ONE, SIDE, 1)
    factors = {d: array.memory_per_element(law) / MEMORY for d, law in LAWS.items()}
    return Claim(
        f"A linear array of p = {SIDE}: each element needs p^(d-1) times the memory",
        f"{KUNG}, section 5.1",
        ", ".join(f"{SIDE ** (d - 1):,} for d = {d}" for d in LAWS),
        ", ".join(f"{factor:,.6g} for d = {d}" for d, factor in factors.items()),
        judged(
            all(isclose(factor, SIDE ** (d - 1)) for d, factor in factors.items()), "recomputed"
        ),
        "by machines.ProcessorArray; the paper says linear growth for d = 2",
        kind="formulas",
    )


def square_claim() -> Claim:
    """Return the claim that a square array balances itself for matrix computations."""
    verdicts = {d: ProcessorArray(ONE, SIDE, 2).verdict(law) for d, law in LAWS.items()}
    return Claim(
        "A square array is balanced for matrix computations without more memory per element",
        f"{KUNG}, section 5.2",
        "balanced for d = 2, never for d > 2",
        ", ".join(f"{verdict} for d = {d}" for d, verdict in verdicts.items()),
        judged(
            verdicts[2] == "balanced"
            and all(verdict == "memory must grow" for d, verdict in verdicts.items() if d > 2),
            "recomputed",
        ),
        f"p = {SIDE}",
        kind="formulas",
    )


def automatic_claim() -> Claim:
    """Return the claim that an array of d dimensions balances itself for the law M^(1/d)."""
    balanced = [
        (d, j)
        for d, law in LAWS.items()
        for j in LAWS
        if ProcessorArray(ONE, SIDE, j).verdict(law) == "balanced"
    ]
    return Claim(
        "An array of j dimensions is balanced automatically for the law M^(1/d) if j = d",
        f"{KUNG}, section 5.3",
        "j = d",
        "for (d, j) = " + ", ".join(map(str, balanced)),
        judged(balanced == [(d, d) for d in LAWS], "recomputed"),
        "d, j = 1 to 4: exactly then; with j > d memory is to spare",
        kind="formulas",
    )


def boundary_claim() -> Claim:
    """Return the claim on the bandwidth of a square array, which grows with its links."""
    array, alone = ProcessorArray(ONE, SIDE, 2), ProcessorArray(ONE, 1, 2)
    links = array.boundary_links / alone.boundary_links
    agrees = isclose(array.bandwidth / ONE.bandwidth, links) and isclose(links, SIDE)
    return Claim(
        "The 4p - 4 boundary elements of a square array make its I/O bandwidth p times larger",
        f"{KUNG}, section 5.2",
        f"4p - 4 = {4 * SIDE - 4} elements, bandwidth times p = {SIDE}",
        f"{array.boundary_elements} elements; {array.boundary_links} links leave the array, "
        f"{links:g} times those of one element",
        judged(agrees and array.boundary_elements == 4 * SIDE - 4, "corrected"),
        "4p - 4 elements are no multiple of p: it is the links, 4p against 4, that count",
        kind="formulas",
    )


def warp_claim() -> Claim:
    """Return the claim on the Warp machine, a linear array of cells."""
    cell = MACHINES["Warp"].element()
    warp = ProcessorArray(cell, 10, 1)
    factor = warp.memory_per_element(SQUARE_ROOT) / cell.memory
    return Claim(
        "Warp: a linear array of cells of 10 Mflop/s, 20 Mword/s and 64 K words",
        f"{KUNG}, section 6",
        "C / IO = 0.5 for a cell; 5 for ten, which matrix computations balance with 10 times the "
        "memory each",
        f"C / IO = {cell.balance:g} and {warp.balance:g}; {factor:g} times {cell.memory:,.0f} "
        "words",
        judged(
            all(map(isclose, (cell.balance, warp.balance, factor), (0.5, 5.0, 10.0))), "recomputed"
        ),
        "ten cells are the machine as built; the paper does not say how many",
        kind="formulas",
    )


def array_table() -> Table:
    """Return the memory that each element of an array needs, law by law."""
    laws = {**{law.name: law for law in LAWS.values()}, LOGARITHM.name: LOGARITHM}
    arrays = [ProcessorArray(ONE, SIDE, j) for j in (1, 2, 3)]
    return Table(
        "arrays-memory",
        f"Words that each of p^j elements needs in place of one with {MEMORY:,}, p = {SIDE}.",
        columns("law", *(f"j = {array.dimensions} [words]" for array in arrays)),
        tuple(
            (name, *(_words(array.memory_per_element(law)) for array in arrays))
            for name, law in laws.items()
        ),
    )


def _words(memory: float) -> float:
    """Return words rounded to whole ones, or to nine digits where there are many."""
    return round(memory) if memory < 1e9 else float(f"{memory:.9g}")
