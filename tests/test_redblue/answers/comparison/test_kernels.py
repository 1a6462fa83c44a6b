"""Kernels by the dozen: tables of them, at real sizes, in a store, on several doors."""

import csv
import json
import re
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dags import FormatError, InvalidSpecError
from pebble import ONE_SHOT, RULES
from redblue import compare, curve
from redblue.answers.kernels import kernels_in, read_kernels
from redblue.sweeps import SweepOptions
from redblue.sweeps.store import Store
from tests.command_line import run_redblue

PATIENCE = 240.0
GEMM = """
void gemm(double C[N][N], double A[N][N], double B[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
}
"""
TABLE = """
memory = "4KB, 500"

[[kernel]]
spec = "my.c"
name = "product"
sizes = [{ N = 48 }, { N = 60 }]

[[kernel]]
spec = "matmul:n=100000"
memory = ["1e4", 1000000]

[[kernel]]
spec = "fft:n=16"
memory = "4:8:2"
rules = "recompute"
"""


@pytest.fixture
def table(tmp_path):
    (tmp_path / "my.c").write_text(GEMM)
    path = tmp_path / "kernels.toml"
    path.write_text(TABLE)
    return path


def timeless(record):
    text = json.dumps(record)
    loaded = json.loads(text)
    for curve_record in loaded["curves"]:
        (curve_record.get("effort") or {}).pop("seconds", None)
        for row in curve_record["rows"]:
            del row["seconds"]
    return loaded


def test_a_table_has_a_line_for_each_kernel_and_size(table):
    first, two, large, small = read_kernels(table)
    assert (first.label, two.label) == ("product:N=48", "product:N=60")
    assert first.source == f"{table.parent}/my.c:N=48"
    assert first.sizes() == (500,)  # 4 KB are 500 doubles
    assert large.sizes() == (10_000, 1_000_000)
    assert (small.rules, small.sizes()) == (RULES["recompute"], (4, 8))
    assert [kernel.rules for kernel in kernels_in(table, None, ONE_SHOT)][:3] == [ONE_SHOT] * 3
    assert first.place == f"{table}, line 4"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory = 4\n", r"kernels.toml: has no \[\[kernel\]\]"),
        ("[[kernel]]\nspec = \n", r"line 2: is no TOML: Invalid value"),
        ("[[kernel]]\nspec = 'fft:n=8'\nmemroy = 4\n", r"line 3: memroy: unknown; a kernel has"),
        ("\n[[kernel]]\nmemory = 4\n", r"line 2: a kernel has a spec"),
        ("[[kernel]]\nspec = 'fft:n=8'\nmemory = '4XB'\n", r"line 3: memory: "),
        ("[[kernel]]\nspec = 'fft:n=8'\nmemory = 4.5\n", r"line 3: memory: expected words"),
        ("[[kernel]]\nspec = 'fft:n=8'\nrules = 'chess'\n", r"line 3: rules: no rule set"),
        ("[[kernel]]\nspec = 'fft'\nsizes = { n = '8' }\n", r"line 3: sizes: expected a table"),
        ("rulse = 'x'\n[[kernel]]\nspec = 'fft:n=8'\n", r"line 1: rulse: unknown"),
        ("[[kernel]]\nspec = 8\n", r"line 2: spec: expected a text, not 8"),
    ],
)
def test_faults_of_a_table_name_their_line(tmp_path, text, message):
    path = tmp_path / "kernels.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_kernels(path)
    ending = run_redblue("curve", path)
    assert ending.code == 2
    assert "kernels.toml" in ending.sentence


def test_a_kernel_that_cannot_be_asked_for_names_its_line(table):
    table.write_text("[[kernel]]\nspec = 'fft:n=8'\nmemory = 2\n")
    with pytest.raises(InvalidSpecError, match=r"kernels.toml, line 1: fft:n=8: .*3"):
        compare(table)
    table.write_text("[[kernel]]\nspec = 'fft:n=8'\n\n[[kernel]]\nspec = 'fft:m=8'\nmemory = 4\n")
    with pytest.raises(InvalidSpecError, match=r"kernels.toml, line 4: "):
        compare(table)
    table.write_text(
        "[[kernel]]\nspec = 'fft:n=8'\n[[kernel]]\nspec = 'fft:n=8'\nrules='recompute'"
    )
    with pytest.raises(InvalidSpecError, match=r"line 3: .*two are called fft:n=8"):
        compare(table)
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        compare(table.parent / "none.toml")


