"""Fronts: what waits while the first of many vertices is computed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, fft
from pebble import ONE_SHOT, RULES, Budget
from proofs.bounds.pieces.cuts import Wavefronts
from proofs.bounds.pieces.piece_proofs import set_wavefront_excess
from proofs.certificates import CertificateError
from proofs.certificates.pieces.exhaustive import least_excess
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.pieces.wavefronts import FRONT, common_ancestors, followers
from tests.naive import rows
from tests.strategies import dags, memories, some_of
from tests.test_proofs.certificates.pieces.test_exhaustive import butterfly
from tests.test_proofs.certificates.test_certificates import changed, changes

ONCE = [rules for rules in RULES.values() if not rules.recompute]


@st.composite
def pieces(draw, max_vertices=9):
    """Draw a DAG, a piece of it, and the place of a set of its computed vertices."""
    dag = draw(dags(max_vertices=max_vertices))
    piece = Cutter(dag).cut(np.array(some_of(draw, range(dag.n))))
    able = np.flatnonzero(~piece.is_input).tolist()
    return dag, piece, np.array(some_of(draw, able) if able else [], np.int64)


@given(st.data())
@settings(max_examples=400)
def test_no_front_proves_more_than_the_least_excess(data):
    dag, piece, front = data.draw(pieces())
    rules = data.draw(st.sampled_from(ONCE))
    memory = data.draw(memories(dag, rules))
    minimum = least_excess(piece, memory, rules).excess
    flows = Wavefronts(piece, rules)
    for price in flows.prices if front.size else ():
        score, certificate = flows.score(front, price, 0)
        if certificate:
            claim = FRONT.proven(piece, memory, rules, certificate)
            assert claim == max(0, score - price * memory)
            assert claim <= minimum
    result = set_wavefront_excess(piece, memory, rules, Budget())
    assert result is None or 0 < result[0] <= minimum


@given(pieces(max_vertices=12))
def test_who_comes_first_and_who_before_all(drawn):
    _, piece, front = drawn
    preds = rows(piece)
    above = [set() for _ in preds]
    for v, operands in enumerate(preds):
        above[v] = set(operands).union(*(above[u] for u in operands))
    below, first = followers(piece, front)
    chosen = set(front.tolist())
    assert below.tolist() == [v in chosen or bool(above[v] & chosen) for v in range(piece.size)]
    assert first.tolist() == [v in chosen and not above[v] & chosen for v in range(piece.size)]
    if front.size:
        common = set.intersection(*(above[v] for v in chosen))
        assert set(np.flatnonzero(common_ancestors(piece, front)).tolist()) == common


@pytest.mark.parametrize("levels", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("memory", [3, 8, 16])
def test_butterflies(levels, memory):
    result = set_wavefront_excess(butterfly(levels), memory, ONE_SHOT, Budget())
    assert (result[0] if result else 0) == max(0, 2 * ((1 << levels) + 1 - memory))


def test_inputs_count_once_and_cases_make_up_for_it():
    """Below the first level of outputs' common ancestors there are only inputs."""
    piece = Cutter(fft(32)).whole()
    excess, _, data = set_wavefront_excess(piece, 8, ONE_SHOT, Budget())
    assert excess == 2 * (33 - 8)
    assert len(data["cases"]) == 16
    together = {**data, "cases": data["cases"][:1]}
    with pytest.raises(CertificateError, match="do not say what if"):
        FRONT.proven(piece, 8, ONE_SHOT, together)


def plain(data):
    """The data with lists for arrays, as it comes from a file."""
    cases = [{key: entry.tolist() for key, entry in case.items()} for case in data["cases"]]
    return {"front": data["front"].tolist(), "price": data["price"], "cases": cases}


@pytest.mark.parametrize("whole", [True, False])
def test_a_changed_certificate_is_rejected_or_proves_its_number(whole):
    piece = Cutter(fft(16)).whole() if whole else butterfly(4)
    data = plain(set_wavefront_excess(piece, 6, ONE_SHOT, Budget())[2])
    claim = FRONT.proven(piece, 6, ONE_SHOT, data)
    assert claim == 22
    rejected = 0
    for place, value in changes(data):
        try:
            assert FRONT.proven(piece, 6, ONE_SHOT, changed(data, place, value)) <= claim, place
        except CertificateError:
            rejected += 1
    assert rejected > 5


@pytest.mark.parametrize(
    ("key", "value"),
    [("front", []), ("front", [0]), ("price", 3), ("price", 0), ("cases", []), ("cases", [1])],
)
def test_malformed_certificates_are_rejected(key, value):
    piece = Cutter(fft(8)).whole()
    data = plain(set_wavefront_excess(piece, 4, ONE_SHOT, Budget())[2])
    with pytest.raises(CertificateError):
        FRONT.proven(piece, 4, ONE_SHOT, {**data, key: value})


def test_only_who_can_be_first_makes_a_case():
    """An input that nobody reads may be larger than the memory: no room is left beside it."""
    lonely = CDAG([0, 0, 0, 0, 2], [1, 2], words=[90, 1, 1, 1])
    flow = {key: [] for key in ("edges", "amounts", "closures", "returns")}
    for front in ([], [3]):
        data = {"front": front, "price": 1, "cases": [{"first": [0], **flow}]}
        with pytest.raises(CertificateError):
            FRONT.proven(Cutter(lonely).whole(), 4, ONE_SHOT, data)


def test_use_is_shared_among_the_values_on_the_way():
    """The flow of a butterfly goes once through one value of each path."""
    piece = butterfly(4)
    minimum, through = FRONT.shown(
        piece, 8, ONE_SHOT, set_wavefront_excess(piece, 8, ONE_SHOT, Budget())[2]
    )
    assert minimum == 18
    assert (through <= 2).all()
    assert through.sum() >= 2 * 16
