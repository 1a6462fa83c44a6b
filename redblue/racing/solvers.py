"""Solvers by name: ways to find a schedule and, as far as each can, a bound on every other.

`SOLVERS` lists them; `redblue solve --method NAME` runs one alone.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from dags import CDAG, UnknownNameError
from pebble import ONE_SHOT, Rules
from schedulers import SearchResult
from schedulers.exact import cp_sat, exact
from schedulers.search.portfolio import best


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
        """The best schedule found, and the proved words.

        Parameters
        ----------
        dag, memory, rules
            The game.
        seed
            Seed of random choices.
        time_limit
            Seconds, roughly; None for no limit.
        lower_bound
            Lower bound on the I/O of any legal schedule, in words; a search may end where it meets
            it.
        max_memory
            Bytes that a search through states may take.
        """


def _run(
    search: Callable[..., SearchResult], unknown: str, *game: Any, **options: Any
) -> SearchResult:
    """The result of a search without the option that it does not have."""
    return search(*game, **{name: value for name, value in options.items() if name != unknown})


# Exact search finds its own lower bound, level by level; the others keep no states.
SOLVERS: dict[str, Solver] = {
    "exact": partial(_run, exact, "lower_bound"),
    "cp-sat": partial(_run, cp_sat, "max_memory"),
    "search": partial(_run, best, "max_memory"),
}


def solver_named(name: str) -> Solver:
    """The solver called `name`.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name not in SOLVERS:
        raise UnknownNameError("method", name, SOLVERS)
    return SOLVERS[name]
