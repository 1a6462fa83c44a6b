"""What must be loaded again after moments, against the exact search, and its checker."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft
from pebble import RULES, Budget, Rules, compulsory_words, min_memory
from proofs.bounds.pieces.piece_proofs import level_fronts
from proofs.bounds.pieces.reloads import Reloads, reload_excess
from proofs.certificates import CertificateError
from proofs.certificates.pieces.exhaustive import least_excess
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.pieces.wavefronts import RELOADS
from tests.oracles import optimum
from tests.strategies import dags, some_of

AGAIN = [rules for rules in RULES.values() if rules.recompute]
RECOMPUTE = Rules(recompute=True)


@st.composite
def layered(draw):
    """Draw a DAG of several inputs in which most vertices read two values not far before."""
    inputs = draw(st.integers(3, 5))
    n = draw(st.integers(inputs + 3, 11))
    rows = [[] for _ in range(inputs)]
    for v in range(inputs, n):
        near = st.integers(max(0, v - 5), v - 1)
        rows.append(sorted(draw(st.sets(near, min_size=1, max_size=2))))
    return CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        words=draw(st.none() | st.lists(st.integers(1, 3), min_size=n, max_size=n)),
    )


@given(st.data())
@settings(max_examples=200)
def test_no_front_proves_more_than_the_least_excess(data):
    dag = data.draw(layered() | dags(max_vertices=8))
    rules = data.draw(st.sampled_from(AGAIN))
    memory = max(1, min_memory(dag, rules=rules))
    vertices = sorted(data.draw(st.just(range(dag.n)) | st.sets(st.integers(0, dag.n - 1))))
    piece = Cutter(dag).cut(np.array(vertices, np.int64))
    computed = [v for v in range(piece.size) if not piece.is_input[v]]
    if not computed:
        return
    fronts = [np.array(some_of(data.draw, computed)) for _ in range(3)]
    reloads = Reloads(piece, memory, rules)
    words, windows = reloads.best([*fronts, *level_fronts(piece)])
    if words:
        assert RELOADS.proven(piece, memory, rules, {"windows": windows}) == words
        assert words <= least_excess(piece, memory, rules).excess


def iterations(inputs, steps):
    """Sums over all inputs, again and again, each beginning with the sum before."""
    rows = [[] for _ in range(inputs)]
    for _ in range(steps):
        for u in range(inputs):
            rows.append([u, len(rows) - 1])
    return CDAG(np.cumsum([0, *map(len, rows)]), np.array([*chain(*rows)], np.int32))


@pytest.mark.parametrize("rules", AGAIN)
def test_each_iteration_loads_its_inputs_again(rules):
    """Four inputs, of which three iterations with room for two or three values keep few."""
    dag = iterations(4, 3)
    piece, memory = Cutter(dag).whole(), min_memory(dag, rules=rules)
    words, windows = Reloads(piece, memory, rules).best([])
    assert len(windows) > 1
    assert RELOADS.proven(piece, memory, rules, {"windows": windows}) == words
    best = optimum(dag, memory, rules)
    assert 0 < words <= best - compulsory_words(dag)


def test_a_butterfly_loads_almost_all_inputs_twice():
    piece = Cutter(fft(64)).whole()
    words, kind, data = reload_excess(piece, 6, RECOMPUTE, level_fronts(piece), Budget())
    assert (words, kind) == (64 - 6 + 1, "reloads")
    assert RELOADS.proven(piece, 6, RECOMPUTE, data) == words
    assert RELOADS.proven(piece, 6, Rules(recompute=True, sliding=True), data) == 64 - 6


def test_nothing_is_loaded_again_where_all_fits_or_nothing_is_an_input():
    dag = fft(8)
    assert reload_excess(Cutter(dag).whole(), 40, RECOMPUTE, [], Budget()) is None
    upper = Cutter(dag).cut(np.arange(8, dag.n))
    assert reload_excess(upper, 3, RECOMPUTE, level_fronts(upper), Budget()) is None


@pytest.fixture(scope="module")
def shown():
    """A piece, and the data of a certificate with several windows."""
    piece = Cutter(iterations(6, 4)).whole()
    words, windows = Reloads(piece, 3, RECOMPUTE).best([])
    assert len(windows) > 1
    plain = [{key: array.tolist() for key, array in window.items()} for window in windows]
    return piece, words, plain


def changed(windows, number, **fields):
    """The windows with some fields of one of them replaced."""
    return [{**window, **(fields if i == number else {})} for i, window in enumerate(windows)]


def test_flows_that_do_not_hold_are_rejected(shown):
    piece, words, windows = shown
    assert RELOADS.proven(piece, 3, RECOMPUTE, {"windows": windows}) == words
    last = windows[-1]
    for fields, message in (
        ({"amounts": [2, *last["amounts"][1:]]}, "amounts"),
        ({"amounts": last["amounts"][1:]}, "entries"),
        ({"edges": last["edges"][::-1]}, "rising"),
        ({"front": []}, "front"),
        ({"front": [0, *last["front"]]}, "front"),
        ({"front": last["front"][-1:]}, "amounts"),
    ):
        with pytest.raises(CertificateError, match=message):
            RELOADS.proven(
                piece, 3, RECOMPUTE, {"windows": changed(windows, len(windows) - 1, **fields)}
            )


def test_windows_that_are_not_in_order_are_rejected(shown):
    piece, _, windows = shown
    with pytest.raises(CertificateError, match="1 does not follow all of the one before"):
        RELOADS.proven(piece, 3, RECOMPUTE, {"windows": windows[::-1]})
    with pytest.raises(CertificateError, match="1 does not follow all of the one before"):
        RELOADS.proven(piece, 3, RECOMPUTE, {"windows": [windows[0], windows[0]]})


def test_flow_past_what_is_computed_later_is_rejected():
    """A value of the front, or what follows it, was nowhere before the moment."""
    dag = CDAG(np.array([0, 0, 1, 2]), np.array([0, 1], np.int32))  # a chain of three
    piece = Cutter(dag).whole()
    window = {"front": [1, 2], "edges": [0, 1], "amounts": [1, 1]}
    with pytest.raises(CertificateError, match="more flows through a value"):
        RELOADS.proven(piece, 2, RECOMPUTE, {"windows": [window]})


@pytest.mark.parametrize("data", [{}, {"windows": []}, {"windows": [3]}, {"windows": 3}])
def test_malformed_certificates_are_rejected(data):
    with pytest.raises(CertificateError):
        RELOADS.proven(Cutter(fft(4)).whole(), 3, RECOMPUTE, data)
