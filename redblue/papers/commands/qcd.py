"""``redblue machine qcd``: Bilardi et al.'s chips for lattice QCD."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.machine.arguments import numbers
from redblue.cli.options import Json, MachineName
from redblue.papers.commands.die import SIDES, BitArea, Pins, UnitArea, Usable, WordBits
from redblue.papers.commands.qcd_tables import emit

if TYPE_CHECKING:
    from redblue.papers.models import Die
    from redblue.papers.models.qcd import Chip, Regime
    from redblue.papers.models.qcd_processors import QCDProcessor


def qcd(
    sides: Annotated[str, typer.Option(help="Sides of dies in lambda, l.")] = SIDES,
    word_bits: WordBits = 64,
    bit_area: BitArea = 50,
    unit_area: UnitArea = 1e8,
    pins: Pins = 1 / 3000,
    usable: Usable = 1,
    n4: Annotated[float, typer.Option(help="Sites along the dimension within a node, N_4.")] = 128,
    machine: MachineName = None,
    rate: Annotated[str | None, typer.Option(help="Which rate of --machine.")] = None,
    level: Annotated[str | None, typer.Option(help="Which memory of --machine.")] = None,
    local: Annotated[str | None, typer.Option(help="Its link to local memory.")] = None,
    neighbours: Annotated[str | None, typer.Option(help="Its link to its neighbours.")] = None,
    json: Json = False,
) -> None:
    """Print the best splits of die area for lattice QCD, and how well processors are balanced.

    Table 1 for both regimes, with eta of the chip's layout and what half the word length gives;
    table 2 for the paper's processors, or for --machine with words of --word-bits.
    """
    from redblue.papers.models import Die
    from redblue.papers.models.qcd import regime_crossover

    dies = [
        Die(side, word_bits, bit_area, unit_area, pins, usable) for side in numbers(sides, float)
    ]
    links = {"rate": rate, "memory": level, "local": local, "neighbours": neighbours}
    result = {
        "operator": operator(),
        "word_bits": word_bits,
        "n4": n4,
        "dies": [facts(die, n4) for die in dies],
        "crossover": regime_crossover(dies[0], n4=n4),
        "layout": least_sides(dies[0], n4),
        "processors": [
            balance(name, processor, n4)
            for name, processor in processors(machine, word_bits, links)
        ],
    }
    if json:
        console.emit_json(result)
    else:
        emit(result)


def operator() -> dict[str, Any]:
    """Return the flop, the words and the traffic of a site of the operator."""
    from redblue.papers.models import dirac_operator as counts

    return {
        "site_flops": counts.SITE_FLOPS,
        "site_flops_unscaled": counts.SITE_FLOPS_UNSCALED,
        "site_words": counts.SITE_WORDS,
        "face_words": counts.FACE_WORDS,
        "cut_words": counts.CUT_WORDS,
    }


def facts(die: "Die", n4: float) -> dict[str, Any]:
    """Return table 1's row, both regimes."""
    from redblue.papers.models import best_chip
    from redblue.papers.models.chip_layout import ChipLayout
    from redblue.papers.models.dirac_operator import SITE_FLOPS_UNSCALED
    from redblue.papers.models.qcd import REGIMES, asymptotic_share

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
    """Return a split, its memory in units of 2^20 bits too."""
    return {**vars(chip), "memory_mibit": chip.memory / 2**20}


def least_sides(die: "Die", n4: float) -> dict[str, float | None]:
    """Return the least side whose layout leaves 90% of the area; None if there is none."""
    from redblue.hardware import InvalidMachineError
    from redblue.papers.models.chip_layout import ChipLayout

    layout, free = ChipLayout(), replace(die, side=1.0)

    def least(regime: "Regime | None") -> float | None:
        try:
            return layout.least_side(free, regime=regime, n4=n4)
        except InvalidMachineError:
            return None

    return {"all_units": least(None), "chip": least("large")}


def processors(
    machine: str | None, word_bits: float, links: dict[str, str | None]
) -> list[tuple[str, "QCDProcessor"]]:
    """Return the processors of table 2, or the one machine that is named."""
    from redblue.hardware import MACHINES, machine_named
    from redblue.papers.models.qcd_processors import TABLE_2, qcd_processor

    if machine is not None:
        known = machine_named(machine)
        return [(known.name, qcd_processor(known, word_bits, **links))]
    return [(name, qcd_processor(MACHINES[name], bits, rate=rate)) for name, rate, bits in TABLE_2]


def balance(name: str, processor: "QCDProcessor", n4: float) -> dict[str, Any]:
    """Return table 2's column."""
    return {
        "name": name,
        "word_bits": processor.word_bits,
        "k_large": processor.largest_k("large", n4=n4),
        "k_medium": processor.largest_k("medium"),
        "xi_large": processor.xi("large", n4=n4),
        "xi_medium": processor.xi("medium"),
        "xi_medium_with_halo": processor.xi("medium", halo=True),
    }
