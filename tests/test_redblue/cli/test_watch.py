"""Limits are limits: work that takes notice of them, work that does not, and Ctrl-C."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import proofs
from redblue.cli import watch as watches
from redblue.cli.watch import Watch
from tests.command_line import run_redblue

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def hasty(monkeypatch):
    """Watches that wait a tenth of a second for whatever they wait for."""
    monkeypatch.setattr(watches, "PATIENCE", 0.1)
    monkeypatch.setattr(watches, "LEAVE", 0.1)
    left_alone: list[threading.Thread] = []
    monkeypatch.setattr(watches, "_left_alone", left_alone)
    return left_alone


def test_work_that_is_done_in_time_returns_what_it_found():
    watch = Watch(60)
    assert watch.run(lambda: 7) == 7
    assert not watch.stopped()
    assert watch.left > 50


def test_an_error_of_the_work_is_raised():
    with pytest.raises(ZeroDivisionError):
        Watch(None).run(lambda: 1 // 0)


def test_work_is_interrupted_at_the_limit_and_may_return_what_it_has(hasty):
    watch = Watch(0.1)

    def work():
        watch.telling()("counting: so far")
        try:
            while True:
                time.sleep(0.001)
        except KeyboardInterrupt:
            return watch.stopped()

    began = time.monotonic()
    assert watch.run(work) is True
    assert time.monotonic() - began < 5
    assert watch.why() == "the time limit of 0.1 s is over while counting"
    assert watch.code == 3


def test_work_that_takes_no_notice_is_left_alone(hasty):
    release = threading.Event()
    watch = Watch(0.1)
    assert watch.run(release.wait) is None  # as compiled code: no step of Python
    assert len(hasty) == 1
    release.set()


def test_a_first_answer_is_waited_for_while_numba_compiles(hasty, monkeypatch):
    monkeypatch.setattr(Watch, "compiling", 60.0)
    watch = Watch(0.1)
    assert watch.run(lambda: time.sleep(0.5) or "found") == "found"
    watch = Watch(0.1)
    assert watch.run(threading.Event().wait, ready=lambda: True) is None
    assert "after 60.0 s of compiling" in watch.why()


def test_ctrl_c_ends_the_work_and_is_told(hasty, monkeypatch):
    def interrupted(self, done, ready):
        raise KeyboardInterrupt

    monkeypatch.setattr(Watch, "_wait", interrupted)
    watch = Watch(None)
    watch.stage = "counting"
    assert watch.run(threading.Event().wait) is None
    assert (watch.why(), watch.code) == ("interrupted while counting", 130)


def test_a_dag_that_cannot_be_laid_out_in_time_ends_with_three(hasty):
    ending = run_redblue("solve", "matmul:n=400", "--memory", 64, "--time-limit", 0.05)
    assert (ending.code, ending.out) == (3, "")
    assert "time limit of 0.05 s is over while" in ending.sentence
    assert ending.sentence.endswith("; there is no schedule yet")


def test_solve_tells_loading_and_compiling_apart():
    ending = run_redblue("solve", "fft:n=4", "--memory", 4, "--time-limit", 60, "--json")
    record = json.loads(ending.out)
    assert min(record["loading"], record["compiling"]) >= 0
    assert record["interrupted"] is False


def test_bound_says_what_is_not_finished(hasty, monkeypatch):
    def endless(dag, memory, **options):
        threading.Event().wait()

    monkeypatch.setitem(proofs.BOUNDS, "wavefront", endless)
    chosen = ("--bounds", "compulsory,wavefront")
    ending = run_redblue("bound", "fft:n=8", "--memory", 4, *chosen, "--time-limit", 0.3, "--json")
    record = json.loads(ending.out)
    assert ending.code == 0
    assert [(row["method"], row["io"]) for row in record["rows"]] == [
        ("compulsory", 16),
        ("best", 16),
    ]
    assert record["unfinished"] == {"4": ["wavefront"]}


INTERRUPTED = """
import os, signal, sys, threading
from redblue.racing import solving
from redblue.cli import main

