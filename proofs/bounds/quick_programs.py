"""Linear programs by GLOP, which solves those of few entries while HiGHS gets ready."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags.work import charge

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FEW = 1000  # entries up to which it is the faster one by far
MOST_PIVOTS = 10_000  # many more than a program of so few entries needs
SMALLER = 1 / 4  # of the work of handing a program to HiGHS

FloatArray = npt.NDArray[np.float64]


class Solution(NamedTuple):
    """Solution of a linear program.

    Attributes
    ----------
    x
        (k,) the variables.
    prices
        (rows,) the growth of the least cost where a limit grows.
    """

    x: FloatArray
    prices: FloatArray


def solved_quickly(
    costs: FloatArray, matrix: "csr_matrix", low: FloatArray, high: FloatArray
) -> Solution | None:
    """The x >= 0 of least cost with low <= matrix x <= high; None if it takes too long.

    None too where the program has many entries, or no solution.

    Parameters
    ----------
    costs
        (k,) of the variables.
    matrix
        (rows, k) of the sums that are limited.
    low, high
        (rows,) limits, which may be infinite.
    """
    if matrix.nnz > FEW:
        return None
    # not before it is needed: it takes long to import
    from ortools.linear_solver.python import model_builder_helper as glop

    model: Any = glop.ModelBuilderHelper()  # its types are not those of NumPy
    solver = glop.ModelSolverHelper("glop")
    lower, upper = np.zeros(costs.size), np.full(costs.size, np.inf)
    model.fill_model_from_sparse_data(lower, upper, costs, low, high, matrix)
    solver.set_solver_specific_parameters(f"max_number_of_iterations: {MOST_PIVOTS}")
    charge("program", SMALLER)
    solver.solve(model)
    if not solver.has_solution() or solver.status() != glop.OPTIMAL:
        return None
    return Solution(np.array(solver.variable_values()), np.array(solver.dual_values()))
