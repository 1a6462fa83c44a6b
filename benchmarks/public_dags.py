"""I/O of order + eviction on published DAGs, against what a public scheduler reaches on them.

    python benchmarks/public_dags.py [FOLDER]     FOLDER holds anchors.csv; ../shared/data if none

Ratios are geometric means over instances and memory sizes; below 1 we move less.
"""

import csv
import sys
from collections import defaultdict
from math import exp, log
from pathlib import Path

from dags import load
from schedulers import EVICTIONS, ORDERS, accesses

COLUMNS = {
    "depth-first+belady / peer's depth-first": ("depth_first", "peer_dfs_furthest_use"),
    "depth-first+belady-cost / peer's best of 48": ("depth_first_cost", "peer_best_of_48"),
    "best of our 20 pairs / peer's best of 48": ("best", "peer_best_of_48"),
    "best of our 20 pairs / annealed orders": ("best", "annealing_probe"),
}


def measure(folder: Path) -> dict[str, list[dict[str, int]]]:
    """Return for every group of instances a row per instance and memory size."""
    with (folder / "anchors.csv").open() as file:
        anchors = list(csv.DictReader(file))
    layouts = {}
    groups = defaultdict(list)
    for anchor in anchors:
        name, memory = anchor["instance"], int(anchor["memory"])
        if name not in layouts:
            dag = load(str(folder / name))
            layouts[name] = {key: accesses(dag, order(dag)) for key, order in ORDERS.items()}
        io = {
            (order, policy): EVICTIONS[policy](layout, memory).io
            for order, layout in layouts[name].items()
            for policy in EVICTIONS
        }
        row = {key: int(value) for key, value in anchor.items() if value and key != "instance"}
        row["depth_first"] = io["depth-first", "belady"]
        row["depth_first_cost"] = io["depth-first", "belady-cost"]
        row["best"] = min(io.values())
        groups[group_of(name)].append(row)
        groups["all"].append(row)
    return groups


def group_of(name: str) -> str:
    """The kind of an instance: "fine_CG", "coarse", "osp_tiny", ..."""
    folder, _, file = name.partition("/")
    if folder == "osp_tiny":
        return folder
    parts = file.removesuffix(".hdag").split("_")
    return parts[0] if parts[0] != "fine" else "_".join(parts[:2])


def ratio(rows: list[dict[str, int]], ours: str, theirs: str) -> float:
    """The geometric mean of ours over theirs."""
    return exp(sum(log(row[ours] / row[theirs]) for row in rows) / len(rows))


def main() -> None:
    """Print the table."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    groups = measure(folder)
    print("| instances | cases | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for name in sorted(groups, key=lambda group: (group == "all", group)):
        rows = groups[name]
        cells = [f"{ratio(rows, *pair):.3f}" for pair in COLUMNS.values()]
        print(f"| {name} | {len(rows)} | " + " | ".join(cells) + " |")
    above = sum(row["best"] > row["peer_best_of_48"] for row in groups["all"])
    print(f"\nThe best pair moves more than the peer's best of 48 in {above} cases.")


if __name__ == "__main__":
    main()