def stage(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait()

setattr(solving, sys.argv.pop(1), stage)
main()
"""


@pytest.mark.parametrize("stage", ["_compile_exact", "_exactly"])
def test_solve_interrupted_at_any_stage_says_what_it_has_and_keeps_it(tmp_path, stage):
    out = tmp_path / "best.npz"
    command = ("solve", "fft:n=8", "--memory", "5", "--time-limit", "60", "--out", out)
    script = [sys.executable, "-c", INTERRUPTED, stage, *map(str, command)]
    ending = subprocess.run(script, capture_output=True, text=True, check=False, timeout=100)
    assert ending.returncode == 130
    assert "words of I/O" in ending.stdout
    wrote, message = ending.stderr.splitlines()
    assert wrote == f"wrote {out}"
    assert message.startswith("redblue: interrupted while ")
    assert message.endswith(f"in {out}")
    assert run_redblue("check", "fft:n=8", out, "--memory", 5).code == 0


@pytest.mark.parametrize(("ending", "code"), [("None", 0), ("0", 0), ("3", 3), ("'why'", 1)])
def test_work_that_is_left_alone_changes_no_exit_code(ending, code):
    text = f"""
import threading, time
from redblue.cli import watch
alone = threading.Thread(target=time.sleep, args=(60,), daemon=True)
alone.start()
watch._left_alone.append(alone)
watch.leave({ending})
"""
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == code


LEAVING = """
import atexit, sys, threading, time
from redblue.cli import watch
class Torn:
    def __del__(self):
        print("torn down")
torn = Torn()
atexit.register(print, "registered")
{before}
print("said", end=" ")
watch.leave({ending})
sys.exit({ending})
"""


@pytest.mark.parametrize(("ending", "code"), [("None", 0), ("0", 0), ("130", 130)])
def test_a_command_ends_with_its_handlers_and_its_output_and_without_tearing_down(ending, code):
    left = leaving("", ending)
    assert (left.returncode, left.stdout, left.stderr) == (code, "said registered\n", "")


def test_python_ends_a_command_that_has_something_to_wait_for_or_to_report():
    thread = "threading.Thread(target=lambda: (time.sleep(0.3), print('waited'))).start()"
    assert leaving(thread, "3").stdout == "said waited\nregistered\ntorn down\n"
    message = leaving("", "'why'")
    assert (message.returncode, message.stderr) == (1, "why\n")
    unwritable = leaving("sys.stdout = open('/dev/full', 'w')", "0")
    assert unwritable.returncode == 120
    assert "No space left" in unwritable.stderr


def leaving(before, ending):
    text = LEAVING.format(before=before, ending=ending)
    return subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=False, cwd=ROOT
    )


def raised(error, after=None):
    """Work that is interrupted and then raises an error, or one that has nothing to do with it."""

    def work():
        try:
            while True:
                time.sleep(0.001)
        except KeyboardInterrupt:
            if after is None:
                raise error from None
        raise error

    return work


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("half done"), SystemError()])
def test_errors_that_come_of_the_interruption_are_left_out(hasty, error):
    watch = Watch(0.1)
    assert watch.run(raised(error)) is None
    assert watch.stopped()


def test_an_error_of_its_own_is_raised_after_the_interruption_too(hasty):
    with pytest.raises(ZeroDivisionError):
        Watch(0.1).run(raised(ZeroDivisionError(), after="it was handled"))


def test_an_interruption_that_c_code_swallows_is_not_printed(hasty, capsys):
    class Swallows:
        def __del__(self):  # as a callback of ctypes: what it raises is lost
            try:
                while True:
                    time.sleep(0.001)
            except KeyboardInterrupt as error:
                raise error from None

    def work():
        entry = Swallows()
        del entry
        raise RuntimeError("no object was compiled")

    assert Watch(0.1).run(work) is None
    assert capsys.readouterr().err == ""
