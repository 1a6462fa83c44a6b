"""Plays made a block at a time are their naive twin's, and legal whatever the blocks are."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import cholesky, fft, matmul, random_layered, stencil
from pebble import ONE_SHOT, RULES, judge, min_memory, play
from schedulers import ORDERS, structured
from schedulers.eviction import streaming as stream_module
from schedulers.eviction.policies import joined
from schedulers.eviction.streaming import streamed, streamed_traffic
from schedulers.families import plays
from tests import naive
from tests.oracles import optimum
from tests.strategies import dags, memories


class Blockwise(naive.Player):
    """The player of the twins, who does not see beyond the end of a block."""

    def __init__(self, dag, order, memory, price, size):
        policy = {1: naive.belady_clean, 2: naive.belady_cost}[price]
        super().__init__(dag, order, memory, policy)
        self.preds, self.size = naive.rows(dag), size
        self.uses = {v: [] for v in range(dag.n)}
        for step, v in enumerate(order):
            for place, u in enumerate([*self.preds[v], v]):
                self.uses[u].append((step, place))

    def next_use(self, u):
        """The next use in the block; or its end, and of what waits there the newest comes first."""
        end = min(len(self.order), (self.step // self.size + 1) * self.size)
        step, place = super().next_use(u)
        touched = max((use for use in self.uses[u] if use[0] < self.step), default=(-1, -1))
        return (step, place) if step < end else (end, *touched)


@pytest.fixture
def block_of(monkeypatch):
    """Sets the steps of a block."""

    def set_size(steps):
        monkeypatch.setattr(stream_module, "STEPS", steps)
        monkeypatch.setattr(stream_module, "FORESIGHT", 0)

    return set_size


@given(st.data(), st.sampled_from((1, 2)), st.integers(1, 20))
def test_plays_are_their_naive_twins(data, price, size):
    dag = data.draw(dags(max_vertices=16))
    memory = data.draw(memories(dag))
    order = ORDERS[data.draw(st.sampled_from(sorted(ORDERS)))](dag)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_module, "STEPS", size)
        patch.setattr(stream_module, "FORESIGHT", 0)
        built = joined(streamed(dag, (order,), memory, price=price))
        counted = streamed_traffic(dag, (order,), memory, price=price)
    assert built == Blockwise(dag, order.tolist(), memory, price, size).play()
    count = judge(dag, built, memory)
    assert (counted.loads, counted.stores) == (count.loads, count.stores)


@pytest.mark.parametrize("price", [1, 2])
@pytest.mark.parametrize("size", [5, 64, 10**6])
@pytest.mark.parametrize(
    "dag",
    [matmul(7), fft(64), stencil((9, 8), 5), random_layered(300, max_words=6, seed=2)],
    ids=str,
)
def test_plays_are_their_naive_twins_on_larger_dags(dag, size, price, block_of):
    block_of(size)
    order = ORDERS["least-live"](dag)
    for memory in (min_memory(dag), 2 * min_memory(dag) + 1, 60):
        built = joined(streamed(dag, (order,), memory, price=price))
        assert built == Blockwise(dag, order.tolist(), memory, price, size).play()
        assert play(dag, built, memory) == judge(dag, built, memory)


@given(dags(max_vertices=7, weighted=False), st.integers(1, 3))
def test_no_play_beats_the_optimum(dag, size):
    memory = max(min_memory(dag), 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_module, "STEPS", size)
        io = streamed_traffic(dag, (dag.computed,), memory, price=1).io
    assert io >= optimum(dag, memory, ONE_SHOT)


@pytest.mark.parametrize("cuts", [[], [1], [40, 41, 90], list(range(1, 96))])
def test_blocks_do_not_depend_on_how_the_order_arrives(cuts, block_of):
    block_of(16)
    dag = fft(32)
    bounds = [0, *(cut for cut in cuts if cut < dag.computed.size), dag.computed.size]
    parts = [dag.computed[a:b] for a, b in pairwise(bounds)]
    blocks = list(stream_module.in_blocks(parts, 16))
    assert np.concatenate(blocks).tolist() == dag.computed.tolist()
    assert all(16 <= block.size < 32 for block in blocks[:-1])
    count = play(dag, streamed(dag, parts, 8, price=1), 8)
    assert count.computes == dag.computed.size


@pytest.mark.parametrize("dag", [matmul(6), fft(64), stencil((8, 8), 6), cholesky(9)], ids=str)
@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
def test_large_dags_are_played_by_blocks(dag, rules, monkeypatch):
    memory = min_memory(dag) + 6
    full = structured.plan(dag, memory, rules=rules)
    monkeypatch.setattr(plays, "STREAMED", 0)
    plan = structured.plan(dag, memory, rules=rules)
    assert judge(dag, joined(plan.blocks()), memory, rules=rules).io == plan.io
    assert plan.io <= 1.05 * full.io  # one block is all of it: only ties fall otherwise
