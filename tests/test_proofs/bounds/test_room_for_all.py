"""The memory in which the order of the numbers moves the compulsory words alone."""

from hypothesis import given

from pebble import Game
from proofs import check
from proofs.bounds.room_for_all import nothing_to_prove, room_for_all
from schedulers import accesses
from schedulers.eviction import belady_cost
from tests.strategies import dags


@given(dags(max_vertices=9))
def test_a_play_shows_that_no_more_can_be_proved(dag):
    room = room_for_all(dag)
    bound = nothing_to_prove("compulsory", Game.of(dag, room))
    check(dag, room, bound)
    if dag.computed.size:
        assert belady_cost(accesses(dag, dag.computed), room).io == bound.io
    assert nothing_to_prove("compulsory", Game.of(dag, room - 1)) is None
