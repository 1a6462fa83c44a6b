"""``redblue dag``: sizes of a DAG, the parts of a program, and conversion between formats."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.loading import loaded, recognition
from redblue.cli.options import (
    Family,
    Json,
    NoRecognise,
    Spec,
    Tile,
    Words,
    tiled,
)
from redblue.cli.program_tables import explain_program

if TYPE_CHECKING:
    from dags import CDAG


def dag(
    spec: Spec,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the DAG in the format of FILE's suffix."),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show what a program or a graph computes."),
    ] = False,
    tile: Tile = None,
    family: Family = None,
    no_recognise: NoRecognise = False,
    sizes: Words = None,
    json: Json = False,
) -> None:
    """Show the sizes, degrees and smallest memory of a DAG, or convert it."""
    from dags import formats, save

    spec = tiled(spec, tile)
    if explain:
        explain_program(spec, json)
        return

    graph = loaded(spec, family=family, recognise=not no_recognise, words=sizes, tell=False)
    if out is not None:
        lost = formats.lost(graph, out)
        save(graph, out)
        if lost:
            console.say(f"note: {out.suffix} files do not keep {', '.join(lost)}")
        console.say(f"wrote {out}")
    facts = measure(graph, spec)
    if json:
        console.emit_json({"dag": facts})
        return
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right", style="bold")
    for key, value in facts.items():
        if key not in ("spec", "recognised"):
            table.add_row(key.replace("_", " "), f"{value:,}")
    known = graph.recognised
    console.emit_text(f"{spec}\n" + ("" if known is None else f"{recognition(known)}\n"))
    console.emit_table(table)


def measure(graph: "CDAG", spec: str) -> dict[str, Any]:
    """Return the facts about a DAG that the command prints."""
    from pebble import Rules, min_memory
    from proofs import compulsory
    from redblue.results import describe

    facts = describe(graph, spec)
    return {
        **facts,
        "used_inputs": graph.used_inputs.size,
        "levels": int(graph.level.max()) + 1,
        "max_indegree": int(graph.indegree.max()),
        "max_outdegree": int(graph.outdegree.max()),
        "words": int(graph.sizes.sum()),
        "largest_value": int(graph.sizes.max()),
        "min_memory_sliding": min_memory(graph, rules=Rules(sliding=True)),
        "compulsory_io": compulsory(graph, facts["min_memory"]).io,
    }
