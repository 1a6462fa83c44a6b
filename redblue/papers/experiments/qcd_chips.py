"""Chips for lattice QCD: the numbers of Bilardi et al., recomputed, and where they are in error."""

from collections.abc import Iterator
from math import floor, log10

from redblue.answers.hardware import MACHINES
from redblue.papers.experiments.bench import Bench
from redblue.papers.models import Chip, Die, best_chip, qcd_processor
from redblue.papers.models.dirac_operator import SITE_FLOPS, SITE_FLOPS_UNSCALED
from redblue.papers.models.qcd import (
    REGIMES,
    ChipLayout,
    Regime,
    asymptotic_share,
    regime_crossover,
)
from redblue.show.model import Axis, Claim, Experiment, Figure, Series, Table, by_formulas, judged
from redblue.show.rows import series, table

SOURCE = "Bilardi et al., HiPC 2005"
ENDLESS = 1e13  # a side at which shares are at their asymptote within half a percent
MIB = 2**23


def experiment(bench: Bench) -> Experiment:
    """Experiment: chips by the I/O law of the Dirac operator, against the paper's tables.

    Nothing is played here: the words of theorem 1 are taken as given, and the equations solved.

    Source
    ------
    G. Bilardi, A. Pietracaprina, G. Pucci, F. Schifano, R. Tripiccione, The potential of on-chip
    multiprocessing for QCD machines, HiPC 2005, section 4, tables 1 and 2.
    """
    sides = [2.5e4 * 2 ** (step / 4) for step in range(bench.pick(25, 41))]
    return Experiment(
        name="qcd-chips",
        title="Chips for lattice QCD: how to split the area between memory and arithmetic",
        summary="Areas and pins are no moves of a game: formulas are evaluated here, not played. "
        "With the words that theorem 1 promises, a die's pins feed so many functional units, and "
        "the area that they leave is memory. The paper's two tables come out to the printed digits "
        "once their conventions are known: millions of bits are 2^20 bits, and the large half of "
        "table 1 leaves K Psi out of the work. Two formulas are misprinted, one of which hides "
        "that its conclusion fails on the smallest die.",
        claims=by_formulas((*_table_claims(), *_area_claims(), *_layout_claims())),
        tables=(chips_table(), processors_table()),
        figures=(
            Figure("qcd-chips", "Flop a cycle that a die of side l sustains with the best split of "
                   "its area. All fields on the chip is better from l = 40,198 on.",
                   Axis("side of the die [lambda]", 2), Axis("F [flop a cycle]", 10),
                   tuple(_drawn(regime, sides) for regime in REGIMES)),
        ),
        formula=r"\eta = \frac{1}{(1 + \epsilon)^2 + (1 + \epsilon) l_c / l}",
        references=("bilardi2005",),
    )  # fmt: skip


def _table_claims() -> list[Claim]:
    """The claims of tables 1 and 2."""
    rows = chips_that_agree()
    unscaled, scaled = rows["large", SITE_FLOPS_UNSCALED], rows["large", SITE_FLOPS]
    blue_gene, other_errors = worst_processor()
    return [
        Claim(
            "Table 1, large memory: n, m, F and the share of units for seven dies",
            f"{SOURCE}, table 1 and equation (9)",
            "computed with chi = 2328 flop a site; m in 10^6 bits",
            f"{unscaled} of 7 rows agree with 2304 flop, {scaled} with 2328; m in 2^20 bits",
            judged(unscaled == 7 and scaled < 7, "corrected"),
            "2304 leaves out the 24 flop of K Psi, which the text counts",
            tolerance="last printed digit, 0.06% of m and F of the largest dies",
        ),
        Claim(
            "Table 1, medium memory", f"{SOURCE}, table 1", "7 rows with chi = 2328",
            f"{rows['medium', SITE_FLOPS]} of 7 rows agree; m in 2^20 bits, truncated",
            judged(rows["medium", SITE_FLOPS] == 7, "corrected"), "the heading says 10^6 bits",
            tolerance="last printed digit",
        ),
        Claim(
            "Table 2: xi of six processors, eight columns", f"{SOURCE}, table 2",
            "0.16 to 9.53 as printed",
            f"at most {other_errors:.4f} apart; Blue Gene/L {blue_gene:.4f}",
            judged(other_errors <= 0.005 * (1 + 1e-9) and blue_gene <= 0.01),
            "the printed bandwidths of Blue Gene/L are rounded, which leaves 0.01 open",
            tolerance="half the last digit",
        ),
    ]  # fmt: skip


