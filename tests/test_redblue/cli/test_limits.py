"""Limits of whole commands: what is done is printed, and a sentence says what is missing."""

import json
import time
from threading import Event

import pytest

import dags
import proofs
from pebble.budget import Clock
from redblue.answers import checking
from redblue.answers.planning.evidence import Evidence
from redblue.answers.planning.least import least_memory
from redblue.answers.planning.ranges import narrowed
from redblue.cli import computation, curve_command
from redblue.cli import watch as watches
from tests.command_line import run_redblue


@pytest.fixture
def endless(monkeypatch):
    """The name of a bound that never proves anything, and of limits that are kept at once."""

    def bound(dag, memory, **options):
        while True:
            time.sleep(0.001)

    monkeypatch.setitem(proofs.BOUNDS, "wavefront", bound)
    monkeypatch.setattr(watches, "_left_alone", [])
    return "wavefront"


def test_a_clock_is_shared_and_waits_for_a_first_answer():
    late = Clock(0.0, began=time.monotonic() - 10, compiling=lambda: 60.0)
    assert late.left == 0
    assert late.over(answered=True)
    assert not late.over(answered=False)
    assert 24 < Clock(100.0).part(25.0).left <= 25


def test_a_curve_says_what_was_not_done_in_the_time(endless):
    methods = ("--schedulers", "lru,belady", "--bounds", f"compulsory,{endless}")
    limit = ("--time-limit", 2, "--jobs", 2)
    ending = run_redblue("curve", "fft:n=8", "--memory", "4,6", *methods, *limit)
    assert ending.code == 0
    missing, cut = ending.err.splitlines()
    assert missing == "note: not finished within the time limit: wavefront at M = 4, 6"
    assert cut.startswith("note: not complete: the time limit of 2 s has cut searches")
    assert ending.out.splitlines()[3].split()[:5] == ["M", "+lru", "+belady", "compulsory", endless]


def test_a_curve_of_which_nothing_is_done_ends_with_three(endless):
    methods = ("--schedulers", "", "--bounds", endless)
    ending = run_redblue("curve", "fft:n=8", "--memory", 4, *methods, "--time-limit", 0.2)
    assert ending.code == 3
    assert "time limit of 0.2 s is over while computing schedules and bounds of" in ending.sentence
    assert ending.sentence.endswith("there is no schedule or bound yet")


def test_a_comparison_says_which_dags_are_missing(endless):
    methods = ("--schedulers", "lru", "--bounds", f"compulsory,{endless}")
    limit = ("--memory", 6, "--time-limit", 1, "--jobs", 2, "--json")
    ending = run_redblue("curve", "--compare", "fft:n=8", "matmul:n=400", *methods, *limit)
    assert ending.code == 0
    assert "note: not finished within the time limit: matmul:n=400\n" in ending.err
    (curve,) = json.loads(ending.out)["curves"]
    assert {row["status"] for row in curve["rows"] if row["method"] == endless} == {"timed-out"}


def test_a_comparison_within_its_limit_is_whole():
    ending = run_redblue(
        "curve", "fft:n=4", "tree:height=2", "--memory", 4, "--time-limit", 60, "--json",
        "--schedulers", "lru", "--bounds", "compulsory",
    )  # fmt: skip
    assert (ending.code, ending.err) == (0, "")
    assert len(json.loads(ending.out)["curves"]) == 2
    assert run_redblue("curve", "--compare", "fft:n=4", "--memory", 4, "--time-limit", 0).code == 2


COMMANDS = {
    "law_command": ("law", "fft:n=8"),
    "plan_command": ("plan", "fft:n=8"),
    "report_command": ("report", "fft:n=8"),
    "play_command": ("play", "fft:n=8", "--memory", 4),
    "curve_command": ("curve", "fft:n=8"),
    "comparison": ("curve", "--compare", "fft:n=8"),
}


