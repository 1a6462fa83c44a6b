"""Counts without a DAG against the engine, which plays members of millions of vertices."""

from functools import partial

from dags import load
from pebble import play
from redblue.papers.experiments.bench import Bench
from redblue.show.model import Claim, Table, judged
from redblue.show.rows import Row, share, table
from schedulers import COUNTED_PLAYS
from schedulers.counted import laid_out_in_parts

SMALL = (
    ("matmul:n=24", 100),
    ("stencil:shape=16x16,steps=16", 100),
    ("fft:n=1024", 34),
    ("lu:n=24", 100),
)
LARGE = (
    ("matmul:n=216", 1024),
    ("stencil:shape=128x128,steps=640", 1024),
    ("fft:n=524288", 1026),
    ("lu:n=312", 1024),
    ("cholesky:n=500", 1000),
    ("syrk:n=500,k=80", 1000),
    ("qr_givens:n=240", 1000),
    ("bitonic_sort:n=65536", 300),
    ("stencil:shape=60x60x60,steps=50", 1000),
    ("stencil:shape=24x24x24x24,steps=30", 3000),
)


def counted_both_ways(spec: str, memory: int) -> Row:
    """Return the loads and stores of a member by formulas, and by the engine.

    The engine plays the counted play, which is laid out part by part.
    """
    dag = load(spec)
    known = COUNTED_PLAYS[str(dag.family)]
    words = known.count(dag.params, memory)
    assert words is not None  # so it is for those that are listed
    assert known.tiles is not None
    found = play(dag, laid_out_in_parts(dag, known.tiles(dag, memory)), memory)
    return {"spec": spec, "memory": memory, "vertices": dag.n,
            "formula": (words.loads, words.stores),
            "engine": (found.loads, found.stores)}  # fmt: skip


def all_counted(bench: Bench) -> list[Row]:
    """Return members of a few thousand vertices, and of ten million in a full run."""
    return [
        bench.remembered(
            {"counted": spec, "memory": memory}, partial(counted_both_ways, spec, memory)
        )
        for spec, memory in bench.pick(SMALL, LARGE)
    ]


def counts_claim(found: list[Row]) -> Claim:
    """Return the claim that counts by formulas are those of the engine."""
    same, how_many = share(lambda one: one["formula"] == one["engine"], found)
    vertices = [one["vertices"] for one in found]
    return Claim(
        "Words that are counted without a DAG are those that the engine counts",
        "this project",
        "the same loads and stores",
        f"the same for {how_many}, of {min(vertices):,} to {max(vertices):,} vertices",
        judged(same),
        "each play is laid out a million computations at a time, and every move of it replayed",
    )


def counts_table(found: list[Row]) -> Table:
    """Return the members, and words by both counts."""
    return table(
        "counts-played",
        "Words of plays by the formulas that the laws above are read from, and by the engine.",
        found, "member <- spec", "vertices <- vertices", "M [words] <- memory",
        ("formula [words]", lambda one: sum(one["formula"])),
        ("engine [words]", lambda one: sum(one["engine"])),
    )  # fmt: skip
