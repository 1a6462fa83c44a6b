"""Writes docs/exact.md: what exact search proves, instance by instance.

    python benchmarks/exact_table.py [--seconds 60] [--jobs 1] [--only TEXT]

Each instance is solved at every memory from the smallest one to where only the compulsory I/O is
left. States and plays are deterministic; times are those of one core of the machine at hand.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.marked import write_marked
from dags import fft, load
from pebble import RULES, min_memory
from proofs import compulsory
from schedulers import SearchResult
from schedulers.exact import exact

PAGE = Path(__file__).resolve().parents[1] / "docs" / "exact.md"
HEAD = "| DAG | rules | M | I/O | method | states | seconds |", "|---|---|---|---|---|---|---|"
ONE_SHOT_DAGS = (
    "fft:n=8",
    "fft:n=16",
    "matmul:m=2,n=2,k=3",
    "matmul:m=2,n=3,k=3",
    "matmul:n=3",
    "bitonic_sort:n=8",
    "pyramid:height=8",
    "stencil:shape=8,steps=4",
    "grid:shape=7x7",
    "random_layered:n=30,seed=1",
    "random_layered:n=30,seed=2",
    "random_layered:n=40,seed=1",
)
RECOMPUTE_DAGS = ("fft:n=8", "matmul:n=2", "matmul:m=2,n=2,k=3", "pyramid:height=6")
INSTANCES = [("one-shot", spec) for spec in ONE_SHOT_DAGS] + [
    ("recompute", spec) for spec in RECOMPUTE_DAGS
]


def solved(instance: tuple[str, str], seconds: float) -> list[tuple[int, SearchResult]]:
    """(memory, result) of an instance until only the compulsory I/O is left.

    The seconds of a result are those of the processor: machines are shared.
    """
    rules, spec = RULES[instance[0]], instance[1]
    dag = load(spec)
    exact(fft(4), 4, rules=rules)  # so that nothing is compiled while the clock runs
    floor = compulsory(dag, 1, rules=rules).io
    results: list[tuple[int, SearchResult]] = []
    while not results or results[-1][1].io != floor:
        memory = min_memory(dag, rules=rules) + len(results)
        begun = time.process_time()
        result = exact(dag, memory, rules=rules, time_limit=seconds)
        results.append((memory, replace(result, seconds=time.process_time() - begun)))
    return results


def line(instance: tuple[str, str], memory: int, result: SearchResult) -> str:
    """A row of the table."""
    value = f"{result.io}" if result.status == "optimal" else f"{result.lower_bound}..{result.io}"
    effort = (result.method, f"{result.states:,}", f"{result.seconds:.1f}")
    cells = (instance[1], instance[0], memory, value, *effort)
    return f"| {' | '.join(map(str, cells))} |"


def gains(tables: dict[tuple[str, str], list[tuple[int, SearchResult]]]) -> list[str]:
    """The table of where recomputation moves fewer words."""
    rows = ["| DAG | M | one-shot | recompute |", "|---|---|---|---|"]
    for (rules, spec), table in tables.items():
        once = dict(tables.get(("one-shot", spec), ())) if rules == "recompute" else {}
        for memory, result in table:
            if memory in once and (once[memory].io or 0) > (result.io or 0):
                rows.append(f"| {spec} | {memory} | {once[memory].io} | {result.io} |")
    return rows


def main() -> None:
    """Solve all instances and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    chosen = [instance for instance in INSTANCES if options.only in instance[1]]
    with ProcessPoolExecutor(options.jobs) as pool:
        result = pool.map(partial(solved, seconds=options.seconds), chosen)
        tables = dict(zip(chosen, result, strict=True))
    rows = [line(key, memory, result) for key, table in tables.items() for memory, result in table]
    write_marked(PAGE, "optima", "\n".join([*HEAD, *rows]))
    write_marked(PAGE, "gains", "\n".join(gains(tables)))


if __name__ == "__main__":
    main()
