"""Figures, tables and claims of a report as files."""

import csv
import json
import re

import pytest

from dags import FormatError
from redblue.papers.experiments import Bench, run_experiments
from redblue.show import rows
from redblue.show.model import Experiment, Passage
from redblue.show.reporting import Report, Run, report_page, save_files
from redblue.show.reporting.as_data import from_data, to_data
from redblue.show.reporting.files import file_names
from redblue.show.reporting.tables import latex, table_csv, table_latex
from tests import fake_experiments as fakes

SIGNATURES = {".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


@pytest.fixture(scope="module")
def report():
    names = ("good", "failing", "hostile")
    runs = run_experiments({name: getattr(fakes, name) for name in names}, Bench())
    return Report(tuple(runs), "today")


@pytest.fixture(scope="module")
def folder(report, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files") / "new"
    written = save_files(report, folder)
    assert sorted(written) == sorted(path for path in folder.rglob("*") if path.is_file())
    return folder


def test_every_figure_is_there(folder):
    for name in ("io-curve", "ratio"):
        for suffix, start in SIGNATURES.items():
            assert (folder / "good" / f"{name}{suffix}").read_bytes().startswith(start)
    assert len(list(folder.rglob("*.svg"))) == 3


def test_figures_are_the_same_every_day(report, folder, tmp_path):
    save_files(report, tmp_path)
    for path in folder.rglob("*.*"):
        if path.suffix in (".svg", ".pdf"):
            assert path.read_bytes() == (tmp_path / path.relative_to(folder)).read_bytes()


def test_tables_have_every_digit(folder):
    with (folder / "good" / "counts.csv").open(newline="") as lines:
        rows = list(csv.reader(lines))
    assert rows[0] == ["family", "M [words]", "ratio", "note"]
    assert rows[1] == ["fft", "4096", "0.3333333333333333", ""]
    assert float(rows[1][2]) == pytest.approx(1 / 3)


def test_latex_is_escaped(folder):
    text = (folder / "good" / "counts.tex").read_text()
    assert r"\begin{tabular}{lrrl}" in text
    assert r"{50\% \& more\_or\_less} \\" in text
    assert r"\label{tab:good-counts}" in text
    for path in folder.rglob("*.tex"):
        body = path.read_text()
        assert body.count(r"\toprule") == body.count(r"\midrule") == body.count(r"\bottomrule") == 1
        assert body.count("{") - body.count(r"\{") == body.count("}") - body.count(r"\}")
        assert not re.search(r"(?<!\\)[%$#_^~<>|]", body)
    assert latex("\\ {a}\nb") == r"\textbackslash{} \{a\} b"


def test_claims_are_there(report, folder):
    with (folder / "claims.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == len(report.claims) == 5
    assert rows[0]["verdict"] == "confirmed"
    assert rows[0]["experiment"] == "good"
    assert rows[-1]["statement"] == report.claims[-1][1].statement


def test_everything_is_there_as_data(report, folder):
    data = json.loads((folder / "report.json").read_text())
    assert data == json.loads(json.dumps(report.to_dict()))
    good, failing, _ = data["runs"]
    assert from_data(good["experiment"]) == report.experiments[0]
    assert failing["experiment"] is None
    assert failing["problem"].startswith("ValueError")
    assert data["verdicts"]["confirmed"] == 3
    assert data["sound"] is False


def test_an_empty_table():
    table = rows.table("t", "Nothing.", [], "a", "b")
    assert table_csv(table) == "a,b\n"
    assert r"\begin{tabular}{rr}" in table_latex(table, "t")


def test_names_of_files():
    assert file_names(["<script>", "..", "/etc", "a b", "A-B"]) == [
        "script",
        "unnamed",
        "etc",
        "a-b",
        "a-b-2",
    ]


def test_a_folder_in_the_way(report, tmp_path):
    (tmp_path / "claims.csv").mkdir()
    with pytest.raises(FormatError, match="cannot be written"):
        save_files(report, tmp_path)


def test_formulas_are_set_in_tables_and_kept_as_data():
    formulas = {"N^2 / 2": r"\frac{N^{2}}{2}"}
    table = rows.table("t", "C.", [("N^2 / 2", "N^2")], "a", "b", formulas=formulas)
    assert r"{$\frac{N^{2}}{2}$} & {N\textasciicircum{}2}" in table_latex(table, "t")
    assert table_csv(table).splitlines()[1] == "N^2 / 2,N^2"
    passage = Passage("heading", "text", formula="x^{2}")
    first = Experiment("some", "Some", "Text.", (), tables=(table,), passages=(passage,))
    repeated = from_data(to_data(first))
    assert (repeated.tables, repeated.passages) == ((table,), (passage,))
    page = report_page(Report((Run("some", repeated, "", 1.0),), "today"))
    assert page.count("<mfrac>") == 1
    assert page.count("<msup>") == 2
