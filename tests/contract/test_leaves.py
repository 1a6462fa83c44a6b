"""Without the folder of the papers everything else runs, and what needs it says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import redblue

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("dags", "pebble", "schedulers", "proofs")
MISSING = "which has the {} of the papers, is not installed"


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """A folder with all packages, but without `redblue/papers`."""
    home = tmp_path_factory.mktemp("without")
    for name in PACKAGES:
        (home / name).symlink_to(ROOT / name)
    (home / "redblue").mkdir()
    for path in (ROOT / "redblue").iterdir():
        if path.name not in ("papers", "__pycache__"):
            (home / "redblue" / path.name).symlink_to(path)
    return home


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
    found = python(without, "-c", script)
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("papers", "gap", "--suite", "families"), "commands"),
        (("papers", "mesh", "--points", "8"), "commands"),
        (("report", "laws", "--quick"), "experiments"),
        (("report",), "experiments"),
    ],
)
def test_commands_of_the_papers_say_that_they_are_not_there(without, arguments, part, tmp_path):
    found = python(without, "-m", "redblue", *arguments)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.count("\n") == 1
    assert MISSING.format(part) in found.stderr


def test_other_commands_run_without_the_papers(without):
    told = ("machine", "balance", "--dag", "fft:n=8", "--machine", "H100", "--json")
    for arguments in (("bound", "fft:n=8", "--memory", "6", "--json"), told, ("--help",)):
        found = python(without, "-m", "redblue", *arguments)
        assert found.returncode == 0, found.stderr
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
    found = python(ROOT, "-c", f"import redblue.papers.{module}")
    assert (found.returncode, found.stderr) == (0, "")
