"""The entries of BibTeX, and the lines that a list of references makes of them."""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files

from redblue import leaves

Entry = tuple[str, dict[str, str]]  # its type, and its fields

ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


def entries(package: str, name: str) -> dict[str, Entry]:
    """The entries of a file that comes with a package, by their keys."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return {key: (kind, dict(FIELD.findall(body))) for kind, key, body in ENTRY.findall(text)}


# The literature of the game, of bounds and of evictions.
ENTRIES = entries("redblue.show.literature", "methods.bib")

# Fields that say where a work appeared, in the order in which they are written.
PLACES = ("booktitle", "journal", "institution", "publisher", "howpublished")


def reference(key: str) -> tuple[str, str]:
    """An entry as a line of a list of references, and its DOI or an empty text.

    Examples
    --------
    >>> text, doi = reference("hong1981")
    >>> print(text[:59], doi)
    J.-W. Hong and H. T. Kung. I/O complexity: The red-blue peb 10.1145/800076.802486
    """
    _, fields = ENTRIES[key] if key in ENTRIES else leaves.part("literature").PAPERS[key]
    parts = [_authors(fields["author"]), _plain(fields["title"]), _place(fields)]
    return ". ".join(parts), fields.get("doi", "")


def _authors(names: str) -> str:
    """The authors, given names first."""
    people = [" ".join(reversed(_plain(name).split(", "))) for name in names.split(" and ")]
    people = ["J.-W. Hong" if name == "Jia-Wei Hong" else name for name in people]
    return " and ".join(filter(None, (", ".join(people[:-1]), people[-1])))


def _place(fields: Mapping[str, str]) -> str:
    """Return where and when it appeared."""
    place = next((fields[name] for name in PLACES if name in fields), "")
    volume = fields.get("volume", "")
    number = f"({fields['number']})" if volume and "number" in fields else ""
    pages = fields.get("pages", "").replace("--", "-")
    publication = " ".join(filter(None, (place, f"{volume}{number}")))
    return ", ".join(filter(None, (publication, pages, fields.get("year", ""))))


def _plain(text: str) -> str:
    """A field of BibTeX as plain text."""
    return text.replace("{", "").replace("}", "")


def references(keys: Iterable[str]) -> list[tuple[str, str]]:
    """The references of `keys`, each once, by the name of the first author."""
    return [reference(key) for key in sorted(set(keys))]
