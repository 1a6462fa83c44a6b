"""The programs of the page on inequalities of sets say what the checker computes."""

import re
from pathlib import Path

import numpy as np
import pytest

from dags.families.common.dirac_numbers import DiracNumbers
from proofs.lemmas.families.butterflies import ARGUMENTS
from proofs.lemmas.families.dirac import closed_words, hops_of, spinor_words
from proofs.lemmas.isoperimetry import DOMINATED, TWO_SIDED
from proofs.lemmas.isoperimetry.cubes import _one_by_one
from proofs.lemmas.prices import LAYERED, PRICED
from proofs.lemmas.prices.layers import layers_priced, levels_priced

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


def assert_same(piece, priced, parts, longest):
    """A piece of the page has the numbers of the checker, for sets up to a size."""
    count = priced.count(parts)
    assert (piece[0], piece[2], piece[3]) == (count.vertices, count.waived, count.copies)
    sizes = range(1, longest + 1)
    assert [piece[1](size) for size in sizes] == [count.least(size) for size in sizes]


@pytest.mark.parametrize(
    "prices", [(5,), (357, 905, 0, -700), (357, 905, 1571, 1857, 1000, -714)], ids=len
)
def test_prices_of_levels(programs, prices):
    longest = min(20, 2 ** len(prices) - 1)
    expected = levels_priced(len(prices), np.array(prices), 1000, longest)
    piece = programs["priced_levels"](len(prices), prices, longest, 1000)
    assert_same(piece, expected, 1000, longest)


def test_levels_one_by_one(programs):
    table = _one_by_one(5, 3, 10)
    for (members, keeps), reads in np.ndenumerate(table):
        fewest = programs["one_by_one"](5, 3, members, keeps)
        assert min(fewest, 2**30) == reads


@pytest.mark.parametrize("shape", [(2, 3, 4), (5, 6), (3, 1, 4, 2)])
def test_prices_of_layers(programs, shape):
    prices = np.random.default_rng(len(shape)).integers(0, 400, sum(shape) - len(shape) + 1)
    piece = programs["priced_layers"](shape, prices.tolist(), 16, 1000)
    assert_same(piece, layers_priced(shape, prices, 1000, 16), 1000, 16)


@pytest.mark.parametrize(
    ("shape", "prices", "longest"),
    [((7, 8), (3, 5), 20), ((4, 5, 3), (3, 5), 16), ((3, 3, 3, 3), (2, 7), 9)],
)
def test_prices_at_last_faces_of_grids(programs, shape, prices, longest):
    expected = PRICED["grid"][1](longest, prices, 10, shape=shape)
    assert_same(programs["priced_grid"](shape, prices, longest, 10), expected, 10, longest)


@pytest.mark.parametrize(
    ("shape", "price", "longest", "layers"),
    [
        ((9,), 3, 20, None),
        ((5, 6), 7, 24, None),
        ((3, 3, 4), 4, 12, None),
        ((5, 6), 7, 16, [1, -2, 3]),
        ((9,), 3, 20, [-2, 0, 5]),
    ],
)
def test_prices_at_borders_of_stencils(programs, shape, price, longest, layers):
    params = {"shape": shape, "steps": 3}
    if layers is None:
        expected = PRICED["stencil"][1](longest, (price,), 10, **params)
    else:
        expected = LAYERED["stencil"](longest, (price,), tuple(layers), 10, **params)
    piece = programs["priced_stencil"](shape, 3, [price], longest, 10, layers)
    assert_same(piece, expected, 10, longest)


@pytest.mark.parametrize(("n", "radix"), [(16, 2), (2**20, 2), (27, 3), (16, 4)])
def test_formulas_of_butterflies(programs, n, radix):
    params = {"n": n, "radix": radix}
    for held in range(2, 40):
        for argument, words in ARGUMENTS.items():
            assert programs[f"by_{argument}"](n, radix, held) == words(params, held)


@pytest.mark.parametrize(
    "lattice", [(2, 4, True, False), (3, 4, True, True), (3, 3, True, False), (3, 4, False, False)]
)
def test_formulas_of_dirac_operators(programs, lattice):
    k, n4, wrap, copies = lattice
    numbers = DiracNumbers(*lattice)
    for windows in (1, 2, 3, min(7, hops_of(numbers))):
        for held in (50, 150, 400):
            words = programs["dirac"](k, n4, windows, held, wrap, copies)
            assert words == closed_words(numbers, windows, held)


@pytest.mark.parametrize(("shape", "steps"), [((12, 12), 12), ((12, 1, 9), 20), ((6, 6, 6), 9)])
def test_formulas_of_spinors(programs, shape, steps):
    for held in (20, 100, 400):
        words = spinor_words({"shape": shape, "steps": steps}, held)
        assert programs["spinors"](shape, steps, held) == words
