"""Matrix products: operations per word grow as the square root of the memory."""

from collections.abc import Mapping
from math import sqrt

from pebble import Rules
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import (
    KUNG,
    POWER_FORMULA,
    constant_claim,
    gap_claim,
    law_claim,
    memory_claims,
)
from redblue.papers.experiments.recoveries import recovery_figure, recovery_of, recovery_table
from redblue.papers.experiments.studies import (
    Study,
    curve_table,
    io_figure,
    law_table,
    ratio_figure,
    study,
)
from redblue.show.model import Claim, Experiment, first_shown, judged
from redblue.show.rows import table

NAME = "Matrix product"
SECTION = f"{KUNG}, section 3.1, equation (2)"
PROVED_FACTOR = 1.5


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of a matrix product against memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.1; J.-W.
    Hong and H. T. Kung, STOC 1981, for the lower bound.
    """
    side = bench.pick(48, 96)
    product = study(bench, f"matmul:n={side}", bounds=("projections",))
    blocks, recovered = block_plays(bench, side), recovery_of(bench, NAME)
    return Experiment(
        name="matmul",
        title="Matrix products: the square root of the memory",
        summary="A block of the result stays in fast memory while columns of one factor and rows "
        "of the other pass. Kung derives sqrt(M) operations per word from such blocks, and cites "
        "the proof that nothing does better in order of magnitude; here the proof is a number at "
        "each size of memory.",
        claims=(
            law_claim(recovered, SECTION),
            *memory_claims([recovered], f"{KUNG}, equation (3)"),
            block_claim(side, blocks),
            gap_claim(product, NAME, "J.-W. Hong and H. T. Kung, 1981", PROVED_FACTOR),
            ceiling_claim(product),
            constant_claim(NAME, "2 n^3 / sqrt(M)",
                           "T. M. Smith et al., 2017; G. Kwasniewski et al., 2019",
                           leading_ratio(product, side), f"{product.spec}, the largest memory "
                           "that tells, without the n^2 outputs"),
        ),
        tables=first_shown((
            recovery_table([recovered], "matmul-recovered"),
            curve_table(product, "matmul-curve", f"{product.spec}, by its structured schedule."),
            table("matmul-blocks", f"Blocks that divide the {side} x {side} matrix: words moved, "
                  "and Kung's count.", ((b, *row, by_blocks(side, b)) for b, row in blocks.items()),
                  "b", "M [words]", "moved [words]", "sliding, M - 1 [words]", "formula [words]"),
            law_table([(NAME, product)], "matmul-law", "The law that the small curve tells."),
        )),
        figures=first_shown((
            recovery_figure([recovered], "matmul-recovery",
            f"Operations per word of {recovered.spec}: "
                            "blocks, counted exactly, and what no schedule exceeds."),
            io_figure(product, "matmul-io",
                      f"Words moved by the product of {side} x {side} matrices, replayed.",
                      "2 n^3 / sqrt(M) + n^2",
                      lambda memory: 2 * side**3 / sqrt(memory) + side**2),
            ratio_figure([(NAME, product)], "matmul-ratio",
                         f"Operations per word of {product.spec}."),
        )),
        formula=POWER_FORMULA % (2, 2),
        references=("kung1986", "hong1981", "smith2017", "kwasniewski2019", "irony2004"),
    )  # fmt: skip


def block_plays(bench: Bench, side: int) -> dict[int, tuple[int, int, int]]:
    """(M, words moved, words moved where results slide) by sides b of blocks.

    The blocks divide the matrix. M is b^2 + b + 2, and a word less where a result may take the
    place of an operand.
    """
    blocks = [b for b in range(2, side // 2 + 1) if side % b == 0]
    moved = []
    for overhead, rules in ((2, Rules()), (1, Rules(sliding=True))):
        sizes = [b * b + b + overhead for b in blocks]
        curve = bench.curve(
            f"matmul:n={side}", sizes, schedulers=["structured"], bounds=["compulsory"], rules=rules
        )
        moved.append([io for _, io in curve.envelope("upper")])
    return {
        b: (b * b + b + 2, placed, slid) for b, placed, slid in zip(blocks, *moved, strict=True)
    }


def block_claim(side: int, blocks: Mapping[int, tuple[int, int, int]]) -> Claim:
    """The claim that blocks of b x b move 2 N^3 / b + N^2 words exactly."""
    off = [
        io - by_blocks(side, b) for b, (_, placed, slid) in blocks.items() for io in (placed, slid)
    ]
    return Claim(
        f"{NAME}: blocks of b x b move 2 N^3 / b + N^2 words",
        f"{KUNG}, section 3.1: N^2 / b^2 steps of 2 N b words each, and the results",
        f"that many, for N = {side} and b = {', '.join(map(str, blocks))}",
        f"{min(off):+,} to {max(off):+,} words off" if any(off) else "exactly so many",
        judged(not any(off)),
        "with b^2 + b + 2 words of memory, and with b^2 + b + 1 where a result slides into the "
        "place of an operand: the b^2 words that the paper counts leave no room for operands",
    )


def by_blocks(side: int, b: int) -> int:
    """Return 2 N^3 / b + N^2."""
    return 2 * side**3 // b + side**2


def ceiling_claim(product: Study) -> Claim:
    """The claim that operations per word, of two a multiplication, stay below sqrt(M)."""
    work = product.points.work
    points = product.found.points.memories
    shares = [
        work / io / sqrt(memory)
        for memory, io in product.curve.envelope("lower")
        if points[0] <= memory <= points[-1]
    ]
    return Claim(
        f"{NAME}: operations per word cannot exceed sqrt(M) in order of magnitude",
        f"{KUNG}, section 3.1, after Hong and Kung, 1981", "at most sqrt(M) words' worth",
        f"at most {max(shares):.3f} sqrt(M), proved", judged(max(shares) <= 1, "proved"),
        f"{product.spec}: two operations a multiplication, by the best bound at each memory",
        kind="proof", tolerance="at most 1",
    )  # fmt: skip


def leading_ratio(product: Study, side: int) -> float:
    """Played words without outputs over 2 n^3 / sqrt(M), at the largest memory."""
    points = product.found.points
    return float((points.ios[-1] - side**2) * sqrt(points.memories[-1]) / (2 * side**3))
