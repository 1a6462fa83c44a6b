"""Tests of the choice of holds: of one tree of loops, no other choice is better at any memory."""

import itertools
import random

import pytest

from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.tied_loops import NotCountedError
from schedulers.tilings.holds import best_holds
from schedulers.tilings.plan import Counts, Tiling
from schedulers.tilings.search import text_path
from tests.nest_texts import TEXTS, drawn_sizes


def every_choice(counts, paths):
    """Words moved and held with each hold of each array that is the same for all assignments."""
    tree = Tiling(paths)
    depths = []
    for array in counts.arrays.values():
        common = min(len(tree.levels(name)) for name in array)
        depths.append([dict.fromkeys(array, depth) for depth in range(common + 1)])
    for chosen in itertools.product(*depths):
        try:
            yield counts.cost(Tiling(paths, dict(zip(counts.arrays, chosen, strict=True))))
        except NotCountedError:
            continue


@pytest.mark.parametrize("name", ["product", "sweeps", "recurrence", "symmetric", "softmax"])
def test_no_choice_of_holds_is_better(name):
    rng = random.Random(name)
    for _ in range(4):
        nest = box_nest(from_c(TEXTS[name][0]), drawn_sizes(name, rng))
        counts = Counts(nest)
        paths = {assignment.name: text_path(assignment) for assignment in nest.assignments}
        result = best_holds(counts, paths)
        for second in every_choice(counts, paths):
            assert (
                min(entry.io for entry in result if entry.moved.words <= second.words) <= second.io
            )
