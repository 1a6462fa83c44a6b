"""Curves: costs of an order at every memory size, in one pass over its accesses."""

from schedulers.curves.memory_curve import MemoryCurve, belady_curve, belady_loads, lru_curve

__all__ = ["MemoryCurve", "belady_curve", "belady_loads", "lru_curve"]
