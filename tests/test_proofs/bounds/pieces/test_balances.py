"""Balances of the values alive at each ideal of a small DAG."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.drawn_dags import fixed_indegree
from pebble import ONE_SHOT, Budget
from pebble.small import small_game
from proofs import CertificateError, check, ideals
from proofs.bounds.pieces.balances import Ascent, even_balances
from proofs.certificates.pieces.balances import BALANCES, KEYS, laid, lattice_of
from proofs.certificates.pieces.exhaustive import least_excess
from proofs.certificates.pieces.piece import Cutter
from tests.test_proofs.bounds.pieces.one_shot_pieces import one_shot_pieces


# Balances that nobody would choose are valid, too: for pieces with operands outside besides.
@given(st.data())
@settings(max_examples=100)
def test_any_balances_are_valid(data):
    piece, memory, rules = data.draw(one_shot_pieces())
    ideals = laid(lattice_of(piece, small_game(piece, memory, rules)))
    keys = data.draw(st.sampled_from(sorted(KEYS)))
    _, count = KEYS[keys](ideals)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    parts = 12
    limit = parts * max(int(ideals.lattice.game.sizes.sum()), 1)
    reach = data.draw(st.sampled_from([0, parts, limit]))
    absent, stored = rng.integers(-reach, reach + 1, (2, count))
    balances = {"parts": parts, "keys": keys, "away": absent, "stored": abs(stored)}
    assert (
        BALANCES.proven(piece, memory, rules, balances) <= least_excess(piece, memory, rules).excess
    )


DAG = fixed_indegree(14, 3, 1)


@pytest.mark.parametrize("keys", sorted(KEYS))
def test_an_ascent_keeps_to_balances_that_are_checked(keys):
    """Wherever it begins: the checker refuses more parts than all values have words."""
    piece = Cutter(DAG).whole()
    ideals = laid(lattice_of(piece, small_game(piece, 4, ONE_SHOT)))
    accounts = KEYS[keys](ideals)
    far = np.full(accounts[1], 1e9)
    ascent = Ascent(ideals, 12, accounts, -far, far)
    ascent.climb(0.1, 12, Budget())
    absent, stored = ascent.best
    balances = {"parts": 12, "keys": keys, "away": absent, "stored": stored}
    assert BALANCES.proven(piece, 4, ONE_SHOT, balances) == -(-ascent.least // 12)


@given(one_shot_pieces())
def test_even_balances_pay_a_load_and_a_store_over_the_times_of_a_value(drawn):
    piece, memory, rules = drawn
    ideals = laid(lattice_of(piece, small_game(piece, memory, rules)))
    game, parts = ideals.lattice.game, 60
    absent, stored = even_balances(ideals, parts)
    entries = [
        (int(done), v)
        for done, alive in zip(ideals.done, ideals.alive, strict=True)
        for v in range(64)
        if int(alive) >> v & 1
    ]
    times = {}  # of a value, and of it with so many readers done
    for done, v in entries:
        for key in ((v,), (v, (done & int(game.readers[v])).bit_count())):
            times.setdefault(key, set()).add(done.bit_count())
    for (done, v), removed, kept in zip(entries, absent, stored, strict=True):
        paid = []
        for key in ((v,), (v, (done & int(game.readers[v])).bit_count())):
            before = sum(time < done.bit_count() for time in times[key])
            paid.append(parts * game.sizes[v] * before / len(times[key]))
        left = parts * game.sizes[v] - paid[0] if ideals.lattice.costly[v] else 0
        assert kept == pytest.approx(left)
        assert removed == pytest.approx(left - paid[1])


@pytest.fixture(scope="module")
def bound():
    return ideals(DAG, 4, time_limit=20)  # it ends sooner, but for what it compiles


# A search proves all 18 words beyond the compulsory ones.
def test_balances_prove_almost_all_that_a_search_does(bound):
    check(DAG, 4, bound)
    piece = Cutter(DAG).whole()
    [part] = bound.certificate.data["parts"]
    assert part["proof"] == "balances"
    assert BALANCES.proven(piece, 4, bound.rules, part["data"]) >= 17
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
