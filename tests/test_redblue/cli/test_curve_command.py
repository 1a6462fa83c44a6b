"""``redblue curve``: what it prints and writes."""

import csv
import json

import pytest

from dags import fft, load
from pebble import judge
from redblue.answers.curves.curve import io_curve
from redblue.racing.proving import DEFAULT_BOUNDS
from schedulers import default_schedulers, scheduler_named
from tests.command_line import run_redblue

FILES = ["curve.csv", "curve.json", "curve.pdf", "curve.png", "curve.svg"]
DAG_KEYS = ["spec", "vertices", "edges", "inputs", "outputs", "min_memory"]
ROW_KEYS = ["kind", "method", "memory", "io", "loads", "stores", "status", "seconds"]


def answer(*arguments):
    """The one JSON object that a command prints."""
    ending = run_redblue(*arguments, "--json")
    assert (ending.code, ending.err) == (0, "")
    assert ending.out.endswith("}\n")
    return json.loads(ending.out)


def test_defaults_of_the_command_are_those_of_the_function():
    curve = answer("curve", "fft:n=8", "--memory", "4:8:2")
    asked = {(row["kind"], row["method"]) for row in curve["rows"]} - {
        ("upper", "best"),
        ("lower", "best"),
    }
    expected = io_curve(fft(8), [4])
    uppers, lowers = expected.methods("upper"), expected.methods("lower")
    assert asked == {("upper", name) for name in uppers} | {("lower", name) for name in lowers}
    assert default_schedulers(fft(8)) == uppers
    assert lowers == ("compulsory", "butterflies", "dominators", "segments")
    assert set(lowers) <= set(DEFAULT_BOUNDS)


def test_curve_json_is_what_the_design_says():
    ending = run_redblue(
        "curve", "fft:n=8", "--memory", "2,4,16", "--schedulers", "lru,fifo", "--json"
    )
    curve = json.loads(ending.out)
    assert list(curve) == ["dag", "rules", "rows"]
    assert list(curve["dag"]) == DAG_KEYS
    assert curve["rules"] == "one-shot"
    kinds = {"upper": {"feasible", "optimal", "infeasible"}, "lower": {"bound"}}
    for row in curve["rows"]:
        assert list(row) == ROW_KEYS
        assert row["status"] in kinds[row["kind"]]
        assert (row["loads"] is None) == (row["kind"] == "lower" or row["status"] == "infeasible")
        if row["loads"] is not None:
            assert row["io"] == row["loads"] + row["stores"]
    best = {(row["kind"], row["memory"]) for row in curve["rows"] if row["method"] == "best"}
    assert best == {("upper", 4), ("upper", 16), ("lower", 2), ("lower", 4), ("lower", 16)}


def test_curve_prints_a_table_and_a_drawing():
    methods = ("--schedulers", "lru,belady", "--bounds", "compulsory")
    ending = run_redblue("curve", "fft:n=64", "--memory", "4:64:3", *methods)
    assert (ending.code, ending.err) == (0, "")
    lines = ending.out.splitlines()
    assert lines[0] == "I/O (words) of fft:n=64, one-shot"
    table = [line.split() for line in lines if line.strip().startswith(("4 ", "16 ", "64 "))]
    assert table[:3] == [
        ["4", "1,087", "1,024", "128", "8.000"],
        ["16", "923", "782", "128", "6.109"],
        ["64", "630", "202", "128", "1.578"],
    ]
    assert "fast memory M (words)" in ending.out


def test_a_curve_of_one_size_is_not_drawn():
    asked = ("curve", "fft:n=64", "--memory", 4, "--effort", "quick")
    assert "fast memory" not in run_redblue(*asked).out


def test_curve_says_which_sizes_are_too_small():
    ending = run_redblue("curve", "matmul:n=4", "--memory", "2,3,4", "--effort", "quick")
    assert ending.code == 0
    assert ending.err == "note: 3 words are too few: schedules need at least 4\n"


