"""Segments of hypercubes with prices of levels: least boundaries, optima, forged certificates."""

import itertools
from math import comb

import numpy as np
import pytest

from dags import fft, hypercube
from dags.arrays import lock
from pebble import ONE_SHOT, RULES
from proofs import Bound, Certificate, CertificateError, check, segments
from proofs.lemmas.prices.layers import priced_boundaries
from tests.oracles import optimum

FEW = 120  # sets of each size that are drawn


def boundary(members, d):
    """Values that a set reads outside, and those that are read there; none is compulsory."""
    reads = {v ^ 1 << i for v in members for i in range(d) if v >> i & 1} - members - {0}
    above = {v: {v | 1 << i for i in range(d)} - {v} for v in members}
    read = {v for v in members if not above[v] <= members}
    return len(reads) + len(read)


def sets_of(d, size, rng):
    """Sets of subsets: all of them, or some at random and some that grow from a subset."""
    everything = range(1, 2**d)
    if comb(2**d - 1, size) <= FEW:
        return [set(combination) for combination in itertools.combinations(everything, size)]
    results = [set(rng.choice(everything, size, replace=False).tolist()) for _ in range(FEW // 2)]
    for _ in range(FEW // 2):
        grown = {int(rng.choice(everything))}
        while len(grown) < size:
            v = int(rng.choice(sorted(grown))) ^ 1 << int(rng.integers(d))
            grown |= {v} - {0}
        results.append(grown)
    return results


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_no_set_has_a_smaller_boundary(d):
    rng = np.random.default_rng(d)
    prices = lock(rng.integers(-9, 10, d))
    limit = 2**d - 1
    minimum = priced_boundaries(d, prices, 4, limit)[-1].min(axis=0)
    for size in range(1, limit + 1):
        for members in sets_of(d, size, rng):
            price = sum(int(prices[v.bit_count() - 1]) for v in members)
            assert 4 * boundary(members, d) - price >= minimum[size]


@pytest.mark.parametrize("rules", [ONE_SHOT, RULES["one-shot-sliding"]], ids=["placed", "sliding"])
def test_never_above_the_optimum(rules):
    for d, memories in ((2, (3,)), (3, (4, 5)), (4, (5,))):
        dag = hypercube(d)
        for memory in memories:
            bound = segments(dag, memory, rules=rules, time_limit=1)
            check(dag, memory, bound)
            if d < 4:
                assert bound.io <= optimum(dag, memory, rules)
            else:
                assert bound.io <= (13 if rules is ONE_SHOT else 17)


def test_twice_what_the_least_boundaries_prove():
    dag = hypercube(10)
    bound = segments(dag, 12, time_limit=0.3)
    assert bound.certificate.kind == "priced-levels"
    assert bound.io >= 1300  # 654 without prices, 1,563 in two seconds
    check(dag, 12, bound)


def test_forged_certificates():
    dag = hypercube(6)
    bound = segments(dag, 8, time_limit=1)
    data = dict(bound.certificate.data)
    assert bound.certificate.kind == "priced-levels"
    sizes, prices = data["sizes"], np.array(data["prices"])
    forgeries = [
        {"d": 5},
        {"denominator": 1},
        {"denominator": 0},
        {"denominator": 2**40},
        {"prices": prices[:-1]},
        {"prices": 2 * prices},
        {"prices": prices[::-1].copy()},
        {"prices": prices.astype(np.float64)},
        {"sizes": [size + 1 for size in sizes]},
        {"sizes": [63], "times": [1]},
        {"sizes": [-1, 64], "times": [1, 1]},
        {"sizes": [1], "times": [2**62]},
        {"times": [0] * len(sizes)},
        {"more": 1},
    ]
    for forged in forgeries:
        certificate = Certificate("priced-levels", data | forged)
        with pytest.raises(CertificateError):
            check(dag, 8, Bound("segments", 8, bound.io, ONE_SHOT, certificate))
    with pytest.raises(CertificateError):
        check(fft(16), 8, bound)
    higher = Bound("segments", 8, bound.io + 1, ONE_SHOT, bound.certificate)
    with pytest.raises(CertificateError):
        check(dag, 8, higher)
    repeated = RULES["recompute"]
    with pytest.raises(CertificateError):
        check(dag, 8, Bound("segments", 8, bound.io, repeated, bound.certificate))
