"""The kind of cells that are whole solutions."""

from dags import Computation
from redblue.racing.solving import solve as find
from redblue.sweeps.kinds import certificate_file, schedule_file
from redblue.sweeps.store.cells import Outcome
from redblue.sweeps.task import Task


def solve(computation: Computation, task: Task) -> Outcome:
    """The solution of `redblue.racing.solving.solve`; its arguments are the parameters."""
    cell = task.cell
    solution = find(
        computation.dag,
        cell.memory,
        rules=cell.rules,
        seed=cell.seed,
        time_limit=cell.time_limit,
        spec=cell.dag,
        **cell.parameters,
    )
    record = solution.to_dict()
    rows = [{name: row[name] for name in row if name != "seconds"} for row in record["rows"]]
    artefact = schedule_file(solution.schedule) if task.keep else None
    result = {**record, "rows": rows}
    return Outcome("done", result, seconds=solution.seconds, artefact=artefact)


def solve_alone(computation: Computation, task: Task) -> Outcome:
    """The solution of a game by one process, with its certificate."""
    dag, cell, parameters = computation.dag, task.cell, task.cell.parameters
    solution = find(
        dag,
        cell.memory,
        rules=cell.rules,
        seed=cell.seed,
        effort=parameters["seconds"],
        time_limit=parameters["limit"],
        max_memory=parameters["max_memory"],
        price_of_work=parameters["price_of_work"],
    )
    result = {
        "io": solution.count.io,
        "method": solution.method,
        "lower_bound": solution.lower_bound,
        "proved_by": solution.proved_by,
        "status": solution.status,
        "states": solution.states,
        "certificate": certificate_file(solution.bound, dag).data.decode(),
    }
    return Outcome("done", result, artefact=schedule_file(solution.schedule))
