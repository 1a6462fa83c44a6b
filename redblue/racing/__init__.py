"""The race of schedules and bounds for one game: which gets how much time.

- `processes` runs the race side by side on several processes: a turn begins with the best of both
  sides by then, and goes to the side and the method that gain most a second. Its kinds of cells
  are a search, a method of bounds, exact search.
- `proving` has shares of time by the words that methods proved on DAGs of much the same shape;
  `race` gives exact search its time as long as it pays.

`race` keeps the best of both sides, too; `solving` has the race on one process.
"""
