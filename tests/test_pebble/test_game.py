"""The game as a value: its memory, and what can be in it before a computation."""

from hypothesis import given
from hypothesis import strategies as st

from dags import from_edges
from pebble import RULES, Game, Machine, Move, all_words, compulsory_words, min_memory, trace
from tests.strategies import dags, legal_schedules, memories

SUM = from_edges(3, [(0, 2), (1, 2)], words=[3, 1, 2])


def test_memory_is_what_a_play_can_use():
    game = Game(SUM, Machine.levels([2**70, 5]))
    assert game.machine.rooms == (6, 5, None)
    assert Game.of(SUM, 5).memory == 5
    assert Game.of(SUM, 2**70) == Game.of(SUM, all_words(SUM))


def test_its_numbers():
    game = Game.of(SUM, 6)
    assert (game.least, game.compulsory) == (min_memory(SUM), compulsory_words(SUM)) == (6, 6)
    assert (game.word, game.room, game.red) == (1, 4, 2)
    sliding = Game.of(SUM, 6, RULES["one-shot-sliding"])
    assert (sliding.least, sliding.room, sliding.red) == (4, 6, 3)


@given(st.data(), st.sampled_from(list(RULES.values())))
def test_no_play_holds_more_before_a_computation(data, rules):
    dag = data.draw(dags())
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    game, held = Game.of(dag, memory, rules), set()
    occupancy = trace(dag, schedule, memory, rules=rules).occupancy.tolist()
    for (move, v), current in zip(schedule, occupancy, strict=True):
        if move is Move.COMPUTE:
            assert current - int(dag.sizes[v]) <= game.room
            assert len(held) <= game.red
        if move is Move.DELETE:
            held.remove(v)
        elif move is not Move.STORE:
            held.add(v)
