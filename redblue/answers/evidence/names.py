"""Arguments of a report: DAGs, or experiments."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dags import GENERATORS, InvalidSpecError, UnknownNameError
from dags.errors import one_line
from redblue import leaves
from redblue.answers.sources import Source


def own_dags(given: Sequence[Source]) -> list[Source]:
    """The arguments if they are DAGs, and nothing if they are experiments.

    Parameters
    ----------
    given
        Names of experiments; or specifications, paths, and other sources that `redblue.load` takes.

    Raises
    ------
    NotInstalledError
        If it names no DAG, and experiments were left out.
    UnknownNameError
        If there is neither an experiment nor a DAG of a name.
    InvalidSpecError
        If some are DAGs and some are experiments.
    """
    known: Mapping[str, Any] = leaves.experiments()
    own: list[Source] = []
    for one in given:
        if not isinstance(one, str) or (one not in known and is_dag(one)):
            own.append(one)
        elif one not in known:
            leaves.part("experiments")  # where it is, the name is wrong
            raise UnknownNameError("experiment", one, known)
    if own and len(own) < len(given):
        other = next(one for one in given if isinstance(one, str) and one in known)
        raise InvalidSpecError(
            f"a report is on DAGs or on experiments: {one_line(own[0])} is a DAG, and {other} is "
            "an experiment"
        )
    return own


def is_dag(name: str) -> bool:
    """Whether a name has the form of a specification or of a path, or is a generator's.

    Examples
    --------
    >>> is_dag("fft:n=64"), is_dag("my.hdag"), is_dag("ftt")
    (True, True, False)
    """
    if name in GENERATORS or any(mark in name for mark in ":./\\"):
        return True
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # no file can be called so
        return False
