"""The page of premises names each theorem, and functions that there are."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from proofs.lemmas.theorems import THEOREMS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "theory" / "premises.md"
ROW = re.compile(r"^\| ([A-Z][0-9]+) \| (.+) \| `([\w.]+):([\w.]+)` \|$", re.MULTILINE)
SEARCHES = {"E5", "E6", "E7", "M6"}  # of which no certificate is made


def rows() -> list[tuple[str, str, str, str]]:
    """Theorems, premises, modules and functions."""
    return [(*row,) for row in ROW.findall(PAGE.read_text())]


def test_each_theorem_has_its_premises():
    lines = [line for line in PAGE.read_text().splitlines() if re.match(r"\| [A-Z][0-9]", line)]
    assert len(lines) == len(rows()) == len({row[:2] for row in rows()})
    assert {number for number, *_ in rows()} == THEOREMS.keys() - SEARCHES


@pytest.mark.parametrize("checker", sorted({f"{module}:{name}" for *_, module, name in rows()}))
def test_the_checkers_of_premises_are_there(checker):
    module, _, name = checker.partition(":")
    result = import_module(module)
    for part in name.split("."):
        result = getattr(result, part)
    assert callable(result) or isinstance(result, property)
