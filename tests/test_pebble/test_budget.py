"""Budgets: time that passes, shares of what is left, and whoever asks to stop."""

from functools import partial
from math import inf

import pytest

from pebble import Budget


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def budget_of(now):
    """Budgets that begin at 100 seconds of a clock that the test turns."""
    return partial(Budget, clock=lambda: now[0], began=now[0])


def test_a_budget_without_limit_is_never_over(budget_of, now):
    budget = budget_of()
    now[0] += 1e9
    assert budget.left == inf
    assert not budget.over
    assert budget.share(0.25).seconds is None


def test_time_passes_and_shares_are_parts_of_what_is_left(budget_of, now):
    budget = budget_of(8.0, seed=3)
    now[0] += 2
    part = budget.share(0.5)
    assert (budget.left, part.left, part.seed) == (6.0, 3.0, 3)
    now[0] += 3
    assert part.over
    assert part.left == 0
    assert not budget.over
    now[0] += 10
    assert budget.over
    assert budget.left == 0
    assert budget.share(0.5).over


def test_no_part_is_longer_than_the_whole(budget_of, now):
    budget = budget_of(8.0)
    now[0] += 5
    assert budget.at_most(4.0).left == 3.0
    assert budget.at_most(1.0).left == 1.0
    assert budget_of().at_most(4.0).left == 4.0
    assert budget_of().limited(30.0).left == 30.0
    assert budget.limited(30.0) is budget


def test_parts_ask_whether_to_stop():
    stopped = [False]
    part = Budget(stop=lambda: stopped[0]).share(0.1).at_most(1e6)
    assert not part.over
    stopped[0] = True
    assert part.over


def test_chance_comes_from_the_seed():
    one, same, other = (Budget(seed=seed).rng().integers(2**62) for seed in (1, 1, 2))
    assert one == same != other
