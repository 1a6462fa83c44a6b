"""Arguments that commands and functions take as a DAG, and its label in results."""

from pathlib import Path
from typing import Any, TypeAlias

from dags import load

Source: TypeAlias = Any  # whatever `dags.load` takes

__all__ = ["Source", "label_of", "load"]


def label_of(source: Source, spec: str = "") -> str:
    """Return the label of a DAG in results: `spec`, or the specification or path it comes from."""
    return spec or (str(source) if isinstance(source, str | Path) else "")
