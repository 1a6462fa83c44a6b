"""Bounds by windows of updates: never above the optimum or a play, their targets, their checker."""

from itertools import product
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import (
    CDAG,
    attention,
    cholesky,
    convolution,
    fft,
    lu,
    matmul,
    matvec,
    qr_givens,
    syrk,
    triangular_solve,
)
from pebble import ONE_SHOT, RULES, Move, min_memory, play
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    compulsory,
    projections,
)
from proofs.lemmas.generated import is_single_use
from proofs.lemmas.loops.projections import SEGMENTS
from proofs.lemmas.loops.updates import GAINS
from schedulers import structured
from tests.oracles import optimum
from tests.registries import QUICK_SCHEDULERS
from tests.test_proofs.touched import FOUND, by_windows, touched_words

FEW = range(1, 5)
SMALL = [
    dag
    for dag in [
        *(matmul(n, m, k, form) for n, m, k, form in product(FEW, FEW, FEW, ("fma", "tree"))),
        *(matvec(n, m) for n, m in product(FEW, FEW)),
        *(syrk(n, k) for n, k in product(FEW, FEW)),
        *(triangular_solve(n, k) for n, k in product(FEW, FEW)),
        *(convolution(1, width, kernel=1, filters=f) for width, f in product(FEW, FEW)),
        *(convolution(2, width, kernel=2) for width in (2, 3)),
        attention(1, 1),
        cholesky(2),
        lu(2),
        qr_givens(2),
    ]
    if dag.n <= 11
]
LARGE = [
    attention(7, 3),
    cholesky(9),
    convolution(7, 6, channels=2, filters=3, kernel=3),
    convolution(8, 8, filters=4, kernel=3, stride=2),
    lu(8),
    matmul(12, 12, 1),
    matmul(2, 9, 7),
    matmul(6, form="multiply-add"),
    matmul(6, form="tree"),
    matmul(7),
    matvec(14, 9),
    qr_givens(8),
    qr_givens(4, 11),
    syrk(9, 6),
    syrk(12, 2),
    triangular_solve(10, 4),
    triangular_solve(14),
]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_never_above_the_optimum(rules):
    for dag in SMALL:
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, smallest + 1):
            try:
                bound = by_windows(dag, memory, rules=rules)
            except NotApplicableError:
                continue
            check(dag, memory, bound)
            assert compulsory(dag, memory).io <= bound.io <= optimum(dag, memory, rules), bound


@pytest.mark.parametrize(
    ("dag", "memory"),
    [(matmul(2), 4), (matmul(2), 5), (cholesky(3), 4), (lu(3), 4)],
    ids=str,
)
def test_of_sixteen_vertices(dag, memory):
    best = optimum(dag, memory, ONE_SHOT)
    assert compulsory(dag, memory).io <= by_windows(dag, memory).io <= best


@pytest.mark.parametrize("dag", LARGE, ids=repr)
def test_no_schedule_is_better(dag):
    smallest = min_memory(dag)
    for memory in (smallest, smallest + 2, 2 * smallest + 3):
        bounds = []
        for rules in RULES.values():
            try:
                bounds.append(by_windows(dag, memory, rules=rules))
            except NotApplicableError:
                continue
        for bound in bounds:
            check(dag, memory, bound)
        best = min(play(dag, plan(dag, memory), memory).io for plan in QUICK_SCHEDULERS.values())
        assert max(bound.io for bound in bounds) <= best
    assert by_windows(dag, smallest).io > compulsory(dag, smallest).io


