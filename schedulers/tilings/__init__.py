"""Tilings of loop nests and of DAGs of programs: loops that go on in chunks, and values that stay.

- `plan` counts by formulas the words of a tree of loops with holds, at any size; `legality` says
  which trees may be, `search`, `fusion` and `bands` look for them; `moves` lays them out.
- `skewed` counts tiles of loops over time that lean over, and looks for them.
- `points` orders the vertices of a DAG by tiles of its points; `trials` looks for tiles by playing.
- `scheduler` plays a DAG by the best of both, and `words` tells them.
"""
