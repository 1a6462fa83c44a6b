"""Nearly best shares of inequalities, against the simplex method."""

import numpy as np
import pytest

from proofs.bounds.pieces.packing import Inequality, ShareProgram, exact_shares
from proofs.bounds.pieces.packing import linear_program as program_module
from proofs.bounds.pieces.packing.first_order import Point, nearly_best, within_budget
from proofs.bounds.pieces.packing.linear_program import Lot, best_shares, usage

ROWS = 30


def drawn(seed, count):
    """Inequalities that use a few rows each, and what there is of each row."""
    rng = np.random.default_rng(seed)
    results = []
    for _ in range(count):
        rows = np.sort(rng.choice(ROWS, 4, replace=False))
        words = rng.integers(1, 4, 4)
        results.append(Inequality(rows, words, int(rng.integers(1, 9)), lambda: None))
    return results, rng.integers(1, 5, ROWS)


def test_a_lot_is_weighed_as_its_entries_one_by_one():
    result, _ = drawn(2, 50)
    worth = np.random.default_rng(3).uniform(0, 1.5, ROWS)
    gains = [entry.least - entry.words @ worth[entry.vertices] for entry in result]
    lot = Lot(result, ROWS)
    assert lot.gains(worth) == pytest.approx(gains)
    assert lot.worth_more(worth) == [
        entry for entry, gain in zip(result, gains, strict=True) if gain > 0
    ]
    assert not Lot([], ROWS).worth_more(worth)


@pytest.mark.parametrize("dearest", [2.1, 50.0])
@pytest.mark.parametrize("seed", range(3))
def test_nearly_the_best_is_nearly_as_good(seed, dearest):
    result, budget = drawn(seed, 60)
    uses, minimum = usage(result, ROWS), np.array([entry.least for entry in result], np.float64)
    proved, _, _ = best_shares(result, budget, dearest)
    nothing = Point(np.zeros(60), np.zeros(ROWS), np.zeros(ROWS))
    near = nearly_best(uses, minimum, budget, dearest, nothing, 1e-3)
    assert budget @ near.worth == pytest.approx(proved, rel=0.02)
    assert minimum @ near.shares - dearest * near.bought.sum() == pytest.approx(proved, rel=0.02)
    repeated = nearly_best(uses, minimum, budget, dearest, near, 1e-3)
    assert budget @ repeated.worth == pytest.approx(proved, rel=0.02)


def test_there_is_no_best_where_rows_are_too_cheap():
    result, budget = drawn(1, 60)
    minimum = np.array([entry.least for entry in result], np.float64)
    nothing = Point(np.zeros(60), np.zeros(ROWS), np.zeros(ROWS))
    assert nearly_best(usage(result, ROWS), minimum, budget, 0.1, nothing, 1e-3) is None


def test_shares_are_lowered_until_no_row_is_used_too_much():
    result, budget = drawn(7, 40)
    uses = usage(result, ROWS)
    lowered = within_budget(uses, np.full(40, 0.7), budget)
    assert (uses @ lowered <= budget * (1 + 1e-12)).all()
    assert (lowered <= 0.7).all()
    slight = np.full(40, 1e-3)
    assert within_budget(uses, slight, budget).tolist() == slight.tolist()


@pytest.mark.parametrize("seconds", [np.inf, 0.0])
def test_the_last_solution_counts(monkeypatch, seconds):
    """It is the best where there is time for it, and within the budget where there is none."""
    monkeypatch.setattr(program_module, "MANY", 10)
    monkeypatch.setattr(program_module, "LAST", 2)
    result, budget = drawn(9, 80)
    program = ShareProgram(budget)
    program.limit(50.0)
    assert not program.near
    program.add(result, len(result))
    program.limit(np.inf, seconds)
    assert program.near
    assert [program.sharpen(), program.sharpen()] == [True, False]
    program.limit(50.0)
    program.limit(np.inf, seconds)
    best, _, _ = best_shares(result, budget)
    assert 0.9 * best <= program.proved <= best * (1 + 1e-9)
    shares = exact_shares(program.packed, budget)
    assert shares.words / shares.denominator == pytest.approx(program.proved, rel=1e-3)
