"""Matrix-vector products and triangular solves: no memory balances a faster machine."""

from collections.abc import Sequence
from typing import NamedTuple

from dags import load
from pebble import Rules
from redblue.answers.hardware import InvalidMachineError, ProcessingElement, rebalanced
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import KUNG, law_claim
from redblue.papers.experiments.recoveries import recovery_figure, recovery_of, recovery_table
from redblue.papers.experiments.studies import (
    LINEAR_RATIO,
    Study,
    curve_table,
    io_figure,
    law_table,
    ratio_figure,
    study,
)
from redblue.show.model import (
    Claim,
    Experiment,
    Figure,
    first_shown,
    judged,
)
from redblue.show.rows import listed, table
from schedulers.exact import exact

SECTION = f"{KUNG}, section 3.6"
SMALL = (2, 3, 4)
SLIDING = Rules(sliding=True)
PlateauRow = tuple[str, int, str, int, int, int]
LIMIT = 60.0  # seconds for each exact search; they take less than one


class Kernel(NamedTuple):
    """A computation that reads most of its inputs once."""

    name: str
    family: str
    beside: int  # words beside N with which only the compulsory words move, where results slide
    bound: str

    def spec(self, n: int) -> str:
        """The DAG of n rows."""
        return f"{self.family}:n={n}"

    def compulsory(self, n: int) -> int:
        """N^2 + 2N words, or for a triangle N (N + 1) / 2 + 2N."""
        return n * n + 2 * n if self.family == "matvec" else n * (n + 1) // 2 + 2 * n


