"""Segments and windows: the counting on real plays, and the bounds on families."""

import itertools
import json
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import (
    CDAG,
    bitonic_sort,
    fft,
    from_edges,
    grid,
    hypercube,
    load,
    odd_even_merge_sort,
    pyramid,
    stencil,
)
from pebble import ONE_SHOT, RULES, Budget, Move, min_memory, play
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    compulsory,
    dominators,
    segments,
)
from proofs.bounds.windows.isoperimetry.set_sizes import best_cuts
from proofs.core.windows import Count
from schedulers import SCHEDULERS
from tests.oracles import optimum
from tests.strategies import dags, legal_schedules, memories, some_of
from tests.test_proofs.certificates.test_certificates import changed, changes

RECOMPUTE = RULES["recompute"]
SMALL = [
    "fft:n=4",
    "fft:n=3,radix=3",
    "pyramid:height=3",
    "binomial:n=3",
    "grid:shape=3x3",
    "grid:shape=2x5",
    "grid:shape=2x2x2",
    "hypercube:d=3",
    "stencil:shape=3,steps=3",
    "stencil:shape=3,steps=3,periodic=true",
    "stencil:shape=2x2,steps=2",
    "sweep:shape=5",
    "sweep:shape=2x3",
    "bitonic_sort:n=4",
    "odd_even_merge_sort:n=4",
]
LARGER = [
    "fft:n=64",
    "fft:n=81,radix=3",
    "fft:n=64,radix=4",
    "pyramid:height=24",
    "binomial:n=24",
    "grid:shape=24x24",
    "grid:shape=8x8x8",
    "grid:shape=4x4x4x4",
    "hypercube:d=7",
    "hypercube:d=13",
    "stencil:shape=40,steps=30",
    "stencil:shape=40,steps=30,periodic=true",
    "stencil:shape=8x8,steps=8",
    "stencil:shape=9x9,steps=8,neighbourhood=box,periodic=true",
    "stencil:shape=4x4x4,steps=4",
    "sweep:shape=20x20",
    "sweep:shape=8x8x8,neighbourhood=box",
    "bitonic_sort:n=64",
    "odd_even_merge_sort:n=64",
]
GOOD = ["structured", "depth-first+belady-cost", "natural+belady-cost"]


def first_computations(dag, schedule):
    """The computed vertices in the order in which they are computed first."""
    moves = zip(schedule.op.tolist(), schedule.vertex.tolist(), strict=True)
    return list(dict.fromkeys(v for op, v in moves if op == Move.COMPUTE))


def edges_of(dag):
    """Predecessors and successors of each vertex."""
    rows = itertools.pairwise(dag.pred_indptr.tolist())
    preds = [dag.pred_indices[a:b].tolist() for a, b in rows]
    rows = itertools.pairwise(dag.successors[0].tolist())
    return preds, [dag.successors[1][a:b].tolist() for a, b in rows]


def parts_of(draw, order):
    """The order, cut at random."""
    cuts = some_of(draw, range(1, max(len(order), 2)), minimum=0, limit=4)
    return [set(order[a:b]) for a, b in itertools.pairwise([0, *cuts, len(order)]) if order[a:b]]


@given(st.data())
@settings(max_examples=300)
def test_what_sets_exchange_is_moved_or_red(data):
    """The counting of `certificates.segments`, with exact boundaries of sets of real plays."""
    dag = data.draw(dags(max_vertices=14, weighted=False))
    rules = data.draw(st.sampled_from([RULES["one-shot"], RULES["one-shot-sliding"]]))
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    preds, succs = edges_of(dag)
    parts = parts_of(data.draw, first_computations(dag, schedule))
    outputs = set(dag.outputs.tolist())
    exchanged = sum(exchanged_by(preds, succs, outputs, part) for part in parts)
    red = memory - (not rules.sliding)
    io = play(dag, schedule, memory, rules=rules).io
    assert io >= exchanged - 2 * red * max(len(parts) - 1, 0)


@given(st.data())
@settings(max_examples=300)
def test_windows_that_begin_anywhere(data):
    """The counting of `core.windows`, with exact boundaries, on real plays."""
    dag = data.draw(dags(max_vertices=14, weighted=False))
    rules = data.draw(st.sampled_from([RULES["one-shot"], RULES["one-shot-sliding"]]))
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    order = first_computations(dag, schedule)
    exchanged = partial(exchanged_by, *edges_of(dag), set(dag.outputs.tolist()))
    red, floor = memory - (not rules.sliding), compulsory(dag, memory).io
    beyond = play(dag, schedule, memory, rules=rules).io - floor
    for length in range(2, len(order) + 1):
        begins = range(1 - length, len(order))
        total = sum(exchanged(set(order[max(a, 0) : a + length])) for a in begins)
        total -= length * floor + 2 * red * (len(order) - 1)
        assert (length - 1) * beyond >= total


