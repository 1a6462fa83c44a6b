"""Standings as tables, for Markdown and CSV."""

from collections.abc import Iterable, Mapping

from redblue.papers.records.comparing import Change, record_of
from redblue.papers.records.records import Key, Record
from redblue.papers.records.standings import Standings
from redblue.show.model import Table
from redblue.show.rows import cell_text, numeric, table


def cases_table(found: Standings, records: Mapping[Key, Record]) -> Table:
    """Return a line for each case."""
    rows = []
    for row in found.rows:
        known, ratio, case = record_of(row, records), row.ratio, row.case
        rows.append((case.instance, case.memory, case.rules.name, row.io, row.scheduled_by,
                     row.bound, row.proved_by or row.error,
                     None if ratio is None else round(ratio, 3), round(row.seconds, 1),
                     *((None, None) if known is None else (known.io, known.bound))))  # fmt: skip
    return table(
        "gap", "Words of the best schedule and of the best bound, and what is on record.", rows,
        "instance", "M", "rules", "schedule", "found by", "bound", "proved by", "ratio", "seconds",
        "schedule on record", "bound on record",
    )  # fmt: skip


def groups_table(found: Standings) -> Table:
    """Return a line for each group, and one for all."""
    rows = ((group, many, round(mean, 3)) for group, (many, mean) in found.means().items())
    return table("groups", "Geometric means.", rows, "group", "cases", "schedule / bound")


def changes_table(found: Iterable[Change]) -> Table:
    """Return a line for each side that is not as on record, the better ones first."""
    return table(
        "changes", "Against the records.", sorted(found, key=lambda change: not change.better),
        ("instance", lambda change: change.case.instance),
        ("M", lambda change: change.case.memory), ("rules", lambda change: change.case.rules.name),
        "side <- side", "on record <- record", "now <- words",
        ("is", lambda change: "better" if change.better else "worse"),
    )  # fmt: skip


def markdown(drawn: Table) -> str:
    """Return a table as Markdown."""
    right = numeric(drawn)
    names = [column.name for column in drawn.columns]
    lines = [names, ["--:" if number else "---" for number in right]]
    lines += [[cell_text(cell) for cell in row] for row in drawn.rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
