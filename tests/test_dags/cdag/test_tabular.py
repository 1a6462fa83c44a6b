import csv
from io import StringIO

import pytest
from matplotlib.figure import Figure

import redblue as rb
from dags import CDAG
from dags.cdag.tables import MOST_LINES


@pytest.fixture(scope="module")
def results():
    return {
        "dag": rb.load("fft:n=8").dag,
        "curve": rb.io_curve("fft:n=8", [4, 8], schedulers=["lru", "structured"]),
        "comparison": rb.compare(["fft:n=8"], [4, 8], schedulers=["lru", "structured"]),
        "solution": rb.solve("fft:n=8", 4, time_limit=5),
        "plan": rb.plan("fft:n=8", effort="quick"),
        "bound": rb.bound("fft:n=8", 4, bounds=["segments"]),
    }


KINDS = ("dag", "curve", "comparison", "solution", "bound", "plan")


@pytest.mark.parametrize("kind", KINDS)
def test_results_are_short_texts_and_tables(kind, results):
    result = results[kind]
    assert len(repr(result)) < 120
    assert "\n" not in repr(result)
    assert "<table" in result._repr_html_()
    assert repr(result).strip("<>").split(":")[0] in result._repr_html_()
    latex = result.to_latex()
    assert latex.startswith(r"\begin{tabular}")
    assert r"\toprule" in latex
    assert len(result.to_csv().splitlines()) == len(result.to_frame()) + 1


def test_csv_of_hostile_labels_has_no_formulas():
    marks = ["=1+2", "+1", "-1", "@x", "\tx"]
    dag = rb.load("chain:n=5").dag
    hostile = CDAG(dag.pred_indptr, dag.pred_indices, labels=marks)
    frame, read = hostile.to_frame(), list(csv.reader(StringIO(hostile.to_csv())))
    place = read[0].index("label")
    assert [line[place] for line in read[1:]] == [f"'{mark}" for mark in marks]
    assert [int(line[0]) for line in read[1:]] == frame["vertex"].tolist()
    assert [line[-1] for line in read[1:]] == [str(value) for value in frame["output"]]


@pytest.mark.parametrize("kind", KINDS)
def test_results_draw_into_ones_own_axes(kind, results):
    own_part = Figure().add_subplot()
    assert results[kind].plot(own_part) is own_part
    assert own_part.has_data()
    assert results[kind].plot().figure is not own_part.figure


def test_a_curve_pivots(results):
    curve = results["curve"]
    wide = curve.to_frame().pivot(index="memory", columns="method", values="io")
    assert list(wide["best"]) == [io for _, io in curve.envelope("upper")]
    assert list(wide["best bound"]) == [io for _, io in curve.envelope("lower")]
    assert list(curve.summary_frame()["M"]) == [4, 8]


def test_large_dags_are_drawn_by_levels():
    axes = rb.load("matmul:n=12").dag.plot()
    assert axes.get_xlabel() == "level"


def test_html_is_no_longer_than_a_screen():
    curve = rb.io_curve("fft:n=64", range(4, 70), schedulers=["lru"], bounds=["compulsory"])
    assert curve._repr_html_().count("<tr") <= MOST_LINES + 3


def test_latex_prints_names_as_they_are():
    assert r"natural+lru" in rb.io_curve("fft:n=8", [4], schedulers=["lru"]).to_latex()
    assert r"order\_loss" not in rb.io_curve("fft:n=8", [4]).to_latex()
