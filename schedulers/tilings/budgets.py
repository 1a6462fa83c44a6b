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
    """The seconds of work for a nest at a size of memory, where none are named."""
    least = SECONDS if in_turn(nest) else ROUND
    return min(least + MORE * max(0, len(nest.assignments) - FEW), MOST_SECONDS)


def own_budget(part: BoxNest, nest: BoxNest, whole: Budget) -> Budget:
    """The budget of a part if it is asked for alone at the same effort; it begins now.

    Parameters
    ----------
    part, nest
        The part, and what it is a part of.
    whole
        The budget of the nest; if it is less than that takes, the part has so much less, too.
    """
    if whole.seconds is None:
        return whole
    return whole.anew(seconds_for(part) * min(1.0, whole.seconds / seconds_for(nest)))


def budget_after(whole: Budget, share: float = JOINT) -> Budget:
    """What is left of a budget after a step of the search, but at least a share of it."""
    return whole.anew(None if whole.seconds is None else max(whole.left, share * whole.seconds))
