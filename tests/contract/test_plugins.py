"""Schedulers, bounds and families of other packages, as the page on them shows."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dags
import proofs
import redblue
import schedulers
from dags import InvalidSpecError, UnknownNameError
from redblue.show.looks import looks
from tests.command_line import run_redblue

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "plugins.md"
STRANGE = """
from pebble import Schedule
from proofs import Bound, Certificate, compulsory
from pebble import RULES

def number(dag, memory): return 3
def below(dag, memory): return -1
def no_number(dag, memory): return float("nan")
def high(dag, memory): return 10 ** 6 + 0.5
def cheating(dag, memory): return Schedule([0], [0])
def too_high(dag, memory, *, rules):
    return Bound("x", memory, 99, rules, Certificate("compulsory", {}))
def of_other_rules(dag, memory): return compulsory(dag, memory, rules=RULES["recompute"])
def options(dag, memory, **given): raise ValueError(sorted(given))
constant = 3
def no_machine(): return 3
def family(n: int, memory: int = 1): return n
"""


def block_of(language):
    """The first block of the page in a language."""
    return re.search(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)[1]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with the page's methods and entry points, and a module of wrong ones."""
    (tmp_path / "own_methods.py").write_text(block_of("python"))
    (tmp_path / "strange_methods.py").write_text(STRANGE)
    info = tmp_path / "own_methods-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own_methods\nVersion: 1.0\n")
    points = block_of("toml").replace('[project.entry-points."', "[").replace('"]', "]")
    ladder = 'ladder = "own_methods:ladder"\n'
    points = points.replace(ladder, f'{ladder}broken = "strange_methods:family"\n')
    points += 'strange = "strange_methods:nothing"\n'
    (info / "entry_points.txt").write_text(points.replace('"', ""))
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("own_methods", "strange_methods"):
        sys.modules.pop(name, None)


@pytest.fixture
def command_line(package):
    """The command line in a process of its own, which finds the package."""
    environment = {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"}

    def run(*arguments):
        line = [sys.executable, "-m", "redblue", *map(str, arguments)]
        return subprocess.run(line, env=environment, capture_output=True, text=True, check=False)

    return run


def test_entry_points_have_names(package):
    ladder = dags.load("ladder:n=6,rungs=3")
    assert (ladder.n, ladder.m) == (12, 12)
    player = schedulers.scheduler_named("most-read-first")
    bound = proofs.bound_named("by-search")(ladder, 4)
    assert bound.method == "by-search"
    ending = run_redblue(
        "curve", "ladder:n=6", "--memory", 4, "--schedulers", "most-read-first,lru", "--bounds",
        "by-search",
    )  # fmt: skip
    assert "most-read-first" in ending.out
    assert "by-search" in ending.out
    assert "ladder" in run_redblue("dags").out
    assert player == schedulers.scheduler_named("most-read-first")


def test_a_machine_of_a_package_is_called_by_its_name(package):
    asked = "machine", "balance", "--dag", "ladder:n=6", "--json", "--machine"
    for name in ("desk", "own_methods:desk"):
        assert json.loads(run_redblue(*asked, name).out)["balance"]["machine_balance"] == 16
    assert "did you mean 'desk'" in run_redblue(*asked, "dusk").sentence
    assert "which is no Machine" in run_redblue(*asked, "strange_methods:no_machine").sentence


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("ladder:n=6", "--above", 2, "--json"), 0, '"readers": {}'),
        (("ladder:n=6",), 0, "10 values of ladder:n=6 have more than 0 readers"),
        (("--help",), 0, "Fewest readers that are listed."),
        (("ladder:n=6", "--abov", 2), 2, "No such option: --abov"),
    ],
)
def test_a_command_of_a_package_is_one_of_the_command_line(command_line, arguments, code, told):
    result = command_line("degrees", *arguments)
    assert result.returncode == code, result.stderr
    assert told in result.stdout + result.stderr


def test_a_command_that_cannot_be_imported_says_so_when_it_is_called(command_line):
    assert command_line("--version").returncode == 0
    result = command_line("strange", "--any", "thing")
    assert (result.returncode, result.stdout) == (2, "")
    assert "strange_methods has no nothing" in result.stderr


