"""Hierarchies of memories: the words across each boundary, played, and bounded from below.

- `crossing` counts plays at all boundaries at once and proves what each boundary needs,
  and makes levels of the memories of a machine; `results` has what comes of it.
- `keeping` writes schedules, certificates and figures.
"""
