"""What moments of one order add to moments that are apart, on the DAGs of `drawn_dags`.

    python benchmarks/one_order.py [--seconds 10] [--kinds TEXT] [--times 1.5]

prints what `decomposition` proves in so many seconds without the first, and with both, and the
geometric mean of the ratios.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from math import exp, inf, log
from unittest.mock import patch

from drawn_dags import DRAWN

from pebble import min_memory
from proofs import decomposition
from proofs.bounds.pieces import staged


@contextmanager
def apart() -> Iterator[None]:
    """Keep all of the time for moments that are apart."""
    with (
        patch.object(staged, "seconds_of", lambda full, seconds: 0.0),
        patch.object(staged, "least_seconds", lambda full: inf),
    ):
        yield


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--kinds", default="", help="only names that contain this")
    parser.add_argument("--times", type=float, default=1.5, help="memory, in units of the least")
    options = parser.parse_args()
    print("| DAG | vertices | M | apart | of one order as well |\n|---|--:|--:|--:|--:|")
    gains = []
    for name, draw in DRAWN.items():
        if options.kinds not in name:
            continue
        dag = draw()
        memory = round(options.times * min_memory(dag))
        with apart():
            before = decomposition(dag, memory, time_limit=options.seconds).io
        io = decomposition(dag, memory, time_limit=options.seconds).io
        gains.append(log(io / before))
        print(f"| {name} | {dag.n} | {memory} | {before} | {io} |", flush=True)
    if gains:
        print(f"\nmean ratio {exp(sum(gains) / len(gains)):.3f}")


if __name__ == "__main__":
    main()
