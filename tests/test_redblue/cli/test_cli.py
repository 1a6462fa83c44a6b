"""What each command prints, writes and ends with when all is well."""

import csv
import json
import re
import subprocess
import sys

import numpy as np
import pytest

import redblue.cli.verify_command
from dags import EXAMPLES, GENERATORS, fft, from_edges, load, save
from dags.formats import FORMATS
from pebble import Move, Schedule, judge
from redblue.curves.curve import DEFAULT_BOUNDS, default_schedulers, io_curve
from schedulers import scheduler_named
from tests.command_line import run_redblue

COMMANDS = ("dags", "dag", "curve", "solve", "verify", "bound", "check", "machine")
FILES = ["curve.csv", "curve.json", "curve.pdf", "curve.png", "curve.svg"]
DAG_KEYS = ["spec", "vertices", "edges", "inputs", "outputs", "min_memory"]
ROW_KEYS = ["kind", "method", "memory", "io", "loads", "stores", "status", "seconds"]
HEAVY = ("matplotlib", "networkx", "numba", "numpy", "ortools", "pandas", "scipy")


def python(code, *arguments, **options):
    """Run Python in a process of its own, on the packages of this project."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def answer(*arguments):
    """The one JSON object that a command prints."""
    ending = run_redblue(*arguments, "--json")
    assert (ending.code, ending.err) == (0, "")
    assert ending.out.endswith("}\n")
    return json.loads(ending.out)


@pytest.fixture(scope="module")
def schedule():
    return scheduler_named("belady")(fft(8), 4)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_the_commands(arguments):
    ending = run_redblue(*arguments)
    assert (ending.code, ending.err) == (0, "")
    assert set(COMMANDS) <= set(re.findall(r"[a-z]+", ending.out))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    ending = run_redblue(command, "--help")
    assert (ending.code, ending.err) == (0, "")
    assert f"redblue {command}" in ending.out


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from redblue.cli import main; sys.argv = ['redblue', '--help']\n"
        "try: main()\n"
        f"finally: print(*({set(HEAVY)} & set(sys.modules)), file=sys.stderr)"
    )
    ending = python(code)
    assert (ending.returncode, ending.stderr) == (0, "\n")


def test_dags_lists_every_generator():
    ending = run_redblue("dags")
    assert (ending.code, ending.err) == (0, "")
    listed = [line.split()[0] for line in ending.out.splitlines()[1:]]
    assert listed == sorted(GENERATORS)
    assert all(example in ending.out for example in EXAMPLES.values())


def test_dags_json():
    entries = answer("dags")["generators"]
    assert [entry["name"] for entry in entries] == sorted(GENERATORS)
    for entry in entries:
        assert list(entry) == ["name", "parameters", "example", "about"]
        assert entry["example"] == EXAMPLES[entry["name"]]
        assert all(entry.values())


@pytest.mark.parametrize("spec", EXAMPLES.values())
def test_every_example_runs(spec):
    ending = run_redblue("dag", spec)
    assert (ending.code, ending.err) == (0, "")
    assert ending.out.startswith(f"{spec}\n")
    assert f"{load(spec).n:,}" in ending.out


def test_dag_json():
    facts = answer("dag", "fft:n=8")["dag"]
    assert list(facts)[:6] == DAG_KEYS
    assert facts == {
        "spec": "fft:n=8",
        "vertices": 32,
        "edges": 48,
        "inputs": 8,
        "outputs": 8,
        "min_memory": 3,
        "used_inputs": 8,
        "levels": 4,
        "max_indegree": 2,
        "max_outdegree": 2,
        "words": 32,
        "largest_value": 1,
        "min_memory_sliding": 2,
        "compulsory_io": 16,
    }


def test_dag_of_a_file_with_sizes(tmp_path):
    path = tmp_path / "a.json"
    save(from_edges(4, [(0, 2), (1, 2)], words=[2, 3, 4, 50]), path)
    facts = answer("dag", path)["dag"]
    assert (facts["inputs"], facts["used_inputs"], facts["words"]) == (3, 2, 59)
    assert (facts["min_memory"], facts["min_memory_sliding"], facts["compulsory_io"]) == (9, 6, 9)


@pytest.mark.parametrize("suffix", FORMATS)
def test_dag_converts(suffix, tmp_path):
    source, path = tmp_path / "a.npz", tmp_path / f"b{suffix}"
    dag = from_edges(4, [(0, 2), (1, 2), (1, 3), (2, 3)])
    save(dag, source)
    ending = run_redblue("dag", source, "--out", path)
    assert (ending.code, ending.err) == (0, f"wrote {path}\n")
    assert {file.name for file in tmp_path.iterdir()} == {"a.npz", path.name}
    assert load(str(path)) == dag
    assert answer("dag", path)["dag"]["edges"] == 4


def test_dag_says_what_a_format_cannot_keep(tmp_path):
    source, path = tmp_path / "a.json", tmp_path / "a.edges"
    save(from_edges(3, [(0, 1), (1, 2)], words=[1, 2, 3], outputs=[1]), source)
    ending = run_redblue("dag", source, "--out", path)
    note = "note: .edges files do not keep outputs, words\n"
    assert (ending.code, ending.err) == (0, f"{note}wrote {path}\n")


def test_markup_in_a_name_is_no_markup(tmp_path):
    path = tmp_path / "a[bold]b[red].edges"
    save(fft(4), path)
    assert run_redblue("dag", path).out.startswith(f"{path}\n")
    assert path.name in run_redblue("curve", path, "--memory", 3).out


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
    assert lowers == ("compulsory", "dominators", "segments")
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
    ending = run_redblue("curve", "matmul:n=4", "--memory", "2,3,4")
    assert ending.code == 0
    assert ending.err == "note: 3 words are too few: these schedulers take 4 at least\n"


def test_a_size_is_too_small_for_those_who_do_not_slide():
    sliding = ("--rules", "one-shot-sliding", "--schedulers", "structured,lru,fifo")
    ending = run_redblue("curve", "matmul:n=4", "--memory", "2,3,4", *sliding)
    assert ending.code == 0
    assert ending.err == (
        "note: 2 words are too few: these schedulers take 3 at least\n"
        "note: 3 words are too few for schedulers that do not slide: natural+lru, natural+fifo\n"
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
    one, two = (
        answer("curve", "fft:n=16", "--memory", "4:16:3", "--jobs", jobs, "--effort", "quick")[
            "rows"
        ]
        for jobs in (1, 2)
    )
    for row in (*one, *two):
        del row["seconds"]
    assert one == two


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


@pytest.mark.parametrize("suffix", [".npz", ".jsonl"])
def test_verify_a_legal_schedule(suffix, schedule, tmp_path):
    path = tmp_path / f"a{suffix}"
    schedule.save(path)
    count = judge(fft(8), schedule, 4)
    ending = run_redblue("verify", "fft:n=8", path, "--memory", 4)
    assert (ending.code, ending.err) == (0, "")
    assert ending.out == (
        f"legal: {count.io} words of I/O ({count.loads} loaded, {count.stores} stored), "
        "24 computations (0 of them again), at most 4 of 4 words in use\n"
    )
    assert answer("verify", "fft:n=8", path, "--memory", 4) == {
        "spec": "fft:n=8",
        "schedule": str(path),
        "memory": 4,
        "rules": "one-shot",
        "moves": len(schedule),
        "judge": "referee",
        "legal": True,
        "io": count.io,
        "loads": count.loads,
        "stores": count.stores,
        "computes": 24,
        "recomputes": 0,
        "peak": 4,
        "channels": {},
    }


@pytest.mark.parametrize("by", ["referee", "engine"])
def test_verify_an_illegal_schedule(by, schedule, tmp_path, monkeypatch):
    monkeypatch.setattr(redblue.cli.verify_command, "REFEREE_MOVES", 0 if by == "engine" else 1000)
    path = tmp_path / "a.npz"
    end = int(np.flatnonzero(schedule.op == Move.STORE)[-1])
    Schedule(schedule.op[:end], schedule.vertex[:end]).save(path)
    last = int(schedule.vertex[end])
    message = f"step {end}, END {last}: it is an output that does not end in slow memory"
    ending = run_redblue("verify", "fft:n=8", path, "--memory", 4)
    assert (ending.code, ending.out, ending.err) == (4, f"illegal: {message}\n", "")
    ending = run_redblue("verify", "fft:n=8", path, "--memory", 4, "--json")
    assert (ending.code, ending.err) == (4, "")
    verdict = json.loads(ending.out)
    assert (verdict["legal"], verdict["judge"]) == (False, by)
    assert verdict["error"] == {
        "step": end,
        "move": "END",
        "vertex": last,
        "rule": "OUTPUT_NOT_STORED",
        "message": message,
    }


def test_referee_and_engine_agree(schedule, tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    schedule.save(path)
    by_referee = answer("verify", "fft:n=8", path, "--memory", 4)
    monkeypatch.setattr(redblue.cli.verify_command, "REFEREE_MOVES", 0)
    by_engine = answer("verify", "fft:n=8", path, "--memory", 4)
    assert by_engine == {**by_referee, "judge": "engine"}


def test_verify_judges_by_the_memory_and_the_rules(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('["LOAD", 0]\n["LOAD", 1]\n["COMPUTE", 2]\n["DELETE", 0]\n["STORE", 2]\n')
    ask = ("verify", "tree:height=1", path, "--memory")
    assert run_redblue(*ask, 3).code == 0
    ending = run_redblue(*ask, 2)
    assert ending.code == 4
    assert ending.out == (
        "illegal: step 2, COMPUTE 2: fast memory is full: 2 + 1 words do not fit into 2\n"
    )
    assert run_redblue(*ask, 2, "--rules", "one-shot-sliding").code == 0
    assert run_redblue(*ask, 1, "--rules", "one-shot-sliding").code == 4


def test_verify_counts_per_channel(tmp_path):
    dag, schedule = tmp_path / "a.json", tmp_path / "a.npz"
    graph = from_edges(3, [(0, 2), (1, 2)], words=[2, 3, 4], channel=[0, 1, 1])
    save(graph, dag)
    scheduler_named("lru")(graph, 9).save(schedule)
    assert answer("verify", dag, schedule, "--memory", 9)["channels"] == {
        "0": {"loads": 2, "stores": 0},
        "1": {"loads": 3, "stores": 4},
    }


def test_a_process_of_its_own(tmp_path):
    main = "from redblue.cli import main; main()"
    ending = python(main, "curve", "fft:n=8", "--memory", 4, "--out", tmp_path / "a", "--json")
    assert ending.returncode == 0
    assert json.loads(ending.stdout)["dag"]["vertices"] == 32
    assert len(ending.stderr.splitlines()) == 5


def test_a_reader_that_has_gone(tmp_path):
    read_end = subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE)
    read_end.wait()
    ending = subprocess.run(
        [sys.executable, "-c", "from redblue.cli import main; main()", "dags", "--json"],
        stdout=read_end.stdin,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    read_end.stdin.close()
    assert (ending.returncode, ending.stderr) == (1, "")


def test_the_version():
    ending = run_redblue("--version")
    assert ending.code == 0
    assert re.fullmatch(r"redblue \d+\.\d+\.\d+\n", ending.out)


def test_python_runs_the_package():
    ending = subprocess.run(
        [sys.executable, "-m", "redblue", "--version"], capture_output=True, text=True, check=False
    )
    assert (ending.returncode, ending.stdout) == (0, run_redblue("--version").out)


def test_the_front_door():
    import redblue

    for name in redblue.__all__:
        assert getattr(redblue, name) is not None
        assert name in dir(redblue)
    assert redblue.solve(fft(4), 4).count.io == 11
    assert "matmul" in redblue.EXPERIMENTS
