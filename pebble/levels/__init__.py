"""The game on a hierarchy of memories: levels 1 to L, of which the last has room for everything.

- `LevelSchedule` is a list of moves, each at a level; `LevelCount` what they cost at each boundary.
- `judge_levels` is the definition, in plain Python; `play_levels` replays fast and agrees with it.
- `least_cost` searches small DAGs for the cheapest play. `nested` makes a play of the hierarchy of
  two-level plays, one for each boundary, whose memories hold what smaller ones do.
"""

from pebble.levels.count import LevelCount
from pebble.levels.engine import play_levels
from pebble.levels.nesting import nested
from pebble.levels.referee import judge_levels
from pebble.levels.schedule import LevelSchedule
from pebble.levels.search import LevelOptimum, least_cost, require_levels

__all__ = [
    "LevelCount",
    "LevelOptimum",
    "LevelSchedule",
    "judge_levels",
    "least_cost",
    "nested",
    "play_levels",
    "require_levels",
]
