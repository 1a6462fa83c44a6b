"""Search for schedules of DAGs of any shape.

- `best` is the entry: the `portfolio` of all orders and evictions, then `beam_rounds`, then
  `local_search`, then, where the rules allow it, `rematerialize`.
- `bisection` cuts a DAG in halves again and again; `dask_order` asks Dask.
- `beam` plays several states side by side, `annealing` changes orders at random.
- `replay` keeps the play of an order up to date while the order changes.
"""

from schedulers.search.beam import beam_order, beam_rounds
from schedulers.search.best import best
from schedulers.search.bisection import bisection_order
from schedulers.search.local_search import Found, local_search
from schedulers.search.portfolio import Candidate, portfolio
from schedulers.search.rematerialize import rematerialize

__all__ = [
    "Candidate",
    "Found",
    "beam_order",
    "beam_rounds",
    "best",
    "bisection_order",
    "local_search",
    "portfolio",
    "rematerialize",
]
