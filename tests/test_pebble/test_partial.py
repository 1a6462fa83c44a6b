"""Partial computation: the engine is the referee, move for move."""

import pytest

from dags import fft, from_edges
from pebble import (
    ONE_SHOT,
    PARTIAL,
    IllegalMoveError,
    InvalidRulesError,
    InvalidScheduleError,
    MemoryTooSmallError,
    Move,
    Rules,
    Schedule,
    Violation,
    judge,
    min_memory,
    play,
    require_memory,
    rules_named,
    trace,
)
from schedulers import scheduler_named
from tests.campaigns.partial import judged
from tests.partial_games import random_schedule, seeded, tight_memory, tiny_dag

LOAD, STORE, COMPUTE, DELETE, _ = Move
# 0, 1 -> 2; 2, 1 -> 3
GAME = from_edges(4, [(0, 2), (1, 2), (1, 3), (2, 3)])
BEGIN = [(LOAD, 0), (COMPUTE, 2, 0), (DELETE, 0)]


def test_referee_and_engine_agree():
    outcomes = [judged(seeded(1, case)) for case in range(150)]
    assert not [outcome for outcome in outcomes if outcome.startswith("failed")]
    assert {"legal", "illegal"} <= set(outcomes)


def test_rules_have_a_name_and_go_alone():
    assert rules_named("partial") == PARTIAL == Rules(partial=True)
    assert PARTIAL.name == "partial"
    for second in ({"recompute": True}, {"sliding": True}):
        with pytest.raises(InvalidRulesError, match="neither with recompute nor with sliding"):
            Rules(partial=True, **second)


def test_two_values_fit_where_a_vertex_and_its_operands_do_not():
    wide = from_edges(5, [(u, 4) for u in range(4)])
    assert min_memory(wide) == 5
    assert min_memory(wide, rules=PARTIAL) == 2
    with pytest.raises(MemoryTooSmallError, match="takes 2"):
        require_memory(wide, 1, rules=PARTIAL)
    sized = from_edges(3, [(0, 2), (1, 2)], words=[3, 1, 2])
    assert min_memory(sized, rules=PARTIAL) == 5


@pytest.mark.parametrize("player", [judge, play])
def test_a_value_is_loaded_stored_and_aggregated_again(player):
    moves = [*BEGIN, (STORE, 2), (DELETE, 2), (LOAD, 1), (LOAD, 2), (COMPUTE, 2, 1)]
    moves += [(COMPUTE, 3, 1), (DELETE, 1), (COMPUTE, 3), (STORE, 3)]
    count = player(GAME, Schedule.from_moves(moves), 3, rules=PARTIAL)
    assert (count.loads, count.stores, count.computes, count.peak) == (3, 2, 2, 3)


@pytest.mark.parametrize("player", [judge, play])
@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        ([(COMPUTE, 2, 0)], Violation.MISSING_PREDECESSOR),
        ([(LOAD, 0), (COMPUTE, 0, 1)], Violation.IS_INPUT),
        ([(LOAD, 0), (COMPUTE, 3, 0)], Violation.NOT_AN_OPERAND),
        ([*BEGIN, (LOAD, 0), (COMPUTE, 2, 0)], Violation.ALREADY_AGGREGATED),
        ([*BEGIN, (LOAD, 1), (COMPUTE, 3, 2)], Violation.ONLY_PARTLY_COMPUTED),
        ([*BEGIN, (STORE, 2), (DELETE, 2), (LOAD, 1), (COMPUTE, 2)], Violation.PARTIAL_VALUE_GONE),
        ([*BEGIN, (STORE, 2), (LOAD, 1), (COMPUTE, 2), (DELETE, 2), (LOAD, 2)], Violation.NOT_BLUE),
        ([*BEGIN, (LOAD, 1), (COMPUTE, 2), (COMPUTE, 2)], Violation.ALREADY_COMPUTED),
        ([*BEGIN, (LOAD, 1), (COMPUTE, 2), (COMPUTE, 3, 1)], Violation.MEMORY_FULL),
        ([*BEGIN, (STORE, 2)], Violation.OUTPUT_NOT_STORED),
        ([(LOAD, 9)], Violation.NO_SUCH_VERTEX),
    ],
)
def test_every_rule_is_told_by_name(player, moves, rule):
    with pytest.raises(IllegalMoveError) as caught:
        player(GAME, Schedule.from_moves(moves), 2, rules=PARTIAL)
    assert caught.value.rule is rule


@pytest.mark.parametrize("player", [judge, play])
def test_other_rules_have_no_single_operands(player):
    schedule = Schedule.from_moves([(LOAD, 0), (COMPUTE, 2, 0)])
    with pytest.raises(IllegalMoveError) as caught:
        player(GAME, schedule, 4, rules=ONE_SHOT)
    assert (caught.value.step, caught.value.rule) == (1, Violation.NO_SUCH_MOVE)


@pytest.mark.parametrize("name", ["natural+lru", "least-live+belady-cost", "structured"])
def test_one_shot_plays_are_plays_of_it(name):
    schedule = scheduler_named(name)(fft(16), 5)
    count = play(fft(16), schedule, 5, rules=PARTIAL)
    assert count == judge(fft(16), schedule, 5, rules=PARTIAL)
    assert count.io == play(fft(16), schedule, 5).io


@pytest.mark.parametrize("suffix", [".npz", ".jsonl"])
def test_operands_are_kept_in_files(tmp_path, suffix):
    rng = seeded(2, 0)
    dag = tiny_dag(rng)
    schedule = random_schedule(rng, dag, tight_memory(rng, dag))
    path = tmp_path / f"play{suffix}"
    schedule.save(path)
    assert Schedule.load(path) == schedule
    assert schedule.operand is not None


def test_names_of_operands_are_kept_in_lines(tmp_path):
    named = from_edges(3, [(0, 2), (1, 2)], labels=["a", "b", "sum"])
    path = tmp_path / "play.jsonl"
    schedule = Schedule.from_moves([(LOAD, 0), (COMPUTE, 2, 0)])
    schedule.save(path, named)
    assert path.read_text().splitlines()[1] == '["COMPUTE", "sum", "a"]'
    assert Schedule.load(path, named) == schedule


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0], [0], [1]), "only a COMPUTE has an operand"),
        (([2], [0], [1, 2]), "1 moves for 2 operands"),
    ],
)
def test_operands_that_are_none(columns, message):
    with pytest.raises(InvalidScheduleError, match=message):
        Schedule(*columns)


def test_traces_give_a_value_its_place_once():
    rng = seeded(3, 1)
    dag = tiny_dag(rng)
    memory = tight_memory(rng, dag)
    schedule = random_schedule(rng, dag, memory)
    count = play(dag, schedule, memory, rules=PARTIAL)
    over_time = trace(dag, schedule, memory, rules=PARTIAL)
    assert over_time.occupancy.max() == count.peak
    assert over_time.io[-1] == count.io
