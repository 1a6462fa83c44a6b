"""``redblue report``: the experiments of the papers, or one's own DAG, and a page about them."""

import os
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.evidence_report import Asked, report_on, require_none
from redblue.cli.files import require_file, require_folder
from redblue.cli.options import (
    DaskAddress,
    Family,
    Json,
    Memories,
    NoRecognise,
    RulesName,
    StoreFile,
    Tile,
    WordBytes,
    Words,
    effort_of,
    tiled,
)
from redblue.cli.report_files import write
from redblue.cli.sweeping import interruptible

if TYPE_CHECKING:
    from redblue.reporting import Report, Run


def report(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT|SPEC]...",
            help="Experiments to run, by default all about the papers (polybench by name only); or "
            "DAGs: specifications (fft:n=64) or files.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small sizes: two minutes on two cores.")
    ] = False,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page that is written.")] = Path(
        "report.html"
    ),
    figures: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write every figure as PNG, SVG and PDF, every table as CSV and LaTeX, "
            "claims.csv and report.json there.",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            min=1, help="Experiments to run side by side; default: all cores.", show_default=False
        ),
    ] = os.cpu_count() or 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of whatever draws at random.")] = 0,
    day: Annotated[
        str | None,
        typer.Option("--date", metavar="TEXT", help="The date of the page; default: today."),
    ] = None,
    store: StoreFile = None,
    dask: DaskAddress = None,
    effort: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="quick: as --quick; normal; high: curves are searched where they leave a gap.",
        ),
    ] = "normal",
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            metavar="SECONDS",
            help="For the whole report of a DAG; of polybench, for searches at one size.",
        ),
    ] = None,
    memory: Memories = None,
    rules: RulesName = "one-shot",
    word_bytes: WordBytes = None,
    tile: Tile = None,
    family: Family = None,
    no_recognise: NoRecognise = False,
    sizes: Words = None,
    json: Json = False,
) -> None:
    """Run the experiments of the papers, and write one page that needs no network.

    Of a DAG: a lower-bound report to attach to a paper. --memory and what follows are for it.

    Exit code 4 where an experiment fails or a claim is refuted; the page is written all the same.
    """
    from redblue import leaves
    from redblue.cli.curve_command import require_limits
    from redblue.evidence.names import own_dags
    from redblue.progress import silent
    from redblue.reporting import Report
    from redblue.store import Store

    own = [tiled(spec, tile) for spec in own_dags(experiments or [])]
    searches = effort_of("quick" if quick and own else effort)
    require_file(out)
    require_folder(figures)
    if own:
        require_none("on experiments", store=store, dask=dask)
        asked = Asked(
            memory,
            word_bytes,
            rules,
            searches,
            seed,
            jobs,
            family,
            recognise=not no_recognise,
            words=sizes,
            time_limit=time_limit,
        )
        require_limits(time_limit, None, kept=False)
        report_on(own, asked, out, figures, day=day, json=json)
        return
    papers = leaves.part("experiments")
    chosen = papers.chosen_experiments(experiments or [])
    other = None if rules == "one-shot" else rules
    require_none("on a DAG", memory=memory, rules=other, tile=tile, family=family, words=sizes)
    if "polybench" not in chosen:
        require_none("on a DAG, or of polybench", time_limit=time_limit)
    quick = quick or searches == "quick"
    if store is not None:
        Store(store).close()  # raises before any work is done
    tell = say_now if sys.stderr.isatty() else silent
    hard = "high" if searches == "high" else "quick"
    bench = papers.Bench(quick, seed, 1, tell, store, effort=hard, time_limit=time_limit)
    with interruptible():
        runs = run_all(chosen, bench, jobs, dask)
    found = Report(runs, day or date.today().isoformat(), quick=quick, seed=seed)
    write(found, out, figures)
    if json:
        console.emit_json(found.to_dict())
    else:
        console.emit_text(summary(found))
    if not found.sound:
        raise typer.Exit(4)


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

    found: tuple[Run, ...] = leaves.part("experiments").run_experiments(
        chosen, bench, jobs=jobs, dask=dask, ended=say
    )
    return found


def outcome(run: "Run") -> str:
    """Return the result of an experiment in a line."""
    from redblue.reporting.report import duration

    if run.experiment is None:
        return f"failed after {duration(run.seconds)}: {run.problem}"
    claims = len(run.experiment.claims)
    refuted = f", {run.refuted} refuted" if run.refuted else ""
    return f"{duration(run.seconds)}, {claims} claims{refuted}"


def summary(report: "Report") -> str:
    """Return the verdicts, and every refuted claim and failed experiment."""
    counts = ", ".join(f"{number} {verdict}" for verdict, number in report.verdicts.items())
    lines = [f"{len(report.claims)} claims: {counts}"]
    lines += [
        f"refuted: {claim.statement} [{name}]: expected {claim.expected}, measured {claim.measured}"
        for name, claim in report.claims
        if claim.verdict == "refuted"
    ]
    lines += [f"failed: {run.name}: {run.problem}" for run in report.runs if run.problem]
    return "\n".join(lines)
