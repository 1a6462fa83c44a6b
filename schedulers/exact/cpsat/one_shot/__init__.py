"""CP-SAT for games in which values are computed once: retention intervals, a cumulative memory.

- `least_play` plays a whole game, `better_window` a window of a play.
- `plays` takes a schedule apart into an order and loads, and puts it together again; `windows` is
  what is to be decided, `model` the CP-SAT model of it.
"""

from schedulers.exact.cpsat.one_shot.entry import better_window, least_play

__all__ = ["better_window", "least_play"]
