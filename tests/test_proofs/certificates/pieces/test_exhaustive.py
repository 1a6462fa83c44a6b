"""Exhaustive search of pieces against the oracle, and the checker of what it proves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, pyramid
from pebble import ONE_SHOT, RULES, compulsory_words, min_memory
from proofs.certificates import CertificateError
from proofs.certificates.pieces import exhaustive
from proofs.certificates.pieces.exhaustive import EXACT, Claim, least_excess
from proofs.certificates.pieces.piece import Cutter
from tests.oracles import optimum
from tests.strategies import dags, memories, numbers

ONCE = [rules for rules in RULES.values() if not rules.recompute]


def butterfly(levels):
    """Part of a larger butterfly: `levels` above their sources, which come from nothing."""
    dag = fft(2 << levels)
    vertices = np.arange(dag.n).reshape(-1, dag.params["n"])[1:, ::2]
    return Cutter(dag).cut(vertices.ravel())


@given(st.data())
@settings(max_examples=300)
def test_the_search_finds_the_optimum(data):
    dag = data.draw(dags(max_vertices=9))
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(memories(dag, rules))
    proof = least_excess(Cutter(dag).whole(), memory, rules)
    assert proof.complete
    assert compulsory_words(dag) + proof.excess == optimum(dag, memory, rules)


@given(st.data())
@settings(max_examples=200)
def test_pieces_add_up_to_no_more_than_the_optimum(data):
    dag = data.draw(dags(max_vertices=9))
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(st.integers(min_memory(dag, rules=rules), min_memory(dag, rules=rules) + 2))
    place = np.array(numbers(data.draw, dag.n, 0, 2))
    cutter = Cutter(dag)
    pieces = [cutter.cut(np.flatnonzero(place == part)) for part in range(3)]
    total = sum(least_excess(piece, memory, rules).excess for piece in pieces)
    assert compulsory_words(dag) + total <= optimum(dag, memory, rules)


@pytest.mark.parametrize(("memory", "excess"), [(3, 24), (4, 15), (8, 4)])
def test_a_butterfly_of_eight_points_with_free_sources(memory, excess):
    piece = butterfly(3)
    proof = least_excess(piece, memory, ONE_SHOT)
    assert (proof.excess, proof.complete) == (excess, True)
    assert EXACT.proven(piece, memory, ONE_SHOT, {"excess": excess}) == excess
    with pytest.raises(CertificateError, match=f"excess: is {excess + 1}, but a play has {excess}"):
        EXACT.proven(piece, memory, ONE_SHOT, {"excess": excess + 1})


def test_less_than_the_least_excess_is_proved_as_well():
    piece = butterfly(3)
    assert [EXACT.proven(piece, 4, ONE_SHOT, {"excess": claim}) for claim in (0, 7, 14)] == [
        0,
        7,
        14,
    ]


@pytest.mark.parametrize("data", [{}, {"excess": -1}, {"excess": 1.0}, {"excess": 0, "more": 1}])
def test_malformed_certificates_are_rejected(data):
    with pytest.raises(CertificateError):
        EXACT.proven(butterfly(2), 4, ONE_SHOT, data)


def test_a_claim_that_was_raised_is_given_up_after_the_states_that_it_says(monkeypatch):
    piece = butterfly(3)
    proof = least_excess(piece, 4, ONE_SHOT)
    monkeypatch.setattr(exhaustive, "FEW", 16)
    honest = {"excess": proof.excess, "states": proof.states}
    assert EXACT.proven(piece, 4, ONE_SHOT, honest) == proof.excess
    with pytest.raises(CertificateError, match="needs more than 16 states"):
        EXACT.proven(piece, 4, ONE_SHOT, honest | {"states": 2})
    for extra in (-1, 1.0, True, None):
        with pytest.raises(CertificateError, match="states"):
            EXACT.proven(piece, 4, ONE_SHOT, honest | {"states": extra})


def test_the_searches_for_one_certificate_share_their_states(monkeypatch):
    piece = butterfly(3)
    minimum = least_excess(piece, 4, ONE_SHOT)
    honest = {"excess": minimum.excess, "states": minimum.states}
    monkeypatch.setattr(exhaustive, "MOST_TOGETHER", minimum.states + 1)
    searches = exhaustive.Searches()
    for states in (minimum.states, 0, 2**40):  # an equal form is searched, and counted, once
        printed = honest | {"states": states}
        assert searches.shows(piece, 4, ONE_SHOT, Claim(**printed))[0] == minimum.excess
    assert searches.left <= minimum.states
    searches.left = 1
    with pytest.raises(CertificateError, match="needs more than 1 states"):
        searches.shows(piece, 4, ONE_SHOT, Claim(**(honest | {"excess": minimum.excess - 1})))


def test_a_piece_that_says_no_states_gets_some(monkeypatch):
    piece = butterfly(3)
    proof = least_excess(piece, 4, ONE_SHOT)
    monkeypatch.setattr(exhaustive, "UNTOLD", 16)
    with pytest.raises(CertificateError, match="needs more than 16 states"):
        EXACT.proven(piece, 4, ONE_SHOT, {"excess": proof.excess})


def test_large_pieces_and_small_memories_are_refused():
    with pytest.raises(CertificateError, match="more than 64"):
        EXACT.proven(Cutter(fft(32)).whole(), 4, ONE_SHOT, {"excess": 1})
    with pytest.raises(CertificateError, match="2 words is too small"):
        EXACT.proven(Cutter(pyramid(height=3)).whole(), 2, ONE_SHOT, {"excess": 1})


def test_a_search_with_too_few_states_proves_what_it_has_seen():
    piece = butterfly(3)
    sample = least_excess(piece, 4, ONE_SHOT, limit=60)
    assert not sample.complete
    assert 0 < sample.excess < 15
    assert EXACT.proven(piece, 4, ONE_SHOT, {"excess": sample.excess}) == sample.excess
    stopped = least_excess(piece, 4, ONE_SHOT, stop=lambda: True)
    assert (stopped.excess, stopped.complete) == (0, False)
