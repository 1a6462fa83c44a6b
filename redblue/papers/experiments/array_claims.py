"""Kung's claims on arrays of processing elements, by plays of arrays that hold a block."""

from collections.abc import Mapping
from math import isclose, log2

from proofs.laws import LOGARITHM, Law
from redblue.answers.hardware import MACHINES, ProcessingElement, ProcessorArray
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import KUNG
from redblue.papers.experiments.played_blocks import (
    Share,
    balanced_share,
    grid_share,
    transform_share,
)
from redblue.show.model import Claim, Table, judged
from redblue.show.rows import listed, table

SIDE = 10
MEMORY = 1024
ONE = ProcessingElement(compute=32.0, bandwidth=1.0, memory=MEMORY)
LAWS = {d: Law("power", 1 / d) for d in (1, 2, 3, 4)}
BALANCE = {1: 1.0, 2: 1.0, 3: 1.0, 4: 0.5}  # computations for a word; in 4-D blocks grow large
NEAR, WIDE = 0.02, 0.2  # of exponents: of the block in each element, and of all that it holds
SELDOM = "a block of the grid stays, and the points around its faces come in at the border"
Shares = Mapping[tuple[int, int], Mapping[int, Share]]  # by dimensions of grid and array, by p


def array_claims(bench: Bench) -> tuple[Claim, ...]:
    """Return the claims of section 5, and of the Warp machine."""
    shares = array_shares(bench.pick((2, 4), (2, 4, 8)), bench.pick((1, 2, 3), (1, 2, 3, 4)))
    return (
        linear_claim(shares),
        square_claim(shares),
        automatic_claim(shares),
        boundary_claim(shares),
        transform_claim(bench.pick((1, 2, 4), (1, 2, 4, 8))),
        warp_claim(),
    )


def array_shares(sides: tuple[int, ...], dimensions: tuple[int, ...]) -> Shares:
    """Return the smallest balanced blocks of grids on arrays of p elements a side.

    Arrays have as many dimensions as the grids, or fewer.
    """
    return {
        (d, j): {p: _share(d, j, p) for p in sides if d < 4 or p < 8}
        for d in dimensions
        for j in range(1, d + 1)
    }


def _share(dimensions: int, array: int, side: int) -> Share:
    """Return the smallest block, of whole points a side in each element, that is balanced."""
    return balanced_share(
        lambda size: grid_share(dimensions, (side,) * array, size * side), BALANCE[dimensions]
    )


def exponents(shares: Mapping[int, Share], array: int) -> tuple[float, float]:
    """Return the powers of p with which the block in each element and all it holds grow."""
    first, last = min(shares), max(shares)
    steps = log2(last / first)
    blocks = [shares[p].points / p**array for p in (first, last)]
    held = [shares[p].memory for p in (first, last)]
    return log2(blocks[1] / blocks[0]) / steps, log2(held[1] / held[0]) / steps


def _sides(shares: Shares) -> str:
    """Return the sizes of the arrays as text."""
    return f"p = {listed(next(iter(shares.values())))}"


def linear_claim(shares: Shares) -> Claim:
    """Return the claim that the elements of a linear array need p times the memory each."""
    return _growth_claim(
        "A linear array of p elements: each needs p^(d-1) times the memory, for the law M^(1/d)",
        shares, 1, f": {SELDOM}", ". The paper says linear growth for d = 2",
    )  # fmt: skip


def square_claim(shares: Shares) -> Claim:
    """Return the claim that a square array balances itself for d = 2 and for no more."""
    return _growth_claim(
        "A square array is balanced without more memory per element for d = 2, never for d > 2",
        shares, 2, "", "",
    )  # fmt: skip


def _growth_claim(statement: str, shares: Shares, j: int, how: str, more: str) -> Claim:
    """Return the claim that elements of an array of j dimensions need p^(d-j) times the memory."""
    pairs = [pair for pair in shares if pair[1] == j]
    found = {d: exponents(shares[d, j], j) for d, _ in pairs}
    agrees = all(
        abs(block - (d - j)) < NEAR and abs(held - (d - j)) < WIDE
        for d, (block, held) in found.items()
    )
    sizes = (f"d = {d}: {listed((one.memory for one in shares[d, j].values()), ',')}"
             for d in found)  # fmt: skip
    return Claim(
        statement,
        f"{KUNG}, section 5.{j}",
        listed(f"p^{d - j} for d = {d}" for d in found),
        listed(
            f"p^{block + 0.0:.3f} (p^{held + 0.0:.2f} held) for d = {d}"
            for d, (block, held) in found.items()
        ),
        judged(agrees),
        f"grids of d dimensions, {_sides(shares)}{how}. Words held at most, "
        f"{listed(sizes, joint='; ')}{more}",
        tolerance=f"{NEAR} of the exponent of the block, {WIDE} of all that is held",
    )


