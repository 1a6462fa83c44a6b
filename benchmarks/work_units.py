"""Nanoseconds of this machine that each unit of work takes, beside those of the table.

    python benchmarks/work_units.py [--seconds 1.0] [--only decomposition,exact]

Searches of many kinds are run for so many seconds of work each, and their CPU seconds are explained
by the units that they are charged for (`dags.work.UNITS`): least squares, relative to the seconds
of each search, in which a unit departs from the table only as far as searches tell of it. A factor
of 1 everywhere is the reference machine. What a search is charged for and the seconds that it takes
are printed, too: a ratio far from 1 says that a unit is missing.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import lsq_linear

from dags import Computation, load
from dags.work import UNITS, ledger
from pebble import min_memory, rules_named
from pebble.small.levels import least_cost
from proofs import BOUNDS, NotApplicableError
from redblue.emission.emission import emit
from schedulers.exact import TooLargeError, exact
from schedulers.search.portfolio import best
from schedulers.tilings.search import best_tilings

DAGS = (
    "fft:n=16",
    "fft:n=128",
    "random_layered:n=60,layers=6,seed=1",
    "random_layered:n=600,layers=12,seed=2",
    "matmul:n=6",
    "polybench/cholesky:N=12",
)
NESTS = "matmul:n=2000", "lu:n=500", "attention:tokens=512,width=64"
CODE = "polybench/gemm:NI=500,NJ=600,NK=700", "polybench/lu:N=100"
TIED = 0.3  # of how surely the table is known beside what one search tells of it
PLAYED = ("one-shot", "recompute", "partial")
Search = Callable[[], object]


def searches(seconds: float) -> Iterator[tuple[str, Search]]:
    """Yield searches of all kinds, with their names."""
    for spec in DAGS:
        for rules in PLAYED:
            dag = load(spec)
            memory = 2 * min_memory(dag, rules=rules_named(rules))
            game: dict[str, Any] = {"rules": rules_named(rules), "time_limit": seconds}
            yield f"search {spec} {rules}", partial(best, dag, memory, **game)
            yield f"exact {spec} {rules}", partial(exact, dag, memory, **game)
            for name in BOUNDS if rules != "partial" else ():
                yield f"{name} {spec} {rules}", partial(BOUNDS[name], dag, memory, **game)
    small = load("fft:n=8")
    yield "levels fft:n=8", partial(least_cost, small, (5, 9), (1, 3), time_limit=seconds)
    for spec in NESTS:
        nest = Computation(spec).nest
        assert nest is not None
        yield f"tilings {spec}", partial(best_tilings, nest, [1000, 30_000], seconds=seconds)
    for spec in CODE:
        yield f"emit {spec}", partial(emit, spec, 3000, time_limit=seconds, compare=0)


def measured(search: Search) -> tuple[float, Mapping[str, float]]:
    """The CPU seconds of a search, compiled before, and the units it was charged for."""
    for _ in range(2):
        before, began = dict(ledger()), time.thread_time()
        search()
        seconds = time.thread_time() - began
    return seconds, {unit: ledger()[unit] - before.get(unit, 0) for unit in ledger()}


def fitted(rows: list[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    """The factors by which units of this machine differ from those of the table."""
    units = sorted({unit for _, counts in rows for unit, count in counts.items() if count})
    charged = np.array([[UNITS[u] * counts.get(u, 0) / 1e9 for u in units] for _, counts in rows])
    used = np.array([seconds for seconds, _ in rows])
    scaled = charged / used[:, None]
    known = TIED * np.identity(len(units))
    wanted = np.concatenate((np.ones(len(rows)), np.full(len(units), TIED)))
    solution = lsq_linear(np.vstack((scaled, known)), wanted, bounds=(1e-3, np.inf))
    return dict(zip(units, solution.x.tolist(), strict=True))


def main() -> None:
    """Measure, fit and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    rows: list[tuple[float, Mapping[str, float]]] = []
    for name, search in searches(arguments.seconds):
        if not name.startswith(tuple(arguments.only.split(","))):
            continue
        try:
            seconds, counts = measured(search)
        except (NotApplicableError, TooLargeError):
            continue
        charged = sum(UNITS[unit] * count for unit, count in counts.items()) / 1e9
        if seconds > arguments.seconds / 10:
            rows.append((seconds, counts))
            ratio = seconds / max(charged, 1e-9)
            print(f"{name:60} {seconds:7.2f} CPU s, {charged:7.2f} charged: {ratio:8.2f}")
    for unit, factor in fitted(rows).items():
        print(f"{unit:16} {UNITS[unit]:>14,.1f} ns, here {UNITS[unit] * factor:>14,.1f} ns")


if __name__ == "__main__":
    main()
