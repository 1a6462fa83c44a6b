"""Curves: what an order costs at every memory size, in one pass over its accesses."""

from schedulers.curves.belady import belady_curve, belady_loads
from schedulers.curves.lru import lru_curve
from schedulers.curves.memory_curve import MemoryCurve

__all__ = ["MemoryCurve", "belady_curve", "belady_loads", "lru_curve"]
