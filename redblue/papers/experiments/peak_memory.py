"""Peak memory of plays, and the least memory for which only the compulsory words move."""

from functools import partial
from typing import NamedTuple

from dags import load
from pebble import ONE_SHOT, Rules, compulsory_words, play
from redblue.papers.experiments.bench import Bench
from redblue.show.model import Axis, Claim, Experiment, Figure, Series, first_shown, judged
from redblue.show.rows import Row, grouped, listed, series, share, table
from schedulers import structured
from schedulers.exact import exact

USED = {
    "matmul:n=16": (8, 14, 22, 44, 74, 112, 200, 400),
    "fft:n=256": (6, 10, 18, 34, 66, 130, 200, 300, 400),
    "stencil:shape=64,steps=32": (6, 8, 12, 16, 24, 32, 48, 64, 96, 128),
    "pyramid:height=40": (4, 6, 8, 12, 16, 24, 32, 40, 48, 64),
}
SETHI = "Sethi and Ullman 1970; Savage, Models of Computation 1998"


class Known(NamedTuple):
    """A family, and the least memory with which only the compulsory words move, placing."""

    spec: str  # of size h
    beyond: int  # words more than h that are said to be enough, and one less not
    formula: str
    sizes: tuple[int, ...]  # those that are solved
    source: str


KNOWN = (
    Known("tree:height={0}", 2, "h + 2", (2, 3, 4), SETHI),
    Known("pyramid:height={0}", 2, "h + 2", (2, 4, 6, 8), "Cook 1974; Paterson and Hewitt 1970"),
    Known("fft:n={0}", 2, "n + 2", (4, 8, 16), "this project"),
    Known("bitonic_sort:n={0}", 2, "n + 2", (4, 8), "this project"),
    Known("grid:shape={0}x{0}", 1, "n + 1", (4, 6, 7), "this project"),
    Known("matvec:n={0}", 3, "N + 3", (3, 4, 5), "this project: x stays, and a sum grows"),
)


def experiment(bench: Bench) -> Experiment:
    """Experiment: peak memory of plays, and the least memory for compulsory I/O alone.

    The least is proved by complete search, on both sides, placing and sliding.

    Source
    ------
    R. Sethi and J. D. Ullman, The generation of optimal code for arithmetic expressions, 1970, for
    trees; S. A. Cook 1974 for pyramids: h + 1 pebbles where a result may slide onto an operand,
    one more where it is placed.
    """
    solved = [
        _solved(bench, known, size, rules)
        for known in KNOWN
        for size in known.sizes
        for rules in (ONE_SHOT, Rules(sliding=True))
    ]
    used = [_used(bench, spec, memory) for spec, sizes in USED.items() for memory in sizes]
    placed, slid = grouped(solved, "rules").values()
    largest = float(max(row["memory"] for row in used))
    return Experiment(
        name="peak-memory",
        title="Peak memory: what a play uses, and what is enough for the compulsory words",
        summary="With enough memory every input is loaded once and every output stored once. How "
        "much that is was found for small DAGs by complete search: a play with so many words, and "
        "the proof that one word less moves more. Placing takes one word more than sliding. "
        "Structured plays of larger DAGs use all of a small memory, and stop where all values that "
        "are live at once fit.",
        claims=(*(_known_claim(rows) for rows in grouped(placed, "known").values()),
                _sliding_claim(slid), _used_claim(used)),
        tables=first_shown((
            table("peak-least",
                  "The least memory with which only the compulsory words move, solved exactly.",
                  solved, "DAG <- spec", "rules <- rules", "least memory [words] <- least",
                  "compulsory [words] <- compulsory", "I/O [words] <- io",
                  "I/O with one word less [words] <- less", "proved [words] <- proved"),
            table("peak-used", "Words of fast memory that structured plays use at most, as the "
                  "engine counted them.", used, "DAG <- spec", "M [words] <- memory",
                  "peak [words] <- peak", "I/O [words] <- io", "compulsory [words] <- compulsory"),
        )),
        figures=(
            Figure("peak-memory", "Peak memory of structured plays against the memory that they "
                   "may use: level where all live values fit.", Axis("fast memory M [words]", 2),
                   Axis("peak [words]", 2), (
                       *(series(spec, rows, "memory", "peak", note=_note)
                         for spec, rows in grouped(used, "spec").items()),
                       Series("all of M", (4.0, largest), (4.0, largest), "theorem"))),
        ),
        references=("sethi1970", "cook1974", "savage1998"),
    )  # fmt: skip


