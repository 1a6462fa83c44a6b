"""Without the folder of a leaf everything else runs, and what needs it says so."""

import os
import subprocess
import sys
from pathlib import Path, PurePath

import pytest

import redblue
from dags.spec import leaves

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("dags", "pebble", "schedulers", "proofs", "redblue")
MISSING = "which has the {} of the papers, is not installed"
CODE = "def f(a, b):\n    return a @ b\n"
# What each reader reads, and what is asked of it by name.
ASKED = {
    "NumPy code": ("dag", "own.py:f:shapes=2x2;2x2,numpy"),
    "programs": ("bound", "polybench/gemm:NI=4,NJ=4,NK=4", "--memory", "8"),
    "graphs": ("dag", "model.onnx:tile=2"),
}


def linked(source, target, hidden):
    """Links to all of a folder but a hidden one, which is somewhere below it."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path == hidden or path.name == "__pycache__":
            continue
        if hidden.is_relative_to(path):
            linked(path, target / path.name, hidden)
        else:
            (target / path.name).symlink_to(path)


def tree_without(home, module):
    """A folder with all packages, but without that of a module."""
    for name in PACKAGES:
        linked(ROOT / name, home / name, ROOT / PurePath(*module.split(".")))
    return home


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    return tree_without(tmp_path_factory.mktemp("without"), "redblue.papers")


def python(folder, *arguments):
    """A run of Python that finds packages in a folder, and not where these tests find them."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_engine_runs_without_the_papers(without):
    script = """
import redblue as rb
from importlib.util import find_spec
assert find_spec("redblue.papers") is None
assert rb.EXPERIMENTS == {} and "H100" in rb.MACHINES
assert rb.solve("fft:n=8", 6, time_limit=1).count.io >= rb.bound("fft:n=8", 6).io > 0
assert rb.curve("fft:n=8", [4, 6]).envelope("upper")
assert rb.levels("fft:n=8", machine="H100")
assert rb.report("fft:n=4", [4, 6], effort="quick").experiments
"""
    process = python(without, "-c", script)
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("papers", "gap", "--suite", "families"), "commands"),
        (("papers", "mesh", "--points", "8"), "commands"),
        (("report", "laws", "--effort", "quick"), "experiments"),
        (("report",), "experiments"),
    ],
)
def test_commands_of_the_papers_say_that_they_are_not_there(without, arguments, part, tmp_path):
    process = python(without, "-m", "redblue", *arguments)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.count("\n") == 1
    assert MISSING.format(part) in process.stderr


def test_other_commands_run_without_the_papers(without):
    printed = ("machine", "balance", "--dag", "fft:n=8", "--machine", "H100", "--json")
    for arguments in (("bound", "fft:n=8", "--memory", "6", "--json"), printed, ("--help",)):
        process = python(without, "-m", "redblue", *arguments)
        assert process.returncode == 0, process.stderr
    assert not (without / "report.html").exists()


def test_with_the_papers_all_their_parts_are_there():
    from redblue import leaves

    assert redblue.EXPERIMENTS is leaves.part("experiments").EXPERIMENTS
    assert leaves.part("literature").PAPERS
    assert "gap" in leaves.part("commands").COMMANDS


@pytest.mark.parametrize(
    "module", ["commands.gap", "commands.density", "records", "models", "literature"]
)
def test_each_part_is_imported_on_its_own(module):
    process = python(ROOT, "-c", f"import redblue.papers.{module}")
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.parametrize("kind", leaves.READERS)
def test_the_engine_runs_without_a_reader(kind, tmp_path):
    folder = tree_without(tmp_path / "tree", leaves.READERS[kind].folder)
    (folder / "own.py").write_text(CODE)
    script = f"""
import redblue as rb
from dags import Computation
from dags.spec import leaves
from importlib.util import find_spec
assert find_spec({leaves.READERS[kind].folder!r}) is None and not leaves.installed({kind!r})
assert rb.play("fft:n=8", "structured", 6).io >= rb.bound("fft:n=8", 6, bounds="segments").io > 0
assert rb.curve("matmul:n=3", [4, 6], schedulers=["lru"], bounds=["compulsory"]).rows
assert rb.bound("syrk:n=5,k=3", 6, bounds="affine").io and Computation("lu:n=10^5").sizes.vertices
"""
    process = python(folder, "-c", script)
    assert (process.returncode, process.stderr) == (0, "")
    process = python(folder, "-m", "redblue", *ASKED[kind])
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.count("\n") == 1
    assert f"{leaves.READERS[kind].folder}, which reads {kind}, is not installed" in process.stderr
