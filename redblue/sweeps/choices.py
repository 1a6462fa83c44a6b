"""Cells that are chosen one by one, as workers get free, by what is known by then."""

from collections.abc import Callable, Mapping
from itertools import count

from dags import CDAG
from redblue.deadline import Deadline
from redblue.store.cells import Cell, Outcome
from redblue.store.keys import identity
from redblue.sweeps.pool import Pool
from redblue.sweeps.task import Task


def in_turns(
    choose: Callable[[], Cell | None],
    take: Callable[[Cell, Outcome], bool],
    *,
    dags: Mapping[str, CDAG],
    jobs: int,
    deadline: Deadline,
) -> None:
    """Compute cells in worker processes until there are none, or `take` has enough.

    Unlike a sweep's, a cell is chosen only when a worker is free for it. At the end, and at Ctrl-C,
    workers are ended at once, whatever they are at.

    Parameters
    ----------
    choose
        Returns the next cell; None for none until another one is done.
    take
        Takes a cell and its outcome, with the schedule or certificate; returns whether to end.
    dags
        The DAGs by the names that cells call them.
    jobs
        Number of processes.
    deadline
        Ends all of it.
    """
    known = {name: identity(dag) for name, dag in dags.items()}
    numbers = count()
    engine = Pool(jobs, dags)
    try:
        while True:
            while (slot := engine.slot()) is not None and (cell := choose()) is not None:
                key = str(next(numbers))
                slot.start(Task(cell, known[cell.dag], key, keep=True))
            if not engine.busy or deadline.over(answered=True):
                return
            enough = False
            for task, outcome in engine.collect():
                enough |= take(task.cell, outcome)
            if enough:
                return
    finally:
        engine.close(now=True)
