"""Nearly the best prices of the rows of a program, by a first-order method."""

from typing import Any

import numpy as np

from proofs.bounds.pieces.orders.relaxation import FloatArray, Program

# How near the primal and the dual have to come, relatively: rounding loses as much.
GAP = 3e-4
# How much a step of the primal counts beside one of the dual at first: costs are few.
WEIGHT = 0.5


def row_prices(program: Program, seconds: float) -> FloatArray:
    """Return (rows,) prices, nearly the best ones after enough time.

    Parameters
    ----------
    program
        The program.
    seconds
        When to stop, about.
    """
    from ortools.pdlp import solvers_pb2  # not before it is needed: it takes long to import
    from ortools.pdlp.python import pdlp

    rows, columns = program.matrix.shape
    model: Any = pdlp.QuadraticProgram()
    model.resize_and_initialize(columns, rows)
    model.objective_vector = program.costs
    model.constraint_matrix = program.matrix.tocsc()
    model.constraint_lower_bounds = program.least
    model.constraint_upper_bounds = program.most
    model.variable_lower_bounds = np.zeros(columns)
    model.variable_upper_bounds = program.limits
    options: Any = solvers_pb2.PrimalDualHybridGradientParams()
    options.termination_criteria.time_sec_limit = seconds
    nearly = options.termination_criteria.simple_optimality_criteria
    nearly.eps_optimal_relative = nearly.eps_optimal_absolute = GAP
    # Restarts by distance are cheaper to decide: about twice as many steps in the same time.
    options.restart_strategy = options.ADAPTIVE_DISTANCE_BASED
    options.initial_primal_weight = WEIGHT
    result = pdlp.primal_dual_hybrid_gradient(model, options)
    prices: FloatArray = np.asarray(result.dual_solution, np.float64)
    return prices
