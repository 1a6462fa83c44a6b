"""Structured schedules of all families against published forms and generic schedulers.

python benchmarks/families.py [--jobs 2]     writes docs/families.md
"""

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from benchmarks.published import PUBLISHED
from dags import GENERATORS, load
from pebble import Rules, min_memory, play
from schedulers import EVICTIONS, ORDERS, accesses, structured

PAGE = Path(__file__).resolve().parents[1] / "docs" / "families.md"
MEMORIES = 5
GENERIC = [
    (order, eviction)
    for order in ("natural", "depth-first", "least-live")
    for eviction in ("belady-cost", "lru")
]
MOST_ABOVE_FINITE, MOST_ABOVE_GENERIC = 1.05, 1.01
SLIDING = {"dirac"}  # families whose published form is for sliding rules

SPECS = {
    "adjoint": ["steps=40", "steps=120", "steps=400"],
    "attention": ["tokens=24,width=4", "tokens=48,width=8", "tokens=96,width=8"],
    "binomial": ["n=40", "n=120", "n=400"],
    "bitonic_sort": ["n=64", "n=512", "n=4096"],
    "chain": ["n=100", "n=1000", "n=10000"],
    "cholesky": ["n=24", "n=48", "n=96"],
    "conjugate_gradient": [
        "shape=12x12,steps=4",
        "shape=40x40,steps=4",
        "shape=12x12x12,steps=8",
    ],
    "convolution": [
        "height=12,width=12,channels=2,filters=2",
        "height=20,width=20,channels=4,filters=8",
        "height=32,width=32,channels=8,filters=8",
    ],
    "diamond": ["n=40", "n=120", "n=400"],
    "dirac": ["k=3,n4=6", "k=4,n4=8", "k=6,n4=12"],
    "dirac_steps": ["shape=16x16,steps=16", "shape=6x6x6x6,steps=6", "shape=8x8x8x8,steps=8"],
    "fft": ["n=256", "n=2048", "n=16384"],
    "grid": ["shape=40x40", "shape=300x200", "shape=40x40x40"],
    "hypercube": ["d=9", "d=12", "d=16"],
    "lu": ["n=20", "n=40", "n=80"],
    "matmul": ["n=16", "n=32", "n=64"],
    "matvec": ["n=40", "n=120", "n=400"],
    "merge_sort": ["n=256,ways=4", "n=2048,ways=2", "n=10000,ways=6"],
    "odd_even_merge_sort": ["n=64", "n=512", "n=4096"],
    "odd_even_transposition_sort": ["n=40", "n=120", "n=400"],
    "prefix_scan": ["n=300", "n=2048,network=brent-kung", "n=16384"],
    "pyramid": ["height=40", "height=120", "height=400"],
    "qr_givens": ["n=16", "n=32", "n=64"],
    "random_layered": ["n=500,seed=1", "n=5000,seed=2", "n=50000,seed=3"],
    "random_spmv": [
        "n=50,density=0.1,seed=1",
        "n=400,density=0.02,seed=2",
        "n=2000,density=0.01,seed=3",
    ],
    "random_tree": [
        "n=500,max_words=3,seed=1",
        "n=5000,max_words=3,seed=2",
        "n=50000,max_words=3,seed=3",
    ],
    "spmv": ["shape=16x16", "shape=60x60", "shape=20x20x20"],
    "stencil": ["shape=200,steps=100", "shape=48x48,steps=24", "shape=16x16x16,steps=16"],
    "strassen": ["n=8", "n=16", "n=32"],
    "sweep": ["shape=24x24", "shape=100x100", "shape=24x24x24,neighbourhood=box"],
    "syrk": ["n=24,k=12", "n=48,k=24", "n=96,k=48"],
    "tree": ["height=8", "height=12", "height=8,arity=4"],
    "triangular_solve": ["n=60", "n=40,k=16", "n=80,k=40"],
}


@dataclass(frozen=True)
class Row:
    """What was counted for a DAG and a memory; words."""

    family: str
    spec: str
    memory: int
    structured: int
    published: float | None
    generic: int
    generic_name: str

    @property
    def to_published(self) -> float | None:
        """Structured over published, both at least compulsory."""
        return None if self.published is None else self.structured / self.published

    @property
    def to_generic(self) -> float:
        return self.structured / self.generic

    @property
    def is_above(self) -> bool:
        """Whether it breaks one of the two rules."""
        known = PUBLISHED.get(self.family)
        finite = known is not None and known.finite and self.to_published is not None
        above = finite and (self.to_published or 0) > MOST_ABOVE_FINITE
        return above or self.to_generic > MOST_ABOVE_GENERIC


