"""Counts without a DAG against the engine, which plays members of millions of vertices."""

from dataclasses import asdict, dataclass

from dags import load
from pebble import play
from redblue.experiments.bench import Bench
from redblue.show.model import Claim, Table, columns, judged
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


@dataclass(frozen=True)
class Counted:
    """A member whose words were counted by formulas, and by the engine as it played them.

    Parameters
    ----------
    spec, memory
        The member, and words of fast memory.
    vertices
        Vertices of its DAG.
    formula, engine
        Words loaded and stored, by either.
    """

    spec: str
    memory: int
    vertices: int
    formula: tuple[int, int]
    engine: tuple[int, int]


def counted_both_ways(spec: str, memory: int) -> Counted:
    """Return the words of a member's counted play, which is laid out part by part and played.

    Parameters
    ----------
    spec
        A member of a family with a counted play.
    memory
        Words of fast memory.
    """
    dag = load(spec)
    known = COUNTED_PLAYS[str(dag.family)]
    words = known.count(dag.params, memory)
    assert words is not None  # so it is for those that are listed
    assert known.tiles is not None
    found = play(dag, laid_out_in_parts(dag, known.tiles(dag, memory)), memory)
    return Counted(spec, memory, dag.n, (words.loads, words.stores), (found.loads, found.stores))


def all_counted(bench: Bench) -> list[Counted]:
    """Return members of a few thousand vertices, and of ten million in a full run."""
    return [_remembered(bench, spec, memory) for spec, memory in bench.pick(SMALL, LARGE)]


def _remembered(bench: Bench, spec: str, memory: int) -> Counted:
    """Return a member counted both ways, from the store if it is there."""
    words = bench.remembered(
        {"counted": spec, "memory": memory}, lambda: asdict(counted_both_ways(spec, memory))
    )
    return Counted(
        **{**words, "formula": tuple(words["formula"]), "engine": tuple(words["engine"])}
    )


def counts_claim(found: list[Counted]) -> Claim:
    """Return the claim that counts by formulas are those of the engine."""
    apart = [one for one in found if one.formula != one.engine]
    return Claim(
        "Words that are counted without a DAG are those that the engine counts",
        "this project",
        "the same loads and stores",
        f"the same for {len(found) - len(apart)} of {len(found)}, of "
        f"{min(one.vertices for one in found):,} to {max(one.vertices for one in found):,} "
        "vertices",
        judged(not apart),
        "each play is laid out a million computations at a time, and every move of it replayed",
    )


def counts_table(found: list[Counted]) -> Table:
    """Return the members, and words by both counts."""
    return Table(
        "counts-played",
        "Words of plays by the formulas that the laws above are read from, and by the engine.",
        columns("member", "vertices", "M [words]", "formula [words]", "engine [words]"),
        tuple(
            (one.spec, one.vertices, one.memory, sum(one.formula), sum(one.engine)) for one in found
        ),
    )
