"""Least words that a window of a play must load, wherever in the DAG it may be.

A *placement* says of each vertex whether it is computed for the first time before a window, in it,
or after it. `Placements` follows what some decisions imply, and bounds what the window loads in
all placements that agree with them (`network` has the argument); `least_cost` goes through a tree
of decisions.
"""

from proofs.certificates.windows.placements.relaxation import (
    LIMIT,
    MOST_VERTICES,
    SCALE,
    Case,
    Multipliers,
    Placements,
    Relaxed,
    Window,
)
from proofs.certificates.windows.placements.tree import Node, least_cost

__all__ = [
    "LIMIT",
    "MOST_VERTICES",
    "SCALE",
    "Case",
    "Multipliers",
    "Node",
    "Placements",
    "Relaxed",
    "Window",
    "least_cost",
]
