"""I/O of an order: under a policy, replayed, and the least under any eviction."""

from typing import Any

from dags import CDAG, load
from dags.arrays import Int32Array
from pebble import play
from proofs import check_order, fixed_order
from schedulers import EVICTIONS, FAMILIES, ORDERS, accesses, blocks
from schedulers.exact import optimal_eviction
from schedulers.families import recursive_order

LITERATURE = "literature"
RECURSIVE = "recursive"
TIME_LIMIT = 20.0  # seconds for CP-SAT where linear programming leaves something open


def order_named(dag: CDAG, name: str, memory: int) -> Int32Array:
    """Return one of `ORDERS`, or the order that is played for the family.

    "literature" is that of the family's orders for `memory` words that costs least; "recursive"
    the cache-oblivious order of products, which knows no memory size.
    """
    if name == RECURSIVE:
        return recursive_order(dag)
    if name != LITERATURE:
        return ORDERS[name](dag)
    policy = EVICTIONS["belady-cost"]
    known = FAMILIES[dag.family or ""](dag, memory)
    return min(known, key=lambda order: policy(accesses(dag, order), memory).io)


def play_order(spec: str, order: str, tuned: int, policy: str, memory: int) -> dict[str, Any]:
    """Return the engine's count of `order`, made for `tuned` words, played with `memory` words."""
    dag = load(spec)
    layout = accesses(dag, order_named(dag, order, tuned))
    count = play(dag, blocks(layout, memory, EVICTIONS[policy]), memory)
    return {"loads": count.loads, "stores": count.stores, "io": count.io, "peak": count.peak}


def order_at_best(spec: str, order: str, memory: int) -> dict[str, Any]:
    """Return the least I/O of `order`, its checked lower bound, and its I/O under policies."""
    dag = load(spec)
    steps = order_named(dag, order, memory)
    best = optimal_eviction(dag, steps, memory, time_limit=TIME_LIMIT)
    assert best.schedule is not None  # the memory is enough
    bound = fixed_order(dag, steps, memory, prices=best.prices)
    check_order(dag, memory, bound)
    layout = accesses(dag, steps)
    plays = {
        name: play(dag, blocks(layout, memory, policy), memory)
        for name, policy in EVICTIONS.items()
    }
    return {
        "spec": spec,
        "order": order,
        "memory": memory,
        "least": play(dag, best.schedule, memory).io,
        "bound": best.order_bound,
        "certified": bound.io,
        "io": {name: count.io for name, count in plays.items()},
        "loads": {name: count.loads for name, count in plays.items()},
    }
