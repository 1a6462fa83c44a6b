"""Structured schedules: for each family of DAGs the orders that attain its law.

`FAMILIES` lists them, one file a subject; `structured` is the scheduler.
"""

from schedulers.structured import factorizations, matmul, solves, stencils, transforms, trees
from schedulers.structured.scheduler import FamilyOrders, Structured

FAMILIES: dict[str, FamilyOrders] = {
    "chain": trees.orders,
    "cholesky": factorizations.cholesky_orders,
    "fft": transforms.orders,
    "grid": stencils.grid_orders,
    "lu": factorizations.lu_orders,
    "matmul": matmul.orders,
    "matvec": solves.matvec_orders,
    "pyramid": stencils.pyramid_orders,
    "stencil": stencils.stencil_orders,
    "syrk": factorizations.syrk_orders,
    "tree": trees.orders,
    "triangular_solve": solves.triangular_solve_orders,
}
structured = Structured(FAMILIES)

__all__ = ["FAMILIES", "FamilyOrders", "Structured", "structured"]
