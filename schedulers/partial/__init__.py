"""Plays of partial computation: operands are aggregated one by one, in an order of the edges.

- `edge_plays` makes orders of edges from one of vertices, and plays them with an eviction policy;
  `schedules` takes the best of them, and lets
  every scheduler of the placed game play this one too (`aggregating`).
"""

from schedulers.partial.edge_plays import EDGE_ORDERS, edge_play
from schedulers.partial.schedules import aggregating, partial_schedule

__all__ = [
    "EDGE_ORDERS",
    "aggregating",
    "edge_play",
    "partial_schedule",
]
