"""Bounds on problems, against counting one by one and against algorithms."""

from math import factorial, log2

import pytest

from dags import load
from pebble import min_memory, play
from proofs.laws import problems
from proofs.laws.problems import comparison_sort_words
from schedulers import structured


def one_by_one(keys, memory):
    loads, orders = 0, 1
    while orders < factorial(keys) or loads < keys:
        loads += 1
        orders *= min(loads, memory)
    return keys + loads


SIZES = [(keys, memory) for keys in (1, 2, 3, 17, 100, 333) for memory in (2, 3, 30, 98, 500)]


@pytest.mark.parametrize(("keys", "memory"), SIZES)
def test_factorials_multiplied_out_and_by_logarithms(keys, memory, monkeypatch):
    exact = one_by_one(keys, memory)
    assert comparison_sort_words(keys, memory) == exact
    monkeypatch.setattr(problems, "EXACT", 0)
    assert exact - 1 <= comparison_sort_words(keys, memory) <= exact


def test_the_leading_term():
    for depth in (100, 800):
        words = comparison_sort_words(2**depth, 2**20)
        assert 0.9 < words / 2**depth / (depth / 20 + 1) < 1.0
    assert comparison_sort_words(10**40, 2) < 10**40 * log2(10**40)


@pytest.mark.parametrize("spec", ["bitonic_sort:n=64", "odd_even_merge_sort:n=64"])
def test_networks_sort_all_inputs(spec):
    dag = load(spec)
    for memory in (min_memory(dag), 8, 20, 100):
        moved = play(dag, structured.blocks(dag, memory), memory).io
        assert comparison_sort_words(64, memory) <= moved


@pytest.mark.parametrize(("keys", "memory"), [(0, 5), (5, 1)])
def test_what_is_no_sorting(keys, memory):
    with pytest.raises(ValueError, match=f"sorting {keys} keys with {memory} words"):
        comparison_sort_words(keys, memory)
