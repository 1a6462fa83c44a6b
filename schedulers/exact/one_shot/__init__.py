"""Exact search where each value is computed once.

- `best_first` is the search, `witness` the way back from its states to moves.
"""

from schedulers.exact.one_shot.search import best_first
from schedulers.exact.one_shot.witness import witness

__all__ = ["best_first", "witness"]
