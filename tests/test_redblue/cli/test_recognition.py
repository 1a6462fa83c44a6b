"""What commands say and do of a file whose family is recognised."""

import json

import pytest

import dags
from tests.campaigns.recognition import permuted
from tests.command_line import run_redblue

SAID = "recognised as stencil:shape=8x8,steps=4, verified"


@pytest.fixture
def file(tmp_path):
    """A stencil under random numbers, in a file that keeps no family."""
    path = tmp_path / "mine.hdag"
    dags.save(permuted(dags.load("stencil:shape=8x8,steps=4"), seed=5), path)
    return path


def words_of(command, spec, *options):
    """The best words of each kind in what a command prints as JSON."""
    ending = run_redblue(command, spec, "--memory", 12, "--json", *options)
    assert ending.code == 0, ending.err
    rows = json.loads(ending.out)["rows"]
    return {row["kind"]: row["io"] for row in rows if row["method"] == "best"}


def test_the_family_is_said(file):
    assert f"\n{SAID}\n" in run_redblue("dag", file).out
    assert json.loads(run_redblue("dag", file, "--json").out)["dag"]["recognised"] == SAID[14:-10]
    ending = run_redblue("curve", file, "--memory", 12, "--schedulers", "structured")
    assert SAID in ending.err
    plain = f"{file}:recognise=no"
    for command in (("dag", plain), ("curve", plain, "--memory", 12, "--schedulers", "lru")):
        ending = run_redblue(*command)
        assert "recognised" not in ending.out + ending.err


def test_a_file_is_bounded_like_what_was_generated(file, tmp_path):
    certificate = tmp_path / "bound.json"
    quick = ("--bounds", "segments,dominators")
    generated = words_of("bound", "stencil:shape=8x8,steps=4", *quick)
    assert words_of("bound", file, *quick, "--certificate", certificate) == generated
    assert "proved" in run_redblue("check", file, certificate).out
    refused = run_redblue("bound", f"{file}:recognise=no", "--memory", 12, *quick)
    assert "is known for" in refused.sentence


def test_a_file_is_played_like_what_was_generated(file, tmp_path):
    quick = ("--schedulers", "structured", "--bounds", "compulsory")
    generated = words_of("curve", "stencil:shape=8x8,steps=4", *quick)
    assert words_of("curve", file, *quick) == generated
    store = ("--store", tmp_path / "results.sqlite", "--jobs", 1)
    assert words_of("curve", file, *quick, *store) == generated


def test_a_family_that_is_stated_is_verified(file):
    stated = "stencil:shape=8x8,steps=4"
    before, current = run_redblue("dag", file, "--family", stated), f"{file}:family={stated}"
    assert SAID in before.out
    assert before.out == run_redblue("dag", current).out
    assert before.err.startswith("note: '--family' is 'family=SPEC' at the end of SPEC now")
    wrong = run_redblue("dag", f"{file}:family=stencil:shape=8x8,steps=3")
    assert (wrong.code, wrong.sentence) == (
        2,
        "the DAG is not stencil:shape=8x8,steps=3: it has 320 vertices, not 256",
    )
    unknown = run_redblue("dag", f"{file}:family=stensil:shape=8x8,steps=3")
    assert "did you mean 'stencil'?" in unknown.sentence


def test_programs_are_recognised():
    assert "recognised as lu:n=6, verified" in run_redblue("dag", "polybench/lu:N=6").out
