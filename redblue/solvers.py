"""Solvers by name: ways to find a schedule and, as far as each can, a bound on every other.

`SOLVERS` lists them; `redblue solve --method NAME` runs one alone.
"""

from typing import Protocol

from dags import CDAG, UnknownNameError
from pebble import ONE_SHOT, Rules
from schedulers import SearchResult
from schedulers.exact import cp_sat, exact
from schedulers.portfolio import best


class Solver(Protocol):
    """A search for the best schedule of a DAG that may prove a lower bound, too."""

    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
        lower_bound: int = 0,
        max_memory: int,
    ) -> SearchResult:
        """Return the best schedule found, and what is proved.

        Parameters
        ----------
        dag, memory, rules
            The game.
        seed
            Seed of what is random.
        time_limit
            Seconds, roughly; None for no limit.
        lower_bound
            Lower bound on the I/O of any legal schedule, in words; a search may end where it meets
            it.
        max_memory
            Bytes that a search through states may take.
        """


def by_exact_search(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    lower_bound: int = 0,
    max_memory: int,
) -> SearchResult:
    """Return the result of `schedulers.exact.exact`; parameters as for `Solver`.

    Raises
    ------
    TooLargeError
        If there are more than 64 computed vertices, or more than 64 values that are read.
    """
    del lower_bound  # the search finds its own, level by level
    return exact(dag, memory, rules=rules, seed=seed, time_limit=time_limit, max_memory=max_memory)


def by_cp_sat(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    lower_bound: int = 0,
    max_memory: int,
) -> SearchResult:
    """Return the result of `schedulers.exact.cp_sat`; parameters as for `Solver`."""
    del max_memory  # CP-SAT has no such limit
    return cp_sat(
        dag, memory, rules=rules, seed=seed, time_limit=time_limit, lower_bound=lower_bound
    )


def by_search(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    lower_bound: int = 0,
    max_memory: int,
) -> SearchResult:
    """Return the result of `schedulers.portfolio.best`; parameters as for `Solver`."""
    del max_memory  # it keeps no states
    return best(dag, memory, rules=rules, seed=seed, time_limit=time_limit, lower_bound=lower_bound)


SOLVERS: dict[str, Solver] = {
    "exact": by_exact_search,
    "cp-sat": by_cp_sat,
    "search": by_search,
}


def solver_named(name: str) -> Solver:
    """Return the solver called `name`.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name not in SOLVERS:
        raise UnknownNameError("method", name, SOLVERS)
    return SOLVERS[name]
