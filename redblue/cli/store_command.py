"""``redblue store``: the stored results of sweeps."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from redblue.cli import console
from redblue.cli.files import require_file, require_folder
from redblue.cli.options import names
from redblue.show.answer import Facts
from redblue.show.model import Table
from redblue.show.rows import grouped, table

Only = Annotated[str | None, "NAMES"]
SHOWN = ("kind", "dag", "method", "rules", "seed", "memory", "status", "io", "seconds")
GROUPED = ("version", "kind", "dag", "rules", "method")


def store(
    file: Annotated[Path, "FILE"],
    kind: Only = None,
    dag: Annotated[list[str] | None, "SPEC"] = None,
    method: Only = None,
    memory: str | None = None,
    rules: Only = None,
    status: Only = None,
    version: Only = None,
    rows: bool = False,
    export: Annotated[Path | None, "FILE"] = None,
    artefacts: Annotated[Path | None, "DIR"] = None,
    merge: Annotated[list[Path] | None, "OTHER"] = None,
    check: bool = False,
) -> Facts:
    """List, filter, export and merge stored results.

    By default a line per version, DAG and method; results of two versions are never on one line.

    Parameters
    ----------
    file
        The store.
    kind, method, rules, status, version
        Only these, with commas.
    dag
        Only this DAG; may be repeated.
    memory
        Only these sizes: 64, or 8,16,32.
    rows
        List every result.
    export
        Write the listing: .csv or .parquet.
    artefacts
        Write kept schedules and certificates there.
    merge
        First take over another store; may be repeated.
    check
        Check the file (exit code 4).
    """
    from redblue.sweeps.store import Store, StoreError, save_artefacts, save_entries
    from redblue.sweeps.store.exports import line_of, require_listing_suffix

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
    lines = [line_of(entry) for entry in entries]
    return Facts({"rows": lines}, (listing(lines) if rows else summary(lines),))


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
    from redblue.answers.memories import parse_memories

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
    from redblue.sweeps.store import Store

    for other in others:
        Store(other, readonly=True).close()
    with Store(file) as kept:
        for other in others:
            with Store(other, readonly=True) as source:
                console.say(f"took {kept.merge(source):,} results from {other}")


def listing(lines: list[dict[str, Any]]) -> Table:
    """Return a line per result, under the version that computed it."""
    columns = ((name, partial(_cell, name)) for name in ("version", *SHOWN, "error"))
    return table("results", "", lines, *columns, keys=5)


def summary(lines: list[dict[str, Any]]) -> Table:
    """Return a line per version, DAG and method: number of results, sizes, seconds."""
    groups = grouped(lines, lambda line: tuple(line[name] for name in GROUPED))
    return table(
        "summary", "", groups.items(),
        *((name, partial(_of_group, place)) for place, name in enumerate(GROUPED)),
        ("results", lambda group: len(group[1])),
        ("done", lambda group: sum(line["status"] == "done" for line in group[1])),
        ("other", lambda group: sum(line["status"] != "done" for line in group[1])),
        ("memory", _span),
        ("seconds", lambda group: f"{sum(line['seconds'] for line in group[1]):.2f}"), keys=5,
    )  # fmt: skip


def _cell(name: str, line: dict[str, Any]) -> Any:
    value = line[name]
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else value


def _of_group(place: int, group: tuple[Any, ...]) -> Any:
    return "-" if group[0][place] is None else group[0][place]


def _span(group: tuple[Any, ...]) -> str:
    """Return the sizes of a group: "8" or "8:64"."""
    sizes = [line["memory"] for line in group[1]]
    return ":".join(f"{size:,}" for size in dict.fromkeys((min(sizes), max(sizes))))
