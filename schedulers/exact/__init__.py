"""Exact search: the least I/O of a small game, with a play and the proof that none is better.

- `exact` returns both, or how far it came: `pebble.small` has the search, `first_play` a play to
  begin with.
- `optimal_eviction` finds the least I/O of a given order; `cp_sat` leaves the whole game to
  OR-Tools, and `improve_window` a few steps of a schedule.
"""

from pebble.small import TooLargeError
from schedulers.exact.cpsat import cp_sat, improve_window
from schedulers.exact.fixed_order import OrderResult, optimal_eviction
from schedulers.exact.solve import exact

__all__ = [
    "OrderResult",
    "TooLargeError",
    "cp_sat",
    "exact",
    "improve_window",
    "optimal_eviction",
]
