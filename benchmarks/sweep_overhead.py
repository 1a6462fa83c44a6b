"""What a sweep costs beside its cells, and what a second worker gains.

    python benchmarks/sweep_overhead.py            the table of docs/details/sweeps.md
    python benchmarks/sweep_overhead.py --quick    few cells, to see that it runs

Light cells tell the overhead, heavy ones the speed-up over one process. A rate is that of the
fastest half of a sweep: workers start and compile in the beginning, and machines are shared. Dask
is measured where it is installed.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from redblue.sweeps import sweep
from redblue.sweeps.store import Store
from redblue.sweeps.store.cells import Cell

WORKERS = 2
FIRST = 4  # words of the first cell


def light(count: int) -> list[Cell]:
    """Cells that take microseconds."""
    return [Cell("lower", "fft:n=8", "compulsory", FIRST + i) for i in range(count)]


def heavy(count: int) -> list[Cell]:
    """Cells that take a good part of a second, of one order."""
    return [Cell("upper", "matmul:n=96", "natural+belady", FIRST + i) for i in range(count)]


def rate(cells: Sequence[Cell], options: dict[str, Any]) -> float:
    """Cells a second, in the fastest half of the sweep."""
    moments: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "a.db")) as store:
        sweep(
            cells, store=store, progress=lambda *_: moments.append(time.perf_counter()), **options
        )
    half = len(moments) // 2
    return half / min(moments[i + half] - moments[i] for i in range(len(moments) - half))


def engines(stack: ExitStack) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what an engine is called, and the arguments of `sweep` that choose it."""
    yield "this process", {"jobs": 1}
    yield f"{WORKERS} processes", {"jobs": WORKERS}
    if find_spec("distributed") is not None:
        sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
        from tests.dask_cluster import scheduler, worker

        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(scheduler(folder))
        for _ in range(WORKERS):
            stack.enter_context(worker(address, folder))
        yield f"Dask, {WORKERS} workers", {"dask": address}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    print("| engine | light cells a minute | ms a light cell | heavy cells a minute | speed-up |")
    print("|---|---:|---:|---:|---:|")
    single = None
    with ExitStack() as stack:
        for name, options in engines(stack):
            small, large = (
                rate(light(200 if quick else 4000), options),
                rate(heavy(8 if quick else 240), options),
            )
            single = single or large
            cells = f"{60 * small:,.0f} | {1000 / small:.2f} | {60 * large:,.0f}"
            print(f"| {name} | {cells} | {large / single:.2f} |", flush=True)


if __name__ == "__main__":
    main()
