"""What a scheduler is, and the ones that are an order and an eviction policy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from dags import CDAG
from dags.arrays import Int32Array
from pebble import ONE_SHOT, Rules, Schedule, require_memory
from schedulers.access_order import accesses
from schedulers.eviction import Policy, schedule

Order = Callable[[CDAG], Int32Array]
Status = Literal["optimal", "feasible", "infeasible", "unknown"]


@dataclass(frozen=True)
class SearchResult:
    """What a search came to.

    Parameters
    ----------
    method
        What searched.
    schedule
        The best schedule found, or None.
    io
        Words that it moves, or None.
    lower_bound
        Words that no legal play under the same rules can do without, as far as the search proved.
    status
        "optimal": `io` equals `lower_bound`; "feasible": there is a schedule; "infeasible": some
        vertex cannot be computed with so little memory; "unknown": no schedule was found in time.
    seconds
        Time that it took.
    states
        States or nodes that it looked at; 0 where that means nothing.
    """

    method: str
    schedule: Schedule | None
    io: int | None
    lower_bound: int
    status: Status
    seconds: float
    states: int = 0


class Scheduler(Protocol):
    """Anything that plays a DAG with a given memory."""

    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Schedule:
        """Return a schedule that is legal for `dag` with `memory` words under `rules`."""


@dataclass(frozen=True)
class OrderAndEviction:
    """The scheduler that computes in an order and evicts by a policy.

    It computes every vertex once and never slides, which is legal under all rules; it needs the
    memory that placing takes.

    Parameters
    ----------
    order
        One of `ORDERS`, or any function like them.
    policy
        One of `EVICTIONS`.
    """

    order: Order
    policy: Policy

    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Schedule:
        """Return the schedule.

        Raises
        ------
        MemoryTooSmallError
            If some vertex and its operands do not fit into `memory`.
        """
        require_memory(dag, memory)
        return schedule(accesses(dag, self.order(dag)), memory, self.policy)