def _area_claims() -> list[Claim]:
    """The claims on areas, on the two regimes and on word lengths."""
    share = best_chip(Die(ENDLESS), "large").unit_share * ENDLESS ** (1 / 3)
    formula = asymptotic_share(Die(1), "large")
    printed = 97e5 / 576 / (384e3 * 128) ** (2 / 3)
    medium = best_chip(Die(1e9), "medium").unit_share * 1e9
    crossover = regime_crossover(Die(1)) or 0.0
    smaller = {regime: best_chip(Die(25000), regime).flops for regime in REGIMES}
    eight, sixteen = _flops_with(8 * MIB), _flops_with(16 * MIB)
    linear, quadratic = _halved("large", 1), _halved("large", 2)
    medium_growth = _halved("medium", 2)
    return [
        Claim(
            "Share of units on large dies, large memory",
            f"{SOURCE}, section 4 after (9)",
            f"gamma / (delta N4)^(2/3) l^(-1/3) = {printed:.4f} l^(-1/3)",
            f"{share:.4f} l^(-1/3) at l = {ENDLESS:.0e}",
            judged(abs(share / formula - 1) < 5e-3 and share / printed > 100, "corrected"),
            f"the power of delta N4 is 1/3: {formula:.4f} l^(-1/3); the printed form is "
            f"{formula / printed:.0f} times too small",
        ),
        Claim(
            "Share of units on large dies, medium memory", f"{SOURCE}, section 4",
            f"97e4 / (24 l) = {97e4 / 24:.1f} / l", f"{medium:.1f} / l at l = 1e9",
            judged(abs(medium * 24 / 97e4 - 1) < 1e-2), tolerance="1%",
        ),
        Claim(
            "For l <= 25000 a medium memory gives more flop a cycle than a large one",
            f"{SOURCE}, section 4",
            "medium above large at l = 25000",
            f"{smaller['medium']:.3f} against {smaller['large']:.3f}; they cross at "
            f"l = {crossover:.1f}",
            judged(smaller["medium"] > smaller["large"] and crossover > 25000),
            "true, but 25000 is not the threshold",
        ),
        Claim(
            "8 to 16 MByte of memory go with 100 to 150 flop a cycle", f"{SOURCE}, section 1",
            "100 to 150 flop a cycle", f"{eight:.1f} to {sixteen:.1f} flop a cycle by (9)",
            judged(abs(eight - 70) < 2 and abs(sixteen - 117) < 2, "corrected"),
            "the paper's own equation gives 70 to 117; large memory, L_w = 64",
            tolerance="2 flop a cycle",
        ),
        Claim(
            "Half the word length, units linear in it: slightly more than twice the F",
            f"{SOURCE}, section 4, word length", "slightly more than 2", f"{linear:.5f}",
            judged(2 < linear < 2.5), "large memory, l = 1e5", tolerance="2 to 2.5",
        ),
        Claim(
            "Half the word length, units quadratic in it: slightly less than four times the F",
            f"{SOURCE}, section 4, word length", "slightly less than 4",
            f"{quadratic:.5f} with large, {medium_growth:.5f} with medium memory",
            judged(2 < medium_growth < quadratic < 3.5, "corrected"),
            "at l = 1e5, by the paper's own equations", tolerance="below 3.5",
        ),
    ]  # fmt: skip


