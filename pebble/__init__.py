"""The game: rules, moves, schedules, the referee that defines it and the engine that plays fast.

- `Game` is a DAG that is played on a machine under some `Rules`; `RULES` lists these by name, and
  `min_memory` is the least that works. `Budget` has the limits of a search of it.
- `Schedule` is a list of moves, `Move` the kinds of them, `Action` one with all that is said of it.
- `play` replays a schedule and returns an `IOCount`; `judge` does the same, slowly, and is the
  definition; both raise `IllegalMoveError`. `trace` shows a play over time; `computed_again` is the
  work that it does more than once, and `rank_of` says which of two plays is better.
- `Machine` is a graph of memories: a hierarchy, or several processors, which `Links` may join.
  `play_on` and `judge_on` play on it and return a `MachineCount`, which has a cost for `Costs`.
  `nested` makes one on a hierarchy of those with one memory, `by_one_processor` one of a machine.
"""

from pebble.budget import UNLIMITED, Budget
from pebble.count import (
    UNIT_COSTS,
    Again,
    ChannelCount,
    Costs,
    IOCount,
    MachineCount,
    MemoryCount,
    computed_again,
    rank_of,
)
from pebble.engine import Trace, play, play_on, trace
from pebble.engine.nesting import nested
from pebble.errors import (
    IllegalMoveError,
    InvalidRulesError,
    InvalidScheduleError,
    MemoryTooSmallError,
    Violation,
)
from pebble.game import Game
from pebble.machine import Links, Machine, parse_links
from pebble.moves import Action, Move
from pebble.referee import judge, judge_on
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
from pebble.schedule import Schedule, by_one_processor, require_schedule_suffix

__all__ = [
    "MOST_WORDS",
    "ONE_SHOT",
    "PARTIAL",
    "RULES",
    "UNIT_COSTS",
    "UNLIMITED",
    "Action",
    "Again",
    "Budget",
    "ChannelCount",
    "Costs",
    "Game",
    "IOCount",
    "IllegalMoveError",
    "InvalidRulesError",
    "InvalidScheduleError",
    "Links",
    "Machine",
    "MachineCount",
    "MemoryCount",
    "MemoryTooSmallError",
    "Move",
    "Rules",
    "Schedule",
    "Trace",
    "Violation",
    "all_words",
    "by_one_processor",
    "compulsory_words",
    "computed_again",
    "judge",
    "judge_on",
    "memory_needs",
    "min_memory",
    "nested",
    "parse_links",
    "placing_memory",
    "play",
    "play_on",
    "rank_of",
    "require_memory",
    "require_schedule_suffix",
    "rules_named",
    "trace",
    "useful_memory",
]
