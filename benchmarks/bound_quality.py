"""What the bounds prove of published DAGs, against what schedules move and others prove.

    python benchmarks/bound_quality.py [FOLDER] [--seconds 10] [--jobs 1] [--rows TEXT] [--all]

FOLDER holds anchors.csv; ../shared/data if none. A row's bound is the largest that any method
proves when all of them share the seconds, and its certificate is checked. Ratios are geometric
means over instances and memory sizes of what annealed orders move, over what is proved.
"""

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

from anchors import Anchor, group_of, measured

from dags import load
from proofs import BOUNDS, best_bound, check


@dataclass(frozen=True)
class Row:
    """What is proved of an instance; words, and seconds. None where nothing is known."""

    instance: str
    memory: int
    compulsory: int
    proved: int
    method: str
    annealed: int
    others: int | None
    optimum: int | None
    seconds: float
    checking: float

    @property
    def is_missed(self) -> bool:
        """Whether more than the compulsory traffic is known to be needed, and not by us."""
        known = max(self.others or 0, self.optimum or 0)
        return self.proved == self.compulsory < known


def measure(folder: Path, anchor: Anchor, seconds: float) -> Row:
    """What is proved of an anchor."""
    dag, memory = load(str(folder / anchor["instance"])), int(anchor["memory"])
    begun = time.perf_counter()
    bound = best_bound(BOUNDS.values(), dag, memory, time_limit=seconds)
    proved = time.perf_counter()
    check(dag, memory, bound)
    checked = time.perf_counter()
    known = {name: int(text) for name, text in anchor.items() if text.isdigit()}
    optimum = known.get("proved_optimum")
    minimum = known["annealing_probe"] if optimum is None else optimum
    assert bound.io <= minimum, f"{anchor['instance']}, M = {memory}: {bound.io} > {minimum}"
    return Row(
        anchor["instance"],
        memory,
        known["compulsory_io"],
        bound.io,
        bound.method,
        known["annealing_probe"],
        known.get("proved_lower_bound"),
        optimum,
        proved - begun,
        checked - proved,
    )


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0


def table(rows: list[Row]) -> None:
    """Print the means of each kind of instance."""
    groups = defaultdict(list)
    for row in rows:
        groups[group_of(row.instance)].append(row)
    groups["all"] = rows
    head = "annealed / compulsory | annealed / proved | s a case | s to check"
    print(f"| instances | cases | {head} |")
    print("|---|---|---|---|---|---|")
    for name, members in groups.items():
        trivial = mean([row.annealed / row.compulsory for row in members])
        ours = mean([row.annealed / row.proved for row in members])
        seconds = sum(row.seconds for row in members) / len(members)
        checking = sum(row.checking for row in members) / len(members)
        print(
            f"| {name} | {len(members)} | {trivial:.3f} | {ours:.3f} "
            f"| {seconds:.1f} | {checking:.2f} |"
        )


def details(rows: list[Row]) -> None:
    """Print who proves most, and where others prove more."""
    best = Counter(row.method for row in rows).most_common()
    print("\nThe best method: " + ", ".join(f"{name} {count}" for name, count in best) + ".")
    known = [row for row in rows if row.optimum is not None]
    met = sum(row.proved == row.optimum for row in known)
    print(f"The optimum is proved in {met} of the {len(known)} cases where it is known.")
    behind = [row for row in rows if row.others is not None and row.proved < row.others]
    print(f"Others prove more in {len(behind)} of {sum(row.others is not None for row in rows)}.")
    for row in behind:
        print(f"- {row.instance}, M = {row.memory}: {row.proved}, they {row.others}")
    missed = [row for row in rows if row.is_missed]
    print(f"Only the compulsory traffic where more is known: {len(missed)}.")
    for row in missed:
        print(f"- {row.instance}, M = {row.memory}")


def main() -> None:
    """Measure and print."""
    rows, everything = measured(__doc__, measure)
    table(rows)
    details(rows)
    if everything:
        for row in rows:
            print(row.instance, row.memory, row.compulsory, row.proved, row.method, row.annealed)


if __name__ == "__main__":
    main()
