"""Answers: an object for `--json`, and sentences and tables for readers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from redblue.show.model import Table

Part = str | Table


class Answer(Protocol):
    """Findings that the terminal, a page or a file can show."""

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""

    def shown(self) -> Iterable[Part]:
        """Sentences and tables, in their order."""


@dataclass(frozen=True)
class Facts:
    """An answer as it is.

    Parameters
    ----------
    record
        The object of `--json`.
    parts
        Sentences and tables.
    code, problem
        The exit code of the command where it is not 0, and a sentence on it, if any: 4 where a
        check fails.
    """

    record: dict[str, Any]
    parts: tuple[Part, ...]
    code: int = 0
    problem: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        return self.record

    def shown(self) -> tuple[Part, ...]:
        """Sentences and tables, in their order."""
        return self.parts
