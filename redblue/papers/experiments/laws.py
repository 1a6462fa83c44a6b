"""The laws of all computations in one table, and the memory that machines need by them."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from dags import load
from pebble import play
from proofs.laws import CONSTANT, LOGARITHM, Law
from redblue.answers.hardware import ProcessingElement, rebalanced
from redblue.papers.experiments.array_claims import array_claims, array_table
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import KUNG
from redblue.papers.experiments.recoveries import (
    COMPUTATIONS,
    Recovery,
    members_table,
    recovery,
    recovery_figure,
    recovery_table,
)
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Series,
    Table,
    Verdict,
    first_shown,
    judged,
)
from redblue.show.rows import Row, listed, share, table
from schedulers import COUNTED_PLAYS
from schedulers.counted import laid_out_in_parts

MEMORY = 1024  # words of the machine that is rebalanced
ALPHAS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
SUMMARY = f"{KUNG}, section 3, summary of the results"
SHOWN = ("Matrix product", "Relaxation in 3 dimensions", "Fourier transform",
         "Matrix-vector product")  # fmt: skip


def experiment(bench: Bench) -> Experiment:
    """Experiment: the law of each computation by plays and proofs, and the memory it asks for.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 2 to 5.
    """
    recoveries = [recovery(bench, computation) for computation in COMPUTATIONS]
    counted = all_counted(bench)
    shown = [recovered for recovered in recoveries if recovered.computation.name in SHOWN]
    return Experiment(
        name="laws",
        title="All laws: how memory must grow with arithmetic",
        summary="A law counts as recovered where plays and proofs both follow it over decades of "
        "memory, where the words moved stay below a constant times the words proved, without a "
        "trend, and where every rival law is off. What falls short is called consistent or "
        "undecided.",
        claims=(agreement_claim(recoveries), counts_claim(counted), rebalancing_claim(),
        least_claim(),
                *array_claims(bench)),
        tables=first_shown((recovery_table(recoveries),
        members_table(recoveries, halves=not bench.quick),
                            counts_table(counted), array_table())),
        figures=first_shown((
            recovery_figure(shown, "laws", "Operations per word against memory, four laws: symbols "
                            "are plays, dashed lines what no schedule exceeds."),
            rebalancing_figure(),
        )),
        formula=r"R \sim M^{1/d}: \; M_\text{new} = \alpha^{d} M_\text{old}, \qquad "
        r"R \sim \log\, M: \; M_\text{new} = M_\text{old}^{\alpha}",
        references=("kung1986", "hong1981"),
    )  # fmt: skip


def agreement_claim(recoveries: Sequence[Recovery]) -> Claim:
    """The claim that all computations follow their published laws."""
    counts = Counter(recovered.finding.status for recovered in recoveries)
    exceptions = [
        recovered.computation.name
        for recovered in recoveries
        if recovered.finding.status != "recovered"
    ]
    verdict: Verdict = "consistent" if counts["consistent"] == len(exceptions) else "undecided"
    if not exceptions:
        verdict = "recovered"
    return Claim(
        "Every computation follows its published law", SUMMARY,
        f"all of {len(recoveries)} recovered",
        ", ".join(f"{count} {status}" for status, count in counts.items()),
        "refuted" if counts["differs"] else verdict,
        "not recovered: " + ", ".join(exceptions) if exceptions else "", tolerance="as in table 1",
    )  # fmt: skip


def grown(law: Law | None, alpha: float = 2.0) -> int | str | None:
    """The words that balance `alpha` times the arithmetic again."""
    if law is None:
        return None
    if law.kind == "constant":
        return "impossible"
    element = ProcessingElement(compute=law.ratio(MEMORY), bandwidth=1.0, memory=MEMORY)
    return round(rebalanced(element, law, alpha).memory)


Answers = dict[int, int | str | None]  # words of memory by alpha

PUBLISHED: dict[str, tuple[Law, Answers]] = {
    "matrix computations": (Law("power", 0.5), {2: 4096, 3: 9216}),
    "grids of 1 dimension": (Law("power", 1.0), {2: 2048}),
    "grids of 2 dimensions": (Law("power", 1 / 2), {2: 4096}),
    "grids of 3 dimensions": (Law("power", 1 / 3), {2: 8192}),
    "grids of 4 dimensions": (Law("power", 1 / 4), {2: 16384}),
    "Fourier transforms and sorting": (LOGARITHM, {2: 1024**2, 3: 1024**3}),
    "I/O-bound computations": (CONSTANT, {2: "impossible"}),
}


def rebalancing_claim() -> Claim:
    """The claim on a machine with 1,024 words, law by law, computed by `machines`."""
    answers: dict[str, Answers] = {
        name: {alpha: grown(law, alpha) for alpha in wanted}
        for name, (law, wanted) in PUBLISHED.items()
    }
    expected = {name: wanted for name, (_, wanted) in PUBLISHED.items()}
    laws = ", ".join(dict.fromkeys(law.name for law, _ in PUBLISHED.values()))
    return Claim(
        f"The memory of a machine of {MEMORY:,} words, with alpha times the arithmetic", SUMMARY,
        "; ".join(f"{name}: {_answers_text(answers_of_law)}" for name,
        answers_of_law in expected.items()),
        "the same" if answers == expected else "; ".join(map(_answers_text, answers.values())),
        judged(answers == expected, "recomputed"),
        f"arithmetic on the laws {laws}, which are recovered from plays, by hardware.rebalanced",
        kind="formulas", tolerance="nearest word",
    )  # fmt: skip


def _answers_text(answers: Answers) -> str:
    return listed(
        f"{f'{words:,} words' if isinstance(words, int) else words} for alpha = {alpha}"
        for alpha, words in answers.items()
    )


def least_claim() -> Claim:
    """Kung's classification of scientific computing, and the computation that escapes it."""
    factors = {name: grown(law) for name, (law, _) in PUBLISHED.items()}
    below = [
        name for name, words in factors.items() if isinstance(words, int) and words < 4 * MEMORY
    ]
    return Claim(
        "Scientific computing needs M_new >= alpha^2 M_old",
        f"{KUNG}, section 4, equation (6)",
        "4 times or more for alpha = 2, for grids of various dimensions too",
        f"less for {', '.join(below)}" if below else "4 times or more for all",
        judged(below == ["grids of 1 dimension"], "corrected"),
        "a grid of d dimensions needs alpha^d, so that (6) holds from two dimensions on",
        kind="formulas",
    )


