"""Pictures of memory over time: in the page, as files, and of plans."""

import re
from xml.etree import ElementTree

import networkx as nx
import pytest

import redblue as rb
from redblue.answers.planning.addresses import placed_plan
from redblue.answers.planning.placed import stay_rows
from redblue.answers.planning.plan_page import plan_map, plan_report
from redblue.show.model import MemoryMap, Span
from redblue.show.reporting import report_page, save_files
from redblue.show.reporting.as_data import from_data, to_data
from redblue.show.reporting.memory_maps import LEFT, WIDTH, draw_map, map_svg
from tests.command_line import run_redblue

MAP = MemoryMap(
    "memory",
    "Two tensors.",
    100,
    "bytes",
    (Span("<b>&\x07", 0, 6, 0, 60, True, False, True), Span("<b>", 8, 10, 40, 100, True, True)),
)


@pytest.fixture(scope="module")
def plan():
    spec = "random_layered:n=30,max_words=9,seed=4"
    return placed_plan(spec, rb.min_memory(spec) + 6, time_limit=3, spec=spec)


def rectangles(svg):
    """The rectangles of a picture, by class."""
    results = {}
    for entry in ElementTree.fromstring(svg).iter("rect"):
        place = {key: float(entry.get(key)) for key in ("x", "y", "width", "height")}
        results.setdefault(entry.get("class"), []).append(place)
    return results


def test_rectangles_are_where_tensors_are_and_marks_where_they_leave_and_come_back():
    result = rectangles(map_svg(MAP))
    first, second = result["loaded"]
    assert first["x"] == LEFT
    assert first["x"] + first["width"] < second["x"]
    assert first["y"] > second["y"]  # higher addresses are drawn higher
    assert first["height"] == pytest.approx(second["height"], abs=0.2)
    spilled, back = result["spilled"][0], result["back"][0]
    assert spilled["x"] + spilled["width"] == pytest.approx(first["x"] + first["width"], abs=0.2)
    assert (back["x"], back["height"]) == (second["x"], second["height"])


def test_a_plan_has_a_rectangle_for_each_stay_and_a_mark_for_each_spill(plan):
    result, rows = rectangles(map_svg(plan_map(plan))), stay_rows(plan)
    assert len(result["loaded"]) == sum(row.enters in ("load", "reload") for row in rows)
    assert len(result["computed"]) == sum(row.enters == "compute" for row in rows)
    assert len(result.get("spilled", [])) == sum(row.leaves == "spill" for row in rows) > 0
    ends = [entry["x"] + entry["width"] for entry in result["loaded"] + result["computed"]]
    assert max(ends) <= WIDTH


def test_the_page_and_the_files_have_the_picture(plan, tmp_path):
    report = plan_report(plan, "2026-01-01")
    page = report_page(report)
    assert "<b>Figure 1.</b> Tensors in fast memory" in page
    assert page.count("<title>") >= len(plan.spans)
    names = {path.name for path in save_files(report, tmp_path)}
    assert {"memory.png", "memory.svg", "memory.pdf"} <= names
    experiment = report.runs[0].experiment
    assert from_data(to_data(experiment)) == experiment


def test_names_are_texts():
    svg = map_svg(MAP)
    assert "<b>" not in svg
    drawing = draw_map(MAP, "a $ sign")
    texts = [text.get_text() for text in drawing.axes[0].texts]
    assert any(text.startswith("<b>") for text in texts)


def test_a_picture_of_nothing_is_empty():
    empty = MemoryMap("memory", "Nothing.", 0, "", ())
    assert rectangles(map_svg(empty)) == {}
    draw_map(empty)


def test_a_report_of_tensors_has_the_picture_of_its_schedule(tmp_path):
    graph = nx.DiGraph([("x", "a"), ("w", "a"), ("a", "b"), ("b", "c"), ("x", "c")])
    nx.set_node_attributes(graph, {"x": 5, "w": 2, "a": 4, "b": 3, "c": 1}, "bytes")
    nx.write_graphml(graph, tmp_path / "net.graphml")
    out = tmp_path / "report.html"
    spec = f"{tmp_path / 'net.graphml'}:words=bytes"
    ending = run_redblue(
        "report", spec, "--memory", "11,16", "--effort", "quick", "--time-limit", "5", "--out", out
    )  # fmt: skip
    assert ending.code == 0
    page = out.read_text()
    assert "Tensors in fast memory" in page
    assert re.search(r"<title>[abcxw]: \d bytes at \d+, moves \d+ to \d+</title>", page)
    ending = run_redblue("report", "fft:n=8", "--memory", "4", "--effort", "quick", "--out", out)
    assert "Tensors in fast memory" not in out.read_text()
