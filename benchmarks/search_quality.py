"""Plays of published DAGs by `schedulers.search.portfolio.best`, against what others reach on them.

    python benchmarks/search_quality.py [FOLDER] [--seconds 10] [--jobs 1] [--rows TEXT] [--all]

FOLDER holds anchors.csv; ../shared/data if none. Ratios are geometric means over instances and
memory sizes; below 1 we move less. `--all` prints every row.
"""

import time
from collections import defaultdict
from math import exp, log
from pathlib import Path

from anchors import Anchor, group_of, measured

from dags import load
from pebble import min_memory
from schedulers.search.portfolio import best

Row = dict[str, str | int]
PEER, PROBE, OPTIMUM = "peer_best_of_48", "annealing_probe", "proved_optimum"


def measure(folder: Path, anchor: Anchor, seconds: float) -> Row:
    """The anchor's row with what `best` reaches in it."""
    dag, memory = load(str(folder / anchor["instance"])), int(anchor["memory"])
    begun = time.process_time()
    best_play = best(dag, memory, time_limit=seconds)
    assert best_play.io is not None
    row: Row = {key: int(value) for key, value in anchor.items() if value and key != "instance"}
    return row | {
        "instance": anchor["instance"],
        "io": best_play.io,
        "seconds": time.process_time() - begun,
        "tight": memory == 3 * min_memory(dag) // 2,
    }


def mean_ratio(rows: list[Row], theirs: str) -> float:
    """The geometric mean of ours over theirs."""
    return exp(sum(log(row["io"] / row[theirs]) for row in rows) / len(rows)) if rows else 1.0


def table(rows: list[Row]) -> None:
    """Print the means of each kind of instance."""
    groups = defaultdict(list)
    for row in rows:
        groups[group_of(row["instance"])].append(row)
    groups["osp_tiny, M = 1.5 x least"] = [row for row in groups["osp_tiny"] if row["tight"]]
    groups["all"] = rows
    print("| instances | cases | / peer's best of 48 | / annealed orders | CPU s a case |")
    print("|---|---|---|---|---|")
    for name, members in groups.items():
        if members:
            seconds = sum(row["seconds"] for row in members) / len(members)
            ratios = f"{mean_ratio(members, PEER):.3f} | {mean_ratio(members, PROBE):.3f}"
            print(f"| {name} | {len(members)} | {ratios} | {seconds:.1f} |")


def failures(rows: list[Row]) -> None:
    """Print where others are better."""
    for theirs, text in ((PEER, "the peer's best"), (PROBE, "annealed orders")):
        worse = [row for row in rows if row["io"] > row[theirs]]
        print(f"\nAbove {text} in {len(worse)} cases of {len(rows)}.")
        for row in worse:
            print(f"- {row['instance']}, M = {row['memory']}: {row['io']}, they {row[theirs]}")
    proved = [row for row in rows if int(row.get(OPTIMUM, -1)) >= 0]
    missed = [row for row in proved if row["io"] != row[OPTIMUM]]
    print(f"\nThe optimum in {len(proved) - len(missed)} of {len(proved)} cases where it is known.")
    for row in missed:
        print(f"- {row['instance']}, M = {row['memory']}: {row['io']}, not {row[OPTIMUM]}")


def main() -> None:
    """Measure and print."""
    rows, everything = measured(__doc__, measure)
    table(rows)
    failures(rows)
    if everything:
        for row in rows:
            print(row["instance"], row["memory"], row["io"], row[PEER], row[PROBE])


if __name__ == "__main__":
    main()
