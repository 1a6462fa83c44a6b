import pytest
from hypothesis import given, settings

from dags import fft, from_edges
from pebble import RULES, play
from proofs import Bound, Certificate, compulsory
from tests.registries import QUICK_SCHEDULERS
from tests.strategies import dags

BY_HAND = {
    "two inputs, one output": (from_edges(3, [(0, 2), (1, 2)]), 3),
    "sizes": (from_edges(3, [(0, 2), (1, 2)], words=[2, 3, 7]), 12),
    "an input that nobody reads": (from_edges(4, [(0, 2), (1, 2)], words=[2, 3, 7, 100]), 12),
    "an output with a successor": (from_edges(3, [(0, 1), (1, 2)], outputs=[1]), 3),
    "the same, with sizes": (from_edges(3, [(0, 1), (1, 2)], words=[4, 5, 6], outputs=[1]), 15),
    "an input that two read": (from_edges(3, [(0, 1), (0, 2)], words=[10, 1, 1]), 12),
    "a value in between": (from_edges(3, [(0, 1), (1, 2)], words=[1, 100, 1]), 2),
    "no computation": (from_edges(3, []), 0),
}


@pytest.mark.parametrize(("dag", "io"), BY_HAND.values(), ids=BY_HAND)
def test_by_hand(dag, io):
    assert compulsory(dag, 1).io == io


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_bound_says_what_it_holds_for(rules):
    assert compulsory(fft(8), 5, rules=rules) == Bound(
        "compulsory", 5, 16, rules, Certificate("compulsory", {})
    )


@given(dags(max_vertices=10))
@settings(max_examples=150)
def test_with_room_for_everything_the_bound_is_met(dag):
    memory = int(dag.sizes.sum())
    io = compulsory(dag, memory).io
    for scheduler in QUICK_SCHEDULERS.values():
        assert play(dag, scheduler(dag, memory), memory).io == io
