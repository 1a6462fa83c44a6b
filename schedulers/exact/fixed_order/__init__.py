"""Fixed order: the least I/O of computing in a given order, with the evictions that reach it.

- `optimal_eviction` is the entry; `OrderResult` its result, `Prices` the proof.
- `use_gaps` has the decisions: which gaps between uses a value spends in slow memory.
- `linear_program` is the relaxation, and its bound; `search` decides the rest, `moves` makes the
  schedule.
"""

from schedulers.exact.fixed_order.linear_program import Prices
from schedulers.exact.fixed_order.search import OrderResult, optimal_eviction
from schedulers.exact.fixed_order.use_gaps import gaps

__all__ = ["OrderResult", "Prices", "gaps", "optimal_eviction"]