def test_every_door_gives_the_answer_of_the_curve_alone(table, tmp_path):
    """One by one, in a store, and again from the store: the same, at 10^2 and 10^15 points."""
    direct = compare(table, effort="quick")
    with Store(tmp_path / "a.db") as store:
        swept = compare(table, effort="quick", sweep=SweepOptions(store))
        comparison = compare(table, effort="quick", sweep=SweepOptions(store))
    assert timeless(direct.to_dict()) == timeless(swept.to_dict()) == timeless(comparison.to_dict())
    assert comparison.kernels == swept.kernels == direct.kernels
    assert comparison.curves == swept.curves  # seconds, too: nothing was computed again
    single = curve(f"{table.parent}/my.c:N=60", 500)
    line = next(line for line in swept.kernels if line.kernel == "product:N=60")
    assert (line.best, line.bound) == tuple(
        dict(single.envelope(kind))[500] for kind in ("upper", "lower")
    )
    assert all(line.bound <= line.best for line in swept.kernels)


def test_one_curve_at_a_real_size_takes_a_store(table, tmp_path):
    spec, store = f"{table.parent}/my.c:N=60", tmp_path / "a.db"
    command = ("curve", spec, "--memory", "500", "--store", store, "--json")
    first, repeated = (json.loads(run_redblue(*command).out) for _ in range(2))
    assert first == repeated
    plain = json.loads(run_redblue("curve", spec, "--memory", "500", "--json").out)
    for row in (*plain["rows"], *first["rows"]):
        del row["seconds"]
    assert plain == first
    large = ("matmul:n=100000", "--memory", "1e4", "--store", f"{store}:keep")
    ending = run_redblue("curve", *large)
    assert ending.code == 2
    assert ending.sentence.endswith("and --keep would need the DAG")


def test_the_table_of_the_command(table, tmp_path):
    out = tmp_path / "out"
    kept = ("--store", tmp_path / "a.db", "--jobs", 1)
    ending = run_redblue("curve", table, "--effort", "quick", *kept, "--out", out)
    assert ending.code == 0
    header, first = ending.out.splitlines()[2:4]
    assert header.split()[:4] == ["kernel", "rules", "M", "best"]
    assert first.split()[:3] == ["product:N=48", "one-shot", "500"]
    comparison = compare(table)
    with (out / "kernels.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["kernel"] for line in lines] == [line.kernel for line in comparison.kernels]
    assert [int(line["bound"]) for line in lines] == [line.bound for line in comparison.kernels]
    assert r"\begin{tabular}" in (out / "kernels.tex").read_text()
    page = (out / "kernels.html").read_text()
    assert "product:N=60" in page
    assert "20,001,980,701,172" in page


def test_several_specifications_are_kernels():
    ending = run_redblue("curve", "matmul:n=100000", "lu:n=10000", "--memory", "1e4,1e6")
    assert ending.code == 0
    cells = [line.split() for line in ending.out.splitlines() if ":" in line]
    assert [(line[0], line[1]) for line in cells] == [
        (spec, size)
        for spec in ("matmul:n=100000", "lu:n=10000")
        for size in ("10,000", "1,000,000")
    ]


def test_a_kernel_that_fails_leaves_the_others(tmp_path):
    """The bound of attention proves nothing for an FFT, which the table says."""
    specs = ["fft:n=8", "attention:tokens=4,width=2"]
    with Store(tmp_path / "a.db") as store:
        options = {"bounds": ["attention"], "sweep": SweepOptions(store)}
        comparison = compare(specs, [8], **options)
    assert [curve.dag["spec"] for curve in comparison.curves] == specs[1:]
    assert comparison.failed["fft:n=8"].startswith("not-applicable: ")
    last = comparison.kernels[-1]
    assert (last.kernel, last.memory, last.best) == ("fft:n=8", None, None)


def test_a_kernel_may_be_called_as_a_family_is(tmp_path):
    """Workers are sent what a name of one's own stands for, at both kinds of sizes."""
    path = tmp_path / "kernels.toml"
    named = [("lu", "lu:n=2000", 2000), ("fft:n=16", "fft:n=8", 4)]
    path.write_text(
        "".join(
            f'[[kernel]]\nname = "{name}"\nspec = "{spec}"\nmemory = {memory}\n'
            for name, spec, memory in named
        )
    )
    with Store(tmp_path / "a.db") as store:
        comparison = compare(path, effort="quick", sweep=SweepOptions(store))
    assert comparison.failed == {}
    for shown_curve, (_, spec, memory) in zip(comparison.curves, named, strict=True):
        assert shown_curve.envelope("upper") == curve(spec, memory, effort="quick").envelope(
            "upper"
        )


def is_there(path):
    return path.exists() and path.stat().st_size > 0


def entries(path):
    with Store(path, readonly=True) as store:
        return {entry.key: entry.outcome.finished for entry in store.entries(status="done")}


@pytest.mark.slow
def test_a_command_that_is_killed_goes_on(tmp_path, table):
    """Killed when its first kernel is kept: the next run computes the others, and them alone."""
    store = tmp_path / "a.db"
    command = [sys.executable, "-m", "redblue", "curve", str(table), "--store", str(store)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*command, "--jobs", "1", "--effort", "quick"], **quiet)
    end = time.monotonic() + PATIENCE
    while process.poll() is None and not (
        store.exists() and store.stat().st_size and entries(store)
    ):
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = entries(store)
    assert kept
    with Store(store) as opened:
        comparison = compare(table, effort="quick", sweep=SweepOptions(opened))
    after = entries(store)
    assert len(after) == 4
    assert {key: after[key] for key in kept} == kept
    assert timeless(comparison.to_dict()) == timeless(compare(table).to_dict())


