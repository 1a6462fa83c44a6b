"""DAGs that are drawn at random, of kinds that searches and bounds are tuned on.

    python benchmarks/drawn_dags.py [--seconds 10] [--kinds TEXT] [--rules one-shot] [--all]
    python benchmarks/drawn_dags.py --small [--rules recompute]

Sparse iterations, neighbours of neighbours and random graphs of 50 to 1,000 vertices, with seeds of
their own: methods are tuned on these and not on published files. `DRAWN` names them, and
`--other 1000` adds to the seeds. The table has the geometric mean of best schedule over best bound
for each kind, from `redblue.solve`. `--small` holds small members of the kinds against exact
search, to see which side is weak.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from math import exp, log

import numpy as np

from dags import CDAG, from_edges
from pebble import Game, Move, Rules, min_memory, rules_named
from proofs import BOUNDS, NotApplicableError, check
from redblue import solve
from schedulers.exact import exact

MEMORIES = (1.5, 3.0)  # times the least
SEARCHED = ("decomposition", "exact-pieces", "reload-windows", "reuse")


class Ledger:
    """The vertices and edges of a computation, as it is written down."""

    def __init__(self) -> None:
        self.edges: list[tuple[int, int]] = []
        self.count = 0

    def new(self, operands: Iterable[int] = ()) -> int:
        """A new value that is computed from `operands`, an input without any."""
        self.edges += [(u, self.count) for u in operands]
        self.count += 1
        return self.count - 1

    def total(self, terms: list[int]) -> int:
        """The sum of values: of one, itself."""
        return terms[0] if len(terms) == 1 else self.new(terms)

    def dag(self) -> CDAG:
        """The DAG of all that was written down, without inputs that nobody reads."""
        used = sorted({v for edge in self.edges for v in edge})
        place = {v: i for i, v in enumerate(used)}
        return from_edges(len(used), [(place[u], place[v]) for u, v in self.edges])


def _matrix(book: Ledger, n: int, share: float, seed: int) -> dict[tuple[int, int], int]:
    """Inputs for a random sparse matrix, with all of its diagonal, by row and column."""
    drawn = np.random.default_rng(seed).random((n, n)) < share
    np.fill_diagonal(drawn, True)
    return {(int(i), int(j)): book.new() for i, j in zip(*np.nonzero(drawn), strict=True)}


def _times(
    book: Ledger, matrix: dict[tuple[int, int], int], vector: dict[int, int]
) -> dict[int, int]:
    """The product of a matrix with a vector, of which some entries may be zero."""
    terms: dict[int, list[int]] = defaultdict(list)
    for (i, j), entry in matrix.items():
        if j in vector:
            terms[i].append(book.new((entry, vector[j])))
    return {i: book.total(row) for i, row in terms.items()}


def powers(n: int, steps: int, share: float, seed: int) -> CDAG:
    """Return x, A x, A^2 x, ... of a sparse matrix."""
    book = Ledger()
    matrix = _matrix(book, n, share, seed)
    vector = {i: book.new() for i in range(n)}
    for _ in range(steps):
        vector = _times(book, matrix, vector)
    return book.dag()


def neighbours(n: int, steps: int, share: float, seed: int) -> CDAG:
    """Powers of a sparse matrix times a vector with one entry: neighbours of a vertex."""
    book = Ledger()
    matrix = _matrix(book, n, share, seed)
    vector = {0: book.new()}
    for _ in range(steps):
        vector = _times(book, matrix, vector)
    return book.dag()


def pagerank(n: int, steps: int, share: float, seed: int) -> CDAG:
    """Steps x = c A x + d b, each with the sum of all changes."""
    book = Ledger()
    matrix = _matrix(book, n, share, seed)
    vector = {i: book.new() for i in range(n)}
    weights = [book.new() for _ in range(n)]
    for _ in range(steps):
        product = _times(book, matrix, vector)
        after = {i: book.new((product[i], weights[i])) for i in range(n)}
        book.total([book.new((after[i], vector[i])) for i in range(n)])
        vector = after
    return book.dag()


def gradients(n: int, steps: int, share: float, seed: int) -> CDAG:
    """Steps of conjugate gradients on a sparse matrix."""
    book = Ledger()
    matrix = _matrix(book, n, share, seed)
    x, r = ({i: book.new() for i in range(n)} for _ in range(2))
    p = r
    square = book.total([book.new((r[i],)) for i in range(n)])
    for _ in range(steps):
        q = _times(book, matrix, p)
        alpha = book.new((square, book.total([book.new((p[i], q[i])) for i in range(n)])))
        x = {i: book.new((x[i], alpha, p[i])) for i in range(n)}
        r = {i: book.new((r[i], alpha, q[i])) for i in range(n)}
        after = book.total([book.new((r[i],)) for i in range(n)])
        beta, square = book.new((square, after)), after
        p = {i: book.new((r[i], beta, p[i])) for i in range(n)}
    return book.dag()


def edges_at_random(n: int, degree: float, seed: int) -> CDAG:
    """A DAG in which every pair of vertices is an edge with the same probability."""
    draw = np.random.default_rng(seed).random((n, n)) < 2 * degree / (n - 1)
    book = Ledger()
    book.count = n
    book.edges = [(int(u), int(v)) for u, v in zip(*np.nonzero(np.triu(draw, 1)), strict=True)]
    return book.dag()


def fixed_indegree(n: int, degree: int, seed: int) -> CDAG:
    """A DAG in which every vertex but the first reads so many before it, at random."""
    rng = np.random.default_rng(seed)
    book = Ledger()
    for v in range(n):
        book.new(rng.choice(v, min(v, degree), replace=False).tolist())
    return book.dag()


def nearby(n: int, degree: int, reach: int, seed: int) -> CDAG:
    """A DAG in which every vertex reads some of the last `reach` before it."""
    rng = np.random.default_rng(seed)
    book = Ledger()
    for v in range(n):
        drawn = rng.choice(min(v, reach), min(v, degree), replace=False) if v else []
        book.new(v - 1 - int(back) for back in drawn)
    return book.dag()


DRAWN: dict[str, partial[CDAG]] = {
    "powers_12x5": partial(powers, 12, 5, 0.2, 101),
    "powers_25x6": partial(powers, 25, 6, 0.08, 102),
    "neighbours_9x5": partial(neighbours, 9, 5, 0.25, 111),
    "neighbours_16x8": partial(neighbours, 16, 8, 0.14, 112),
    "pagerank_8x4": partial(pagerank, 8, 4, 0.25, 121),
    "pagerank_20x5": partial(pagerank, 20, 5, 0.1, 122),
    "gradients_5x3": partial(gradients, 5, 3, 0.3, 131),
    "gradients_10x4": partial(gradients, 10, 4, 0.2, 132),
    "edges_60": partial(edges_at_random, 60, 3.0, 141),
    "edges_200": partial(edges_at_random, 200, 2.5, 142),
    "fixed_50": partial(fixed_indegree, 50, 3, 151),
    "fixed_150": partial(fixed_indegree, 150, 3, 152),
    "fixed_400": partial(fixed_indegree, 400, 2, 153),
    "nearby_120": partial(nearby, 120, 3, 25, 161),
    "nearby_500": partial(nearby, 500, 3, 60, 162),
}
SMALL: dict[str, partial[CDAG]] = {
    "product_7": partial(powers, 7, 1, 0.3, 201),
    "powers_4x3": partial(powers, 4, 3, 0.1, 2),
    "neighbours_6x3": partial(neighbours, 6, 3, 0.25, 202),
    "pagerank_4x2": partial(pagerank, 4, 2, 0.2, 7),
    "gradients_3x1": partial(gradients, 3, 1, 0.3, 9),
    "edges_25": partial(edges_at_random, 25, 2.0, 10),
    "fixed_28": partial(fixed_indegree, 28, 3, 151),
    "nearby_24": partial(nearby, 24, 3, 8, 14),
}


def small(rules: Rules, kinds: str, seconds: float) -> None:
    """Print what exact search, the search of plays and the best bound make of small members."""
    print("| game | vertices | M | optimum | schedule | bound | steps | in the optimum |")
    print("|---" * 8 + "|")
    for name, draw in SMALL.items():
        dag = draw()
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, round(MEMORIES[0] * smallest)) if kinds in name else ():
            ideal = exact(dag, memory, rules=rules, time_limit=seconds)
            solution = solve(dag, memory, rules=rules, time_limit=seconds, method="search")
            low = max(_alone(dag, memory, rules, seconds / len(SEARCHED)))
            known, steps = f"{ideal.lower_bound}..", ""
            if ideal.status == "optimal" and ideal.schedule is not None:
                known = f"{ideal.io}"
                steps = f"{np.count_nonzero(ideal.schedule.op == Move.COMPUTE)}"
            line = f"| {name} | {dag.n} | {memory} | {known} | {solution.count.io} | {low} |"
            print(f"{line} {dag.computed.size} | {steps} |", flush=True)


def _alone(dag: CDAG, memory: int, rules: Rules, seconds: float) -> Iterator[int]:
    """Yield the compulsory words, and what each method of bounds proves alone."""
    yield Game.of(dag, memory, rules).compulsory
    for name in SEARCHED:
        with suppress(NotApplicableError):
            yield BOUNDS[name](dag, memory, rules=rules, time_limit=seconds).io


def main() -> None:
    """Solve all, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--kinds", default="", help="only names that contain this")
    parser.add_argument("--rules", default="one-shot")
    parser.add_argument("--other", type=int, default=0, help="added to every seed")
    parser.add_argument("--all", action="store_true", help="print every case")
    parser.add_argument("--small", action="store_true", help="small members and their optima")
    options = parser.parse_args()
    rules, ratios = rules_named(options.rules), defaultdict(list)
    if options.small:
        small(rules, options.kinds, options.seconds)
        return
    for name, draw in DRAWN.items():
        if options.kinds not in name:
            continue
        *sizes, seed = draw.args
        dag = draw.func(*sizes, seed + options.other)
        for times in MEMORIES:
            memory = round(times * min_memory(dag, rules=rules))
            begun = time.process_time()
            solution = solve(dag, memory, rules=rules, time_limit=options.seconds)
            check(dag, memory, solution.bound)
            io, low = solution.count.io, solution.lower_bound
            ratios[name.partition("_")[0]].append(io / low)
            ratios["all"].append(io / low)
            if options.all:
                spent = time.process_time() - begun
                line = (
                    f"{name} n={dag.n} M={memory} {io} {solution.method} {low} {solution.proved_by}"
                )
                print(f"{line} {io / low:.3f} {spent:.1f} s", flush=True)
    print("\n| kind | cases | best schedule / best bound |\n|---|---|---|")
    for kind, ratio in ratios.items():
        print(f"| {kind} | {len(ratio)} | {exp(sum(map(log, ratio)) / len(ratio)):.3f} |")


if __name__ == "__main__":
    main()
