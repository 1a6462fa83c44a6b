"""Kernels that choose holds, against twins in plain Python."""

import numpy as np
import pytest

from schedulers.tilings import holds
from schedulers.tilings._kernels import add_cheapest, last_undominated, mark_dominated


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
    hold_count, sizes = int(random.integers(1, 5)), int(random.integers(1, 40))
    moved, words = random.integers(1, 9, (2, hold_count, sizes)).astype(float)
    prices, is_out = np.array([0.0, 0.5, 1.0, 3.0]), random.random(hold_count) < 0.5
    io, out, deep = totals = random.integers(0, 3, (3, len(prices), sizes)).astype(float)
    before = totals.copy()
    add_cheapest(moved, words, prices, is_out, io, out, deep)
    for place, price in enumerate(prices):
        for size in range(sizes):
            hold = cheapest_hold(moved[:, size], words[:, size], price)
            held = words[hold, size]
            columns = moved[hold, size], held * is_out[hold], held * (not is_out[hold])
            assert tuple(totals[:, place, size] - before[:, place, size]) == columns


@pytest.mark.parametrize("seed", range(6))
def test_dominated_rows_are_marked(seed):
    random = np.random.default_rng(seed)
    rows = random.integers(0, 5, (60, seed + 1)).astype(float)
    rows = rows[np.lexsort(rows.T[::-1])]
    marks, expected = np.zeros(len(rows), bool), np.array(dominated(rows.tolist()))
    count = mark_dominated(rows, len(rows), marks)
    assert marks.tolist() == expected.tolist()
    assert len(rows) == 60 > marks.sum() > 0
    assert count == (~expected).sum()
    assert last_undominated(rows) == np.flatnonzero(~expected)[-1]
    assert mark_dominated(rows, count - 1, np.zeros(len(rows), bool)) == count


@pytest.mark.parametrize("seed", range(4))
def test_of_many_choices_those_best_at_prices_stay(seed, monkeypatch):
    """As many choices as are compared in pairs, and then by prices, are the same choices."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, 12, (80, 4)).astype(float)
    rows = rows[np.lexsort(rows.T[::-1])]
    kept = rows[~np.array(dominated(rows.tolist()))]
    monkeypatch.setattr(holds, "MOST", len(kept))
    assert rows[holds.best_places(rows)].tolist() == kept.tolist()
    monkeypatch.setattr(holds, "MOST", len(kept) - 1)
    few = rows[holds.best_places(rows)]
    monkeypatch.setattr(holds, "MOST", 1)
    assert few.tolist() == kept[holds.best_places(kept)].tolist()


def test_choices_of_a_model_do_not_grow_with_its_assignments():
    """Of thousands of choices, each with fewer words moved for more that are held, a part stays."""
    random, count = np.random.default_rng(0), 5000
    words = np.column_stack(
        (np.arange(count), np.arange(count)[::-1] + 100.0, random.integers(0, 99, (count, 20)))
    )
    chosen = holds.best_places(words)
    assert len(chosen) <= holds.MOST_LEAST + holds.PRICES < count
    assert {0, count - 1} <= {*chosen.tolist()}
