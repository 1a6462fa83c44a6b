"""Best over bound of `redblue curve --effort normal`, against that of `solve` in the same seconds.

    python benchmarks/effort.py [FOLDER] [--every 9] [--effort normal]

FOLDER holds anchors.csv; ../shared/data if none. Every so many of its rows are measured.
"""

import argparse
import csv
import time
from math import exp, log
from pathlib import Path

from redblue import io_curve, load, solve
from redblue.racing.samples import compile_searches


def measure(spec: str, memory: int, effort: str) -> tuple[float, float, float, float]:
    """Best over bound of the curve and of `solve`, the wall and the CPU seconds of each."""
    dag = load(spec).dag
    began, worked = time.monotonic(), time.process_time()
    curve = io_curve(dag, [memory], effort=effort)
    seconds, worked = time.monotonic() - began, time.process_time() - worked
    ((_, io),), ((_, bound),) = curve.envelope("upper"), curve.envelope("lower")
    solution = solve(dag, memory, time_limit=seconds)
    return io / bound, solution.count.io / solution.lower_bound, seconds, worked


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--every", type=int, default=9)
    parser.add_argument("--effort", default="normal")
    arguments = parser.parse_args()
    with (arguments.folder / "anchors.csv").open() as file:
        anchors = list(csv.DictReader(file))[:: arguments.every]
    compile_searches(False)
    ratios = []
    for anchor in anchors:
        spec, memory = str(arguments.folder / anchor["instance"]), int(anchor["memory"])
        ours, theirs, seconds, worked = measure(spec, memory, arguments.effort)
        ratios.append(log(ours / theirs))
        numbers = f"{ours:.4f} {theirs:.4f} {seconds:5.1f} s, {worked:5.1f} CPU s"
        print(f"{anchor['instance']:45} {memory:5} {numbers}", flush=True)
    print(f"geometric mean of curve over solve: {exp(sum(ratios) / len(ratios)):.4f}")


if __name__ == "__main__":
    main()
