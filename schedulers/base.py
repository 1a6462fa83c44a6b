"""Schedulers: their signature, and pairs of an order and an eviction."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from dags import CDAG
from dags.arrays import Int32Array
from pebble import ONE_SHOT, Rules, Schedule, require_memory
from schedulers.eviction import Policy, schedule
from schedulers.orders.access_order import accesses
from schedulers.partial import partial_schedule

Order = Callable[[CDAG], Int32Array]
OPTIONS = (("rules", ONE_SHOT), ("seed", 0), ("time_limit", None))  # of every scheduler
Status = Literal["optimal", "feasible", "infeasible", "unknown"]


@dataclass(frozen=True)
class SearchResult:
    """Result of a search for a schedule.

    Parameters
    ----------
    method
        Name of the search.
    schedule
        The best schedule found, or None.
    io
        Words that it moves, or None.
    lower_bound
        Lower bound that was proved on the I/O of any legal play under the same rules, in words.
    status
        "optimal": `io` equals `lower_bound`; "feasible": there is a schedule; "infeasible": some
        vertex cannot be computed with so little memory; "unknown": no schedule was found in time.
    seconds
        Duration of the search.
    states
        Number of states or nodes that it visited; 0 where that means nothing.
    """

    method: str
    schedule: Schedule | None
    io: int | None
    lower_bound: int
    status: Status
    seconds: float
    states: int = 0


class Scheduler(Protocol):
    """Signature of everything that plays a DAG with a given memory."""

    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Schedule:
        """A schedule that is legal for `dag` with `memory` words under `rules`."""


@dataclass(frozen=True)
class OrderAndEviction:
    """The scheduler that computes in an order and evicts by a policy.

    It computes every vertex once and never slides, which is legal under all rules; it needs the
    memory that placing takes. Under the rules of partial computation it aggregates operands in the
    order, by the best of three orders of edges (`schedulers.partial`).

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
        """The schedule.

        Raises
        ------
        MemoryTooSmallError
            If some vertex and its operands do not fit into `memory`.
        """
        if rules.partial:
            return partial_schedule(dag, self.order(dag), memory, policies=[self.policy])
        require_memory(dag, memory)
        return schedule(accesses(dag, self.order(dag)), memory, self.policy)
