"""``redblue machine split``: the best split of a chip between memory and arithmetic."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.loading import loaded
from redblue.cli.machine.arguments import law_named, numbers
from redblue.cli.machine.tables import emit_rows
from redblue.cli.options import Json
from redblue.papers.commands.die import SIDES, BitArea, Pins, UnitArea, Usable, WordBits

if TYPE_CHECKING:
    from collections.abc import Callable

    from redblue.papers.models.area_split import AreaBudget, Split

    Splitter = Callable[["AreaBudget"], "Split"]


def split(
    law: Annotated[
        str | None, typer.Option(help='Operations per word: "M^1/2", "log M", "constant".')
    ] = None,
    coefficient: Annotated[float, typer.Option(help="Factor of the law.")] = 1.0,
    dag: Annotated[
        str | None, typer.Option(help="A generator or a file, whose I/O is played instead.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(help="Words of memory to play with: a,b,c or a:b.")
    ] = None,
    sides: Annotated[str, typer.Option(help="Sides of dies in lambda, l.")] = SIDES,
    word_bits: WordBits = 64,
    bit_area: BitArea = 50,
    unit_area: UnitArea = 1e8,
    pins: Pins = 1 / 3000,
    usable: Usable = 1,
    json: Json = False,
) -> None:
    """Print how dies are best split between memory and functional units, for any computation.

    The one of --law (by default M^1/2), or --dag as the best schedules play it. The rest of the
    chip is Bilardi et al.'s: memory and functional units share the area, and words cross the
    perimeter.
    """
    from redblue.papers.models import Die

    title, splitter = sought(law, coefficient, dag, memory)
    rows = []
    for side in numbers(sides, float):
        die = Die(side, word_bits, bit_area, unit_area, pins, usable)
        rows.append({"side": side, **facts(splitter(die.budget))})
    if json:
        console.emit_json({"computation": title, "word_bits": word_bits, "splits": rows})
        return
    console.emit_text(f"{title}; l in lambda, words of {word_bits:g} bits\n")
    emit_rows(
        ["l", "memory (words)", "F (op/cycle)", "share of units", "w / F", "I / b (cycles)"],
        ([f"{value:.6g}" for value in row.values()] for row in rows),
    )


def sought(
    law: str | None, coefficient: float, dag: str | None, memory: str | None
) -> "tuple[str, Splitter]":
    """Return the name of the computation, and a function that splits a budget for it.

    Raises
    ------
    InvalidMachineError
        If a law and a DAG are asked for at once.
    """
    from proofs.laws import Law
    from redblue.hardware import InvalidMachineError
    from redblue.papers.models.area_split import law_split

    if dag is not None:
        if law is not None:
            raise InvalidMachineError("a computation is --law or --dag, not both")
        return played(dag, memory)
    named = law_named("M^1/2" if law is None else law)
    known = Law(named.kind, named.exponent, coefficient)
    return f"{coefficient:g} {known.name} operations a word", lambda chip: law_split(chip, known)


def played(spec: str, memory: str | None) -> "tuple[str, Splitter]":
    """Return the DAG's name, and a function that splits a budget by its best schedules' I/O."""
    from pebble import min_memory
    from redblue.balance.balance import work_of
    from redblue.curves.curve import io_curve
    from redblue.memories import parse_memories
    from redblue.papers.models.area_split import best_measured_split

    graph = loaded(spec)
    least = min_memory(graph)
    sizes = parse_memories(memory or f"{least}:{max(least, int(graph.sizes.sum()))}")
    with console.progress_bar("playing") as progress:
        curve = io_curve(graph, sizes, bounds=[], spec=spec, progress=progress)
    words, io = zip(*curve.envelope("upper"), strict=True)
    work = work_of(graph)
    return curve.title, lambda chip: best_measured_split(chip, work, words, io)


def facts(found: "Split") -> dict[str, Any]:
    """Return a split for JSON and for the table."""
    return {
        "memory": found.memory,
        "units": found.units,
        "unit_share": found.unit_share,
        "compute_cycles": found.compute_cycles,
        "transfer_cycles": found.transfer_cycles,
    }
