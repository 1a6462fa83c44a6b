"""The game of several processors: what the rules say, and that the engine agrees."""

import numpy as np
import pytest

import dags
from pebble import (
    ONE_SHOT,
    Action,
    Costs,
    IllegalMoveError,
    InvalidScheduleError,
    Links,
    Machine,
    Move,
    Rules,
    Schedule,
    Violation,
    by_one_processor,
    judge,
    judge_on,
    parse_links,
    play,
    play_on,
)
from schedulers import structured
from tests.campaigns import processors

LOAD, STORE, COMPUTE, DELETE, RECEIVE = Move
SUM = dags.from_edges(4, [(0, 2), (1, 2), (2, 3)])  # 2 = f(0, 1), 3 = g(2)
LINE = Machine.parallel(2, 3, Links((2,)))
TOGETHER = [
    Action(LOAD, 0, 0, 0),
    Action(LOAD, 1, 0, 0),
    Action(COMPUTE, 2, 0, 1),
    Action(RECEIVE, 2, 1, 2, 0),
    Action(COMPUTE, 3, 1, 3),
    Action(STORE, 3, 1, 4),
]


def both(dag, schedule, machine, rules=ONE_SHOT):
    """What both judges say, which is the same."""
    count = judge_on(dag, schedule, machine, rules=rules)
    assert play_on(dag, schedule, machine, rules=rules) == count
    return count


def test_counts_are_by_processor_link_and_step():
    count = both(SUM, Schedule.from_actions(TOGETHER), LINE)
    first, second = count.each
    assert (first.loads, first.sent, first.computes, first.peak) == (2, 1, 1, 3)
    assert (second.received, second.stores, second.computes, second.peak) == (1, 1, 1, 2)
    assert count.links == {(0, 1): 1}
    assert count.steps.most.tolist() == [2, 1, 1, 1, 1]
    assert count.cost() == 6
    assert count.cost(Costs(g=3, link=2, latency=10, compute=0)) == 6 + 2 + 3 + 30
    assert (count.io, count.messages, count.busiest) == (3, 1, 3)


def test_steps_are_side_by_side():
    moves = [Action(LOAD, v, v, 0) for v in (0, 1)]
    moves += [Action(COMPUTE, v + 2, v, 1) for v in (0, 1)]
    moves += [Action(STORE, v + 2, v, 2) for v in (0, 1)]
    separate = dags.from_edges(4, [(0, 2), (1, 3)])
    assert (
        both(separate, Schedule.from_actions(moves), Machine.parallel(2, 2)).cost(Costs(g=4)) == 9
    )


@pytest.mark.parametrize(
    ("place", "made", "rule"),
    [
        (1, Action(LOAD, 1, 2, 0), Violation.NO_SUCH_PROCESSOR),
        (1, Action(LOAD, 9, 0, 0), Violation.NO_SUCH_VERTEX),
        (2, Action(COMPUTE, 2, 0, 0), Violation.MIXED_STEP),
        (2, Action(COMPUTE, 2, 1, 1), Violation.MISSING_PREDECESSOR),
        (3, Action(COMPUTE, 2, 1, 2), Violation.ALREADY_COMPUTED),
        (3, Action(RECEIVE, 2, 1, 2, 1), Violation.NO_LINK),
        (3, Action(RECEIVE, 3, 1, 2, 0), Violation.NOT_AT_NEIGHBOUR),
        (3, Action(RECEIVE, 2, 0, 2, 1), Violation.ALREADY_RED),
        (3, Action(LOAD, 2, 1, 2), Violation.NOT_BLUE),
        (5, Action(STORE, 0, 0, 4), Violation.ALREADY_BLUE),
        (5, Action(DELETE, 3, 0, 4), Violation.NOT_RED),
        (5, Action(DELETE, 3, 1, 4), Violation.OUTPUT_NOT_STORED),
    ],
)
def test_what_is_illegal(place, made, rule):
    schedule = Schedule.from_actions([*TOGETHER[:place], made])
    for judged in (judge_on, play_on):
        with pytest.raises(IllegalMoveError) as caught:
            judged(SUM, schedule, LINE)
        assert caught.value.rule is rule
        at_end = rule is Violation.OUTPUT_NOT_STORED
        assert caught.value.processor == (-1 if at_end else made.at)


