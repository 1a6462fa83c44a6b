"""First runs of all methods and commands, small ones, for Numba to compile their kernels."""

import io
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from tempfile import TemporaryDirectory

import numpy as np

from dags import Computation
from dags.interpreted import compiled_at_once
from dags.spec.leaves import reader
from pebble import InvalidRulesError, min_memory, play
from proofs import BOUNDS, bounds_by, check
from redblue.cli import run
from redblue.cli.watch import exit_code
from redblue.racing.solvers import SOLVERS
from redblue.sweeps.task import Task
from schedulers import SCHEDULERS
from schedulers.exact import TooLargeError
from schedulers.search.portfolio import best

MOMENT = 0.4  # seconds for a method: most need less, and what compiling leaves undone comes next
BYTES = 1 << 26
CHANGES = 200  # that annealing tries


@compiled_at_once()
def plays(computation: Computation, task: Task) -> None:
    """Play a small DAG by all methods, under the rules of the cell."""
    dag, rules = computation.dag, task.cell.rules
    memory = min_memory(dag, rules=rules) + 1
    for scheduler in SCHEDULERS.values():
        play(dag, scheduler(dag, memory, rules=rules), memory, rules=rules)
    best(dag, memory, rules=rules, time_limit=None, iterations=CHANGES)
    for solver in SOLVERS.values():
        with suppress(TooLargeError, InvalidRulesError):
            solver(dag, memory, rules=rules, time_limit=MOMENT, max_memory=BYTES)


@compiled_at_once()
def bounds(computation: Computation, task: Task) -> None:
    """Bound a small DAG by all methods, under the cell's rules, and check their certificates."""
    dag, rules = computation.dag, task.cell.rules
    memory = min_memory(dag, rules=rules) + 1
    for method in BOUNDS.values():
        for bound, _ in bounds_by([method], dag, memory, rules=rules, time_limit=MOMENT):
            check(dag, memory, bound)


@compiled_at_once()
def commands(_dag: None, task: Task) -> None:
    """Run commands of the command line, silently.

    Raises
    ------
    RuntimeError
        If one fails.
    """
    arguments = sys.argv
    with TemporaryDirectory() as folder, chdir(folder):
        for command in task.cell.parameters["commands"]:
            printed, code = io.StringIO(), 0
            sys.argv = ["redblue", *command.split()]
            try:
                with redirect_stdout(printed), redirect_stderr(printed):
                    run()
            except SystemExit as ending:
                code = exit_code(ending.code)
            finally:
                sys.argv = arguments
            if code:
                raise RuntimeError(f"{command}: {printed.getvalue()}")


@compiled_at_once()
def tracing(_dag: None, _task: Task) -> None:
    """Trace a few functions of arrays."""
    reader("NumPy code", "tracer").trace(
        lambda a, b: np.sum(a @ b, axis=0) + np.cumsum(a[0] * b[:, 0]), np.ones((3, 3)), (3, 3)
    )
