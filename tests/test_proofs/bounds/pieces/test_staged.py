"""Stages of values, and moments that share them: orders, optima, forged certificates."""

import random
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, from_edges
from pebble import ONE_SHOT, Budget, Rules, compulsory_words, min_memory
from proofs import Certificate, CertificateError, check, decomposition
from proofs.bounds.pieces.chains import all_readers, longest_chains
from proofs.bounds.pieces.exact_pieces import exact_pieces, with_states
from proofs.certificates import proven_io
from proofs.certificates.pieces.exhaustive import least_excess
from proofs.certificates.pieces.piece import MOST_VERTICES, Cutter, Stages
from tests.oracles import optimum
from tests.strategies import dags

SLIDING = Rules(sliding=True)


def rounds(entries, times):
    """Sums of the same entries, each begun with the sum before."""
    edges = []
    for step in range(times * entries):
        v = entries + step
        edges += [(step % entries, v)] + ([(v - 1, v)] if step else [])
    return from_edges(entries * (times + 1), edges)


def orders(dag, rng):
    """A random order of the computed vertices."""
    rows = np.split(dag.pred_indices, dag.pred_indptr[1:-1])
    left, order = set(dag.computed.tolist()), []
    while left:
        ready = [v for v in sorted(left) if not left.intersection(rows[v].tolist())]
        order.append(int(rng.choice(ready)))
        left.remove(order[-1])
    return order


def front_of_an_order(dag, seed):
    """Draw an order of computations and up to three of them, rising."""
    rng = np.random.default_rng(seed)
    order = orders(dag, rng)
    chosen = rng.choice(order, min(len(order), int(rng.integers(1, 4))), replace=False)
    return order, np.sort(chosen)


@given(dags(max_vertices=12).filter(lambda dag: dag.computed.size), st.integers(0, 2**20))
@settings(max_examples=60)
def test_every_order_computes_a_front_in_stages_of_its_span(dag, seed):
    stages, (order, front) = longest_chains(dag, Budget()), front_of_an_order(dag, seed)
    turn = {v: i for i, v in enumerate(order)}
    first, last = stages.span(front)
    due = min(turn[v] for v in front.tolist())
    for v in range(dag.n):
        chain = stages.readers[stages.owners == v].tolist()
        assert chain == sorted(chain, key=turn.__getitem__)
        stage = sum(turn[u] < due for u in chain)
        assert first[v] <= stages.first[v] + stage <= last[v]
        assert stages.last[v] - stages.first[v] == len(chain)


@given(dags(max_vertices=12).filter(lambda dag: dag.computed.size), st.integers(0, 2**20))
@settings(max_examples=60)
def test_stages_by_all_readers_span_every_order(dag, seed):
    stages, (order, front) = all_readers(dag), front_of_an_order(dag, seed)
    turn = {v: i for i, v in enumerate(order)}
    first, last = stages.span(front)
    due = min(turn[v] for v in front.tolist())
    for v in range(dag.n):
        readers = [u for u in order if v in operands(dag, u)]
        assert stages.readers[stages.owners == v].tolist() == sorted(readers) * (len(readers) > 1)
        stage = sum(turn[u] < due for u in readers) * (len(readers) > 1)
        assert first[v] <= stages.first[v] + stage <= last[v]


@given(dags(max_vertices=8), st.data())
@settings(max_examples=100)
def test_moments_in_stages_by_all_readers_never_exceed_the_optimum(dag, data):
    rules = data.draw(st.sampled_from([ONE_SHOT, SLIDING]))
    memory = min_memory(dag, rules=rules) + data.draw(st.integers(0, 1))
    bound = decomposition(dag, memory, rules=rules, time_limit=0.05)
    check(dag, memory, bound)
    assert bound.io <= optimum(dag, memory, rules)


