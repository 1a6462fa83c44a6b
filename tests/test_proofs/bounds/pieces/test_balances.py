"""Balances of the values alive at each ideal of a small DAG."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.drawn_dags import fixed_indegree
from pebble import ONE_SHOT
from pebble.small import small_game
from proofs import CertificateError, check, ideals
from proofs.bounds.pieces.balances import Ascent
from proofs.certificates.pieces.balances import KEYS, laid, proven
from proofs.certificates.pieces.exhaustive import least_excess
from proofs.certificates.pieces.ideals import lattice_of
from proofs.certificates.pieces.piece import Cutter
from tests.test_proofs.bounds.pieces.one_shot_pieces import one_shot_pieces


# Balances that nobody would choose are valid, too: for pieces with operands outside besides.
@given(st.data())
@settings(max_examples=100)
def test_any_balances_are_valid(data):
    piece, memory, rules = data.draw(one_shot_pieces())
    found = laid(lattice_of(piece, small_game(piece, memory, rules)))
    keys = data.draw(st.sampled_from(sorted(KEYS)))
    _, count = KEYS[keys](found)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    parts = 12
    most = parts * max(int(found.lattice.game.sizes.sum()), 1)
    reach = data.draw(st.sampled_from([0, parts, most]))
    away, stored = rng.integers(-reach, reach + 1, (2, count))
    balances = {"parts": parts, "keys": keys, "away": away, "stored": abs(stored)}
    assert proven(piece, memory, rules, balances) <= least_excess(piece, memory, rules).excess


DAG = fixed_indegree(14, 3, 1)


@pytest.mark.parametrize("keys", sorted(KEYS))
def test_an_ascent_keeps_to_balances_that_are_checked(keys):
    """Wherever it begins: the checker refuses more parts than all values have words."""
    piece = Cutter(DAG).whole()
    found = laid(lattice_of(piece, small_game(piece, 4, ONE_SHOT)))
    accounts = KEYS[keys](found)
    far = np.full(accounts[1], 1e9)
    ascent = Ascent(found, 12, accounts, -far, far)
    ascent.climb(0.1, 12, inf)
    away, stored = ascent.best
    balances = {"parts": 12, "keys": keys, "away": away, "stored": stored}
    assert proven(piece, 4, ONE_SHOT, balances) == -(-ascent.least // 12)


@pytest.fixture(scope="module")
def bound():
    return ideals(DAG, 4, time_limit=20)  # it ends sooner, but for what it compiles


# Charges by time prove at most 14 words beyond the compulsory ones, a search all 18.
def test_balances_prove_almost_all_that_a_search_does(bound):
    check(DAG, 4, bound)
    piece = Cutter(DAG).whole()
    [part] = bound.certificate.data["parts"]
    assert part["proof"] == "balances"
    assert proven(piece, 4, bound.rules, part["data"]) >= 17
    assert least_excess(piece, 4, bound.rules).excess == 18


def forged(bound, **changes):
    part = bound.certificate.data["parts"][0]
    part = {**part, "data": {**part["data"], **changes}}
    return replace(bound, certificate=replace(bound.certificate, data={"parts": [part]}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: {"away": data["away"][1:]}, "not one for each"),
        (lambda data: {"stored": data["stored"] + 2**20}, "not all within"),
        (lambda data: {"away": -1000 * data["away"]}, "not all within"),
        (lambda data: {"keys": "times"}, "not one of"),
        (lambda data: {"keys": "ideals", "away": data["away"][:9]}, "not one for each"),
        (lambda data: {"parts": 0}, "less than 1"),
        (lambda data: {"parts": 2**40}, "too many"),
        (lambda data: {"parts": 2 * data["parts"]}, "certificate proves"),
        (lambda data: {"away": 0 * data["away"]}, "certificate proves"),
        (lambda data: {"more": 1}, "does not belong"),
    ],
)
def test_forged_balances_are_refused(bound, change, message):
    data = bound.certificate.data["parts"][0]["data"]
    with pytest.raises(CertificateError, match=message):
        check(DAG, 4, forged(bound, **change(data)))
