"""Bounds of Fourier transforms: below optima and plays, and what each play counts."""

from collections import defaultdict
from math import log2

import numpy as np
import pytest

from dags import CDAG, fft, load
from pebble import ONE_SHOT, Move, Rules, min_memory, play
from pebble.rules import RULES
from proofs import Bound, NotApplicableError, butterflies, check
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.pieces.exhaustive import least_excess
from proofs.certificates.pieces.piece import Cutter
from proofs.lemmas.families.butterflies import ARGUMENTS, by_fronts, by_mass, entropy_above
from schedulers import structured
from schedulers.eviction.policies import joined
from schedulers.families.plays import plays_in_orders
from tests.oracles import optimum

RECOMPUTE = Rules(recompute=True)
ONCE = [rules for rules in RULES.values() if not rules.recompute]


def entropy(mass):
    return log2(mass) + (mass - 1) * log2(mass / (mass - 1))


@pytest.mark.parametrize("spec", ["fft:n=4", "fft:n=3,radix=3", "fft:n=4,radix=4"])
def test_never_above_the_optimum(spec):
    dag = load(spec)
    for rules in ONCE:
        smallest = min_memory(dag, rules=rules)
        for memory in range(smallest, smallest + 6):
            bound = butterflies(dag, memory, rules=rules)
            check(dag, memory, bound)
            assert bound.io <= optimum(dag, memory, rules)


@pytest.mark.parametrize("spec", ["fft:n=8", "fft:n=9,radix=3"])
def test_never_above_the_optimum_of_a_search(spec):
    dag = load(spec)
    for rules in ONCE:
        smallest = min_memory(dag, rules=rules)
        for memory in range(smallest, smallest + 8):
            proof = least_excess(Cutter(dag).whole(), memory, rules, limit=50_000)
            if proof.complete:
                ends = 2 * dag.params["n"]
                assert butterflies(dag, memory, rules=rules).io <= ends + proof.excess


@pytest.mark.parametrize("spec", ["fft:n=64", "fft:n=27,radix=3", "fft:n=1024"])
def test_never_above_a_play(spec):
    dag = load(spec)
    for memory in (min_memory(dag), 5, 6, 7, 8, 11, 16, 33, 100):
        assert butterflies(dag, memory).io <= structured.plan(dag, memory).io


def mass_that_leaves(dag, schedule):
    """Sum of entropy times mass over what leaves, what leaves, and loads beyond, of a play."""
    readers = defaultdict(set)
    for v in range(dag.n):
        for u in dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist():
            readers[u].add(v)
    shares, first, stay, done = {}, {}, {}, set()
    loads = 0
    for op, v in zip(schedule.op.tolist(), schedule.vertex.tolist(), strict=True):
        if op == Move.LOAD:
            stay[v], loads = ("load", loads), loads + 1
            shares[v] = {stay[v]: 1.0}
        elif op == Move.COMPUTE:
            operands = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
            mixed = defaultdict(float)
            for u in operands:
                assert not mixed.keys() & shares[u].keys()  # disjoint supports
                for label, share in shares[u].items():
                    mixed[label] += share / len(operands)
            shares[v], stay[v] = dict(mixed), ("first", v)
            first[v] = 1.0
            for u in operands:
                if stay[u] == ("first", u):
                    first[u] -= 1 / len(operands)
            done.add(v)
            values = -sum(share * log2(share) for share in mixed.values())
            first[v, "entropy"] = values
    left = [v for v in done if first[v] > 1e-9]
    total = sum(first[v] * first[v, "entropy"] for v in left)
    return total, len(left), loads


@pytest.mark.parametrize("spec", ["fft:n=32", "fft:n=27,radix=3"])
def test_the_mass_that_leaves_takes_everything_along(spec):
    dag = load(spec)
    rng = np.random.default_rng(1)
    for memory in (5, 6, 9):
        order = np.lexsort((rng.random(dag.computed.size), dag.level[dag.computed]))
        orders = [dag.computed[order].astype(np.int32)]
        schedule = joined(next(plays_in_orders(dag, orders, memory, ONE_SHOT)).blocks())
        total, left, loads = mass_that_leaves(dag, schedule)
        assert total == pytest.approx(dag.computed.size * log2(dag.params["radix"]))
        count = play(dag, schedule, memory)
        assert (loads, count.stores) >= (left, left)
        assert butterflies(dag, memory).io <= count.io


def test_what_the_formulas_say():
    params = {"n": 2**16, "radix": 2}
    computed = 16 * 2**16
    assert by_mass(params, 3) == computed + 2
    for words in (5, 7, 15, 1000):
        mass = words - 1
        end = mass * (mass - 1) * log2(mass / (mass - 1))
        exact = (2 * computed + end) / entropy(mass)
        assert by_mass(params, words) == pytest.approx(exact, rel=2e-4)
        assert by_mass(params, words) < exact + 1  # all is rounded to the safe side
        assert entropy_above(words) >= entropy(words) - 1e-12
    assert by_fronts(params, 1023) == 4 * 2**16 - 4 * 1023
    assert by_fronts(params, 2**16) == 2 * 2**16
    # Levels 1 to 8, and 9 to 16: no level is between them.
    assert by_fronts({"n": 2**17, "radix": 2}, 70) == 2 * 2**17 + 2 * 2 * 2**9 * (2**8 - 70)
    assert by_fronts({"n": 2**900, "radix": 2}, 100) > by_mass({"n": 2**900, "radix": 2}, 10**6)


def forged(bound, **changes):
    data = {**bound.certificate.data, **changes}
    return Bound("", 6, bound.io, bound.rules, Certificate("butterfly", data))


def test_forgeries_are_refused():
    dag = fft(64)
    bound = butterflies(dag, 6)
    check(dag, 6, bound)
    for changed in (
        {"argument": "fronts"},
        {"argument": "dominators"},
        {"params": {"n": 128, "radix": 2}},
        {"params": {"n": 64, "radix": 4}},
        {"params": 64},
        {"more": 1},
    ):
        with pytest.raises(CertificateError):
            check(dag, 6, forged(bound, **changed))
    with pytest.raises(CertificateError):
        check(dag, 6, Bound("", 6, bound.io + 1, ONE_SHOT, bound.certificate))
    with pytest.raises(CertificateError):
        check(dag, 6, Bound("", 6, bound.io, RECOMPUTE, bound.certificate))
    with pytest.raises(CertificateError):
        check(load("pyramid:height=9"), 6, bound)
    assert set(ARGUMENTS) == {"fronts", "mass"}


def test_not_for_others():
    with pytest.raises(NotApplicableError):
        butterflies(fft(8), 4, rules=RECOMPUTE)
    dag = fft(4)
    sized = CDAG(
        dag.pred_indptr, dag.pred_indices, words=[2] * 12, family="fft", params=dict(dag.params)
    )
    for second in (load("matmul:n=2"), sized):
        with pytest.raises(NotApplicableError):
            butterflies(second, 8)
