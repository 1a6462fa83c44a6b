"""The part that may be left out, and the one door through which the rest reaches it.

The source papers' machines, and the records of public graphs, are no part of the engine: without
them everything else runs, and commands that ask for them say in a sentence that they are not there.
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

PAPERS: Final = "redblue.papers"
PARTS: Final = ("commands", "experiments", "literature")


def installed() -> bool:
    """Whether the papers' part is here."""
    try:
        return find_spec(PAPERS) is not None
    except ModuleNotFoundError:
        return False


def experiments() -> Mapping[str, Any]:
    """The experiments by name: none where they were left out."""
    experiments_found: Mapping[str, Any] = part("experiments").EXPERIMENTS if installed() else {}
    return experiments_found


def part(name: str) -> Any:
    """The papers' module of a name, one of `PARTS`.

    Raises
    ------
    NotInstalledError
        If it was left out.
    """
    if not installed():
        from dags.errors import NotInstalledError  # which imports Numba

        raise NotInstalledError(f"{PAPERS}, which has the {name} of the papers, is not installed")
    return import_module(f"{PAPERS}.{name}")
