"""Sliding plays: legal, their naive twin, never below the optimum, and what only they can do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import EXAMPLES, dirac, fft, from_edges, load, matmul, random_layered, tree
from pebble import RULES, MemoryTooSmallError, Move, Rules, Schedule, judge, min_memory, play
from schedulers import ORDERS, accesses, structured
from schedulers.eviction.sliding import sliding_schedule, sliding_traffic
from tests.naive import belady_clean, belady_cost, rows_as_touched
from tests.oracles import optimum
from tests.strategies import dags, may_slide, memories

SLIDING = Rules(sliding=True)
TWINS = {1: belady_clean, 2: belady_cost}


class Slider:
    """The naive twin of the kernel, on sets."""

    def __init__(self, dag, order, memory, price):
        self.dag, self.words = dag, dag.sizes.tolist()
        self.preds = rows_as_touched(dag, order)
        self.order, self.memory, self.price = order, memory, price
        self.outputs, self.blue = set(dag.outputs.tolist()), set(dag.inputs.tolist())
        self.uses = {v: [] for v in range(dag.n)}
        for step, v in enumerate(order):
            for place, u in enumerate(self.preds[v]):
                self.uses[u].append((step, place))
        self.red, self.moves = set(), []

    def play(self):
        for step, v in enumerate(self.order):
            self.step = step
            row = self.preds[v]
            under, living = self.under(v)
            room = sum(self.words[u] for u in row)
            if not living:
                slid = 0 if under is None else self.words[under]
                room = max(room, room - slid + self.words[v])
                while sum(self.words[u] for u in self.red - set(row)) + room > self.memory:
                    self.leave(TWINS[self.price](self, self.red - set(row)))
            else:
                remaining = self.red - set(row)
                while remaining:
                    u = TWINS[self.price](self, remaining)
                    self.leave(u)
                    remaining.remove(u)
            self.moves += [(Move.LOAD, u) for u in row if u not in self.red]
            self.red |= set(row)
            if under is not None and (living or under in self.outputs):
                self.store(under)
            self.moves.append((Move.COMPUTE, v))
            self.red.add(v)
            if under is not None:
                self.delete(under)
            for u in [*row, v]:
                if u in self.red and not self.later(u):
                    if u in self.outputs:
                        self.store(u)
                    self.delete(u)
        return Schedule.from_moves(self.moves)

    def under(self, v):
        """The operand whose place v takes, and whether it is needed again."""
        row = self.preds[v]
        dying = [u for u in row if not self.later(u) and may_slide(self.dag, v, u)]
        under = max(dying, key=lambda u: self.words[u], default=None)
        room = sum(self.words[u] for u in row)
        slid = 0 if under is None else self.words[under]
        if max(room, room - slid + self.words[v]) <= self.memory:
            return under, False
        onto = [u for u in row if may_slide(self.dag, v, u)]
        fitting = [u for u in onto if room - self.words[u] + self.words[v] <= self.memory]
        return min(fitting, key=self.reload), True

    def reload(self, u):
        step, place = self.next_use(u)
        return (1 if self.settled(u) else self.price) * self.words[u], -step, -place

    def leave(self, u):
        self.store(u)
        self.delete(u)

    def store(self, u):
        if u not in self.blue:
            self.moves.append((Move.STORE, u))
            self.blue.add(u)

    def delete(self, u):
        self.moves.append((Move.DELETE, u))
        self.red.remove(u)

    def later(self, u):
        return [use for use in self.uses[u] if use[0] > self.step]

    def next_use(self, u):
        return self.later(u)[0]

    def settled(self, u):
        return u in self.blue or u in self.outputs


def agree(dag, order, memory, price):
    layout = accesses(dag, order)
    built = sliding_schedule(layout, memory, price=price)
    assert built == Slider(dag, order.tolist(), memory, price).play()
    count = play(dag, built, memory, rules=SLIDING)
    traffic = sliding_traffic(layout, memory, price=price)
    assert (traffic.loads, traffic.stores) == (count.loads, count.stores)
    return count


@pytest.mark.parametrize("in_place", [False, True])
@given(st.data(), st.sampled_from(sorted(ORDERS)), st.sampled_from([1, 2]))
@settings(max_examples=200)
def test_the_kernel_is_its_naive_twin(in_place, data, order, price):
    dag = data.draw(dags(max_vertices=16, in_place=in_place))
    memory = data.draw(memories(dag, SLIDING))
    count = agree(dag, ORDERS[order](dag), memory, price)
    built = sliding_schedule(accesses(dag, ORDERS[order](dag)), memory, price=price)
    assert judge(dag, built, memory, rules=SLIDING) == count


@pytest.mark.parametrize("order", ["natural", "least-live"])
@pytest.mark.parametrize(
    "dag", [matmul(7), fft(64), random_layered(400, max_words=6, seed=2), dirac(2, 4)], ids=str
)
def test_the_kernel_is_its_naive_twin_on_larger_dags(dag, order):
    smallest = min_memory(dag, rules=SLIDING)
    for memory in (smallest, smallest + 1, 2 * smallest + 1, 5 * smallest):
        for price in (1, 2):
            agree(dag, ORDERS[order](dag), memory, price)


@given(st.data(), st.sampled_from(["one-shot-sliding", "recompute-sliding"]))
def test_structured_plays_are_legal_and_never_below_the_optimum(data, name):
    dag = data.draw(dags(max_vertices=7))
    rules = RULES[name]
    memory = data.draw(memories(dag, rules))
    built = structured(dag, memory, rules=rules)
    count = judge(dag, built, memory, rules=rules)
    assert count.io == structured.plan(dag, memory, rules=rules).io
    assert count.io >= optimum(dag, memory, rules)


@pytest.mark.parametrize("spec", EXAMPLES.values())
def test_every_family_plays_down_to_the_sliding_minimum(spec):
    dag = load(spec)
    smallest = min_memory(dag, rules=SLIDING)
    for memory in (smallest, smallest + 1, 2 * smallest):
        count = play(dag, structured.blocks(dag, memory, rules=SLIDING), memory, rules=SLIDING)
        assert count.io == structured.plan(dag, memory, rules=SLIDING).io
        assert count.peak <= memory
    with pytest.raises(MemoryTooSmallError, match=f"takes {smallest}"):
        structured(dag, smallest - 1, rules=SLIDING)


def test_a_value_that_is_needed_again_makes_way_if_it_must():
    dag = from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    count = judge(dag, structured(dag, 2, rules=SLIDING), 2, rules=SLIDING)
    assert count.io == optimum(dag, 2, SLIDING)
    tight = from_edges(3, [(0, 1), (0, 2)])
    count = judge(tight, structured(tight, 1, rules=SLIDING), 1, rules=SLIDING)
    assert (count.loads, count.stores) == (2, 2)


def test_a_complete_tree_slides_with_a_word_less():
    for height in (2, 5):
        dag = tree(height)
        assert structured.plan(dag, height + 1, rules=SLIDING).io == 2**height + 1
        assert structured.plan(dag, height + 1).io > 2**height + 1