def test_the_longest_chains():
    dag = rounds(4, 3)
    chains = longest_chains(dag, Budget())
    assert [chains.readers[chains.owners == v].tolist() for v in (0, 3)] == [
        [4, 8, 12],
        [7, 11, 15],
    ]
    count = from_edges(MOST_VERTICES + 1, [(v, v + 1) for v in range(MOST_VERTICES)])
    with pytest.raises(CertificateError, match="more than 4096"):
        Stages(count, np.array([0]), np.array([1]))


def test_what_waits_again_counts_again():
    for method in (decomposition, exact_pieces):
        bound = method(rounds(12, 4), 4, time_limit=1.0)
        check(rounds(12, 4), 4, bound)
        assert bound.io > compulsory_words(rounds(12, 4)) + 12  # an input counts once in shares


@given(dags(max_vertices=9), st.sampled_from([ONE_SHOT, SLIDING, Rules(recompute=True)]))
@settings(max_examples=60)
def test_pieces_and_fronts_in_stages_never_exceed_the_optimum(dag, rules):
    memory = max(1, min_memory(dag, rules=rules))
    bound = with_states(3)(dag, memory, rules=rules, time_limit=0.1)
    check(dag, memory, bound)
    assert bound.io <= optimum(dag, memory, rules)


@pytest.fixture(scope="module")
def honest():
    """A certificate with chains, moments and quotas, of a DAG with its memory."""
    dag = rounds(8, 3)
    bound = decomposition(dag, 4, time_limit=1.0)
    assert bound.certificate.kind == "staged"
    return dag, bound.certificate.data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"owners": np.array([0])}, "for 1 owners"),
        ({"owners": np.array([0, 0]), "readers": np.array([16, 8])}, "do not all follow"),
        ({"owners": np.array([0, 0]), "readers": np.array([8, 8])}, "do not all follow"),
        ({"owners": np.array([0]), "readers": np.array([9])}, "do not all read"),
        ({"owners": np.array([1, 0]), "readers": np.array([9, 8])}, "do not rise"),
        ({"owners": np.array([40]), "readers": np.array([9])}, "are not from 0"),
        ({"owners": np.array([0]), "readers": np.array([-1])}, "are not from 0"),
        ({"owners": np.zeros(0, np.int64), "readers": np.zeros(0, np.int64)}, "more than once"),
        ({"denominator": 2**61}, "too large"),
        ({"parts": 3}, "no list"),
        ({"parts": [3]}, "no object"),
    ],
)
def test_forged_chains(honest, change, message):
    dag, data = honest
    with pytest.raises(CertificateError, match=message):
        proven_io(dag, 4, ONE_SHOT, Certificate("staged", {**data, **change}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda part: {**part, "share": 2 * part["share"]}, "more than once"),
        (lambda part: {**part, "share": 10**9}, "more than all"),
        (
            lambda part: {**part, "proof": "moments"},
            "not one of moment, front, order, balances, exact, forest, reloads, w",
        ),
        (lambda part: {**part, "data": 3}, "no object"),
        (lambda part: {**part, "data": {**part["data"], "stored": np.array([0])}}, "an input"),
        (lambda part: {**part, "data": {**part["data"], "loaded": np.array([99])}}, "no rising"),
        (lambda part: {**part, "data": {**part["data"], "more": 1}}, "does not belong"),
    ],
)
def test_forged_parts(honest, change, message):
    dag, data = honest
    proven_io(dag, 4, ONE_SHOT, Certificate("staged", data))
    parts = [change(part) for part in data["parts"]]
    with pytest.raises(CertificateError, match=message):
        proven_io(dag, 4, ONE_SHOT, Certificate("staged", {**data, "parts": parts}))


def test_rules_with_recomputation_are_refused(honest):
    dag, data = honest
    with pytest.raises(CertificateError, match="computed once"):
        proven_io(dag, 4, Rules(recompute=True), Certificate("staged", data))


