"""Vertices by the names that a file, a program or a user gives them."""

from collections.abc import Sequence

import numpy as np

from dags.arrays import Int32Array, lock
from dags.cdag import CDAG
from dags.errors import InvalidDAGError, did_you_mean, shown
from dags.validation import Label


def vertices_named(dag: CDAG, names: Sequence[Label]) -> Int32Array:
    """Return (k,) the vertices that are called `names`: by their labels, where the DAG has any.

    A label that is a number may be given as text. Vertices without labels are called by their
    numbers.

    Raises
    ------
    InvalidDAGError
        For the first name that no vertex has.

    Examples
    --------
    >>> from dags import from_edges
    >>> dag = from_edges(3, [(0, 1), (1, 2)], labels=["x", "y", "z"])
    >>> vertices_named(dag, ["z", "x"]).tolist()
    [2, 0]
    """
    labels: Sequence[Label] = range(dag.n) if dag.labels is None else dag.labels
    by_text = {str(label): vertex for vertex, label in enumerate(labels)}
    by_label = {label: vertex for vertex, label in enumerate(labels)}
    found = np.empty(len(names), np.int32)
    for place, name in enumerate(names):
        vertex = by_label.get(name, by_text.get(str(name)))
        if vertex is None:
            hint = did_you_mean(str(name), by_text)
            raise InvalidDAGError(f"no vertex is called {shown(name)}{hint}")
        found[place] = vertex
    return lock(found)


def written_names(dag: CDAG) -> list[str] | None:
    """Return (n,) labels as text, each of which names its vertex; None where they do not."""
    if dag.labels is None:
        return None
    texts = [str(label) for label in dag.labels]
    return texts if len(set(texts)) == dag.n else None
