"""Plays in which some values are never spilled: legal, and with one stay of each."""

from hypothesis import given
from hypothesis import strategies as st

from dags import fft, matmul
from pebble import RULES, judge, min_memory
from pebble.placement import stays
from schedulers import ORDERS
from schedulers.eviction.kept import kept_schedule
from tests.strategies import dags, memories, some_of


@given(st.data(), st.sampled_from(sorted(RULES)), st.sampled_from(sorted(ORDERS)), st.booleans())
def test_values_that_are_kept_have_one_stay(data, name, order, in_place):
    rules = RULES[name]
    dag = data.draw(dags(in_place=in_place))
    memory = data.draw(memories(dag, rules))
    kept = some_of(data.draw, range(dag.n), minimum=0)
    built = kept_schedule(dag, ORDERS[order](dag), memory, kept, rules=rules)
    if built is None:
        assert kept or rules.sliding
        return
    judge(dag, built, memory, rules=rules)
    spans = stays(dag, built, rules=rules)
    assert all(sum(stay.vertex == v for stay in spans) <= 1 for v in kept)


def test_all_of_memory_keeps_everything():
    dag = matmul(3)
    built = kept_schedule(dag, dag.computed, dag.n, range(dag.n))
    assert judge(dag, built, dag.n).io == dag.used_inputs.size + dag.outputs.size


def test_kept_values_cost_others_their_places():
    dag = fft(8)
    free, kept = (kept_schedule(dag, dag.computed, 5, chosen) for chosen in ([], [0, 1]))
    assert judge(dag, free, 5).io <= judge(dag, kept, 5).io
    assert kept_schedule(dag, dag.computed, min_memory(dag), range(8, 12)) is None
