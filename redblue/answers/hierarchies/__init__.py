"""Hierarchies of memories: the words across each boundary, played, and bounded from below.

- `crossing` counts plays at all boundaries at once and proves the words of each boundary, and makes
  levels of the memories of a machine; `results` has the results.
- `keeping` writes schedules, certificates and figures.
"""