@pytest.mark.parametrize("module", COMMANDS)
def test_limits_cover_loading(module, monkeypatch, tmp_path):
    def slow(spec, **options):
        while True:
            time.sleep(0.001)

    monkeypatch.setattr(computation, "loaded", slow)
    monkeypatch.setattr(curve_command, "loaded", slow)
    monkeypatch.setattr(watches, "PATIENCE", 0.05)
    arguments = list(COMMANDS[module])
    if module in ("report_command", "play_command"):
        arguments += ["--out", tmp_path / "page.html"]
    ending = run_redblue(*arguments, "--time-limit", 0.05)
    assert ending.code == 3
    assert "the time limit of 0.05 s is over while loading fft:n=8; " in ending.sentence
    assert not list(tmp_path.iterdir())
    assert run_redblue(*arguments, "--time-limit", 0).code == 2


def test_plans_laws_reports_and_pages_within_their_limits(tmp_path):
    limit = ("--time-limit", 60, "--json")
    planned = json.loads(run_redblue("plan", "fft:n=4", *limit).out)
    assert planned["end"]["status"] == "optimal"
    record = json.loads(run_redblue("law", "matvec:n=16", *limit).out)
    assert record["law"]["kind"] == "constant"
    out = ("--out", tmp_path / "page.html")
    assert run_redblue("play", "tree:height=2", "--memory", 3, *out, *limit).code == 0
    assert run_redblue("report", "tree:height=2", "--memory", "3,4", *out, *limit).code == 0


def test_a_plan_that_gets_late_is_an_interval():
    evidence = Evidence(dags.fft(8))
    asked: list[int] = []

    def enough(memory):
        asked.append(memory)
        return memory >= 7

    assert narrowed(enough, 3, 11) == (7, 7)
    assert narrowed(enough, 3, 11, late=lambda: len(asked) > 3) == (3, 7)
    result = least_memory(evidence, 24, 3, 11, 0.0, late=lambda: True)
    assert (result.at_least, result.choice.memory, result.known) == (3, 11, False)


@pytest.mark.parametrize("module", COMMANDS)
def test_ctrl_c_ends_commands_whatever_they_are_at(module, monkeypatch, tmp_path):
    """What catches Ctrl-C, as a search does, would go on with the next search."""

    def deaf(spec, **options):
        try:
            loading.set()
            while True:
                time.sleep(0.001)
        except KeyboardInterrupt:
            release.wait()

    def pressed(self, done, ready):
        assert loading.wait(60)  # a press while modules are imported is another story
        raise KeyboardInterrupt

    loading, release = Event(), Event()
    monkeypatch.setattr(computation, "loaded", deaf)
    monkeypatch.setattr(curve_command, "loaded", deaf)
    monkeypatch.setattr(watches.Watch, "_wait", pressed)
    monkeypatch.setattr(watches, "LEAVE", 0.05)
    monkeypatch.setattr(watches, "_left_alone", [])
    arguments = list(COMMANDS[module])
    if module in ("report_command", "play_command"):
        arguments += ["--out", tmp_path / "page.html"]
    ending = run_redblue(*arguments)
    release.set()
    assert ending.code == 130
    assert ending.sentence.startswith("interrupted while loading fft:n=8")


def test_a_check_without_end_is_given_up(endless, tmp_path, monkeypatch):
    path = tmp_path / "fft.json"
    output = run_redblue(
        "bound", "fft:n=4", "--memory", 4, "--bounds", "segments", "--certificate", path
    )
    assert output.code == 0
    monkeypatch.setattr(checking, "check", lambda *arguments: proofs.BOUNDS[endless](None, 4))
    ending = run_redblue("check", "fft:n=4", path, "--time-limit", 0.1)
    assert ending.code == 3
    assert ending.err.startswith("redblue: the time limit of 0.1 s is over while verifying ")
    assert ending.err.endswith("; a longer --time-limit may decide whether it holds\n")
