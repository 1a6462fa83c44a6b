"""Evictions: which value leaves fast memory when room is needed. `EVICTIONS` lists the policies.

A policy counts (`Traffic`) and, if asked, records its `Victims`; `schedule` and `blocks` turn
any policy's victims into moves.
"""

from schedulers.eviction.policies import (
    Policy,
    Traffic,
    Victims,
    belady,
    belady_clean,
    belady_cost,
    blocks,
    fifo,
    lru,
    schedule,
    traffic_within,
)

EVICTIONS = {
    "lru": lru,
    "fifo": fifo,
    "belady": belady,
    "belady-clean": belady_clean,
    "belady-cost": belady_cost,
}

__all__ = [
    "EVICTIONS",
    "Policy",
    "Traffic",
    "Victims",
    "belady",
    "belady_clean",
    "belady_cost",
    "blocks",
    "fifo",
    "lru",
    "schedule",
    "traffic_within",
]
