"""What engines count where 64 bits do not hold it, and memories that nobody can use."""

import random

import pytest

from dags import CDAG, InvalidDAGError, InvalidSpecError, fft
from pebble import (
    MOST_WORDS,
    PARTIAL,
    RULES,
    Action,
    Costs,
    InvalidScheduleError,
    Links,
    Machine,
    Move,
    Schedule,
    all_words,
    judge,
    judge_on,
    play,
    play_on,
    require_memory,
    trace,
    useful_memory,
)
from tests.campaigns.games import drawn
from tests.campaigns.schedules import mutated

FULL = "more than 4611686018427387904 words"
LARGE = 2**58


def loaded(times, size=LARGE, *, work=None):
    """A DAG of an input and an output, and a play that loads the input so many times."""
    dag = CDAG([0, 0, 1], [0], words=[size, 1], work=work)
    repeated = [(Move.DELETE, 0), (Move.LOAD, 0)] * (times - 1)
    moves = [(Move.LOAD, 0), *repeated, (Move.COMPUTE, 1), (Move.STORE, 1)]
    return dag, Schedule.from_moves(moves)


@pytest.mark.parametrize("rules", [RULES["one-shot"], PARTIAL])
@pytest.mark.parametrize("times", [16, 64, 65, 128])
def test_a_play_of_too_many_words_is_refused(times, rules):
    dag, schedule = loaded(times)
    assert judge(dag, schedule, 2**59, rules=rules).io == times * LARGE + 1
    for counting in (play, trace):
        with pytest.raises(InvalidScheduleError, match=FULL):
            counting(dag, schedule, 2**59, rules=rules)


@pytest.mark.parametrize("rules", [RULES["one-shot"], PARTIAL])
def test_a_play_that_just_can_be_counted_is(rules):
    dag, schedule = loaded(15)
    assert play(dag, schedule, 2**59, rules=rules) == judge(dag, schedule, 2**59, rules=rules)
    assert trace(dag, schedule, 2**59, rules=rules).io[-1] == 15 * LARGE + 1


def test_blocks_of_moves_count_together():
    dag, schedule = loaded(15)
    ends = len(schedule) - 2
    halves = [
        Schedule(schedule.op[:ends], schedule.vertex[:ends]),
        Schedule(schedule.op[ends:], schedule.vertex[ends:]),
    ]
    assert play(dag, halves, 2**59).io == 15 * LARGE + 1
    repeated = Schedule.from_moves([(Move.DELETE, 0), (Move.LOAD, 0)])
    with pytest.raises(InvalidScheduleError, match=FULL):
        play(dag, [halves[0], repeated, repeated, halves[1]], 2**59)


def test_levels_are_counted_likewise():
    dag, schedule = loaded(64)
    machine = Machine.levels([2**59])
    assert judge_on(dag, schedule, machine).words == (64 * LARGE + 1,)
    with pytest.raises(InvalidScheduleError, match=FULL):
        play_on(dag, schedule, machine)
    dag, schedule = loaded(15)
    for memory in (2**59, 2**62, 2**70):
        machine = Machine.levels([memory])
        assert play_on(dag, schedule, machine) == judge_on(dag, schedule, machine)


def sent(times):
    """A DAG, a machine, and a play that sends its input over a link so many times."""
    dag = CDAG([0, 0, 1], [0], words=[LARGE, 1])
    moves = [Action(Move.LOAD, 0, 0, 0)]
    for step in range(times):
        moves.append(Action(Move.RECEIVE, 0, 1, 2 * step + 1, 0))
        moves.append(Action(Move.DELETE, 0, 1, 2 * step + 2))
    last = 2 * times + 1
    moves += [Action(Move.COMPUTE, 1, 0, last), Action(Move.STORE, 1, 0, last + 1)]
    return dag, Schedule.from_actions(moves)


def test_processors_are_counted_likewise():
    machine = Machine.parallel(2, 2**70, Links((2,)))
    dag, schedule = sent(63)
    assert judge_on(dag, schedule, machine).messages == 63 * LARGE
    with pytest.raises(InvalidScheduleError, match=FULL):
        play_on(dag, schedule, machine)
    dag, schedule = sent(10)
    assert play_on(dag, schedule, machine) == judge_on(dag, schedule, machine)


def test_steps_of_huge_values_cost_what_they_cost():
    dag, schedule = sent(3)
    count = judge_on(dag, schedule, Machine.parallel(2, 2**60, Links((2,))))
    assert count.cost(Costs(g=1000)) == 1000 * (4 * LARGE + 1) + 1


def test_operations_are_added_as_they_are():
    limit = 2**62
    dag, _ = loaded(1, size=3, work=[0, limit])
    repeated = [(Move.COMPUTE, 1), (Move.DELETE, 1)] * 4
    moves = [(Move.LOAD, 0), *repeated, (Move.COMPUTE, 1), (Move.STORE, 1)]
    rules = RULES["recompute"]
    assert play(dag, Schedule.from_moves(moves), 9, rules=rules).work == 5 * limit
    parallel = [Action(Move(move), vertex, 0, step) for step, (move, vertex) in enumerate(moves)]
    count = play_on(dag, Schedule.from_actions(parallel), Machine.parallel(1, 9), rules=rules)
    assert count.each[0].work == 5 * limit


def test_work_beyond_what_can_be_added_is_refused():
    with pytest.raises(InvalidDAGError, match="vertex 1 has work 4611686018427387904: operations"):
        CDAG([0, 0, 1, 2], [0, 1], work=[0, 2**62, 1])
    assert int(CDAG([0, 0, 1, 2], [0, 1], work=[0, 2**61, 2**61]).work.sum()) == 2**62


@pytest.mark.parametrize("case", range(60))
def test_memory_beyond_all_values_is_the_same_game(case):
    rng = random.Random(f"beyond {case}")
    dag = drawn(rng)
    _, schedule, _, rules = mutated(rng, dag, {})
    everything = all_words(dag)

    def message(memory):
        try:
            return judge(dag, schedule, memory, rules=rules)
        except Exception as error:
            return str(error)

    assert message(everything) == message(everything + 1) == message(10**30)
    assert useful_memory(dag, 10**30) == everything
    assert useful_memory(dag, everything - 1) == everything - 1


def test_memory_beyond_64_bits_is_refused_by_what_plays():
    require_memory(fft(8), MOST_WORDS)
    with pytest.raises(InvalidSpecError, match="at most 4611686018427387904 words, not 1000"):
        require_memory(fft(8), 10**30)
