"""The errors that every package raises, and how their messages show a user's text."""

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Final

_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40
_SHORT.maxlevel = 2
LONGEST_NAME: Final = 80  # characters of a name that others are compared with
MOST_NAMES: Final = 20_000  # that are compared
MAX_MESSAGE: Final = 400  # characters of one sentence about a file


def shown(value: object) -> str:
    """`value` as Python writes it, cut with "..." where that is long.

    Examples
    --------
    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaa'"
    """
    return _SHORT.repr(value)


def one_line(text: object, limit: int = 200) -> str:
    r"""`text` on one line of at most `limit` characters, cut in the middle with "...".

    Line ends and other control characters are escaped, so that no file or name can write anything
    else to a terminal.

    Examples
    --------
    >>> print(one_line("two\nlines"))
    two\nlines
    """
    line = str(text)
    if len(line) > limit:
        half = (limit - 3) // 2
        line = f"{line[:half]}...{line[-half:]}"
    return "".join(sign if sign.isprintable() else _escaped(sign) for sign in line)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'lru'?" where one of `known` is much like `name`, else nothing.

    Examples
    --------
    >>> did_you_mean("belady-cst", ["lru", "belady-cost"])
    "; did you mean 'belady-cost'?"
    """
    if len(name) > LONGEST_NAME:
        return ""
    # a file may be called ".hdag", and then that is its name and no format
    choices = {
        candidate.lower(): candidate for candidate in islice(known, MOST_NAMES) if candidate != name
    }
    close = get_close_matches(name.lower(), choices, n=1)
    return f"; did you mean {shown(choices[close[0]])}?" if close else ""


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


class RedBlueError(Exception):
    """Base class of all errors that redblue raises on purpose."""


class NotInstalledError(RedBlueError):
    """A part that was left out of this installation."""


class InvalidDAGError(RedBlueError, ValueError):
    """Arrays or edges that describe no computation DAG."""


class InvalidSpecError(RedBlueError, ValueError):
    """A DAG specification whose parameters do not fit its generator."""


class ArgumentError(InvalidSpecError, TypeError):
    """An argument of a type or value that a function does not take, or an unknown keyword."""


class OutOfMemoryError(RedBlueError, MemoryError):
    """Something that takes more memory than this machine has."""


class FileError(RedBlueError, OSError):
    """A file that cannot be read or written, for a reason of the machine."""

    def __str__(self) -> str:  # OSError would begin with its number
        reason = self.strerror or super().__str__()
        return reason if self.filename is None else f"{one_line(self.filename)}: {reason}"


class MissingFileError(FileError, FileNotFoundError):
    """A file that is not there."""


class UnknownNameError(RedBlueError, KeyError):
    """A name that is in no registry.

    Parameters
    ----------
    kind
        The kind of name: "generator", "scheduler", ...
    name
        The name that is not there.
    known
        The names that are.
    gone
        The present name of something that was called so in an earlier release; None if nothing was.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, gone: str | None = None
    ) -> None:
        names = list(known)
        hint = f" any more: {gone} do as much;" if gone else did_you_mean(name, names)
        joint = f"{hint} known" if hint else "; known"
        super().__init__(f"no {kind} is called {shown(name)}{joint}: {', '.join(names)}")

    def __str__(self) -> str:  # KeyError would show its argument quoted
        return str(self.args[0])


class IgnoredSizesWarning(UserWarning):
    """Nodes of a graph have numbers that may be the sizes of their values, and are not used."""


class FormatError(RedBlueError, ValueError):
    """A file that does not follow its format.

    Parameters
    ----------
    path
        The file.
    message
        The fault.
    line
        Its line number, from 1, where there is one.
    """

    def __init__(self, path: object, message: str, line: int | None = None) -> None:
        file = one_line(path)
        place = f"{file}, line {line}" if line is not None else file
        super().__init__(f"{place}: {one_line(message, MAX_MESSAGE)}")
