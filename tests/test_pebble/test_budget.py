"""Budgets: work that is done, shares of what is left, clocks that cut, and whoever asks to stop."""

import threading
import time
from math import inf

import pytest

from dags.work import UNITS, Kept, charge, charge_worked, seconds_of, worked
from pebble import Budget
from pebble.budget import WORKING, Clock, running_clock, under


def work(seconds):
    charge_worked(round(seconds * 1e9))


def test_a_budget_without_limit_is_never_over():
    budget = Budget()
    work(1e9)
    assert budget.left == inf
    assert not budget.over
    assert budget.share(0.25).seconds is None


def test_work_is_done_and_shares_are_parts_of_what_is_left():
    budget = Budget(8.0, seed=3)
    work(2)
    part = budget.share(0.5)
    assert (budget.left, part.left, part.seed, budget.used) == (6.0, 3.0, 3, 2.0)
    work(3)
    assert part.over
    assert part.left == 0
    assert not budget.over
    work(10)
    assert budget.over
    assert budget.left == 0
    assert budget.share(0.5).over


def test_no_part_is_longer_than_the_whole():
    budget = Budget(8.0)
    work(5)
    assert budget.at_most(4.0).left == 3.0
    assert budget.at_most(1.0).left == 1.0
    assert Budget().at_most(4.0).left == 4.0
    assert Budget().limited(30.0).left == 30.0
    assert budget.limited(30.0) is budget


def test_time_alone_is_no_work():
    budget = Budget(1e-3)
    time.sleep(0.01)
    assert budget.left == 1e-3
    charge("look", 2)
    assert budget.used == 2 * seconds_of("look")


def test_whoever_looks_at_a_budget_comes_to_its_end():
    budget, looks = Budget(1e-3), 0
    while not budget.over:
        looks += 1
    assert looks == 1e6 / UNITS["look"] - 1


def test_each_thread_works_by_itself():
    before = worked()
    thread = threading.Thread(target=work, args=(5.0,))
    thread.start()
    thread.join()
    assert worked() == before


def test_a_clock_cuts_what_has_work_left_and_says_so():
    clock = Clock(0.0)
    done = Budget(0.0, clock=clock)
    assert done.over
    assert not clock.has_cut  # as nothing was left to do
    cut = Budget(1.0, clock=clock.part(1.0))
    assert (cut.left, cut.spent, cut.over) == (0.0, 1.0, True)
    assert clock.has_cut  # by the clock of a part


def test_a_clock_of_a_thread_cuts_all_its_budgets():
    budget, clock = Budget(), Clock(0.0)
    with under(clock):
        assert budget.over
        assert Budget(3.0).over
    assert running_clock() is None
    assert not budget.over
    assert clock.has_cut


def test_a_limit_leaves_room_for_work_and_no_more_than_is_asked_for():
    assert Budget.within(None, 3.0).left == 3.0
    assert Budget.within(100.0).left == 100 * WORKING
    assert Budget.within(100.0, 3.0).left == 3.0
    assert Budget.within(100.0).clock.left > 99
    assert Budget.within(None).clock is None


def test_a_result_that_is_kept_takes_its_work_again():
    kept, result = Kept(), []

    def find():
        result.append(work(2))
        return len(result)

    used = []
    for enough in (9.0, 9.0, 1.0):
        before = worked()
        assert kept.get("question", find, enough, lambda: True) == len(result)
        used.append(worked() - before)
    assert used == [2e9] * 3
    assert len(result) == 2  # anew where there was too little left


def test_what_was_cut_short_is_not_kept():
    kept = Kept()
    assert [kept.get(0, lambda n=n: n, inf, lambda: False) for n in range(3)] == [0, 1, 2]


def test_parts_ask_whether_to_stop():
    stopped = [False]
    part = Budget(stop=lambda: stopped[0]).share(0.1).at_most(1e6)
    assert not part.over
    stopped[0] = True
    assert part.over


def test_chance_comes_from_the_seed():
    first, equal, second = (Budget(seed=seed).rng().integers(2**62) for seed in (1, 1, 2))
    assert first == equal != second


@pytest.mark.parametrize("unit", UNITS)
def test_every_unit_takes_some_time(unit):
    assert 0 < UNITS[unit] <= 1e9
