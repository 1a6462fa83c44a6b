"""Bounds of recognised DAGs: those of the generator's, with certificates for the user's."""

import numpy as np
import pytest

import dags
from dags import recognise
from pebble import ONE_SHOT, RULES, judge, min_memory
from proofs import (
    BOUNDS,
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    load_bound,
    save_bound,
    segments,
    with_play,
)
from schedulers import structured
from tests.campaigns.recognition import permuted
from tests.registries import SMALL_EXAMPLES


@pytest.mark.parametrize("name", SMALL_EXAMPLES)
def test_a_file_is_played_and_proved_like_what_was_generated(name):
    original = dags.load(SMALL_EXAMPLES[name])
    plain = permuted(original, seed=3)
    known = recognise(plain)
    generated = dags.load(known.recognised.spec)
    for rules in (ONE_SHOT, RULES["recompute-sliding"]):
        memory = min_memory(plain, rules=rules) + 1
        played = judge(plain, structured(known, memory, rules=rules), memory, rules=rules)
        theirs = structured(generated, memory, rules=rules)
        assert played.io == judge(generated, theirs, memory, rules=rules).io
        for method in ("dirac", "dominators", "projections", "segments"):
            try:
                bound = BOUNDS[method](known, memory, rules=rules)
            except NotApplicableError:
                continue
            check(plain, memory, bound)
            assert bound.io == BOUNDS[method](generated, memory, rules=rules).io <= played.io


@pytest.mark.parametrize("name", ["dirac", "stencil", "matmul", "prefix_scan"])
def test_sizes_and_outputs_that_a_file_lost_do_not_make_bounds_too_large(name):
    plain = permuted(dags.load(SMALL_EXAMPLES[name]), seed=3)
    sizes = np.random.default_rng(1).integers(1, 4, plain.n)
    for words in (None, sizes):
        lossy = recognise(dags.CDAG(plain.pred_indptr, plain.pred_indices, words=words))
        for rules in RULES.values():
            memory = min_memory(lossy, rules=rules) + 2
            played = judge(lossy, structured(lossy, memory, rules=rules), memory, rules=rules)
            for method in ("dirac", "dominators", "projections", "segments"):
                try:
                    bound = BOUNDS[method](lossy, memory, rules=rules)
                except NotApplicableError:
                    continue
                check(lossy, memory, bound)
                assert bound.io <= played.io


@pytest.fixture
def known():
    """A butterfly under random numbers, recognised."""
    return recognise(permuted(dags.fft(64), seed=1))


def test_a_certificate_is_checked_on_the_plain_file(known, tmp_path):
    bound = segments(known, 8)
    assert bound.certificate.kind == "renumbered"
    assert bound.io == segments(dags.fft(64), 8).io
    plain = dags.CDAG(known.pred_indptr, known.pred_indices)
    save_bound(bound, known, tmp_path / "bound.json")
    check(plain, 8, load_bound(tmp_path / "bound.json", plain))


def test_a_play_that_meets_it_makes_an_optimum(known):
    memory = known.n
    play = structured(known, memory)
    plain = Certificate("compulsory", {})
    data = {"vertex": known.recognised.vertex, "kind": plain.kind, "data": {}}
    bound = Bound("compulsory", memory, 128, ONE_SHOT, Certificate("renumbered", data))
    check(known, memory, with_play(bound, play))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vertex": [0, 1]}, "is no list of the 448 vertices"),
        ({"vertex": [0] * 448}, "no permutation"),
        ({"vertex": list(range(447, -1, -1))}, "before one of its predecessors"),
        ({"vertex": [-1, *range(447)]}, "is no list of the 448 vertices"),
        ({"kind": "renumbered"}, "is renumbered, which is no bound of its own"),
        ({"kind": "optimum"}, "is optimum, which is no bound of its own"),
        ({"kind": "flight"}, "not one of"),
        ({"data": []}, "is no object"),
        ({"more": 1}, "does not belong here"),
    ],
)
def test_forged_certificates_are_refused(known, change, message):
    bound = segments(known, 8)
    forged = Certificate("renumbered", {**bound.certificate.data, **change})
    with pytest.raises(CertificateError, match=message):
        check(known, 8, Bound("segments", 8, bound.io, ONE_SHOT, forged))


def test_other_numbers_prove_nothing_of_the_family(known):
    bound = segments(known, 8)
    natural = {**bound.certificate.data, "vertex": np.arange(known.n)}
    with pytest.raises(CertificateError):
        check(
            known, 8, Bound("segments", 8, bound.io, ONE_SHOT, Certificate("renumbered", natural))
        )
