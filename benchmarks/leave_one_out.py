"""Prints what each method of bounds brings: what is lost if it alone is left out.

    python benchmarks/leave_one_out.py [--seconds 1] [--only TEXT]

Every method proves alone for so many seconds, and its certificate is checked. *best*: games in
which none proves more. *alone*: games in which no other proves as much. *loss*: how much less all
others prove together than all do, as a geometric mean over the games, and at most. The games are
members of all families, loop nests of PolyBench and random graphs, one-shot and with recomputation.
"""

import argparse
from collections.abc import Iterable, Mapping
from math import exp, log
from typing import NamedTuple

from dags import CDAG, EXAMPLES, load
from pebble import ONE_SHOT, RULES, Rules, min_memory
from proofs import BOUNDS, NotApplicableError, check

GAMES = (
    *EXAMPLES.values(),
    "polybench/atax:M=12,N=12",
    "polybench/durbin:N=20",
    "polybench/floyd-warshall:N=7",
    "polybench/gemm:NI=9,NJ=9,NK=9",
    "polybench/jacobi-1d:TSTEPS=12,N=40",
    "polybench/lu:N=12",
    "polybench/nussinov:N=16",
    "polybench/seidel-2d:TSTEPS=3,N=10",
    "random_layered:n=40,seed=5",
    "random_layered:n=150,max_words=4,seed=6",
    "random_layered:n=400,seed=7",
    "random_spmv:n=60,density=0.05,seed=8",
)
TIMES = (1.5, 4.0)  # memories, times the least
RULESETS = (ONE_SHOT, RULES["recompute"])
Words = Mapping[str, int]  # by method


class Brought(NamedTuple):
    """What a method brings over some games; losses in percent."""

    best: int
    alone: int
    mean_loss: float
    largest_loss: float


def proved(dag: CDAG, memory: int, rules: Rules, seconds: float) -> dict[str, int]:
    """Return the words that each method proves that applies; each certificate is checked."""
    found = {}
    for name, method in BOUNDS.items():
        try:
            bound = method(dag, memory, rules=rules, time_limit=seconds)
        except NotApplicableError:
            continue
        check(dag, memory, bound)
        found[name] = bound.io
    return found


def brought(name: str, games: Iterable[Words]) -> Brought:
    """Return what a method brings over games, of which each has the words that methods prove."""
    best, losses = 0, []
    for game in games:
        most = max(game.values())
        others = max(words for other, words in game.items() if other != name)
        best += game.get(name) == most
        losses.append(log(most / max(others, 1)) if others < most else 0.0)
    alone = sum(loss > 0 for loss in losses)
    mean = sum(losses) / max(len(losses), 1)
    return Brought(best, alone, 100 * (exp(mean) - 1), 100 * (exp(max(losses, default=0)) - 1))


def table(games: Mapping[str, list[Words]]) -> str:
    """Return the table: a line per method, for each set of rules."""
    kinds = [
        f"{rules}, {len(some)}: best / alone / mean % / max %" for rules, some in games.items()
    ]
    lines = [f"| method | {' | '.join(kinds)} |", "|---" * (len(kinds) + 1) + "|"]
    for name in BOUNDS:
        if name == "compulsory":
            continue
        cells = []
        for some in games.values():
            best, alone, mean, largest = brought(name, some)
            applies = any(name in game for game in some)
            cells.append(f"{best} / {alone} / {mean:.2f} / {largest:.1f}" if applies else "")
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Prove everything, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    games: dict[str, list[Words]] = {rules.name: [] for rules in RULESETS}
    for spec in GAMES:
        if options.only not in spec:
            continue
        dag = load(spec)
        for rules in RULESETS:
            least = min_memory(dag, rules=rules)
            for times in TIMES:
                memory = round(times * least)
                games[rules.name].append(proved(dag, memory, rules, options.seconds))
    print(table(games))


if __name__ == "__main__":
    main()
