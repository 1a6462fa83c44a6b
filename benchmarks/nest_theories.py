"""What windows of loop nests prove, without a DAG and by its points, side by side.

    python benchmarks/nest_theories.py [--only TEXT] [--json]

The games are members of all families that have a text, a long attention, and PolyBench, at two, six
and 24 times the least memory: 114 of each set of rules. By **points**: the best of the methods that
read the points of a laid out DAG. By the **nest**: the best bound of the nest alone, at once.
Neither is less than the compulsory words. Partial computation is asked of the DAG by both, for maps
of other games. All certificates are checked. CPU seconds are of the proofs; points have the DAG
besides. A lemma of nests takes the place of a method of points when it loses none of its games.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from dags import CDAG, Computation
from dags.families import FAMILIES
from dags.programs.box_nests import BoxNest
from pebble import ONE_SHOT, PARTIAL, RULES, Rules, compulsory_words, min_memory
from proofs import BOUNDS, NotApplicableError, check
from proofs.bounds.loops.nests import nest_bound, placed

POINTS = "affine", "attention", "projections", "uniform"
TIMES = 2, 6, 24  # memories, times the least
RULESETS = ONE_SHOT, RULES["recompute"], PARTIAL
SECONDS = 10.0  # of work, of each method of points
KERNELS = (
    "2mm:NI=8,NJ=9,NK=10,NL=11",
    "3mm:NI=8,NJ=9,NK=10,NL=11,NM=12",
    "adi:TSTEPS=3,N=10",
    "atax:M=20,N=24",
    "bicg:M=20,N=24",
    "cholesky:N=18",
    "correlation:M=12,N=14",
    "covariance:M=12,N=14",
    "deriche:W=10,H=12",
    "doitgen:NQ=6,NR=7,NP=8",
    "durbin:N=24",
    "fdtd-2d:TMAX=4,NX=9,NY=10",
    "floyd-warshall:N=12",
    "gemm:NI=10,NJ=11,NK=12",
    "gemver:N=20",
    "gesummv:N=20",
    "gramschmidt:M=10,N=12",
    "heat-3d:TSTEPS=3,N=8",
    "jacobi-1d:TSTEPS=16,N=50",
    "jacobi-2d:TSTEPS=4,N=12",
    "lu:N=14",
    "ludcmp:N=14",
    "mvt:N=24",
    "nussinov:N=20",
    "seidel-2d:TSTEPS=4,N=14",
    "symm:M=12,N=12",
    "syr2k:M=10,N=12",
    "syrk:M=12,N=14",
    "trisolv:N=30",
    "trmm:M=12,N=14",
)
MEMBERS = tuple(
    f"{name}:{family.example.replace(' ', ',')}" for name, family in FAMILIES.items() if family.nest
)
LONG = "attention:tokens=48,width=4"  # there is room for few of its pairs
COMPUTATIONS = (*MEMBERS, LONG, *(f"polybench/{entry}" for entry in KERNELS))


@dataclass(frozen=True)
class Proved:
    """The words that are proved in a game, by what, and in how many CPU seconds."""

    words: int
    by: str
    seconds: float


@dataclass(frozen=True)
class Row:
    """What both theories prove of a game."""

    computation: str
    rules: str
    memory: int
    points: Proved
    nest: Proved

    @property
    def verdict(self) -> str:
        """Who proves more."""
        if self.points.words == self.nest.words:
            return "even"
        return "nest" if self.nest.words > self.points.words else "points"


def by_points(dag: CDAG, memory: int, rules: Rules) -> Proved:
    """The best bound of the methods of points."""
    best, factor = compulsory_words(dag), "compulsory"
    began = time.process_time()
    for name in POINTS:
        try:
            bound = BOUNDS[name](dag, memory, rules=rules, time_limit=SECONDS)
        except NotApplicableError:
            continue
        if bound.io > best:
            check(dag, memory, bound)
            best, factor = bound.io, name
    return Proved(best, factor, time.process_time() - began)


def by_nest(nest: BoxNest | None, dag: CDAG, memory: int, rules: Rules) -> Proved:
    """The best bound of a nest, which may be none."""
    began, compulsory = time.process_time(), compulsory_words(dag)
    if nest is None or (rules.partial and placed(dag) is None):
        return Proved(compulsory, "compulsory", 0.0)
    if rules.partial:  # other games prove something, too
        bound = BOUNDS["nests"](dag, memory, rules=rules)
        check(dag, memory, bound)
    else:
        bound = nest_bound(nest, memory, rules=rules)
        check(nest, memory, bound)
    seconds = time.process_time() - began
    if bound.io <= compulsory:
        return Proved(compulsory, "compulsory", seconds)
    return Proved(bound.io, bound.certificate.kind, seconds)


def rows(computations: tuple[str, ...] = COMPUTATIONS) -> Iterator[Row]:
    """Yield what both theories prove of each game.

    Parameters
    ----------
    computations
        Their specifications.
    """
    for spec in computations:
        asked = Computation(spec)
        dag, nest = asked.dag, asked.nest
        for times in TIMES:
            memory = times * min_memory(dag)
            for rules in RULESETS:
                points = by_points(dag, memory, rules)
                nests = by_nest(nest, dag, memory, rules)
                yield Row(spec, rules.name, memory, points, nests)


def table(result: list[Row]) -> str:
    """A line for each game, and how many each theory wins."""
    lines = [
        "| computation | rules | M | points | by | CPU s | nest | by | CPU s | more by |",
        "|---|---|--:|--:|---|--:|--:|---|--:|---|",
    ]
    for row in result:
        cells = [row.computation, row.rules, f"{row.memory}"]
        for entry in (row.points, row.nest):
            cells += [f"{entry.words:,}", entry.by, f"{entry.seconds:.2f}"]
        lines.append(f"| {' | '.join([*cells, row.verdict])} |")
    lines.append("")
    for rules in dict.fromkeys(row.rules for row in result):
        chosen = [row for row in result if row.rules == rules]
        count = Counter(row.verdict for row in chosen)
        worst = max(row.points.words / row.nest.words for row in chosen)
        seconds = [
            sum(getattr(row, entry).seconds for row in chosen) for entry in ("points", "nest")
        ]
        lines.append(
            f"{rules}: {len(chosen)} games, {count['nest']} won by the nest, {count['even']} even, "
            f"{count['points']} lost, by a factor of {worst:.2f} at most; CPU seconds "
            f"{seconds[0]:.1f} by points, {seconds[1]:.1f} by the nest"
        )
    return "\n".join(lines)


def main() -> None:
    """Print what both theories prove."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="computations whose name has this text")
    parser.add_argument("--json", action="store_true", help="a list of games")
    options = parser.parse_args()
    results = [*rows(tuple(entry for entry in COMPUTATIONS if options.only in entry))]
    if options.json:
        print(json.dumps([{**asdict(row), "more_by": row.verdict} for row in results], indent=1))
    else:
        print(table(results))


if __name__ == "__main__":
    main()
