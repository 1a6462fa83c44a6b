"""Prints what each method of bounds and of plays brings: what is lost if it alone is left out.

    python benchmarks/leave_one_out.py [--seconds 1] [--only TEXT] [--write]

Every method works alone for so many seconds; certificates are checked, plays are judged. *best*:
games in which none proves more, or moves less. *alone*: games in which no other does as well.
*loss*: how much worse all others together are than all, as a geometric mean over the games, and at
most. Of pairs of an order and an eviction, an order is left out with all of its pairs, and so is an
eviction. The games are members of all families, loop nests of PolyBench and random graphs, one-shot
and with recomputation. With `--write` the tables go into docs/internals.md.
"""

import argparse
from collections.abc import Iterable, Mapping
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from dags import CDAG, EXAMPLES, InvalidSpecError, load
from pebble import ONE_SHOT, RULES, MemoryTooSmallError, Rules, judge, min_memory
from proofs import BOUNDS, NotApplicableError, check
from schedulers import SCHEDULERS

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
PAGE = Path(__file__).resolve().parents[1] / "docs" / "internals.md"
Words = Mapping[str, int]  # by method; those of plays are negative, so that more is better


class Brought(NamedTuple):
    """What a method brings over some games; losses in percent."""

    best: int
    alone: int
    mean_loss: float
    largest_loss: float


def proved(dag: CDAG, memory: int, rules: Rules, seconds: float) -> dict[str, int]:
    """The words that each method proves that applies; each certificate is checked."""
    results = {}
    for name, method in BOUNDS.items():
        try:
            bound = method(dag, memory, rules=rules, time_limit=seconds)
        except NotApplicableError:
            continue
        check(dag, memory, bound)
        results[name] = bound.io
    return results


def played(dag: CDAG, memory: int, rules: Rules, seconds: float) -> dict[str, int]:
    """The words that each scheduler moves that applies, negative; each play is judged."""
    results = {}
    for name, scheduler in SCHEDULERS.items():
        try:
            play = scheduler(dag, memory, rules=rules, time_limit=seconds)
        except (InvalidSpecError, MemoryTooSmallError):  # it plays other DAGs, or needs more room
            continue
        results[name] = -judge(dag, play, memory, rules=rules).io
    return results


def brought(left_out: str, games: Iterable[Words]) -> Brought:
    """What a method brings over games, of which each has the words of methods.

    Of pairs, those are left out that have it.
    """
    best, losses = 0, []
    for game in games:
        own_part = {name for name in game if left_out in name.split("+")}
        limit = max(game.values())
        without = max(words for name, words in game.items() if name not in own_part)
        best += any(game[name] == limit for name in own_part)
        worse = log(max(abs(limit), 1)) - log(max(abs(without), 1))
        losses.append(abs(worse) if without < limit else 0.0)
    single = sum(loss > 0 for loss in losses)
    mean = sum(losses) / max(len(losses), 1)
    return Brought(best, single, 100 * (exp(mean) - 1), 100 * (exp(max(losses, default=0)) - 1))


def table(games: Mapping[str, list[Words]]) -> str:
    """The table: a line per method, for each set of rules."""
    kinds = [
        f"{rules}, {len(chosen)}: best / alone / mean % / max %" for rules, chosen in games.items()
    ]
    lines = [f"| method | {' | '.join(kinds)} |", "|---" * (len(kinds) + 1) + "|"]
    everything = {name for chosen in games.values() for game in chosen for name in game}
    names = {part for name in everything for part in name.split("+")}
    for name in sorted(names - {"compulsory"}):
        cells = []
        for chosen in games.values():
            applies = any(name in pair.split("+") for game in chosen for pair in game)
            result = brought(name, chosen) if applies else None
            cells.append("" if result is None else "{} / {} / {:.2f} / {:.1f}".format(*result))
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def written(page: str, tables: Mapping[str, str]) -> str:
    """The page with the tables between their marks."""
    for side, lines in tables.items():
        begin, end = f"<!-- left out: {side} -->", "<!-- end of left out -->"
        before, _, remaining = page.partition(begin)
        page = before + begin + "\n\n" + lines + "\n\n" + end + remaining.partition(end)[2]
    return page


SIDES = {"bounds": proved, "plays": played}


def main() -> None:
    """Prove and play everything, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    games: dict[str, dict[str, list[Words]]] = {
        side: {rules.name: [] for rules in RULESETS} for side in SIDES
    }
    for spec in GAMES:
        if options.only not in spec:
            continue
        dag = load(spec)
        for rules in RULESETS:
            smallest = min_memory(dag, rules=rules)
            for times in TIMES:
                memory = round(times * smallest)
                for side, words_of in SIDES.items():
                    games[side][rules.name].append(words_of(dag, memory, rules, options.seconds))
    tables = {side: table(game) for side, game in games.items()}
    print("\n\n".join(tables.values()))
    if options.write:
        PAGE.write_text(written(PAGE.read_text(), tables))


if __name__ == "__main__":
    main()
