"""CP-SAT for games in which values may be computed again: time is counted in loads.

- `least_play` asks for plays level by level, in `levels`, and then makes one window after another
  better, in `sweeps`; `better_window` is one window of a play. `search` asks one level, again and
  again with what was found impossible.
- `part` is what is to be played, the whole game or, in `windows`, some of a play; `segments` are
  the variables, `model` the constraints, `normal_form` those that exclude dominated schedules, with
  the proof; `solution` is the way back from an answer to moves.
- `free` decides whether there is a way without I/O, and `clauses` says in general terms why not.
"""

from schedulers.exact.cpsat.recompute.levels import better_window
from schedulers.exact.cpsat.recompute.sweeps import least_play, swept

__all__ = ["better_window", "least_play", "swept"]
