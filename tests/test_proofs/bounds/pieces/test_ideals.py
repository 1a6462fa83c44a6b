"""Balances over all orders of the steps of a small DAG: what is proved, and the lattice."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.drawn_dags import fixed_indegree
from dags import fft
from pebble import ONE_SHOT, Budget, min_memory
from pebble.small import small_game
from proofs import CertificateError, check, ideals
from proofs.bounds.pieces.ideals import ideal_excess
from proofs.certificates.pieces.balances import lattice_of
from proofs.certificates.pieces.piece import Cutter
from tests.oracles import optimum
from tests.strategies import dags
from tests.test_proofs.bounds.pieces.one_shot_pieces import ONCE, one_shot_pieces


@given(st.data())
@settings(max_examples=150)
def test_no_bound_exceeds_the_optimum(data):
    dag = data.draw(dags(max_vertices=8))
    rules = data.draw(st.sampled_from(ONCE))
    minimum = max(min_memory(dag, rules=rules), 1)
    memory = data.draw(st.integers(minimum, minimum + 3))
    bound = ideals(dag, memory, rules=rules, time_limit=0.02)
    check(dag, memory, bound)
    assert bound.io <= optimum(dag, memory, rules)


# Moments prove 19 words of this DAG, an exact search 29.
def test_random_graphs_wait_for_more_than_moments_know():
    dag = fixed_indegree(28, 3, 3)
    bound = ideals(dag, 6, time_limit=0.6)
    check(dag, 6, bound)
    assert 21 <= bound.io <= 29


@given(one_shot_pieces())
def test_a_lattice_is_all_that_can_be_done_first(drawn):
    piece, memory, rules = drawn
    game = small_game(piece, memory, rules)
    done = [0]
    for layer in lattice_of(piece, game).layers:
        ways = [
            (places, step)
            for places in done
            for step, before in enumerate(game.before.tolist())
            if not places >> step & 1 and not before & ~places
        ]
        following = sorted({places | 1 << step for places, step in ways})
        assert layer.done.tolist() == done
        assert layer.steps.tolist() == [step for _, step in ways]
        assert [following[i] for i in layer.after] == [places | 1 << step for places, step in ways]
        done = following


def test_lattices_that_are_too_large_are_left_alone():
    piece = Cutter(fft(16)).whole()
    game = small_game(piece, 8, ONE_SHOT)
    assert lattice_of(piece, game, most=1000) is None
    bound = ideals(fft(32), 8)
    check(fft(32), 8, bound)
    assert bound.io == 64


def test_a_bound_that_was_raised_is_refused():
    bound = ideals(fft(4), 4, time_limit=0.05)
    with pytest.raises(CertificateError):
        check(fft(4), 4, replace(bound, io=bound.io + 1))


def test_pieces_that_are_too_large_prove_nothing():
    assert ideal_excess(Cutter(fft(32)).whole(), 8, ONE_SHOT, Budget())[0] == 0
