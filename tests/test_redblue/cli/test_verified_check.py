"""`redblue check --verified` and `redblue compile --verified`."""

import json
import shutil

import pytest

import redblue as rb
from proofs.verified import NotVerifiedError, checker
from tests.command_line import run_redblue

SPEC = "fft:n=8"


@pytest.fixture
def certificate(tmp_path):
    """Write a certificate of a wavefront."""
    place = tmp_path / "c.json"
    ending = run_redblue(
        "bound", SPEC, "--memory", 4, "--bounds", "wavefront", "--certificate", place
    )
    assert ending.code == 0
    return place


@pytest.fixture
def built():
    """Build the verified checker, or skip."""
    if not checker.program().exists() and not all(map(shutil.which, checker.TOOLS)):
        pytest.skip("Coq and OCaml are not installed")
    return checker.build()


def test_what_is_verified_is_said(built, certificate):
    ending = run_redblue("check", SPEC, certificate, "--verified")
    assert (ending.code, ending.err) == (0, "")
    assert "; verified: a checker that is proved correct in Coq accepts it" in ending.out
    facts = json.loads(run_redblue("check", SPEC, certificate, "--verified", "--json").out)
    assert facts["verified"] is True
    assert "verified" not in json.loads(run_redblue("check", SPEC, certificate, "--json").out)
    assert rb.check(SPEC, certificate, verified=True).io == facts["io"]


def test_building_says_where_it_is(built):
    ending = run_redblue("compile", "--verified")
    assert ending.code == 0
    assert ending.out == (
        f"Coq has checked all theorems, without axioms; the verified checker is {built}\n"
    )


def test_other_kinds_have_a_sentence(built, tmp_path):
    place = tmp_path / "c.json"
    run_redblue("bound", SPEC, "--memory", 4, "--bounds", "segments", "--certificate", place)
    ending = run_redblue("check", SPEC, place, "--verified")
    assert ending.code == 2
    assert "the verified checker does not know the kind segments" in ending.sentence
    with pytest.raises(NotVerifiedError):
        rb.check(SPEC, place, verified=True)


def test_where_it_is_not_built_a_sentence_says_how(certificate, monkeypatch, tmp_path):
    monkeypatch.setattr(checker, "program", lambda: tmp_path / "none")
    ending = run_redblue("check", SPEC, certificate, "--verified")
    assert ending.code == 2
    assert "'redblue compile --verified' builds it where Coq and OCaml are" in ending.sentence


def test_schedules_are_not_verified(tmp_path):
    place = tmp_path / "play.npz"
    run_redblue("solve", SPEC, "--memory", 4, "--out", place, "--time-limit", 1)
    ending = run_redblue("check", SPEC, place, "--memory", 4, "--verified")
    assert ending.code == 2
    assert ending.sentence == "play.npz is a schedule: --verified is for certificates"
