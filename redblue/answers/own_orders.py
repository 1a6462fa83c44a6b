"""Orders that users give in files: played with evictions, and with the best eviction."""

import json
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from dags import CDAG, FormatError, InvalidDAGError
from dags.arrays import Int32Array, lock
from dags.cdag.border import Label
from dags.cdag.construct import vertices_named
from dags.errors import one_line
from dags.formats.text import parse_name, read_text
from pebble import ONE_SHOT, PARTIAL, Rules, play, require_memory
from redblue.racing.solvers import Solver
from schedulers import EVICTIONS, OrderAndEviction, SearchResult
from schedulers.exact import optimal_eviction
from schedulers.partial import partial_schedule

PLAYED = ("lru", "belady", "belady-cost")  # evictions of a curve


@dataclass(frozen=True, eq=False)
class GivenOrder:
    """An order of one DAG.

    Parameters
    ----------
    computed
        (N,) the computed vertices, operands before results.
    __name__
        The name of methods that play in it.
    """

    computed: Int32Array
    __name__: str

    def __call__(self, dag: CDAG) -> Int32Array:
        """The order."""
        return self.computed


def order_file(path: Path, dag: CDAG) -> GivenOrder:
    """The order of `dag` in a file: a name a line, or one JSON list of names.

    Names are labels where the DAG has them and all of them are such, numbers otherwise; inputs
    may be among them.

    Raises
    ------
    FormatError
        If there is no such file, or a name in it is that of no vertex.
    """
    names = _names(path)
    numbers = range(dag.n)
    try:
        vertices = vertices_named(dag, names)
    except InvalidDAGError as error:
        if not all(isinstance(name, int) and name in numbers for name in names):
            raise FormatError(path, str(error)) from error
        vertices = lock(np.array(names, np.int32))
    computed = vertices[dag.is_computed[vertices]]
    return GivenOrder(lock(computed), path.stem)


def _names(path: Path) -> list[Label]:
    """The names in a file, in their order."""
    try:
        text = read_text(path)
    except OSError as error:
        raise FormatError(path, f"cannot be read: {error.strerror or error}") from error
    if not text.lstrip().startswith("["):
        lines = (line.strip() for line in text.splitlines())
        return [parse_name(line) for line in lines if line and not line.startswith("#")]
    try:
        names = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(path, f"is no JSON: {one_line(error)}") from error
    if not all(type(name) in (str, int) for name in names):
        raise FormatError(path, "is no list of names and numbers")
    return list(names)


def players_in(order: GivenOrder) -> list[OrderAndEviction]:
    """The order with several evictions, as schedulers."""
    return [OrderAndEviction(order, EVICTIONS[name]) for name in PLAYED]


def solver_in(order: GivenOrder) -> Solver:
    """The search for the best eviction in an order, as a solver."""

    def search(
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
        lower_bound: int = 0,
        max_memory: int,
    ) -> SearchResult:
        """The best play in the order that is found in the time."""
        del max_memory
        require_memory(dag, memory, rules=rules)
        if rules.partial:
            return _aggregated(order, dag, memory, lower_bound)
        found = optimal_eviction(
            dag, order(dag), memory, rules=rules, seed=seed, time_limit=time_limit
        )
        how = "best eviction" if found.status == "optimal" else "an eviction"
        return SearchResult(
            f"{order.__name__} with {how}",
            found.schedule,
            found.io,
            lower_bound,
            "feasible",
            found.seconds,
        )

    return search


def _aggregated(order: GivenOrder, dag: CDAG, memory: int, lower_bound: int) -> SearchResult:
    """The best play that aggregates operands one by one in an order."""
    began = perf_counter()
    made = partial_schedule(dag, order(dag), memory)
    io = play(dag, made, memory, rules=PARTIAL).io
    name, seconds = f"{order.__name__}, aggregated", perf_counter() - began
    return SearchResult(name, made, io, lower_bound, "feasible", seconds)
