"""Windows of hops of the Dirac operator: few sites have few hops between them."""

import random
from itertools import combinations

import pytest

from dags import CDAG, dirac, load, matmul
from pebble import ONE_SHOT, min_memory, play
from pebble.rules import RULES
from proofs import BOUNDS, NotApplicableError, check, compulsory
from proofs.bounds.families.dirac import dirac_words
from proofs.certificates import CertificateError
from proofs.certificates.families.dirac import hops_and_rest, most_hops, proven
from redblue.experiments.dirac_curve import SLIDING, dirac_curve, proved_local_io
from schedulers import structured


def hops_of(dag):
    """Pairs (Phi of a site, Psi of a site): the hops, traced along the chains of Phi."""
    sites = dag.params["k"] ** 3 * dag.params["n4"]
    site, pairs = {}, []
    for v in dag.computed.tolist():
        operands = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        before = [site[u] for u in operands if u in site]
        if before:
            site[v] = before[0]
            pairs += [(site[v], u) for u in operands if u < sites]
        elif len(operands) == 1 and not dag.channel[v]:
            site[v] = operands[0]  # K Psi begins the chain
    return pairs


@pytest.mark.parametrize(
    ("k", "n4", "wrap"), [(1, 3, True), (2, 3, True), (2, 4, True), (3, 2, False)]
)
def test_few_sites_have_few_hops(k, n4, wrap):
    """Any sets, and those that grow by the vertex with most hops to what is there."""
    dag = dirac(k, n4, wrap)
    ring = n4 if wrap else None
    pairs = hops_of(dag)
    hops, _, told = hops_and_rest(dag, dag.params)
    assert (hops, told) == (len(pairs), ring)
    graph = {}
    for x, y in pairs:
        graph.setdefault(("phi", x), set()).add(("psi", y))
        graph.setdefault(("psi", y), set()).add(("phi", x))
    rng = random.Random(k * n4)
    vertices = sorted(graph)
    if len(vertices) <= 6:
        for size in range(len(vertices) + 1):
            for chosen in combinations(vertices, size):
                inside = sum(len(graph[v] & set(chosen)) for v in chosen) // 2
                assert inside <= most_hops(size, ring)
    for _ in range(20):
        chosen, inside = {rng.choice(vertices)}, 0
        while len(chosen) < len(vertices):
            near = set().union(*(graph[v] for v in chosen)) - chosen or set(vertices) - chosen
            best = max(near, key=lambda v: (len(graph[v] & chosen), rng.random()))
            inside += len(graph[best] & chosen)
            chosen.add(best)
            assert inside <= most_hops(len(chosen), ring)
        assert inside == hops


def test_cubes_have_as_many():
    """4 N - 4 N^(3/4) edges for N points is what a cube has."""
    for side in range(1, 6):
        assert most_hops(side**4, None) == 4 * (side**4 - side**3)
    assert [most_hops(points, None) for points in (1, 2, 3, 4)] == [0, 1, 2, 4]
    steps = [most_hops(points + 1, 5) - most_hops(points, 5) for points in range(1, 500)]
    assert min(steps) >= 0


@pytest.mark.parametrize(("wrap", "copies"), [(True, False), (False, False), (True, True)])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_play_moves_less(rules, wrap, copies):
    dag = dirac(2, 4, wrap, copies=copies)
    least = min_memory(dag, rules=rules)
    for memory in (least, least + 30, 400):
        bound = BOUNDS["dirac"](dag, memory, rules=rules)
        check(dag, memory, bound)
        played = play(dag, structured.blocks(dag, memory, rules=rules), memory, rules=rules)
        assert compulsory(dag, memory).io <= bound.io <= played.io
    assert BOUNDS["dirac"](dag, least, rules=rules).io > compulsory(dag, least).io


def test_any_order_of_hops():
    proved = {
        BOUNDS["dirac"](dirac(3, 4, sweep=sweep, slab=slab), 90).io
        for sweep in ("x1", "x4")
        for slab in (1, 3)
    }
    assert len(proved) == 1


def test_local_words_of_the_best_plays():
    k, n4 = 3, 4
    sites = k**3 * n4
    for point in dirac_curve(k, n4, [66, 128, 400]):
        proved = proved_local_io(k, n4, point.memory)
        assert 120 * sites <= proved <= point.local_io
    assert proved_local_io(k, n4, 66) > 130 * sites


def test_what_is_rejected():
    dag = dirac(2, 3)
    bound = BOUNDS["dirac"](dag, 66, rules=SLIDING)
    data = bound.certificate.data
    assert proven(dag, 66, SLIDING, data) == bound.io
    for field, value in (
        ("windows", 0),
        ("windows", 10**6),
        ("params", {"k": 2, "n4": 4}),
        ("params", 3),
    ):
        with pytest.raises(CertificateError):
            proven(dag, 66, SLIDING, {**data, field: value})
    light = CDAG(
        dag.pred_indptr, dag.pred_indices, outputs=dag.outputs, family="dirac", params=dag.params
    )
    for other in (light, matmul(2)):
        with pytest.raises(NotApplicableError):
            BOUNDS["dirac"](other, 90)


def test_the_same_words_without_the_dag():
    for spec in (
        "dirac:k=2,n4=4",
        "dirac:k=3,n4=4",
        "dirac:k=2,n4=3,wrap=false",
        "dirac:k=1,n4=3",
        "dirac:k=2,n4=3,copies=true",
    ):
        dag = load(spec)
        for memory in (90, 150, 800):
            assert dirac_words(dag.params, memory, ONE_SHOT) == BOUNDS["dirac"](dag, memory).io
