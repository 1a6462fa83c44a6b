"""CPU seconds of each experiment of the report, one after the other, each in a process of its own.

``python benchmarks/report_time.py --quick`` or without for full size; names choose experiments.
CPU seconds say what a run takes on a machine that is busy with other things; on two idle cores the
report takes half of their sum, if no experiment has more than half of it.
"""

import argparse
import os
import sys

from redblue.papers.experiments import EXPERIMENTS, ON_REQUEST, Bench
from redblue.show.reporting.as_data import to_data


def cpu_seconds(name: str, bench: Bench) -> float:
    """The CPU seconds of an experiment, those of processes that it starts included."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            to_data(EXPERIMENTS[name](bench))
            status = 0
        finally:
            os._exit(status)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{name} failed")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print a line for each experiment, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="EXPERIMENT")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    names = asked.names or [name for name in EXPERIMENTS if name not in ON_REQUEST]
    total = 0.0
    for name in names:
        seconds = cpu_seconds(name, Bench(quick=asked.quick))
        total += seconds
        print(f"{name:24}{seconds:8.1f} CPU s", flush=True)
    print(f"{'all':24}{total:8.1f} CPU s, {total / 2:.0f} s on two cores")


if __name__ == "__main__":
    main()
