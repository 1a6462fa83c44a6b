"""Several processors, as the commands show them.

- `solve_parallel` finds the cheapest play that it can and a bound on every play: a
  `ParallelSolution`.
- `speedups` does so for several numbers of processors and memory sizes: `Speedups`, which
  `speedup_figure` draws.
"""

from redblue.answers.parallel.comparing import Speedups, speedups
from redblue.answers.parallel.solving import ParallelSolution, solve_parallel

__all__ = ["ParallelSolution", "Speedups", "solve_parallel", "speedups"]
