"""Structured schedules: for each family of DAGs the orders that attain its law.

`FAMILIES` lists them, one file a subject; `PLAYS` lists plays that are more than an order, or
legal only under some rules; `structured` is the scheduler.
"""

from schedulers.families import (
    adjoint,
    attention,
    convolutions,
    dirac,
    factorizations,
    lattices,
    matmul,
    scans,
    sorting,
    stencils,
    strassen,
    sweeps,
    transforms,
    trapezoids,
)
from schedulers.families.matmul import recursive_order
from schedulers.families.plays import FamilyPlays
from schedulers.families.scheduler import FamilyOrders, Structured

FAMILIES: dict[str, FamilyOrders] = {
    "attention": attention.orders,
    "binomial": lattices.binomial_orders,
    "bitonic_sort": sorting.bitonic_orders,
    "chain": scans.walk_orders,
    "cholesky": factorizations.cholesky_orders,
    "conjugate_gradient": sweeps.conjugate_gradient_orders,
    "convolution": convolutions.orders,
    "dirac": dirac.orders,
    "dirac_steps": stencils.dirac_steps_orders,
    "fft": transforms.orders,
    "grid": stencils.grid_orders,
    "hypercube": lattices.hypercube_orders,
    "lu": factorizations.lu_orders,
    "matmul": matmul.orders,
    "matvec": factorizations.matvec_orders,
    "merge_sort": sorting.merge_orders,
    "odd_even_merge_sort": sorting.odd_even_merge_orders,
    "odd_even_transposition_sort": sorting.transposition_orders,
    "prefix_scan": scans.orders,
    "pyramid": stencils.pyramid_orders,
    "qr_givens": factorizations.qr_givens_orders,
    "spmv": sweeps.spmv_orders,
    "stencil": stencils.stencil_orders,
    "strassen": strassen.orders,
    "sweep": sweeps.orders,
    "syrk": factorizations.syrk_orders,
    "tree": scans.walk_orders,
    "triangular_solve": factorizations.triangular_solve_orders,
}
PLAYS: dict[str, FamilyPlays] = {
    "adjoint": adjoint.plays,
    "dirac": dirac.plays,
    "stencil": trapezoids.plays,
}
structured = Structured(FAMILIES, PLAYS)

__all__ = [
    "FAMILIES",
    "PLAYS",
    "FamilyOrders",
    "FamilyPlays",
    "Structured",
    "recursive_order",
    "structured",
]
