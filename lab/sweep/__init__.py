"""Sweeps: grids of independent cells, computed anywhere, kept, and gone on with.

- `sweep` computes `Cell`s in this process, in a pool of processes, or on a Dask cluster, and
  returns an `Outcome` for each.
- `KINDS` lists what a cell can be: a schedule ("upper"), a bound ("lower"), a "solve", or a
  function of one's own. A kind is a function of the DAG and a `Task` that returns an `Answer`.
- `Place` makes a curve or a comparison a sweep: where its cells are computed and kept.
- `SweepError` stops a sweep, `SweepInterrupted` is Ctrl-C.
"""

from lab.cells import Artefact, Cell, Outcome
from lab.sweep.errors import SweepError, SweepInterrupted
from lab.sweep.kinds import KINDS
from lab.sweep.place import Place
from lab.sweep.sweep import sweep
from lab.sweep.task import Answer, Task

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
