"""Peak memory of plays, and the least memory for which only the compulsory words move."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from dags import load
from pebble import ONE_SHOT, Rules, play
from redblue.experiments.bench import Bench
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Series,
    Table,
    columns,
    first_shown,
    judged,
    rows_of,
)
from schedulers import structured
from schedulers.exact import exact

SLIDING = Rules(sliding=True)
USED = {
    "matmul:n=16": (8, 14, 22, 44, 74, 112, 200, 400),
    "fft:n=256": (6, 10, 18, 34, 66, 130, 200, 300, 400),
    "stencil:shape=64,steps=32": (6, 8, 12, 16, 24, 32, 48, 64, 96, 128),
    "pyramid:height=40": (4, 6, 8, 12, 16, 24, 32, 40, 48, 64),
}


@dataclass(frozen=True)
class Known:
    """A family and the least memory with which only the compulsory words move, placing.

    Parameters
    ----------
    spec
        The DAG of size h, as text with places for h.
    least
        Words that are said to be enough, and one less not; sliding takes one less.
    formula, sizes, source
        The same in words, the sizes that are solved, and who says so.
    """

    spec: str
    least: Callable[[int], int]
    formula: str
    sizes: tuple[int, ...]
    source: str


KNOWN = (
    Known("tree:height={0}", lambda h: h + 2, "h + 2", (2, 3, 4),
          "Sethi and Ullman 1970; Savage, Models of Computation 1998"),
    Known("pyramid:height={0}", lambda h: h + 2, "h + 2", (2, 4, 6, 8),
          "Cook 1974; Paterson and Hewitt 1970"),
    Known("fft:n={0}", lambda n: n + 2, "n + 2", (4, 8, 16), "this project"),
    Known("bitonic_sort:n={0}", lambda n: n + 2, "n + 2", (4, 8), "this project"),
    Known("grid:shape={0}x{0}", lambda n: n + 1, "n + 1", (4, 6, 7), "this project"),
    Known("matvec:n={0}", lambda n: n + 3, "N + 3", (3, 4, 5),
          "this project: x stays, and a sum grows"),
)  # fmt: skip

Row = dict[str, Any]


def experiment(bench: Bench) -> Experiment:
    """Experiment: peak memory of plays, and the least memory for compulsory I/O alone.

    The least is proved by complete search, on both sides, placing and sliding.

    Source
    ------
    R. Sethi and J. D. Ullman, The generation of optimal code for arithmetic expressions, 1970, for
    trees; S. A. Cook 1974 for pyramids: h + 1 pebbles where a result may slide onto an operand,
    one more where it is placed.
    """
    solved = [row for known in KNOWN for row in _solved(bench, known)]
    used = [_used(bench, spec, memory) for spec, sizes in USED.items() for memory in sizes]
    return Experiment(
        name="peak-memory",
        title="Peak memory: what a play uses, and what is enough for the compulsory words",
        summary=(
            "With enough memory every input is loaded once and every output stored once. How much "
            "that is was found for small DAGs by complete search: a play with so many words, and "
            "the proof that one word less moves more. Placing takes one word more than sliding. "
            "Structured plays of larger DAGs use all of a small memory, and stop where all "
            "values that are live at once fit."
        ),
        claims=(*_known_claims(solved), _sliding_claim(solved), _used_claim(used)),
        tables=first_shown((_solved_table(solved), _used_table(used))),
        figures=(_figure(used),),
        references=("sethi1970", "cook1974", "savage1998"),
    )


def _solved(bench: Bench, known: Known) -> list[Row]:
    """Return for each size and either rules the optimum with enough memory, and with one less."""
    rows = []
    for size in known.sizes:
        spec = known.spec.format(size)
        for rules in (ONE_SHOT, SLIDING):
            least = known.least(size) - (rules == SLIDING)
            enough, less = (
                bench.remembered(
                    {"exact": spec, "least memory": memory, "rules": rules.name},
                    partial(_optimum, spec, memory, rules),
                )
                for memory in (least, least - 1)
            )
            rows.append({"known": known, "spec": spec, "rules": rules.name, "least": least,
                         "enough": enough, "less": less})  # fmt: skip
    return rows


def _optimum(spec: str, memory: int, rules: Rules) -> Row:
    """Return the optimal I/O, the compulsory I/O and the proved bound."""
    dag = load(spec)
    found = exact(dag, memory, rules=rules)
    compulsory = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    assert found.schedule is not None  # the memory is enough to play
    count = play(dag, found.schedule, memory, rules=rules)
    return {"io": count.io, "bound": found.lower_bound, "compulsory": compulsory}


def _used(bench: Bench, spec: str, memory: int) -> Row:
    """Return the peak memory and the I/O of the structured play."""

    def compute() -> Row:
        dag = load(spec)
        count = play(dag, structured.blocks(dag, memory), memory)
        compulsory = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
        return {"spec": spec, "memory": memory, "peak": count.peak, "io": count.io,
                "compulsory": compulsory}  # fmt: skip

    row: Row = bench.remembered({"peak of": spec, "memory": memory}, compute)
    return row


def _tight(row: Row) -> bool:
    """Return whether the memory is enough, and one word less is proved not to be."""
    enough, less = row["enough"], row["less"]
    return bool(enough["io"] == enough["compulsory"] and less["bound"] > less["compulsory"])


def _known_claims(solved: list[Row]) -> list[Claim]:
    """Return the claim of each family that its formula is the least memory."""
    claims = []
    for known in KNOWN:
        here = [row for row in solved if row["known"] == known and row["rules"] == ONE_SHOT.name]
        extra = "; ".join(f"{row['less']['io']} words with {row['least'] - 1}" for row in here)
        claims.append(
            Claim(
                f"Least memory for the compulsory words of {known.spec.partition(':')[0]}",
                known.source,
                f"{known.formula}: {', '.join(str(known.least(size)) for size in known.sizes)}",
                f"{', '.join(str(row['least']) for row in here if _tight(row))} proved",
                judged(all(map(_tight, here)), "proved"),
                f"sizes {', '.join(map(str, known.sizes))}, each computed vertex placed; optimal "
                f"with one word less: {extra}",
                kind="proof",
            )
        )
    return claims


def _sliding_claim(solved: list[Row]) -> Claim:
    here = [row for row in solved if row["rules"] == SLIDING.name]
    tight = sum(map(_tight, here))
    return Claim(
        "Where a result may slide onto an operand, one word less is enough",
        "Savage, Models of Computation 1998: h + 1 for trees",
        f"{len(here)} of {len(here)} DAGs",
        f"{tight} of {len(here)}",
        judged(tight == len(here), "proved"),
        "the same DAGs under the rules one-shot-sliding, proved both ways",
        kind="proof",
    )


def _used_claim(used: list[Row]) -> Claim:
    ended = [row for row in used if row["io"] == row["compulsory"]]
    small = [row for row in used if row["io"] > row["compulsory"]]
    idle = max(1 - row["peak"] / row["memory"] for row in small)
    return Claim(
        "Structured plays use their memory, and no more",
        "this project",
        "peak within M; nine tenths of M until only compulsory words move",
        f"peak at most M in {sum(row['peak'] <= row['memory'] for row in used)} of {len(used)}; "
        f"at most {idle:.1%} idle",
        judged(all(row["peak"] <= row["memory"] for row in used) and idle <= 0.1),
        f"{len(small)} plays that move more than the compulsory words, {len(ended)} that do not",
        tolerance="nine tenths of M",
    )


def _solved_table(solved: list[Row]) -> Table:
    names = ("DAG", "rules", "least memory [words]", "compulsory [words]", "I/O [words]",
             "I/O with one word less [words]", "proved [words]")  # fmt: skip
    rows = (
        (row["spec"], row["rules"], row["least"], row["enough"]["compulsory"], row["enough"]["io"],
         row["less"]["io"], row["less"]["bound"])
        for row in solved
    )  # fmt: skip
    caption = "The least memory with which only the compulsory words move, solved exactly."
    return Table("peak-least", caption, columns(*names), rows_of(*rows))


def _used_table(used: list[Row]) -> Table:
    names = "DAG", "M [words]", "peak [words]", "I/O [words]", "compulsory [words]"
    rows = ((row["spec"], row["memory"], row["peak"], row["io"], row["compulsory"]) for row in used)
    caption = "Words of fast memory that structured plays use at most, as the engine counted them."
    return Table("peak-used", caption, columns(*names), rows_of(*rows))


def _figure(used: list[Row]) -> Figure:
    """Return the figure of peak memory against memory."""
    series = []
    for spec in USED:
        here = [row for row in used if row["spec"] == spec]
        notes = tuple(
            f"peak {row['peak']:,} of {row['memory']:,}, {row['io']:,} words moved" for row in here
        )
        x, y = ([float(row[key]) for row in here] for key in ("memory", "peak"))
        series.append(Series(spec, tuple(x), tuple(y), "measured", notes))
    most = float(max(row["memory"] for row in used))
    series.append(Series("all of M", (4.0, most), (4.0, most), "theorem"))
    return Figure(
        "peak-memory",
        "Peak memory of structured plays against the memory that they may use: level where all "
        "live values fit.",
        Axis("fast memory M [words]", 2),
        Axis("peak [words]", 2),
        tuple(series),
    )
