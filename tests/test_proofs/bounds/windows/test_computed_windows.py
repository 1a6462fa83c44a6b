"""Windows of a play whose loads are computed: the counting on real plays, and the bounds."""

import functools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, bitonic_sort, fft, from_edges, load, matmul, pyramid, random_layered
from pebble import ONE_SHOT, RULES, Move, min_memory, play
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    compulsory,
    dominators,
)
from proofs.bounds.windows import computed_windows
from proofs.certificates.windows.computed_windows import costs, proven, red_words
from schedulers import SCHEDULERS
from tests.oracles import optimum
from tests.strategies import dags, legal_schedules, memories, some_of
from tests.test_proofs.certificates.test_certificates import changed, changes
from tests.test_proofs.certificates.windows.test_placements import dominates, operands_of

RECOMPUTE = RULES["recompute"]
GOOD = ["depth-first+belady-cost", "natural+belady-cost"]


def unnamed(dag, **changes):
    """The same DAG, without a family."""
    return CDAG(dag.pred_indptr, dag.pred_indices, **{"outputs": dag.outputs, **changes})


def stretches(dag, schedule, counted, cuts):
    """(before, computed first, red at first, loaded) of each window between cuts of a play."""
    red, done, number = set(), set(), 0
    begun, at_first, loaded = set(), set(), set()
    cuts = list(cuts)
    for op, v in zip(schedule.op.tolist(), schedule.vertex.tolist(), strict=True):
        if op == Move.COMPUTE and v not in done:
            if v in counted:
                if cuts and number == cuts[0]:
                    yield begun, done - begun, at_first, loaded
                    cuts.pop(0)
                    begun, at_first, loaded = set(done), set(red), set()
                number += 1
            done.add(v)
        if op == Move.LOAD:
            loaded.add(v)
        if op in (Move.LOAD, Move.COMPUTE):
            red.add(v)
        if op == Move.DELETE:
            red.discard(v)
    yield begun, done - begun, at_first, loaded


@given(st.data())
@settings(max_examples=150)
def test_what_windows_load_dominates_what_they_compute(data):
    """The counting of `certificates.computed_windows`, in real plays."""
    dag = data.draw(dags(max_vertices=14).filter(lambda dag: dag.computed.size))
    rules = data.draw(st.sampled_from(list(RULES.values())))
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    keep = some_of(data.draw, dag.computed.tolist())
    counted = np.array(keep)
    cuts = some_of(data.draw, range(1, max(2, len(keep))), least=0, most=4)
    cuts = [cut for cut in cuts if cut < len(keep)]
    red = red_words(dag, counted, memory, rules)
    moved = dag.words_of(dag.outputs)
    denominator = max(1, len(cuts))
    operands, inputs = operands_of(dag), set(dag.inputs.tolist())
    for number, (begun, members, at_first, loaded) in enumerate(
        stretches(dag, schedule, keep, cuts)
    ):
        assert dag.sizes[sorted(at_first)].sum() <= (red if number else 0)
        chosen = (at_first | loaded) & (begun | inputs)
        assert dominates(operands, chosen, begun, members)
        cost = costs(dag, denominator, int(number > 0))
        moved += sum(int(cost[v]) for v in loaded & (begun | inputs)) / denominator
    assert play(dag, schedule, memory, rules=rules).io >= moved - 1e-6


@st.composite
def joined(draw):
    """A small DAG in which every computed vertex has about two operands: much must be moved."""
    n, inputs = draw(st.integers(8, 11)), draw(st.integers(2, 4))
    pairs = [
        draw(st.sets(st.integers(0, v - 1), min_size=1 + (draw(st.integers(0, 4)) > 0), max_size=2))
        for v in range(inputs, n)
    ]
    edges = [(u, v) for v, row in enumerate(pairs, inputs) for u in row]
    words = draw(st.none() | st.lists(st.integers(1, 3), min_size=n, max_size=n))
    outputs = draw(st.sets(st.integers(inputs, n - 1), max_size=2))
    return from_edges(n, edges, words=words, outputs=sorted(outputs))


@given(joined(), st.sampled_from(list(RULES.values())), st.integers(0, 1))
@settings(max_examples=60)
def test_never_above_the_optimum(dag, rules, more):
    memory = min_memory(dag, rules=rules) + more
    bound = dominators(dag, memory, rules=rules)
    check(dag, memory, bound)
    floor = compulsory(dag, memory, rules=rules).io
    assert bound.io >= floor
    if bound.io > floor:
        assert bound.io <= optimum(dag, memory, rules)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_above_what_is_compulsory_and_below_the_optimum(rules):
    """4 points: the bound is above the compulsory traffic where each value may come again."""
    dag = unnamed(fft(4))
    memory = min_memory(dag, rules=rules)
    bound = dominators(dag, memory, rules=rules)
    check(dag, memory, bound)
    assert compulsory(dag, memory).io < bound.io <= optimum(dag, memory, rules)


