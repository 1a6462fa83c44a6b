"""Bounds of partial computation: by thinner DAGs, and by searching all states."""

import numpy as np
import pytest

from dags import fft, from_edges, load, pyramid
from pebble import ONE_SHOT, PARTIAL, Rules
from proofs import (
    BOUNDS,
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    compulsory,
    load_bound,
    save_bound,
    searched_bound,
    segments,
    with_play,
)
from proofs.certificates.maps import gained_words, thinned_dag, wrong_vertex
from schedulers.exact import exact

SLIDING = Rules(sliding=True)


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_every_bound_is_checked_and_below_the_optimum(name):
    for dag, memory in ((fft(4), 3), (load("stencil:shape=3,steps=2"), 2), (pyramid(4), 2)):
        try:
            bound = BOUNDS[name](dag, memory, rules=PARTIAL, time_limit=0.05)
        except NotApplicableError:
            continue
        check(dag, memory, bound)
        assert bound.rules == PARTIAL
        assert bound.io <= exact(dag, memory, rules=PARTIAL).io


def test_two_operands_are_the_sliding_game():
    bound = segments(fft(64), 4, rules=PARTIAL)
    assert bound.io == segments(fft(64), 4, rules=SLIDING).io
    assert bound.certificate.data["kept"] == "all"


def test_dropped_inputs_count_and_new_outputs_do_not():
    dag = from_edges(6, [(0, 3), (1, 3), (2, 3), (3, 5), (4, 5)])
    thin = thinned_dag(dag, np.array([1, 2, 3, 4]))
    assert gained_words(dag, thin) == 1
    wide = from_edges(8, [(0, 3), (1, 4), (2, 5), (3, 6), (4, 6), (5, 6)])
    thin = thinned_dag(wide, np.array([0, 1, 2, 4, 5]))
    assert gained_words(wide, thin) == -1
    assert wrong_vertex(wide, np.arange(wide.m)) == 6
    assert wrong_vertex(wide, np.array([0, 1, 2])) == 6


def test_small_results_keep_one_operand():
    dag = from_edges(3, [(0, 2), (1, 2)], words=[3, 1, 2])
    assert wrong_vertex(dag, np.arange(2)) == 2
    assert wrong_vertex(dag, np.array([0])) is None
    bound = BOUNDS["exact-pieces"](dag, 5, rules=PARTIAL)
    check(dag, 5, bound)
    assert bound.io == exact(dag, 5, rules=PARTIAL).io == 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kept": [0, 1, 2]}, "kept"),
        ({"kept": [1, 0]}, "rising"),
        ({"kind": "thinned"}, "no bound of its own"),
        ({"kind": "partial-search", "data": {"excess": 9}}, "partial computation alone"),
        ({"data": 3}, "no object"),
    ],
)
def test_forged_certificates(change, message):
    bound = segments(fft(16), 4, rules=PARTIAL)
    data = {**bound.certificate.data, **change}
    forged = Bound("segments", 4, bound.io, PARTIAL, Certificate("thinned", data))
    with pytest.raises(CertificateError, match=message):
        check(fft(16), 4, forged)


def test_bounds_of_the_placed_game_are_none_of_this_one():
    placed = segments(fft(16), 4)
    with pytest.raises(NotApplicableError, match="not known to hold for partial computation"):
        Bound("segments", 4, placed.io, PARTIAL, placed.certificate)
    thin = segments(fft(16), 4, rules=PARTIAL)
    with pytest.raises(CertificateError, match="partial computation alone"):
        check(fft(16), 4, Bound("segments", 4, thin.io, ONE_SHOT, thin.certificate))


def test_searched_bounds_and_optima_are_kept_and_checked(tmp_path):
    dag = fft(4)
    solution = exact(dag, 3, rules=PARTIAL)
    bound = with_play(searched_bound(dag, 3, rules=PARTIAL, io=solution.io), solution.schedule)
    save_bound(bound, dag, tmp_path / "bound.json")
    repeated = load_bound(tmp_path / "bound.json", dag)
    check(dag, 3, repeated)
    assert repeated.io == 12
    extra = searched_bound(dag, 3, rules=PARTIAL, io=solution.io + 1)
    with pytest.raises(CertificateError, match="some play may have"):
        check(dag, 3, extra)
    assert compulsory(dag, 3, rules=PARTIAL).io == 8


def test_products_are_bounded_by_one_shot_plays_with_more_memory():
    dag = load("matmul:n=8")
    bound = BOUNDS["projections"](dag, 6, rules=PARTIAL)
    assert bound.certificate.kind == "held-operands"
    check(dag, 6, bound)
    placed = BOUNDS["projections"](dag, 12).io
    assert bound.io == 192 + -(-(placed - 192) // 2) > 192
    small = load("matmul:m=2,n=2,k=2")
    for memory in (2, 3):
        minimum = exact(small, memory, rules=PARTIAL).io
        assert BOUNDS["projections"](small, memory, rules=PARTIAL).io <= minimum


@pytest.mark.parametrize(
    ("spec", "change", "message"),
    [
        ("matmul:n=4", {"kind": "held-operands"}, "no bound of its own"),
        ("matmul:n=4", {"data": 1}, "no object"),
        ("fft:n=8", {}, "three operands or more"),
    ],
)
def test_forged_certificates_of_held_operands(spec, change, message):
    data = {"kind": "compulsory", "data": {}} | change
    forged = Bound("projections", 4, 9, PARTIAL, Certificate("held-operands", data))
    with pytest.raises(CertificateError, match=message):
        check(load(spec), 4, forged)
