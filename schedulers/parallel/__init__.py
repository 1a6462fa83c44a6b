"""Plays by several processors.

- `exact_parallel` finds the cheapest play of a tiny game.
"""

from schedulers.parallel.exact import ParallelSearchResult, exact_parallel

__all__ = ["ParallelSearchResult", "exact_parallel"]
