"""Order and evictions together, by CP-SAT: retention intervals and a cumulative memory.

- `cp_sat` plays a whole DAG, and proves what it can; `improve_window` plays a window of a schedule
  better and leaves the rest of it as it is.
- `plays` takes a schedule apart into an order and loads, and puts it together again; `window` is
  what is to be decided, `model` how CP-SAT is told, `solve` what it answers.
"""

from schedulers.exact.cpsat.entry import cp_sat, improve_window

__all__ = ["cp_sat", "improve_window"]
