"""Options at the end of a specification that say how a file is read: "a.json:words=bytes"."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dags.errors import InvalidSpecError, one_line

KNOWN: Final = ("words", "work", "family", "recognise", "word")
WORD: Final = "word"  # the bytes of a word, an option of all specifications
# A family has parameters of its own, up to the next of these options or the end.
_OPTION: Final = re.compile(
    r"(?:^|(?P<colon>:)|,)(?:(?P<name>words|work|recognise|word)=(?P<value>[^,]*)"
    r"|family=(?P<family>.*?)(?=$|,(?:words|work|recognise|word|family|tile)=))"
)
YES_NO: Final = {"yes": True, "no": False}


@dataclass(frozen=True)
class FileSpec:
    """A specification without these options, and their values.

    Parameters
    ----------
    spec
        The rest: a file or a program, with sizes.
    words
        Attribute of the nodes that holds sizes in words.
    work
        Attribute of the nodes that holds operations or times.
    family
        The member that the DAG is up to its numbering.
    recognise
        Whether its family is looked for.
    word
        Bytes of a word.
    """

    spec: str
    words: str | None = None
    work: str | None = None
    family: str | None = None
    recognise: bool = True
    word: int | None = None


def file_spec(spec: str) -> FileSpec:
    """A specification of a file, with its options read.

    Raises
    ------
    InvalidSpecError
        If one is given twice, or has no such value.
    """
    place, _, tail = spec.partition(":")
    fields: dict[str, Any] = {}
    for match in _OPTION.finditer(tail):
        name, value = match["name"] or "family", match["value"] or match["family"] or ""
        if name in fields:
            raise InvalidSpecError(f"{one_line(spec)}: {name} is given twice")
        if not value and name != WORD:
            raise InvalidSpecError(f"{one_line(spec)}: {name} has no value")
        fields[name] = value
    if not fields or _exists(spec):
        return FileSpec(spec)
    if (chosen := fields.get("recognise", "yes")) not in YES_NO:
        raise InvalidSpecError(f"{one_line(spec)}: recognise is yes or no, not {chosen[:40]!r}")
    if WORD in fields:
        fields[WORD] = whole(spec, WORD, fields[WORD])
    head = _OPTION.sub(lambda match: match["colon"] or "", tail).strip(",").rstrip(":")
    plain = f"{place}:{head}".replace(":,", ":") if head else place
    return FileSpec(plain, **fields | {"recognise": YES_NO[chosen]})


def with_options(spec: str, **options: object) -> str:
    """A specification with options at its end; those that are None are left out."""
    added = ",".join(f"{name}={value}" for name, value in options.items() if value is not None)
    return f"{spec}{',' if ':' in spec else ':'}{added}" if added else spec


def whole(spec: str, key: str, value: str) -> int:
    """The number that a specification gives.

    Raises
    ------
    InvalidSpecError
        If it is no whole number from 1.
    """
    if not value.isdecimal() or len(value) > 12 or not int(value):
        raise InvalidSpecError(
            f"{one_line(spec)}: {key} must be a whole number from 1, not {value[:40]!r}"
        )
    return int(value)


def _exists(spec: str) -> bool:
    try:
        return Path(spec).exists()
    except (OSError, ValueError):  # longer than the name of a file can be, or with a NUL in it
        return False