def test_a_piece_uses_only_what_it_reads():
    """Two pieces that meet in a value which one of them reads: both count in full."""
    dag = rounds(8, 2)
    below = np.array([*range(8), *range(8, 16)])
    parts = [
        {"vertices": below, "share": 1, "proof": "exact", "data": {"excess": 0}},
        {"vertices": np.arange(15, 24), "share": 1, "proof": "exact", "data": {"excess": 0}},
    ]
    nothing = np.zeros(0, np.int64)
    data = {"owners": nothing, "readers": nothing, "denominator": 1, "parts": parts}
    assert proven_io(dag, 4, ONE_SHOT, Certificate("staged", data)) == compulsory_words(dag)
    twice = {**data, "parts": [parts[0], parts[0]]}
    with pytest.raises(CertificateError, match="more than once"):
        proven_io(dag, 4, ONE_SHOT, Certificate("staged", twice))


def test_stages_of_values_without_chains():
    dag, nothing = fft(4), np.zeros(0, np.int64)
    stages = Stages(dag, nothing, nothing)
    assert stages.count == dag.n
    assert (stages.first == stages.last).all()


def forged(rng, dag, data):
    """The certificate with chains, quotas, shares, parts or their moments drawn anew."""
    data = deepcopy(data)
    edges = [(int(u), v) for v in range(dag.n) for u in operands(dag, v)]
    chains = list(zip(data["owners"].tolist(), data["readers"].tolist(), strict=True))
    way = rng.randrange(8)
    if way == 0:
        chains = rng.sample(chains, rng.randint(0, len(chains)))
    elif way == 1:
        chains += rng.choices(edges, k=rng.randint(1, 3))
    elif way == 2:
        chains = rng.sample(edges, rng.randint(0, len(edges)))
    elif way == 3:
        data["denominator"] = max(1, data["denominator"] // rng.choice([1, 2, 3]))
    elif way == 4:
        data["parts"] += deepcopy(rng.choices(data["parts"], k=rng.randint(1, 2)))
    part = rng.choice(data["parts"])
    if way == 5:
        part["share"] = max(1, part["share"] * rng.choice([1, 2, 3]) // rng.choice([1, 2]))
    inner = part["data"]
    if way >= 5 or rng.random() < 0.3:
        inner.update({name: drawn_places(rng, dag) for name in ("stored", "loaded")})
    if way == 6 and "vertex" in inner:
        inner["vertex"] = max(0, inner["vertex"] + rng.choice([-1, 1]))
    if way == 7 and "excess" in inner:
        inner["excess"] += 1
    owners = np.array([u for u, _ in sorted(chains)], np.int64)
    readers = np.array([v for _, v in sorted(chains)], np.int64)
    return {**data, "owners": owners, "readers": readers}


def operands(dag, v):
    """The operands of a vertex."""
    return dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]]


def drawn_places(rng, dag):
    """Some places in a piece, rising."""
    return np.array(sorted(rng.sample(range(dag.n), rng.randint(0, 2))), np.int64)


def whole(dag, memory, rules):
    """A certificate in stages that searches all of a DAG, as one piece."""
    result = least_excess(Cutter(dag).whole(), memory, rules)
    proof = {"proof": "exact", "data": {"excess": result.excess}}
    chains = longest_chains(dag, Budget())
    return {
        "owners": chains.owners,
        "readers": chains.readers,
        "denominator": 2,
        "parts": [{"vertices": "all", "share": 2, **proof}],
    }


@pytest.mark.parametrize("rules", [ONE_SHOT, SLIDING, Rules(recompute=True)])
def test_no_forgery_proves_more_than_the_optimum(rules):
    dag = rounds(2, 2) if rules.recompute else rounds(3, 2)
    memory = min_memory(dag, rules=rules)
    best = optimum(dag, memory, rules)
    honest = [whole(dag, memory, rules)]
    if not rules.recompute:
        moments = decomposition(dag, memory, rules=rules, time_limit=0.2).certificate
        assert moments.kind == "staged"
        honest.append(moments.data)
    rng, sound, refused = random.Random(1), 0, 0
    for _ in range(300):
        data = forged(rng, dag, rng.choice(honest))
        try:
            assert proven_io(dag, memory, rules, Certificate("staged", data)) <= best
            sound += 1
        except CertificateError:
            refused += 1
    assert min(sound, refused) > 50
