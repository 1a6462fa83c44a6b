import pytest

import redblue as rb
from dags import fft, from_edges, load, random_layered
from pebble import Rules, compulsory_words, min_memory, play
from redblue.answers.planning.ranges import found_memories, memory_range, peak_words
from schedulers import ORDERS, SCHEDULERS, accesses, default_schedulers

SPECS = ("fft:n=8", "matmul:n=3", "random_layered:n=40,max_words=4,seed=2", "tree:height=3")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("spec", SPECS)
def test_from_its_peak_on_an_order_moves_compulsory_words_alone(spec, order):
    dag = load(spec)
    peak = peak_words(accesses(dag, ORDERS[order](dag)))
    for eviction in ("lru", "belady-cost"):
        player = SCHEDULERS[f"{order}+{eviction}"]
        assert play(dag, player(dag, peak), peak).io == compulsory_words(dag)
        if peak > min_memory(dag):
            assert play(dag, player(dag, peak - 1), peak - 1).io > compulsory_words(dag)


def test_the_peak_of_nothing():
    dag = from_edges(2, [])
    assert peak_words(accesses(dag, [])) == 0


@pytest.mark.parametrize("spec", SPECS)
def test_a_curve_finds_its_range(spec):
    dag = load(spec)
    curve = rb.io_curve(dag)
    assert curve.memories[0] == min_memory(dag)
    best = dict(curve.envelope("upper"))
    assert best[curve.memories[-1]] == compulsory_words(dag)
    before = rb.io_curve(
        dag,
        [max(curve.memories[-1] - 1, curve.memories[0])],
        schedulers=default_schedulers(dag),  # for an exact search may need less
    )
    if len(curve.memories) > 1:
        assert before.envelope("upper")[0][1] > compulsory_words(dag)


def test_the_range_is_that_of_the_schedulers_in_use():
    dag = fft(16)
    assert memory_range(dag, ["structured"]) == (3, 18)
    assert memory_range(dag, ["natural+lru"]) == (3, peak_words(accesses(dag, dag.computed)))
    assert memory_range(dag, ["structured"], rules=Rules(sliding=True))[0] == 2
    assert found_memories(dag, ["structured"])[-1] == 18


def test_sizes_of_values_count():
    dag = random_layered(30, max_words=5, seed=3)
    minimum, limit = memory_range(dag, ["natural+belady"])
    assert minimum == min_memory(dag)
    assert play(dag, SCHEDULERS["natural+belady"](dag, limit), limit).io == compulsory_words(dag)
