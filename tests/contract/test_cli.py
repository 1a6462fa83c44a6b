"""What each command prints, writes and ends with when all is well."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import redblue
from dags import EXAMPLES, GENERATORS, fft, from_edges, load, save
from dags.formats import FORMATS
from tests.command_line import run_redblue

COMMANDS = ("dags", "dag", "curve", "solve", "bound", "check", "plan", "machine", "papers")
PLAYED = ("--memory", "4", "--schedulers", "lru", "--bounds", "compulsory", "--jobs", "1")
DAG_KEYS = ["spec", "vertices", "edges", "inputs", "outputs", "min_memory"]
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("programs",), ("dags",)),
        (("compare", "fft:n=4", *PLAYED), ("curve", "--compare", "fft:n=4", *PLAYED)),
        (("machine", "split"), ("papers", "split")),
        (("gap", "--help"), ("papers", "gap", "--help")),
    ],
)
def test_old_names_work_and_say_what_is_new(old, new):
    before, current = run_redblue(*old), run_redblue(*new)
    assert (before.code, before.out, current.err) == (0, current.out, "")
    assert before.err.startswith(f"note: 'redblue {old[0]}")
    assert before.err.count("\n") == 1


def test_the_old_name_of_verdicts_on_schedules(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("")
    before = run_redblue("verify", "fft:n=4", path, "--memory", 4)
    current = run_redblue("check", "fft:n=4", path, "--memory", 4)
    assert (before.code, before.out) == (current.code, current.out) == (4, current.out)
    assert "is 'redblue check' now" in before.err


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]])
def test_help_lists_the_commands(arguments):
    ending = run_redblue(*arguments)
    assert (ending.code, ending.err) == (0, "")
    assert set(COMMANDS) <= set(re.findall(r"[a-z]+", ending.out))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    ending = run_redblue(command, "--help")
    assert (ending.code, ending.err) == (0, "")
    assert f"redblue {command}" in ending.out


def test_the_version_is_told_from_a_source_tree_too():
    code = "import redblue; print(redblue.__version__)"
    printed = subprocess.check_output(
        [sys.executable, "-S", "-c", code],  # -S: without what is installed
        cwd=Path(redblue.__file__).parents[1],
        text=True,
    )
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", printed)
    assert run_redblue("--version").out == f"redblue {printed}"


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from redblue.cli import run; sys.argv = ['redblue', '--help']\n"
        "try: run()\n"
        f"finally: print(*({set(HEAVY)} & set(sys.modules)), file=sys.stderr)"
    )
    ending = python(code)
    assert (ending.returncode, ending.stderr) == (0, "\n")


def test_dags_lists_every_generator():
    ending = run_redblue("dags")
    assert (ending.code, ending.err) == (0, "")
    generators, _, programs = ending.out.partition("\n\n")
    listed = [line.split()[0] for line in generators.splitlines()[1:]]
    assert listed == sorted(GENERATORS)
    assert all(example in generators for example in EXAMPLES.values())
    assert "polybench/gemm" in programs


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
    note = "note: .edges files do not store outputs, words\n"
    assert (ending.code, ending.err) == (0, f"{note}wrote {path}\n")


def test_markup_in_a_name_is_no_markup(tmp_path):
    path = tmp_path / "a[bold]b[red].edges"
    save(fft(4), path)
    assert run_redblue("dag", path).out.startswith(f"{path}\n")
    assert path.name in run_redblue("curve", path, "--memory", 3).out


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
