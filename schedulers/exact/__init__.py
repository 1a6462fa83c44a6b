"""Exact search: the least I/O of a small game, with a play and the proof that none is better.

- `exact` returns both, or how far it came; `exact_bound` the bound alone.
- `problem` is the game on sets of bits, `symmetry` its twins and automorphisms, `names` what states
  that are kept up to symmetry say of real vertices; `driver` runs a search, `tables` is its room.
- `one_shot` and `recompute` are the two searches, each with the way back from states to moves.
"""

from schedulers.exact.problem import TooLargeError
from schedulers.exact.solve import exact, exact_bound

__all__ = ["TooLargeError", "exact", "exact_bound"]