def _layout_claims() -> list[Claim]:
    """The claims on the share of a die that control and wires leave."""
    layout, die = ChipLayout(), Die(1e5)
    widening, usable = layout.widening(die), layout.usable(die)
    misprinted = 1 / (1 + widening**2 + (1 + widening) * layout.strip / die.side)
    enough = layout.least_side(Die(1))
    return [
        Claim(
            "The tree and the busses widen a die by no more than 2.6%",
            f"{SOURCE}, section 4.1",
            "epsilon <= 0.026",
            f"epsilon = {widening:.7f}",
            judged(widening <= 0.026),
        ),
        Claim(
            "Control and wires leave nine tenths of every die from l = 1e5 on",
            f"{SOURCE}, section 4.1",
            f"[(1 + eps^2) + (1 + eps) lc / l]^-1 = {misprinted:.6f} >= 0.9",
            f"{usable:.6f} at l = 1e5; 0.9 from l = {enough:.0f} on",
            judged(usable < 0.9 <= misprinted and enough > 1e5, "corrected"),
            "the first term is (1 + eps)^2: with it the claim fails for the smaller dies",
        ),
    ]


def _halved(regime: Regime, exponent: float) -> float:
    """F with words of half the length over F, at l = 1e5."""
    die = Die(1e5)
    return best_chip(die.with_words(32, exponent), regime).flops / best_chip(die, regime).flops


def _flops_with(bits: float) -> float:
    """F of the die whose large memory has so many bits."""
    low, high = 1e4, 1e6
    while high / low > 1 + 1e-9:
        middle = (low * high) ** 0.5
        below = best_chip(Die(middle), "large").memory < bits
        low, high = (middle, high) if below else (low, middle)
    return best_chip(Die(low), "large").flops


def _drawn(regime: Regime, sides: list[float]) -> Series:
    """Flop per cycle against the side of a die."""
    return series(
        f"{regime} memory", [(side, best_chip(Die(side), regime)) for side in sides],
        lambda row: row[0], lambda row: row[1].flops,
        note=lambda row: f"{row[1].memory / 2**20:.4g} x 2^20 bits, {row[1].sites:.4g} sites",
    )  # fmt: skip


MEBI = 2**20

# l in units of 1e5 lambda; n, m, F and the share of units, large memory and then medium memory.
TABLE_1: tuple[tuple[float, tuple[float, ...], tuple[float, ...]], ...] = (
    (0.25, (2.57e2, 1.9, 5, 0.84), (5.26e3, 0.5, 6, 0.95)),
    (0.5, (1.54e3, 11, 19, 0.76), (2.47e5, 15, 17, 0.68)),
    (1.0, (8.48e3, 62, 67, 0.67), (2.24e6, 120, 37, 0.37)),
    (2.0, (4.36e4, 319, 233, 0.58), (1.23e7, 616, 77, 0.19)),
    (4.0, (2.12e5, 1549, 788, 0.49), (5.68e7, 2752, 157, 0.10)),
    (8.0, (9.82e5, 7194, 2630, 0.41), (2.45e8, 11601, 317, 0.05)),
    (16.0, (4.41e6, 32298, 8677, 0.34), (1.02e9, 47609, 639, 0.03)),
)

# Machine, its rate, bits of a word, xi with large and with medium memory as printed.
TABLE_2: tuple[tuple[str, str, int, float | None, float], ...] = (
    ("apeNEXT", "fp64", 64, None, 0.76),
    ("BlueGeneL", "fp64", 32, 6.07, 9.53),
    ("BlueGeneL", "fp64", 64, 2.28, 4.77),
    ("Cell", "fp32", 32, 2.27, 0.61),
    ("Cell", "fp64", 64, 6.06, 2.42),
    ("CSX600", "fp64", 64, 0.17, 0.16),
    ("Itanium2", "fp64", 64, 4.04, 2.20),
    ("QCDOC", "fp64", 64, 4.13, 6.30),
)

# Share by which m and F of the largest dies miss the printed digits, for no known reason.
RESIDUE = 6e-4


