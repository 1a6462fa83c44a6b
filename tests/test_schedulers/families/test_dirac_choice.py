"""The Dirac operator between the steps of its plans, and with its fields at rest."""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from dags import InvalidDAGError, chain, dirac
from pebble import MemoryTooSmallError, Move, Rules, judge, min_memory, play
from schedulers import DiracPlan, best_dirac_plan, dirac_schedule, structured
from schedulers.families.dirac_choice import best_dirac_play, resident_dirac_schedule, resident_peak
from schedulers.families.dirac_plans import dirac_plans, theorem_io, theorem_memories

SLIDING = Rules(sliding=True)


@cache
def generated(plan):
    return dirac(**plan.params)


def played(k, n4, memory, wrap=True):
    best = best_dirac_play(k, n4, memory, wrap=wrap)
    count = play(best.dag, best.play.blocks(), memory, rules=SLIDING)
    assert count.io == best.play.io
    assert best.dag == generated(best.plan)
    return count.channels[0].io, count.channels[1].io


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize(("k", "n4"), [(2, 4), (3, 5), (4, 8)])
def test_plays_are_never_worse_than_plans_and_neighbours_get_their_words_once(k, n4, wrap):
    last = dirac_plans(k, n4, wrap=wrap)[0]
    for memory in np.geomspace(66, last.peak, 9).astype(int).tolist():
        local, neighbour = played(k, n4, memory, wrap)
        assert neighbour == 288 * k * k * n4
        assert local >= last.local_io
        if memory >= 48 * k + 90:
            assert local <= best_dirac_plan(k, n4, memory, wrap=wrap).local_io
    assert played(k, n4, last.peak, wrap)[0] == last.local_io


def test_what_was_measured_for_the_paper():
    k, n4, n = 8, 16, 8192
    assert played(k, n4, 6234) == (144.75 * n, 288 * n // k)
    assert theorem_io(k, n4, 8448) == 187 * n + n // 32
    assert theorem_io(k, n4, 8447) is None
    assert played(k, n4, 8448)[0] < 144.75 * n


def test_plays_stay_below_the_theorem_at_each_of_its_corners():
    for k, n4 in ((3, 6), (4, 8), (5, 10)):
        for memory in theorem_memories(k, n4)[:-1]:
            assert played(k, n4, memory)[0] <= theorem_io(k, n4, memory)


def test_the_theorem():
    k, n4, n = 4, 8, 512
    assert theorem_memories(k, n4) == [2688, 5376, 8064, 10752, 13056, 61440]
    promised = [theorem_io(k, n4, memory) for memory in theorem_memories(k, n4)]
    assert promised[:2] == [186 * n + 2112, 153 * n + 2112]
    assert promised[3:] == [Fraction(273, 2) * n + 2112, 120 * n, 0]
    assert all(smaller < extra for extra, smaller in pairwise(promised))


def test_a_hop_needs_66_words():
    assert played(2, 4, 66)[0] > 0
    with pytest.raises(MemoryTooSmallError, match="takes 66"):
        best_dirac_play(2, 4, 65)


@pytest.mark.parametrize("sweep", ["x1", "x3", "x4"])
@pytest.mark.parametrize(("k", "n4", "wrap"), [(2, 4, True), (3, 7, True), (3, 4, False)])
def test_fields_at_rest_need_no_local_traffic(k, n4, wrap, sweep):
    plan = DiracPlan(k, n4, wrap, sweep, k, n4)
    dag = dirac(**plan.params)
    settle, work, leave = resident_dirac_schedule(dag)
    moved = work.vertex[(work.op == Move.LOAD) | (work.op == Move.STORE)]
    assert (dag.channel[moved] == 1).all()
    assert dag.sizes[moved].sum() == 288 * k * k * n4
    absent = 0 if wrap else 18 * k**3
    assert dag.sizes[settle.vertex].sum() == 96 * plan.sites - absent
    assert dag.sizes[leave.vertex].sum() == 24 * plan.sites
    count = play(dag, (settle, work, leave), resident_peak(plan), rules=SLIDING)
    assert count.peak == resident_peak(plan) <= 120 * plan.sites
    assert count.channels[0].io == 120 * plan.sites - absent


def test_fields_at_rest_are_shared_by_the_tiles():
    plan = DiracPlan(4, 6, True, "x2", 2, 3)
    dag = dirac(**plan.params)
    count = play(dag, resident_dirac_schedule(dag), 150 * plan.sites, rules=SLIDING)
    assert count.channels[0].io == 120 * plan.sites
    with pytest.raises(InvalidDAGError, match="no Dirac operator"):
        resident_dirac_schedule(chain(3))


def test_structured_plays_the_plan_of_the_dag_where_it_fits():
    plan = DiracPlan(3, 4, True, "x4", 2, 4)
    dag = dirac(**plan.params)
    ours = structured(dag, plan.peak, rules=SLIDING)
    assert play(dag, ours, plan.peak, rules=SLIDING).io <= plan.local_io + plan.neighbour_io
    assert (
        judge(dag, ours, plan.peak, rules=SLIDING).io
        <= judge(dag, dirac_schedule(dag), plan.peak, rules=SLIDING).io
    )


def test_structured_plays_between_the_smallest_memories_of_both_rules():
    dag = dirac(2, 4)
    minimum, placing = min_memory(dag, rules=SLIDING), min_memory(dag)
    assert (minimum, placing) == (66, 90)
    for memory in range(minimum, placing, 8):
        count = judge(dag, structured(dag, memory, rules=SLIDING), memory, rules=SLIDING)
        assert count.peak <= memory
        with pytest.raises(MemoryTooSmallError):
            structured(dag, memory)
