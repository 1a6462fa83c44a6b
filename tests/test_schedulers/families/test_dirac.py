"""The Dirac operator's schedules, played, against their closed forms and published numbers."""

import json
from math import ceil

import numpy as np
import pytest

from dags import InvalidDAGError, InvalidSpecError, chain, dirac
from pebble import IllegalMoveError, MemoryTooSmallError, Rules, judge, min_memory, play
from schedulers import DiracPlan, best_dirac_plan, dirac_plan, dirac_schedule, structured

SLIDING = Rules(sliding=True)
SIZES = [(2, 4), (2, 5), (3, 4), (4, 8), (5, 4), (6, 8)]
REGIMES = ("A-lockstep", "A-reflected", "B-reflected")


def measured(plan):
    """Words on either channel and the peak, of a play with what the plan says is enough."""
    dag = dirac(**plan.params)
    moves = dirac_schedule(dag, lockstep=plan.lockstep)
    count = play(dag, moves, plan.peak, rules=SLIDING)
    assert count.computes == dag.computed.size
    assert count.work == 2328 * plan.sites - (0 if plan.wrap else 2 * 288 * plan.k**3)
    with pytest.raises(IllegalMoveError):
        play(dag, moves, plan.peak - 1, rules=SLIDING)
    return count.channels[0].io, count.channels[1].io, count.peak


def medium(k, n4, wrap):
    n = k**3 * n4
    return (120 * n, 96 * k**3 + 90) if wrap else (120 * n - 18 * k**3, 48 * k**3 + 90)


def small(regime, k, n4, wrap, s):
    """I_lc and the peak for s < k, or s < n4 for strips."""
    n = k**3 * n4
    inside, absent = (0, 0) if wrap else (1, 18 * k**3)
    if regime == "B-reflected":
        return 120 * n - absent + 66 * k**3 * (ceil(n4 / s) - inside), 48 * k * k * s + 90
    planes = ceil(k / s) - (0 if regime == "A-lockstep" else 1)
    room = (96 if wrap else 48) * k * k * s + (114 if regime == "A-lockstep" else 90)
    return 120 * n - absent + 66 * planes * k * k * n4, room


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize(("k", "n4"), SIZES)
def test_the_medium_regime_moves_everything_once(k, n4, wrap):
    io, peak = medium(k, n4, wrap)
    plan = dirac_plan(k, n4, wrap=wrap)
    assert measured(plan) == (io, 288 * k * k * n4, peak)
    assert (plan.local_io, plan.neighbour_io, plan.peak) == measured(plan)


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize(("k", "n4"), SIZES)
def test_the_small_regime_follows_its_closed_forms(k, n4, wrap, regime):
    for s in range(1, n4 if regime == "B-reflected" else k):
        plan = dirac_plan(k, n4, regime=regime, s=s, wrap=wrap)
        io, peak = small(regime, k, n4, wrap, s)
        assert (plan.local_io, plan.neighbour_io, plan.peak) == (io, 288 * k * k * n4, peak)
        assert measured(plan) == (io, 288 * k * k * n4, peak)


@pytest.mark.parametrize("wrap", [True, False])
def test_nodes_that_store_all_links_of_their_sites(wrap):
    k, n4 = 4, 8
    face = k * k * n4
    for regime, widths in (("medium", [k]), *((regime, (1, 2, 3)) for regime in REGIMES)):
        for s in widths:
            usual, plan = (
                dirac_plan(k, n4, regime=regime, s=s, wrap=wrap, copies=copies)
                for copies in (False, True)
            )
            met = 18 * face if regime == "A-lockstep" else 0  # the link is at both ends anyhow
            assert plan.local_io == usual.local_io + 54 * face - met
            assert plan.peak == usual.peak - (18 if regime == "A-lockstep" else 0)
            assert measured(plan) == (plan.local_io, 288 * face, plan.peak)


@pytest.mark.parametrize("regime", ["A-lockstep", "A-reflected"])
def test_one_slab_is_the_medium_regime(regime):
    assert measured(dirac_plan(4, 8, regime=regime)) == measured(dirac_plan(4, 8))


def test_one_strip_keeps_a_front_of_whole_lines_along_x4():
    plan = dirac_plan(6, 8, regime="B-reflected", s=8)
    assert measured(plan) == (120 * 6**3 * 8, 288 * 36 * 8, 13914)


def test_the_law_of_the_theorem():
    k, n4 = 6, 12
    n = k**3 * n4
    for s in (1, 2, 3):
        for regime in ("A-lockstep", "B-reflected"):
            io, neighbour_io, peak = measured(dirac_plan(k, n4, regime=regime, s=s))
            assert io * s == (120 * s + 66) * n
            assert neighbour_io * k == 288 * n
            assert peak <= 96 * k * k * s + 288 * k * s


def test_mirrored_nodes_satisfy_the_theorem_for_every_thickness():
    for k, n4 in SIZES:
        n = k**3 * n4
        for s in range(1, k + 1):
            plan = dirac_plan(k, n4, regime="A-reflected", s=s)
            assert plan.local_io <= (120 + 66 / s) * n + 132 * k * k
            assert plan.peak <= 96 * k * k * s + 288 * k * s


def test_two_cuts_beat_the_theorem():
    plan = DiracPlan(8, 16, True, "x2", 4, 4)
    assert measured(plan) == (144.75 * 8192, 288 * 1024, 6234)


