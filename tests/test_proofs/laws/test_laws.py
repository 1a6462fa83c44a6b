from math import inf, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import EXAMPLES, from_edges, grid, load, matvec, stencil, strassen, triangular_solve
from proofs.laws import InvalidLawError, Law, published_law

factors = st.floats(1.0, 8.0)
memories = st.floats(2.0, 1e6)


@pytest.mark.parametrize(
    ("law", "alpha", "words"),
    [
        (Law("power", 0.5), 2, 4096),
        (Law("power", 1.0), 2, 2048),
        (Law("power", 1 / 3), 2, 8192),
        (Law("power", 0.25), 2, 16384),
        (Law("logarithmic"), 2, 1024**2),
        (Law("power", 0.5), 3, 9216),
        (Law("logarithmic"), 3, 1024**3),
        (Law("constant"), 2, inf),
        (Law("constant"), 1, 1024),
    ],
)
def test_kungs_examples(law, alpha, words):
    assert law.rebalance(alpha, 1024) == pytest.approx(words, rel=1e-12)


@given(
    st.sampled_from([Law("power", 0.5), Law("power", 0.3), Law("logarithmic")]), factors, memories
)
def test_the_new_memory_has_the_ratio_that_is_asked_for(law, alpha, memory):
    assert law.ratio(law.rebalance(alpha, memory)) == pytest.approx(alpha * law.ratio(memory))


def test_ratios():
    assert Law("power", 0.5, coefficient=3.0).ratio(16) == 12
    assert Law("logarithmic", coefficient=0.5).ratio(1024) == 0.5 * log2(1024)
    assert Law("constant", coefficient=2.0).ratio(7) == 2


@pytest.mark.parametrize(
    ("law", "name"),
    [
        (Law("power", 0.5), "M^(1/2)"),
        (Law("power", 1 / 3), "M^(1/3)"),
        (Law("power", 1.0), "M"),
        (Law("power", 0.4711), "M^0.471"),
        (Law("logarithmic"), "log M"),
        (Law("constant"), "constant"),
    ],
)
def test_names(law, name):
    assert law.name == name


@pytest.mark.parametrize(
    "broken",
    [
        lambda: Law("power"),
        lambda: Law("power", -1.0),
        lambda: Law("logarithmic", 0.5),
        lambda: Law("constant", coefficient=0.0),
        lambda: Law("constant").rebalance(0, 8),
        lambda: Law("constant").rebalance(2, -1),
        lambda: Law("power", 0.5).ratio(0),
    ],
)
def test_nonsense(broken):
    with pytest.raises(InvalidLawError):
        broken()


def test_what_overflows_is_infinite():
    assert Law("logarithmic").rebalance(1e6, 1e6) == inf


def test_published_laws():
    assert published_law(grid((4,))).name == "constant"
    assert published_law(grid((4, 4))).name == "M"
    assert published_law(stencil((3, 3, 3), 2)).name == "M^(1/3)"
    assert published_law(matvec(4)).name == "constant"
    assert published_law(from_edges(2, [(0, 1)])) is None
    assert published_law(triangular_solve(4)).name == "constant"
    assert published_law(triangular_solve(4, k=4)).name == "M^(1/2)"
    assert published_law(triangular_solve(4, k=2)) is None
    for spec in EXAMPLES.values():
        law = published_law(load(spec))
        assert law is None or isinstance(law, Law)


def test_strassen_has_its_published_exponent():
    full = published_law(strassen(8))
    assert full.exponent == pytest.approx(log2(7) / 2 - 1)
    assert full.name == "M^(log2(7)/2 - 1)"
    assert published_law(strassen(8, levels=1)) is None
