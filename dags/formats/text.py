"""Reading and writing of text: UTF-8, and names that read back as they were."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from dags.cdag.border import Label
from dags.cdag.value import CDAG
from dags.errors import FormatError, shown

# Only the one way in which Python writes an integer: "007" and "+7" stay strings, so that no
# two names of a file become one. Python refuses to convert more than 4300 digits.
_NUMERAL: Final = re.compile(r"0|-?[1-9][0-9]{0,999}")


class UnwritableLabelError(ValueError):
    """A label that would not read back unchanged from this format."""


def read_text(path: Path) -> str:
    """The text of a file, a byte-order mark left out and line ends as they are.

    Raises
    ------
    FormatError
        If it is no UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(path, f"is no text: byte {error.start} is not UTF-8") from error


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines, given without line ends."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def parse_name(text: str) -> Label:
    """The name that `text` stands for: an integer where it is written like one.

    Examples
    --------
    >>> parse_name("7"), parse_name("007"), parse_name("x7")
    (7, '007', 'x7')
    """
    return int(text) if _NUMERAL.fullmatch(text) else text


def names_of(dag: CDAG, can_write: Callable[[str], bool] = lambda label: True) -> list[Label]:
    """The names of the vertices of `dag`, each of which reads back as it is.

    Parameters
    ----------
    dag
        Its labels are the names, or its numbers where it has none.
    can_write
        Returns whether the format can hold a string.

    Raises
    ------
    UnwritableLabelError
        For the first label that would read back as another.
    """
    if dag.labels is None:
        return list(range(dag.n))
    for vertex, label in enumerate(dag.labels):
        if isinstance(label, str) and not (_is_unicode(label) and can_write(label)):
            raise UnwritableLabelError(
                f"this format cannot hold the label {shown(label)} of vertex {vertex}"
            )
        if parse_name(str(label)) != label:
            raise UnwritableLabelError(
                f"the label {shown(label)} of vertex {vertex} would read back as another name"
            )
    return list(dag.labels)


def _is_unicode(label: str) -> bool:
    """Whether `label` has no half of a surrogate pair, which UTF-8 cannot encode."""
    return not any("\ud800" <= sign <= "\udfff" for sign in label)