@given(st.sampled_from(FOUND), st.sampled_from(list(QUICK_SCHEDULERS.values())), st.data())
@settings(max_examples=300)
def test_windows_of_plays_touch_no_more_than_is_moved(found, plan, data):
    """The two theorems, without inequalities: windows of any sizes of an actual play."""
    argument, dag, space = found
    memory = min_memory(dag) + data.draw(st.integers(0, 12))
    schedule = plan(dag, memory)
    computed = [v for move, v in schedule if move is Move.COMPUTE]
    number = {int(v): u for u, v in enumerate(space.updates)}
    order = [number[v] for v in computed if v in number]
    size = data.draw(st.integers(1, len(order)))
    windows = [order[begin : begin + size] for begin in range(0, len(order), size)]
    words = sum(ceil(touched_words(space, window)) for window in windows)
    gain = GAINS[argument](dag, space)
    held = ONE_SHOT.room_before(memory) * (len(windows) - 1)
    assert words - held + gain <= play(dag, schedule, memory).io


@pytest.mark.parametrize("memory", [8, 16, 32, 64])
def test_products_exceed_the_textbook_form(memory):
    """2 M ceil(m n k / M^1.5) - M + 1, the inputs and outputs, and the limit of large products."""
    io = projections(matmul(10), memory).io
    assert io > max(300, 2 * memory * ceil(1000 / memory**1.5) - memory + 1)
    limit = projections(matmul(100), memory).io / (2 * 100**3 / (memory - 1) ** 0.5)
    assert 0.999 < limit < 1.2


@pytest.mark.parametrize(
    ("dag", "updates"),
    [
        (lu(60), 2 / 3),
        (cholesky(60), 1 / (3 * 2**0.5)),
        (syrk(60, 60), 1 / 2**0.5),
        (qr_givens(60), 2 / 3),
    ],
    ids=["lu", "cholesky", "syrk", "qr"],
)
def test_leading_terms(dag, updates):
    leading = updates * 60**3 / 16**0.5
    assert 0.95 * leading < by_windows(dag, 17).io < 1.3 * leading


def test_the_outer_product_is_cheaper_than_cosma_says():
    """With k = 1 and M = 4, 2mnk/sqrt(M) + mn is 20000, and a play moves 15100."""
    dag = matmul(100, 100, 1)
    played = play(dag, structured(dag, 4), 4).io
    assert played == 15100 < 2 * 100**2 / 4**0.5 + 100**2
    assert 100**2 * (1 + 1 / 3) < by_windows(dag, 4).io <= played


@pytest.mark.parametrize(
    "dag", [matmul(5), matmul(4, form="tree"), syrk(5, 3), matvec(6)], ids=repr
)
def test_computing_again_does_not_help_where_values_are_used_once(dag):
    assert is_single_use(dag)
    once, repeated = (
        by_windows(dag, 6, rules=RULES[name]).io for name in ("one-shot", "recompute")
    )
    assert once == repeated


def with_all_outputs(dag):
    """The DAG, with every computed value an output."""
    return CDAG(
        dag.pred_indptr,
        dag.pred_indices,
        outputs=dag.computed,
        family=dag.family,
        params=dag.params,
    )


def test_chains_of_scores():
    """Under recomputation the scores of attention still take 2 N^2 d / sqrt(M) - N^2 words."""
    dag = attention(20, 20)
    bound = by_windows(dag, 17, rules=RULES["recompute"])
    check(dag, 17, bound)
    assert bound.certificate.data["argument"] == "chains"
    assert 2 * 20**3 / 4 - 20**2 <= bound.io <= by_windows(dag, 17).io


def test_outputs_on_the_way():
    """Stores of partial sums come on top where only the last ones leave."""
    dag = with_all_outputs(lu(6))
    bound = by_windows(dag, 5)
    check(dag, 5, bound)
    assert by_windows(lu(6), 5).io < bound.io
    assert bound.io <= min(play(dag, plan(dag, 5), 5).io for plan in QUICK_SCHEDULERS.values())


