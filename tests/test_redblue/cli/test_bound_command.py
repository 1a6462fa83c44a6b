"""``redblue bound`` and ``redblue check``: numbers, files, verdicts and refusals."""

import hashlib
import json
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import redblue as rb
from dags import load
from pebble import RULES
from proofs import BOUNDS, check, load_bound
from proofs.trusted import lines_behind
from redblue.cli import console
from tests.command_line import run_redblue


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A certificate of the 16-point FFT, as the command writes it."""
    path = tmp_path_factory.mktemp("bound") / "bound.json"
    chosen = ("--bounds", "decomposition,dominators,segments")
    ending = run_redblue("bound", "fft:n=16", "--memory", 4, *chosen, "--certificate", path)
    assert (ending.code, ending.err) == (0, f"wrote {path}\n")
    return path


@pytest.fixture
def certificate(written, tmp_path):
    """A copy of it, which may be changed."""
    return shutil.copy(written, tmp_path / "bound.json")


def test_rows_and_the_best_of_them():
    ending = run_redblue("bound", "fft:n=16", "--memory", "4,8", "--time-limit", 1, "--json")
    assert (ending.code, ending.err) == (0, "")
    answer = json.loads(ending.out)
    assert (answer["dag"]["spec"], answer["rules"]) == ("fft:n=16", "one-shot")
    for memory in (4, 8):
        rows = {row["method"]: row["io"] for row in answer["rows"] if row["memory"] == memory}
        best = rows.pop("best")
        assert rows.keys() <= BOUNDS.keys() | {"exact"}
        assert best == max(rows.values()) >= rows["compulsory"] == 32


def test_the_race_ends_where_a_play_meets_the_bound():
    ending = run_redblue("bound", "fft:n=8", "--memory", 4, "--json")
    answer = json.loads(ending.out)
    (play,) = answer["plays"]
    rows = {row["method"]: row["io"] for row in answer["rows"]}
    assert play["io"] == rows["best"] == rows["exact"] == 31
    assert not rows.keys() & {"ideals", "decomposition", "exact-pieces"}  # nothing was left to gain
    text = run_redblue("bound", "fft:n=8", "--memory", 4).out
    assert "M = 4: the best known schedule moves 31 words and meets the bound: both are" in text


def test_a_certificate_is_cited_with_its_digest(certificate, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1777600000")
    ending = run_redblue("check", "fft:n=16", certificate, "--cite", "--json")
    cited = json.loads(ending.out)["citation"]
    digest = hashlib.sha256(Path(certificate).read_bytes()).hexdigest()
    bound = load_bound(certificate, load("fft:n=16"))
    assert cited["sha256"] == digest
    assert f"at least {bound.io} words~\\cite{{redblue-{digest[:8]}}}." in cited["latex"]
    assert cited["bibtex"].startswith(f"@misc{{redblue-{digest[:8]},\n")
    for text in (digest, load("fft:n=16").digest, "year = {2026}", f"{bound.io} words"):
        assert text in cited["bibtex"]
    assert cited["bibtex"].count("{") == cited["bibtex"].count("}")
    plain = run_redblue("check", "fft:n=16", certificate, "--cite").out
    assert plain.endswith(f"{cited['bibtex']}\n")
    refused = run_redblue("check", "fft:n=16", "a.npz", "--cite")
    assert refused.sentence == "a.npz is a schedule: --cite is for certificates"


def test_a_certificate_says_how_many_lines_it_rests_on(certificate):
    bound = load_bound(certificate, load("fft:n=16"))
    rooms = json.loads(run_redblue("check", "fft:n=16", certificate, "--lines", "--json").out)
    assert rooms["lines"] == lines_behind(bound.certificate)
    output = run_redblue("check", "fft:n=16", certificate, "--lines").out
    assert f"it rests on {sum(rooms['lines'].values()):,} lines of the checker" in output
    refused = run_redblue("check", "fft:n=16", "a.npz", "--lines")
    assert refused.sentence == "a.npz is a schedule: --lines is for certificates"


def test_all_methods_are_compared_when_that_is_asked_for():
    command = ("bound", "fft:n=4", "--memory", 4, "--time-limit", 20, "--json")
    answer = json.loads(run_redblue(*command, "--bounds", "all").out)
    names = {row["method"] for row in answer["rows"]} - {"best"}
    assert {"exact-pieces", "wavefront", "decomposition", "reuse", "segments"} <= names
    assert names <= BOUNDS.keys()
    assert (answer["plays"], answer["unfinished"]) == ([], {})


def test_what_is_proved_for_more_memory_holds_for_less():
    command = ("bound", "fft:n=64", "--memory", "5,6,8", "--effort", "quick", "--json")
    rows = json.loads(run_redblue(*command).out)["rows"]
    best = [row["io"] for row in rows if row["method"] == "best"]
    assert best == sorted(best, reverse=True)
    assert best[0] == max(row["io"] for row in rows)


def test_a_limit_is_for_all_sizes_together():
    began = time.monotonic()
    command = ("bound", "matmul:n=6", "--memory", "4,8,12,16,24,32", "--time-limit", 4, "--json")
    answer = json.loads(run_redblue(*command).out)
    assert {row["memory"] for row in answer["rows"]} == {4, 8, 12, 16, 24, 32}
    assert time.monotonic() - began < 12  # each had four seconds of its own before


def test_progress_is_told(monkeypatch):
    texts = []

    @contextmanager
    def line():
        yield texts.append

    monkeypatch.setattr(console, "status_line", line)
    run_redblue("bound", "fft:n=64", "--memory", 8, "--time-limit", 3)
    stages = [message.partition(": ")[0] for message in texts]
    assert stages[0].startswith("loading")
    assert {"proving at once", "proving by exact-pieces"} <= set(stages)
    assert any("at least" in message for message in texts)


def test_a_method_that_is_asked_alone_writes_its_own_certificate(tmp_path):
    """Also where it proves no more than the compulsory words; the API has the same bound."""
    path = tmp_path / "bound.json"
    command = ("bound", "fft:n=16", "--memory", 17, "--bounds", "segments")
    ending = run_redblue(*command, "--certificate", path, "--json")
    written = load_bound(path, load("fft:n=16"))
    single = rb.bound("fft:n=16", 17, bounds="segments")
    assert (written.method, written.io) == (single.method, single.io) == ("segments", 32)
    assert [row["io"] for row in json.loads(ending.out)["rows"]] == [32, 32]


@pytest.mark.parametrize("rules", RULES)
def test_what_is_written_is_the_best_and_holds(tmp_path, rules):
    path = tmp_path / "bound.json"
    command = ("bound", "grid:shape=4x4", "--memory", 4, "--rules", rules)
    ending = run_redblue(*command, "--certificate", path, "--json")
    dag = load("grid:shape=4x4")
    bound = load_bound(path, dag)
    check(dag, 4, bound)
    assert bound.rules.name == rules
    assert max(row["io"] for row in json.loads(ending.out)["rows"]) == bound.io


def test_the_verdict(certificate):
    ending = run_redblue("check", "fft:n=16", certificate)
    assert (ending.code, ending.err) == (0, "")
    assert ending.out.startswith("proved: with 4 words of fast memory, every one-shot schedule ")
    verdict = json.loads(run_redblue("check", "fft:n=16", certificate, "--json").out)
    assert verdict["valid"]
    assert verdict["lemmas"][0].startswith(("W", "P1 Pieces of a DAG", "compulsory"))
    assert verdict["io"] >= 32


def test_a_certificate_for_another_dag_and_a_changed_one(certificate):
    ending = run_redblue("check", "fft:n=8", certificate)
    assert (ending.code, ending.err) == (4, "")
    assert ending.out == "not proved: dag: the certificate is for another DAG\n"
    certificate.write_text(certificate.read_text().replace('"memory": 4', '"memory": 3'))
    ending = run_redblue("check", "fft:n=16", certificate, "--json")
    assert ending.code == 4
    assert json.loads(ending.out)["error"]["field"] == "seal"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--memory", "2"], "2 words of fast memory are too few"),
        (["--memory", "4", "--bounds", "nothing"], "no bound is called 'nothing'"),
        (["--memory", "4", "--rules", "nothing"], "no rule set is called 'nothing'"),
        (["--memory", "4", "--time-limit", "0"], "the time limit must be more than 0 seconds"),
        (["--memory", "4,8", "--certificate", "x.json"], "a certificate is for one memory size"),
        (["--memory", "4", "--effort", "much"], "no effort is called 'much'"),
        (["--memory", "4", "--effort", "quick", "--bounds", "all"], "--effort is for all methods"),
    ],
)
def test_refusals(arguments, sentence):
    ending = run_redblue("bound", "fft:n=16", *arguments)
    assert (ending.code, ending.out) == (2, "")
    assert ending.err.startswith(f"redblue: {sentence}")
    assert ending.err.count("\n") == 1


def test_a_file_that_is_no_certificate(tmp_path):
    path = tmp_path / "bound.json"
    path.write_text("[]")
    ending = run_redblue("check", "fft:n=16", path)
    assert (ending.code, ending.out) == (2, "")
    assert "is no certificate" in ending.err


def test_the_table_has_a_line_per_method():
    text = run_redblue("bound", "fft:n=16", "--memory", 4, "--time-limit", 1).out
    table = text.partition("M = 4:")[0].strip()
    assert {line.split()[1] for line in table.splitlines()[3:]} <= {*BOUNDS, "exact", "best"}


def test_the_formulas_of_a_family_are_shown_where_all_bounds_are_asked():
    command = ("bound", "matmul:n=6", "--memory", 9, "--time-limit", 0.1)
    lines = run_redblue(*command).out.splitlines()
    assert "2 K W + K, W = [m n k / ceil(K^(3/2))]  W >= 1" in [line.rstrip() for line in lines]
    forms = json.loads(run_redblue(*command, "--json").out)["closed_forms"]
    assert [form["holds"] for form in forms] == ["always", "W >= 1"]
    chosen = json.loads(run_redblue(*command, "--bounds", "compulsory", "--json").out)
    assert chosen["closed_forms"] == []
