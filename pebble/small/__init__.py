"""The game on at most 64 steps and 64 values: the least I/O by search of its states.

- `small_game` is the game on sets of bits, of a whole DAG or of a part of one (`game`).
- `search_of` returns its best-first search, `play_of` the way from a goal to a play (`engine`).
- `one_shot`, `recompute`, `partial` and `levels`, a hierarchy of memories, are the games: each with
  its steps in plain Python, for the way back to a play (`plays`); docs/theory/search.md proves
  that the plays which its search leaves out are not needed.
- `search` runs a search and gives it room; `symmetry` has the symmetries of a game, `fronts`
  the words paid before some steps. `_kernels` are the compiled
  code: one driver and store of `states`, a board a game.
"""

from pebble.small.engine import play_of, search_of
from pebble.small.game import BITS, SmallGame, TooLargeError, small_game, whole_dag
from pebble.small.search import MOST_LEVELS, MOST_STATES, Search

__all__ = [
    "BITS",
    "MOST_LEVELS",
    "MOST_STATES",
    "Search",
    "SmallGame",
    "TooLargeError",
    "play_of",
    "search_of",
    "small_game",
    "whole_dag",
]