def test_a_size_is_too_small_for_those_who_do_not_slide():
    sliding = ("--rules", "one-shot-sliding", "--schedulers", "structured,lru,fifo")
    ending = run_redblue("curve", "matmul:n=4", "--memory", "2,3,4", *sliding)
    assert ending.code == 0
    assert ending.err == (
        "note: 2 words are too few: schedules need at least 3\n"
        "note: 3 words are enough for sliding schedulers only, not for natural+lru, natural+fifo\n"
    )


@pytest.mark.parametrize(
    ("rules", "io"),
    [
        ("one-shot", [15, 11, 9]),
        ("recompute", [15, 11, 9]),
        ("one-shot-sliding", [11, 9, 9]),  # in a tree, a word less does where results slide
    ],
)
def test_curve_under_all_rules(rules, io):
    curve = answer("curve", "tree:height=3", "--memory", "3,4,5", "--rules", rules)
    best = [row["io"] for row in curve["rows"] if (row["kind"], row["method"]) == ("upper", "best")]
    assert (curve["rules"], best) == (rules, io)


def test_the_number_of_jobs_changes_nothing():
    first, two = (
        answer("curve", "fft:n=16", "--memory", "4:16:3", "--jobs", jobs, "--effort", "quick")[
            "rows"
        ]
        for jobs in (1, 2)
    )
    for row in (*first, *two):
        del row["seconds"]
    assert first == two