def test_not_applicable():
    with pytest.raises(NotApplicableError, match="no loop nest"):
        projections(fft(8), 4)
    with pytest.raises(NotApplicableError, match="under recompute"):
        projections(with_all_outputs(matmul(2)), 4, rules=RULES["recompute"])
    for known in lu(6), cholesky(4), syrk(3, 2), triangular_solve(4):
        with pytest.raises(NotApplicableError, match="no loop nest"):
            projections(known, 4)
    dag = matmul(3)
    of_sizes = CDAG(
        dag.pred_indptr,
        dag.pred_indices,
        words=np.full(dag.n, 2),
        family="matmul",
        params=dag.params,
    )
    with pytest.raises(NotApplicableError, match="not as it was generated"):
        projections(of_sizes, 8)


@given(st.data())
@settings(max_examples=100)
def test_a_dag_with_one_edge_changed_is_recognised(data):
    """Whatever still passes has premises that hold on the changed DAG as well."""
    dag = data.draw(st.sampled_from([lu(4), cholesky(4), matmul(2, form="tree"), syrk(3, 2)]))
    indices = dag.pred_indices.copy()
    edge = data.draw(st.integers(0, dag.m - 1))
    reader = int(np.searchsorted(dag.pred_indptr, edge, side="right")) - 1
    row = slice(dag.pred_indptr[reader], dag.pred_indptr[reader + 1])
    remaining = sorted(set(range(reader)) - set(indices[row].tolist()))
    indices[edge] = data.draw(st.sampled_from(remaining))
    indices[row].sort()
    changed = CDAG(
        dag.pred_indptr, indices, outputs=dag.outputs, family=dag.family, params=dag.params
    )
    memory = min_memory(changed)
    try:
        bound = by_windows(changed, memory)
    except NotApplicableError:
        return
    check(changed, memory, bound)
    best = min(
        play(changed, plan(changed, memory), memory).io
        for plan in QUICK_SCHEDULERS.values()
        if plan is not structured
    )
    assert bound.io <= best


CERTIFIED = [(matmul(6), 8), (cholesky(9), 4), (lu(8), 5), (convolution(7, 7, filters=4), 6)]


def forged(data, path, value):
    """A copy of the certificate's data with one place changed."""
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = forged(data[path[0]], path[1:], value)
    return copy


def places(data, path=()):
    """Every place of the data, with values to put there."""
    if isinstance(data, dict | list):
        yield from ((path, wrong) for wrong in ({}, [], None, "x", 1))
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*path, key))
    elif isinstance(data, str):
        yield from ((path, wrong) for wrong in (data + "1", "", "-1/2", "1/0", "1/7", "0", None, 3))
    else:
        yield from ((path, wrong) for wrong in (data + 1, data - 1, 0, -data, str(data), 2.0, True))


@pytest.mark.parametrize(("dag", "memory"), CERTIFIED, ids=str)
def test_forged_certificates(dag, memory):
    """A change is rejected, or proves no more than what some play moves: then it is a proof."""
    bound = by_windows(dag, memory)
    kind = bound.certificate.kind
    assert kind == ("projections" if dag.family in SEGMENTS else "affine")
    played = play(dag, structured(dag, memory), memory).io
    rejected = 0
    for path, value in places(bound.certificate.data):
        if not path:
            continue
        data = forged(bound.certificate.data, path, value)
        try:
            check(
                dag,
                memory,
                Bound("x", memory, bound.io, ONE_SHOT, Certificate(kind, data)),
            )
        except CertificateError:
            rejected += 1
    assert rejected > 60
    for io in (bound.io - 1, bound.io + 1, played + 1):
        with pytest.raises(CertificateError, match="proves"):
            check(dag, memory, Bound("x", memory, io, ONE_SHOT, bound.certificate))
    with pytest.raises(CertificateError):
        check(fft(16), memory, bound)


def test_segments_do_not_hold_for_recomputed_factors():
    bound = by_windows(lu(8), 5)
    assert bound.certificate.data["argument"] == "segments"
    repeated = RULES["recompute"]
    with pytest.raises(CertificateError, match="do not hold under recompute"):
        check(lu(8), 5, Bound("x", 5, bound.io, repeated, bound.certificate))
    assert by_windows(lu(8), 5, rules=repeated).certificate.data["argument"] == "dominators"
