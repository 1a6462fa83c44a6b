"""Order and evictions together, by CP-SAT, where each value is computed once.

- `cp_sat` plays a whole DAG, and proves what it can; `improve_window` plays a window of a schedule
  better and leaves the rest of it as it is.
- `windows` is what is to be decided of a play (`schedulers.exact.cpsat.windows`), `model` the
  CP-SAT model of it, retention intervals and a cumulative memory; `plays` asks the solver.
"""

from schedulers.exact.cpsat.entry import cp_sat
from schedulers.exact.cpsat.plays import improve_window

__all__ = ["cp_sat", "improve_window"]