def _solved(bench: Bench, known: Known, size: int, rules: Rules) -> Row:
    """The optimum with enough memory, and with one word less."""
    spec, memory = known.spec.format(size), size + known.beyond - rules.sliding
    enough, short = (
        bench.remembered(
            {"exact": spec, "least memory": memory, "rules": rules.name},
            partial(_optimum, spec, memory, rules),
        )
        for memory in (memory, memory - 1)
    )
    return {"known": known, "spec": spec, "rules": rules.name, "least": memory, "io": enough["io"],
            "compulsory": enough["compulsory"], "less": short["io"],
            "proved": short["bound"]}  # fmt: skip


def _optimum(spec: str, memory: int, rules: Rules) -> Row:
    """The optimal I/O, the compulsory I/O and the proved bound."""
    dag = load(spec)
    result = exact(dag, memory, rules=rules)
    assert result.schedule is not None  # the memory is enough to play
    count = play(dag, result.schedule, memory, rules=rules)
    return {"io": count.io, "bound": result.lower_bound, "compulsory": compulsory_words(dag)}


def _used(bench: Bench, spec: str, memory: int) -> Row:
    """The peak memory and the I/O of the structured play."""

    def compute() -> Row:
        dag = load(spec)
        count = play(dag, structured.blocks(dag, memory), memory)
        return {"spec": spec, "memory": memory, "peak": count.peak, "io": count.io,
                "compulsory": compulsory_words(dag)}  # fmt: skip

    row: Row = bench.remembered({"peak of": spec, "memory": memory}, compute)
    return row


def _tight(row: Row) -> bool:
    """Whether the memory is enough, and one word less is proved not to be."""
    return bool(row["io"] == row["compulsory"] < row["proved"])


def _note(row: Row) -> str:
    return f"peak {row['peak']:,} of {row['memory']:,}, {row['io']:,} words moved"


def _known_claim(rows: list[Row]) -> Claim:
    """The claim of a family that its formula is the least memory, placing."""
    known: Known = rows[0]["known"]
    text = listed((f"{row['less']} words with {row['least'] - 1}" for row in rows), joint="; ")
    sizes = listed(known.sizes)
    return Claim(
        f"Least memory for the compulsory words of {known.spec.partition(':')[0]}",
        known.source,
        f"{known.formula}: {listed(size + known.beyond for size in known.sizes)}",
        f"{listed(row['least'] for row in rows if _tight(row))} proved",
        judged(all(map(_tight, rows)), "proved"),
        f"sizes {sizes}, each computed vertex placed; optimal with one word less: {text}",
        kind="proof",
    )


def _sliding_claim(rows: list[Row]) -> Claim:
    all_tight, how_many = share(_tight, rows)
    return Claim(
        "Where a result may slide onto an operand, one word less is enough",
        "Savage, Models of Computation 1998: h + 1 for trees", f"{len(rows)} of {len(rows)} DAGs",
        how_many, judged(all_tight, "proved"),
        "the same DAGs under the rules one-shot-sliding, proved both ways", kind="proof",
    )  # fmt: skip


def _used_claim(used: list[Row]) -> Claim:
    small = [row for row in used if row["io"] > row["compulsory"]]
    idle = max(1 - row["peak"] / row["memory"] for row in small)
    within, how_many = share(lambda row: row["peak"] <= row["memory"], used)
    return Claim(
        "Structured plays use their memory, and no more", "this project",
        "peak within M; nine tenths of M until only compulsory words move",
        f"peak at most M in {how_many}; at most {idle:.1%} idle", judged(within and idle <= 0.1),
        f"{len(small)} plays that move more than the compulsory words, "
        f"{len(used) - len(small)} that do not", tolerance="nine tenths of M",
    )  # fmt: skip
