"""The game: rules, moves, schedules, the referee that defines it and the engine that plays fast.

- `Rules` says which game; `RULES` lists the variants by name; `min_memory` the least that works.
- `Schedule` is a list of moves; `Move` the four of them; `partial` has partial computation.
- `play` replays a schedule and returns an `IOCount`; `judge` does the same, slowly, and is the
  definition; both raise `IllegalMoveError`. `trace` shows a play over time; `computed_again` is
  what it does more than once, and `rank_of` says which of two plays is better.
"""

from pebble.again import Again, computed_again, rank_of
from pebble.count import ChannelCount, IOCount
from pebble.engine import play
from pebble.errors import (
    IllegalMoveError,
    InvalidRulesError,
    InvalidScheduleError,
    MemoryTooSmallError,
    Violation,
)
from pebble.files import require_schedule_suffix
from pebble.referee import judge
from pebble.rules import (
    MOST_WORDS,
    ONE_SHOT,
    PARTIAL,
    RULES,
    Rules,
    all_words,
    compulsory_words,
    memory_needs,
    min_memory,
    placing_memory,
    require_memory,
    rules_named,
    useful_memory,
)
from pebble.schedule import Move, Schedule
from pebble.traces import Trace, trace

__all__ = [
    "MOST_WORDS",
    "ONE_SHOT",
    "PARTIAL",
    "RULES",
    "Again",
    "ChannelCount",
    "IOCount",
    "IllegalMoveError",
    "InvalidRulesError",
    "InvalidScheduleError",
    "MemoryTooSmallError",
    "Move",
    "Rules",
    "Schedule",
    "Trace",
    "Violation",
    "all_words",
    "compulsory_words",
    "computed_again",
    "judge",
    "memory_needs",
    "min_memory",
    "placing_memory",
    "play",
    "rank_of",
    "require_memory",
    "require_schedule_suffix",
    "rules_named",
    "trace",
    "useful_memory",
]
