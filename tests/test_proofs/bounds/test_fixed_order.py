"""Bounds on an order against exhaustive search, and their checker against changed certificates."""

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft, matmul, random_layered
from pebble import ONE_SHOT, RULES, min_memory
from proofs import Bound, Certificate, CertificateError, check
from proofs.bounds.fixed_order import OrderBound, check_order, fixed_order
from proofs.certificates import CHECKERS
from proofs.certificates.fixed_order import KIND
from schedulers import EVICTIONS, ORDERS, accesses
from schedulers.exact.fixed_order import Prices, optimal_eviction
from tests.naive import rows
from tests.oracles import optimum
from tests.strategies import SEEDS, dags, memories, numbers, some_of
from tests.test_proofs.certificates.test_certificates import changed, changes

SLIDING = RULES["one-shot-sliding"]


@st.composite
def orders(draw, dag):
    """Draw a topological order of the computed vertices."""
    preds, waiting, order = rows(dag), set(dag.computed.tolist()), []
    random = Random(draw(SEEDS))
    while waiting:
        ready = sorted(v for v in waiting if not waiting & set(preds[v]))
        order.append(random.choice(ready))
        waiting.remove(order[-1])
    return order


@st.composite
def any_prices(draw, dag, order, rules):
    """Draw prices that nobody has chosen well."""
    pairs = []
    if rules.sliding:
        before = rows(dag)
        pairs = [(t, u) for t, v in enumerate(order) for u in before[v]]
        pairs = some_of(draw, pairs, minimum=0)

    def chosen(count):
        return np.array(numbers(draw, count, 0, 4), np.int64)

    return Prices(
        draw(st.integers(1, 4)),
        chosen(len(order)),
        chosen(len(order)),
        np.array([t for t, _ in pairs], np.int64),
        np.array([u for _, u in pairs], np.int64),
        chosen(len(pairs)),
    )


@given(st.data(), st.sampled_from([ONE_SHOT, SLIDING]))
@settings(max_examples=400)
def test_whatever_the_prices_no_play_in_the_order_is_better(data, rules):
    dag = data.draw(dags(max_vertices=8))
    order = data.draw(orders(dag))
    memory = data.draw(memories(dag, rules))
    prices = data.draw(any_prices(dag, order, rules))
    bound = fixed_order(dag, order, memory, prices=prices, rules=rules)
    check_order(dag, memory, bound)
    assert bound.io <= optimum(dag, memory, rules, order)


@pytest.mark.parametrize("rules", [ONE_SHOT, SLIDING], ids=lambda rules: rules.name)
@pytest.mark.parametrize("dag", [fft(32), matmul(4), random_layered(80, seed=2)])
def test_the_best_prices_prove_what_the_order_costs(dag, rules):
    """Values of one size: here the relaxation is whole, and the prices prove all of it."""
    for order in (ORDERS["depth-first"](dag), ORDERS["least-live"](dag)):
        for memory in (min_memory(dag, rules=rules), min_memory(dag) + 4):
            result = optimal_eviction(dag, order, memory, rules=rules)
            bound = fixed_order(dag, order, memory, prices=result.prices, rules=rules)
            check_order(dag, memory, bound)
            assert bound.io == result.order_bound == result.io


def test_sizes_leave_little_open():
    dag = random_layered(60, max_words=5, seed=4)
    order = ORDERS["depth-first"](dag)
    memory = min_memory(dag) + 3
    result = optimal_eviction(dag, order, memory)
    bound = fixed_order(dag, order, memory, prices=result.prices)
    assert 0.9 * result.io <= bound.io <= result.io == result.order_bound
    minimum = min(policy(accesses(dag, order), memory).io for policy in EVICTIONS.values())
    assert result.io <= minimum


@pytest.fixture(params=["one-shot", "one-shot-sliding"])
def proved(request):
    """A DAG and a bound on an order of it; with sliding, one that prices slides."""
    rules = RULES[request.param]
    dag = fft(8)
    order = dag.computed
    result = optimal_eviction(dag, order, 3, rules=rules)
    return dag, fixed_order(dag, order, 3, prices=result.prices, rules=rules)


def test_every_change_is_rejected_or_proves_the_same(proved):
    dag, bound = proved
    plain = json.loads(json.dumps(dict(bound.certificate.data)))
    for place, value in changes(plain):
        data = changed(plain, place, value)
        second = replace(bound, certificate=Certificate("fixed-order", data))
        try:
            check_order(dag, 3, second)
        except CertificateError:
            continue
        order = data["order"]
        assert bound.io <= optimal_eviction(dag, order, 3, rules=bound.rules).io


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("order", [1, 2], "no permutation"),
        ("before", [-1] * 24, "not all from 0"),
        ("after", [0], "has 1 entries"),
        ("after", [0.5] * 24, "integers"),
        ("denominator", 0, "less than 1"),
        ("slide_step", [0], "entries|prices"),
    ],
)
def test_what_is_no_certificate(field, value, message):
    dag = fft(8)
    bound = fixed_order(dag, dag.computed, 4)
    data = {**bound.certificate.data, field: value}
    with pytest.raises(CertificateError, match=message):
        check_order(dag, 4, replace(bound, certificate=Certificate("fixed-order", data)))


def test_an_order_has_operands_first():
    dag = fft(8)
    with pytest.raises(CertificateError, match="before one of its operands"):
        fixed_order(dag, dag.computed[::-1], 4)


def test_a_right_to_slide_needs_the_rules():
    dag, order = fft(8), fft(8).computed
    data = dict(fixed_order(dag, order, 4).certificate.data)
    data |= {"slide_step": [0], "slide_operand": [0], "slide": [1]}
    bound = OrderBound(4, 16, ONE_SHOT, Certificate("fixed-order", data))
    with pytest.raises(CertificateError, match="do not give"):
        check_order(dag, 4, bound)
    data |= {"slide_operand": [5]}
    with pytest.raises(CertificateError, match="no operand"):
        check_order(dag, 4, replace(bound, rules=SLIDING, certificate=Certificate(KIND, data)))


def test_it_is_no_bound_for_the_dag(proved):
    dag, bound = proved
    assert not isinstance(bound, Bound)
    assert KIND not in CHECKERS
    with pytest.raises(CertificateError, match="kind"):
        check(dag, 3, Bound("fixed-order", 3, bound.io, bound.rules, bound.certificate))


def test_a_larger_memory_needs_another_bound(proved):
    dag, bound = proved
    with pytest.raises(CertificateError, match="is for 3 words, not 4"):
        check_order(dag, 4, bound)
    with pytest.raises(CertificateError, match="certificate proves"):
        check_order(dag, 3, replace(bound, io=bound.io + 1))


def test_nothing_to_compute():
    dag = CDAG([0, 0], [])
    assert fixed_order(dag, [], 1).io == 0
