"""Bounds of one memory that are carried to another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.drawn_dags import fixed_indegree
from dags import fft, grid
from pebble import ONE_SHOT, compulsory_words, min_memory
from proofs import BOUNDS, NotApplicableError, carried, check, searched_bound
from tests.campaigns.recognition import permuted
from tests.oracles import optimum
from tests.strategies import dags

METHODS = ("decomposition", "exact-pieces", "reuse", "segments")


@given(dags(max_vertices=8), st.sampled_from(METHODS), st.integers(0, 2), st.integers(1, 3))
@settings(max_examples=80)
def test_carried_bounds_are_checked_and_never_exceed_the_optimum(dag, method, more, further):
    memory = min_memory(dag) + more
    try:
        bound = BOUNDS[method](dag, memory, time_limit=0.05)
    except NotApplicableError:
        return
    result = carried(dag, memory + further, bound)
    if result is not None:
        check(dag, memory + further, result)
        assert result.io <= optimum(dag, memory + further, ONE_SHOT)
    smaller = carried(dag, memory - more, bound)
    assert smaller is not None
    check(dag, memory - more, smaller)
    assert bound.io <= smaller.io <= optimum(dag, memory - more, ONE_SHOT)


@pytest.mark.parametrize(
    ("dag", "method", "memory"),
    [
        (fixed_indegree(120, 3, 1), "decomposition", 6),
        (permuted(grid((7, 7)), 1), "decomposition", 4),
        (fixed_indegree(150, 6, 2), "reuse", 10),
    ],
)
def test_a_certificate_proves_nearly_as_much_with_another_word(dag, method, memory):
    bound = BOUNDS[method](dag, memory, time_limit=3.0)
    result = carried(dag, memory + 1, bound)
    check(dag, memory + 1, result)
    minimum = compulsory_words(dag)
    assert result.io > minimum + (bound.io - minimum) / 4 > minimum


def test_no_search_is_repeated_with_more_memory(monkeypatch):
    monkeypatch.setattr("proofs.verdict.proven_io", lambda *game: pytest.fail("checked"))
    assert carried(fft(8), 5, searched_bound(fft(8), 4, rules=ONE_SHOT, io=31)) is None
