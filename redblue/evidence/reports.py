"""Reports of DAGs: what `redblue report` says of what is no experiment."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from redblue.evidence.findings import evidence_experiment
from redblue.evidence.points import Evidence
from redblue.show.player.names import cleaned
from redblue.show.reporting import Report, Run
from redblue.show.reporting.as_data import from_data, to_data


def dag_report(evidence: Sequence[Evidence], date: str) -> Report:
    """Return the report of what was gathered, for the page, the files and the data.

    Parameters
    ----------
    evidence
        Of each DAG.
    date
        When it was made, as the page shows it.
    """
    names = names_of([each.spec for each in evidence])
    runs = tuple(map(run_of, evidence, names))
    title = cleaned(f"Lower bounds on the I/O of {', '.join(names)}")
    return Report(runs, date, seed=evidence[0].seed, title=title, own=True)


def names_of(specs: Sequence[str]) -> list[str]:
    """Return the names of DAGs: of a path its last part, unless two have the same.

    Examples
    --------
    >>> names_of(["a/x.hdag", "b/y.hdag"]), names_of(["a/x.hdag", "b/x.hdag"])
    (['x.hdag', 'y.hdag'], ['a/x.hdag', 'b/x.hdag'])
    """
    short = [Path(spec).name for spec in specs]
    return short if len(set(short)) == len(short) else list(specs)


def run_of(evidence: Evidence, name: str) -> Run:
    """Return the run that shows evidence, without what no page may hold in its texts."""
    shown = evidence_experiment(evidence, name)
    clean = replace(from_data(to_data(shown)), players=shown.players)
    return Run(clean.name, clean, "", evidence.seconds)
