"""Twins as one step: which they are, bounds against optima, forged certificates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, bitonic_sort, from_edges, odd_even_merge_sort
from pebble import ONE_SHOT, RULES, min_memory
from proofs import Bound, Certificate, CertificateError, check, reuse
from proofs.bounds.windows import short_windows
from proofs.certificates import proven_io
from proofs.certificates.windows.reuse import Sharing
from proofs.certificates.windows.reuse.sharing import twins_of
from tests.oracles import optimum

DENOMINATOR = 60


@st.composite
def networks(draw: st.DrawFn, most: int = 4) -> CDAG:
    """Comparators on some of the values there are, and steps of one or two operands between."""
    loose = list(range(draw(st.integers(2, 4))))
    n, edges = len(loose), []
    for twins in draw(
        st.lists(st.sampled_from((True, True, True, False)), min_size=2, max_size=most)
    ):
        chosen = draw(st.permutations(loose))[: 2 if twins else draw(st.integers(1, 2))]
        built = [n, n + 1] if twins else [n]
        edges += [(u, v) for v in built for u in chosen]
        if twins or draw(st.booleans()):
            loose = [u for u in loose if u not in chosen]
        loose, n = loose + built, n + len(built)
    return from_edges(n, edges)


@given(st.data())
@settings(max_examples=80)
def test_any_charges_that_are_accepted_prove_what_is_true(data):
    dag = data.draw(networks())
    memory = min_memory(dag) + data.draw(st.integers(0, 2))
    steps = Sharing(dag, memory, ONE_SHOT, twins=True).size
    length = data.draw(st.integers(2, 5))
    worth = data.draw(st.sampled_from((1.0, 1.6, 2.0, 3.0)))
    limit = data.draw(st.integers(0, DENOMINATOR))
    fields = {
        "length": length,
        "denominator": DENOMINATOR,
        "price": min(round(worth * DENOMINATOR / length), DENOMINATOR),
        "charges": data.draw(st.lists(st.integers(0, limit), min_size=steps, max_size=steps)),
        "twins": 1,
    }
    try:
        words = proven_io(dag, memory, ONE_SHOT, Certificate("reuse", fields))
    except CertificateError:
        return
    assert words <= optimum(dag, memory, ONE_SHOT)


@given(networks(), st.integers(0, 1))
@settings(max_examples=15)
def test_what_is_found_never_exceeds_the_optimum(dag, more):
    memory = min_memory(dag) + more
    bound = reuse(dag, memory, time_limit=0.1)
    check(dag, memory, bound)
    assert bound.io <= optimum(dag, memory, ONE_SHOT)


def test_which_vertices_are_twins():
    assert twins_of(bitonic_sort(4), ONE_SHOT) == [
        (4, 5),
        (6, 7),
        (8, 9),
        (10, 11),
        (12, 13),
        (14, 15),
    ]
    pair = [(0, 2), (1, 2), (0, 3), (1, 3)]
    assert twins_of(from_edges(4, pair), ONE_SHOT) == [(2, 3)]
    assert twins_of(from_edges(4, pair), RULES["one-shot-sliding"]) == []
    assert twins_of(from_edges(5, [*pair, (0, 4)]), ONE_SHOT) == []  # 0 is read by another one
    assert twins_of(from_edges(5, [*pair, (0, 4), (1, 4)]), ONE_SHOT) == []  # three of a kind
    assert twins_of(from_edges(4, pair, words=[1, 1, 1, 2]), ONE_SHOT) == []


def test_comparators_are_steps_of_sorting_networks(monkeypatch):
    monkeypatch.setattr(short_windows, "LAST", 4)
    dag = odd_even_merge_sort(16)
    bound = reuse(dag, 4, time_limit=60)
    check(dag, 4, bound)
    data = bound.certificate.data
    assert len(data["charges"]) == 63
    assert bound.io > 3 * 16
    charges = np.array(data["charges"])
    for change in (
        {"twins": 0},
        {"twins": -1},
        {"twins": "1"},
        {"price": data["denominator"] + 1},
        {"charges": np.repeat(charges, 2)},
        {"charges": charges * 0},
    ):
        forged = Certificate("reuse", {**data, **change})
        with pytest.raises(CertificateError):
            check(dag, 4, Bound("reuse", 4, bound.io, ONE_SHOT, forged))
