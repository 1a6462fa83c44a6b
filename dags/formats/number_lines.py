"""Text files whose lines hold numbers: fast on the whole, exact about the line that is wrong."""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.errors import FormatError, shown

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,19}")
# no backtracking (++, *+): else a number of a million digits and a letter would take hours
_REAL: Final = re.compile(
    r"[+-]?([0-9]++\.?[0-9]*+|\.[0-9]++)([eE][+-]?[0-9]++)?|[+-]?(inf|nan)", re.I
)
_LARGEST: Final = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class NumberLines:
    """The lines of a file that hold anything besides comments.

    Attributes
    ----------
    path
        The file.
    lines
        These lines, without their comments. They are not split here: a million lists of fields
        would keep the garbage collector busy for seconds.
    numbers
        Where each stands in the file, from 1.
    """

    path: Path
    lines: list[str]
    numbers: list[int]

    def error(self, row: int, message: str) -> FormatError:
        """An error that names the place of line `row`."""
        return FormatError(self.path, message, self.numbers[row])

    def width(self, row: int) -> int:
        """How many fields line `row` has."""
        return len(self.lines[row].split())

    def header(self, names: str) -> list[int]:
        """The counts on the first line, one for each word of `names`."""
        if not self.lines:
            raise FormatError(self.path, f"holds no header line '{names}'")
        fields = self.lines[0].split()
        if len(fields) != len(names.split()) or not all(map(_is_count, fields)):
            line = shown(" ".join(fields))
            raise self.error(0, f"the header must be '{names}', not {line}")
        return [int(field) for field in fields]

    def require_rows(self, promised: int, kinds: str) -> None:
        """Raise FormatError unless `promised` lines follow the header."""
        count = len(self.lines) - 1
        if count < promised:
            raise FormatError(
                self.path, f"ends early: the header promises {kinds}, and {count} lines follow"
            )
        if count > promised:
            raise self.error(promised + 1, f"is left over: the header promises {kinds}")

    def integers(self, start: int, stop: int, kind: str, width: int, reals: int = 0) -> Int64Array:
        """Return lines start..stop-1, `width` integers and `reals` further numbers on each.

        The further numbers are checked and left out.

        Parameters
        ----------
        start, stop
            Range of lines.
        kind
            Name of such a line in messages.
        width, reals
            Fields on each line: integers first, then numbers.

        Returns
        -------
        Int64Array
            (stop - start, width) the integers.

        Raises
        ------
        FormatError
            At the first line with other fields.
        """
        if start == stop:
            return np.empty((0, width), np.int64)
        try:
            table = _parse(self.lines[start:stop], width, reals)
        except (ValueError, OverflowError, Warning):
            raise self._first_error(start, stop, kind, width, reals) from None
        return np.column_stack([table[f"f{i}"] for i in range(width)])

    def require_known(self, start: int, ids: Int64Array, names: range, kind: str) -> None:
        """Raise FormatError at the first of `ids`, from line `start` on, not in `names`.

        Parameters
        ----------
        start
            The line of the first of `ids`.
        ids
            One id of each line.
        names
            The ids that there are.
        kind
            Name of such an id in messages.
        """
        unknown = np.flatnonzero((ids < names.start) | (ids >= names.stop))
        if unknown.size:
            row = int(unknown[0])
            known = f"{names.start}..{names.stop - 1}"
            raise self.error(start + row, f"{kind} {ids[row]} is not in {known}")

    def _first_error(self, start: int, stop: int, kind: str, width: int, reals: int) -> FormatError:
        for row in range(start, stop):
            fields = self.lines[row].split()
            if len(fields) != width + reals:
                count, wanted = len(fields), width + reals
                return self.error(row, f"a {kind} line with {count} fields, not {wanted}")
            for field in fields[:width]:
                if not _INTEGER.fullmatch(field) or abs(int(field)) > _LARGEST:
                    return self.error(row, f"a {kind} line holds {shown(field)}, no 64-bit integer")
            for field in fields[width:]:
                if not _REAL.fullmatch(field):
                    return self.error(row, f"a {kind} line holds {shown(field)}, no number")
        return FormatError(self.path, f"a {kind} line cannot be read")


def number_lines(path: Path, text: str) -> NumberLines:
    """The data lines of `text`; ``%`` starts a comment."""
    lines = [line.partition("%")[0] for line in text.split("\n")]
    numbers = [number for number, line in enumerate(lines, 1) if line and not line.isspace()]
    return NumberLines(path, [lines[number - 1] for number in numbers], numbers)


def _parse(lines: list[str], width: int, reals: int) -> npt.NDArray[Any]:
    kinds = [np.int64] * width + [np.float64] * reals
    columns = np.dtype([(f"f{i}", kind) for i, kind in enumerate(kinds)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy takes 1.5 for an integer, and only warns
        return np.loadtxt(lines, dtype=columns, comments=None, ndmin=1)


def _is_count(field: str) -> bool:
    return _INTEGER.fullmatch(field) is not None and field[0] != "-"
