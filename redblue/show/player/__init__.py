"""A page on which a play of a small DAG can be followed move by move.

- `player_page` makes a whole page, and `save_player` its file; `player_fragment` makes a part of a
  page, which needs `player_style` and `player_script` once.
- `exercises_page` makes a page of small DAGs that a reader pebbles by hand.
- `steps` replays the schedule, `layout` draws the DAG in layers, `charts` the course over time;
  `templates` has the page, its style and its script.
"""

from redblue.show.player.exercises import exercises_page
from redblue.show.player.page import (
    player_fragment,
    player_page,
    player_script,
    player_style,
    save_player,
)
from redblue.show.player.steps import (
    MOST_EDGES,
    MOST_MOVES,
    MOST_VERTICES,
    TooLargeToShowError,
    require_small,
)

__all__ = [
    "MOST_EDGES",
    "MOST_MOVES",
    "MOST_VERTICES",
    "TooLargeToShowError",
    "exercises_page",
    "player_fragment",
    "player_page",
    "player_script",
    "player_style",
    "require_small",
    "save_player",
]
