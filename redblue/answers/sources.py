"""Arguments that commands and functions take as a DAG, and its label in results."""

from pathlib import Path
from typing import Any, TypeAlias

from dags import CDAG
from dags import load as load_dag

# A DAG, a specification, a path, a NetworkX graph, or a graph of another tool.
Source: TypeAlias = Any


def load(source: Source, **options: Any) -> CDAG:
    """Return the DAG that `source` names or is.

    Parameters
    ----------
    source
        A DAG, a specification like "fft:n=64", a path, a NetworkX graph, or a graph of another
        tool, as `dags.load` takes them.
    options
        Those of `dags.load`.

    Examples
    --------
    >>> load("matmul:m=1,n=2,k=3").n
    15
    """
    return load_dag(str(source) if isinstance(source, Path) else source, **options)


def label_of(source: Source, spec: str = "") -> str:
    """Return the label of a DAG in results: `spec`, or the specification or path it comes from."""
    return spec or (str(source) if isinstance(source, str | Path) else "")
