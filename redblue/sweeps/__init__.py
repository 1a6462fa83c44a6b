"""Sweeps: grids of independent cells, computed anywhere, kept, and resumed.

- `sweep` computes `Cell`s in this process, on its threads, in worker processes, or on a Dask
  cluster, and returns an `Outcome` for each.
- `KINDS` lists the kinds of cells: a schedule ("upper"), a bound ("lower"), a "solve", or a
  function of one's own. A kind is a function of the DAG and a `Task`. It returns JSON values,
  or an `Outcome` with them.
- `SweepOptions` say where the cells of a curve or a comparison are computed and kept.
- `SweepError` stops a sweep, `SweepInterrupted` is Ctrl-C.
"""

from redblue.sweeps.kinds import KINDS
from redblue.sweeps.options import SweepError, SweepInterrupted, SweepOptions
from redblue.sweeps.runner import sweep
from redblue.sweeps.store.cells import Artefact, Cell, Outcome
from redblue.sweeps.task import Task

__all__ = [
    "KINDS",
    "Artefact",
    "Cell",
    "Outcome",
    "SweepError",
    "SweepInterrupted",
    "SweepOptions",
    "Task",
    "sweep",
]
