"""Tiles and loops: whoever asks about a program is told how its best loops are written."""

import json
import re
from functools import partial

import pytest

import redblue as rb
from dags import load
from redblue.answers.evidence.gathering import gather
from redblue.answers.evidence.paragraphs import passages
from schedulers.tilings.shown import ShownTiling
from tests.command_line import run_redblue

PRODUCT = "for (i = 0; i < N; i++) for (j = 0; j < N; j++) for (k = 0; k < N; k++)\n"
PRODUCT += "  C[i][j] += A[i][k] * B[k][j];\n"
TILES = re.compile(r"(tiles: [a-z0-9 ,+-]+; )?loops: [A-Ca-z0-9 ,+-]+")


@pytest.fixture
def product(tmp_path):
    path = tmp_path / "mm.c"
    path.write_text(PRODUCT)
    return f"{path}:N=6"


def lines_of(record):
    """The lines that are printed of a record's loops."""
    return ShownTiling(record["tiling"], partial(list, record.get("loops", []))).lines()


def test_solve_tells_tiles_and_loops(product):
    asked = ("solve", product, "--memory", "14", "--effort", "1")
    record = json.loads(run_redblue(*asked, "--json").out)
    words, text = record["rows"][0]["io"], record["tiling"]
    assert record["tiled_io"] >= words
    assert TILES.match(text)
    assert "\n".join(lines_of(record)) in run_redblue(*asked).out
    assert (record["rows"][0].get("tiling") == text) == (record["tiled_io"] == words)
    assert "tiling" not in rb.solve("fft:n=4", 4).to_dict()


def test_curves_tell_tiles_and_loops_at_each_size(product):
    asked = ("curve", product, "--memory", "8,14", "--effort", "quick")
    record = json.loads(run_redblue(*asked, "--json").out)
    tiled = [row for row in record["rows"] if row["method"] == "tiled"]
    assert [row["memory"] for row in tiled] == [8, 14]
    assert all(TILES.match(row["tiling"]) for row in tiled)
    assert all("tiling" not in row for row in record["rows"] if row["kind"] == "lower")
    printed = run_redblue(*asked).out
    for row in tiled:
        loops = "\n".join(lines_of(row))
        assert f"M = {row['memory']}, {row['io']:,} words:\n{loops}\n" in printed


def test_plans_and_levels_tell_tiles_and_loops(product):
    planned = json.loads(
        run_redblue("plan", product, "--memory=14", "--effort=quick", "--json").out
    )
    assert TILES.match(planned["answer"]["tiling"])
    printed = run_redblue("plan", product, "--memory=14", "--effort=quick").out
    assert "\n".join(lines_of(planned["answer"])) in printed
    assert planned["answer"]["tiling"] not in printed
    hierarchy = rb.levels(product, "8,20")
    assert hierarchy.best.method in ("tiled+belady", "tiled+lru")
    loops = "\n".join(lines_of(hierarchy.to_dict()))
    assert loops in run_redblue("levels", product, "--memory", "8,20").out


def test_reports_tell_tiles_and_loops(product):
    evidence = gather(load(product), [8, 14], effort="quick")
    (passage,) = (entry for entry in passages(evidence) if entry.title == "Tiles")
    sizes = [line for line in passage.code if line.startswith("M = ")]
    assert [line.split(",")[0] for line in sizes] == ["M = 8", "M = 14"]
    assert len(passage.code) >= 2 * len(sizes)
    assert not any("loops: " in line for line in passage.code)


def test_tiles_of_points_are_loops(product):
    """A tiling of points was one line of text; each of its loops has a line now."""
    record = rb.plan(product, 14, effort="quick").to_dict()["answer"]
    lines = lines_of(record)
    assert len(lines) > 2
    assert lines[0].startswith("for (")
    for depth, line in enumerate(line for line in lines if "for (" in line):
        assert line.startswith("  " * depth + "for (")
    assert lines[-1].strip() == "run the statements of this point;"