def test_nothing_is_passed_on_in_the_step_in_which_it_arrives():
    machine = Machine.parallel(3, 3, Links((3,)))
    moves = [*TOGETHER[:3], Action(RECEIVE, 2, 1, 2, 0), Action(RECEIVE, 2, 2, 2, 1)]
    for judged in (judge_on, play_on):
        with pytest.raises(IllegalMoveError, match=r"processor 2, step 4.*this very step"):
            judged(SUM, Schedule.from_actions(moves), machine)
    moves[-1] = moves[-1]._replace(step=3)
    moves += [Action(COMPUTE, 3, 2, 4), Action(STORE, 3, 2, 5)]
    assert both(SUM, Schedule.from_actions(moves), machine).messages == 2


def test_ports_and_slow_memories_apart():
    ends = Machine.parallel(2, 3, Links((2,)), ports=(0,))
    with pytest.raises(IllegalMoveError, match="does not reach slow memory"):
        judge_on(SUM, Schedule.from_actions(TOGETHER), ends)
    separate = Machine.parallel(2, 3, Links((2,)), "own")
    with pytest.raises(InvalidScheduleError, match="a home is needed"):
        play_on(SUM, Schedule.from_actions(TOGETHER), separate)
    assert both(SUM, Schedule.from_actions(TOGETHER, [0] * 4), separate).io == 3
    with pytest.raises(IllegalMoveError, match="not in slow memory"):
        judge_on(SUM, Schedule.from_actions(TOGETHER, [1] * 4), separate)


@pytest.mark.parametrize("rules", [Rules(), Rules(sliding=True)], ids=lambda rules: rules.name)
def test_one_processor_plays_the_sequential_game(rules):
    dag, memory = dags.load("matmul:n=3"), 6
    schedule = structured(dag, memory, rules=rules)
    count, single = both(dag, by_one_processor(schedule), Machine.parallel(1, memory), rules), None
    single = judge(dag, schedule, memory, rules=rules)
    assert single == play(dag, schedule, memory, rules=rules)
    (only,) = count.each
    assert (only.loads, only.stores, only.peak) == (single.loads, single.stores, single.peak)
    assert count.cost(Costs(g=5)) == 5 * single.io + single.computes


def test_schedules_are_kept_in_files(tmp_path):
    schedule = Schedule.from_actions(TOGETHER, [0] * 4)
    schedule.save(tmp_path / "moves.npz")
    assert Schedule.load(tmp_path / "moves.npz") == schedule
    columns = np.load(tmp_path / "moves.npz").files
    assert columns == ["op", "vertex", "step", "source", "home", "processor"]
    with pytest.raises(InvalidScheduleError, match=r"kept as \.npz"):
        schedule.save(tmp_path / "moves.jsonl")
    np.savez(tmp_path / "other.npz", op=np.zeros(1, np.uint8))
    with pytest.raises(InvalidScheduleError, match="no array vertex"):
        Schedule.load(tmp_path / "other.npz")


def test_schedules_are_columns_in_steps():
    with pytest.raises(InvalidScheduleError, match="1 moves for 2 steps"):
        Schedule([0], [0], step=[0, 1])
    with pytest.raises(InvalidScheduleError, match="never fall"):
        Schedule([0, 0], [0, 1], step=[1, 0])
    with pytest.raises(InvalidScheduleError, match="needs a source"):
        Schedule([4], [0], step=[0])


def test_links_have_names_and_neighbours():
    assert parse_links("line:4").neighbours == ((1,), (0, 2), (1, 3), (2,))
    assert parse_links("ring:4").neighbours[0] == (1, 3)
    assert parse_links("torus:2x2").neighbours == ((1, 2), (0, 3), (0, 3), (1, 2))
    assert parse_links("mesh:3x3").border == (0, 1, 2, 3, 5, 6, 7, 8)
    assert [parse_links(name).name for name in ("ring:3", "mesh:2x3")] == ["ring:3", "mesh:2x3"]
    for text in ("ring", "ring:0", "line:2x2", "star:4", "mesh:999x999"):
        with pytest.raises(dags.InvalidSpecError):
            parse_links(text)
    with pytest.raises(dags.InvalidSpecError, match="has 4 processors, not 3"):
        Machine.parallel(3, 8, parse_links("ring:4"))


def test_referee_engine_and_search_agree_on_random_games():
    outcomes = processors.run(cases=120, seed=20)
    assert not outcomes.failures, outcomes.table()
    assert outcomes.counts["plays", "legal"] > 10
    assert outcomes.counts["plays", "illegal"] > 20
