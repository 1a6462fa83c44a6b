"""Bounds by games of whole units (M8): below exhaustive optima, checked, and no forged ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import CDAG, fft
from pebble import RULES, Budget, Game, compulsory_words
from proofs import BOUNDS, Bound, CertificateError, check
from proofs.bounds.rounded import live_load, rounded, units
from proofs.certificates import Certificate
from proofs.certificates.maps import rounded_dag, rounded_words
from redblue.answers.planning.ranges import peak_words
from schedulers import ORDERS, accesses
from schedulers.exact import exact
from tests.oracles import optimum
from tests.strategies import dags, memories

ONCE = [RULES["one-shot"], RULES["one-shot-sliding"]]


@given(st.data(), st.sampled_from(ONCE), st.integers(2, 5), st.booleans())
def test_no_rounded_game_proves_more_than_the_optimum(data, rules, unit, in_place):
    dag = data.draw(dags(max_vertices=8, weighted=True, in_place=in_place))
    memory = data.draw(memories(dag, rules))
    small = rounded_dag(dag, unit)
    if small is None:
        return
    second = optimum(small, memory // unit, rules)
    best = optimum(dag, memory, rules)
    assert compulsory_words(dag) <= rounded_words(dag, small, unit, second) <= best


@given(st.data(), st.sampled_from(ONCE))
def test_what_is_found_is_checked_and_below_the_optimum(data, rules):
    dag = data.draw(dags(max_vertices=8, weighted=True))
    memory = data.draw(memories(dag, rules))
    result = BOUNDS["exact-pieces"](dag, memory, rules=rules)
    check(dag, memory, result)
    assert result.io <= optimum(dag, memory, rules)


def sums(count):
    """Tensors of 7 words, of which all pairs are added, and the sums in turn."""
    rows = [[] for _ in range(count)]
    rows += [[u, v] for u in range(count) for v in range(u + 1, count)]
    words = [7] * len(rows)
    return CDAG(
        np.cumsum([0, *map(len, rows)]), [u for row in rows for u in row], words=[*words[:-1], 8]
    )


def test_rounding_memory_down_proves_more_than_fractions_of_tensors():
    dag = sums(5)
    memory = 27  # three tensors and six words that hold none
    assert units(Game.of(dag, memory)) == [7]
    result = BOUNDS["exact-pieces"](dag, memory, time_limit=3)
    check(dag, memory, result)
    small = rounded_dag(dag, 7)
    best = exact(small, 3).io
    assert result.io >= rounded_words(dag, small, 7, best)
    assert optimum(dag, memory, RULES["one-shot"]) >= result.io


def test_units_are_for_sizes_that_leave_memory_over():
    assert units(Game.of(fft(8), 4)) == []
    assert units(Game.of(sums(4), 28)) == []  # whole tensors in whole memory
    assert units(Game.of(sums(4), 10**6)) == []
    assert units(Game.of(sums(4), 27, RULES["recompute"])) == []


@given(dags(weighted=True))
def test_the_live_load_is_the_peak_of_the_given_order(dag):
    if dag.m:
        order = ORDERS["natural"](dag)
        assert live_load(dag, 1) == peak_words(accesses(dag, order))


@pytest.mark.parametrize(
    ("rules", "data", "message"),
    [
        (RULES["one-shot"], {"unit": 0}, "unit"),
        (RULES["one-shot"], {"unit": 9}, "leaves nothing to compute"),
        (RULES["one-shot"], {"unit": 2, "kind": "rounded"}, "no bound of its own"),
        (RULES["recompute"], {"unit": 2}, "computed once"),
        (RULES["one-shot"], {"unit": 2.5}, "unit"),
    ],
)
def test_forged_certificates_are_refused(rules, data, message):
    data = {"kind": "compulsory", "data": {}} | data
    forged = Bound("exact-pieces", 27, 9, rules, Certificate("rounded", data))
    with pytest.raises(CertificateError, match=message):
        check(sums(3), 27, forged)


def test_one_word_more_than_is_proved_is_refused():
    dag = sums(5)
    result = BOUNDS["exact-pieces"](dag, 27, time_limit=3)
    with pytest.raises(CertificateError):
        check(dag, 27, Bound(result.method, 27, result.io + 1, result.rules, result.certificate))


def test_a_finder_keeps_its_own_bound_where_that_is_more():
    calls = []

    def find(game, budget):
        calls.append(game.memory)
        return BOUNDS["compulsory"](game.dag, game.memory)

    assert rounded(find)(Game.of(sums(5), 27), Budget(1.0)).certificate.kind == "compulsory"
    assert calls == [27, 3]