def test_curve_writes_five_files(tmp_path):
    out = tmp_path / "new" / "folder"
    arguments = ("curve", "fft:n=8", "--memory", "2:16:4", "--out", out, "--json")
    ending = run_redblue(*arguments)
    assert ending.code == 0
    assert sorted(path.name for path in out.iterdir()) == FILES
    note, *wrote = ending.err.splitlines()
    assert note.startswith("note: 2 words are too few")
    assert sorted(wrote) == [f"wrote {out / name}" for name in FILES]
    data = json.loads(ending.out)
    assert json.loads((out / "curve.json").read_text()) == data
    with (out / "curve.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(data["rows"])
    for line, row in zip(table, data["rows"], strict=True):
        assert list(line) == ROW_KEYS
        for key, value in row.items():
            assert line[key] == ("" if value is None else str(value))
    assert run_redblue(*arguments).code == 0  # over what is there
    assert sorted(path.name for path in out.iterdir()) == FILES


@pytest.mark.parametrize("name", FILES)
def test_nothing_half_written_where_a_folder_stands_in_the_way(name, tmp_path):
    (tmp_path / name).mkdir()
    ending = run_redblue("curve", "fft:n=8", "--memory", 4, "--out", tmp_path)
    assert ending.code == 2
    assert ending.sentence == f"{tmp_path / name}: cannot be written: it is no plain file"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("under", ["", "deeper"])
def test_a_file_is_no_folder(under, tmp_path):
    path = tmp_path / "file"
    path.write_text("kept")
    ending = run_redblue("curve", "fft:n=8", "--memory", 4, "--out", path / under)
    assert ending.code == 2
    assert f"{path} is no folder that we may write to" in ending.sentence
    assert path.read_text() == "kept"


def test_a_public_file(shared):
    path = shared / "data" / "hyperdag" / "fine_CG_N6_K4_nzP0d4.hdag"
    curve = answer("curve", path, "--memory", "7:64", "--effort", "quick")
    assert curve["dag"]["min_memory"] == 7
    best = {
        kind: [row["io"] for row in curve["rows"] if (row["kind"], row["method"]) == (kind, "best")]
        for kind in ("upper", "lower")
    }
    assert len(best["upper"]) == len(best["lower"]) == 14
    assert all(upper >= lower for upper, lower in zip(*best.values(), strict=True))
    assert best["upper"] == sorted(best["upper"], reverse=True)
    assert best["upper"][-1] == best["lower"][-1]
    for row in curve["rows"]:
        if row["kind"] == "upper" and row["method"] != "best":
            played = scheduler_named(row["method"])(load(str(path)), row["memory"])
            assert row["io"] == judge(load(str(path)), played, row["memory"]).io


def test_what_code_moves_stands_beside_what_plays_do():
    nest = ("polybench/syrk:N=9,M=8", "--memory", "16,40", "--bounds", "compulsory")
    curve = answer("curve", *nest, "--schedulers", "lru", "--code")
    assert [row["memory"] for row in curve["code"]] == [16, 40]
    assert all(row["method"] == "code" and "i" in row["tiling"] for row in curve["code"])
    assert curve["code"][1]["io"] < curve["code"][0]["io"]
    assert list(curve) == ["dag", "rules", "rows", "as_written", "code"]
    output = run_redblue("curve", *nest, "--schedulers", "lru", "--code").out
    assert f"{curve['code'][0]['io']} " in output.replace("\n", " \n")
    assert "code: M = 16, " in output


def test_code_is_a_play_that_may_be_the_best_one():
    """It fuses `C *= beta` with its sum, as plays by tiles do, which keep parts of arrays too."""
    nest = "polybench/gemm:NI=100,NJ=100,NK=100", "--memory", "1024"
    curve = json.loads(run_redblue("curve", *nest, "--code", "--json").out)
    best = {row["kind"]: row["io"] for row in curve["rows"] if row["method"] == "best"}
    played = [row["io"] for row in curve["rows"] if row["method"] == "tiled"]
    code = curve["code"][0]["io"]
    assert best["upper"] == min(code, *played)
    assert best["upper"] <= code <= 90_000
    assert best["lower"] <= best["upper"]


def test_code_of_each_memory_is_written(tmp_path):
    nest = "polybench/gemm:NI=12,NJ=13,NK=14"
    options = ("--memory", "16,64", "--code", "--schedulers", "lru", "--bounds", "compulsory")
    assert "gemm_64.c" in run_redblue("curve", nest, *options, "--out", str(tmp_path)).err
    curve = json.loads((tmp_path / "curve.json").read_text())
    for row in curve["code"]:
        source = (tmp_path / f"gemm_{row['memory']}.c").read_text()
        assert f"{row['loads']} loads + {row['stores']} stores" in source
        assert row["io"] == row["loads"] + row["stores"]
    assert len({row["io"] for row in curve["code"]}) == 2
    for written, row in zip(curve["as_written"], curve["code"], strict=True):
        assert written["best"] <= min(written["as_written"], row["io"])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("fft:n=8",), "is no loop nest"),
        (("matmul:n=4", "--compare"), "--code is for the curve"),
        (("polybench/gemm:NI=4,NJ=4,NK=4,level=operation",), "leave out level=operation"),
    ],
)
def test_what_has_no_code_is_said(options, problem):
    ending = run_redblue("curve", *options, "--memory", "8", "--code")
    assert ending.code == 2
    assert problem in ending.err


def test_what_no_formula_counts_is_told(tmp_path):
    text = """void f(int N, double A[N][N], double x[N]) { for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) if (j != i) x[i] -= A[i][j] * x[j]; }"""
    path = tmp_path / "sweep.c"
    path.write_text(text)
    sample = run_redblue("curve", f"{path}:N=20", "--memory", "8")
    assert "no formula" not in sample.err
    count = run_redblue("curve", f"{path}:N=40000", "--memory", "8")
    assert count.code == 2
    assert "is run where conditions hold one or another: no formula counts that" in count.err


def test_a_text_of_some_size_is_answered_by_formulas(tmp_path):
    path = tmp_path / "product.c"
    path.write_text(
        "void f(int N, double A[N][N], double B[N][N], double C[N][N]) {"
        " for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)"
        " C[i][j] += A[i][k] * B[k][j]; }"
    )
    assert "schedules are counted" in run_redblue("curve", f"{path}:N=41", "--memory", "64").err
    assert "schedules are counted" not in run_redblue("curve", f"{path}:N=12", "--memory", "64").err
