"""Recursive acyclic bisection: legal orders, cuts that get no worse, and a naive twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dags import fft, random_layered
from schedulers import EVICTIONS, accesses
from schedulers.orders import depth_first
from schedulers.search import bisection_order, candidates
from schedulers.search._kernels import bisection as _kernels
from tests.strategies import dags


class Halves:
    """The naive twin: what a cut costs is counted anew for every move that could be made."""

    def __init__(self, dag, part, passes, moves):
        rows = np.split(dag.pred_indices, dag.pred_indptr[1:-1])
        self.operands = [row.tolist() for row in rows]
        self.words = dag.sizes.tolist()
        self.part = part
        self.first = set(part[: len(part) // 2])
        self.fewest, self.most = 35 * len(part) // 100, 65 * len(part) // 100
        for _ in range(passes):
            if not self.improve(moves):
                break

    def cost(self, first):
        """Words of values before the cut that are read behind it, as the docstring counts them."""
        second = set(self.part) - first
        total = 0
        for u in {u for v in self.part for u in self.operands[v]}:
            behind = any(u in self.operands[v] for v in second)
            before = u in first or (u not in second and any(u in self.operands[v] for v in first))
            total += self.words[u] * (before and behind)
        return total

    def changed(self, v):
        """The first half after v has changed sides; None if an edge would lead backwards."""
        if v in self.first:
            read = any(v in self.operands[w] for w in self.first)
            return None if read or len(self.first) <= self.fewest else self.first - {v}
        late = set(self.part) - self.first
        waits = any(u in late for u in self.operands[v])
        return None if waits or len(self.first) >= self.most else self.first | {v}

    def improve(self, moves):
        start = best = self.cost(self.first)
        kept, moved = self.first, set()
        for _ in range(moves):
            options = [(v, self.changed(v)) for v in self.part if v not in moved]
            options = [(v, first) for v, first in options if first is not None]
            if not options:
                break
            v, self.first = min(options, key=lambda option: self.cost(option[1]))
            moved.add(v)
            if self.cost(self.first) < best:
                best, kept = self.cost(self.first), self.first
        self.first = kept
        return best < start

    @property
    def order(self):
        second = [v for v in self.part if v not in self.first]
        return [v for v in self.part if v in self.first] + second


@given(dags(max_vertices=14), st.integers(0, 5), st.integers(1, 3), st.integers(1, 20))
def test_halves_are_those_of_the_twin(dag, skipped, passes, moves):
    part = depth_first(dag)[skipped:].copy()
    twin = Halves(dag, part.tolist(), passes, moves)
    workspace = np.zeros((4, dag.n), np.int32)
    rows = _kernels.Neighbours(dag.pred_indptr, dag.pred_indices, *dag.successors, dag.sizes)
    trail, after = np.empty(moves, np.int64), np.empty_like(part)
    used = _kernels.halve(part, rows, _kernels.Sides(*workspace), passes, trail, after)
    assert part.tolist() == twin.order
    assert used == len(twin.first)
    assert not workspace.any()


@given(dags(max_vertices=14), st.integers(1, 6))
def test_it_is_an_order_of_what_is_computed(dag, memory):
    order = bisection_order(dag, memory)
    assert sorted(order) == dag.computed.tolist()
    assert accesses(dag, order).dag is dag  # which refuses what is not topological
    assert order.tolist() == bisection_order(dag, memory).tolist()


def test_it_moves_less_than_the_order_that_it_cuts():
    for dag, memory in ((fft(256), 16), (random_layered(600, seed=2), 12)):
        before, after = (
            EVICTIONS["belady-cost"](accesses(dag, order), memory).io
            for order in (depth_first(dag), bisection_order(dag, memory))
        )
        assert after < before


def test_large_dags_are_left_alone(monkeypatch):
    monkeypatch.setattr(candidates, "LARGEST", 100)
    assert bisection_order(random_layered(101), 8) is None
