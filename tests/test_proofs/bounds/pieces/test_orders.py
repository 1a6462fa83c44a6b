"""Moments of one order: optima, gains, forged certificates."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.drawn_dags import fixed_indegree
from dags import grid, random_layered
from dags.work import charge_worked
from pebble import ONE_SHOT, Budget, Rules, compulsory_words, min_memory
from proofs import Certificate, CertificateError, check, decomposition
from proofs.bounds.pieces import staged as staged_moments
from proofs.bounds.pieces.chains import all_readers
from proofs.bounds.pieces.cuts import wavefront_excess
from proofs.bounds.pieces.orders import (
    Relaxation,
    least_seconds,
    moments_of,
    more_would_pay,
    ordered,
    solved_nearly,
)
from proofs.bounds.pieces.orders import moments as order_moments
from proofs.bounds.pieces.orders.moments import ENOUGH
from proofs.bounds.pieces.orders.relaxation import NOTHING, stepped
from proofs.certificates import proven_io
from proofs.certificates.pieces import orders as order_checks
from proofs.certificates.pieces.orders import OfOrder, Orders
from proofs.certificates.pieces.piece import Cutter
from proofs.core.records import read
from tests.oracles import optimum
from tests.strategies import dags

SLIDING = Rules(sliding=True)


def staged(dag, denominator, moments):
    """A certificate of moments alone."""
    stages = all_readers(dag)
    parts = [{"vertices": "all", "share": 1, "proof": "order", "data": data} for data in moments]
    chains = {"owners": stages.owners, "readers": stages.readers}
    return Certificate("staged", {**chains, "denominator": denominator, "parts": parts})


def drawn_moments(dag, memory, rules, rng):
    """Moments from the best prices of rows, or from those with noise."""
    full, stages = Cutter(dag).whole(), all_readers(dag)
    relaxation = Relaxation(full, stages, memory, rules, (), float(rng.choice([50, 10**9])))
    prices = solved_nearly(relaxation.program(), 0.1).prices if rng.random() < 0.7 else 0.0
    rows = relaxation.program().least.size
    noise = rng.normal(0, rng.choice([0.0, 0.03, 0.5]), rows) * (rng.random(rows) < 0.3)
    budget = 1000 * np.concatenate((full.words[stages.values], full.words))
    return moments_of(relaxation.moments, prices + noise, full, stages, 1000, budget)


@given(dags(max_vertices=8), st.integers(0, 2**20))
@settings(max_examples=60)
def test_moments_of_one_order_never_exceed_the_optimum(dag, seed):
    rng = np.random.default_rng(seed)
    rules = SLIDING if rng.random() < 0.3 else ONE_SHOT
    memory = min_memory(dag, rules=rules) + int(rng.integers(2))
    moments = drawn_moments(dag, memory, rules, rng)
    io = proven_io(dag, memory, rules, staged(dag, 1000, moments))
    assert compulsory_words(dag) <= io <= optimum(dag, memory, rules)


def found(dag, memory):
    """A certificate of the moments that are found."""
    full, stages = Cutter(dag).whole(), all_readers(dag)
    ((denominator, parts),) = ordered(full, stages, memory, ONE_SHOT, (), Budget(2.0))
    return staged(dag, denominator, [part["data"] for part in parts])


@pytest.fixture(scope="module")
def honest():
    """A certificate of moments that prove more than any do alone, of a DAG with its memory."""
    dag = random_layered(24, seed=5)
    memory = min_memory(dag, rules=ONE_SHOT)
    data = found(dag, memory).data
    parts = sorted(data["parts"], key=lambda part: not part["data"]["edges"].size)
    return dag, memory, {**data, "parts": parts}  # the first one has a flow


def with_first(data, **fields):
    """The certificate with fields of its first moment changed."""
    first, *remaining = data["parts"]
    return {**data, "parts": [{**first, "data": {**first["data"], **fields}}, *remaining]}


def test_moments_of_one_order_prove_more_than_those_that_are_apart(honest, monkeypatch):
    dag, memory, data = honest
    together = proven_io(dag, memory, ONE_SHOT, Certificate("staged", data))
    monkeypatch.setattr(staged_moments, "seconds_of", lambda full, seconds: 0.0)
    monkeypatch.setattr(staged_moments, "least_seconds", lambda full: np.inf)
    assert together > decomposition(dag, memory, time_limit=1.0).io


@pytest.mark.parametrize(
    ("tried", "share", "answer"),
    [(89, 0.0, False), (90, 0.0, True), (39, 0.5, False), (40, 0.5, True), (0, 1.0, True)],
)
def test_a_try_with_more_moments_follows_where_few_prove_much(monkeypatch, tried, share, answer):
    monkeypatch.setattr("proofs.bounds.pieces.orders.moments._step", lambda full: 1.0)
    full = Cutter(random_layered(24, seed=5)).whole()
    assert more_would_pay(full, tried, 100, share * ENOUGH) == answer


def proved_by(prices, relaxation, dag, memory):
    """The words that prices of rows prove."""
    full, stages = Cutter(dag).whole(), all_readers(dag)
    budget = 10**6 * np.concatenate((full.words[stages.values], full.words))
    result = moments_of(relaxation.moments, prices, full, stages, 10**6, budget)
    return proven_io(dag, memory, ONE_SHOT, staged(dag, 10**6, result))


def test_a_program_with_more_moments_begins_where_the_one_with_fewer_ended():
    dag = random_layered(60, seed=5)
    memory = min_memory(dag, rules=ONE_SHOT) + 1
    game = Cutter(dag).whole(), all_readers(dag), memory, ONE_SHOT, ()
    sample, count = (Relaxation(*game, limit) for limit in (2000, 10**9))
    assert len(sample.moments) < len(count.moments)
    ended = solved_nearly(sample.program(), 2.0)
    begun = solved_nearly(count.program(), 0.0, ended)
    minimum, known = compulsory_words(dag), proved_by(ended.prices, sample, dag, memory)
    assert proved_by(begun.prices, count, dag, memory) >= known - 1 > minimum


def test_rows_that_have_no_price_to_speak_of_are_left_out_and_prove_as_much(monkeypatch):
    asked = []

    def noted(program, seconds, start, steps=None):
        asked.append(program.matrix.shape)
        return stepped(program, 2.0, start)

    monkeypatch.setattr("proofs.bounds.pieces.orders.relaxation.stepped", noted)
    dag = fixed_indegree(60, 4, 1)
    relaxation = Relaxation(Cutter(dag).whole(), all_readers(dag), 8, ONE_SHOT, (), 10**9)
    program = relaxation.program()
    best, quick = (solve(program, 4.0, NOTHING).prices for solve in (stepped, solved_nearly))
    (rows, _), (fewer, _) = asked
    assert 2 * fewer < rows == program.least.size == quick.size
    words = proved_by(best, relaxation, dag, 8)
    assert proved_by(quick, relaxation, dag, 8) >= 0.97 * words > 1.3 * compulsory_words(dag)


def test_the_first_steps_are_counted_and_go_by_no_clock():
    dag = fixed_indegree(60, 4, 1)
    program = Relaxation(Cutter(dag).whole(), all_readers(dag), 8, ONE_SHOT, (), 10**9).program()
    prices, repeated = (solved_nearly(program, 0.2).prices for _ in range(2))
    assert prices.any()
    assert np.array_equal(prices, repeated)


def test_a_try_that_took_longer_than_it_should_is_followed_by_no_smaller_one(monkeypatch):
    dag, tried = random_layered(60, seed=5), []

    def solved(program, seconds, start):
        tried.append(program.moments)
        return solved_nearly(program, seconds, start)

    monkeypatch.setattr(order_moments, "solved_nearly", solved)
    full, stages = Cutter(dag).whole(), all_readers(dag)
    budget = Budget(0.2)
    tries = ordered(full, stages, min_memory(dag) + 1, ONE_SHOT, (), budget)
    next(tries)
    charge_worked(10**9)
    assert len([*tries]) == 1
    assert tried[1] >= tried[0] > 0


def test_given_bounds_that_have_no_share_are_not_beside_moments_of_one_order(monkeypatch):
    asked = []

    def one_try(full, stages, memory, rules, arguments, budget):
        asked.append(arguments)
        return iter(())

    monkeypatch.setattr(staged_moments, "ordered", one_try)
    dag = random_layered(200, seed=1)
    staged_dag = staged_moments.Staged(dag, all_readers(dag))
    memory = min_memory(dag) + 2
    proof = wavefront_excess(staged_dag.whole, memory, ONE_SHOT, Budget(1.0))
    useful = list(staged_dag.inequality(staged_dag.whole, memory, ONE_SHOT, proof))
    useless = [replace(inequality, least=1) for inequality in useful]
    staged_dag.packed(memory, ONE_SHOT, [*useful, *useless], Budget(3.0))
    ((*kept,),) = asked
    assert not any(inequality is second for inequality in kept for second in useless)


def test_moments_that_are_apart_have_the_rest_where_few_of_one_order_prove_little(monkeypatch):
    def one_try(*arguments):
        yield 1, []
        pytest.fail("another try")

    monkeypatch.setattr(staged_moments, "ordered", one_try)
    monkeypatch.setattr(staged_moments, "more_would_pay", lambda *arguments: False)
    dag = grid((8, 8))
    bound = decomposition(dag, 4, time_limit=1.0)
    check(dag, 4, bound)
    assert bound.io > 2 * compulsory_words(dag)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"vertex": 0}, "0 is not computed"),
        ({"vertex": -1}, "less than 0"),
        ({"price": -1}, "less than 0"),
        ({"price": 2**61}, "too large"),
        ({"price": 0}, "more flows"),
        ({"edges": np.zeros(0, np.int64)}, "entries for 0 edges"),
        ({"stored": np.array([0]), "stores": np.array([1])}, "goes through and is stored"),
        ({"stored": np.array([22]), "stores": np.array([2**40])}, "goes through and is stored"),
        ({"stored": np.array([22]), "stores": np.array([-1])}, "not all between 0"),
        ({"stages": np.array([3]), "charges": np.array([2**40])}, "more than once"),
        ({"stages": np.array([3]), "charges": np.array([-1])}, "not all between 0"),
        ({"stages": np.array([10**6]), "charges": np.array([1])}, "no rising list"),
        ({"tied": np.array([3, 3]), "slopes": np.array([1, 1])}, "no rising list"),
        ({"tied": np.array([3]), "slopes": np.array([2**61])}, "not all between"),
        ({"tied": np.array([3]), "slopes": np.array([1, 2])}, "2 entries for 1 places"),
        ({"more": 3}, "does not belong"),
    ],
)
def test_forged_moments(honest, fields, message):
    dag, memory, data = honest
    forged = with_first(data, **fields)
    with pytest.raises(CertificateError, match=message):
        proven_io(dag, memory, ONE_SHOT, Certificate("staged", forged))


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"share": 2}, "has a share that is not 1"),
        ({"vertices": np.arange(23)}, "is of a part"),
        ({"data": 3}, "no object"),
    ],
)
def test_forged_parts(honest, part, message):
    dag, memory, data = honest
    first, *remaining = data["parts"]
    forged = {**data, "parts": [{**first, **part}, *remaining]}
    with pytest.raises(CertificateError, match=message):
        proven_io(dag, memory, ONE_SHOT, Certificate("staged", forged))


def test_a_vertex_has_one_moment(honest):
    dag, memory, data = honest
    nothing = {
        name: [] if isinstance(field, np.ndarray) else field
        for name, field in data["parts"][0]["data"].items()
    }
    forged = {**data, "parts": [*data["parts"], {**data["parts"][0], "data": nothing}]}
    with pytest.raises(CertificateError, match="has a moment already"):
        proven_io(dag, memory, ONE_SHOT, Certificate("staged", forged))


def test_moments_that_need_too_large_a_table_are_refused(honest, monkeypatch):
    dag, memory, data = honest
    monkeypatch.setattr(order_checks, "MOST_DUE", dag.n * (len(data["parts"]) - 1))
    with pytest.raises(CertificateError, match="one moment more than can be added up"):
        proven_io(dag, memory, ONE_SHOT, Certificate("staged", data))
    assert least_seconds(Cutter(random_layered(5000, seed=1)).whole()) == np.inf


def test_an_order_is_of_plays_that_compute_once(honest):
    dag, memory, data = honest
    with pytest.raises(CertificateError, match="only where each value is computed once"):
        proven_io(dag, memory, Rules(recompute=True), Certificate("staged", data))


@given(dags(max_vertices=8), st.integers(0, 2**20))
@settings(max_examples=40)
def test_what_is_due_is_added_up_as_in_plain_words(dag, seed):
    """The sum over all pairs agrees with the least over all sets of which one is in the other."""
    rng = np.random.default_rng(seed)
    full, stages = Cutter(dag).whole(), all_readers(dag)
    memory = min_memory(dag, rules=ONE_SHOT)
    orders = Orders(full, stages, memory, ONE_SHOT)
    moments = drawn_moments(dag, memory, ONE_SHOT, rng)
    for data in moments:
        orders.enter(read(OfOrder, data))
    due = {data["vertex"]: naive_due(dag, data) for data in moments}
    above = ancestors(dag)
    total = 0
    for x, row in due.items():
        for u in range(dag.n):
            if u == x or u in above[x] or x in above[u]:
                continue
            if full.is_input[u]:
                total += min(0, row[u])
            elif u not in due or u < x:
                total += min(row[u], due[u][x] if u in due else 0)
    assert orders.held() == total


def ancestors(dag):
    """The set of ancestors of each vertex."""
    above = []
    for row in np.split(dag.pred_indices, dag.pred_indptr[1:-1]):
        above.append(set().union(row.tolist(), *(above[u] for u in row.tolist())))
    return above


def naive_due(dag, data):
    """What is due of each vertex in a moment, edge by edge."""
    heads = np.repeat(np.arange(dag.n), dag.indegree).tolist()
    due = [0] * dag.n
    for sign, place, much in ((1, "edges", "amounts"), (-1, "closures", "returns")):
        for e, amount in zip(data[place].tolist(), data[much].tolist(), strict=True):
            due[dag.pred_indices[e]] += sign * amount
            due[heads[e]] -= sign * amount
    slopes = dict(zip(data["tied"].tolist(), data["slopes"].tolist(), strict=True))
    stages = all_readers(dag)
    for v, u in zip(stages.owners.tolist(), stages.readers.tolist(), strict=True):
        due[u] -= slopes.get(v, 0)
    return due
