"""Orders: in which order to compute the vertices. `ORDERS` lists them.

An order is a function from a DAG to the (N,) int32 array of its computed vertices, operands
before results. Inputs are no part of it: they are loaded when they are needed.
"""

from schedulers.orders.traversals import breadth_first, depth_first, least_live, natural

ORDERS = {
    "natural": natural,
    "depth-first": depth_first,
    "breadth-first": breadth_first,
    "least-live": least_live,
}

__all__ = ["ORDERS", "breadth_first", "depth_first", "least_live", "natural"]
