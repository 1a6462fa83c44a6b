"""What a set of steps can keep in some order: kernel against enumeration, bounds against optima."""

from itertools import chain, combinations, pairwise, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import random_layered
from dags.arrays import lock
from pebble import ONE_SHOT, RULES, min_memory
from proofs import Bound, Certificate, CertificateError, check, reuse
from proofs.bounds.windows import short_windows
from proofs.certificates import proven_io
from proofs.certificates.windows.reuse import FAR, Savings, Sharing
from tests.naive import rows
from tests.oracles import optimum
from tests.strategies import dags, memories
from tests.test_proofs.bounds.windows.test_twins import networks

ONCE = [rules for rules in RULES.values() if not rules.recompute]


def touched_by(dag, sharing):
    """Return for each step the values that it touches, and those that it creates as twins."""
    results = [set() for _ in range(sharing.size)]
    built = [set() for _ in range(sharing.size)]
    for v in dag.computed.tolist():
        results[sharing.step[v]] |= {*rows(dag)[v], v}
        if sharing.is_twin[v]:
            built[sharing.step[v]].add(v)
    return results, built


def most_kept(order, touched, built, savings):
    """The largest weight of pairs that an order of steps can keep."""
    weight, words, room = savings.weight, savings.sharing.words, savings.sharing.room
    pairs = [
        (u, i, j)
        for u in set().union(*(touched[x] for x in order))
        for i, j in pairwise(k for k, x in enumerate(order) if u in touched[x])
    ]
    best = 0
    for kept in chain.from_iterable(combinations(pairs, n) for n in range(len(pairs) + 1)):
        worth = sum(int(weight[u]) for u, _, _ in kept)
        for k, x in enumerate(order):
            inside = [u for u, i, j in kept if i < k < j or (i == k and u in built[x])]
            over = sum(int(words[u]) for u in inside) - int(room[x])
            if over > 0:
                able = bool(built[x]) and over <= int(words[min(built[x])])
                worth = worth - savings.more if able else -FAR
        best = max(best, worth)
    return best


def naive_slacks(dag, savings, charge):
    """The least slack of each step, by all sets, orders and choices of pairs."""
    sharing, length = savings.sharing, savings.length
    touched, built = touched_by(dag, sharing)
    order = nx.DiGraph()
    order.add_nodes_from(range(sharing.size))
    step = sharing.step
    order.add_edges_from(
        (step[u], step[v]) for v in dag.computed for u in rows(dag)[v] if step[u] >= 0
    )
    after = {x: nx.descendants(order, x) for x in order}
    minimum = [FAR] * sharing.size
    for size in range(2, length + 1):
        for chosen in combinations(range(sharing.size), size):
            shared = nx.Graph((x, y) for x, y in combinations(chosen, 2) if touched[x] & touched[y])
            between = {z for x in chosen for z in after[x] for y in chosen if y in after[z]}
            if set(shared) != set(chosen) or not nx.is_connected(shared):
                continue
            if len({*chosen, *between}) > length:
                continue
            able = (
                most_kept(way, touched, built, savings)
                for way in permutations(chosen)
                if not any(x in after[y] for x, y in combinations(way, 2))
            )
            slack = sum(int(charge[x]) for x in chosen) - max(able)
            for x in chosen:
                minimum[x] = min(minimum[x], slack)
    return minimum


@given(st.data())
@settings(max_examples=50)
def test_slacks_below_nothing_are_those_of_the_best_order(data):
    twins = data.draw(st.booleans())
    dag = data.draw(networks(most=3) if twins else dags(max_vertices=7))
    sharing = Sharing(dag, min_memory(dag) + data.draw(st.integers(0, 1)), ONE_SHOT, twins=twins)
    price = data.draw(st.integers(10, 40))
    savings = Savings(sharing, data.draw(st.integers(2, 3)), 60, price, ordered=True)
    chosen = st.lists(st.integers(0, 40), min_size=sharing.size, max_size=sharing.size)
    charge = np.array(data.draw(chosen), np.int64)
    expected = [min(slack, 0) for slack in naive_slacks(dag, savings, charge)]
    for counted in (savings.length, savings.length - 1):
        _, slack, _ = savings.slacks(lock(charge), 0, charge.size, 10**6, counted=counted)
        assert np.minimum(slack, 0).tolist() == expected


@given(st.data())
@settings(max_examples=60)
def test_any_charges_that_are_accepted_prove_what_is_true(data):
    twins = data.draw(st.booleans())
    dag = data.draw(networks() if twins else dags(max_vertices=9))
    rules = ONE_SHOT if twins else data.draw(st.sampled_from(ONCE))
    memory = data.draw(memories(dag, rules))
    sharing = Sharing(dag, memory, rules, twins=twins)
    length, parts = data.draw(st.integers(2, 5)), 60
    price = data.draw(st.sampled_from((60, 90, 120, 180))) // length
    charge = st.lists(st.integers(0, 60), min_size=sharing.size, max_size=sharing.size)
    fields = {"length": length, "denominator": parts, "price": min(price, parts)}
    fields |= {"charges": data.draw(charge), "ordered": 1, **({"twins": 1} if twins else {})}
    try:
        words = proven_io(dag, memory, rules, Certificate("reuse", fields))
    except CertificateError:
        return
    assert words <= optimum(dag, memory, rules)


def test_orders_prove_more_where_memory_is_small(monkeypatch):
    monkeypatch.setattr(short_windows, "LAST", 4)
    dag = random_layered(n=60, layers=8, max_indegree=3, seed=5)
    memory = min_memory(dag)
    bound = reuse(dag, memory, time_limit=60)
    check(dag, memory, bound)
    data = dict(bound.certificate.data)
    assert data["ordered"] == 1
    monkeypatch.setattr(short_windows, "TIGHT", -100)
    assert reuse(dag, memory, time_limit=60).io < bound.io
    for change in ({"ordered": 0}, {"ordered": -1}, {"ordered": [1]}, {"charges": []}):
        forged = Certificate("reuse", {**data, **change})
        with pytest.raises(CertificateError):
            check(dag, memory, Bound("reuse", memory, bound.io, ONE_SHOT, forged))
