"""Exact search where values may be computed again (Hong and Kung's game).

- `best_first` is the search, `witness` the way back from its states to moves.
"""

from schedulers.exact.recompute.search import best_first
from schedulers.exact.recompute.witness import witness

__all__ = ["best_first", "witness"]