MATVEC = Kernel("Matrix-vector product", "matvec", 2, "projections")
SOLVE = Kernel("Triangular solve", "triangular_solve", 1, "affine")


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of I/O-bound computations against memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.6.
    """
    n = bench.pick(64, 128)
    studies = {
        kernel: study(bench, kernel.spec(n), bounds=(kernel.bound,)) for kernel in (MATVEC, SOLVE)
    }
    named = [(kernel.name, study) for kernel, study in studies.items()]
    recoveries = [recovery_of(bench, kernel.name) for kernel in studies]
    rows = {kernel: plateau_rows(bench, kernel) for kernel in studies}
    return Experiment(
        name="memory-bound",
        title="Matrix-vector products and triangular solves: no memory is enough",
        summary="Every entry of the matrix is read for one multiplication and one addition, so "
        "that the operations per word stay below two whatever the memory. They rise a little as "
        "long as the vectors are read again, and end at a plateau, at a size of memory that is "
        "known to the word.",
        claims=tuple(
            claim
            for (kernel, study), law in zip(studies.items(), recoveries, strict=True)
            for claim in (law_claim(law, SECTION), ceiling_claim(kernel, study, n),
                          plateau_claim(bench, kernel, n), proved_claim(kernel, rows[kernel]),
                          impossible_claim(kernel, study))
        ),
        tables=first_shown((
            recovery_table(recoveries, "memory-bound-recovered"),
            table("memory-bound-plateau", "Optimal words, by exact search, with the memory that is "
                  "enough and with a word less.", [row for each in rows.values() for row in each],
                  "DAG", "N", "rules", "M [words]", "optimum [words]", "compulsory [words]"),
            law_table(named, "memory-bound-laws", "What the small curves tell."),
            *(curve_table(study, f"{kernel.family}-curve",
                          f"{study.spec}, by its structured schedule.")
              for kernel, study in studies.items()),
        )),
        figures=first_shown((
            *(_figure(kernel, study, n) for kernel, study in studies.items()),
            ratio_figure(named, "memory-bound-ratio",
                         "Operations per word, below two for ever.", LINEAR_RATIO),
            recovery_figure(recoveries, "memory-bound-recovery",
            "Operations per word of large members: "
                            "of plays, and what no schedule exceeds."),
        )),
        formula=r"\frac{C_\text{comp}}{C_\text{io}} \le 2 \quad\text{for every } M",
        references=("kung1986",),
    )  # fmt: skip


def ceiling_claim(kernel: Kernel, played: Study, n: int) -> Claim:
    """The claim that operations per word stay below those of compulsory words."""
    limit = played.points.work / kernel.compulsory(n)
    ratios = played.points.ratios
    return Claim(
        f"{kernel.name}: inputs are used a constant number of times",
        SECTION,
        f"R at most {limit:.5f}, for all words that must move",
        f"R from {ratios[0]:.5f} to {ratios[-1]:.5f}",
        judged(bool((ratios <= limit * (1 + 1e-12)).all())),
        f"{played.spec}, M = {played.points.memories[0]:,.0f} to {played.points.memories[-1]:,.0f}",
        tolerance="at most",
    )


def plateau_claim(bench: Bench, kernel: Kernel, n: int) -> Claim:
    """The claim that more memory than N and a word or two is of no use."""
    enough = n + kernel.beside
    spec, sizes = kernel.spec(n), [enough - 1, enough, enough + 1, 2 * n]
    curve = bench.curve(
        spec, sizes, schedulers=["structured"], bounds=["compulsory"], rules=SLIDING
    )
    io = dict(curve.envelope("upper"))
    compulsory = kernel.compulsory(n)
    return Claim(
        f"{kernel.name}: memory beyond a certain size is of no use",
        SECTION,
        f"{compulsory:,} words from M = N + {kernel.beside} = {enough} on, more below",
        ", ".join(f"{words:,} with {memory}" for memory, words in io.items()),
        judged(io[enough - 1] > compulsory == io[enough] == io[2 * n]),
        f"{spec}, where a result may slide into the place of an operand; else a word more",
    )


def proved_claim(kernel: Kernel, rows: Sequence[PlateauRow]) -> Claim:
    """The proof for small N that the plateau begins exactly there, by exact search."""
    slid = [row for row in rows if row[2] == SLIDING.name]
    exactly = all(
        (io == compulsory) == (memory >= n + kernel.beside)
        for _, n, _, memory, io, compulsory in slid
    )
    return Claim(
        f"{kernel.name}: with one word less, no schedule does", "exact search over all plays",
        f"only compulsory words exactly from N + {kernel.beside} on",
        listed(f"N = {n}, M = {memory}: {io - compulsory:+}" for _, n, _, memory, io,
        compulsory in slid),
        judged(bool(slid) and exactly, "proved"), "optima, in words above the compulsory ones",
        kind="proof",
    )  # fmt: skip


def plateau_rows(bench: Bench, kernel: Kernel) -> list[PlateauRow]:
    """(family, N, rules, M, optimal words, compulsory words) around the plateau's begin."""
    rows = []
    for n in SMALL:
        for rules, extra in ((SLIDING, 0), (Rules(), 1)):
            for memory in (n + kernel.beside + extra - 1, n + kernel.beside + extra):
                best = _optimum(bench, kernel.spec(n), memory, rules)
                rows.append((kernel.family, n, rules.name, memory, best, kernel.compulsory(n)))
    return [row for row in rows if row[4]]


def _optimum(bench: Bench, spec: str, memory: int, rules: Rules) -> int:
    """The least words of any play; 0 where none is possible."""

    def search() -> int:
        result = exact(load(spec), memory, rules=rules, seed=bench.seed, time_limit=LIMIT)
        return result.lower_bound if result.status == "optimal" else 0

    configuration = {"exact": spec, "memory": memory, "rules": rules.name, "seed": bench.seed}
    return int(bench.remembered(configuration, search))


def impossible_claim(kernel: Kernel, played: Study) -> Claim:
    """The claim that a machine that is balanced cannot be balanced again."""
    law, memory = played.found.law, int(played.points.memories[-1])
    if law is None:
        answer = "no law"
    else:
        element = ProcessingElement(law.coefficient, 1.0, memory)
        try:
            answer = f"{rebalanced(element, law, 2.0).memory:,.0f} words"
        except InvalidMachineError:
            answer = "no memory does it"
    return Claim(
        f"{kernel.name}: a machine with twice the arithmetic cannot be balanced again", SECTION,
        "impossible", answer, judged(answer == "no memory does it", "recomputed"),
        f"{played.spec}, by the law that was found", kind="formulas",
    )  # fmt: skip


def _figure(kernel: Kernel, played: Study, n: int) -> Figure:
    return io_figure(
        played,
        f"{kernel.family}-io",
        f"Words moved by {played.spec}.",
        "compulsory",
        lambda _memory: float(kernel.compulsory(n)),
    )
