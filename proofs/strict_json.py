"""Reads JSON objects of integers, strings and lists from files that nobody vouches for."""

import json
from pathlib import Path
from typing import Any

from dags import FormatError
from proofs.core.fields import LARGEST, shown

LEVELS = 32  # of lists and objects: no certificate has more than a dozen
DIGITS = len(str(LARGEST)) + 1  # of an integer, its sign included


def read_object(path: str | Path, most_bytes: int) -> dict[str, Any]:
    """Return the object in a JSON file of at most `most_bytes` bytes.

    Numbers are integers; no two keys of an object are the same.

    Raises
    ------
    FormatError
        If the file is longer, or holds anything else.
    """
    with Path(path).open("rb") as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise FormatError(path, f"has more than {most_bytes} bytes")
    try:
        record = json.loads(
            content.decode(),
            parse_float=_no_number,
            parse_constant=_no_number,
            parse_int=_integer,
            object_pairs_hook=_object,
        )
    except ValueError as error:
        raise FormatError(path, f"is no JSON: {error}") from None
    except RecursionError:
        raise FormatError(path, "is no JSON: it has too many levels") from None
    if not isinstance(record, dict):
        raise FormatError(path, "is no certificate: it is no JSON object")
    if not _is_shallow(record):
        raise FormatError(path, f"has more than {LEVELS} levels")
    return record


def _is_shallow(record: dict[str, Any]) -> bool:
    """Return whether lists and objects are nested in at most `LEVELS` levels."""
    level: list[Any] = [record]
    for _ in range(LEVELS):
        entries = (each.values() if isinstance(each, dict) else each for each in level)
        level = [entry for each in entries for entry in each if isinstance(entry, dict | list)]
        if not level:
            return True
    return False


def _no_number(written: str) -> Any:
    raise ValueError(f"{shown(written)} is no integer")


def _integer(written: str) -> int:
    if len(written) > DIGITS or abs(int(written)) > LARGEST:
        raise ValueError(f"{shown(written)} is beyond {LARGEST}")
    return int(written)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise ValueError(f"the key {shown(key)} is there twice")
        record[key] = value
    return record
