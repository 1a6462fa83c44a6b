"""Writes docs/scale.md: bytes for each vertex, stage by stage, and what large runs take.

    python benchmarks/scale.py             the table of stages
    python benchmarks/scale.py --large     the runs of 10^8 vertices, some minutes each
    python benchmarks/scale.py --quick     the stages of small DAGs, to see that it runs

A stage's peak is that of the whole process above what it took before the DAG was there, as the
kernel of Linux counts it. Every case runs in a process of its own, after a small DAG for which
everything has been compiled. What a run does not measure stays on the page as it is.
"""

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.marked import write_marked

PAGE = Path(__file__).resolve().parents[1] / "docs" / "scale.md"
LARGE_RUNS = (
    "matmul:n=464 --memory 1024",
    "matmul:n=464 --memory 1024 --schedulers structured",
    "matmul:n=512 --memory 1024 --schedulers structured",
    "stencil:shape=1024x1024,steps=64 --memory 4096 --schedulers structured",
    "fft:n=4194304 --memory 1026 --schedulers structured",
)
CASES = {  # a small DAG that compiles everything, the DAG, and the words of fast memory
    "matmul:n=215": ("matmul:n=6", 1000),
    "fft:n=524288": ("fft:n=16", 1026),
    "stencil:shape=400x400,steps=64": ("stencil:shape=6x6,steps=3", 4096),
}
QUICK_CASES = {
    "matmul:n=60": ("matmul:n=6", 100),
    "fft:n=8192": ("fft:n=16", 100),
    "stencil:shape=64x64,steps=30": ("stencil:shape=6x6,steps=3", 100),
}
Measured = dict[str, tuple[float, float]]  # seconds, and bytes for each vertex at the peak


def resident(key: str) -> int:
    """A number of this process's status in bytes: VmRSS now, VmHWM at its peak."""
    match = re.search(rf"{key}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert match is not None
    return int(match.group(1)) * 1024


def timed(run: Callable[[], Any]) -> tuple[float, int, Any]:
    """Seconds, the peak of this process in bytes, and what `run` returns."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    began = time.perf_counter()
    value = run()
    return time.perf_counter() - began, resident("VmHWM"), value


def stages(spec: str, memory: int) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield the stages of a case; the first makes the DAG, the others take it."""
    from dags import load
    from pebble import play
    from proofs import BOUNDS, NotApplicableError
    from redblue.answers.curves.curve import io_curve
    from redblue.racing.proving import DEFAULT_BOUNDS
    from schedulers import EVICTIONS, GENERIC_SCHEDULERS, ORDERS, accesses, blocks
    from schedulers.eviction.streaming import streamed

    def bound(name: str, dag: Any) -> Any:
        try:
            return BOUNDS[name](dag, memory)
        except NotApplicableError:
            return None

    def row(name: str, dag: Any) -> Any:
        return io_curve(dag, [memory], schedulers=[name], bounds=["compulsory"])

    yield "the DAG", lambda _: load(spec)
    yield "its digest", lambda dag: dag.digest
    for name in DEFAULT_BOUNDS:
        yield f"bound {name}", lambda dag, name=name: bound(name, dag)
    for name in ("depth-first", "least-live"):
        yield f"order {name}", lambda dag, name=name: ORDERS[name](dag)
    yield "accesses", lambda dag: accesses(dag, dag.computed)
    for name in ("lru", "belady", "belady-clean"):
        yield (
            f"{name}, counted",
            lambda dag, name=name: EVICTIONS[name](accesses(dag, dag.computed), memory),
        )
    yield (
        "belady, played",
        lambda dag: play(
            dag, blocks(accesses(dag, dag.computed), memory, EVICTIONS["belady"]), memory
        ),
    )
    yield (
        "streamed, played",
        lambda dag: play(dag, streamed(dag, (dag.computed,), memory, price=1), memory),
    )
    for name in (*GENERIC_SCHEDULERS, "structured"):
        yield f"row {name}", lambda dag, name=name: row(name, dag)
    yield "a default curve", lambda dag: io_curve(dag, [memory])


def measure(spec: str, small: str, memory: int) -> Measured:
    """What the stages of a case take, in this process."""
    from redblue.sweeps import layouts
    from schedulers.families import plays

    layouts.LAYOUTS_SIDE_BY_SIDE = plays.STREAMED = 1 << 22  # as if the case were a large one
    _through(small, 60)
    return _through(spec, memory)


def _through(spec: str, memory: int) -> Measured:
    """What the stages of a case take."""
    results: Measured = {}
    before, dag = resident("VmRSS"), None
    for name, stage in stages(spec, memory):
        seconds, peak, value = timed(lambda stage=stage, dag=dag: stage(dag))
        dag = value if dag is None else dag
        if value is not None:
            results[name] = seconds, (peak - before) / dag.n
        del value
    return results


def measured(cases: dict[str, tuple[str, int]]) -> dict[str, Measured]:
    """What all cases take, each in a fresh process."""
    context = multiprocessing.get_context("spawn")
    results = {}
    for spec, (small, memory) in cases.items():
        print(spec, file=sys.stderr)
        with context.Pool(1) as pool:
            results[spec] = pool.apply(measure, (spec, small, memory))
    return results


def stage_table(results: dict[str, Measured]) -> str:
    """Bytes for each vertex and seconds, a line for each stage."""
    names = list(dict.fromkeys(name for result in results.values() for name in result))
    lines = ["| stage | " + " | ".join(results) + " |", "|---" * (len(results) + 1) + "|"]
    for name in names:
        cells = [result.get(name) for result in results.values()]
        shown = ["-" if cell is None else f"{cell[1]:.0f} ({cell[0]:.1f} s)" for cell in cells]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def large_run(arguments: str) -> str:
    """The line of the table for one run of ``redblue curve``."""
    import json

    print(arguments, file=sys.stderr)
    command = [sys.executable, "-c", "from redblue.cli import main; main()", "curve"]
    began = time.perf_counter()
    with subprocess.Popen(
        [*command, *arguments.split(), "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    if process.returncode:
        return f"| `{arguments}` | failed with exit code {process.returncode} | | | | |"
    result = json.loads(text)
    best = {row["kind"]: row["io"] for row in result["rows"] if row["method"] == "best"}
    vertices, peak = result["dag"]["vertices"], usage.ru_maxrss * 1024
    return (
        f"| `{arguments}` | {vertices:,} | {best['upper']:,} | {best['lower']:,} "
        f"| {seconds:.0f} | {peak / 1e9:.1f} GB | {peak / vertices:.0f} |"
    )


def large_runs(runs: dict[str, str]) -> str:
    """The table of large runs: the page's own lines, but for those that are given."""
    kept = {line.split("`")[1]: line for line in PAGE.read_text().splitlines() if line[:3] == "| `"}
    lines = kept | runs
    head = (
        "| run of `redblue curve` | vertices | best schedule | best bound | seconds | peak "
        "| bytes a vertex |"
    )
    return "\n".join([head, "|---" * 7 + "|", *(lines[run] for run in LARGE_RUNS if run in lines)])


def main() -> None:
    """Measure and write a table; with --quick, only print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small DAGs, to see that it runs")
    parser.add_argument("--large", action="store_true", help="the runs of 10^8 vertices instead")
    options = parser.parse_args()
    if options.large:
        for run in LARGE_RUNS:
            write_marked(PAGE, "large runs", large_runs({run: large_run(run)}))
        return
    table = stage_table(measured(QUICK_CASES if options.quick else CASES))
    if options.quick:
        print(table)
    else:
        write_marked(PAGE, "stages", table)


if __name__ == "__main__":
    main()