def measured(spec: str, memories: Sequence[int] | None = None) -> list[Row]:
    """A row for each of `memories`, five by default, of one DAG."""
    dag = load(spec)
    rules = Rules(sliding=dag.family in SLIDING)
    layouts = {name: accesses(dag, ORDERS[name](dag)) for name, _ in GENERIC}
    compulsory = dag.words_of(dag.inputs[dag.outdegree[dag.inputs] > 0]) + dag.words_of(dag.outputs)

    def generic(memory: int) -> dict[str, int]:
        return {
            f"{order}+{eviction}": EVICTIONS[eviction](layouts[order], memory).io
            for order, eviction in GENERIC
        }

    def row(memory: int) -> Row:
        ours = play(dag, structured.blocks(dag, memory, rules=rules), memory, rules=rules).io
        known = PUBLISHED.get(dag.family or "")
        published = known.words(dag, memory) if known else None
        if published is not None:
            published = max(published, compulsory)
        counts = generic(memory)
        name = min(counts, key=lambda entry: counts[entry])
        return Row(dag.family or "", spec, memory, ours, published, counts[name], name)

    if memories is None:
        reached = min_memory(dag)
        while min(generic(reached).values()) > compulsory:
            reached = ceil(1.25 * reached)
        memories = between(min_memory(dag), reached)
    return [row(memory) for memory in memories]


def between(minimum: int, reached: int) -> list[int]:
    """Sizes in geometric steps from `least` to `reached`, fewer where they meet."""
    sizes = (minimum * (reached / minimum) ** (i / (MEMORIES - 1)) for i in range(MEMORIES))
    return sorted({round(size) for size in sizes})


def specs() -> list[str]:
    """All DAGs of the tables."""
    return [f"{family}:{size}" for family in GENERATORS for size in SPECS[family]]


def page(rows: Iterable[Row]) -> str:
    """The page that shows `rows`."""
    by_family: dict[str, list[Row]] = {}
    for row in rows:
        by_family.setdefault(row.family, []).append(row)
    above = [row for entry in by_family.values() for row in entry if row.is_above]
    parts = [HEAD, *(summary(family, by_family[family]) for family in by_family), ""]
    parts += [VERDICT.format(len(above)), *map(line, above), ""]
    for family, own_part in by_family.items():
        parts += [section(family), *map(line, own_part), ""]
    return "\n".join(parts)


def summary(family: str, rows: list[Row]) -> str:
    known = PUBLISHED.get(family)
    ratios = [row.to_published for row in rows if row.to_published is not None]
    kind = ("finite" if known.finite else "leading") if known else ""
    worst = f"{min(ratios):.3f} - {max(ratios):.3f}" if ratios else ""
    generic = [row.to_generic for row in rows]
    return f"| {family} | {kind} | {worst} | {min(generic):.3f} - {max(generic):.3f} |"


def section(family: str) -> str:
    known = PUBLISHED.get(family)
    message = f"Published: {known.formula}. {known.source}." if known else "Nothing is published."
    return f"## {family}\n\n{message}\n\n{COLUMNS}"


def line(row: Row) -> str:
    published = "" if row.published is None else f"{row.published:,.0f}"
    ratio = "" if row.to_published is None else f"{row.to_published:.3f}"
    return (
        f"| {row.spec} | {row.memory:,} | {row.structured:,} | {published} | {ratio} "
        f"| {row.generic:,} | {row.generic_name} | {row.to_generic:.3f} |"
    )


COLUMNS = """| DAG | M | structured | published | ratio | best generic | by | ratio |
|---|---|---|---|---|---|---|---|"""

HEAD = """# Families: our schedules against the literature

Made by `python benchmarks/families.py`. All numbers are words counted by the engine, under one-shot
rules. The Dirac operator has the rules one-shot-sliding, as its theorem has.

Each family has three sizes. Each size has five memories, in geometric steps from the smallest one
to where generic schedulers reach the compulsory I/O.

- *Structured* is the family-specific schedule.
- *Published* is what the schedules of the literature move (`benchmarks/published/`), or the
  compulsory I/O if that is more. A *finite* form holds with all its terms. A *leading* form leaves
  out the other terms, which count most at either end.
- *Generic* is the best of program order, depth-first and least-live order with belady-cost and LRU
  eviction.

| family | published form | structured / published | structured / generic |
|---|---|---|---|"""

VERDICT = f"""## Rows above the limits

The structured schedule should be within {MOST_ABOVE_FINITE - 1:.0%} of a finite form,
and at most {MOST_ABOVE_GENERIC - 1:.0%} above generic. Rows beyond these limits: {{}}.

{COLUMNS}"""


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--families", help="only these, on the screen")
    options = parser.parse_args()
    chosen = options.families.split(",") if options.families else None
    wanted = [spec for spec in specs() if chosen is None or spec.partition(":")[0] in chosen]
    with ProcessPoolExecutor(options.jobs) as pool:
        rows = [row for entry in pool.map(measured, wanted) for row in entry]
    if chosen is None:
        PAGE.write_text(page(rows))
    else:
        print(page(rows))


if __name__ == "__main__":
    main()
