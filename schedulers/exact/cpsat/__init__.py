"""Order and evictions together, by CP-SAT.

- `cp_sat` plays a whole DAG, and proves what it can; `improve_window` plays a window of a schedule
  better and leaves the rest of it as it is.
- `one_shot` does so where values are computed once, by retention intervals and a cumulative memory:
  `plays` takes a schedule apart into an order and loads, and puts it together again; `window` is
  what is to be decided, `model` how CP-SAT is told.
- `recompute` does so where they may be computed again.
"""

from schedulers.exact.cpsat.entry import cp_sat, improve_window

__all__ = ["cp_sat", "improve_window"]
