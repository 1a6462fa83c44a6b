"""Exact search: the least I/O of a small game, with a play and the proof that none is better.

- `exact` returns both, or how far it came; `exact_bound` the bound alone.
- `problem` is the game on sets of bits, `symmetry` its twins and automorphisms, `names` what states
  that are kept up to symmetry say of real vertices; `driver` runs a search, `tables` is its room.
- `one_shot` and `recompute` are the two searches, each with the way back from states to moves.
- `optimal_eviction` finds the least I/O of a given order; `cp_sat` leaves the whole game to
  OR-Tools, and `improve_window` a few steps of a schedule.
"""

from schedulers.exact.cpsat import cp_sat, improve_window
from schedulers.exact.fixed_order import OrderResult, optimal_eviction
from schedulers.exact.problem import TooLargeError
from schedulers.exact.solve import exact, exact_bound

__all__ = [
    "OrderResult",
    "TooLargeError",
    "cp_sat",
    "exact",
    "exact_bound",
    "improve_window",
    "optimal_eviction",
]
