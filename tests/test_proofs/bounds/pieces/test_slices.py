"""Wavefronts of ranges of outer loops: never above a play or an optimum, strong for recurrences."""

from dataclasses import replace

import numpy as np
import pytest

from dags import CDAG, load, matmul
from pebble import ONE_SHOT, RULES, min_memory, play
from proofs import NotApplicableError, check, compulsory, slices, wavefront
from proofs.bounds.pieces.slices import loop_fronts, slots_of_loops
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.certificates.pieces.piece import Cutter
from schedulers import scheduler_named
from schedulers.exact import exact

ORDERS = ("natural+belady", "depth-first+belady")


@pytest.mark.parametrize(
    "spec", ["durbin:N=14", "adi:TSTEPS=2,N=7", "atax:M=7,N=7", "trisolv:N=10", "bicg:M=5,N=9"]
)
def test_no_schedule_is_better(spec):
    dag = load(f"polybench/{spec}")
    smallest = min_memory(dag)
    for memory in (smallest, smallest + 3):
        bound = slices(dag, memory)
        check(dag, memory, bound)
        best = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
        assert compulsory(dag, memory).io <= bound.io <= best


@pytest.mark.parametrize("spec", ["durbin:N=5", "atax:M=3,N=3", "trisolv:N=4"])
def test_never_above_the_optimum(spec):
    dag = load(f"polybench/{spec}")
    memory = min_memory(dag)
    solution = exact(dag, memory, time_limit=2.0)
    assert slices(dag, memory).io <= play(dag, solution.schedule, memory).io


def test_many_iterations_are_worth_more_than_one_moment():
    dag = load("polybench/durbin:N=24")
    bound = slices(dag, 8)
    check(dag, 8, bound)
    assert bound.io > 1.5 * wavefront(dag, 8).io
    assert slices(dag, 12).io <= bound.io


@pytest.fixture(scope="module")
def sweeps():
    """Sweeps to and fro along both axes, and what their fronts prove with 8 words."""
    dag = load("polybench/adi:TSTEPS=3,N=8")
    return dag, slices(dag, 8)


def test_sweeps_wait_for_each_other(sweeps):
    """All chains of a sweep are there before the first comes back: more than wavefronts show."""
    dag, bound = sweeps
    assert bound.io >= 287
    assert any(part["proof"] == "front-moment" for part in bound.certificate.data["parts"])
    check(dag, 8, bound)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"share": 2**40}, "more than all"),
        ({"proof": "moment"}, "unknown|missing"),
        ({"vertices": "all"}, "between|more flows|begins or ends|not|rising"),
        ({"proof": "front-moments"}, "not one of moment, front-moment"),
    ],
)
def test_changed_fronts_are_rejected(sweeps, changed, message):
    dag, bound = sweeps
    parts = bound.certificate.data["parts"]
    place = next(k for k, part in enumerate(parts) if part["proof"] == "front-moment")
    forged = [*parts[:place], {**parts[place], **changed}, *parts[place + 1 :]]
    data = {**bound.certificate.data, "parts": forged}
    with pytest.raises(CertificateError, match=message):
        check(dag, 8, replace(bound, certificate=replace(bound.certificate, data=data)))


def test_fronts_are_the_ends_of_lines():
    """Each line of updates along a loop has one end in each front; fronts rise."""
    dag = load("polybench/adi:TSTEPS=2,N=6")
    slot = slots_of_loops(dag, dag.origin, 1, inside=True)
    assert slot.max() + 1 == 4
    for vertices in (np.flatnonzero(slot == 1), np.flatnonzero(slot > 1)):
        piece = Cutter(dag).cut(vertices)
        fronts = list(loop_fronts(dag.origin, slot, piece))
        assert all((np.diff(front) > 0).all() for front in fronts)
        assert {front.size for front in fronts} == {4}
        assert not any(piece.is_input[front].any() for front in fronts)


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


def plain(data):
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items()}
    return [plain(entry) for entry in data] if isinstance(data, list | np.ndarray) else data


def changes(data, path=()):
    """Every place of the data, with values to put there."""
    if isinstance(data, list | dict):
        yield from ((path, wrong) for wrong in ({}, [], None, 1))
        if isinstance(data, list) and data:
            yield from ((path, wrong) for wrong in (data[1:], data[::-1], data + data[-1:]))
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from changes(data[key], (*path, key))
    elif isinstance(data, str):
        yield from ((path, wrong) for wrong in ("", "front", "reloads", 3))
    else:
        yield from ((path, int(data) + factor) for factor in (1, -1, 2, 50, 2**62))


def put(data, path, value):
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = put(data[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("most", [1, 3])
def test_forged_certificates(most):
    """A change is refused, or proves no more than what the optimum moves."""
    plain_dag = load("polybench/durbin:N=4")
    words = np.random.default_rng(3).integers(1, most + 1, plain_dag.n)
    rows = plain_dag.pred_indptr, plain_dag.pred_indices
    dag = CDAG(*rows, words=words, outputs=plain_dag.outputs, origin=plain_dag.origin)
    memory = min_memory(dag)
    bound = slices(dag, memory)
    assert bound.certificate.kind in ("shares", "staged")
    minimum = exact(dag, memory, time_limit=2.0).io
    data, refused, tried = plain(bound.certificate.data), 0, 0
    for path, value in changes(data):
        tried += 1
        try:
            forged = Certificate(bound.certificate.kind, put(data, path, value))
            assert proven_io(dag, memory, ONE_SHOT, forged) <= minimum, path
        except CertificateError:
            refused += 1
    assert refused > 0.9 * tried > 500


def test_not_applicable():
    with pytest.raises(NotApplicableError, match="no points of a program"):
        slices(matmul(2), 6)
    with pytest.raises(NotApplicableError, match="only where each value is computed once"):
        slices(load("polybench/durbin:N=5"), 6, rules=RULES["recompute"])
