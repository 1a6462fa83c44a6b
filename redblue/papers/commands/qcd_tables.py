"""The tables of ``redblue machine qcd``."""

from typing import Any

from redblue.cli import console
from redblue.cli.machine.tables import emit_rows, short

HALVES = (
    ("large_as_printed", "Table 1, all fields on the chip, with 2304 flop a site as printed"),
    ("large", "The same with 2328 flop a site"),
    ("medium", "Table 1, each field crosses once in each application, 2328 flop a site"),
)


def emit(result: dict[str, Any]) -> None:
    """Print the tables."""
    operator, dies = result["operator"], result["dies"]
    console.emit_text(
        f"A site: {operator['site_flops']} flop, {operator['site_words']} words; "
        f"{operator['face_words']} words to and from neighbours for each of n / k.\n"
        f"L_w = {result['word_bits']:g} bits, N_4 = {result['n4']:g}; l in lambda, b in bits a "
        "cycle, m in 2^20 bits, F in flop a cycle"
    )
    for key, title in HALVES:
        console.emit_text(f"\n{title}\n")
        emit_rows(
            ["l", "b", "k", "n", "m", "F", "share of units"],
            ([short(die["side"]), f"{die['bandwidth']:.6g}", *chip(die[key])] for die in dies),
        )
    console.emit_text(f"\n{crossover(result['crossover'])}\n\nLayout and word length\n")
    emit_rows(
        ["l", "eta, all units", "eta, large", *HALF, "share asymptotically, large", "medium"],
        (layout(die) for die in dies),
    )
    console.emit_text(f"\n{nine_tenths(result['layout'])}\n\nTable 2\n")
    emit_rows(
        ["processor", "bits", "k large", "xi large", "k medium", "xi medium"],
        (processor(row) for row in result["processors"]),
    )


HALF = ("L_w/2: F large", "alpha_F ~ L_w^2", "L_w/2: F medium", "alpha_F ~ L_w^2")


def chip(row: dict[str, float]) -> list[str]:
    """Return the cells of one split."""
    keys = ("k", "sites", "memory_mibit", "flops", "unit_share")
    return [f"{row[key]:.6g}" for key in keys]


def layout(die: dict[str, Any]) -> list[str]:
    """Return the line of one die."""
    halves = [
        die["half_words"][regime][growth]
        for regime in ("large", "medium")
        for growth in ("linear", "quadratic")
    ]
    numbers = [die["eta"], die["eta_of_chip"], *halves, *die["asymptotic_share"].values()]
    return [short(die["side"]), *(f"{number:.6g}" for number in numbers)]


def crossover(side: float | None) -> str:
    """Return the sentence on the least side from which all fields belong on the chip."""
    if side is None:
        return "All fields on the chip give more flop a cycle on every die that holds k = 1."
    return f"All fields on the chip give more flop a cycle from l = {side:.6g} on."


def nine_tenths(sides: dict[str, float | None]) -> str:
    """Return the sentence on the least side whose control and wires take less than a tenth."""
    full, chosen = (
        "never" if side is None else f"from l = {side:.6g} on" for side in sides.values()
    )
    return (
        f"Control and wires leave 0.9 of the area {full} where it is full of functional units, "
        f"{chosen} with those of the first regime."
    )


def processor(row: dict[str, Any]) -> list[str]:
    """Return the line of one processor."""
    large = "n.a." if row["xi_large"] is None else f"{row['xi_large']:.6g}"
    return [
        row["name"],
        short(row["word_bits"]),
        short(row["k_large"]),
        large,
        short(row["k_medium"]),
        f"{row['xi_medium']:.6g}",
    ]
