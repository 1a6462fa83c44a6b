"""Periodic schedules of lattices: the order within a tile is searched for, and repeated.

`patterns` defines a lattice and its tiles, reads of a tile, and which tiles and orders move least
in the long run.
"""

from schedulers.families.lattice_patterns.patterns import (
    Frame,
    Lattice,
    System,
    best_patterns,
    pattern_order,
    pattern_orders,
)

__all__ = [
    "Frame",
    "Lattice",
    "System",
    "best_patterns",
    "pattern_order",
    "pattern_orders",
]
