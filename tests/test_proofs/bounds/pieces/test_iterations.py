"""Values that wait in iterations: below plays, and what `slices` proves with them."""

import pytest

from dags import load
from pebble import play
from proofs import compulsory, slices
from proofs.laws.small_sizes import waiting
from schedulers import scheduler_named

ORDERS = ("natural+belady", "depth-first+belady")
CASES = [
    ("adi:TSTEPS=3,N=8", (1, 2)),
    ("adi:TSTEPS=2,N=7", (2, 1)),
    ("durbin:N=12", (1, 2)),
    ("atax:M=7,N=8", (1, 1)),
    ("atax:M=7,N=8", (1, 2)),
]


@pytest.mark.parametrize(("spec", "ways"), CASES)
def test_no_schedule_moves_less(spec, ways):
    dag = load(f"polybench/{spec}")
    words, room = waiting(dag, *ways)
    for memory in (5, 7):
        printed = compulsory(dag, memory).io + words - memory * room
        assert printed <= min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)


def test_slices_prove_as_much():
    dag = load("polybench/durbin:N=12")
    words, room = waiting(dag, 1, 2)
    for memory in (4, 6):
        printed = compulsory(dag, memory).io + words - memory * room
        assert compulsory(dag, memory).io < printed <= slices(dag, memory, time_limit=20.0).io


def test_a_solver_with_two_sweeps_a_step():
    """For T steps: 2 (T - 1) ranges, in each of which (N - 2)^2 values or more wait, twice."""
    for n in (6, 7):
        words, room = waiting(load(f"polybench/adi:TSTEPS=3,N={n}"), 1, 2)
        assert room == 4
        assert words >= room * (n - 2) ** 2
