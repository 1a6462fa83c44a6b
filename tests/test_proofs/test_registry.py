"""Every bound of the registry against the exhaustive optimum, every schedule, and its checker."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import proofs.bounds.room_for_all
from dags import UnknownNameError, fft, load
from pebble import ONE_SHOT, RULES, min_memory, play
from proofs import BOUNDS, METHODS, bound_named, compulsory
from proofs.core.records import GONE_BOUNDS
from tests.oracles import optimum
from tests.registries import QUICK_SCHEDULERS, SMALL_EXAMPLES, SMALL_PROGRAMS, bounds_on
from tests.strategies import dags

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bounds.md"


@pytest.fixture(scope="module", autouse=True)
def searched_in_any_case():
    """Let methods search where nothing is to be proved, as it is for most DAGs so small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proofs.bounds.room_for_all, "room_for_all", lambda dag: 1 << 40)
        yield


def test_bounds_by_name():
    assert bound_named("compulsory") is compulsory
    assert {bound.method for bound in bounds_on(fft(8), 4, ONE_SHOT)} >= {"compulsory"}
    with pytest.raises(UnknownNameError, match="no bound is called 'nothing'; known: ") as refusal:
        bound_named("nothing")
    assert str(refusal.value).endswith(", ".join([*BOUNDS, "MODULE:FUNCTION"]))


@pytest.mark.parametrize("name", METHODS)
def test_the_table_and_its_page_say_where_a_method_holds(name):
    repeated = RULES["recompute"]
    games = [
        (load(spec), repeated) for spec in (*SMALL_EXAMPLES.values(), *SMALL_PROGRAMS.values())
    ]
    applies = any(
        list(bounds_on(dag, min_memory(dag) + 1, rules, {name: BOUNDS[name]}))
        for dag, rules in games
    )
    assert applies != METHODS[name].once
    row, *_ = re.findall(rf"^\| `{name}` \| ([^|]+) \| \w", PAGE.read_text(), re.MULTILINE)
    assert (row == "one-shot") == METHODS[name].once


@pytest.mark.parametrize("name", GONE_BOUNDS)
def test_a_bound_that_is_gone_says_what_does_as_much(name):
    assert name not in BOUNDS
    with pytest.raises(UnknownNameError, match=f"called '{name}' any more: {GONE_BOUNDS[name]} "):
        bound_named(name)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=500)
def test_bounds_never_exceed_the_optimum_and_no_scheduler_beats_it(data):
    dag = data.draw(dags(max_vertices=7))
    smallest = min_memory(dag)
    memory = data.draw(st.integers(smallest, smallest + 4))
    best = optimum(dag, memory, ONE_SHOT)
    for bound in bounds_on(dag, memory, ONE_SHOT):
        assert bound.io <= best, bound
    for scheduler in QUICK_SCHEDULERS.values():
        assert play(dag, scheduler(dag, memory), memory).io >= best


@pytest.mark.slow
@given(st.data())
@settings(max_examples=150)
def test_bounds_hold_under_all_rules_and_more_freedom_costs_no_more(data):
    dag = data.draw(dags(max_vertices=6))
    smallest = min_memory(dag)
    memory = data.draw(st.integers(smallest, smallest + 3))
    best = {name: optimum(dag, memory, rules) for name, rules in RULES.items()}
    for name, rules in RULES.items():
        for bound in bounds_on(dag, memory, rules):
            assert bound.io <= best[name], bound
    assert best["recompute-sliding"] <= best["recompute"] <= best["one-shot"]
    assert best["recompute-sliding"] <= best["one-shot-sliding"] <= best["one-shot"]
