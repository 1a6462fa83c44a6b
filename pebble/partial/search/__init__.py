"""The least I/O of partial computation on small DAGs: at most 64 values and 64 edges.

- `states` has the search, with the proofs of what it leaves out; `_kernels` its compiled code.
- `plays` finds the way from a goal back to a play.
"""

from pebble.partial.search.plays import partial_play
from pebble.partial.search.states import PartialGame, partial_game, partial_search

__all__ = ["PartialGame", "partial_game", "partial_play", "partial_search"]
