"""``redblue papers gap``: best schedules over best bounds of named instances, and the records."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.files import require_folder, write_all
from redblue.cli.options import RulesName, StoreFile, names
from redblue.cli.sweeping import sweeping
from redblue.cli.value_options import Within
from redblue.show.answer import Facts, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from redblue.papers.records.records import Change, Key, Record
    from redblue.papers.records.standings import Standings

ROOT = Path(__file__).resolve().parents[3]
PUBLISHED = ROOT.parent / "shared" / "data"
KEPT = ROOT / "benchmarks" / "records.csv"
RECORDS = KEPT if KEPT.parent.is_dir() else Path("records.csv")
DATA = typer.Option(
    metavar="DIR",
    envvar="REDBLUE_DATA",
    show_default=False,
    hidden=True,
    help="Folder of the published DAGs, as the variable REDBLUE_DATA names it.",
)
FILE = typer.Option(
    metavar="FILE",
    show_default=False,
    help="File of the records; FILE:update adds better results. By default benchmarks/records.csv "
    "of the project, or records.csv.",
)

EFFORT = "30"  # seconds of work for a case
Before = Annotated[float | None, typer.Option(hidden=True)]  # an option of the release before


def gap(
    suite: Annotated[str, "NAMES"] = "public",
    effort: Annotated[str, "NAME"] = EFFORT,
    seconds: Before = None,
    instances: Annotated[str | None, "NAMES"] = None,
    memory: Annotated[str | None, "SIZES"] = None,
    rules: RulesName = "one-shot",
    seed: int = 0,
    jobs: int = 1,
    store: StoreFile = None,
    data: Annotated[Path, DATA] = PUBLISHED,
    records: Annotated[Path, FILE] = RECORDS,
    update: Annotated[bool, Within("records", "update")] = False,
    out: Annotated[Path | None, "DIR"] = None,
) -> Facts:
    """Solve published instances, and compare schedules and bounds with the best ones on record.

    Every schedule is replayed and every certificate verified. Ctrl-C prints the cases that are
    done. Exit code 4 if a check fails, or a schedule contradicts a bound on record.

    Parameters
    ----------
    suite
        Collections of instances: public, families, programs, separated by commas.
    effort
        How hard to search in each case, for schedules and bounds together: normal, high, or
        seconds of work on a reference machine.
    instances
        Only instances with one of these in their names: fine_CG,fft*.
    memory
        Only these sizes of fast memory, in words: 8,24 or 4:64.
    seed
        Seed of the random choices of searches.
    jobs
        Cases that are solved in parallel, each on one core.
    out
        Write the tables, schedules and certificates into this folder.
    """
    from dags import InvalidSpecError
    from pebble import rules_named
    from redblue.answers.efforts import most_seconds
    from redblue.papers.records import Standings, cases_of, changes, load_records, measure
    from redblue.papers.records.records import contradictions
    from redblue.sweeps import SweepInterrupted

    if seconds is None:
        seconds = most_seconds(effort)
    else:
        console.say(f"note: '--seconds' is '--effort {seconds:g}' now; the old name will go")
    if not seconds > 0:
        raise InvalidSpecError(f"the effort must be more than 0 seconds, not {seconds:g}")
    require_folder(out)
    known = load_records(records)
    cases = cases_of(
        names(suite),
        data,
        rules_named(rules),
        instances=names(instances or ""),
        memories=within(memory),
    )
    standings, ended = Standings(cases), ""
    with sweeping(store, None) as place, console.progress_bar("solving") as progress:
        try:
            measure(
                standings,
                seconds=seconds,
                seed=seed,
                jobs=jobs,
                store=None if place is None else place.store,
                keep=out is not None or store is not None,
                progress=progress,
            )
        except SweepInterrupted as interrupted:
            ended = str(interrupted)
    differ, wrong = changes(standings.rows, known), contradictions(standings.rows, known)
    failed = [row for row in standings.rows if row.error]
    if update and not wrong:
        command = f"redblue papers gap --suite {suite} --effort {seconds:g} --seed {seed}"
        changed = write_records(standings, known, records, command)
        console.say(f"wrote {changed:,} records to {records}")
    if out is not None:
        save(standings, known, out)
    record = as_data(standings, differ, seconds) | {"interrupted": bool(ended)}
    code, problem = 0, ""
    if wrong or any("CertificateError" in row.error for row in failed):
        code, problem = 4, (wrong or [row.error for row in failed])[0]
    elif ended:
        code, problem = 130, ended
    elif failed:
        names_of = ", ".join(f"{row.case.instance} M={row.case.memory}" for row in failed)
        code, problem = 3, f"{len(failed)} of {len(cases)} cases failed: {names_of}"
    return Facts(record, tuple(parts(standings, known, differ)), code, problem)


def write_records(
    standings: "Standings", known: "Mapping[Key, Record]", path: Path, command: str
) -> int:
    """Write the records with the better ones of results; return how many changed."""
    from redblue.papers.records.records import save_records, updated

    after = dict(known)
    for row in standings.rows:
        if row.io is not None and row.bound is not None:
            after[row.case.key] = updated(known.get(row.case.key), row, command)
    save_records(after.values(), path)
    return sum(record != known.get(key) for key, record in after.items())


def save(found: "Standings", known: "Mapping[Key, Record]", folder: Path) -> None:
    """Write tables and witnesses to a folder."""
    from redblue.papers.records.instances import save_witnesses
    from redblue.papers.records.records import cases_table, groups_table, markdown
    from redblue.show.reporting.tables import table_csv

    save_witnesses(
        ((found.cases[number], witness) for number, witness in found.witnesses.items()), folder
    )
    cases, groups = cases_table(found, known), groups_table(found)
    text = f"{markdown(groups)}\n{markdown(cases)}"
    write_all(folder, {"gap.csv": table_csv(cases), "gap.md": text})


def as_data(standings: "Standings", differ: "Sequence[Change]", seconds: float) -> dict[str, Any]:
    """The object of `--json`."""
    return {
        "seconds": seconds,
        "rows": [row.to_dict() for row in standings.rows],
        "groups": [
            {"group": group, "cases": count, "ratio": mean}
            for group, (count, mean) in standings.means().items()
        ],
        "better": [change.to_dict() for change in differ if change.better],
        "worse": [change.to_dict() for change in differ if not change.better],
    }


def parts(
    standings: "Standings", known: "Mapping[Key, Record]", differ: "Sequence[Change]"
) -> "Iterator[Part]":
    """Yield the tables."""
    from redblue.papers.records.records import cases_table, changes_table, groups_table, record_of

    yield cases_table(standings, known)
    yield groups_table(standings)
    recorded = sum(record_of(row, known) is not None for row in standings.rows)
    better = sum(change.better for change in differ)
    yield (
        f"{recorded} of {len(standings.rows)} cases are on record: "
        f"{better} sides better, {len(differ) - better} worse"
    )
    if differ:
        yield changes_table(differ)


def within(memory: str | None) -> "Callable[[int], bool]":
    """A test of memory sizes: one of those listed, or in a range a:b of them."""
    from redblue.answers.memories import parse_memory

    ends = [
        [parse_memory(end) for end in part.split(":")] for part in (memory or "").split(",") if part
    ]
    return lambda size: not ends or any(end[0] <= size <= end[-1] for end in ends)
