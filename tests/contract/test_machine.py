"""Machines as graphs of memories: one game in several guises, and a machine with no name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import from_edges
from pebble import (
    PARTIAL,
    RULES,
    Action,
    IllegalMoveError,
    InvalidScheduleError,
    Machine,
    Move,
    Schedule,
    Violation,
    judge,
    judge_on,
    play,
    play_on,
)
from tests.strategies import broken_schedules, dags, legal_schedules, memories

# 0, 1 -> 2 -> 3
SUM = from_edges(4, [(0, 2), (1, 2), (2, 3)])
# two units with 3 words each, 0 and 1, behind a memory of 4 words, 2, before one without end, 3
TREE = Machine((3, 3, 4, None), (2, 2, 3, None), processors=2)
BOTH = (judge_on, play_on)


def verdict(dag, machine, schedule, rules):
    """What was done, or the index, the vertex and the rule of the first illegal move; by both."""
    messages = []
    for player in BOTH:
        try:
            count = player(dag, schedule, machine, rules=rules)
        except IllegalMoveError as error:
            count = error.step, error.vertex, str(error)
        messages.append(count)
    assert messages[0] == messages[1]
    return messages[0]


@given(st.data(), st.sampled_from([*RULES.values(), PARTIAL]))
def test_two_memories_are_a_chain_and_a_processor(data, rules):
    dag = data.draw(dags())
    plain = RULES["one-shot"] if rules.partial else rules
    memory = data.draw(memories(dag, plain))
    drawn = broken_schedules(dag, memory, plain) | legal_schedules(dag, memory, plain)
    schedule = Schedule.from_moves(data.draw(drawn))
    expected = verdict(dag, Machine.fast(memory), schedule, rules)
    single = Machine.parallel(1, memory)
    assert verdict(dag, single, schedule, rules) == expected
    assert verdict(dag, Machine.parallel(1, memory, slow="own"), schedule, rules) == expected
    printed = verdict(dag, Machine.levels([memory]), schedule, rules)
    assert printed == expected or printed[:2] == expected[:2]  # levels have names of their own
    stepped = Schedule(schedule.op, schedule.vertex, step=schedule.steps)
    messages = [_said(judge, dag, schedule, memory, rules)]
    messages += [_said(player, dag, stepped, memory, rules) for player in (judge, play)]
    assert messages[0] == messages[1] == messages[2]


def _said(player, dag, schedule, memory, rules):
    try:
        return player(dag, schedule, memory, rules=rules)
    except IllegalMoveError as error:
        return error.step, error.vertex, error.rule


def on_tree(*moves):
    """The schedule of moves (kind, vertex, at) on a tree of memories."""
    op, vertex, place = zip(*moves, strict=True)
    return Schedule(op, vertex, place=place)


LOAD, STORE, COMPUTE, DELETE, RECEIVE = Move
PAIR = [(LOAD, v, 2) for v in (0, 1)] + [(LOAD, v, 0) for v in (0, 1)]
SHARED = [
    *PAIR,
    (COMPUTE, 2, 0),
    (STORE, 2, 0),
    (LOAD, 2, 1),
    (COMPUTE, 3, 1),
    (STORE, 3, 1),
    (STORE, 3, 2),
]


@pytest.mark.parametrize("player", BOTH)
def test_processors_meet_in_a_memory_that_they_share(player):
    count = player(SUM, on_tree(*SHARED), TREE)
    assert [(memory.loads, memory.stores) for memory in count.each] == [(2, 1), (1, 1), (2, 1)]
    assert [memory.computes for memory in count.each] == [1, 1, 0]
    assert count.peaks == (3, 2, 4)


@pytest.mark.parametrize("player", BOTH)
@pytest.mark.parametrize(
    ("place", "move", "rule"),
    [
        (4, (COMPUTE, 2, 1), Violation.MISSING_PREDECESSOR),
        (4, (COMPUTE, 2, 2), Violation.NO_SUCH_PROCESSOR),
        (2, (LOAD, 2, 0), Violation.NOT_RED),
        (4, (DELETE, 0, 3), Violation.NO_SUCH_PROCESSOR),
        (4, (DELETE, 0, 1), Violation.NOT_RED),
        (4, (LOAD, 0, 0), Violation.ALREADY_RED),
        (7, (COMPUTE, 2, 1), Violation.ALREADY_RED),
        (6, (COMPUTE, 3, 1), Violation.MISSING_PREDECESSOR),
        (9, (DELETE, 3, 2), Violation.OUTPUT_NOT_STORED),
    ],
)
def test_what_a_tree_of_memories_forbids(player, place, move, rule):
    with pytest.raises(IllegalMoveError) as caught:
        player(SUM, on_tree(*SHARED[:place], move), TREE)
    assert caught.value.rule is rule


@pytest.mark.parametrize("player", BOTH)
def test_nothing_is_received_where_no_link_is(player):
    moves = [Action(*move, step=-1) for move in SHARED[:4]]
    with pytest.raises(IllegalMoveError) as caught:
        player(SUM, Schedule.from_actions([*moves, Action(RECEIVE, 0, 1, source=0)]), TREE)
    assert caught.value.rule is Violation.NO_LINK


@pytest.mark.parametrize("player", BOTH)
def test_a_memory_between_has_an_end(player):
    small = Machine((3, 3, 1, None), TREE.behind, processors=2)
    with pytest.raises(IllegalMoveError, match=r"step 1.*1 \+ 1 words do not fit into 1$"):
        player(SUM, on_tree(*SHARED), small)


@pytest.mark.parametrize("player", BOTH)
def test_copies_of_a_value_that_is_computed_on_are_none_any_more(player):
    begin = [Action(*move) for move in (*PAIR[::2], (COMPUTE, 2, 0), (STORE, 2, 0), *PAIR[1::2])]
    begin[2] = begin[2]._replace(operand=0)
    remaining = [
        Action(*move) for move in ((COMPUTE, 2, 0), (STORE, 2, 0), (LOAD, 2, 1), *SHARED[7:])
    ]
    count = player(SUM, Schedule.from_actions([*begin, *remaining]), TREE, rules=PARTIAL)
    assert count.each[0].stores == 2  # it is stored twice: the first copy was of a part
    with pytest.raises(IllegalMoveError) as caught:
        player(
            SUM, Schedule.from_actions([*begin, remaining[0], *remaining[2:]]), TREE, rules=PARTIAL
        )
    assert caught.value.rule is Violation.NOT_RED


def test_blocks_of_one_play_are_alike():
    plain = Schedule.from_moves([(LOAD, 0)])
    placed = Schedule.from_moves([(LOAD, 1), (COMPUTE, 2, 0)])
    with pytest.raises(InvalidScheduleError, match="blocks of one play"):
        play(SUM, [plain, placed], 4)
