"""The kind of cells that are whole solutions."""

from dags import Computation
from redblue.racing.solving import solve as find
from redblue.sweeps.kinds import schedule_file
from redblue.sweeps.store.cells import Outcome
from redblue.sweeps.task import Task


def solve(computation: Computation, task: Task) -> Outcome:
    """Return the solution of `redblue.racing.solving.solve`; its arguments are the parameters."""
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
