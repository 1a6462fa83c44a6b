"""Approximate shares of inequalities by a first-order method, which begins where it ended last.

Between two turns of column generation the program changes little, so a method that starts from the
last solution needs few steps, and it prices values somewhere between the many prices that are
about as good, where a simplex method ends in a corner.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.work import charge

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Steps that a solution may take.
STEPS = 2000

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Point:
    """A nearly best solution of the program and of its dual.

    Parameters
    ----------
    shares
        (inequalities,) how much is taken of each; rows may be used slightly too much.
    bought
        (rows,) how much is bought of each.
    worth
        (rows,) prices of the rows.
    """

    shares: FloatArray
    bought: FloatArray
    worth: FloatArray


def nearly_best(
    uses: "csr_matrix",
    minima: FloatArray,
    budget: Int64Array,
    dearest: float,
    start: Point,
    gap: float,
) -> Point | None:
    """Shares that prove nearly the most, with prices; None if they are not found.

    Parameters
    ----------
    uses
        (rows, inequalities) the use of each row by each inequality.
    minima
        (inequalities,) the bound of each.
    budget
        (rows,) their joint limit.
    dearest
        The price at which more of a row can be bought.
    start
        Where to begin.
    gap
        How close the primal and the dual come, relatively.
    """
    from ortools.pdlp import solve_log_pb2, solvers_pb2  # not before it is needed: it takes long
    from ortools.pdlp.python import pdlp

    count = minima.size
    options = solvers_pb2.PrimalDualHybridGradientParams()
    options.termination_criteria.iteration_limit = STEPS
    options.termination_criteria.simple_optimality_criteria.eps_optimal_relative = gap
    begin = pdlp.PrimalAndDualSolution()
    begin.primal_solution = np.concatenate((start.shares, start.bought))
    begin.dual_solution = -start.worth
    program = _built(uses, minima, budget, dearest)
    result = pdlp.primal_dual_hybrid_gradient(program, options, begin)
    charge("program")
    charge("entry", result.solve_log.iteration_count * (uses.nnz + 2 * sum(uses.shape)))
    if result.solve_log.termination_reason != solve_log_pb2.TERMINATION_REASON_OPTIMAL:
        return None
    shares = np.maximum(result.primal_solution, 0.0)
    worth = np.maximum(-result.dual_solution, 0.0)
    return Point(shares[:count], shares[count:], worth)


def _built(uses: "csr_matrix", minima: FloatArray, budget: Int64Array, dearest: float) -> Any:
    """The program as the solver wants it."""
    from ortools.pdlp.python import pdlp
    from scipy.sparse import hstack, identity

    rows, count = uses.shape
    program = pdlp.QuadraticProgram()
    program.resize_and_initialize(count + rows, rows)
    program.objective_vector = np.concatenate((-minima, np.full(rows, dearest)))
    program.constraint_matrix = hstack((uses, -identity(rows)), format="csc")
    program.constraint_lower_bounds = np.full(rows, -np.inf)
    program.constraint_upper_bounds = budget.astype(np.float64)
    program.variable_lower_bounds = np.zeros(count + rows)
    program.variable_upper_bounds = np.full(count + rows, np.inf)
    return program


def within_budget(uses: "csr_matrix", shares: FloatArray, budget: Int64Array) -> FloatArray:
    """Shares lowered so that no row is used more than all of it.

    Parameters
    ----------
    uses
        (rows, inequalities) the use of each row by each inequality.
    shares
        (inequalities,) how much is taken of each.
    budget
        (rows,) their joint limit.
    """
    used = uses @ shares
    over = np.maximum(used / np.maximum(budget, 1e-12), 1.0)
    worst = np.ones(shares.size)
    entries = uses.tocoo()
    np.maximum.at(worst, entries.col, over[entries.row])
    return shares / worst
