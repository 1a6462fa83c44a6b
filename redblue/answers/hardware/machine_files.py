"""Machines of one's own: a TOML or JSON file with the numbers of one machine."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dags.errors import one_line, shown
from redblue.answers.hardware.catalogue import SECTIONS, Machine, Source, machine_of
from redblue.answers.hardware.validation import InvalidMachineError

SUFFIXES: Final = (".toml", ".json")
KEYS: Final = ("title", "word_bytes", "clock", *SECTIONS)
AMOUNT: Final = re.compile(r"\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([A-Za-z][A-Za-z/]*)\s*")
EXAMPLE: Final = '"2 MiB" or { value = 2, unit = "MiB" }'


def is_machine_file(name: str) -> bool:
    """Whether a name is the path of a machine's file."""
    return Path(name).suffix.lower() in SUFFIXES


def read_machine(path: str | Path) -> Machine:
    """The machine of a file: numbers with units, as the catalogue has them.

    ``word_bytes`` is the word in which rates and sizes in words count, by default 8; ``clock``,
    ``compute``, ``bandwidth`` and ``memory`` have amounts like "2 MiB", "100 GB/s", "1.5 GHz". What
    stands first in a section is meant where nobody chooses. A memory in a table names the bandwidth
    that feeds it: ``{ value = 2, unit = "MiB", fed_by = "dram" }``.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    InvalidMachineError
        If it cannot be read, or is no machine.
    """
    file = one_line(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
        is_json = Path(path).suffix.lower() == ".json"
        record = json.loads(text) if is_json else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:  # no such file, no text, no JSON or TOML
        reason = getattr(error, "strerror", None) or one_line(error)
        raise InvalidMachineError(f"{file} cannot be read as a machine: {reason}") from None
    if not isinstance(record, dict):
        raise InvalidMachineError(f"{file}: a machine is a table of {', '.join(KEYS)}")
    try:
        return _machine(Path(path), record)
    except InvalidMachineError as error:
        raise InvalidMachineError(f"{file}: {error}") from None


def _machine(path: Path, record: Mapping[str, Any]) -> Machine:
    for key in record:
        if key not in KEYS:
            raise InvalidMachineError(f"{shown(key)} is unknown; a machine has {', '.join(KEYS)}")
    title = record.get("title", path.stem)
    word = record.get("word_bytes", 8)
    if not isinstance(title, str) or isinstance(word, bool) or not isinstance(word, int | float):
        raise InvalidMachineError("the title is a text, and word_bytes a number")
    if not word >= 1:
        raise InvalidMachineError(f"a word has at least 1 byte, not {word}")
    table: dict[str, Any] = {"title": title, "word_bytes": word}
    if "clock" in record:
        table["clock"] = _entry("clock", record["clock"])
    for section in SECTIONS:
        numbers = record.get(section, {})
        if not isinstance(numbers, dict):
            raise InvalidMachineError(f"{section} is a table of names and amounts")
        table[section] = {key: _entry(f"{section}.{key}", one) for key, one in numbers.items()}
    if not table["memory"]:
        raise InvalidMachineError("a machine has a memory")
    for key, entry in table["memory"].items():
        feed = entry.get("fed_by")
        if feed is not None and feed not in table["bandwidth"]:
            known = ", ".join(table["bandwidth"]) or "none"
            raise InvalidMachineError(
                f"memory.{key} is fed by {shown(str(feed))}, and bandwidths are {known}"
            )
    return machine_of(path.stem, table, {"file": Source(path.name, "a file of one's own")})


def _entry(what: str, value: Any) -> dict[str, Any]:
    """An amount as the catalogue has it."""
    given = dict(value) if isinstance(value, dict) else {}
    if isinstance(value, str):
        amount = AMOUNT.fullmatch(value)
        if amount is None:
            raise InvalidMachineError(f"{what} is {shown(value)}: expected {EXAMPLE}")
        given = {"value": float(amount[1]), "unit": amount[2]}
    number, parts = given.get("value"), given.get("parts", 1)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise InvalidMachineError(f"{what} is {shown(str(value))}: expected {EXAMPLE}")
    if not isinstance(given.get("unit"), str) or type(parts) is not int or parts < 1:
        raise InvalidMachineError(f"{what} has no unit, or no whole number of parts: {EXAMPLE}")
    if unknown := given.keys() - {"value", "unit", "fed_by", "parts"}:
        names = ", ".join(sorted(unknown))
        raise InvalidMachineError(f"{what}: {names} is unknown; it has value, unit, fed_by, parts")
    return {**given, "of": "file"}
