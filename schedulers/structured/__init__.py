"""Structured schedules: for each family of DAGs the orders that attain its law.

`FAMILIES` lists them, one file a subject; `structured` is the scheduler.
"""

from schedulers.structured import matmul, stencils, transforms, trees
from schedulers.structured.scheduler import FamilyOrders, Structured

FAMILIES: dict[str, FamilyOrders] = {
    "chain": trees.orders,
    "fft": transforms.orders,
    "grid": stencils.grid_orders,
    "matmul": matmul.orders,
    "pyramid": stencils.pyramid_orders,
    "stencil": stencils.stencil_orders,
    "tree": trees.orders,
}
structured = Structured(FAMILIES)

__all__ = ["FAMILIES", "FamilyOrders", "Structured", "structured"]
