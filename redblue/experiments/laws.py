"""The laws of all computations in one table, and the memory that machines need by them."""

from dataclasses import dataclass

from machines import ProcessingElement, rebalanced
from proofs.laws import CONSTANT, LOGARITHM, Law, published_law
from redblue.experiments.array_claims import array_claims, array_table
from redblue.experiments.bench import Bench
from redblue.experiments.grids import QUICK
from redblue.experiments.law_claims import KUNG
from redblue.experiments.result import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Series,
    Table,
    columns,
    judged,
)
from redblue.experiments.studies import Study, study
from redblue.fit import against

MEMORY = 1024  # words of the machine that is rebalanced
ALPHAS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
SUMMARY = f"{KUNG}, section 3, summary of the results"


@dataclass(frozen=True)
class Computation:
    """A computation that is large enough to show its law."""

    name: str
    spec: str
    memories: tuple[int, ...] | None = None


COMPUTATIONS = (
    Computation("Matrix product", "matmul:n=48"),
    Computation("LU factorization", "lu:n=48"),
    Computation("Cholesky factorization", "cholesky:n=48"),
    Computation("QR by Givens rotations", "qr_givens:n=48"),
    Computation("Symmetric product A A^T", "syrk:n=48,k=48"),
    *(
        Computation(f"Relaxation in {d} dimension{'s' if d > 1 else ''}", grid.spec, grid.memories)
        for d, grid in QUICK.items()
    ),
    Computation("Grid in 2 dimensions, one point after another", "grid:shape=200x200"),
    Computation("Grid in 3 dimensions, one point after another", "grid:shape=40x40x40"),
    Computation("Pyramid", "pyramid:height=150"),
    Computation("Odd-even transposition sort", "odd_even_transposition_sort:n=160"),
    Computation("Fourier transform", "fft:n=4096"),
    Computation("Bitonic sort", "bitonic_sort:n=4096"),
    Computation("Odd-even merge sort", "odd_even_merge_sort:n=4096"),
    Computation("Merge sort", "merge_sort:n=4096"),
    Computation("Matrix-vector product", "matvec:n=64"),
    Computation("Triangular solve", "triangular_solve:n=64"),
    Computation("Sparse matrix-vector product", "spmv:shape=32x32"),
    Computation("One sweep over a grid", "sweep:shape=40x40"),
)


def experiment(bench: Bench) -> Experiment:
    """Experiment: the fitted law of each computation, and the memory it asks for.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 2 to 5.
    """
    studies = {each: study(bench, each.spec, each.memories) for each in COMPUTATIONS}
    return Experiment(
        name="laws",
        title="All laws: how memory must grow with arithmetic",
        summary=(
            "Every computation of Kung's paper, and others that follow from it, was played at "
            "sizes of memory to which its schedule is tuned; the law was chosen by the curve "
            "alone. The last columns say what it means: a machine with 1,024 words that was "
            "balanced computes twice as fast, and its link stays as it is. How much memory does "
            "it need? Arrays of machines answer by their dimension: they balance themselves if it "
            "is that of the law."
        ),
        claims=(agreement_claim(studies), *rebalancing_claims(), least_claim(), *array_claims()),
        tables=(all_laws_table(studies), array_table()),
        figures=(rebalancing_figure(),),
    )


def agreement_claim(studies: dict[Computation, Study]) -> Claim:
    """Return the claim that all computations follow their published laws."""
    verdicts = [against(each.found, published_law(each.dag)) for each in studies.values()]
    counts = {verdict: verdicts.count(verdict) for verdict in sorted(set(verdicts))}
    others = [
        each.name
        for each, verdict in zip(studies, verdicts, strict=True)
        if verdict not in ("agrees", "unpublished")
    ]
    return Claim(
        "Every computation follows its published law",
        SUMMARY,
        f"all of {len(verdicts)}",
        ", ".join(f"{count} {verdict}" for verdict, count in counts.items()),
        judged("differs" not in verdicts) if verdicts.count("undecided") == 0 else "undecided",
        ", ".join(others) or "kind of law, and exponents within their interval and 0.06",
    )


def all_laws_table(studies: dict[Computation, Study]) -> Table:
    """Return the table of fitted and published laws, and of the memory that machines need."""
    return Table(
        "all-laws",
        "The law that was found and the published one; M for twice the arithmetic, from "
        f"{MEMORY:,} words.",
        columns(
            "computation",
            "DAG",
            "law found",
            "low",
            "high",
            "published",
            "verdict",
            "M by the law found [words]",
            "M by the published law [words]",
        ),
        tuple(_law_row(each, played) for each, played in studies.items()),
    )


def _law_row(each: Computation, played: Study) -> tuple[str | float | int | None, ...]:
    found, published = played.found, published_law(played.dag)
    low, high = found.interval or (None, None)
    return (
        each.name,
        each.spec,
        "not told" if found.law is None else found.law.name,
        None if low is None else round(low, 3),
        None if high is None else round(high, 3),
        None if published is None else published.name,
        against(found, published),
        grown(found.law),
        grown(published),
    )


def grown(law: Law | None, alpha: float = 2.0) -> int | str | None:
    """Return the words that balance `alpha` times the arithmetic again."""
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


def rebalancing_claims() -> tuple[Claim, ...]:
    """Return the claims on a machine with 1,024 words, one a law, computed by `machines`."""
    return tuple(_rebalancing_claim(name, law, wanted) for name, (law, wanted) in PUBLISHED.items())


def _rebalancing_claim(name: str, law: Law, wanted: Answers) -> Claim:
    answers: Answers = {alpha: grown(law, alpha) for alpha in wanted}
    return Claim(
        f"A machine of {MEMORY:,} words for {name}, with alpha times the arithmetic",
        SUMMARY,
        _answers_text(wanted),
        _answers_text(answers),
        judged(answers == wanted),
        f"the law {law.name}, by machines.rebalanced, to the nearest word",
    )


def _answers_text(answers: Answers) -> str:
    texts = (
        f"{words:,} words" if isinstance(words, int) else str(words) for words in answers.values()
    )
    return "; ".join(f"alpha = {alpha}: {text}" for alpha, text in zip(answers, texts, strict=True))


def least_claim() -> Claim:
    """Return Kung's classification of scientific computing, and the computation that escapes it."""
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
    )


def rebalancing_figure() -> Figure:
    """Return the memory that alpha times the arithmetic needs, law by law."""
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
