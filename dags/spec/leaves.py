"""The door to readers that may be left out: of programs, NumPy code and graphs of other tools.

Nothing else imports their folders: without one of them everything else runs, and commands that ask
for it say in a sentence that it is not there. `redblue.leaves` is the door to the source papers.
"""

import re
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from dags.errors import NotInstalledError


class Reader(NamedTuple):
    """A folder, in which a module `spec` has `takes` to know its own, and `dag` to lay it out.

    Attributes
    ----------
    folder
        The name of its package.
    looks
        Pattern of specifications that miss it where it was left out.
    """

    folder: str
    looks: str


# By what they read, in the order in which they are asked about a specification.
READERS: Final[Mapping[str, Reader]] = {
    "NumPy code": Reader("dags.tracing", r"\.py:.*\bnumpy\b"),
    "programs": Reader("dags.programs.text", r"\.(c|h|py)(:|$)|^polybench/|->"),
    "graphs": Reader("dags.importers", r"\.(onnx|pt2|dask)(:|$)"),
}


def installed(kind: str) -> bool:
    """Whether the reader of a kind of computation is here."""
    try:
        return find_spec(READERS[kind].folder) is not None
    except ModuleNotFoundError:
        return False


def reader(kind: str, module: str = "spec") -> Any:
    """A module of the reader of a kind of computation, a key of `READERS`.

    Raises
    ------
    NotInstalledError
        If it was left out.
    """
    if not installed(kind):
        raise NotInstalledError(f"{READERS[kind].folder}, which reads {kind}, is not installed")
    return import_module(f"{READERS[kind].folder}.{module}")


def is_of(kind: str, spec: str) -> bool:
    """Whether a specification is of a kind; of none whose reader was left out."""
    return installed(kind) and bool(reader(kind).takes(spec))


def kind_of(spec: str) -> str | None:
    """The kind of computation that a specification names; None where no reader takes it.

    Raises
    ------
    NotInstalledError
        If it looks like one for a reader that was left out.
    """
    for kind, each in READERS.items():
        missing = not installed(kind) and re.search(each.looks, spec, re.IGNORECASE)
        if missing or is_of(kind, spec):
            reader(kind)
            return kind
    return None
