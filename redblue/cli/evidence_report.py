"""``redblue report`` of one's own DAGs: which names are DAGs, and the page about them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from redblue.cli import console
from redblue.cli.loading import loaded
from redblue.cli.report_files import write
from redblue.cli.sweeping import interruptible
from redblue.cli.units import word_of
from redblue.cli.watch import Watch

if TYPE_CHECKING:
    from redblue.evidence import Evidence


@dataclass(frozen=True)
class Asked:
    """Options of a report on DAGs.

    Parameters
    ----------
    memory, word_bytes, rules, effort, seed, jobs
        As ``redblue curve`` takes them.
    family, recognise, words
        As `redblue.cli.loading.loaded` takes them.
    time_limit
        Seconds for all of it; None for no limit.
    """

    memory: str | None
    word_bytes: int | None
    rules: str
    effort: str
    seed: int
    jobs: int
    family: str | None
    recognise: bool
    words: str | None
    time_limit: float | None = None

    @property
    def loading(self) -> tuple[str, ...]:
        """The options with which a DAG is loaded, as one writes them."""
        options = {"--family": self.family, "--words": self.words}
        given = (f"{name} {quote(value)}" for name, value in options.items() if value is not None)
        return (*given, *(() if self.recognise else ("--no-recognise",)))


def require_none(why: str, **options: object) -> None:
    """Raise InvalidSpecError for an option that was given and does not apply.

    Parameters
    ----------
    why
        What options are for, in a few words.
    options
        Values by name; None where it was not given.
    """
    from dags import InvalidSpecError

    for name, value in options.items():
        if value is not None:
            raise InvalidSpecError(f"--{name.replace('_', '-')} is for a report {why}")


def report_on(
    specs: Sequence[str],
    asked: Asked,
    out: Path,
    figures: Path | None,
    *,
    day: str | None,
    json: bool,
) -> None:
    """Gather evidence on DAGs, write page and files, and print what was found.

    Parameters
    ----------
    specs
        The DAGs.
    asked
        Options.
    out, figures
        The page, and the folder of its files; None for none.
    day
        The date of the page; None for today.
    json
        Whether to print JSON.
    """
    from dags.errors import one_line
    from redblue.evidence import dag_report, save_evidence
    from redblue.evidence.paragraphs import gap_sentence, law_text
    from redblue.reporting.files import file_names

    watch = Watch(asked.time_limit)
    many = list(dict.fromkeys(specs))
    with interruptible():
        found = []
        for place, spec in enumerate(many):
            gather = partial(gathered, spec, asked, watch, len(many) - place, tell=not json)
            found.append(watch.must(gather, "no page is written yet"))
    report = dag_report(found, day or date.today().isoformat())
    write(report, out, figures)
    if figures is not None:
        for each, run in zip(found, report.runs, strict=True):
            home = figures / file_names([run.name])[0]
            written = save_evidence(each, home)
            console.say(f"wrote {len(written)} certificates and schedules in {home}")
    if json:
        console.emit_json(report.to_dict())
        return
    lines = [f"{one_line(each.spec)}: {gap_sentence(each)}\n{law_text(each)}" for each in found]
    console.emit_text("\n".join(lines))


def gathered(spec: str, asked: Asked, watch: Watch, parts: int, *, tell: bool) -> "Evidence":
    """Return the evidence on one DAG.

    Parameters
    ----------
    spec
        The DAG.
    asked
        Options.
    watch, parts
        The time there is, and among how many DAGs it is shared.
    tell
        Whether to say what the DAG was recognised as.
    """
    from dags.errors import one_line
    from pebble import rules_named
    from redblue.evidence import gather
    from redblue.memories import parse_memories

    rules = rules_named(asked.rules)
    word = word_of(spec, asked.word_bytes, asked.memory, attribute=asked.words)
    sizes = None if asked.memory is None else parse_memories(asked.memory, word)
    how = asked.family, asked.words
    watch.stage = f"loading {one_line(spec)}"
    dag = loaded(spec, family=how[0], recognise=asked.recognise, words=how[1], tell=tell)
    with console.status_line() as show:
        found = gather(
            dag,
            sizes,
            rules=rules,
            effort=asked.effort,
            seed=asked.seed,
            jobs=asked.jobs,
            spec=spec,
            progress=watch.telling(show),
            deadline=None if watch.deadline is None else watch.deadline.share(parts),
        )
    return replace(found, loading=asked.loading)
