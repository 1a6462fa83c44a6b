"""Limits of searches, and games that they refuse."""

import functools

import pytest

from dags import CDAG, fft, pyramid
from pebble import ONE_SHOT, RULES, Budget
from pebble.small import MOST_LEVELS, TooLargeError, search_of, small_game, whole_dag


@pytest.fixture(params=[(8, ONE_SHOT), (6, RULES["recompute"])], ids=str)
def search(request):
    height, rules = request.param
    return search_of(small_game(whole_dag(pyramid(height)), 4, rules))


def test_a_search_that_is_stopped_proves_what_it_has_seen(search):
    minimum = search.below(MOST_LEVELS)
    assert minimum.found
    nothing = search.below(MOST_LEVELS, budget=Budget(stop=lambda: True))
    assert (nothing.excess, nothing.found, nothing.exhausted) == (0, False, False)
    sample = search.below(MOST_LEVELS, max_states=500)
    assert sample.states <= 500
    assert 0 < sample.excess < minimum.excess
    assert not sample.found
    assert search.below(sample.excess).exhausted
    little = search.below(MOST_LEVELS, budget=Budget(bytes=0))
    assert (little.found, little.exhausted) == (False, False)


def test_ctrl_c_ends_one_search_or_all(search, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(search, "_go_on", interrupted)
    called = []
    assert not search.below(MOST_LEVELS, interrupted=lambda: called.append(1)).found
    assert called == [1]
    with pytest.raises(KeyboardInterrupt):
        search.below(MOST_LEVELS)


@functools.cache
def searched(dag, memory, rules):
    return search_of(small_game(whole_dag(dag), memory, rules)).below(MOST_LEVELS)


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("words", [1, 40, 1000])
def test_larger_units_cost_in_proportion(rules, words):
    """Also where the first state is at a level for which there is no room at first."""
    dag = fft(8)
    heavy = CDAG(dag.pred_indptr, dag.pred_indices, words=[words] * dag.n)
    light = searched(dag, 6, rules)
    search = search_of(small_game(whole_dag(heavy), 6 * words, rules))
    search_result = search.below(MOST_LEVELS)
    assert (search_result.excess, search_result.found) == (light.excess * words, True)
    assert search.below(search_result.excess).exhausted


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("words", [2**25, 2**31, 2**40])
def test_values_of_many_words(rules, words):
    """What costs more than can be counted is bounded by what can."""
    dag = pyramid(3)
    heavy = CDAG(dag.pred_indptr, dag.pred_indices, words=[words] * dag.n)
    light = searched(dag, 3, rules)
    search_result = search_of(small_game(whole_dag(heavy), 3 * words, rules)).below(MOST_LEVELS)
    assert search_result.excess == min(light.excess * words, MOST_LEVELS)
    assert search_result.found or search_result.exhausted


def test_large_games_are_refused():
    with pytest.raises(TooLargeError, match="64 computed vertices, not 160"):
        small_game(whole_dag(fft(32)), 4, ONE_SHOT)