def exchanged_by(preds, succs, outputs, part):
    """What a set of vertices reads outside, and what of it is needed outside."""
    reads = len({u for v in part for u in preds[v]} - part)
    return reads + sum(v in outputs or not part.issuperset(succs[v]) for v in part)


@given(st.data())
@settings(max_examples=300)
def test_what_sets_are_computed_from_is_loaded_or_red(data):
    """The counting of `certificates.windows`: the smallest set that dominates, by flow."""
    networkx = pytest.importorskip("networkx")
    dag = data.draw(dags(max_vertices=12, weighted=False))
    rules = data.draw(st.sampled_from(list(RULES.values())))
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    preds, _ = edges_of(dag)
    parts = parts_of(data.draw, first_computations(dag, schedule))
    needed = 0
    for part in parts:
        network = networkx.DiGraph()
        for v, row in enumerate(preds):
            network.add_edge(("in", v), ("out", v), **({} if v in part else {"capacity": 1}))
            network.add_edges_from((("out", u), ("in", v)) for u in row)
            if not row:
                network.add_edge("inputs", ("in", v))
            if v in part:
                network.add_edge(("out", v), "part")
        needed += networkx.maximum_flow_value(network, "inputs", "part")
    red = memory - (not rules.sliding)
    loads = play(dag, schedule, memory, rules=rules).loads
    assert loads >= needed - red * max(len(parts) - 1, 0)


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("weighted", [False, True])
def test_never_above_the_optimum(spec, rules, weighted):
    dag = load(spec)
    if weighted:
        words = np.random.default_rng(len(spec)).integers(2, 4, dag.n)
        dag = CDAG(
            dag.pred_indptr, dag.pred_indices, words=words, family=dag.family, params=dag.params
        )
    if dag.n > 12 and rules.recompute:
        dag = load("fft:n=4")
    memory = min_memory(dag, rules=rules)
    best = optimum(dag, memory, rules)
    for method in (segments, dominators):
        try:
            bound = method(dag, memory, rules=rules, time_limit=0.1)
        except NotApplicableError:
            continue
        check(dag, memory, bound)
        assert compulsory(dag, memory).io <= bound.io <= best


@pytest.mark.parametrize("spec", LARGER)
def test_no_scheduler_beats_it(spec):
    dag = load(spec)
    smallest = min_memory(dag)
    for memory in (smallest, 2 * smallest, 6 * smallest):
        best = min(play(dag, SCHEDULERS[s](dag, memory), memory).io for s in GOOD)
        for method in (segments, dominators):
            try:
                bound = method(dag, memory, time_limit=0.1)
            except NotApplicableError:
                continue
            check(dag, memory, bound)
            assert bound.io <= best


def test_strong_where_it_matters():
    """Words beyond the compulsory ones that issue 4 asks for, at least."""
    for dag, memory, beyond in (
        (fft(1024), 16, 2476 - 2048),
        (hypercube(10), 16, 148),
        (stencil((32, 32), 8), 8, 97),
    ):
        assert segments(dag, memory).io >= compulsory(dag, memory).io + beyond


