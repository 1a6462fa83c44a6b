"""Kung's tables: memory for more arithmetic, arrays, and a machine with an array of it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from redblue.cli.machine.arguments import finite, law_named
from redblue.cli.machine.element import Sought, whole
from redblue.show.answer import Facts, Part
from redblue.show.model import Cell
from redblue.show.rows import cell_text, grouped, table

if TYPE_CHECKING:
    from proofs.laws import Law
    from redblue.answers.hardware import ProcessingElement

DIMENSIONS = (1, 2, 3)
COMPUTATIONS = (
    ("matrix product, LU, QR", "M^1/2"),
    ("grid, 1 dimension", "M"),
    ("grid, 2 dimensions", "M^1/2"),
    ("grid, 3 dimensions", "M^1/3"),
    ("grid, 4 dimensions", "M^1/4"),
    ("FFT, sorting", "log M"),
    ("matrix times vector, triangular solve", "constant"),
)


def answer(
    sought: Sought, memory: str | None, growths: Sequence[float], side: int, law: str | None
) -> Facts:
    """The tables for the memory to grow, which is the machine's if there is one."""
    from redblue.answers.memories import parse_memory

    known = Sought("Warp") if sought == Sought() else sought
    words = None if memory is None else parse_memory(memory, whole(known.word))
    element = known.element(words or 1024)
    base = float(words or (element.memory if sought.machine is not None else 1024))
    chosen = COMPUTATIONS if law is None else ((law, law),)
    laws = [(computation, law_named(name)) for computation, name in chosen]
    result: dict[str, Any] = {
        "memory": base,
        "laws": [
            row
            for computation, kind in laws
            for row in growth_rows(computation, kind, growths, base)
        ],
        "arrays": [
            row for computation, kind in laws for row in array_rows(computation, kind, side, base)
        ],
        "machine": machine_facts(known.title, element, laws, side),
    }
    return Facts(result, tuple(parts(result, growths)))


def growth_rows(
    computation: str, law: "Law", growths: Sequence[float], memory: float
) -> list[dict[str, Any]]:
    """The memory that each growth of C / IO needs; None where no memory is enough."""
    return [
        {
            "computation": computation,
            "law": law.name,
            "alpha": alpha,
            "memory": finite(law.rebalance(alpha, memory)),
        }
        for alpha in growths
    ]


def array_rows(computation: str, law: "Law", side: int, memory: float) -> list[dict[str, Any]]:
    """The memory that each of p^j elements needs, as a multiple of `memory`."""
    from redblue.answers.hardware import ProcessingElement, ProcessorArray

    element = ProcessingElement(1.0, 1.0, memory)
    arrays = [ProcessorArray(element, side, dimensions) for dimensions in DIMENSIONS]
    return [
        {
            "computation": computation,
            "law": law.name,
            "side": side,
            "dimensions": array.dimensions,
            "elements": array.elements,
            "boundary_elements": array.boundary_elements,
            "boundary_links": array.boundary_links,
            "factor_per_element": finite(array.memory_per_element(law) / element.memory),
            "verdict": array.verdict(law),
        }
        for array in arrays
    ]


def machine_facts(
    title: str, element: "ProcessingElement", laws: Sequence[tuple[str, "Law"]], side: int
) -> dict[str, Any]:
    """A machine and a linear array of it."""
    from redblue.answers.hardware import ProcessorArray

    array = ProcessorArray(element, side, dimensions=1)
    return {
        "name": title,
        "compute": element.compute,
        "bandwidth": element.bandwidth,
        "memory": element.memory,
        "balance": element.balance,
        "cells": side,
        "array_balance": array.balance,
        "array_memory": [
            {
                "computation": computation,
                "total": finite(array.memory(law)),
                "per_cell": finite(array.memory_per_element(law)),
            }
            for computation, law in laws
        ],
    }


def parts(result: dict[str, Any], growths: Sequence[float]) -> Iterator[Part]:
    """Yield the three tables."""
    columns = [f"alpha = {alpha:g}" for alpha in growths]
    caption = f"Memory (words) that balances again, from M = {result['memory']:,.0f}"
    laws = by_computation(result["laws"], "memory")
    yield table("laws", caption, laws, "computation", *columns)
    side, machine = result["arrays"][0]["side"], result["machine"]
    caption = f"Memory of each element of an array, in units of that M, p = {side}"
    titles = [f"p^{d} elements" for d in DIMENSIONS]
    arrays = by_computation(result["arrays"], "factor_per_element")
    yield table("arrays", caption, arrays, "computation", *titles)
    yield table(
        "machine",
        f"{machine['name']}: C = {machine['compute']:g} flop/s, IO = {machine['bandwidth']:g} "
        f"word/s, "
        f"M = {machine['memory']:,.0f} words; C / IO = {machine['balance']:g} flop/word.\n"
        f"A linear array of {machine['cells']}: C / IO = {machine['array_balance']:g} flop/word; "
        f"words a "
        "cell to stay balanced",
        machine["array_memory"],
        "computation <- computation",
        ("words a cell", lambda row: _words(row["per_cell"])),
    )


def by_computation(rows: list[dict[str, Any]], key: str) -> list[tuple[Cell, ...]]:
    """A line per computation with the values of `key` in order."""
    lines = grouped(rows, "computation")
    return [(name, *(_words(row[key]) for row in columns)) for name, columns in lines.items()]


def _words(value: float | None) -> str:
    return "impossible" if value is None else cell_text(value)
