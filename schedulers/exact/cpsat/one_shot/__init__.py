"""CP-SAT for games in which values are computed once: retention intervals, a cumulative memory.

- `least_play` plays a whole game, `better_window` a window of a play.
- `windows` is what is to be decided of a play (`schedulers.exact.one_shot_plays`), `model` the
  CP-SAT model of it.
"""

from schedulers.exact.cpsat.one_shot.entry import better_window, least_play

__all__ = ["better_window", "least_play"]
