"""Arguments of DAGs that are drawn at random: small ones, of the first few seeds."""

from collections.abc import Iterator
from itertools import product
from math import sqrt

from dags.families.family import Arguments, Facts

SEEDS = range(8)
MOST_VERTICES = 1 << 14
MOST_KEYS = 1 << 12
WAYS = (2, 3, 5, 6, 7)  # powers of two merge as two ways do
STEP = 0.01  # densities are looked for in whole percents


def random_tree(facts: Facts) -> Iterator[Arguments]:
    """Yield the seeds of a random tree, with sizes as large as its largest value."""
    n = facts.vertices
    if facts.sinks == 1 and facts.edges == n - 1 and 2 <= n <= MOST_VERTICES:
        yield from _drawn({"n": n}, facts)


def random_layered(facts: Facts) -> Iterator[Arguments]:
    """Yield layers, operands and seeds of a layered DAG, with sizes as large as its largest."""
    n, layers = facts.vertices, facts.depth + 1
    if n <= MOST_VERTICES and facts.inputs == n // layers:
        usual = max(2, round(n**0.5)) == layers
        shape = {"n": n} | ({} if usual else {"layers": layers})
        for degree in (facts.widest, facts.widest + 1):
            yield from _drawn(shape | ({} if degree == 3 else {"max_indegree": degree}), facts)


def random_spmv(facts: Facts) -> Iterator[Arguments]:
    """Yield densities and seeds of the product of a random matrix with a vector."""
    n = facts.sinks
    nonzeros = facts.inputs - n
    counts = (3 * nonzeros, 4 * nonzeros - 2 * n)
    if (facts.vertices, facts.edges) == counts and n >= 2 and facts.vertices <= MOST_VERTICES:
        cells = n * (n - 1)
        share = (nonzeros - n) / cells
        spread = 3 * sqrt(max(share * (1 - share), 1 / cells) / cells)
        for percent, seed in product(range(101), SEEDS):
            density = round(percent * STEP, 2)
            if abs(density - share) <= spread:
                yield {"n": n} | {
                    key: value
                    for key, value, usual in (("density", density, 0.1), ("seed", seed, 0))
                    if value != usual
                }


def merge_sort(facts: Facts) -> Iterator[Arguments]:
    """Yield keys, ways and seeds of a merge sort: small ones, as its comparisons are random."""
    n = facts.inputs
    depth = (n - 1).bit_length()
    fits = n * (depth - 1) <= 2 * facts.computed <= 3 * n * depth
    if 2 <= n <= MOST_KEYS and facts.edges == 2 * facts.computed and fits:
        for ways, run, seed in product(WAYS, (None, 1), SEEDS):
            given = {"ways": (ways, 2), "run": (run, None), "seed": (seed, 0)}
            yield {"n": n} | {k: value for k, (value, usual) in given.items() if value != usual}


def _drawn(shape: Arguments, facts: Facts) -> Iterator[Arguments]:
    """Yield arguments with sizes and each seed."""
    sizes = {} if facts.largest == 1 else {"max_words": facts.largest}
    for seed in SEEDS:
        yield shape | sizes | ({} if seed == 0 else {"seed": seed})