@pytest.mark.parametrize("wrap", [True, False])
def test_tiles_that_are_cut_along_three_axes(wrap):
    for k, n4, panel, slab, strip in ((2, 4, 1, 2, 2), (3, 5, 2, 2, 3), (4, 6, 2, 3, 6)):
        plan = DiracPlan(k, n4, wrap, "x1", slab, strip, panel=panel)
        planes = -(-k // panel) + -(-k // slab) - 2
        strips = -(-n4 // strip)
        rings = strips - (0 if wrap and strips > 1 else 1)
        n = k**3 * n4
        absent = 0 if wrap else 18 * k**3
        io = 120 * n - absent + 66 * (planes * k * k * n4 + rings * k**3)
        assert measured(plan) == (io, 288 * k * k * n4, 48 * panel * slab * strip + 90)
        assert dirac(**plan.params).params == plan.params


def test_the_best_plans_beat_the_theorem_with_its_own_memory():
    k, n4, n = 8, 16, 8192
    for s in range(1, k + 1):
        plan = best_dirac_plan(k, n4, 96 * k * k * s + 288 * k * s)
        assert plan.local_io < (120 + 66 / s) * n + 132 * k * k
    assert best_dirac_plan(k, n4, 96 * k**3 + 90).local_io == 120 * n
    assert best_dirac_plan(k, n4, 6234).local_io == 144.75 * n


def test_a_cut_at_the_seam_halves_the_memory_of_the_medium_regime():
    plan = DiracPlan(4, 8, True, "x4", 4, 8, seam=True)
    assert measured(plan) == (120 * 512 + 66 * 64, 288 * 128, 48 * 64 + 90)


def table(shared, name):
    return json.loads((shared / "golden" / "seed_papers.json").read_text())[name]


def test_medium_rows_are_as_published(shared):
    rows = table(shared, "dirac_medium")["rows"]
    assert rows
    for k, n4, wrap, *expected, all_links in rows:
        assert measured(dirac_plan(k, n4, wrap=wrap)) == tuple(expected)
        expected[0] = all_links
        assert measured(dirac_plan(k, n4, wrap=wrap, copies=True)) == tuple(expected)


def test_small_rows_are_as_published(shared):
    tables = table(shared, "dirac_small")
    assert tables
    for entry in tables:
        k, n4, regime = entry["k"], entry["N4"], entry["schedule"] + "-reflected"
        for s, io, _, peak, *_ in entry["rows"]:
            plan = dirac_plan(k, n4, regime=regime, s=s, wrap=entry["wrap"])
            assert measured(plan) == (io, 288 * k * k * n4, peak)


def test_lockstep_rows_are_as_published(shared):
    rows = table(shared, "dirac_lockstep_A")["rows"]
    assert rows
    for k, n4, s, io, _, _, peak, *_ in rows:
        plan = dirac_plan(k, n4, regime="A-lockstep", s=s)
        assert measured(plan) == (io, 288 * k * k * n4, peak)


def test_the_referee_agrees():
    for plan in (dirac_plan(2, 4, regime="A-lockstep", s=1), DiracPlan(3, 4, False, "x1", 2, 3)):
        dag = dirac(**plan.params)
        moves = dirac_schedule(dag, lockstep=plan.lockstep)
        count = judge(dag, moves, plan.peak, rules=SLIDING)
        assert count == play(dag, moves, plan.peak, rules=SLIDING)


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize(("k", "n4"), [(3, 4), (4, 8)])
def test_the_best_plan_fits_and_costs_what_it_says(k, n4, wrap):
    costs = []
    minimum = 48 * k + 90
    for memory in np.geomspace(minimum, 100 * k**3 + 90, 12).astype(int).tolist():
        plan = best_dirac_plan(k, n4, memory, wrap=wrap)
        dag = dirac(**plan.params)
        count = play(dag, dirac_schedule(dag), memory, rules=SLIDING)
        assert count.channels[0].io == plan.local_io
        costs.append(plan.local_io)
        for s in range(1, k):
            published, room = small("A-reflected", k, n4, wrap, s)
            assert room > memory or plan.local_io <= published
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == medium(k, n4, wrap)[0]
    with pytest.raises(MemoryTooSmallError, match=f"takes {minimum}"):
        best_dirac_plan(k, n4, minimum - 1, wrap=wrap)


def test_without_sliding_the_front_needs_one_more_phi():
    plan = dirac_plan(3, 4)
    dag = dirac(**plan.params)
    count = play(dag, structured(dag, plan.peak + 24), plan.peak + 24)
    assert count.io == plan.local_io + plan.neighbour_io
    assert min_memory(dag) == 24 + 18 + 2 * 24


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dirac_plan(4, 8, regime="large"), "regime must be one of"),
        (lambda: dirac_plan(4, 8, regime="A-lockstep", s=5), r"s must be in 1\.\.4, not 5"),
        (lambda: dirac_plan(4, 8, regime="B-reflected", s=0), r"s must be in 1\.\.8, not 0"),
        (lambda: DiracPlan(4, 8, True, "x3", 4, 2, lockstep=True), "sweep along x4, not x3"),
        (lambda: DiracPlan(4, 8, True, "x4", 4, 2, lockstep=True, panel=2), "cut along x2, into 2"),
        (lambda: dirac(4, 8, panel=5), "a tile of 5 sites along x2 does not fit into 4"),
    ],
)
def test_bad_plans_are_refused(call, message):
    with pytest.raises(InvalidSpecError, match=message):
        call()


def test_other_dags_are_refused():
    with pytest.raises(InvalidDAGError, match="no Dirac operator"):
        dirac_schedule(chain(4))