def automatic_claim(shares: Shares) -> Claim:
    """Return the claim that an array of d dimensions balances itself for the law M^(1/d)."""
    balanced = [
        (d, j)
        for (d, j), found in shares.items()
        if len({(one.points // p**j, one.memory) for p, one in found.items()}) == 1
    ]
    return Claim(
        "An array of j dimensions is balanced automatically for the law M^(1/d) if j = d",
        f"{KUNG}, section 5.3",
        "j = d",
        f"the same memory at every p for (d, j) = {listed(map(str, balanced))}",
        judged(balanced == [pair for pair in shares if pair[0] == pair[1]]),
        f"grids of d dimensions on arrays of j <= d, {_sides(shares)}: to the word",
    )


def boundary_claim(shares: Shares) -> Claim:
    """Return the claim on the bandwidth of a square array, which grows with its links."""
    found = {p: grid_share(2, (p, p), 2 * p) for p in (1, *shares[2, 2])}
    times = [one.loads / found[1].loads for one in found.values()]
    array = ProcessorArray(ONE, SIDE, 2)
    return Claim(
        "The 4p - 4 boundary elements of a square array make its I/O bandwidth p times larger",
        f"{KUNG}, section 5.2",
        f"4p - 4 = {4 * SIDE - 4} elements for p = {SIDE}, bandwidth times p",
        f"{listed(times, 'g')} times the words of one element come in in a step, for p = "
        f"{listed(found)}",
        judged(
            times == list(found)
            and all(one.links == 4 * p for p, one in found.items())
            and array.boundary_elements == 4 * SIDE - 4,
            "corrected",
        ),
        "4p - 4 elements are no multiple of p: it is the links, 4p against 4, that count; blocks "
        "of a grid of two dimensions, 4 points in each element",
    )


def transform_claim(sides: tuple[int, ...]) -> Claim:
    """Return the claim that arrays need the p-th power of the memory for a Fourier transform."""
    found = {p: _transform(p) for p in sides}
    points = found[1].points
    powers = {p: log2(one.points) / log2(points) for p, one in found.items()}
    return Claim(
        "A linear array of p elements holds M^p points of a Fourier transform, where one holds M",
        f"{KUNG}, sections 3.4 and 5.1",
        listed(f"M^{p}" for p in found),
        listed(f"{one.points:,} points = M^{powers[p]:g}" for p, one in found.items()),
        judged(all(isclose(powers[p], p) for p in found)),
        f"the smallest transforms with which arrays of p = {listed(found)} are "
        "balanced; points enter and leave at both ends. The paper has both laws, not the example",
    )


def _transform(side: int) -> Share:
    """Return the smallest transform of a point or more in each element that is balanced."""
    least = side.bit_length() - 1
    return balanced_share(lambda size: transform_share(side, max(size, least)), 2.0)


def warp_claim() -> Claim:
    """Return the claim on the Warp machine, a linear array of cells."""
    cell = MACHINES["Warp"].element()
    warp = ProcessorArray(cell, 10, 1)
    alone, ten = (_share(2, 1, cells) for cells in (1, 10))
    factor = ten.points / 10 / alone.points
    return Claim(
        "Warp: a linear array of cells of 10 Mflop/s, 20 Mword/s and 64 K words",
        f"{KUNG}, section 6",
        "C / IO = 0.5 for a cell; 5 for ten, which matrix computations balance with 10 times the "
        "memory each",
        f"C / IO = {cell.balance:g} and {warp.balance:g}; {factor:g} times the block in each of "
        f"ten elements, {ten.points // 10} points against {alone.points}",
        judged(all(map(isclose, (cell.balance, warp.balance, factor), (0.5, 5.0, 10.0)))),
        "the figures are published, the factor is played, for the same law on a grid of two "
        "dimensions. Ten cells are the machine as built; the paper does not say how many",
    )


def array_table() -> Table:
    """Return the memory that each element of an array needs, law by law."""
    laws = {**{law.name: law for law in LAWS.values()}, LOGARITHM.name: LOGARITHM}
    arrays = [ProcessorArray(ONE, SIDE, j) for j in (1, 2, 3)]
    return table(
        "arrays-memory",
        f"Words that each of p^j elements needs in place of one with {MEMORY:,}, p = {SIDE}.",
        ((name, *(_words(array.memory_per_element(law)) for array in arrays))
         for name, law in laws.items()),
        "law", *(f"j = {array.dimensions} [words]" for array in arrays),
    )  # fmt: skip


def _words(memory: float) -> float:
    """Return words rounded to whole ones, or to nine digits where there are many."""
    return round(memory) if memory < 1e9 else float(f"{memory:.9g}")
