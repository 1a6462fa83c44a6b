"""A CP-SAT solver that repeats: one worker, a seed, and a limit."""

from typing import Any


def new_solver(seed: int, time_limit: float | None) -> Any:
    """Return a solver.

    Parameters
    ----------
    seed
        Seed of its one worker.
    time_limit
        Seconds; None for no limit.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    if time_limit is not None:
        solver.parameters.max_time_in_seconds = max(time_limit, 0.0)
    return solver
