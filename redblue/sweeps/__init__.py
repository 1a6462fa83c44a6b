"""Sweeps: grids of independent cells, computed anywhere, kept, and gone on with.

- `sweep` computes `Cell`s in this process, in a pool of processes, or on a Dask cluster, and
  returns an `Outcome` for each.
- `KINDS` lists what a cell can be: a schedule ("upper"), a bound ("lower"), a "solve", or a
  function of one's own. A kind is a function of the DAG and a `Task` that returns an `Answer`.
- `Place` makes a curve or a comparison a sweep: where its cells are computed and kept.
- `SweepError` stops a sweep, `SweepInterrupted` is Ctrl-C.
"""

from redblue.store.cells import Artefact, Cell, Outcome
from redblue.sweeps.errors import SweepError, SweepInterrupted
from redblue.sweeps.kinds import KINDS
from redblue.sweeps.options import Place
from redblue.sweeps.runner import sweep
from redblue.sweeps.task import Answer, Task

__all__ = [
    "KINDS",
    "Answer",
    "Artefact",
    "Cell",
    "Outcome",
    "Place",
    "SweepError",
    "SweepInterrupted",
    "Task",
    "sweep",
]