def test_the_guard_of_a_build_fails_where_a_loop_is_split(tmp_path, monkeypatch, capsys):
    """The files of the page on continuous integration, and the change that it speaks of."""
    page = (Path(__file__).parents[4] / "docs" / "ci.md").read_text()
    named = re.findall(r"```\w+\n(?:#|/\*) ([\w.]+)(?: \*/)?\n(.*?)```", page, re.DOTALL)
    assert [name for name, _ in named] == ["kernels.toml", "products.c", "io_guard.py"]
    for name, text in named:
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    guard = runpy.run_path("io_guard.py", run_name="guard")
    assert guard["main"]() == 0
    assert "two products, M = 250: 1.0" in capsys.readouterr().out
    fused = (tmp_path / "products.c").read_text()
    first, second = "      y[i] += A[i][j] * x[j];\n", "      z[i] += A[i][j] * w[j];\n"
    loops = "  for (int i = 0; i < N; i++)\n    for (int j = 0; j < N; j++) {\n"
    assert fused.count(first + second) == 1
    split = fused.replace(first + second, f"{first}    }}\n{loops}{second}")
    (tmp_path / "products.c").write_text(split)
    assert guard["main"]() == 1
    message = capsys.readouterr().out.split("M = 250: ")[1].split()[0]
    assert f"{message} times the bound" in page.replace("*", "")


def test_every_word_of_a_table_is_said(tmp_path):
    """Of kernels with elements of several sizes one note alone was printed."""
    text = "void {0}(int n, {1} A[n][n], {1} B[n][n]) {{ for (int i = 0; i < n; i++)"
    text += " for (int j = 0; j < n; j++) B[i][j] = 2 * A[i][j]; }}\n"
    (tmp_path / "k.c").write_text(text.format("f", "float") + text.format("g", "double"))
    path = tmp_path / "kernels.toml"
    path.write_text(
        'memory = "1KiB"\n' + "".join(f'[[kernel]]\nspec = "k.c:{name}:n=9"\n' for name in "fg")
    )
    ending = run_redblue("curve", path, "--effort", "quick")
    assert ending.code == 0
    notes = [line for line in ending.err.splitlines() if "a word is" in line]
    assert len(notes) == 2
    for name, sentence in (("f", "4 bytes, as float has"), ("g", "8 bytes, as double has")):
        assert any(f"k.c:{name}" in note and sentence in note for note in notes)
