"""The error of graphs that are not read, and of packages that are not installed."""

from importlib import import_module
from typing import Any

from dags.errors import RedBlueError


class ImportedGraphError(RedBlueError, ValueError):
    """A graph of another tool that has no DAG, or not the one asked for."""


def require_package(name: str, extra: str, wanted: str) -> Any:
    """Return a module that only an extra of this project installs.

    Parameters
    ----------
    name
        The module.
    extra
        The extra that installs it.
    wanted
        What needs it, as the subject of the message.

    Raises
    ------
    ImportedGraphError
        If it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise ImportedGraphError(
            f"{wanted} need the package {package}: pip install 'redblue[{extra}]'"
        ) from None
