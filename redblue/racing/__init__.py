"""The race of schedules and bounds for one game: what gets how much time.

- `turns` chooses what a free worker does next: the side and the method that gain most a second.
- `cells` are the kinds of cells that workers compute: a search, a method of bounds, exact search.
- `processes` runs the race side by side on several processes: each turn begins with the best of
  both sides by then.
- `experience` has shares of time by what methods proved on DAGs of much the same shape;
  `exact_turns` gives exact search its time as long as it pays.

`redblue.racing.race` keeps what is known; `redblue.racing.solving` has the race on one process.
"""
