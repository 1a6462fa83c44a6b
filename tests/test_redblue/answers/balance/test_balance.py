"""What a played curve means for a machine."""

from fractions import Fraction

import numpy as np
import pytest

from dags import from_edges, load, matmul
from pebble import play
from proofs.laws import CONSTANT, Law
from redblue.answers.balance.balance import balance_of, work_of
from redblue.answers.balance.refine import ROUNDS, merged, refined
from redblue.answers.balance.roofline import roofline_figure
from redblue.answers.curves.curve import io_curve
from redblue.answers.hardware import ProcessingElement
from schedulers import SCHEDULERS

METHODS = ["natural+belady", "structured"]
SPECS = ["matmul:n=8", "fft:n=32", "matvec:n=12", "stencil:shape=10,steps=8"]


def curve_of(spec, memories=(8, 16, 32, 64, 4096)):
    return io_curve(load(spec), memories, schedulers=METHODS)


@pytest.mark.parametrize("spec", [*SPECS, "random_layered:n=40,seed=3"])
def test_work_is_what_a_play_computes(spec):
    dag = load(spec)
    count = play(dag, SCHEDULERS["natural+lru"](dag, 64), 64)
    assert work_of(dag) == (count.work if dag.work is not None else count.computes)


def test_work_of_single_values():
    dag = from_edges(4, [(0, 2), (1, 2), (2, 3)], work=[0, 0, 5, 7])
    assert work_of(dag) == 12
    assert work_of(from_edges(4, [(0, 2), (1, 2), (2, 3)])) == 2


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("compute", [0.3, 1, 2.5, 7, 1000])
def test_verdicts_by_exact_times(spec, compute):
    curve, work = curve_of(spec), work_of(load(spec))
    element = ProcessingElement(compute, 1.0, memory=40)
    balance = balance_of(curve, work, element)
    floor = dict(curve.envelope("lower"))
    computing = Fraction(work) / Fraction(compute)
    for (memory, io), point in zip(curve.envelope("upper"), balance.points, strict=True):
        assert (point.memory, point.io, point.least_io) == (memory, io, floor[memory])
        waits, must = io > computing, floor[memory] > computing
        assert point.bound == ("I/O" if must else "undecided" if waits else "compute")
        assert point.rate * element.seconds(work, io) == pytest.approx(work)
        assert point.ratio <= point.most_ratio
    balanced = [point.memory for point in balance.points if point.bound == "compute"]
    possible = [point.memory for point in balance.points if point.bound != "I/O"]
    assert balance.balanced_at == min(balanced, default=None)
    assert balance.not_below == min(possible, default=None)
    assert balance.own.memory == 32


def test_twice_the_arithmetic_played_and_by_law():
    curve, work = curve_of("matmul:n=8"), work_of(load("matmul:n=8"))
    io = dict(curve.envelope("upper"))
    element = ProcessingElement(work / io[16], 1.0, memory=16)
    balance = balance_of(curve, work, element, law=Law("power", 0.5))
    assert balance.balanced_at == 16
    assert balance.grown_by_law == pytest.approx(64)
    grown = [memory for memory, words in io.items() if 2 * words <= io[16]]
    assert balance.grown_at == min(grown, default=None)
    # a machine with more than it needs at the smallest size: the law goes through what was played
    slow = ProcessingElement(work / io[8] / 2, 1.0, memory=16)
    assert balance_of(curve, work, slow, law=Law("power", 0.5)).grown_by_law == pytest.approx(8)
    assert balance_of(curve, work, element, law=CONSTANT).grown_by_law == float("inf")
    assert balance_of(curve, work, element).grown_by_law is None


def test_no_size_balances():
    curve, work = curve_of("matvec:n=12"), work_of(load("matvec:n=12"))
    balance = balance_of(curve, work, ProcessingElement(1000.0, 1.0, 1), law=CONSTANT)
    assert (balance.balanced_at, balance.not_below, balance.grown_by_law, balance.own) == (
        None,
    ) * 4
    assert {point.bound for point in balance.points} == {"I/O"}


def test_refining_finds_where_it_balances():
    dag = matmul(6)

    def position(sizes):
        return io_curve(dag, sizes, schedulers=METHODS, bounds=["compulsory"])

    everything = position(range(8, 257))
    work = work_of(dag)
    for compute in (1.5, 2.0, 3.0):
        element = ProcessingElement(compute, 1.0, memory=1)
        exact = balance_of(everything, work, element).balanced_at
        coarse = position([8, 256])
        result = refined(coarse, position, work, element)
        refined_at = balance_of(result, work, element).balanced_at
        assert exact <= refined_at <= 1.05 * exact
        assert len(result.memories) <= 2 + ROUNDS
        assert set(result.envelope("upper")) <= set(everything.envelope("upper"))


def test_refining_leaves_alone_what_is_clear():
    curve = curve_of("matvec:n=12")
    for compute in (1e-9, 1e9):
        element = ProcessingElement(compute, 1.0, memory=1)
        assert refined(curve, None, work_of(load("matvec:n=12")), element) is curve


def test_merged_curves_keep_what_is_published():
    dag = load("bitonic_sort:n=8")
    parts = [io_curve(dag, [size], schedulers=["structured"], bounds=()) for size in (9, 5)]
    (known,) = merged(*parts).references
    assert known.points == parts[1].references[0].points + parts[0].references[0].points


def test_merged_curves_are_the_curve_of_all_sizes():
    dag = matmul(5)

    def keys(curve):
        return sorted((r.kind, r.method, r.memory, r.io, r.status) for r in curve.rows)

    parts = [io_curve(dag, sizes, schedulers=METHODS) for sizes in ((8, 64), (16, 30))]
    curve = io_curve(dag, (8, 16, 30, 64), schedulers=METHODS)
    assert keys(merged(*parts)) == keys(curve)


def test_the_roofline_shows_the_points():
    curve, work = curve_of("fft:n=32"), work_of(load("fft:n=32"))
    balance = balance_of(curve, work, ProcessingElement(3.0, 2.0, memory=64))
    figure = roofline_figure(balance, "a title")
    ratios, roof = figure.axes
    lines = {line.get_label(): line for line in ratios.lines}
    played = [point.ratio for point in balance.points]
    assert np.allclose(lines["best schedule"].get_ydata(), played)
    assert np.allclose(lines["proved: at most"].get_ydata(), [p.most_ratio for p in balance.points])
    assert set(lines["C / IO"].get_ydata()) == {1.5}
    (roof_line,) = (line for line in roof.lines if line.get_label() == "roof")
    assert max(roof_line.get_ydata()) == 3.0
    low, high = ratios.get_ylim()
    assert low < min(played)
    assert high > 1.5
    assert figure.get_suptitle() == "a title"
