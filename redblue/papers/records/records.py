"""Records: the best schedule and the best bound that are known of each case, in a CSV file."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from io import StringIO
from pathlib import Path

from dags import FormatError
from dags.cdag.files import writing
from dags.cdag.tables import harmless
from redblue.papers.records.standings import Standing

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
    """Return the records in a file; none where there is no file.

    Raises
    ------
    FormatError
        If the file is no such table.
    """
    if not path.exists():
        return {}
    found: dict[Key, Record] = {}
    with path.open(newline="", encoding="utf-8") as file:
        lines = csv.DictReader(file)
        if tuple(lines.fieldnames or ()) != COLUMNS:
            raise FormatError(path, f"records have the columns {','.join(COLUMNS)}")
        for line in lines:
            record = _record(path, lines.line_num, line)
            found[record.key] = record
    return found


def _record(path: Path, number: int, line: Mapping[str, str | None]) -> Record:
    """Return the record of a line."""
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
    for record in sorted(records, key=lambda one: (one.suite, *one.key)):
        lines.writerow(map(harmless, asdict(record).values()))
    with writing(path) as new:
        new.write_text(text.getvalue(), encoding="utf-8")


def updated(known: Record | None, row: Standing, made: str) -> Record:
    """Return the record of a case after a result: the better of each side.

    Parameters
    ----------
    known
        The record before, of the same DAG; None for none.
    row
        A result with both sides.
    made
        The command that made it.
    """
    assert row.io is not None
    assert row.bound is not None
    case = row.case
    new = Record(
        *(case.suite, case.instance, case.rules.name, case.memory, row.vertices, row.dag),
        *(row.io, row.scheduled_by, row.schedule, made),
        *(row.bound, row.proved_by, row.certificate, made),
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
            schedule_made=made,
        )
    if row.bound > known.bound:
        best = replace(
            best,
            bound=new.bound,
            proved_by=new.proved_by,
            certificate=new.certificate,
            bound_made=made,
        )
    return best
