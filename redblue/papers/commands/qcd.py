"""``redblue papers qcd``: Bilardi et al.'s chips for lattice QCD."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from redblue.papers.commands.split import Dies
from redblue.show.answer import Facts, Part
from redblue.show.rows import table

if TYPE_CHECKING:
    from redblue.papers.models import Die
    from redblue.papers.models.qcd import Chip, Regime
    from redblue.papers.models.qcd_processors import QCDProcessor

HALVES = {
    "large_as_printed": "Table 1, all fields on the chip, with 2304 flop a site as printed",
    "large": "The same with 2328 flop a site",
    "medium": "Table 1, each field crosses once in each application, 2328 flop a site",
}


def qcd(
    dies: Dies,
    n4: float = 128,
    machine: str | None = None,
    rate: str | None = None,
    level: str | None = None,
    local: str | None = None,
    neighbours: str | None = None,
) -> Facts:
    """Print the best splits of die area for lattice QCD, and the balance of processors.

    Table 1 of Bilardi et al. has both regimes, with the usable share eta of a layout and the gain
    from half the word length. Table 2 has the paper's processors, or the given machine.

    Parameters
    ----------
    n4
        N_4, sites along the dimension within a node.
    machine
        Machine of the catalogue ('redblue machine list') for table 2.
    rate
        Name of the machine's rate.
    level
        Name of the machine's memory.
    local
        Name of the machine's link to local memory.
    neighbours
        Name of the machine's link to its neighbours.
    """
    from redblue.papers.models.qcd import regime_crossover

    links = {"rate": rate, "memory": level, "local": local, "neighbours": neighbours}
    first, *_ = chips = list(dies)
    result = {
        "operator": operator(),
        "word_bits": dies.word_bits,
        "n4": n4,
        "dies": [facts(die, n4) for die in chips],
        "crossover": regime_crossover(first, n4=n4),
        "layout": least_sides(first, n4),
        "processors": [
            balance(name, processor, n4)
            for name, processor in processors(machine, dies.word_bits, links)
        ],
    }
    return Facts(result, tuple(parts(result)))


def operator() -> dict[str, Any]:
    """The flop, the words and the traffic of a site of the operator."""
    from redblue.papers.models import dirac_operator as counts

    return {
        "site_flops": counts.SITE_FLOPS,
        "site_flops_unscaled": counts.SITE_FLOPS_UNSCALED,
        "site_words": counts.SITE_WORDS,
        "face_words": counts.FACE_WORDS,
        "cut_words": counts.CUT_WORDS,
    }


def facts(die: "Die", n4: float) -> dict[str, Any]:
    """Table 1's row, both regimes."""
    from redblue.papers.models import best_chip
    from redblue.papers.models.dirac_operator import SITE_FLOPS_UNSCALED
    from redblue.papers.models.qcd import REGIMES, ChipLayout, asymptotic_share

    chips = {regime: best_chip(die, regime, n4=n4) for regime in REGIMES}
    printed = best_chip(die, "large", n4=n4, site_flops=SITE_FLOPS_UNSCALED)
    layout = ChipLayout()
    return {
        "side": die.side,
        "bandwidth": die.bandwidth,
        **{regime: chip_facts(chip) for regime, chip in chips.items()},
        "large_as_printed": chip_facts(printed),
        "asymptotic_share": {regime: asymptotic_share(die, regime, n4=n4) for regime in REGIMES},
        "eta": layout.usable(die),
        "eta_of_chip": layout.usable(die, chips["large"].flops),
        "half_words": {
            regime: {
                name: best_chip(die.with_words(die.word_bits / 2, power), regime, n4=n4).flops
                / chips[regime].flops
                for name, power in (("linear", 1), ("quadratic", 2))
            }
            for regime in REGIMES
        },
    }


def chip_facts(chip: "Chip") -> dict[str, float]:
    """A split, its memory in units of 2^20 bits too."""
    return {**vars(chip), "memory_mibit": chip.memory / 2**20}


