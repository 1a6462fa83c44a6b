"""What is loaded again in windows of a play, against exact optima, and forged certificates."""

import copy
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft
from pebble import RULES, compulsory_words, min_memory
from proofs import Bound, Certificate, NotApplicableError, check, reload_windows
from proofs.certificates import CertificateError
from schedulers.exact import exact
from tests.strategies import dags

AGAIN = [rules for rules in RULES.values() if rules.recompute]
RECOMPUTE = RULES["recompute"]


@st.composite
def joins(draw):
    """Draw a DAG of several inputs whose vertices read up to three values."""
    inputs = draw(st.integers(3, 6))
    n = draw(st.integers(inputs + 4, 16))
    rows = [[] for _ in range(inputs)]
    for v in range(inputs, n):
        near = st.integers(max(0, v - draw(st.integers(4, 16))), v - 1)
        rows.append(sorted(draw(st.sets(near, min_size=1, max_size=3))))
    words = st.lists(st.integers(1, 3), min_size=n, max_size=n)
    return dag_of(rows, draw(st.none() | words))


def dag_of(rows, words=None):
    indices = np.array([*chain(*rows)], np.int32)
    return CDAG(np.cumsum([0, *map(len, rows)]), indices, words=words)


def sweeps(entries, steps):
    """Sums of all entries, each times the sum before, again and again."""
    rows = [[] for _ in range(entries + 1)]
    total = entries
    for _ in range(steps):
        products = range(len(rows), len(rows) + entries)
        rows += [[u, total] for u in range(entries)]
        total = len(rows)
        rows.append(list(products))
    return dag_of(rows)


@settings(max_examples=60)
@given(st.data())
def test_it_never_exceeds_the_optimum(data):
    dag = data.draw(joins() | dags(max_vertices=9))
    rules = data.draw(st.sampled_from(AGAIN))
    memory = max(1, min_memory(dag, rules=rules)) + data.draw(st.integers(0, 2))
    bound = reload_windows(dag, memory, rules=rules)
    check(dag, memory, bound)
    if bound.io > compulsory_words(dag):
        assert bound.io <= exact(dag, memory, rules=rules).io


@pytest.mark.parametrize("rules", AGAIN)
def test_what_does_not_stay_is_loaded_for_each_sweep(rules):
    dag, memory = sweeps(4, 4), 5 if rules.sliding else 6
    words = reload_windows(dag, memory, rules=rules).io
    assert compulsory_words(dag) + 3 * 3 == words == exact(dag, memory, rules=rules).io


def test_games_of_one_computation_each_are_left_to_others():
    for rules in RULES.values():
        if not rules.recompute:
            with pytest.raises(NotApplicableError, match="once"):
                reload_windows(fft(8), 4, rules=rules)


@pytest.fixture(scope="module")
def proved():
    """A DAG, and a bound with a certificate of several moments."""
    dag = sweeps(4, 4)
    bound = reload_windows(dag, 6, rules=RECOMPUTE)
    assert sum(len(moment["windows"]) for moment in bound.certificate.data["moments"]) > 1
    return dag, bound


def forged(data, change):
    """The data of a certificate, changed."""
    changed = copy.deepcopy(data)
    change(changed, changed["moments"][0], changed["moments"][0]["windows"][0])
    return changed


@pytest.mark.parametrize(
    "change",
    [
        lambda data, moment, window: data.update(denominator=data["denominator"] // 2),
        lambda data, moment, window: data.update(denominator=2**60),
        lambda data, moment, window: data.update(chain=data["chain"][::-1].copy()),
        lambda data, moment, window: data.update(chain=np.arange(300) * 0),
        lambda data, moment, window: data["moments"].append(moment),
        lambda data, moment, window: moment.update(price=0),
        lambda data, moment, window: moment.update(price=-1),
        lambda data, moment, window: moment.update(vertex=0),
        lambda data, moment, window: moment.update(vertex=int(data["chain"][-1])),
        lambda data, moment, window: moment["windows"].append(window),
        lambda data, moment, window: window.update(amounts=2 * window["amounts"]),
        lambda data, moment, window: window.update(edges=window["edges"][:-1]),
        lambda data, moment, window: window.update(end=0),
        lambda data, moment, window: window.update(end=10**6),
        lambda data, moment, window: window.update(stored=np.array([0]), parts=np.array([1])),
        lambda data, moment, window: window.update(stored=np.array([20]), parts=np.array([-1])),
        lambda data, moment, window: window.update(more=1),
        lambda data, moment, window: window["amounts"].__setitem__(0, 2**61),
    ],
)
def test_forged_certificates_prove_less(proved, change):
    dag, bound = proved
    data = forged(bound.certificate.data, change)
    with pytest.raises(CertificateError):
        check(
            dag, 6, Bound(bound.method, 6, bound.io, RECOMPUTE, Certificate("reload-windows", data))
        )


def test_a_larger_memory_proves_less(proved):
    dag, bound = proved
    with pytest.raises(CertificateError):
        check(dag, 7, Bound(bound.method, 7, bound.io, RECOMPUTE, bound.certificate))
