"""Records of named instances, and results against them: better, worse, contradictions; tables."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from dags import FormatError
from dags.cdag.files import writing
from dags.cdag.tables import harmless
from redblue.papers.records.instances import Case
from redblue.papers.records.standings import Standing, Standings
from redblue.show.model import Table
from redblue.show.rows import cell_text, numeric, table

Key = tuple[str, str, int]  # instance, rules, memory
NUMBERS = ("memory", "vertices", "io", "bound")


@dataclass(frozen=True)
class Record:
    """The best words that are known of one case.

    Parameters
    ----------
    suite, instance, rules, memory
        The case.
    vertices, dag
        Size of its DAG, and the first digits of the DAG's digest.
    io, scheduled_by, schedule, schedule_made
        Words of the best schedule, the method behind it, the first digits of the schedule's digest,
        and the command that did.
    bound, proved_by, certificate, bound_made
        The best bound, likewise; `certificate` begins the seal of its file.
    """

    suite: str
    instance: str
    rules: str
    memory: int
    vertices: int
    dag: str
    io: int
    scheduled_by: str
    schedule: str
    schedule_made: str
    bound: int
    proved_by: str
    certificate: str
    bound_made: str

    @property
    def key(self) -> Key:
        """Key of the record."""
        return self.instance, self.rules, self.memory


COLUMNS = tuple(field.name for field in fields(Record))


def load_records(path: Path) -> dict[Key, Record]:
    """The records in a file; none where there is no file.

    Raises
    ------
    FormatError
        If the file is no such table.
    """
    if not path.exists():
        return {}
    records: dict[Key, Record] = {}
    with path.open(newline="", encoding="utf-8") as file:
        lines = csv.DictReader(file)
        if tuple(lines.fieldnames or ()) != COLUMNS:
            raise FormatError(path, f"records have the columns {','.join(COLUMNS)}")
        for line in lines:
            record = _record(path, lines.line_num, line)
            records[record.key] = record
    return records


def _record(path: Path, number: int, line: Mapping[str, str | None]) -> Record:
    """The record of a line."""
    try:
        values = {name: line[name] or "" for name in COLUMNS}
        return Record(**{**values, **{name: int(values[name]) for name in NUMBERS}})  # type: ignore[arg-type]
    except ValueError:
        raise FormatError(path, f"{', '.join(NUMBERS)} are whole numbers", line=number) from None


def save_records(records: Iterable[Record], path: Path) -> None:
    """Write records to a file, whole or not at all, by suite, instance, rules and memory."""
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(COLUMNS)
    for record in sorted(records, key=lambda record_: (record_.suite, *record_.key)):
        lines.writerow(map(harmless, asdict(record).values()))
    with writing(path) as new:
        new.write_text(text.getvalue(), encoding="utf-8")


def updated(known: Record | None, row: Standing, command: str) -> Record:
    """The record of a case after a result: the better of each side.

    Parameters
    ----------
    known
        The record before, of the same DAG; None for none.
    row
        A result with both sides.
    command
        The command that made it.
    """
    assert row.io is not None
    assert row.bound is not None
    case = row.case
    new = Record(
        *(case.suite, case.instance, case.rules.name, case.memory, row.vertices, row.dag),
        *(row.io, row.scheduled_by, row.schedule, command),
        *(row.bound, row.proved_by, row.certificate, command),
    )
    if known is None or known.dag != row.dag:
        return new
    best = known
    if row.io < known.io:
        best = replace(
            best,
            io=new.io,
            scheduled_by=new.scheduled_by,
            schedule=new.schedule,
            schedule_made=command,
        )
    if row.bound > known.bound:
        best = replace(
            best,
            bound=new.bound,
            proved_by=new.proved_by,
            certificate=new.certificate,
            bound_made=command,
        )
    return best


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
        """The object of `--json`."""
        game = {"memory": self.case.memory, "rules": self.case.rules.name}
        words = {"record": self.record, "words": self.words}
        return {"instance": self.case.instance, **game, "side": self.side, **words}


def record_of(row: Standing, records: Mapping[Key, Record]) -> Record | None:
    """The record of a result's case; None if there is none, or it is of another DAG."""
    known = records.get(row.case.key)
    return known if known is not None and known.dag == row.dag else None


def changes(rows: Iterable[Standing], records: Mapping[Key, Record]) -> list[Change]:
    """The sides of results that are not as on record; without records there are none."""
    changes_found: list[Change] = []
    for row in rows:
        known = record_of(row, records)
        if known is None or row.io is None or row.bound is None:
            continue
        if row.io != known.io:
            changes_found.append(Change(row.case, "schedule", known.io, row.io))
        if row.bound != known.bound:
            changes_found.append(Change(row.case, "bound", known.bound, row.bound))
    return changes_found


def contradictions(rows: Iterable[Standing], records: Mapping[Key, Record]) -> list[str]:
    """A sentence for each schedule that moves less than a bound allows."""
    sentences: list[str] = []
    for row in rows:
        known = record_of(row, records)
        if row.io is None or row.bound is None:
            continue
        io = row.io if known is None else min(row.io, known.io)
        bound = row.bound if known is None else max(row.bound, known.bound)
        if bound > io:
            label = f"{row.case.instance} with {row.case.memory} words, {row.case.rules.name}"
            sentences.append(f"{label}: a bound of {bound} words is above a schedule of {io}")
    return sentences


def cases_table(standings: Standings, records: Mapping[Key, Record]) -> Table:
    """A line for each case."""
    rows = []
    for row in standings.rows:
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


def groups_table(standings: Standings) -> Table:
    """A line for each group, and one for all."""
    rows = ((group, count, round(mean, 3)) for group, (count, mean) in standings.means().items())
    return table("groups", "Geometric means.", rows, "group", "cases", "schedule / bound")


def changes_table(differences: Iterable[Change]) -> Table:
    """A line for each side that is not as on record, the better ones first."""
    return table(
        "changes", "Against the records.",
        sorted(differences, key=lambda change: not change.better),
        ("instance", lambda change: change.case.instance),
        ("M", lambda change: change.case.memory), ("rules", lambda change: change.case.rules.name),
        "side <- side", "on record <- record", "now <- words",
        ("is", lambda change: "better" if change.better else "worse"),
    )  # fmt: skip


def markdown(drawn: Table) -> str:
    """A table as Markdown."""
    right = numeric(drawn)
    names = [column.name for column in drawn.columns]
    lines = [names, ["--:" if number else "---" for number in right]]
    lines += [[cell_text(cell) for cell in row] for row in drawn.rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
