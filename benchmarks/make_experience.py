"""Measure what each method of bounds proves on DAGs that are drawn; write it for the race to learn.

    python benchmarks/make_experience.py [--seconds 4] [--kinds TEXT]

writes redblue/racing/experience.csv: a line for each game, with its shape, and the words that each
method that searches proves alone in so many seconds. The DAGs are of the kinds of `drawn_dags`,
with other seeds and sizes.

    python benchmarks/make_experience.py --judge

measures nothing: it leaves each DAG out in turn, and prints which share of the time goes to methods
that prove the most of it, or half a percent less, with and without what is known of the others.
"""

import argparse
import csv
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
from drawn_dags import (
    edges_at_random,
    fixed_indegree,
    gradients,
    nearby,
    neighbours,
    pagerank,
    powers,
)

from dags import CDAG
from pebble import min_memory
from proofs import BOUNDS, best_bound
from redblue.racing.proving import (
    FILE,
    SEARCHING,
    Shape,
    experience,
    learned_shares,
    shape_of,
    shares_of,
)

MEMORIES = (1.4, 2.2, 3.5)  # times the least
CLOSE = 0.005  # of the logarithm of words, by which one of the best methods may prove less

DRAWN: dict[str, Callable[[], CDAG]] = {
    "powers_10x4": partial(powers, 10, 4, 0.25, 201),
    "powers_18x8": partial(powers, 18, 8, 0.12, 202),
    "neighbours_8x4": partial(neighbours, 8, 4, 0.3, 211),
    "neighbours_20x7": partial(neighbours, 20, 7, 0.12, 212),
    "pagerank_6x4": partial(pagerank, 6, 4, 0.3, 221),
    "pagerank_15x6": partial(pagerank, 15, 6, 0.12, 222),
    "gradients_6x3": partial(gradients, 6, 3, 0.25, 231),
    "gradients_9x6": partial(gradients, 9, 6, 0.2, 232),
    "edges_100": partial(edges_at_random, 100, 4.0, 241),
    "edges_300": partial(edges_at_random, 300, 2.0, 242),
    "fixed_90": partial(fixed_indegree, 90, 3, 251),
    "fixed_250": partial(fixed_indegree, 250, 2, 252),
    "nearby_200": partial(nearby, 200, 3, 40, 261),
    "nearby_800": partial(nearby, 800, 2, 80, 262),
}


def measured(dag: CDAG, memory: int, seconds: float) -> dict[str, int]:
    """The words that each method that searches proves."""
    return {
        name: best_bound([BOUNDS[name]], dag, memory, time_limit=seconds).io for name in SEARCHING
    }


def judged() -> Iterator[tuple[str, float, float]]:
    """Yield for each game its kind, and the shares of the best methods without and with others."""
    known = experience()
    games = [(name, draw(), times) for name, draw in DRAWN.items() for times in MEMORIES]
    for (name, dag, times), losses in zip(games, known.losses, strict=True):
        memory = round(times * min_memory(dag))
        best = {method for method, loss in zip(known.methods, losses, strict=True) if loss <= CLOSE}
        pair = [
            share_of(best, shares_of(dag, memory, learned=learned))
            for learned in (lambda *game: None, partial(learned_shares, without=name))
        ]
        yield name.partition("_")[0], pair[0], pair[1]


def share_of(chosen: set[str], shares: Mapping[str, float]) -> float:
    """The share of all of the time that some methods get."""
    left, arguments = 1.0, 0.0
    for name, share in shares.items():
        arguments += left * share * (name in chosen)
        left *= 1 - share
    return arguments


def judge() -> None:
    """Print the shares of the best methods, kind by kind."""
    result = list(judged())
    print("| kind | games | without experience | with it |")
    print("|---|--:|--:|--:|")
    for kind in [*dict.fromkeys(name for name, *_ in result), "all"]:
        chosen = np.array([pair for name, *pair in result if kind in (name, "all")])
        print(f"| {kind} | {len(chosen)} | {chosen[:, 0].mean():.2f} | {chosen[:, 1].mean():.2f} |")


def main() -> None:
    """Measure all games, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--kinds", default="", help="only names that contain this, and print only")
    parser.add_argument("--judge", action="store_true", help="judge the table that there is")
    options = parser.parse_args()
    if options.judge:
        judge()
        return
    lines = []
    for name, draw in DRAWN.items():
        if options.kinds not in name:
            continue
        dag = draw()
        for times in MEMORIES:
            memory = round(times * min_memory(dag))
            words = measured(dag, memory, options.seconds)
            lines.append([name, *(f"{x:.3f}" for x in shape_of(dag, memory)), *words.values()])
            print(*lines[-1], flush=True)
    if not options.kinds:
        with Path(FILE).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([["instance", *Shape._fields, *SEARCHING], *lines])


if __name__ == "__main__":
    main()
