"""Entries of BibTeX, read from files in which each field is a line."""

import re
from importlib.resources import files

Entry = tuple[str, dict[str, str]]  # its type, and its fields

ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


def entries(package: str, name: str) -> dict[str, Entry]:
    """Return the entries of a file that comes with a package, by their keys."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return {key: (kind, dict(FIELD.findall(body))) for kind, key, body in ENTRY.findall(text)}
