"""The same question has the same answer: however fast the clocks go, and however busy a machine is.

Each question is asked three times: as it is, with clocks that go twenty times as fast, so that
whatever ends by a clock ends after less work, and beside a process that never rests. Longer
questions are asked in `tests/test_redblue/answers/test_same_answers.py`.
"""

import json
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.command_line import run_redblue

FASTER = 20
LU = """void f(int N, double A[N][N]) {
  for (int k = 0; k < N; k++) for (int i = k + 1; i < N; i++) {
    A[i][k] /= A[k][k];
    for (int j = k + 1; j < N; j++) A[i][j] -= A[i][k] * A[k][j]; } }"""
RANDOM = "random_layered:n=90,layers=7,seed=3"
QUESTIONS = {
    "solve": f"solve {RANDOM} --memory 9 --effort 0.3",
    "solve exactly": "solve fft:n=16 --memory 5 --effort 0.3",
    "solve again": "solve random_layered:n=40,seed=2 --memory 6 --rules recompute --effort 0.3",
    "solve partly": "solve random_layered:n=40,seed=2 --memory 6 --rules partial --effort 0.3",
    "bound": f"bound {RANDOM} --memory 9 --effort 0.3",
    "bound of a program": "bound polybench/cholesky:N=9 --memory 9,14 --effort 0.3",
    "bound again": "bound fft:n=32 --memory 6 --rules recompute --effort 0.3",
    "curve": f"curve {RANDOM} --memory 8:20 --effort 0.3",
    "curve of a nest": "curve matmul:n=2000 --memory 1000,30000",
    "curve of tiles": "curve matmul:n=12 --memory 20,40 --schedulers tiled,structured",
    "plan": "plan fft:n=16 --memory 6 --effort 0.4",
    "levels": "levels matmul:n=6 --memory 12,60",
    "law": "law fft:n=64 --effort quick",
    "emit": "emit polybench/gemm:NI=12,NJ=12,NK=12 --memory 64 --effort 0.3",
}


FEW = ("solve", "solve again", "bound", "curve", "curve of a nest", "plan")


@contextmanager
def as_it_is():
    """Nothing beside the command."""
    yield


@contextmanager
def faster_clocks():
    """All clocks of Python go faster."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("monotonic", "perf_counter", "process_time", "thread_time", "time"):
            patch.setattr(time, name, faster(getattr(time, name)))
        yield


def faster(clock):
    began = clock()
    return lambda: began + FASTER * (clock() - began)


@contextmanager
def busy():
    """A process that never rests is beside the command."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        try:
            yield
        finally:
            process.kill()


def without_seconds(record):
    """An answer without what tells how long it took."""
    if isinstance(record, dict):
        timed = ("seconds", "loading", "compiling")
        return {key: without_seconds(record[key]) for key in record if key not in timed}
    return list(map(without_seconds, record)) if isinstance(record, list) else record


@pytest.fixture(params=FEW)
def question(request):
    return request.param


def test_the_same_question_has_the_same_answer(question, tmp_path):
    file = tmp_path / "lu.c"
    file.write_text(LU)
    command = QUESTIONS[question].format(lu=file).split()
    answers = []
    for circumstances in (as_it_is, faster_clocks, busy):
        with circumstances():
            ending = run_redblue(*command, "--json")
        assert ending.code == 0, ending.err
        answers.append(json.dumps(without_seconds(json.loads(ending.out))))
    assert answers[1] == answers[0]
    assert answers[2] == answers[0]


@pytest.mark.parametrize(
    "command", [f"curve {RANDOM} --memory 8:20 --effort 0.3", f"solve {RANDOM} --memory 9"]
)
def test_processes_have_the_same_words_every_time(command):
    limits = ("--effort", "0.4", "--jobs", "2", "--json")
    answers = []
    for circumstances in (as_it_is, busy):
        with circumstances():
            answers.append(json.loads(run_redblue(*command.split(), *limits).out))
    words = [
        [(row["io"], row["memory"]) for row in answer["rows"]] if "rows" in answer else answer
        for answer in answers
    ]
    assert words[0] == words[1]


def test_what_a_clock_cuts_says_so():
    ending = run_redblue("solve", RANDOM, "--memory", 9, "--time-limit", 2, "--json")
    output = run_redblue("solve", RANDOM, "--memory", 9, "--effort", 0.2, "--json")
    assert "complete" not in json.loads(output.out)
    with faster_clocks():
        cut = run_redblue("solve", RANDOM, "--memory", 9, "--time-limit", 2, "--json")
        printed = run_redblue("solve", RANDOM, "--memory", 9, "--time-limit", 2)
    assert ending.code == cut.code == printed.code == 0
    assert json.loads(cut.out)["complete"] is False
    assert printed.err.count("not complete: the time limit of 2 s has cut searches") == 1
