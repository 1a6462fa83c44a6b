"""How much eviction policies move above the least that their orders allow.

    python benchmarks/eviction_gap.py [FOLDER] [--seconds 20] [--all]

FOLDER holds anchors.csv; ../shared/data if none. A policy's column is the geometric mean of its
I/O over the best bound on the order, and in how many cases it moves just that. "optimal" is
`optimal_eviction`, and how often its play and its bound meet. `--all` prints every case.
"""

import argparse
import csv
from collections import defaultdict
from math import exp, log
from pathlib import Path

from dags import CDAG, fft, load, matmul
from proofs.bounds.fixed_order import check_order, fixed_order
from schedulers import EVICTIONS, ORDERS, accesses
from schedulers.exact.fixed_order import optimal_eviction

ORDER_NAMES = ("depth-first", "least-live")
POLICIES = ("belady", "belady-clean", "belady-cost")
GENERATED = {
    "fft:n=256": (fft(256), (4, 8, 16, 32, 64)),
    "matmul:n=8": (matmul(8), (4, 8, 16, 32, 64)),
}


def measure(dag: CDAG, order_name: str, memory: int, seconds: float) -> dict[str, float]:
    """What the policies, and the best evictions, move in an order."""
    order = ORDERS[order_name](dag)
    layout = accesses(dag, order)
    result = optimal_eviction(dag, order, memory, time_limit=seconds)
    proved = fixed_order(dag, order, memory, prices=result.prices)
    check_order(dag, memory, proved)
    io = {name: EVICTIONS[name](layout, memory).io for name in POLICIES}
    return io | {
        "optimal": result.io,
        "bound": result.order_bound,
        "proved": proved.io,
        "seconds": result.seconds,
    }


def group_of(name: str) -> str:
    """The kind of an instance: "fine_CG", "coarse", "osp_tiny", ..."""
    folder, _, file = name.partition("/")
    parts = file.removesuffix(".hdag").split("_")
    return folder if folder == "osp_tiny" else "_".join(parts[: 1 + (parts[0] == "fine")])


def cell(rows: list[dict[str, float]], column: str) -> str:
    """The mean ratio to the bound, and how many meet it."""
    met = sum(row[column] == row["bound"] for row in rows)
    mean = exp(sum(log(max(row[column], 1) / max(row["bound"], 1)) for row in rows) / len(rows))
    return f"{mean:.4f} ({met})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--all", action="store_true", help="print every case")
    arguments = parser.parse_args()
    cases = [(name, name, dag, m) for name, (dag, sizes) in GENERATED.items() for m in sizes]
    if (arguments.folder / "anchors.csv").exists():
        with (arguments.folder / "anchors.csv").open() as file:
            for row in csv.DictReader(file):
                name = row["instance"]
                dag = load(str(arguments.folder / name))
                cases.append((group_of(name), name, dag, int(row["memory"])))
    groups = defaultdict(list)
    for group, name, dag, memory in cases:
        for order_name in ORDER_NAMES:
            row = measure(dag, order_name, memory, arguments.seconds)
            for member in (f"{group}, {order_name}", f"all, {order_name}"):
                groups[member].append(row)
            if arguments.all:
                print(name, memory, order_name, row)
    columns = (*POLICIES, "optimal", "proved")
    print(f"| DAGs, order | cases | {' | '.join(columns)} | most seconds |")
    print("|---" * (len(columns) + 3) + "|")
    for name in sorted(groups, key=lambda group: (group.startswith("all"), group)):
        rows = groups[name]
        cells = " | ".join(cell(rows, column) for column in columns)
        print(f"| {name} | {len(rows)} | {cells} | {max(row['seconds'] for row in rows):.1f} |")


if __name__ == "__main__":
    main()
