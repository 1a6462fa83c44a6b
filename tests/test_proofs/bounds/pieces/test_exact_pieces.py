"""Sums over searched pieces and fronts."""

from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, grid, load
from pebble import ONE_SHOT, RULES, Budget, min_memory
from proofs import CertificateError, NotApplicableError, check, exact_pieces
from proofs.bounds.pieces.exact_pieces import with_states
from proofs.bounds.pieces.layouts import best_runs, connected, layouts
from proofs.bounds.pieces.piece_proofs import STATES, searchable, set_wavefront_excess
from proofs.certificates.pieces.exhaustive import least_excess
from proofs.certificates.pieces.piece import Cutter
from tests.naive import rows
from tests.oracles import optimum
from tests.strategies import dags
from tests.test_proofs.certificates.pieces.test_exhaustive import butterfly

ONCE = [rules for rules in RULES.values() if not rules.recompute]
AGAIN = [rules for rules in RULES.values() if rules.recompute]


@given(st.data())
@settings(max_examples=100)
def test_small_dags_are_solved(data):
    dag = data.draw(dags(max_vertices=8))
    rules = data.draw(st.sampled_from(ONCE))
    minimum = max(min_memory(dag, rules=rules), 1)
    memory = data.draw(st.integers(minimum, minimum + 3))
    bound = exact_pieces(dag, memory, rules=rules)
    check(dag, memory, bound)
    assert bound.io == optimum(dag, memory, rules)


# Four rows of vertices, cut into butterflies of eight points, pay 4 words each with free sources.
def test_butterflies_of_eight_points_add_up():
    dag = fft(256)
    bound = exact_pieces(dag, 8, time_limit=120)
    check(dag, 8, bound)
    assert bound.io >= 512 + 2 * 32 * 4


# Proved before by cutting levels 1 to 4 and 5 to 8 into butterflies of eight points: 15 and 4 each.
@pytest.mark.parametrize(
    ("memory", "least", "seconds"), [(4, 5888, 30), (8, 3072, 5), (16, 2476, 10)]
)
def test_fft_of_1024_points(memory, least, seconds):
    dag = fft(1024)
    bound = with_states(STATES)(dag, memory, time_limit=seconds)  # no deeper searches
    check(dag, memory, bound)
    assert bound.io >= least


def test_pieces_of_a_grid_share_values():
    dag = grid((10, 10))
    bound = exact_pieces(dag, 4, time_limit=60)
    check(dag, 4, bound)
    assert bound.certificate.kind == "staged"  # which pieces without values in common are not
    assert bound.io > 38


@given(st.data())
@settings(max_examples=60)
def test_small_dags_are_solved_where_values_may_be_computed_again(data):
    dag = data.draw(dags(max_vertices=7))
    rules = data.draw(st.sampled_from(AGAIN))
    minimum = max(min_memory(dag, rules=rules), 1)
    memory = data.draw(st.integers(minimum, minimum + 3))
    bound = exact_pieces(dag, memory, rules=rules)
    check(dag, memory, bound)
    assert bound.io == optimum(dag, memory, rules)


def test_pieces_prove_something_of_larger_dags_with_recomputation(shared):
    """Butterflies load all inputs twice, iterations their matrices again and again."""
    repeated = RULES["recompute"]
    steps = load(str(shared / "data" / "hyperdag" / "fine_CG_N6_K4_nzP0d4.hdag"))
    for dag, memory, minimum in ((fft(256), 16, 512 + 256 + 1 - 16), (steps, 10, 60)):
        bound = exact_pieces(dag, memory, rules=repeated, time_limit=1)
        check(dag, memory, bound)
        assert bound.io >= minimum
        one_shot = replace(bound, rules=ONE_SHOT)  # a play of the stricter game costs no less
        check(dag, memory, one_shot)


def test_proofs_for_one_shot_games_are_refused_elsewhere():
    dag = fft(64)
    bound = exact_pieces(dag, 8, time_limit=0.5)
    with pytest.raises(CertificateError, match="each value is computed once"):
        check(dag, 8, replace(bound, rules=RULES["recompute"]))


def test_where_it_does_not_apply():
    with pytest.raises(NotApplicableError, match="with 2 words"):
        exact_pieces(fft(8), 2)


def test_nothing_is_proved_of_what_is_too_large_or_fits():
    assert not searchable(Cutter(fft(32)).whole())
    assert least_excess(butterfly(3), 20, ONE_SHOT, limit=STATES).excess == 0
    assert set_wavefront_excess(butterfly(3), 20, ONE_SHOT, Budget()) is None
    assert exact_pieces(fft(8), 20).io == 16


@given(dags(max_vertices=12), st.integers(0, 6))
def test_connected_parts_are_those_that_do_not_fit(dag, memory):
    parts = connected(Cutter(dag), np.arange(dag.n), memory)
    joined = nx.Graph()
    joined.add_nodes_from(range(dag.n))
    joined.add_edges_from((u, v) for v, row in enumerate(rows(dag)) for u in row)
    expected = [sorted(part) for part in nx.connected_components(joined)]
    expected = [part for part in expected if dag.sizes[part].sum() > memory]
    assert sorted(part.vertices.tolist() for part in parts) == sorted(expected)


@given(st.data())
def test_best_runs_are_the_best(data):
    """Against all ways to choose runs that do not overlap."""
    slots = data.draw(st.integers(1, 5))
    everything = [(a, b) for b in range(1, slots + 1) for a in range(b)]
    worth = {run: data.draw(st.integers(0, 9)) for run in everything}
    runs = {run: [run] for run in everything}

    def best(start):
        return max(
            [0, *(worth[a, b] + best(b) for a, b in everything if a >= start)],
        )

    chosen = best_runs(runs, worth.__getitem__)
    assert sum(worth[run] for run in chosen) == best(0)
    ends = sorted(chosen)
    assert all(first[1] <= second[0] for first, second in pairwise(ends))


def test_runs_of_layouts_span_their_slots():
    for layout in layouts(fft(8)):
        seen = {(a, b): vertices.tolist() for a, b, vertices in layout.runs()}
        for (a, b), vertices in seen.items():
            inside = (layout.slot >= a) & (layout.slot < b)
            assert vertices == np.flatnonzero(inside).tolist()
