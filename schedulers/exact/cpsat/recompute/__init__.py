"""CP-SAT for games in which values may be computed again: time is counted in loads.

- `least_play` asks for plays level by level, `better_window` for a better window of a play, and
  `swept` for one window after another; `search` asks one level, again and again with what was
  found impossible.
- `part` is what is to be played, the whole game or, in `windows`, some of a play; `model` how
  CP-SAT is told, and `normal_form` which plays need not be looked at, with the proof; `solution` is
  the way back from its answer to moves.
- `free` decides whether there is a way without I/O, and `clauses` says in general terms why not.
"""

from schedulers.exact.cpsat.recompute.entry import better_window, least_play
from schedulers.exact.cpsat.recompute.sweeps import swept

__all__ = ["better_window", "least_play", "swept"]
