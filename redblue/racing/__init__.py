"""The race of schedules and bounds for one game, side by side on several processes.

- `turns` chooses what a free worker does next: the side and the method that gain most a second.
- `cells` are the kinds of cells that workers compute: a search, a method of bounds, exact search.
- `processes` runs the race: each turn begins with the best of both sides by then.

`redblue.race` keeps what is known; `redblue.solving` has the race on one process.
"""
