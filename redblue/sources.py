"""The DAG that a caller gives: itself, a specification, a file, or a NetworkX graph."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from dags import CDAG, InvalidSpecError, from_networkx
from dags import load as load_spec

if TYPE_CHECKING:
    import networkx as nx

Source: TypeAlias = Union[CDAG, str, Path, "nx.DiGraph[Any]"]


def load(source: Source) -> CDAG:
    """Return the DAG that `source` names or is.

    Parameters
    ----------
    source
        A DAG, a specification like "fft:n=64", a file, or a NetworkX graph.

    Raises
    ------
    InvalidSpecError
        If it is something else.

    Examples
    --------
    >>> load("matmul:m=1,n=2,k=3").n
    15
    """
    if isinstance(source, CDAG):
        return source
    if isinstance(source, str | Path):
        return load_spec(str(source))
    if hasattr(source, "is_directed"):
        return from_networkx(source)
    raise InvalidSpecError(
        f"a DAG is a CDAG, a specification, a path or a NetworkX graph, not {type(source).__name__}"
    )


def label_of(source: Source, spec: str = "") -> str:
    """Return the label of a DAG in results: `spec`, or the specification or path it comes from."""
    return spec or (str(source) if isinstance(source, str | Path) else "")
