"""Each theorem of the theory says whether it is mechanised, as the Coq sources have it."""

import re
from pathlib import Path

from proofs.verified.checker import SOURCES, coq_files

DOCS = Path(__file__).resolve().parents[3] / "docs"
HEADING = re.compile(r"^## ([A-Z][0-9]+)\. .*\n\n(.*)$", re.MULTILINE)
MECHANISED = re.compile(
    r"\*Mechanised in Coq(?: for products)?:\* (`\w+`(?:, `\w+`)*) in `proofs/verified/(\w+\.v)`\."
)
NUMBERED = re.compile(r"\b[A-Z][0-9]+\b")


def said() -> dict[str, str]:
    """What stands below the heading of each theorem."""
    pages = [page.read_text() for page in (DOCS / "theory").glob("*.md")]
    return {number: line for page in pages for number, line in HEADING.findall(page)}


def mechanised() -> dict[str, tuple[list[str], str]]:
    """The names in Coq, and the file, of the theorems that say that they are mechanised."""
    lines = {number: MECHANISED.fullmatch(line) for number, line in said().items()}
    return {
        number: (re.findall(r"\w+", line[1]), line[2]) for number, line in lines.items() if line
    }


def test_each_theorem_says_whether_it_is_mechanised():
    remaining = {line for number, line in said().items() if number not in mechanised()}
    assert remaining == {"*Not mechanised.*"}
    assert len(mechanised()) >= 12


def test_what_is_mechanised_is_in_the_sources():
    for names, file in mechanised().values():
        assert file in coq_files()
        text = (SOURCES / file).read_text()
        assert all(re.search(rf"^Theorem {name}\b", text, re.MULTILINE) for name in names), names


def test_what_you_trust_lists_the_same_theorems():
    page = (DOCS / "reference" / "trust.md").read_text().partition("## What is mechanised")[2]
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ")]
    listed = {number for row in rows for number in NUMBERED.findall(row)}
    assert listed == mechanised().keys()


def test_the_sources_number_no_theorem_that_a_page_does_not():
    stated = {
        number
        for name in coq_files()
        for comment in re.findall(r"THEOREM ([^:.(]*)", (SOURCES / name).read_text())
        for number in NUMBERED.findall(comment)
    }
    assert stated <= mechanised().keys()
    assert {"E1", "E3", "P8", "W1", "W2", "W7"} <= stated
