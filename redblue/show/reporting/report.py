"""A report: the runs of experiments, and the versions and machine of these runs."""

import os
import platform
from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, get_args

from redblue.show.model import Claim, Experiment, Table, Verdict
from redblue.show.printed import Printed
from redblue.show.reporting.as_data import to_data
from redblue.show.rows import table
from redblue.version import __version__

PACKAGES = ("numpy", "numba", "scipy", "ortools", "networkx", "matplotlib", "plotly")


def environment() -> dict[str, str]:
    """Versions of Python and of the packages that compute, and the kind of machine."""
    return {
        "machine": f"{os.cpu_count() or 1} cores, {platform.machine()}, {platform.system()}",
        "Python": platform.python_version(),
        "redblue": __version__,
        **{name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str:
    """The version of an installed package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


TITLE = "How little data must move"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# Of the claims of an experiment the summary tells the first that has the first of these verdicts.
WEIGHTY: tuple[Verdict, ...] = ("refuted", "corrected", "recovered", "proved", "consistent")
SUMMARY = 10  # lines
USUAL = ("confirmed", "corrected", "refuted", "undecided")  # told of even where there is none


@dataclass(frozen=True)
class Run:
    """Outcome of an experiment.

    Parameters
    ----------
    name
        Its name in the registry.
    experiment
        Its findings; None where it failed.
    problem
        Why it failed, in a sentence; empty where it did not.
    seconds
        Time that it took; where the result was remembered, when it was computed.
    """

    name: str
    experiment: Experiment | None
    problem: str
    seconds: float

    @property
    def sound(self) -> bool:
        """True if it ended and refuted no claim."""
        return self.experiment is not None and self.refuted == 0

    @property
    def refuted(self) -> int:
        """Number of claims that the measurements refute."""
        claims = () if self.experiment is None else self.experiment.claims
        return sum(claim.verdict == "refuted" for claim in claims)


def first_paragraph(text: str) -> str:
    """The first paragraph of a text, in one line."""
    return " ".join(text.partition("\n\n")[0].split())


@dataclass(frozen=True, repr=False)
class Report(Printed):
    """Contents of a report's page.

    Parameters
    ----------
    runs
        Runs of the experiments, in the order in which they are shown.
    date
        When it was made, as the page shows it.
    quick, seed
        As the experiments were run.
    title
        The heading.
    own
        Whether it is about one's own DAGs, and not about claims of the literature.
    environment
        Versions and machine.
    """

    runs: tuple[Run, ...]
    date: str
    quick: bool = False
    seed: int = 0
    title: str = TITLE
    own: bool = False
    environment: dict[str, str] = field(default_factory=environment)

    def __repr__(self) -> str:
        names = ", ".join(run.name for run in self.runs[:3]) + ", ..." * (len(self.runs) > 3)
        return f"<Report of {names}: {len(self.claims)} claims, {self.date}>"

    def shown(self) -> tuple[Table, str]:
        """A line for each experiment, and the first sentences of each summary."""
        view = table(
            "report", self.title, self.experiments, "experiment <- name",
            ("claims", lambda experiment: len(experiment.claims)),
            ("tables", lambda experiment: len(experiment.tables)),
            ("figures", lambda experiment: len(experiment.figures)),
        )  # fmt: skip
        summaries = (
            f"{experiment.name}: {first_paragraph(experiment.summary)}"
            for experiment in self.experiments
        )
        return view, "\n".join(summaries)

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        """The experiments that did not fail."""
        return tuple(run.experiment for run in self.runs if run.experiment is not None)

    @property
    def claims(self) -> tuple[tuple[str, Claim], ...]:
        """All claims, each with the name of its experiment."""
        return tuple(
            (experiment.name, claim)
            for experiment in self.experiments
            for claim in experiment.claims
        )

    @property
    def summary(self) -> tuple[tuple[str, Claim], ...]:
        """The weightiest claim of each experiment, of `SUMMARY` at most, in their order."""
        order = [*WEIGHTY, *(verdict for verdict in VERDICTS if verdict not in WEIGHTY)]
        first = [
            (experiment.name, min(experiment.claims, key=lambda claim: order.index(claim.verdict)))
            for experiment in self.experiments
            if experiment.claims
        ]
        claims = sorted(first, key=lambda pair: order.index(pair[1].verdict))[:SUMMARY]
        return tuple(pair for pair in first if pair in claims)

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """Number of claims with each verdict: of those that occur, and of `USUAL` ones."""
        counts = Counter(claim.verdict for _, claim in self.claims)
        return {
            verdict: counts[verdict] for verdict in VERDICTS if counts[verdict] or verdict in USUAL
        }

    @property
    def sound(self) -> bool:
        """True if every experiment ended and no claim is refuted."""
        return all(run.sound for run in self.runs)

    @property
    def seconds(self) -> float:
        """Time of all experiments together."""
        return sum(run.seconds for run in self.runs)

    def command(self, name: str) -> str:
        """The command that runs one experiment again."""
        command = next(
            (experiment.command for experiment in self.experiments if experiment.name == name), ""
        )
        if command:
            return command
        quick = " --effort quick" if self.quick else ""
        return f"redblue report {name}{quick} --seed {self.seed} --out {name}.html"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return {
            "title": self.title,
            "date": self.date,
            "quick": self.quick,
            "seed": self.seed,
            "environment": self.environment,
            "verdicts": self.verdicts,
            "sound": self.sound,
            "runs": [_run_data(run) for run in self.runs],
        }


def _run_data(run: Run) -> dict[str, Any]:
    """A run as plain JSON."""
    return {
        "name": run.name,
        "seconds": run.seconds,
        "problem": run.problem,
        "experiment": None if run.experiment is None else to_data(run.experiment),
    }


def duration(seconds: float) -> str:
    """A time in words.

    Examples
    --------
    >>> duration(3.21), duration(125)
    ('3.2 s', '2 min 5 s')
    """
    if seconds < 0.05:
        return "less than 0.1 s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, remainder = divmod(round(seconds), 60)
    return f"{minutes} min {remainder} s"
