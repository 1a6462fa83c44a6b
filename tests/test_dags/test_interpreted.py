"""First calls of kernels are made by Python, and come to what compiled code comes to."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dags.interpreted import Interpreter
from proofs.bounds.pieces.balances import _kernels as balances

ROOT = Path(__file__).resolve().parents[2]

KERNELS = """
from dags._numba import count_bits, kernel, lean_part

@lean_part
def doubled(x):
    return 2 * x

@kernel
def sums(numbers, rounds):
    for _ in range(rounds):
        for i in range(1, numbers.size):
            numbers[i] += numbers[i - 1]
    return numbers[-1], numbers[0] > 3

@kernel
def twice(numbers):
    return doubled(numbers[0])

@kernel
def product(small):
    small[0] = 7
    return small[1] * small[2]
"""
CALLS = """
import sys
from types import SimpleNamespace
import numpy as np
from dags import _numba
from room._kernels import calls
compiled = []
listener = SimpleNamespace(on_start=lambda event: compiled.append(event.data), on_end=id)
with _numba.compilations(listener):
    {code}
names = [data["dispatcher"].py_func.__name__ for data in compiled]
print([name for name in names if name in ("sums", "twice", "product")])
"""


@pytest.fixture
def told(tmp_path):
    """What a process with nothing compiled prints of calls of kernels, and which it compiled."""
    folder = tmp_path / "room" / "_kernels"
    folder.mkdir(parents=True)
    (folder / "calls.py").write_text(KERNELS)

    def run(code):
        environment = os.environ | {
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
        }
        command = [sys.executable, "-c", CALLS.format(code=code)]
        ending = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
        return ending.stdout.splitlines()

    return run


def test_a_small_call_compiles_nothing_and_returns_plain_numbers(told):
    code = "a = np.arange(5); x = calls.sums(a, 2); print(a, x, type(x[0]), type(x[1]))"
    assert told(code) == ["[ 0  1  4 10 20] (20, False) <class 'int'> <class 'bool'>", "[]"]


def test_a_kernel_is_compiled_when_its_calls_have_taken_as_long(told):
    code = "[calls.sums(np.ones(100, np.int64), 100) for _ in range(9)]; calls.twice(np.ones(3))"
    assert told(code) == ["['sums']"]


def test_a_long_call_is_given_up_and_its_arrays_are_as_before(told):
    code = "a = np.ones(10, np.int64); print(calls.sums(a, 10**6)); a[:] = 1"
    wanted = np.ones(10, np.int64)
    with np.errstate(over="ignore"):
        for _ in range(10**6):
            np.cumsum(wanted, out=wanted)
    assert told(code) == [f"({wanted[-1]}, False)", "['sums']"]


def test_integers_that_overflow_are_left_to_compiled_code(told):
    # Numba multiplies 32-bit integers as 64-bit ones, NumPy does not.
    code = "a = np.full(3, 1 << 30, np.int32); print(calls.product(a), a[0])"
    assert told(code) == [f"{1 << 60} 7", "['product']"]


INTERRUPTED = """
from dags.interpreted import Interpreter
a = np.arange(5)
def stop(*_):
    raise KeyboardInterrupt
names = Interpreter.run.__globals__
made = names["_twins"](calls.__name__, {{}})
made["doubled"] = lambda x: (a.__setitem__(0, 99), stop())
try:
    calls.twice(a)
except KeyboardInterrupt:
    print(a)
"""


def test_an_interrupt_leaves_arrays_as_they_were(told):
    code = INTERRUPTED.format().strip().replace("\n", "\n    ")
    assert told(code) == ["[0 1 2 3 4]", "[]"]


@pytest.mark.slow
def test_the_first_command_of_all_compiles_nothing(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "redblue", "solve", "fft:n=8", "--memory", "4"]
    ending = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ending.stdout.startswith("31 words of I/O")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.slow
def test_kernels_do_by_python_what_they_do_compiled(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.campaigns", "interpreted", "--cases", "1"]
    ending = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert ending.returncode == 0, ending.stdout
    assert ending.stdout.count("\n") > 20


def test_kernels_that_round_otherwise_are_compiled():
    assert not Interpreter(balances.draw_ways.py_func, {}, lambda: True).takes(())
