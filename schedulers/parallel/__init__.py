"""Plays by several processors.

- `best_parallel` plays the assignments that are known for a DAG's family, and segments of orders
  for any other, and returns the cheapest as a `ParallelPlay`; `parallel_plays` yields them all.
- An `Assignment` says which processor computes each value, and in which order; `played` makes a
  schedule of it, in which each processor plays its own part. `ASSIGNMENTS` lists the families.
- `staged` plays a `Placement` on a lattice of processors, which pass values on to neighbours.
- `exact_parallel` finds the cheapest play of a tiny game.
"""

from schedulers.parallel.best import ASSIGNMENTS, ParallelPlay, best_parallel, parallel_plays
from schedulers.parallel.exact import exact_parallel
from schedulers.parallel.local_plays import Assignment, CircularWaitError, played
from schedulers.parallel.stages import Placement, staged

__all__ = [
    "ASSIGNMENTS",
    "Assignment",
    "CircularWaitError",
    "ParallelPlay",
    "Placement",
    "best_parallel",
    "exact_parallel",
    "parallel_plays",
    "played",
    "staged",
]
