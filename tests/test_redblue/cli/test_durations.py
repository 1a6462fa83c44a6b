"""Commands keep their limit whatever they are at, and say before what takes long."""

import time

import pytest

import redblue.answers.counted.nests
from dags.programs import integer_sets
from redblue.answers.counted import levels
from redblue.cli import durations
from tests.command_line import run_redblue

TEXT = """void f(int N, double A[N+2][N+2], double C[N][N]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) C[i][j] = A[i][j] + A[j][i]; }"""
COUNTED = {
    "curve": ("--memory", "1000"),
    "plan": ("--memory", "1000"),
    "law": (),
    "levels": ("--memory", "1000,4000"),
    "solve": ("--memory", "1000"),
}


@pytest.fixture
def nest(tmp_path):
    """A text that is too large to be built, where formulas count it."""
    pytest.importorskip("islpy", reason="islpy is not installed")
    path = tmp_path / "f.c"
    path.write_text(TEXT)
    return f"{path}:N=1000000"


@pytest.mark.parametrize("command", COUNTED)
def test_a_search_without_an_end_ends_at_the_limit(command, nest, monkeypatch):
    def search(*_args, **_options):
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(redblue.answers.counted.nests, "best_tilings", search)
    output = run_redblue(command, nest, *COUNTED[command], "--time-limit", "2")
    assert output.code == 3
    assert "the time limit of 2 s is over" in output.err.splitlines()[-1]


@pytest.mark.parametrize("command", [*COUNTED, "bound"])
def test_isl_ends_at_the_limit(command, nest, monkeypatch):
    """By its operations, for no one can interrupt it; then the DAG would be built."""
    monkeypatch.setattr(integer_sets, "A_SECOND", 50)
    options = COUNTED.get(command, ("--memory", "1000"))
    output = run_redblue(command, nest, *options, "--time-limit", "30")
    assert output.code == 2
    assert "gives up (this takes more operations than it may do)" in output.err
    assert "vertices" in output.err.splitlines()[-1]  # and it is too large to be built


def test_levels_of_a_large_family_are_counted_at_once():
    output = run_redblue("levels", "fft:n=2^20", "--memory", "1024,65536")
    assert output.code == 0
    assert "counted, first level" in output.out
    assert "--out DIR builds the DAG" in output.out + output.err


def test_levels_that_are_not_as_good_are_played(monkeypatch):
    monkeypatch.setattr(levels, "LARGEST_MEMBER", 100)
    monkeypatch.setattr(levels, "QUICK", 1.0)
    output = run_redblue("levels", "matmul:n=8", "--memory", "16,64")
    assert output.code == 0
    assert "counted, first level" not in output.out


@pytest.mark.parametrize(
    "command",
    [
        ("levels", "random_layered:n=500,seed=1", "--memory", "64,128"),
        ("curve", "random_layered:n=500,seed=1", "--memory", "64", "--schedulers", "natural+lru"),
    ],
)
def test_what_takes_long_says_so_before(command, monkeypatch):
    assert "this takes about" not in run_redblue(*command).err
    monkeypatch.setattr(durations, "LONG", 0.0)
    assert "vertices and" in run_redblue(*command).err
    assert "this takes about" in run_redblue(*command).err
