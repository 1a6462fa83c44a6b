"""The parts that may be left out, and the one table by which the rest reaches them.

What the source papers say of their machines, and the records of public graphs, are no part of the
engine: without them everything else runs, and what asks for them says in a sentence that they are
not there.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

PAPERS: Final = "redblue.experiments"
HOMES: Final = {
    "experiments": "redblue.experiments",
    "literature": "redblue.literature.papers",
    "commands": "redblue.cli.of_papers",
}


def installed() -> bool:
    """Return whether the papers' part is here."""
    try:
        return find_spec(PAPERS) is not None
    except ModuleNotFoundError:
        return False


def part(name: str) -> Any:
    """Return a module of `HOMES`.

    Raises
    ------
    NotInstalledError
        If it was left out.
    """
    if not installed():
        from dags.errors import NotInstalledError  # which imports Numba

        raise NotInstalledError(f"{PAPERS}, which has the {name} of the papers, is not installed")
    return import_module(HOMES[name])