@pytest.mark.parametrize(
    ("dag", "memory", "least"),
    [
        (unnamed(fft(8)), 4, 20),
        (unnamed(pyramid(8)), 3, 13),
        (unnamed(bitonic_sort(8)), 3, 20),
        (random_layered(50, seed=1), 4, 18),
    ],
    ids=["fft", "pyramid", "bitonic_sort", "random_layered"],
)
def test_strong_without_a_family(dag, memory, least):
    bound = dominators(dag, memory, rules=RECOMPUTE)
    check(dag, memory, bound)
    assert bound.certificate.kind == "computed-windows"
    best = min(play(dag, SCHEDULERS[s](dag, memory), memory).io for s in GOOD)
    assert compulsory(dag, memory).io < least <= bound.io <= best


@functools.cache
def small_bound():
    dag = unnamed(pyramid(6))
    return dag, dominators(dag, 3, rules=RECOMPUTE)


def test_a_change_of_any_field_is_rejected_or_proves_what_it_says():
    dag, bound = small_bound()
    assert bound.io > compulsory(dag, 3).io
    data = json.loads(json.dumps({**bound.certificate.data, "counted": "all"}))
    rejected = 0
    for place, value in changes(data):
        certificate = Certificate("computed-windows", changed(data, place, value))
        try:
            check(dag, 3, Bound("dominators", 3, bound.io, RECOMPUTE, certificate))
        except CertificateError:
            rejected += 1
        else:  # another window, branch or multiplier that proves the same
            assert place[0] == "windows"
    assert rejected > 4


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("counted", "some"),
        ("counted", [0]),
        ("counted", [9, 8]),
        ("counted", [8]),
        ("denominator", 0),
        ("denominator", 2**70),
        ("windows", None),
        ("windows", [3]),
        ("windows", [{}]),
        ("windows", [{"first": 0, "last": 5, "share": 1, "tree": [[0, 0, 64]]}]),
        ("windows", [{"first": 0, "last": 99, "share": 0, "tree": [[0, 0, 64]]}]),
        ("windows", [{"first": 5, "last": 5, "share": 0, "tree": [[0, 0, 64]]}]),
        ("windows", [{"first": -1, "last": 5, "share": 0, "tree": [[0, 0, 64]]}]),
        ("windows", [{"first": 5, "last": 9, "share": 9, "tree": [[0, 0, 64]]}]),
        ("windows", [{"first": 0, "last": 5, "share": 0, "tree": "all"}]),
        ("windows", [{"first": 0, "last": 5, "share": 0, "tree": []}]),
        ("windows", [{"first": f, "last": 9, "share": 0, "tree": [[0, 0, 64]]} for f in (0, 8)]),
    ],
)
def test_nonsense_is_rejected(field, value):
    dag, bound = small_bound()
    data = {**bound.certificate.data, field: value}
    with pytest.raises(CertificateError):
        check(dag, 3, Bound("", 3, bound.io, RECOMPUTE, Certificate("computed-windows", data)))


def test_windows_that_prove_less_prove_what_is_compulsory():
    dag = pyramid(6)
    data = {"counted": "all", "denominator": 1, "windows": []}
    assert proven(dag, 3, RECOMPUTE, data) == compulsory(dag, 3).io


def test_the_larger_of_both_sources():
    dag = fft(8)
    by_family = dominators(dag, 4, rules=RECOMPUTE)
    assert by_family.io >= dominators(unnamed(dag), 4, rules=RECOMPUTE, time_limit=0.1).io
    assert dominators(fft(1024), 16, rules=RECOMPUTE).certificate.kind == "windows"


def test_where_nothing_applies():
    large = from_edges(500, [(v, v + 1) for v in range(499)])
    for dag in (large, load("matmul:n=8")):
        with pytest.raises(NotApplicableError, match="has more than 400 vertices"):
            dominators(dag, 8)
    heavy = from_edges(3, [(0, 1), (1, 2)], words=[2**31 - 1] * 3)
    assert dominators(heavy, 2**33).io == compulsory(heavy, 2**33).io


def test_values_of_many_words_prove_more_too():
    size = 2**31 - 1
    large = unnamed(random_layered(50, seed=1), words=[size] * 50)
    bound = dominators(large, 4 * size, rules=RECOMPUTE)
    check(large, 4 * size, bound)
    assert bound.io % size == 0
    assert bound.io > compulsory(large, 4 * size).io


def test_no_games_and_huge_memories():
    for dag in (from_edges(2, []), from_edges(2, [(0, 1)]), matmul(2), pyramid(5)):
        bound = dominators(dag, 10**6, rules=ONE_SHOT)
        check(dag, 10**6, bound)
        assert bound.io == compulsory(dag, 10**6).io


def test_trees_are_the_same_every_time():
    dag = random_layered(50, seed=1)
    one = dominators(dag, 4, rules=RECOMPUTE)
    kept = dominators(dag, 4, rules=RECOMPUTE)
    computed_windows.searched.cache_clear()
    two = dominators(dag, 4, rules=RECOMPUTE)
    assert kept.certificate.data["windows"] is not one.certificate.data["windows"]
    assert kept.certificate.data["windows"] == one.certificate.data["windows"]
    assert (one.io, one.certificate.data["windows"]) == (two.io, two.certificate.data["windows"])
    assert one.certificate.kind == "computed-windows"
