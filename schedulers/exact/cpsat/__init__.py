"""Order and evictions together, by CP-SAT, where each value is computed once.

- `cp_sat` plays a DAG, and proves as much as it can.
- `model` has the decisions of a play, and the CP-SAT model of it, retention intervals and a
  cumulative memory; `plays` asks the solver.
"""

from schedulers.exact.cpsat.plays import cp_sat

__all__ = ["cp_sat"]