def chips_table() -> Table:
    """Table 1 beside the chips that solve its equations."""
    rows = (
        (side, regime, flops,
         *(cell for pair in zip(printed, _cells(chip), strict=True) for cell in pair),
         "yes" if _agrees(chip, printed) else "no")
        for side, regime, flops, printed, chip in _chips()
    )  # fmt: skip
    return table(
        "qcd-chips", "Table 1 of Bilardi et al. and the chips that fill their area with neither "
        "arithmetic nor pins waiting; the large half with and without the 24 flop of K Psi.", rows,
        "side l [1e5 lambda]", "regime", "flop a site", "n printed", "n", "m printed",
        "m [2^20 bits]", "F printed", "F [flop a cycle]", "share printed", "share of units",
        "agrees",
    )  # fmt: skip


def chips_that_agree() -> dict[tuple[str, int], int]:
    """The number of table 1's seven rows that agree, by regime and flop per site."""
    rows: dict[tuple[str, int], int] = {}
    for _, regime, flops, printed, chip in _chips():
        rows[regime, flops] = rows.get((regime, flops), 0) + _agrees(chip, printed)
    return rows


def processors_table() -> Table:
    """Table 2 beside the numbers of the catalogue's machines."""
    rows = []
    for name, rate, bits, large, medium in TABLE_2:
        processor = qcd_processor(MACHINES[name], bits, rate=rate)
        k_large, k_medium = processor.largest_k("large"), processor.largest_k("medium")
        ours = processor.xi("large"), processor.xi("medium")
        rows.append((name, bits, k_large, large, ours[0], k_medium, medium, ours[1]))
    return table(
        "qcd-processors", "Table 2 of Bilardi et al.: how many times its own arithmetic a "
        "processor's links sustain, with the largest whole k that its memory holds.", rows,
        "processor", "word [bits]", "k large", "xi large printed", "xi large", "k medium",
        "xi medium printed", "xi medium",
    )  # fmt: skip


def worst_processor() -> tuple[float, float]:
    """The largest error of table 2's numbers: for Blue Gene/L, and for the others."""
    errors: dict[bool, float] = {}
    for name, rate, bits, *printed in TABLE_2:
        processor = qcd_processor(MACHINES[name], bits, rate=rate)
        ours = processor.xi("large"), processor.xi("medium")
        for theirs, number in zip(printed, ours, strict=True):
            if theirs is None or number is None:
                distance = 0.0 if theirs is number else float("inf")
            else:
                distance = abs(theirs - number)
            blue_gene = name == "BlueGeneL"
            errors[blue_gene] = max(errors.get(blue_gene, 0.0), distance)
    return errors[True], errors[False]


def _chips() -> Iterator[tuple[float, Regime, int, tuple[float, ...], Chip]]:
    """Yield side, regime, flop a site, the printed chip, and ours."""
    for side, large, medium in TABLE_1:
        die = Die(side * 1e5)
        for flops in (SITE_FLOPS_UNSCALED, SITE_FLOPS):
            yield side, "large", flops, large, best_chip(die, "large", site_flops=flops)
        yield side, "medium", SITE_FLOPS, medium, best_chip(die, "medium")


def _cells(chip: Chip) -> tuple[float, ...]:
    return chip.sites, chip.memory / MEBI, chip.flops, chip.unit_share


def _agrees(chip: Chip, printed: tuple[float, ...]) -> bool:
    """Whether all is within one unit of the last digit printed.

    The paper rounds here and truncates there; large dies miss m and F by up to 0.06% more.
    """
    n, memory, flops, _ = printed
    units = 10.0 ** (floor(log10(n)) - 2), 0.1 if memory < 10 else 1.0, 1.0, 0.01
    slack = 0.0, RESIDUE * memory, RESIDUE * flops, 0.0
    limits = [max(unit, tolerance) for unit, tolerance in zip(units, slack, strict=True)]
    differences = [abs(a - b) for a, b in zip(_cells(chip), printed, strict=True)]
    return all(a <= limit * (1 + 1e-9) for a, limit in zip(differences, limits, strict=True))
