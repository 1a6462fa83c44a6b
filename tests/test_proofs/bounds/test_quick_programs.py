"""Linear programs by GLOP: the optima of HiGHS, and nothing where there is none."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from proofs.bounds import quick_programs
from proofs.bounds.quick_programs import solved_quickly


@pytest.mark.parametrize("seed", range(20))
def test_costs_and_prices_are_the_least(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 3, (7, 5)).astype(float)
    low = rng.integers(0, 9, 7) * (matrix.sum(axis=1) > 0).astype(float)
    costs = rng.integers(1, 9, 5).astype(float)
    solution = solved_quickly(costs, csr_matrix(matrix), low, np.full(7, np.inf))
    best = linprog(costs, A_ub=-matrix, b_ub=-low, method="highs")
    assert (solution.x > -1e-9).all()
    assert (matrix @ solution.x > low - 1e-9).all()
    assert costs @ solution.x == pytest.approx(best.fun)
    assert solution.prices @ low == pytest.approx(best.fun)
    assert (solution.prices @ matrix < costs + 1e-9).all()


def test_nothing_is_said_of_what_has_no_solution_or_too_many_entries(monkeypatch):
    first, two = np.array([1.0]), csr_matrix([[1.0], [1.0]])
    limit = np.full(2, np.inf)
    assert solved_quickly(first, two, np.array([2.0, 3.0]), limit).x.tolist() == [3.0]
    assert solved_quickly(first, two, np.array([2.0, 3.0]), np.array([2.0, 9.0])) is None
    assert solved_quickly(-first, two, np.array([2.0, 3.0]), limit) is None
    monkeypatch.setattr(quick_programs, "FEW", 1)
    assert solved_quickly(first, two, np.array([2.0, 3.0]), limit) is None
