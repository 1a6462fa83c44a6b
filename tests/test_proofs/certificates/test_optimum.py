"""Certificates of optima: a bound and a play that meets it; nothing in the file is trusted."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, pyramid
from pebble import ONE_SHOT, RULES
from proofs import Bound, CertificateError, check, is_optimum, searched_bound, with_play
from proofs.certificates import Certificate
from schedulers.exact import exact
from tests.oracles import optimum
from tests.strategies import dags, memories


def proved(dag, memory, rules):
    """The optimum with its certificate."""
    result = exact(dag, memory, rules=rules)
    bound = searched_bound(dag, memory, rules=rules, io=result.lower_bound)
    return with_play(bound, result.schedule)


@given(st.data())
@settings(max_examples=60)
def test_what_exact_search_proves_can_be_checked(data):
    dag = data.draw(dags(max_vertices=8))
    rules = data.draw(st.sampled_from(list(RULES.values())))
    memory = data.draw(memories(dag, rules))
    bound = proved(dag, memory, rules)
    check(dag, memory, bound)
    assert is_optimum(bound)
    assert bound.io == optimum(dag, memory, rules)
    extra = searched_bound(dag, memory, rules=rules, io=bound.io + 1)
    with pytest.raises(CertificateError):
        check(dag, memory, extra)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_an_interrupted_search_is_a_bound_that_can_be_checked(rules):
    dag = pyramid(8)
    result = exact(dag, 4, rules=rules, max_memory=0)
    assert result.status == "feasible"
    bound = searched_bound(dag, 4, rules=rules, io=result.lower_bound)
    assert not is_optimum(bound)
    check(dag, 4, bound)


def changed(bound, **fields):
    return replace(bound, certificate=Certificate("optimum", {**bound.certificate.data, **fields}))


def test_what_is_no_optimum_is_refused():
    dag = fft(4)
    bound = proved(dag, 3, ONE_SHOT)
    worse = exact(dag, 3).schedule
    check(dag, 3, bound)
    op, vertex = bound.certificate.data["op"], bound.certificate.data["vertex"]
    inner = bound.certificate.data
    cases = {
        "illegal": {"op": op[1:], "vertex": vertex[1:]},
        "illegal: 1 moves": {"op": op[:1]},
        "is the code of no move": {"op": np.full_like(op, 7)},
        "must be in": {"vertex": np.full_like(vertex, 2**40)},
        "no list of integers": {"op": ["LOAD"]},
        "not one of": {"kind": "none"},
        "no bound of its own": {"kind": "optimum", "data": dict(inner)},
        "is no object": {"data": 3},
        "does not belong": {"more": 1},
    }
    for message, fields in cases.items():
        with pytest.raises(CertificateError, match=message):
            check(dag, 3, changed(bound, **fields))
    low = searched_bound(dag, 3, rules=ONE_SHOT, io=12)
    with pytest.raises(CertificateError, match="moves 14 words, but 12 are proved"):
        check(dag, 3, with_play(low, worse))
    with pytest.raises(CertificateError, match="is missing"):
        check(dag, 3, Bound("exact", 3, 14, ONE_SHOT, Certificate("optimum", {})))