def test_wrong_parameters_of_a_family_are_one_sentence(package):
    with pytest.raises(InvalidSpecError, match="'rung=3' is no parameter; did you mean 'rungs'"):
        dags.load("ladder:n=6,rung=3")
    with pytest.raises(InvalidSpecError, match="broken made 4, which is no CDAG"):
        dags.load("broken:n=4")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--schedulers", "strange_methods:number"), 2, "returned 3, which is no Schedule"),
        (("--schedulers", "strange_methods:cheating"), 2, "not end in slow memory"),
        (("--schedulers", "strange_methods:constant"), 2, "constant is no function"),
        (("--schedulers", "strange_methods:none"), 2, "strange_methods has no none"),
        (("--schedulers", "no_such_module:f"), 2, "no_such_module cannot be imported"),
        (("--bounds", "strange_methods:family"), 2, "which is no Bound and no number of words"),
        (("--bounds", "strange_methods:below"), 2, "claims -1 words, which is no lower bound"),
        (("--bounds", "strange_methods:no_number"), 2, "claims nan words, which is no lower bound"),
        (("--bounds", "strange_methods:too_high"), 2, "is 99, but the certificate proves 8"),
        (("--bounds", "strange_methods:of_other_rules"), 2, "for recompute rules, not one-shot"),
        (("--schedulers", "strange methods:f"), 2, "no scheduler is called"),
    ],
)
def test_wrong_methods_are_one_sentence(package, arguments, code, message):
    ending = run_redblue("curve", "fft:n=4", "--memory", 4, *arguments)
    assert ending.code == code
    assert message in ending.sentence


def test_a_method_is_given_the_options_that_it_takes(package):
    with pytest.raises(ValueError, match=r"\['rules', 'seed', 'time_limit'\]"):
        schedulers.scheduler_named("strange_methods:options")(dags.fft(4), 4, seed=1)


def test_names_that_are_offered_are_known(package):
    with pytest.raises(UnknownNameError, match="did you mean 'most-read-first'"):
        schedulers.full_name("most-red-first")
    with pytest.raises(UnknownNameError, match="did you mean 'ladder'"):
        dags.load("lader:n=4")


def test_a_store_keeps_no_results_of_other_code(package, tmp_path):
    ending = run_redblue(
        "curve", "fft:n=4", "--memory", 4, "--schedulers", "own_methods:most_read_first",
        "--store", tmp_path / "results.sqlite",
    )  # fmt: skip
    assert ending.code == 2
    assert "takes registered methods, and 'own_methods:most_read_first' is none" in ending.sentence


def test_a_number_is_claimed_and_counts_for_nothing(package):
    asked = "curve", "fft:n=4", "--memory", "4,6", "--schedulers", "lru", "--bounds"
    pair = "strange_methods:high,strange_methods:number,compulsory"
    record = json.loads(run_redblue(*asked, pair, "--json").out)
    without = json.loads(run_redblue(*asked, "compulsory", "--json").out)
    claims = [row for row in record["rows"] if row["kind"] == "claim"]
    assert {row["status"] for row in claims} == {"claimed"}
    assert [row["io"] for row in claims] == [10**6 + 1] * 2 + [3] * 2
    assert [_without_seconds(row) for row in record["rows"] if row["kind"] != "claim"] == [
        _without_seconds(row) for row in without["rows"]
    ]
    out = run_redblue(*asked, pair).out
    assert "strange_methods:number is claimed, not proved" in out
    assert "strange_methods:high is refuted at 2 of 2 sizes: with M = 4 it claims 1,000,001" in out
    assert "strange_methods:number is refuted" not in out
    assert "proves" not in out.replace("not proved", "")


def _without_seconds(row):
    return {key: value for key, value in row.items() if key != "seconds"}


def test_a_number_is_no_bound_that_can_be_quoted(package, tmp_path):
    asked = "bound", "fft:n=4", "--memory", "4", "--bounds"
    for names in ("strange_methods:number", "segments,strange_methods:number"):
        assert "claims at least 3 words with M = 4 without a certificate" in (
            run_redblue(*asked, names).sentence
        )


def test_a_claim_is_dashed_beside_what_is_proved():
    curve = redblue.io_curve("fft:n=4", [4, 6], bounds=[twelve, "compulsory"], schedulers=["lru"])
    roles = {series.label: series.role for series in curve.figure().series}
    assert roles == {"natural+lru": "upper", "twelve (claimed)": "claim", "compulsory": "lower"}
    assert curve.figure().floor == "compulsory"
    (result,) = looks([curve.figure()])
    assert result[1].dash == "longdash"
    assert result[1].colour != result[2].colour
    assert "twelve (claimed), not proved" in redblue.curve_text(curve)
    assert curve.envelope("lower") == ((4, 8), (6, 8))
    assert list(curve.summary_frame()["twelve (claimed)"]) == [12, 12]


def twelve(dag, memory):
    return 12


@pytest.mark.parametrize(
    "ask",
    [
        lambda: redblue.bound("fft:n=4", 4, bounds=[twelve]),
        lambda: redblue.play("fft:n=4", twelve, 4),
        lambda: redblue.io_curve("fft:n=4", [4], schedulers=[twelve]),
        lambda: redblue.io_curve("fft:n=4", [4], bounds=[lambda dag, memory: "many"]),
    ],
)
def test_what_functions_of_ones_own_return_is_looked_at(ask):
    with pytest.raises(InvalidSpecError, match=r"which is no|proves nothing"):
        ask()
