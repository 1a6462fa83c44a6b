"""One worker of CP-SAT, so that it repeats, within a budget."""

from typing import Any

from dags.work import charge, seconds_of
from pebble import Budget
from pebble.budget import running_clock


def solved(
    model: Any, between: tuple[int, int], budget: Budget, *, linearization: int = 1
) -> tuple[Any, int]:
    """The solver with its best solution, None without one; and the least that is proved.

    Parameters
    ----------
    model
        What is to be solved.
    between
        The least that it can cost, and the most that is of interest.
    budget
        Of the search.
    linearization
        How much of the model goes into its linear program, as OR-Tools counts that.
    """
    from ortools.sat.python import cp_model

    low, high = between
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = budget.seed
    solver.parameters.linearization_level = linearization
    solver.parameters.max_deterministic_time = budget.left / seconds_of("model")
    if (clock := running_clock()) is not None:
        solver.parameters.max_time_in_seconds = clock.left
    status = solver.solve(model)
    charge("model", solver.response_proto.deterministic_time)
    if status == cp_model.INFEASIBLE:
        return None, high + 1
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, low
    return solver, max(low, round(solver.best_objective_bound))
