"""Reuse in short windows: sets against enumeration, bounds against optima, forged certificates."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, from_edges, random_layered, stencil
from dags.arrays import lock
from pebble import ONE_SHOT, RULES, Rules, min_memory, play
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    compulsory,
    reuse,
)
from proofs.bounds.windows import short_windows
from proofs.certificates import proven_io
from proofs.certificates.windows.reuse import FAR, Savings, Sharing
from schedulers import scheduler_named
from tests.naive import rows
from tests.oracles import optimum
from tests.strategies import dags, memories

ONCE = [rules for rules in RULES.values() if not rules.recompute]


def sets_of(dag, length):
    """The sets of 2 to `length` steps that share values and span no more, by all subsets."""
    steps = dag.computed.tolist()
    touched = {v: {*rows(dag)[v], v} for v in steps}
    order = nx.DiGraph((u, v) for v in steps for u in rows(dag)[v])
    order.add_nodes_from(steps)
    after = {v: nx.descendants(order, v) for v in steps}
    for size in range(2, length + 1):
        for step in combinations(steps, size):
            shared = nx.Graph()
            shared.add_nodes_from(step)
            pairs = combinations(step, 2)
            shared.add_edges_from((x, y) for x, y in pairs if touched[x] & touched[y])
            between = {z for x in step for z in after[x] for y in step if y in after[z]}
            if nx.is_connected(shared) and len({*step, *between}) <= length:
                yield step, touched


@given(dags(max_vertices=9), st.integers(2, 4), st.data())
def test_sets_and_their_slacks(dag, length, data):
    savings = Savings(Sharing(dag, min_memory(dag) + 1, ONE_SHOT), length, 60, 40)
    chosen = st.lists(st.integers(0, 300), min_size=dag.computed.size, max_size=dag.computed.size)
    charge = np.array(data.draw(chosen), np.int64)
    place = {v: x for x, v in enumerate(dag.computed.tolist())}
    expected, count = [FAR] * dag.computed.size, 0
    for members, touched in sets_of(dag, length):
        count += 1
        saved = sum(
            int(savings.weight[u]) * (sum(u in touched[x] for x in members) - 1)
            for u in set().union(*(touched[x] for x in members))
        )
        slack = sum(int(charge[place[x]]) for x in members) - saved
        for x in members:
            expected[place[x]] = min(expected[place[x]], slack)
    sets, slack, witness = savings.slacks(lock(charge), 0, charge.size, 10**6)
    assert (sets, slack.tolist()) == (count, expected)
    assert all(x in witness[x] for x in range(charge.size) if slack[x] < FAR)
    _, quickly, witness = savings.slacks(lock(charge), 0, charge.size, 10**6, counted=length - 1)
    assert quickly.tolist() == expected
    assert all(x in witness[x] for x in range(charge.size) if slack[x] < FAR)
    too_many, _, _ = savings.slacks(lock(charge), 0, charge.size, max(count - 1, 0))
    assert too_many == (-1 if count else 0)


@given(st.data())
@settings(max_examples=60)
def test_it_never_exceeds_the_optimum_and_its_certificate_stands(data):
    dag = data.draw(dags(max_vertices=9))
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(memories(dag, rules))
    bound = reuse(dag, memory, rules=rules, time_limit=0.1)
    check(dag, memory, bound)
    assert bound.io <= optimum(dag, memory, rules)


@given(st.data())
@settings(max_examples=150)
def test_any_charges_that_are_accepted_prove_what_is_true(data):
    dag = data.draw(dags(max_vertices=8))
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(memories(dag, rules))
    steps = dag.computed.size
    parts = data.draw(st.integers(1, 12))
    charges = data.draw(st.lists(st.integers(0, 3 * parts), min_size=steps, max_size=steps))
    fields = {
        "length": data.draw(st.integers(2, 5)),
        "denominator": parts,
        "price": data.draw(st.integers(0, 2 * parts)),
        "charges": charges,
    }
    try:
        words = proven_io(dag, memory, rules, Certificate("reuse", fields))
    except CertificateError:
        return
    assert words <= optimum(dag, memory, rules)


def test_it_proves_more_than_what_waits_where_little_is_shared(monkeypatch):
    monkeypatch.setattr(short_windows, "LAST", 4)
    dag = random_layered(n=120, layers=12, max_indegree=3, seed=5)
    memory = min_memory(dag)
    bound = reuse(dag, memory, time_limit=60)
    check(dag, memory, bound)
    assert bound.io > 1.5 * (dag.used_inputs.size + dag.outputs.size)


def test_forged_certificates(monkeypatch):
    monkeypatch.setattr(short_windows, "LAST", 4)
    dag = random_layered(n=40, seed=2)
    bound = reuse(dag, 4, time_limit=60)
    assert bound.certificate.kind == "reuse"
    data = dict(bound.certificate.data)
    charges = list(data["charges"])
    for change in (
        {"charges": [0] * len(charges)},
        {"charges": charges[1:]},
        {"charges": [-1, *charges[1:]]},
        {"length": 1},
        {"length": 99},
        {"denominator": 0},
        {"denominator": 2**60},
        {"price": -1},
        {"price": 2**62},
        {"more": 1},
    ):
        forged = Certificate("reuse", {**data, **change})
        with pytest.raises(CertificateError):
            check(dag, 4, Bound("reuse", 4, bound.io, ONE_SHOT, forged))


def test_where_it_does_not_apply():
    with pytest.raises(NotApplicableError, match="once"):
        reuse(random_layered(n=20), 4, rules=Rules(recompute=True))
    with pytest.raises(NotApplicableError, match="played"):
        reuse(random_layered(n=20), 1)
    wide = from_edges(9000, [(v - 1, v) for v in range(1, 9000)])
    with pytest.raises(NotApplicableError, match="too large"):
        reuse(wide, 4)
    assert reuse(from_edges(3, []), 4).io == 0
    words, rows = [2, 1, 1, 3, 3, 1, 1, 2, 2], ([0, 0, 0, 0, 0, 0, 2, 2, 2, 3], [2, 3, 4])
    nothing_twice = CDAG(*rows, words=words, outputs=[5, 8])
    assert reuse(nothing_twice, 4, rules=Rules(sliding=True)).io == compulsory(nothing_twice, 4).io


def test_steps_that_look_alike_have_one_charge(monkeypatch):
    """Few kinds of steps make up a stencil; what is found so is checked set by set as ever."""
    monkeypatch.setattr(short_windows, "ALIKE", 10)
    dag = stencil(shape=(6, 6), steps=3)
    kind, count = short_windows.kinds_of_steps(Sharing(dag, 7, ONE_SHOT))
    assert count.sum() == kind.size == dag.computed.size > 4 * count.size
    bound = reuse(dag, 7, time_limit=1)
    check(dag, 7, bound)
    played = play(dag, scheduler_named("natural+belady")(dag, 7), 7)
    assert compulsory(dag, 7).io < bound.io <= played.io
