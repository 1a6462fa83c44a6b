"""``redblue store``: the stored results of sweeps."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.files import require_file, require_folder
from redblue.cli.options import Json, names

if TYPE_CHECKING:
    from rich.table import Table

    from redblue.store import Entry

Only = Annotated[str | None, typer.Option(metavar="NAMES", help="Only these, with commas.")]
SHOWN = ("kind", "dag", "method", "rules", "seed", "memory", "status", "io", "seconds")
GROUPED = ("version", "kind", "dag", "rules", "method")


def store(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The store.")],
    kind: Only = None,
    dag: Annotated[
        list[str] | None, typer.Option(metavar="SPEC", help="Only this DAG; may be repeated.")
    ] = None,
    method: Only = None,
    memory: Annotated[
        str | None, typer.Option(help="Only these sizes: 64, or 8,16,32.", show_default=False)
    ] = None,
    rules: Only = None,
    status: Only = None,
    version: Only = None,
    rows: Annotated[bool, typer.Option("--rows", help="List every result.")] = False,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the listing: .csv or .parquet.")
    ] = None,
    artefacts: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write kept schedules and certificates there."),
    ] = None,
    merge: Annotated[
        list[Path] | None,
        typer.Option(metavar="OTHER", help="First take over another store; may be repeated."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check the file (exit code 4).")] = False,
    json: Json = False,
) -> None:
    """List, filter, export and merge stored results.

    By default a line per version, DAG and method; results of two versions are never on one line.
    """
    from redblue.store import Store, StoreError, save_artefacts, save_entries
    from redblue.store.exports import line_of, require_listing_suffix

    if export is not None:
        require_listing_suffix(export)
        require_file(export)
    require_folder(artefacts)
    wanted = filters(kind, dag, method, memory, rules, status, version)
    if merge:
        merge_all(file, merge)
    with Store(file, readonly=True) as kept:
        if check:
            try:
                kept.check()
            except StoreError as error:
                console.fail(str(error), code=4)
        entries = list(kept.entries(**wanted))
        if export is not None:
            console.say(f"wrote {save_entries(entries, export):,} lines to {export}")
        if artefacts is not None:
            found = save_artefacts(kept, entries, artefacts)
            console.say(f"wrote {len(found):,} files to {artefacts}")
    if json:
        console.emit_json({"rows": [line_of(entry) for entry in entries]})
        return
    console.emit_table(listing(entries) if rows else summary(entries))


def filters(
    kind: str | None,
    dag: list[str] | None,
    method: str | None,
    memory: str | None,
    rules: str | None,
    status: str | None,
    version: str | None,
) -> dict[str, tuple[Any, ...]]:
    """Return the keyword arguments of `Store.entries` for the options."""
    from redblue.memories import parse_memories

    named = {"kind": kind, "method": method, "rules": rules, "status": status, "version": version}
    wanted: dict[str, tuple[Any, ...]] = {
        name: tuple(names(text)) for name, text in named.items() if text is not None
    }
    if dag:
        wanted["dag"] = tuple(dag)
    if memory is not None:
        wanted["memory"] = parse_memories(memory)
    return wanted


def merge_all(file: Path, others: Sequence[Path]) -> None:
    """Merge the results of `others`; all of them are checked before anything is written."""
    from redblue.store import Store

    for other in others:
        Store(other, readonly=True).close()
    with Store(file) as kept:
        for other in others:
            with Store(other, readonly=True) as source:
                console.say(f"took {kept.merge(source):,} results from {other}")


def listing(entries: "Sequence[Entry]") -> "Table":
    """Return a line per result, under the version that computed it."""
    from rich.table import Table

    from redblue.store.exports import line_of

    table = Table(box=None, pad_edge=False)
    for heading in ("version", *SHOWN, "error"):
        table.add_column(heading, justify="right" if heading in SHOWN[4:] else "left")
    for entry in entries:
        line = line_of(entry)
        shown = [text(line[name]) for name in SHOWN]
        table.add_row(line["version"], *shown, text(line["error"]))
    return table


def summary(entries: "Sequence[Entry]") -> "Table":
    """Return a line per version, DAG and method: number of results, sizes, seconds."""
    from rich.table import Table

    from redblue.store.exports import line_of

    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for entry in entries:
        line = line_of(entry)
        groups.setdefault(tuple(line[name] for name in GROUPED), []).append(line)
    table = Table(box=None, pad_edge=False)
    for heading in GROUPED:
        table.add_column(heading)
    for heading in ("results", "done", "other", "memory", "seconds"):
        table.add_column(heading, justify="right")
    for names_, lines in groups.items():
        done = sum(line["status"] == "done" for line in lines)
        sizes = [line["memory"] for line in lines]
        span = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,}:{max(sizes):,}"
        seconds = f"{sum(line['seconds'] for line in lines):.2f}"
        counts = (f"{len(lines):,}", f"{done:,}", f"{len(lines) - done:,}")
        table.add_row(*map(text, names_), *counts, span, seconds)
    return table


def text(value: Any) -> str:
    """Return the text of a value in a listing."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
