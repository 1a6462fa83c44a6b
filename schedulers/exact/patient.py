"""Schedulers that leave choices to OR-Tools: they take seconds, and are asked for by name."""

from dataclasses import dataclass

from dags import CDAG
from pebble import ONE_SHOT, MemoryTooSmallError, Rules, Schedule, min_memory
from schedulers.base import Order
from schedulers.exact import cp_sat, optimal_eviction
from schedulers.partial import aggregating
from schedulers.search.portfolio import TIME_LIMIT, search_schedule

LARGEST = 400  # vertices beyond which CP-SAT does not get the whole game


@dataclass(frozen=True)
class OptimalEviction:
    """The scheduler that computes in an order and moves as little as that order allows.

    A linear program decides which values leave, and CP-SAT the rest; where the time is over before
    that, the schedule is the best that was found.

    Parameters
    ----------
    order
        One of `ORDERS`, or any function like them.
    """

    order: Order

    @aggregating
    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = TIME_LIMIT,
    ) -> Schedule:
        """The schedule; parameters and errors as for every scheduler."""
        result = optimal_eviction(
            dag, self.order(dag), memory, rules=rules, seed=seed, time_limit=time_limit
        )
        if result.schedule is None:
            raise MemoryTooSmallError(memory, min_memory(dag, rules=rules), "with most operands")
        return result.schedule


@aggregating
def cp_sat_schedule(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = TIME_LIMIT,
) -> Schedule:
    """The best play of CP-SAT in the time, from the portfolio's best play on.

    A DAG of more than `LARGEST` vertices gets the play of `best` instead, and so does one whose
    values may be computed again. The parameters are those of every scheduler.
    """
    if dag.n > LARGEST or rules.recompute:
        seconds = TIME_LIMIT if time_limit is None else time_limit
        return search_schedule(dag, memory, rules=rules, seed=seed, time_limit=seconds)
    first = search_schedule(dag, memory, rules=rules, seed=seed, time_limit=0.0)
    result = cp_sat(
        dag, memory, rules=rules, seed=seed, time_limit=time_limit, upper=first
    ).schedule
    return first if result is None else result
