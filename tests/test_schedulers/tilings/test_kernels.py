"""Kernels that choose holds, against twins in plain Python."""

import numpy as np
import pytest

from schedulers.tilings._kernels import add_cheapest, mark_dominated


def cheapest_hold(moved, words, price):
    """The first hold that costs least at a price of memory."""
    return min(range(len(moved)), key=lambda hold: moved[hold] + price * words[hold])


def dominated(rows):
    """The rows than which an earlier one is no larger anywhere."""
    return [
        any(all(a <= b for a, b in zip(first, row, strict=True)) for first in rows[:place])
        for place, row in enumerate(rows)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_the_cheapest_holds_are_added(seed):
    random = np.random.default_rng(seed)
    holds, sizes = int(random.integers(1, 5)), int(random.integers(1, 40))
    moved, words = random.integers(1, 9, (2, holds, sizes)).astype(float)
    prices, is_out = np.array([0.0, 0.5, 1.0, 3.0]), random.random(holds) < 0.5
    io, out, deep = totals = random.integers(0, 3, (3, len(prices), sizes)).astype(float)
    before = totals.copy()
    add_cheapest(moved, words, prices, is_out, io, out, deep)
    for place, price in enumerate(prices):
        for size in range(sizes):
            hold = cheapest_hold(moved[:, size], words[:, size], price)
            held = words[hold, size]
            more = moved[hold, size], held * is_out[hold], held * (not is_out[hold])
            assert tuple(totals[:, place, size] - before[:, place, size]) == more


@pytest.mark.parametrize("seed", range(6))
def test_dominated_rows_are_marked(seed):
    random = np.random.default_rng(seed)
    rows = random.integers(0, 5, (60, seed + 1)).astype(float)
    rows = rows[np.lexsort(rows.T[::-1])]
    marks = np.zeros(len(rows), bool)
    mark_dominated(rows, marks)
    assert marks.tolist() == dominated(rows.tolist())
    assert len(rows) == 60 > marks.sum() > 0
