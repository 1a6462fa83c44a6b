"""Attention: pairs of queries and keys, counted in plain Python; never above a play."""

from math import ceil, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import attention as generate
from dags import fft
from pebble import ONE_SHOT, RULES, min_memory, play
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    attention,
    check,
    compulsory,
)
from proofs.lemmas.loops.projections import pair_words
from schedulers import structured
from tests.oracles import optimum
from tests.registries import QUICK_SCHEDULERS


@given(
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1),
    st.integers(1, 4),
    st.data(),
)
def test_a_window_touches_no_less(pairs, width, data):
    """Whatever pairs are inside: their rows, and a word for each of the others."""
    inside = data.draw(st.sets(st.sampled_from(sorted(pairs))))
    rows = len({i for i, _ in inside}) + len({j for _, j in inside})
    outside = len(pairs) - len(inside)
    assert pair_words("segments", width, len(pairs)) <= 2 * width * rows + outside
    assert pair_words("dominators", width, len(pairs)) <= width * rows + outside


@given(st.integers(1, 10**6), st.integers(1, 50))
def test_least_words(pairs, width):
    real = min(pairs, 4 * width * sqrt(pairs))
    assert ceil(real - 1e-6) <= pair_words("segments", width, pairs) <= ceil(real + 1e-6)


@pytest.mark.parametrize(("tokens", "width"), [(1, 1), (1, 2)])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_never_above_the_optimum(tokens, width, rules):
    dag = generate(tokens, width)
    memory = min_memory(dag, rules=rules)
    assert attention(dag, memory, rules=rules).io <= optimum(dag, memory, rules)


@pytest.mark.parametrize(("tokens", "width"), [(9, 1), (14, 1), (8, 2), (5, 5)])
def test_no_schedule_is_better(tokens, width):
    dag = generate(tokens, width)
    for memory in (4, 6, 11, 24):
        best = min(play(dag, plan(dag, memory), memory).io for plan in QUICK_SCHEDULERS.values())
        for rules in RULES.values():
            bound = attention(dag, memory, rules=rules)
            check(dag, memory, bound)
            assert compulsory(dag, memory).io <= bound.io <= best


def test_the_leading_terms():
    """4 N^2 d^2 / M once, N^2 d^2 / M with recomputation, both less a few windows."""
    dag, memory = generate(400, 1), 41
    once = attention(dag, memory).io
    repeated = attention(dag, memory, rules=RULES["recompute"]).io
    assert 0.95 < once / (4 * 400**2 / 40) < 1.1
    assert 0.95 < (repeated - 2 * 400) / (400**2 / 40) < 1.1
    assert once <= play(dag, structured(dag, memory), memory).io


def test_not_applicable():
    with pytest.raises(NotApplicableError, match="is not attention"):
        attention(fft(8), 4)


def test_forged_certificates():
    dag = generate(14, 1)
    bound = attention(dag, 6)
    data = dict(bound.certificate.data)
    assert bound.certificate.kind == "attention"
    wrong = {
        "argument": ["dominators", "x", 1],
        "tokens": [13, 0, "14"],
        "width": [2, 0, None],
        "windows": [
            [],
            [[1, 1]],
            [[196, 0]],
            [[-1, -196]],
            [[2.0, 98]],
            [[1, 1, 1]],
            "x",
            [[196, 1]],
        ],
    }
    for field, values in wrong.items():
        for value in values:
            certificate = Certificate("attention", {**data, field: value})
            with pytest.raises(CertificateError):
                check(dag, 6, Bound("attention", 6, bound.io, ONE_SHOT, certificate))
    with pytest.raises(CertificateError, match="do not hold under recompute"):
        check(dag, 6, Bound("attention", 6, bound.io, RULES["recompute"], bound.certificate))
    with pytest.raises(CertificateError, match="not those of this DAG"):
        check(fft(16), 6, bound)
