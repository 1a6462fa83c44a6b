"""Machines as graphs of memories: one game in several guises, and a machine with no name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import from_edges
from pebble import PARTIAL, RULES, IllegalMoveError, Violation
from pebble.machine import Action, Machine
from pebble.referee import judge_moves
from tests.strategies import broken_schedules, dags, legal_schedules, memories

# 0, 1 -> 2 -> 3
SUM = from_edges(4, [(0, 2), (1, 2), (2, 3)])
# two units with 3 words each, 0 and 1, behind a memory of 4 words, 2, before one without end, 3
TREE = Machine(
    (3, 3, 4, None),
    frozenset({(0, 2), (2, 0), (1, 2), (2, 1), (2, 3), (3, 2)}),
    units=(0, 1),
    ends=(3,),
)


def verdict(dag, machine, moves, rules):
    """What was done, or the index, the vertex and the rule of the first illegal move."""
    try:
        played = judge_moves(dag, machine, moves, rules=rules)
    except IllegalMoveError as error:
        return error.step, error.vertex
    return played.traffic(dag), played.computed, played.peaks[0], played.recomputes


@given(st.data(), st.sampled_from([*RULES.values(), PARTIAL]))
def test_two_memories_are_a_chain_and_a_processor(data, rules):
    dag = data.draw(dags())
    plain = RULES["one-shot"] if rules.partial else rules
    memory = data.draw(memories(dag, plain))
    drawn = broken_schedules(dag, memory, plain) | legal_schedules(dag, memory, plain)
    rows = enumerate(data.draw(drawn))
    moves = [Action(move.name, v, 0, step, 1) for step, (move, v) in rows]
    expected = verdict(dag, Machine.fast(memory), moves, rules)
    assert verdict(dag, Machine.levels([memory]), moves, rules) == expected
    for apart in (False, True):
        alone = Machine.processors(memory, [()], apart=apart, ports=(0,))
        assert verdict(dag, alone, moves, rules) == expected


def on_tree(*moves):
    """The moves on a tree of memories: (name, vertex, at), and the other memory of a copy."""
    return [Action(move[0], move[1], move[2], at, *move[3:]) for at, move in enumerate(moves)]


PAIR = [("LOAD", v, 2, 3) for v in (0, 1)] + [("LOAD", v, 0, 2) for v in (0, 1)]
SHARED = [
    *PAIR,
    ("COMPUTE", 2, 0),
    ("STORE", 2, 0, 2),
    ("LOAD", 2, 1, 2),
    ("COMPUTE", 3, 1),
    ("STORE", 3, 1, 2),
    ("STORE", 3, 2, 3),
]


def test_units_meet_in_a_memory_that_they_share():
    played = judge_moves(SUM, TREE, on_tree(*SHARED))
    words = {(3, 2): 2, (2, 0): 2, (0, 2): 1, (2, 1): 1, (1, 2): 1, (2, 3): 1}
    assert played.traffic(SUM) == words
    assert played.computed == [(2, 0), (3, 1)]
    assert played.peaks[:3] == [3, 2, 4]


@pytest.mark.parametrize(
    ("place", "move", "rule"),
    [
        (4, ("COMPUTE", 2, 1), Violation.MISSING_PREDECESSOR),
        (4, ("COMPUTE", 2, 2), Violation.NO_SUCH_PROCESSOR),
        (4, ("LOAD", 0, 1, 3), Violation.NO_PORT),
        (4, ("RECEIVE", 0, 1, 0), Violation.NO_LINK),
        (4, ("DELETE", 0, 3), Violation.NO_SUCH_PROCESSOR),
        (4, ("DELETE", 0, 1), Violation.NOT_RED),
        (4, ("LOAD", 0, 0, 2), Violation.ALREADY_RED),
        (7, ("COMPUTE", 2, 1), Violation.ALREADY_RED),
        (6, ("COMPUTE", 3, 1), Violation.MISSING_PREDECESSOR),
        (9, ("DELETE", 3, 2), Violation.OUTPUT_NOT_STORED),
    ],
)
def test_what_a_tree_of_memories_forbids(place, move, rule):
    with pytest.raises(IllegalMoveError) as caught:
        judge_moves(SUM, TREE, on_tree(*SHARED[:place], move))
    assert caught.value.rule is rule


def test_a_memory_between_has_an_end():
    small = Machine((3, 3, 1, None), TREE.links, TREE.units, TREE.ends)
    with pytest.raises(IllegalMoveError, match=r"step 1.*1 \+ 1 words do not fit into 1$"):
        judge_moves(SUM, small, on_tree(*SHARED))


def test_copies_of_a_value_that_is_computed_on_are_none_any_more():
    moves = [
        *PAIR[::2],
        ("COMPUTE", 2, 0, 0, 0),
        ("STORE", 2, 0, 2),
        *PAIR[1::2],
    ]
    moves = [Action(*move[:3], at, *move[3:]) for at, move in enumerate(moves)]
    assert [move.operand for move in moves if move.name == "COMPUTE"] == [0]
    rest = [("COMPUTE", 2, 0), ("STORE", 2, 0, 2), ("LOAD", 2, 1, 2), *SHARED[7:]]
    rest = [Action(*move[:3], 9 + at, *move[3:]) for at, move in enumerate(rest)]
    played = judge_moves(SUM, TREE, [*moves, *rest], rules=PARTIAL)
    assert played.traffic(SUM)[0, 2] == 2  # it is stored twice: the first copy was of a part
    with pytest.raises(IllegalMoveError) as caught:
        judge_moves(SUM, TREE, [*moves, rest[0], *rest[2:]], rules=PARTIAL)
    assert caught.value.rule is Violation.NOT_RED
