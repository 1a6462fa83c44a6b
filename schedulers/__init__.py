"""Upper bounds: ways to play a DAG with little I/O.

- `orders` says in which order to compute, `eviction` who leaves fast memory; together they are a
  scheduler, "depth-first+belady". `structured` knows orders for families of DAGs.
- `search` looks for schedules of DAGs of any shape; `exact` finds the best one of small DAGs.
- `tilings` tiles the loops of a program, and counts such plays without a DAG.
- `METHODS` is the table of schedulers: `SCHEDULERS` are all pairs, "structured", "search" and
  "tiled"; `PATIENT` those that leave choices to OR-Tools and take seconds: "cp-sat", and
  "ORDER+optimal-eviction". `scheduler_named` knows both, and takes an eviction alone, for the
  natural order.
- `accesses` are the touches of an order; a policy counts on it without making moves.
- `dirac_schedule` plays the Dirac operator with sliding, as a `DiracPlan` says; `dirac_plan` and
  `best_dirac_plan` choose one. `dirac_pull_schedule` pulls, as a `PullPlan` says.
- `curves` counts for every memory size in one pass.
"""

from schedulers.base import Order, OrderAndEviction, Scheduler, SearchResult
from schedulers.counted import COUNTED_PLAYS
from schedulers.curves import MemoryCurve, belady_curve, belady_loads, lru_curve
from schedulers.eviction import EVICTIONS, Policy, Traffic, blocks, schedule
from schedulers.families import FAMILIES, Structured, structured
from schedulers.families.dirac import dirac_schedule
from schedulers.families.dirac_plans import DiracPlan, best_dirac_plan, dirac_plan
from schedulers.families.dirac_pull import PullPlan, dirac_pull_schedule
from schedulers.methods import (
    GENERIC_SCHEDULERS,
    METHODS,
    PATIENT,
    SCHEDULERS,
    as_scheduler,
    default_schedulers,
    full_name,
    scheduler_named,
)
from schedulers.orders import ORDERS
from schedulers.orders.access_order import Accesses, accesses, in_order_of_play

__all__ = [
    "COUNTED_PLAYS",
    "EVICTIONS",
    "FAMILIES",
    "GENERIC_SCHEDULERS",
    "METHODS",
    "ORDERS",
    "PATIENT",
    "SCHEDULERS",
    "Accesses",
    "DiracPlan",
    "MemoryCurve",
    "Order",
    "OrderAndEviction",
    "Policy",
    "PullPlan",
    "Scheduler",
    "SearchResult",
    "Structured",
    "Traffic",
    "accesses",
    "as_scheduler",
    "belady_curve",
    "belady_loads",
    "best_dirac_plan",
    "blocks",
    "default_schedulers",
    "dirac_plan",
    "dirac_pull_schedule",
    "dirac_schedule",
    "full_name",
    "in_order_of_play",
    "lru_curve",
    "schedule",
    "scheduler_named",
    "structured",
]