def least_sides(die: "Die", n4: float) -> dict[str, float | None]:
    """The least side whose layout leaves 90% of the area; None if there is none."""
    from redblue.answers.hardware import InvalidMachineError
    from redblue.papers.models.qcd import ChipLayout

    layout, free = ChipLayout(), replace(die, side=1.0)

    def smallest_side(regime: "Regime | None") -> float | None:
        try:
            return layout.least_side(free, regime=regime, n4=n4)
        except InvalidMachineError:
            return None

    return {"all_units": smallest_side(None), "chip": smallest_side("large")}


def processors(
    machine: str | None, word_bits: float, links: dict[str, str | None]
) -> list[tuple[str, "QCDProcessor"]]:
    """The processors of table 2, or the one machine that is named."""
    from redblue.answers.hardware import MACHINES, machine_named
    from redblue.papers.models.qcd_processors import TABLE_2, qcd_processor

    if machine is not None:
        known = machine_named(machine)
        return [(known.name, qcd_processor(known, word_bits, **links))]
    return [(name, qcd_processor(MACHINES[name], bits, rate=rate)) for name, rate, bits in TABLE_2]


def balance(name: str, processor: "QCDProcessor", n4: float) -> dict[str, Any]:
    """Table 2's column."""
    return {
        "name": name,
        "word_bits": processor.word_bits,
        "k_large": processor.largest_k("large", n4=n4),
        "k_medium": processor.largest_k("medium"),
        "xi_large": processor.xi("large", n4=n4),
        "xi_medium": processor.xi("medium"),
        "xi_medium_with_halo": processor.xi("medium", halo=True),
    }


def parts(result: dict[str, Any]) -> Iterator[Part]:
    """Yield tables and sentences."""
    operator, dies = result["operator"], result["dies"]
    yield (
        f"A site: {operator['site_flops']} flop, {operator['site_words']} words; "
        f"{operator['face_words']} words to and from neighbours for each of n / k.\n"
        f"L_w = {result['word_bits']:g} bits, N_4 = {result['n4']:g}; l in lambda, b in bits a "
        "cycle, m in 2^20 bits, F in flop a cycle"
    )
    for key, caption in HALVES.items():
        yield table(
            key, caption, dies, "l <- side", "b <- bandwidth", f"k <- {key}.k", f"n <- {key}.sites",
            f"m <- {key}.memory_mibit", f"F <- {key}.flops", f"share of units <- {key}.unit_share",
        )  # fmt: skip
    yield crossover(result["crossover"])
    yield table(
        "layout", "Layout and word length", dies, "l <- side", "eta, all units <- eta",
        "eta, large <- eta_of_chip", "L_w/2: F large <- half_words.large.linear",
        "alpha_F ~ L_w^2 <- half_words.large.quadratic",
        "L_w/2: F medium <- half_words.medium.linear",
        "alpha_F ~ L_w^2 <- half_words.medium.quadratic",
        "share asymptotically, large <- asymptotic_share.large",
        "medium <- asymptotic_share.medium",
    )  # fmt: skip
    yield nine_tenths(result["layout"])
    yield table(
        "processors", "Table 2", result["processors"], "processor <- name", "bits <- word_bits",
        "k large <- k_large",
        ("xi large", lambda row: "n.a." if row["xi_large"] is None else row["xi_large"]),
        "k medium <- k_medium", "xi medium <- xi_medium",
    )  # fmt: skip


def crossover(side: float | None) -> str:
    """The sentence on the least side from which all fields belong on the chip."""
    if side is None:
        return "All fields on the chip give more flop a cycle on every die that holds k = 1."
    return f"All fields on the chip give more flop a cycle from l = {side:.6g} on."


def nine_tenths(sides: dict[str, float | None]) -> str:
    """The sentence on the least side whose control and wires take less than a tenth."""
    full, chosen = (
        "never" if side is None else f"from l = {side:.6g} on" for side in sides.values()
    )
    return (
        f"Control and wires leave 0.9 of the area {full} where it is full of functional units, "
        f"{chosen} with those of the first regime."
    )
