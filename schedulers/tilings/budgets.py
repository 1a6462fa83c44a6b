"""Budgets of the search for plays of a nest, and of its parts.

A part is searched as if it were asked for alone, so that a play of all is no worse than the plays
of its parts one after the other; what they share is searched with a budget of its own.
"""

from dags.programs.box_nests import BoxNest
from pebble import Budget
from schedulers.tilings.parts import in_turn

SECONDS, ROUND = 2.0, 8.0  # for each size of memory; where assignments read later ones
MORE, MOST_SECONDS = 1.0, 60.0  # for each assignment beyond a few, and for any number
FEW = 2
JOINT = 0.5  # of a budget, at least, for parts together after each alone


def seconds_for(nest: BoxNest) -> float:
    """Return the seconds of work for a nest at a size of memory, where none are named."""
    least = SECONDS if in_turn(nest) else ROUND
    return min(least + MORE * max(0, len(nest.assignments) - FEW), MOST_SECONDS)


def own_budget(part: BoxNest, whole: Budget) -> Budget:
    """Return the budget of a part if it is asked for alone, which begins now.

    Parameters
    ----------
    part, whole
        The part, and the budget of the nest, which is more than that of a part of it.
    """
    return whole.anew(None if whole.seconds is None else min(seconds_for(part), whole.seconds))


def budget_after(whole: Budget, share: float = JOINT) -> Budget:
    """Return what is left of a budget after a step of the search, but at least a share of it."""
    return whole.anew(None if whole.seconds is None else max(whole.left, share * whole.seconds))
