"""The game of several processors, each with a fast memory of its own.

- `Machine` says how many processors there are, with how many words each; `Links` joins neighbours
  on a line, a ring, a mesh or a torus, and `parse_links` reads "torus:2x2".
- `ParallelSchedule` is a list of moves in steps, each by one processor; `by_one_processor` makes
  one of a sequential schedule.
- `play_parallel` replays one and returns a `ParallelCount`, which has the words of each processor
  and link, and a cost for `Costs`; `judge_parallel` does the same, slowly, and is the definition.
"""

from pebble.parallel.count import UNIT_COSTS, Costs, ParallelCount, ProcessorCount, Steps
from pebble.parallel.engine import play_parallel
from pebble.parallel.errors import IllegalParallelMoveError, require_whole
from pebble.parallel.machine import Links, Machine, Slow, parse_links
from pebble.parallel.moves import (
    Made,
    ParallelMove,
    ParallelSchedule,
    by_one_processor,
    is_parallel,
)
from pebble.parallel.referee import judge_parallel

__all__ = [
    "UNIT_COSTS",
    "Costs",
    "IllegalParallelMoveError",
    "Links",
    "Machine",
    "Made",
    "ParallelCount",
    "ParallelMove",
    "ParallelSchedule",
    "ProcessorCount",
    "Slow",
    "Steps",
    "by_one_processor",
    "is_parallel",
    "judge_parallel",
    "parse_links",
    "play_parallel",
    "require_whole",
]
