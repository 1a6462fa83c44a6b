"""``redblue report``: the experiments of the papers, or one's own DAG, and a page about them."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.computation import Asked, Reading
from redblue.cli.files import require_file, require_folder, today
from redblue.cli.options import DaskAddress, Memories, RulesName, StoreFile, effort_of
from redblue.cli.sweeping import interruptible
from redblue.cli.watch import Watch
from redblue.show.answer import Facts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dags import Computation
    from redblue.answers.evidence import Evidence
    from redblue.show.reporting import Report, Run

SEVERAL = typer.Option(
    min=1,
    help="Experiments that run in parallel; by default one for each core.",
    show_default=False,
)
SEED = typer.Option(min=0, help="Seed of random schedulers and methods.")
DAY = typer.Option("--date", metavar="TEXT", hidden=True)
LIMIT = typer.Option(
    min=0.01,
    metavar="SECONDS",
    help="Seconds for the whole report on computations, with loading and compiling.",
)
NAMED = typer.Argument(
    metavar="[EXPERIMENT|SPEC]...",
    help="Computations to report on: generators (fft:n=64) or files. Or experiments to run: "
    "by default all those of the papers, but not polybench.",
)


def report(
    reading: Reading,
    experiments: Annotated[list[str] | None, NAMED] = None,
    quick: Annotated[bool, typer.Option("--quick", hidden=True)] = False,
    out: Annotated[Path, "FILE"] = Path("report.html"),
    figures: Annotated[Path | None, "DIR"] = None,
    jobs: Annotated[int, SEVERAL] = os.cpu_count() or 1,
    seed: Annotated[int, SEED] = 0,
    day: Annotated[str | None, DAY] = None,
    store: StoreFile = None,
    dask: DaskAddress = None,
    effort: Annotated[str, "NAME"] = "normal",
    time_limit: Annotated[float | None, LIMIT] = None,
    memory: Memories = None,
    rules: RulesName = "one-shot",
    machine: str | None = None,
) -> Facts:
    """Write a report on computations, or on the experiments of the papers, as one HTML page.

    The report on a computation shows schedules, lower bounds and their proofs, to attach to a
    paper. --memory, --rules and --machine are for this report. The page needs no network.

    Exit code 4 if an experiment fails or a claim is refuted; the page is written all the same.

    Parameters
    ----------
    out
        Write the page to this file.
    figures
        Write the data of the page into this folder: figures as PNG, SVG and PDF, tables as CSV and
        LaTeX, claims.csv and report.json.
    machine
        Machine of the catalogue ('redblue machine list'). The report counts the I/O of each of its
        memories by closed formulas, at any size.
    effort
        How hard to search for better schedules and bounds: quick, normal, high, or seconds of work
        on a reference machine. With quick, experiments run at small sizes: two minutes on two
        cores.
    """
    from dags.errors import one_line
    from pebble import rules_named
    from redblue import leaves
    from redblue.answers.efforts import EFFORTS, effort_named
    from redblue.answers.evidence import own_report
    from redblue.answers.evidence.names import own_dags
    from redblue.answers.memories import parse_memories
    from redblue.cli.curve_command import require_limits
    from redblue.limits.progress import silent
    from redblue.show.reporting import Report
    from redblue.sweeps.store import Store

    if day is not None:
        console.say("note: '--date' is the variable SOURCE_DATE_EPOCH now; the old name will go")
    if quick:
        console.say("note: '--quick' is '--effort quick' now; the old name will go")
        effort = "quick"
    dated = day or today()
    dags = [reading.named(spec) for spec in own_dags(experiments or [])]
    searches = effort_of(effort)
    require_file(out)
    require_folder(figures)
    if dags:
        require_none("on experiments", store=store, dask=dask)
        require_limits(time_limit, None, kept=False)
        specs, watch = list(dict.fromkeys(dags)), Watch(time_limit)
        watch.stage = f"loading {', '.join(map(one_line, specs))}"
        asked_about = [Asked(spec=spec, word_bytes=reading.word_bytes) for spec in specs]
        read = watch.must(partial(each_loaded, asked_about), "no page is written yet")
        options: dict[str, Any] = {"effort": searches, "seed": seed, "jobs": jobs}
        word = reading.word(specs, memory)
        sizes = None if memory is None else parse_memories(memory, word)
        gather = partial(gathered, specs, read, sizes, rules, watch, **options)
        about: dict[str, Any] = {"rules": rules_named(rules), "machine": machine}
        about["gathered"] = gather
        with interruptible():
            report_, evidence = watch.must(
                partial(own_report, read, sizes, dated, **about), "no page is written yet"
            )
        return report_on(report_, evidence, out, figures)
    require_none("on a DAG", machine=machine)
    papers = leaves.part("experiments")
    chosen = papers.chosen_experiments(experiments or [])
    other_rules = None if rules == "one-shot" else rules
    own_options = {"tile": reading.tile, "family": reading.family, "words": reading.words}
    require_none("on a DAG", memory=memory, rules=other_rules, **own_options)
    if "polybench" not in chosen:
        require_none("on a DAG", time_limit=time_limit)
    elif time_limit is not None:
        searches = f"{time_limit:g}"
        console.say(f"note: '--time-limit' is '--effort {searches}' now; the old name will go")
    quick = searches == "quick"
    if store is not None:
        Store(store).close()  # raises before any work is done
    tell = say_now if sys.stderr.isatty() else silent
    hard = "high" if searches == "high" else "quick"
    seconds = None if searches in EFFORTS else effort_named(searches).seconds
    bench = papers.Bench(quick, seed, 1, tell, store, effort=hard, time_limit=seconds)
    with interruptible():
        runs = run_all(chosen, bench, jobs, dask)
    report_ = Report(runs, dated, quick=quick, seed=seed)
    write(report_, out, figures)
    return Facts(report_.to_dict(), (summary(report_),), 0 if report_.sound else 4)


def say_now(message: str) -> None:
    """Print a message of progress, where standard error is a terminal."""
    console.say(f"  {message}")


def run_all(chosen: dict[str, Any], bench: Any, jobs: int, dask: str | None) -> "tuple[Run, ...]":
    """Return the runs of the experiments, in their order, and print a line as each ends.

    Arguments are those of `run_experiments` of the papers.
    """
    from redblue import leaves

    ended: list[str] = []

    def say(run: "Run") -> None:
        ended.append(run.name)
        console.say(f"[{len(ended)}/{len(chosen)}] {run.name}: {outcome(run)}")

    runs: tuple[Run, ...] = leaves.part("experiments").run_experiments(
        chosen, bench, jobs=jobs, dask=dask, ended=say
    )
    return runs


def outcome(run: "Run") -> str:
    """The result of an experiment in a line."""
    from redblue.show.reporting.report import duration

    if run.experiment is None:
        return f"failed after {duration(run.seconds)}: {run.problem}"
    claims = len(run.experiment.claims)
    refuted = f", {run.refuted} refuted" if run.refuted else ""
    return f"{duration(run.seconds)}, {claims} claims{refuted}"


def summary(report: "Report") -> str:
    """The verdicts, and every refuted claim and failed experiment."""
    counts = ", ".join(f"{number} {verdict}" for verdict, number in report.verdicts.items())
    lines = [f"{len(report.claims)} claims: {counts}"]
    lines += [
        f"refuted: {claim.statement} [{name}]: expected {claim.expected}, measured {claim.measured}"
        for name, claim in report.claims
        if claim.verdict == "refuted"
    ]
    lines += [f"failed: {run.name}: {run.problem}" for run in report.runs if run.problem]
    return "\n".join(lines)


def require_none(why: str, **options: object) -> None:
    """Raise InvalidSpecError for an option that was given, and is for a report of another kind."""
    from dags import InvalidSpecError

    for name, value in options.items():
        if value is not None:
            raise InvalidSpecError(f"--{name.replace('_', '-')} is for a report {why}")


def report_on(
    page: "Report", evidences: "Mapping[int, Evidence]", out: Path, figures: Path | None
) -> Facts:
    """Write page and files of a report, and return the findings.

    Parameters
    ----------
    made, found
        The report, and the evidence on those computations whose DAGs are built, by place.
    out, figures
        The page, and the folder of files if there is one.
    """
    from dags.errors import one_line
    from redblue.answers.evidence import save_evidence
    from redblue.answers.evidence.paragraphs import gap_sentence, law_text
    from redblue.show.reporting.files import file_names

    write(page, out, figures)
    lines = []
    for place, run in enumerate(page.runs):
        assert run.experiment is not None
        evidence = evidences.get(place)
        lines.append(
            run.experiment.summary
            if evidence is None
            else f"{one_line(evidence.spec)}: {gap_sentence(evidence)}\n{law_text(evidence)}"
        )
        if figures is not None and evidence is not None:
            home = figures / file_names([run.name])[0]
            written = save_evidence(evidence, home)
            console.say(f"wrote {len(written)} certificates and schedules in {home}")
    return Facts(page.to_dict(), ("\n".join(lines),))


def each_loaded(asked: "Sequence[Asked]") -> "list[Computation]":
    """The computations that options name."""
    return [computation.load() for computation in asked]


def gathered(
    specs: "Sequence[str]",
    read: "Sequence[Computation]",
    memories: "Sequence[int] | None",
    rules: str,
    watch: Watch,
    place: int,
    **options: Any,
) -> "Evidence":
    """The evidence on the DAG of one of several computations.

    Parameters
    ----------
    specs, read
        The computations, by their specifications and as they are.
    memories, rules
        Words of fast memory, and the rules.
    watch
        The time there is.
    place
        Which of them; those after it share the time that is left.
    options
        Effort, seed and jobs.
    """
    from dags.errors import one_line
    from pebble import rules_named
    from redblue.answers.evidence import gather

    left = len(specs) - place
    watch.stage = f"computing schedules and bounds of {one_line(specs[place])}"
    with console.status_line() as show:
        return gather(
            read[place],
            memories,
            rules=rules_named(rules),
            spec=specs[place],
            progress=watch.telling(show),
            deadline=None if watch.deadline is None else watch.deadline.turn(1 / left),
            **options,
        )


def write(report: "Report", out: Path, figures: Path | None) -> None:
    """Write the page, and the files where they are wanted."""
    from redblue.show.reporting import save_files, save_report

    save_report(report, out)
    console.say(f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB)")
    if figures is not None:
        written = save_files(report, figures)
        console.say(f"wrote {len(written)} files in {figures}")
