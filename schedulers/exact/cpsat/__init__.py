"""Order and evictions together, by CP-SAT.

- `cp_sat` plays a whole DAG, and proves what it can; `improve_window` plays a window of a schedule
  better and leaves the rest of it as it is.
- `one_shot` is the model where values are computed once, `recompute` the one where they may be
  computed again; each has a `least_play` and a `better_window`. `solver` makes solvers that repeat.
"""

from schedulers.exact.cpsat.entry import cp_sat, improve_window

__all__ = ["cp_sat", "improve_window"]
