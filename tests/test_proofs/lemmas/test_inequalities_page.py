"""The programs of the page on inequalities of sets say what the checker computes."""

import re
from pathlib import Path

import pytest

from proofs.lemmas.isoperimetry import DOMINATED, TWO_SIDED

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "inequalities.md"
PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LARGEST = 24  # vertices of a set: the programs of the page are slow
FLAT = [{"shape": shape} for shape in ((9,), (5, 6), (2, 7), (3, 3, 4))]
MEMBERS = {
    "binomial": [{"n": 1}, {"n": 9}],
    "bitonic_sort": [{"n": 4}, {"n": 16}],
    "fft": [{"n": 16}, {"n": 27, "radix": 3}, {"n": 16, "radix": 4}],
    "grid": [{"shape": (5, 7)}, {"shape": (4,)}, {"shape": (3, 1, 4, 5)}],
    "hypercube": [{"d": 1}, {"d": 4}, {"d": 5}],
    "odd_even_merge_sort": [{"n": 4}, {"n": 16}],
    "prefix_scan": [{"n": 3, "network": "kogge-stone"}, {"n": 13, "network": "kogge-stone"}],
    "pyramid": [{"height": 1}, {"height": 9}],
    "stencil": [
        *({**params, "steps": 3} for params in FLAT),
        *({**params, "steps": 2, "neighbourhood": "box"} for params in FLAT),
        {"shape": (7, 7), "steps": 3, "periodic": True},
        {"shape": (7,), "steps": 3, "periodic": True},
        {"shape": (5, 7), "steps": 3, "neighbourhood": "box", "periodic": True},
    ],
    "sweep": [
        *FLAT,
        {"shape": (5, 6), "neighbourhood": "box"},
        {"shape": (5, 6), "periodic": True},
    ],
}


@pytest.fixture(scope="module")
def programs():
    """The functions of the page."""
    names = {}
    blocks = PROGRAM.findall(PAGE.read_text().partition("## Worked examples")[0])
    exec("\n".join(blocks), names)
    return names


def test_each_family_has_a_program():
    assert MEMBERS.keys() == TWO_SIDED.keys() | DOMINATED.keys()


@pytest.mark.parametrize("family", MEMBERS)
def test_programs_say_what_the_checker_computes(programs, family):
    for params in MEMBERS[family]:
        arguments = {name: value for name, value in params.items() if name != "network"}
        both = programs[family](**arguments)
        for ways, families in zip(both, (TWO_SIDED, DOMINATED), strict=True):
            known = families[family](**params) if family in families else []
            for pieces, counts in zip(ways, known, strict=True):
                for (counted, least, waived, copies), count in zip(pieces, counts, strict=True):
                    numbers = count.vertices, count.waived, count.copies, count.parts
                    assert (counted, waived, copies, 1) == numbers
                    for size in range(1, min(counted, LARGEST, count.reach) + 1):
                        assert least(size) == count.least(size), (params, size)


@pytest.mark.parametrize("size", [8193, 20_000])
def test_large_sets_have_the_formula(programs, size):
    for box in ("star", "box"):
        way = programs["stencil"]((100, 100), 100, box)[0][2]
        known = TWO_SIDED["stencil"](shape=(100, 100), steps=100, neighbourhood=box)[2]
        assert way[0][1](size) == known[0].least(size)
    assert programs["grid"]((40, 50, 60))[0][0][0][1](size) == TWO_SIDED["grid"](
        shape=(40, 50, 60)
    )[0][0].least(size)
