"""Values that may be computed in place: their game, against exhaustive search."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import redblue as rb
from dags import CDAG, InvalidDAGError, load, renumber
from dags.formats import read, save
from dags.formats.registry import FORMATS
from pebble import (
    RULES,
    IllegalMoveError,
    MemoryTooSmallError,
    Schedule,
    judge,
    min_memory,
    play,
    require_memory,
)
from proofs import check
from schedulers import SCHEDULERS
from schedulers.exact import TooLargeError, exact
from tests.oracles import optimum
from tests.registries import bounds_on
from tests.strategies import broken_schedules, dags, legal_schedules, memories

SLIDING = [RULES["one-shot-sliding"], RULES["recompute-sliding"]]
SHORT = {"search": 0.02, "cp-sat": 0.1}
# x -> a -> b -> c: b is computed in the place of a, and c beside b.
CHAIN = CDAG([0, 0, 1, 2, 3], [0, 1, 2], words=[4, 6, 6, 6], in_place=[False, False, True, False])


def verdict(referee, dag, schedule, memory, rules):
    """The cost, or the rule that is broken and where."""
    try:
        return referee(dag, schedule, memory, rules=rules)
    except IllegalMoveError as error:
        return str(error)


def test_only_what_is_marked_takes_the_place_of_an_operand():
    assert [min_memory(CHAIN, rules=RULES[name]) for name in RULES] == [12, 12, 12, 12]
    pair = CDAG([0, 0, 1], [0], words=[6, 6], in_place=[False, True])
    assert min_memory(pair, rules=SLIDING[0]) == 6
    moves = [(0, 0), (2, 1), (3, 0), (1, 1)]
    assert judge(pair, Schedule.from_moves(moves), 6, rules=SLIDING[0]).io == 12
    beside = CDAG([0, 0, 1], [0], words=[6, 6], in_place=[False, False])
    with pytest.raises(IllegalMoveError):
        judge(beside, Schedule.from_moves(moves), 6, rules=SLIDING[0])


def test_only_an_operand_of_its_size_makes_way():
    dag = CDAG([0, 0, 0, 2], [0, 1], words=[9, 6, 6], in_place=[False, False, True])
    onto_larger = [(0, 0), (0, 1), (2, 2), (3, 0), (1, 2)]
    onto_alike = [(0, 0), (0, 1), (2, 2), (3, 1), (1, 2)]
    assert judge(dag, Schedule.from_moves(onto_alike), 15, rules=SLIDING[0]).peak == 15
    for referee in (judge, play):
        with pytest.raises(IllegalMoveError):
            referee(dag, Schedule.from_moves(onto_larger), 15, rules=SLIDING[0])


@given(st.data(), st.sampled_from(SLIDING))
def test_referee_and_engine_agree_on_plays_and_on_broken_ones(data, rules):
    dag = data.draw(dags(in_place=True))
    memory = data.draw(memories(dag, rules))
    good = data.draw(legal_schedules(dag, memory, rules))
    assert judge(dag, good, memory, rules=rules) == play(dag, good, memory, rules=rules)
    bad = data.draw(broken_schedules(dag, memory, rules))
    for tight in (memory, max(memory - 1, 1)):
        texts = [verdict(referee, dag, bad, tight, rules) for referee in (judge, play)]
        assert texts[0] == texts[1]


@given(st.data(), st.sampled_from(SLIDING))
def test_the_least_memory_is_the_least_with_a_legal_play(data, rules):
    dag = data.draw(dags(max_vertices=7, in_place=True))
    smallest = min_memory(dag, rules=rules)
    assert optimum(dag, max(smallest, 1), rules) is not None
    if dag.computed.size and smallest > 1:
        assert optimum(dag, smallest - 1, rules) is None
        with pytest.raises(MemoryTooSmallError):
            require_memory(dag, smallest - 1, rules=rules)


@settings(max_examples=25)
@given(st.data(), st.sampled_from(SLIDING))
def test_no_bound_exceeds_the_optimum_and_no_schedule_is_below_it(data, rules):
    dag = data.draw(dags(max_vertices=8, in_place=True))
    memory = data.draw(memories(dag, rules))
    best = optimum(dag, memory, rules)
    for bound in bounds_on(dag, memory, rules):
        assert bound.io <= best, bound.method
        check(dag, memory, bound)
    for name, player in SCHEDULERS.items():
        limit = {"time_limit": SHORT[name]} if name in SHORT else {}
        try:
            page = player(dag, memory, rules=rules, **limit)
        except MemoryTooSmallError:  # of those whose schedules are placed
            assert name != "search"
            assert memory < min_memory(dag)
            continue
        assert judge(dag, page, memory, rules=rules).io >= best, name


@settings(max_examples=10)
@given(st.data(), st.sampled_from(SLIDING))
def test_solving_keeps_both_sides(data, rules):
    dag = data.draw(dags(max_vertices=8, in_place=True))
    if not dag.m:
        return
    memory = data.draw(memories(dag, rules))
    solution = rb.solve(dag, memory, rules=rules.name, time_limit=0.3)
    assert solution.bound.io <= optimum(dag, memory, rules) <= solution.count.io
    assert judge(dag, solution.schedule, memory, rules=rules) == solution.count


def test_exact_search_says_that_it_knows_no_marks():
    with pytest.raises(TooLargeError, match="1 of 3"):
        exact(CHAIN, 12, rules=SLIDING[0])
    assert exact(CHAIN, 12).status == "optimal"  # where nothing slides, marks say nothing


@pytest.mark.parametrize("suffix", [s for s in FORMATS if "in_place" in FORMATS[s].keeps])
def test_marks_stay_in_files_pickles_and_other_numberings(suffix, tmp_path):
    path = tmp_path / f"net{suffix}"
    save(CHAIN, path)
    assert read(path) == CHAIN
    assert pickle.loads(pickle.dumps(CHAIN)) == CHAIN
    assert load(str(path)).in_place.tolist() == CHAIN.in_place.tolist()
    dag = CDAG([0, 0, 0, 1, 2], [0, 1], words=[1, 2, 1, 2], in_place=[False, False, True, False])
    assert renumber(dag, [1, 0, 3, 2]).in_place.tolist() == [False, False, False, True]
    assert dag != CDAG(dag.pred_indptr, dag.pred_indices, words=dag.words)


@pytest.mark.parametrize(
    ("marks", "match"),
    [
        ([True, False, False, False], "vertex 0 .* none of its 0 operands has its size of 4"),
        ([False, True, False, False], "vertex 1 .* none of its 1 operands has its size of 6"),
        ([True], "in_place has 1"),
        (np.zeros(4), "bool"),
    ],
)
def test_marks_without_sense_are_refused(marks, match):
    with pytest.raises(InvalidDAGError, match=match):
        CDAG(CHAIN.pred_indptr, CHAIN.pred_indices, words=CHAIN.words, in_place=marks)
