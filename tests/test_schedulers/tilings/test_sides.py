"""Sides of tiles: those that cut a length evenly, of any length, against a list of them all."""

import random
from itertools import pairwise

import numpy as np
import pytest

from schedulers.tilings.sides import GROWTH, NEAR, EvenSides, few_sides, sides_near

LENGTHS = [*range(1, 300), 997, 999**2, 10**6, 2**20]


def listed(extent):
    """All sides that divide a length into parts as equal as can be, and all short ones."""
    short = range(1, min(int(extent**0.5) + 1, extent) + 1)
    return sorted({*short, *(-(-extent // parts) for parts in short)})


@pytest.mark.parametrize("extent", LENGTHS)
def test_sides_are_those_that_are_listed(extent):
    everything, known, rng = EvenSides(extent), listed(extent), random.Random(extent)
    assert list(everything) == known
    for side in {1, extent, *(rng.randint(1, extent) for _ in range(5))}:
        for minimum in (side, GROWTH * side):
            assert everything.place(minimum) == np.searchsorted(known, minimum)
        place = int(np.searchsorted(known, side))
        near = {*known[max(0, place - NEAR) : place + NEAR]}
        assert {*sides_near(extent, side).tolist()} == near | {*few_sides(extent).tolist()}


def test_few_sides_are_even_and_apart():
    kept = few_sides(10**6).tolist()
    assert {*kept} <= {*listed(10**6)}
    assert all(b >= GROWTH * a for a, b in pairwise(kept[:-1]))
    for a, b in pairwise(kept[:-1]):  # none in between would do
        assert not any(GROWTH * a <= side < b for side in listed(10**6))


def test_a_length_beyond_memory_has_sides():
    extent = 10**17
    assert len(EvenSides(extent)) > 10**8
    sides = few_sides(extent)
    assert sides[0] == 1
    assert sides[-1] == extent
    assert extent // 7 + 1 in sides_near(extent, extent // 7)
    with pytest.raises(IndexError):
        EvenSides(10)[10]
