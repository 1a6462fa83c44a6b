"""Exact search: the least I/O of a small game, with a play and the proof that none is better.

- `exact` returns both, or how far it came: `pebble.small` has the search, `first_play` a play to
  begin with.
- `optimal_eviction` finds the least I/O of a given order; `cp_sat` leaves the whole game to
  OR-Tools.
"""

from pebble.small import TooLargeError
from schedulers.exact.cpsat import cp_sat
from schedulers.exact.fixed_order import OrderResult, optimal_eviction
from schedulers.exact.solve import exact

__all__ = [
    "OrderResult",
    "TooLargeError",
    "cp_sat",
    "exact",
    "optimal_eviction",
]
