"""Pulling plays of the Dirac operator against their closed forms."""

import pytest

from dags import InvalidDAGError, chain, dirac
from pebble import IllegalMoveError, Rules, judge, play
from schedulers.families.dirac_pull import PullPlan, dirac_pull_schedule

SLIDING = Rules(sliding=True)


def measured(plan):
    """Words on either channel, of a play with the plan's memory; with a word less it is illegal."""
    dag = dirac(**plan.params)
    moves = dirac_pull_schedule(dag)
    count = play(dag, moves, plan.peak, rules=SLIDING)
    with pytest.raises(IllegalMoveError):
        play(dag, moves, plan.peak - 1, rules=SLIDING)
    return count.channels[0].io, count.channels[1].io


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize(("k", "n4"), [(1, 4), (2, 4), (3, 3), (4, 8), (3, 5)])
def test_closed_forms(k, n4, wrap, copies):
    for s in range(1, k + 1):
        plan = PullPlan(k, n4, s, wrap, copies)
        assert measured(plan) == (plan.local_io, plan.neighbour_io)
        assert plan.neighbour_io == 288 * k * k * n4


def test_words_and_memory_of_the_theorem():
    """The theorem's memories to the word but a constant, and a link along x4 twice."""
    k, n4 = 4, 8
    n = k**3 * n4
    assert PullPlan(k, n4, k).local_io == (138 + 48 / n4) * n
    assert PullPlan(k, n4, k).peak == 96 * k**3 + 432 * k**2 + 42
    for s in (1, 2, 3):
        plan = PullPlan(k, n4, s)
        assert plan.peak == 96 * k * k * s + 288 * k * s + 42
        assert plan.local_io == (138 + 48 / n4) * n + 66 * (-(-k // s) - 1) * k * k * n4


def test_the_referee_agrees():
    plan = PullPlan(2, 4, 1, copies=True)
    dag = dirac(**plan.params)
    moves = dirac_pull_schedule(dag)
    assert judge(dag, moves, plan.peak, rules=SLIDING) == play(dag, moves, plan.peak, rules=SLIDING)


def test_other_dags_are_refused():
    with pytest.raises(InvalidDAGError, match="strip is 4, not 1"):
        dirac_pull_schedule(dirac(2, 4))
    with pytest.raises(InvalidDAGError, match="no Dirac operator"):
        dirac_pull_schedule(chain(4))
