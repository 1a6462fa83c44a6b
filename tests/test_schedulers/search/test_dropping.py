"""Plays that compute values again whenever they are needed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft
from pebble import RULES, UNLIMITED, Budget, compulsory_words, computed_again, judge, min_memory
from schedulers.search.portfolio import best
from schedulers.search.pruning import dropped
from tests.strategies import dags, memories
from tests.training import MIB, training_step

AGAIN = RULES["recompute"]


@settings(max_examples=40)
@given(st.data(), st.sampled_from([0.0, 0.3]))
def test_it_is_a_play(data, price):
    dag = data.draw(dags(max_vertices=14).filter(lambda dag: dag.computed.size))
    memory = data.draw(memories(dag, AGAIN))
    options = {"rules": AGAIN, "price_of_work": price, "budget": UNLIMITED}
    result = dropped(dag, [dag.computed], memory, **options)
    if result is not None:  # in little room values may have to be computed again without an end
        judge(dag, result, memory, rules=AGAIN)


@pytest.mark.parametrize("layers", [24, 60])
def test_a_step_of_training_moves_compulsory_words_alone_in_four_activations(layers):
    dag = training_step(layers)
    best_play = best(dag, 4 * MIB, rules=AGAIN, time_limit=0.0)
    assert (
        judge(dag, best_play.schedule, 4 * MIB, rules=AGAIN).io == compulsory_words(dag) == 2 * MIB
    )


def test_the_more_room_the_less_is_computed_again():
    dag = training_step(24)
    repeated = []
    for memory in (4, 6, 10, 27):
        best_play = best(dag, memory * MIB, rules=AGAIN, time_limit=0.0)
        count = judge(dag, best_play.schedule, memory * MIB, rules=AGAIN)
        assert count.io == compulsory_words(dag)
        repeated.append(computed_again(dag, count).values)
    # With room for c activations besides, what is optimal for a chain of 24 (A. Griewank, 1992)
    # is less than 2, and 1, times its length.
    assert repeated == sorted(repeated, reverse=True)
    assert repeated[1] < 2 * 24
    assert repeated[2] < 24
    assert repeated[-1] == 0


def test_work_has_a_price():
    dag = training_step(24)
    dear = dropped(
        dag, [dag.computed], 5 * MIB, rules=AGAIN, price_of_work=MIB, budget=Budget(60.0)
    )
    free = dropped(dag, [dag.computed], 5 * MIB, rules=AGAIN, budget=Budget(60.0))
    counts = [judge(dag, schedule, 5 * MIB, rules=AGAIN) for schedule in (dear, free)]
    assert counts[0].recomputes < counts[1].recomputes
    assert counts[0].io > counts[1].io


def test_what_it_does_not_take():
    dag = fft(8)
    memory = min_memory(dag)
    sliding = {"rules": RULES["recompute-sliding"], "budget": UNLIMITED}
    assert dropped(dag, [dag.computed], memory, **sliding) is None
