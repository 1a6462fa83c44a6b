"""``redblue store``: the stored results of sweeps."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.files import require_file, require_folder
from redblue.cli.options import names
from redblue.show.answer import Facts
from redblue.show.model import Table
from redblue.show.rows import grouped, table

OnlyThese = typer.Option(
    metavar="FIELD=VALUES",
    help="Keep results with one of these values of a field: kind, dag, method, rules, status, "
    "version, or memory=64 (8,16,32). May be repeated: all must hold.",
)
FIELDS = ("kind", "method", "rules", "status", "version", "memory", "dag")
Before = Annotated[str | None, typer.Option(hidden=True)]  # an option of the release before
BeforeDAG = Annotated[list[str] | None, typer.Option(hidden=True)]
SHOWN = ("kind", "dag", "method", "rules", "seed", "memory", "status", "io", "seconds")
GROUPED = ("version", "kind", "dag", "rules", "method")


def store(
    file: Annotated[Path, "FILE"],
    only: Annotated[list[str] | None, OnlyThese] = None,
    kind: Before = None,
    dag: BeforeDAG = None,
    method: Before = None,
    memory: Before = None,
    rules: Before = None,
    status: Before = None,
    version: Before = None,
    rows: bool = False,
    export: Annotated[Path | None, "FILE"] = None,
    artefacts: Annotated[Path | None, "DIR"] = None,
    merge: Annotated[list[Path] | None, "OTHER"] = None,
    check: bool = False,
) -> Facts:
    """List, filter, export and merge the results that 'curve --store' saved.

    By default it prints a line for each version of redblue, DAG and method.

    Parameters
    ----------
    file
        The file that --store named.
    rows
        Print a line for each result.
    export
        Write the results to this file: .csv or .parquet.
    artefacts
        Write the stored schedules and certificates into this folder.
    merge
        Add the results of this other store first; may be repeated.
    check
        Check the file, and end with exit code 4 if it is damaged.
    """
    from redblue.sweeps.store import Store, StoreError, save_artefacts, save_entries
    from redblue.sweeps.store.exports import line_of, require_listing_suffix

    if export is not None:
        require_listing_suffix(export)
        require_file(export)
    require_folder(artefacts)
    before = {"kind": kind, "method": method, "rules": rules, "status": status}
    before |= {"version": version, "memory": memory}
    wanted = filters(fields_of(only or [], before, dag or []))
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
            saved = save_artefacts(kept, entries, artefacts)
            console.say(f"wrote {len(saved):,} files to {artefacts}")
    lines = [line_of(entry) for entry in entries]
    return Facts({"rows": lines}, (listing(lines) if rows else summary(lines),))


def fields_of(
    only: Sequence[str], before: Mapping[str, str | None], dags: Sequence[str]
) -> list[tuple[str, str]]:
    """Fields and their values as the options give them, of this release and the one before.

    Parameters
    ----------
    only
        "method=lru,belady" and the like.
    before
        Values of the options that were called like their fields.
    dags
        DAGs, likewise.

    Raises
    ------
    InvalidSpecError
        If a field has no value.
    UnknownNameError
        If there is no such field.
    """
    from dags import InvalidSpecError, UnknownNameError
    from dags.errors import one_line

    fields = []
    for text in only:
        field, equals, values = text.partition("=")
        if field not in FIELDS:
            raise UnknownNameError("field of results", one_line(field), FIELDS)
        if not equals or not values:
            raise InvalidSpecError(f"--only {field} has no value: write --only {field}=VALUE")
        fields.append((field, values))
    old = [(field, values) for field, values in before.items() if values is not None]
    for field, values in [*old, *(("dag", spec) for spec in dags)]:
        console.say(f"note: '--{field}' is '--only {field}={values}' now; the old name will go")
        fields.append((field, values))
    return fields


def filters(fields: Sequence[tuple[str, str]]) -> dict[str, tuple[Any, ...]]:
    """The keyword arguments of `Store.entries` for fields and their values.

    The values of a field that is named several times are one list: a result has one of them.
    """
    from redblue.answers.memories import parse_memories

    wanted: dict[str, tuple[Any, ...]] = {}
    for field, text in fields:
        if field == "memory":
            values: Sequence[Any] = parse_memories(text)
        else:
            values = (text,) if field == "dag" else names(text)
        wanted[field] = (*wanted.get(field, ()), *values)
    return wanted


def merge_all(file: Path, sources: Sequence[Path]) -> None:
    """Merge the results of `sources`; all of them are checked before anything is written."""
    from redblue.sweeps.store import Store

    for path in sources:
        Store(path, readonly=True).close()
    with Store(file) as kept:
        for path in sources:
            with Store(path, readonly=True) as source:
                console.say(f"took {kept.merge(source):,} results from {path}")


def listing(lines: list[dict[str, Any]]) -> Table:
    """A line per result, under the version that computed it."""
    columns = ((name, partial(_cell, name)) for name in ("version", *SHOWN, "error"))
    return table("results", "", lines, *columns, keys=5)


def summary(lines: list[dict[str, Any]]) -> Table:
    """A line per version, DAG and method: number of results, sizes, seconds."""
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
    """The sizes of a group: "8" or "8:64"."""
    sizes = [line["memory"] for line in group[1]]
    return ":".join(f"{size:,}" for size in dict.fromkeys((min(sizes), max(sizes))))
