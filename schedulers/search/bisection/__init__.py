"""Orders by recursive acyclic bisection."""

from schedulers.search.bisection.bisection import bisection_order

__all__ = ["bisection_order"]
