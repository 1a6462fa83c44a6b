"""``redblue report``."""

import json

import pytest

from tests import fake_experiments as fakes
from tests.command_line import run_redblue
from tests.html_pages import Page


@pytest.fixture(autouse=True)
def registry(monkeypatch, tmp_path):
    names = ("good", "refuting", "failing")
    known = {name: getattr(fakes, name) for name in names}
    monkeypatch.setattr("redblue.papers.experiments.EXPERIMENTS", known)
    monkeypatch.chdir(tmp_path)


def test_a_report(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1777600000")
    ending = run_redblue("report", "good", "--effort", "quick", "--out", "a.html", "--seed", 5)
    assert ending.code == 0
    assert ending.out == "4 claims: 2 confirmed, 1 corrected, 0 refuted, 1 undecided\n"
    assert "[1/1] good: " in ending.err
    assert "wrote a.html (" in ending.err
    page = Page((tmp_path / "a.html").read_text())
    assert "report of 2026-05-01" in page.text
    assert "redblue report good --effort quick --seed 5" in page.text


def test_all_of_them_and_the_default_name(tmp_path):
    ending = run_redblue("report", "--jobs", 1)
    assert ending.code == 4
    assert "refuted: what is claimed (refuted) [refuting]" in ending.out
    assert "failed: failing: ValueError: 4 words are too few <b>" in ending.out
    page = Page((tmp_path / "report.html").read_text())
    assert "3 experiments at full size" in page.text


@pytest.mark.parametrize("name", ["refuting", "failing"])
def test_what_is_not_well_is_told(name, tmp_path):
    ending = run_redblue("report", name)
    assert ending.code == 4
    assert (tmp_path / "report.html").is_file()


def test_json_is_one_object(tmp_path):
    ending = run_redblue("report", "good", "--json", "--figures", "figures")
    assert ending.code == 0
    data = json.loads(ending.out)
    assert [run["name"] for run in data["runs"]] == ["good"]
    assert data == json.loads((tmp_path / "figures" / "report.json").read_text())
    assert (tmp_path / "figures" / "good" / "io-curve.pdf").is_file()


def test_a_store_makes_it_resumable(tmp_path):
    first, second = (
        run_redblue("report", "good", "--store", "runs.db", "--json", "--date", "x")
        for _ in range(2)
    )
    assert first.code == 0
    assert first.out == second.out  # with the seconds of the first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody"], "known: good, refuting, failing"),
        (["good", "--out", "nowhere/a.html"], "nowhere"),
        (["good", "--figures", "file"], "file"),
        (["good", "--store", "file"], "file"),
        (["good", "--jobs", "0"], "jobs"),
        (["goood"], "did you mean 'good'?"),
        (["nowhere.hdag"], "nowhere.hdag: cannot be read"),
        (["good", "fft:n=8"], "fft:n=8 is a DAG, and good is an experiment"),
        (["good", "--memory", "8"], "--memory is for a report on a DAG"),
        (["fft:n=8", "--store", "a.db"], "--store is for a report on experiments"),
        (["fft:n=8", "--memory", "2"], "3"),
        (["good", "--seed", "-1"], "seed"),
    ],
)
def test_bad_arguments(arguments, said, tmp_path):
    (tmp_path / "file").write_text("no store, no folder")
    ending = run_redblue("report", *arguments)
    assert ending.code == 2
    assert said in ending.sentence
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_report_on_a_file(tmp_path):
    output = run_redblue("dag", "pyramid:height=2", "--out", "own.hdag")
    assert output.code == 0
    arguments = ("--memory", "3:4", "--effort", "quick", "--figures", "figures", "--out", "a.html")
    ending = run_redblue("report", "own.hdag", *arguments)
    assert ending.code == 0, ending.err
    assert "recognised as pyramid:height=2, verified" in ending.err
    assert ending.out.startswith("own.hdag: At M = 3 to 4 words the schedules")
    page = Page((tmp_path / "a.html").read_text())
    assert "redblue report own.hdag --memory 3,4 --effort quick --seed 0" in page.text
    home = tmp_path / "figures" / "own-hdag"
    assert (home / "literature.bib").read_text().startswith("@inproceedings{hong1981,\n  author")
    for certificate in sorted((home / "certificates").iterdir()):
        assert run_redblue("check", "own.hdag", certificate).code == 0
    assert (home / "schedules" / "M3.npz").is_file()
