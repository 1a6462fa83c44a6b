"""Wavefronts of ranges of outer loops: never above a play or an optimum, strong for recurrences."""

import numpy as np
import pytest

from dags import load, matmul
from pebble import RULES, min_memory, play
from proofs import NotApplicableError, check, compulsory, slices, wavefront
from proofs.bounds.pieces.slices import slots_of_loops
from schedulers import scheduler_named
from schedulers.exact import exact

ORDERS = ("natural+belady", "depth-first+belady")


@pytest.mark.parametrize(
    "spec", ["durbin:N=14", "adi:TSTEPS=2,N=7", "atax:M=7,N=7", "trisolv:N=10", "bicg:M=5,N=9"]
)
def test_no_schedule_is_better(spec):
    dag = load(f"polybench/{spec}")
    least = min_memory(dag)
    for memory in (least, least + 3):
        bound = slices(dag, memory)
        check(dag, memory, bound)
        best = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
        assert compulsory(dag, memory).io <= bound.io <= best


@pytest.mark.parametrize("spec", ["durbin:N=5", "atax:M=3,N=3", "trisolv:N=4"])
def test_never_above_the_optimum(spec):
    dag = load(f"polybench/{spec}")
    memory = min_memory(dag)
    found = exact(dag, memory, time_limit=2.0)
    assert slices(dag, memory).io <= play(dag, found.schedule, memory).io


def test_many_iterations_are_worth_more_than_one_moment():
    dag = load("polybench/durbin:N=24")
    bound = slices(dag, 8)
    check(dag, 8, bound)
    assert bound.io > 1.5 * wavefront(dag, 8).io
    assert slices(dag, 12).io <= bound.io


def testslots_of_loops_are_iterations():
    """Every vertex is in one slot; an input is where it is read first."""
    dag = load("polybench/atax:M=3,N=4")
    slot = slots_of_loops(dag, dag.origin, 1)
    assert set(slot.tolist()) == set(range(slot.max() + 1))
    for v in dag.inputs.tolist():
        edge = np.flatnonzero(dag.pred_indices == v)[0]
        reader = np.searchsorted(dag.pred_indptr, edge, side="right") - 1
        assert slot[v] == slot[reader]
    assert np.unique(slots_of_loops(dag, dag.origin, 2)).size > slot.max() + 1


def test_not_applicable():
    with pytest.raises(NotApplicableError, match="no points of a program"):
        slices(matmul(2), 6)
    with pytest.raises(NotApplicableError, match="only where each value is computed once"):
        slices(load("polybench/durbin:N=5"), 6, rules=RULES["recompute"])
