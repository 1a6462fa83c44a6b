"""Upper bounds: ways to play a DAG with little I/O.

- `orders` says in which order to compute, `eviction` who leaves fast memory; together they are a
  scheduler, "depth-first+belady". `structured` knows orders for families of DAGs.
- `search` looks for schedules of DAGs of any shape; `exact` finds the best one of small DAGs.
- `tilings` tiles the loops of a program, and counts such plays without a DAG.
- `SCHEDULERS` lists all pairs, "structured", "search" and "tiled"; `PATIENT` those that leave
  choices to OR-Tools and take seconds: "cp-sat", and "ORDER+optimal-eviction".
  `scheduler_named` knows both, and takes an eviction alone, for the natural order.
- `accesses` are the touches of an order; a policy counts on it without making moves.
- `dirac_schedule` plays the Dirac operator with sliding, as a `DiracPlan` says; `dirac_plan` and
  `best_dirac_plan` choose one. `dirac_pull_schedule` pulls, as a `PullPlan` says.
- `curves` counts for every memory size in one pass.
"""

from dags import UnknownNameError
from dags.spec import offered, plugged
from schedulers.access_order import Accesses, accesses, in_order_of_play
from schedulers.base import Order, OrderAndEviction, PluggedScheduler, Scheduler, SearchResult
from schedulers.counted import COUNTED_PLAYS
from schedulers.curves import MemoryCurve, belady_curve, belady_loads, lru_curve
from schedulers.eviction import EVICTIONS, Policy, Traffic, blocks, schedule
from schedulers.families import FAMILIES, Structured, structured
from schedulers.families.dirac import dirac_schedule
from schedulers.families.dirac_plans import DiracPlan, best_dirac_plan, dirac_plan
from schedulers.families.dirac_pull import PullPlan, dirac_pull_schedule
from schedulers.orders import ORDERS
from schedulers.patient import PATIENT
from schedulers.portfolio import search_schedule
from schedulers.tilings.scheduler import tiled_schedule

SCHEDULERS: dict[str, Scheduler] = {
    **{
        f"{order_name}+{policy_name}": OrderAndEviction(order, policy)
        for order_name, order in ORDERS.items()
        for policy_name, policy in EVICTIONS.items()
    },
    "structured": structured,
    "search": search_schedule,
    "tiled": tiled_schedule,
}

GONE = {"lns": "search, in the time that windows of CP-SAT took,"}  # names of earlier releases


def full_name(name: str) -> str:
    """Return the name in `SCHEDULERS` or `PATIENT` of `name`: "lru" is "natural+lru".

    A name of a plug-in (`dags.spec`) stays as it is.

    Raises
    ------
    UnknownNameError
        If it has none.
    """
    alone = (*EVICTIONS, "optimal-eviction")
    known = f"natural+{name}" if name in alone else name
    if known not in {**SCHEDULERS, **PATIENT} and plugged("scheduler", name) is None:
        pairs = (f"{order}+EVICTION" for order in ORDERS)
        own = (*offered("scheduler"), "MODULE:FUNCTION")
        choices = ["structured", "search", "tiled", *alone, "cp-sat", *pairs, *own]
        raise UnknownNameError("scheduler", name, choices, gone=GONE.get(name))
    return known


def scheduler_named(name: str) -> Scheduler:
    """Return the scheduler called `name`; raises as `full_name`."""
    known = full_name(name)
    ours = {**SCHEDULERS, **PATIENT}
    function = None if known in ours else plugged("scheduler", known)
    return ours[known] if function is None else PluggedScheduler(known, function)


__all__ = [
    "COUNTED_PLAYS",
    "EVICTIONS",
    "FAMILIES",
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
    "belady_curve",
    "belady_loads",
    "best_dirac_plan",
    "blocks",
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
