"""Reports of DAGs: what `redblue report` says of what is no experiment."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from redblue.evidence.findings import evidence_experiment
from redblue.evidence.points import Evidence
from redblue.reporting import Report, Run
from redblue.reporting.as_data import from_data, to_data


def dag_report(evidence: Sequence[Evidence], date: str) -> Report:
    """Return the report of what was gathered, for the page, the files and the data.

    Parameters
    ----------
    evidence
        Of each DAG.
    date
        When it was made, as the page shows it.
    """
    names = ", ".join(Path(each.spec).name for each in evidence)
    title = f"Lower bounds on the I/O of {names}"
    runs = tuple(map(run_of, evidence))
    return Report(runs, date, seed=evidence[0].seed, title=title, own=True)


def run_of(evidence: Evidence) -> Run:
    """Return the run that shows evidence, without what no page may hold in its texts."""
    shown = evidence_experiment(evidence)
    clean = replace(from_data(to_data(shown)), players=shown.players)
    return Run(clean.name, clean, "", evidence.seconds)
