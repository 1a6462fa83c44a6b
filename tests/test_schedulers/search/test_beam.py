"""Beam search keeps the states that its naive twin keeps."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import cholesky, fft, random_layered
from pebble import RULES, min_memory
from schedulers import ORDERS
from schedulers.search import beam_order, beam_rounds
from schedulers.search._kernels.beam import AHEAD, STRANGERS
from schedulers.search.beam import SPREAD
from schedulers.search.replay import new_replay
from tests.naive import rows
from tests.strategies import dags, memories


class NaiveBeam:
    """Beam search on tuples of sets."""

    def __init__(self, dag, memory, guide, width, weight):
        self.preds, self.words = rows(dag), dag.sizes.tolist()
        self.readers = [[w for w in range(dag.n) if u in self.preds[w]] for u in range(dag.n)]
        self.settled = {*dag.inputs.tolist(), *dag.outputs.tolist()}
        self.rank = {v: place for place, v in enumerate(guide)}
        self.guide = guide
        self.memory, self.width, self.weight = memory, width, weight

    def order(self):
        layer = [((), (), frozenset(), 0)]  # order, red values in order of leaving, owed, paid
        for depth in range(len(self.guide)):
            children = [child for state in layer for child in self.children(state, depth)]
            layer = []
            for _, child in sorted(children, key=lambda scored: scored[0]):
                alike = [state for state in layer if set(state[0]) == set(child[0])]
                same = [s for s in alike if set(s[1]) == set(child[1]) and s[2] == child[2]]
                if not same and len(alike) < SPREAD:
                    layer.append(child)
                if len(layer) == self.width:
                    break
        return list(layer[0][0])

    def unread(self, u, done):
        return [w for w in self.readers[u] if w not in done]

    def children(self, state, depth):
        order, reds, owed, paid = state
        reds = sorted(reds, key=lambda u: self.urgency(u, u in owed, order, depth))
        known = [v for u in reds for v in self.readers[u] if self.is_ready(v, order)]
        known = list(dict.fromkeys(known))
        ahead = [v for v in self.guide if v not in order][:AHEAD]
        strangers = [v for v in ahead if self.is_ready(v, order) and v not in known][:STRANGERS]
        for v in [*known, *strangers]:
            child = self.child(v, order, reds, owed, paid)
            live = {u for u in {*child[0], *self.touched(child[0])} if self.unread(u, child[0])}
            words = sum(self.words[u] for u in live)
            yield child[3] + self.weight * words + 1e-6 * self.rank[v], child

    def is_ready(self, v, order):
        return v not in order and all(u in order for u in self.preds[v] if self.preds[u])

    def touched(self, order):
        return {u for v in order for u in self.preds[v]}

    def urgency(self, u, owed, order, depth):
        away = max(min(self.rank[w] for w in self.unread(u, order)) - depth, 0) + 1
        return -away / (2 if owed else 1)

    def child(self, v, order, reds, owed, paid):
        need = self.words[v] + sum(self.words[u] for u in {*self.preds[v], *reds})
        done = (*order, v)
        new_reds = [u for u in self.preds[v] if self.unread(u, done)]
        for u in reds:
            if u in self.preds[v]:
                continue
            if need > self.memory:
                need -= self.words[u]
                paid += self.words[u] * (2 if u in owed else 1)
                owed = owed - {u}
            else:
                new_reds.append(u)
        if self.readers[v]:
            new_reds.append(v)
            owed = owed if v in self.settled else owed | {v}
        return done, tuple(new_reds), frozenset(owed & set(new_reds)), paid


@given(st.data(), st.sampled_from(sorted(ORDERS)), st.integers(1, 9), st.sampled_from([0.25, 4.0]))
def test_it_is_its_naive_twin(data, name, width, weight):
    dag = data.draw(dags(max_vertices=13))
    memory = data.draw(memories(dag))
    guide = ORDERS[name](dag)
    order = beam_order(dag, memory, guide, width=width, weight=weight)
    twin = NaiveBeam(dag, memory, guide.tolist(), width, weight)
    assert order.tolist() == twin.order()


@pytest.mark.parametrize("dag", [fft(8), random_layered(40, max_words=3, seed=1)], ids=str)
def test_it_is_its_naive_twin_on_larger_dags(dag):
    for memory, width in itertools.product((min_memory(dag), min_memory(dag) + 3), (3, 20)):
        guide = ORDERS["depth-first"](dag)
        twin = NaiveBeam(dag, memory, guide.tolist(), width, 1.0)
        assert beam_order(dag, memory, guide, width=width).tolist() == twin.order()


@pytest.mark.parametrize("name", RULES)
def test_rounds_end_with_what_they_say_and_never_worse(name):
    for dag in (cholesky(7), random_layered(200, max_words=4, seed=2)):
        memory = min_memory(dag, rules=RULES[name])
        guide = ORDERS["natural"](dag)
        order, io = beam_rounds(dag, memory, guide, rules=RULES[name])
        replay = new_replay(dag, memory, rules=RULES[name])
        assert replay.start(order) == io <= replay.start(guide)


def test_wide_states_are_many():
    dag = random_layered(2500, layers=3, seed=1)
    guide = ORDERS["breadth-first"](dag)
    order = beam_order(dag, 40, guide, width=6)
    assert new_replay(dag, 40).start(order) < new_replay(dag, 40).start(guide)


def test_without_time_there_is_no_order():
    dag = fft(16)
    guide = ORDERS["natural"](dag)
    assert beam_order(dag, 5, guide, time_limit=0.0) is None
    assert beam_rounds(dag, 5, guide, time_limit=0.0)[0] is guide
