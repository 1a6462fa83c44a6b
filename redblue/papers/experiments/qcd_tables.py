"""Tables 1 and 2 of Bilardi et al., as printed, against the models that they were computed with."""

from collections.abc import Iterator
from math import floor, log10

from redblue.answers.hardware import MACHINES
from redblue.papers.models import Chip, Die, best_chip, qcd_processor
from redblue.papers.models.dirac_operator import SITE_FLOPS, SITE_FLOPS_UNSCALED
from redblue.papers.models.qcd import Regime
from redblue.show.model import Table
from redblue.show.rows import table

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
    """Return table 1 beside the chips that solve its equations."""
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
    """Return the number of table 1's seven rows that agree, by regime and flop per site."""
    found: dict[tuple[str, int], int] = {}
    for _, regime, flops, printed, chip in _chips():
        found[regime, flops] = found.get((regime, flops), 0) + _agrees(chip, printed)
    return found


def processors_table() -> Table:
    """Return table 2 beside what the catalogue's machines give."""
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
    """Return the largest error of table 2's numbers: for Blue Gene/L, and for the others."""
    apart: dict[bool, float] = {}
    for name, rate, bits, *printed in TABLE_2:
        processor = qcd_processor(MACHINES[name], bits, rate=rate)
        ours = processor.xi("large"), processor.xi("medium")
        for theirs, number in zip(printed, ours, strict=True):
            if theirs is None or number is None:
                distance = 0.0 if theirs is number else float("inf")
            else:
                distance = abs(theirs - number)
            blue_gene = name == "BlueGeneL"
            apart[blue_gene] = max(apart.get(blue_gene, 0.0), distance)
    return apart[True], apart[False]


def _chips() -> Iterator[tuple[float, Regime, int, tuple[float, ...], Chip]]:
    """Yield side, regime, flop a site, what is printed, and our chip."""
    for side, large, medium in TABLE_1:
        die = Die(side * 1e5)
        for flops in (SITE_FLOPS_UNSCALED, SITE_FLOPS):
            yield side, "large", flops, large, best_chip(die, "large", site_flops=flops)
        yield side, "medium", SITE_FLOPS, medium, best_chip(die, "medium")


def _cells(chip: Chip) -> tuple[float, ...]:
    return chip.sites, chip.memory / MEBI, chip.flops, chip.unit_share


def _agrees(chip: Chip, printed: tuple[float, ...]) -> bool:
    """Return whether all is within one unit of the last digit printed.

    The paper rounds here and truncates there; large dies miss m and F by up to 0.06% more.
    """
    n, memory, flops, _ = printed
    units = 10.0 ** (floor(log10(n)) - 2), 0.1 if memory < 10 else 1.0, 1.0, 0.01
    slack = 0.0, RESIDUE * memory, RESIDUE * flops, 0.0
    limits = [max(unit, more) for unit, more in zip(units, slack, strict=True)]
    apart = [abs(a - b) for a, b in zip(_cells(chip), printed, strict=True)]
    return all(a <= limit * (1 + 1e-9) for a, limit in zip(apart, limits, strict=True))
