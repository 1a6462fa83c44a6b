"""The errors that every package raises; each message holds the numbers that explain it."""

from collections.abc import Iterable


class RedBlueError(Exception):
    """Root of every error that this project raises on purpose."""


class InvalidDAGError(RedBlueError, ValueError):
    """Arrays or edges that describe no computation DAG."""


class InvalidSpecError(RedBlueError, ValueError):
    """A DAG specification whose parameters do not fit its generator."""


class UnknownNameError(RedBlueError, KeyError):
    """A name that is in no registry.

    Parameters
    ----------
    kind
        What was looked up: "generator", "scheduler", ...
    name
        The name that is not there.
    known
        The names that are.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"no {kind} is called {name!r}; known: {', '.join(known)}")

    def __str__(self) -> str:  # KeyError would show its argument quoted
        return str(self.args[0])


class FormatError(RedBlueError, ValueError):
    """A file that does not follow its format.

    Parameters
    ----------
    path
        The file.
    message
        What is wrong with it.
    line
        Its line number, from 1, where there is one.
    """

    def __init__(self, path: object, message: str, line: int | None = None) -> None:
        place = f"{path}, line {line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")
