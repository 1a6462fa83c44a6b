"""Results against records: better, worse, contradictions; and standings as tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from redblue.papers.records.instances import Case
from redblue.papers.records.records import Key, Record
from redblue.papers.records.standings import Standing, Standings
from redblue.show.model import Table
from redblue.show.rows import cell_text, numeric, table

Side = Literal["schedule", "bound"]


@dataclass(frozen=True)
class Change:
    """One side of a case that differs from the record.

    Parameters
    ----------
    case
        The case.
    side
        "schedule" or "bound".
    record, words
        Words on record, and those of the result.
    """

    case: Case
    side: Side
    record: int
    words: int

    @property
    def better(self) -> bool:
        """True for a schedule of fewer words, and for a bound of more."""
        return (self.words < self.record) == (self.side == "schedule")

    def to_dict(self) -> dict[str, Any]:
        """Return the object of `--json`."""
        game = {"memory": self.case.memory, "rules": self.case.rules.name}
        words = {"record": self.record, "words": self.words}
        return {"instance": self.case.instance, **game, "side": self.side, **words}


def record_of(row: Standing, records: Mapping[Key, Record]) -> Record | None:
    """Return the record of a result's case; None if there is none, or it is of another DAG."""
    known = records.get(row.case.key)
    return known if known is not None and known.dag == row.dag else None


def changes(rows: Iterable[Standing], records: Mapping[Key, Record]) -> list[Change]:
    """Return the sides of results that are not as on record; without records there are none."""
    found: list[Change] = []
    for row in rows:
        known = record_of(row, records)
        if known is None or row.io is None or row.bound is None:
            continue
        if row.io != known.io:
            found.append(Change(row.case, "schedule", known.io, row.io))
        if row.bound != known.bound:
            found.append(Change(row.case, "bound", known.bound, row.bound))
    return found


def contradictions(rows: Iterable[Standing], records: Mapping[Key, Record]) -> list[str]:
    """Return a sentence for each schedule that moves less than a bound allows."""
    found: list[str] = []
    for row in rows:
        known = record_of(row, records)
        if row.io is None or row.bound is None:
            continue
        io = row.io if known is None else min(row.io, known.io)
        bound = row.bound if known is None else max(row.bound, known.bound)
        if bound > io:
            where = f"{row.case.instance} with {row.case.memory} words, {row.case.rules.name}"
            found.append(f"{where}: a bound of {bound} words is above a schedule of {io}")
    return found


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
