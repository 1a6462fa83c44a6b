"""Factorizations: the square root of the memory, and leading constants."""

from math import sqrt

from proofs import TRENDS
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import (
    KUNG,
    POWER_FORMULA,
    constant_claim,
    gap_claim,
    law_claim,
    memory_claims,
)
from redblue.papers.experiments.recoveries import recovery_figure, recovery_of, recovery_table
from redblue.papers.experiments.studies import (
    UPDATES,
    Study,
    curve_table,
    io_figure,
    law_table,
    ratio_figure,
    study,
)
from redblue.show.model import Claim, Experiment, Figure, first_shown, judged
from redblue.show.rows import table

SECTION = f"{KUNG}, section 3.2"
PROVED_FACTOR = 3.0
AT = 91  # words of fast memory at which leading constants are read
SYMMETRIC = "O. Beaumont et al., I/O-optimal algorithms for symmetric kernels, 2022"


NAMES = {
    "lu": "LU factorization",
    "cholesky": "Cholesky factorization",
    "qr_givens": "QR by Givens rotations",
    "syrk": "Symmetric product",
}


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of factorizations against memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.2.
    """
    side = bench.pick(48, 72)
    studies = {family: study(bench, spec_of(family, side), bounds=UPDATES) for family in NAMES}
    leading = {family: leading_ratio(bench, family, side) for family in ("lu", "cholesky")}
    named = [(NAMES[family], study) for family, study in studies.items()]
    recoveries = [recovery_of(bench, name) for name in NAMES.values()]
    return Experiment(
        name="factorizations",
        title="LU, Cholesky, QR: the square root of the memory again",
        summary="Kung takes sqrt(M) columns at a time and finds sqrt(M) operations per word, as "
        "for products; he does not say that nothing does better, which is proved here. LU and "
        "Cholesky factorizations, Givens rotations and the symmetric product that Cholesky "
        "factorizations consist of are played by blocks.",
        claims=(
            *(law_claim(law, SECTION) for law in recoveries),
            *memory_claims(recoveries, SECTION),
            *(gap_claim(played, name, "proved here", PROVED_FACTOR) for name, played in named),
            *(constant_claim(NAMES[family], TRENDS[family][0].formula, TRENDS[family][0].source,
                             ratio, f"M = {AT}, the n^3 term alone, from n = {side // 2} and "
                             f"{side}") for family, ratio in leading.items()),
            square_claim(square_share(bench)),
        ),
        tables=first_shown((
            recovery_table(recoveries, "factorizations-recovered"),
            law_table(named, "factorizations-laws", "What the small curves tell."),
            *(curve_table(study, f"{family}-curve", f"{study.spec}, by its structured schedule.")
              for family, study in studies.items()),
            table("factorizations-constants", f"The n^3 term of the words played with M = {AT}, "
                  f"from n = {side // 2} and {side}, in the published leading term.", leading,
                  ("computation", lambda family: NAMES[family]),
                  ("published", lambda family: TRENDS[family][0].formula),
                  ("source", lambda family: TRENDS[family][0].source),
                  ("played / published", lambda family: round(leading[family], 3))),
        )),
        figures=first_shown((
            recovery_figure(recoveries, "factorizations-recovery", "Operations per word of "
                            "factorizations: of plays, and what no schedule exceeds."),
            ratio_figure(named, "factorizations-ratio",
                         "Operations per word of small ones, replayed."),
            *(_figure(family, study) for family, study in studies.items()),
        )),
        formula=POWER_FORMULA % (2, 2),
        references=("kung1986", "beaumont2022", "olivry2020"),
    )  # fmt: skip


def spec_of(family: str, n: int) -> str:
    """The DAG of a side."""
    return f"{family}:n={n}{f',k={n}' * (family == 'syrk')}"


def leading_ratio(bench: Bench, family: str, side: int) -> float:
    """The ratio of played words to the published leading term, for large matrices.

    Words are a n^3 + b n^2 + ... at a given memory; two sizes, one twice the other, give a.
    """
    trend = TRENDS[family][0]
    shares = []
    for n in (side // 2, side):
        curve = bench.curve(
            spec_of(family, n), [AT], schedulers=["structured"], bounds=["compulsory"]
        )
        ((_, io),) = curve.envelope("upper")
        shares.append(io / trend.words({"n": n}, AT))
    return 2 * shares[1] - shares[0]


def square_share(bench: Bench) -> tuple[str, int, float]:
    """A symmetric product, M, and its words without outputs in those of square tiles."""
    n, k, memory = bench.pick((156, 30, 79), (272, 40, 137))
    spec = f"syrk:n={n},k={k}"
    curve = bench.curve(spec, [memory], schedulers=["structured"], bounds=["compulsory"])
    ((_, io),) = curve.envelope("upper")
    return spec, memory, (io - n * (n + 1) / 2) * sqrt(memory) / (n * n * k)


def square_claim(square: tuple[str, int, float]) -> Claim:
    """The claim that triangle blocks move less than square tiles."""
    spec, memory, share = square
    return Claim(
        "Symmetric product: triangle blocks move fewer words than square tiles", SYMMETRIC,
        "less than 1 times n^2 k / sqrt(M), which square tiles move", f"{share:.3f} times",
        judged(1 / sqrt(2) <= share < 1),
        f"{spec}, M = {memory}, without the outputs; the limit for large problems, 1 / sqrt(2) = "
        "0.707, is not reached at this size", tolerance="below 1",
    )  # fmt: skip


def _figure(family: str, played: Study) -> Figure:
    trend = next(iter(TRENDS.get(family, ())), None)
    return io_figure(
        played,
        f"{family}-io",
        f"Words moved by {NAMES[family]}, {played.spec}.",
        "" if trend is None else trend.formula,
        None if trend is None else lambda memory: trend.of(played.dag, memory),
    )