def rebalancing_figure() -> Figure:
    """The memory that alpha times the arithmetic needs, law by law."""
    shown = {law.name: law for law, _ in PUBLISHED.values() if law.kind != "constant"}
    return Figure(
        "laws-rebalance",
        f"Memory that balances alpha times the arithmetic again, from {MEMORY:,} words.",
        Axis("alpha: growth of operations per second, at the same words per second"),
        Axis("fast memory [words]", base=2),
        tuple(
            Series(name, ALPHAS, tuple(law.rebalance(a, MEMORY) for a in ALPHAS), "theorem")
            for name, law in shown.items()
        ),
    )


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
    """The loads and stores of a member by formulas, and by the engine.

    The engine plays the counted play, which is laid out part by part.
    """
    dag = load(spec)
    known = COUNTED_PLAYS[str(dag.family)]
    words = known.count(dag.params, memory)
    assert words is not None  # so it is for those that are listed
    assert known.tiles is not None
    count = play(dag, laid_out_in_parts(dag, known.tiles(dag, memory)), memory)
    return {"spec": spec, "memory": memory, "vertices": dag.n,
            "formula": (words.loads, words.stores),
            "engine": (count.loads, count.stores)}  # fmt: skip


def all_counted(bench: Bench) -> list[Row]:
    """Members of a few thousand vertices, and of ten million in a full run."""
    return [
        bench.remembered(
            {"counted": spec, "memory": memory}, partial(counted_both_ways, spec, memory)
        )
        for spec, memory in bench.pick(SMALL, LARGE)
    ]


def counts_claim(rows: list[Row]) -> Claim:
    """The claim that counts by formulas are those of the engine."""
    all_equal, how_many = share(lambda row: row["formula"] == row["engine"], rows)
    vertices = [row["vertices"] for row in rows]
    return Claim(
        "Words that are counted without a DAG are those that the engine counts",
        "this project",
        "the same loads and stores",
        f"the same for {how_many}, of {min(vertices):,} to {max(vertices):,} vertices",
        judged(all_equal),
        "each play is laid out a million computations at a time, and every move of it replayed",
    )


def counts_table(rows: list[Row]) -> Table:
    """The members, and words by both counts."""
    return table(
        "counts-played",
        "Words of plays by the formulas that the laws above are read from, and by the engine.",
        rows, "member <- spec", "vertices <- vertices", "M [words] <- memory",
        ("formula [words]", lambda row: sum(row["formula"])),
        ("engine [words]", lambda row: sum(row["engine"])),
    )  # fmt: skip
