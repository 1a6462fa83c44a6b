"""Hierarchies of memories: the words across each boundary, played, and bounded from below.

- `crossing` counts plays at all boundaries at once and proves what each boundary needs;
  `results` has what comes of it, `figures` draws it.
- `machines` makes levels of the memories of a machine in the catalogue.
- `keeping` writes schedules, certificates and figures.
"""