@pytest.mark.parametrize(
    ("method", "dag", "memory", "rules"),
    [
        (segments, fft(64), 4, ONE_SHOT),
        (segments, bitonic_sort(64), 4, ONE_SHOT),
        (segments, odd_even_merge_sort(64), 4, ONE_SHOT),
        (segments, hypercube(7), 8, ONE_SHOT),
        (segments, stencil((8, 8), 6), 6, ONE_SHOT),
        (segments, stencil((40,), 20, periodic=True), 4, RULES["one-shot-sliding"]),
        (dominators, fft(64), 4, RECOMPUTE),
        (dominators, pyramid(30), 4, RECOMPUTE),
        (dominators, load("sweep:shape=20x20"), 6, ONE_SHOT),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_change_of_any_field_is_rejected_or_proves_what_it_says(method, dag, memory, rules):
    bound = method(dag, memory, rules=rules)
    assert bound.io > compulsory(dag, memory).io
    check(dag, memory, bound)
    data = json.loads(json.dumps(bound.certificate.data))
    rejected = 0
    for place, value in changes(data):
        certificate = Certificate(bound.certificate.kind, changed(data, place, value))
        try:
            check(dag, memory, Bound(bound.method, memory, bound.io, rules, certificate))
        except CertificateError:
            rejected += 1
        else:  # another valid argument for the same number
            priced = bound.certificate.kind == "priced-levels"
            multiplier = priced and place[0] in {"prices", "denominator"}
            assert multiplier or place in {("alternative",), ("params", "periodic")}
    assert rejected > 4


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("family", "nothing"),
        ("family", "matmul"),
        ("params", {}),
        ("params", [64]),
        ("params", {"n": 64, "radix": 4}),
        ("params", {"n": "64"}),
        ("params", {"n": -64}),
        ("alternative", -1),
        ("alternative", True),
        ("cuts", []),
        ("cuts", None),
        ("cuts", [[]]),
        ("cuts", [{"sizes": [384]}]),
        ("cuts", [{"sizes": [], "times": []}]),
        ("cuts", [{"sizes": [383], "times": [1]}]),
        ("cuts", [{"sizes": [-1, 385], "times": [1, 1]}]),
        ("cuts", [{"sizes": [400, 16], "times": [1, -1]}]),
    ],
)
@pytest.mark.parametrize("method", [segments, dominators])
def test_nonsense_is_rejected(method, field, value):
    bound = method(fft(64), 4)
    data = {**bound.certificate.data, field: value}
    with pytest.raises(CertificateError):
        check(
            fft(64), 4, Bound("", 4, bound.io, ONE_SHOT, Certificate(bound.certificate.kind, data))
        )


def test_segments_do_not_hold_where_values_are_computed_again():
    with pytest.raises(NotApplicableError, match="computed once"):
        segments(fft(64), 4, rules=RECOMPUTE)
    bound = segments(fft(64), 4)
    with pytest.raises(CertificateError, match="computed again"):
        check(fft(64), 4, Bound("", 4, bound.io, RECOMPUTE, bound.certificate))


def test_a_certificate_is_for_its_family_alone():
    bound = segments(fft(64), 4)
    edges = [(u, v) for v, row in enumerate(edges_of(fft(64))[0]) for u in row]
    equal = from_edges(fft(64).n, edges)
    check(equal, 4, bound)
    for second in (from_edges(fft(64).n, edges[:-1]), from_edges(fft(64).n, edges, outputs=[70])):
        with pytest.raises(CertificateError, match="the DAG is not"):
            check(second, 4, bound)


def test_where_nothing_is_known():
    for dag in (from_edges(2, [(0, 1)]), load("matmul:n=3"), load("random_tree:n=9")):
        with pytest.raises(NotApplicableError, match="no isoperimetric inequality"):
            segments(dag, 8)
    odd = CDAG(fft(4).pred_indptr, fft(4).pred_indices, family="fft", params={"n": 8})
    with pytest.raises(NotApplicableError, match="not as it was generated"):
        segments(odd, 4)


def test_one_size_of_all_values_is_a_unit():
    unit = segments(fft(64), 5)
    seven = CDAG(
        fft(64).pred_indptr,
        fft(64).pred_indices,
        words=[7] * fft(64).n,
        family="fft",
        params={"n": 64},
    )
    for memory in range(35, 42):
        bound = segments(seven, memory)
        check(seven, memory, bound)
        assert bound.io == 7 * unit.io


def test_huge_memories_prove_what_is_compulsory():
    for dag in (fft(64), grid((8, 8)), hypercube(6), stencil((8, 8), 3), pyramid(9)):
        assert segments(dag, 10**6).io == compulsory(dag, 10**6).io
        assert segments(dag, 10**6).certificate.kind == "compulsory"


def test_the_best_sizes_of_few_vertices_are_not_all_equal():
    """By hand: sizes 3 gain 1 each, 4 gain 3, 1 and 2 lose."""
    boundary = Count(10, [0, 0, 1, 4, 6, 4, 4, 4, 4, 4, 4].__getitem__)
    moves, cuts = best_cuts(boundary, 3, Budget())
    assert cuts == {"sizes": [3, 4], "times": [2, 1]}
    everything = max(
        sum(boundary.least(size) for size in sizes) - 3 * (len(sizes) - 1)
        for k in range(1, 11)
        for sizes in itertools.combinations_with_replacement(range(1, 11), k)
        if sum(sizes) == 10
    )
    assert moves == everything
