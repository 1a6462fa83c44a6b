"""Recoveries of laws, by counted plays, proofs, and a blind reader; their tables and figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dags import Computation, load
from pebble import compulsory_words, min_memory
from proofs.laws import Law, law_of
from proofs.laws.closed_forms import FORMS
from redblue.answers.counted import counted_curve
from redblue.answers.counted.finite_sizes import bias, halved
from redblue.laws.fit.played import geometric
from redblue.laws.fit.points import Floats, overhead_of
from redblue.laws.sandwich import (
    Corridor,
    Demands,
    Finding,
    Seen,
    candidate,
    corridor_of,
    exponent_range,
    held_against,
    local_exponents,
    seen_law,
)
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.studies import study
from redblue.show.model import Axis, Figure, Series, Table
from redblue.show.rows import table
from schedulers import COUNTED_PLAYS, GENERIC_SCHEDULERS

DECADES = "1e2:1e8:25"  # words, four sizes a decade
MILLION, TEN_MILLION, BILLION = 10**6, 10**7, 10**9
TILED, NAMED, CUT = ("projections",), ("affine",), ("segments",)
TREADS = tuple(2**e + 2 for e in range(5, 28))  # one level a pass more at each
BETWEEN = tuple(3 * 2**e + 7 for e in range(4, 26))  # no pass of whole levels takes so many
DIRAC = Law("power", 1 / 3)  # theorem 1 at s = k: 66/s words beyond 120 with 96 s^3 of memory


@dataclass(frozen=True)
class LawClaim:
    """A computation, and where its law is looked for."""

    name: str  # as a sentence begins with it
    large: str  # a member that is counted without a DAG, and does not end at the last memory
    small: str  # one that is played: where no play is counted, and by generic orders
    bounds: tuple[str, ...] = ()  # of the member that is played
    ratio: float = 2.0  # that words moved over words proved may not exceed
    decades: float = 2.0  # of memory over which the law must hold
    memories: str | Sequence[int] = DECADES  # at which the large member is counted
    beyond: Law | None = None  # of the words beyond the compulsory ones, where these are meant

    @property
    def counted(self) -> bool:
        """True if a play and a bound of the large member are known by formulas."""
        family = self.large.partition(":")[0]
        return family in COUNTED_PLAYS and (family in FORMS or family == "dirac")

    @property
    def law(self) -> Law:
        """The law that is asked about."""
        known = Computation(self.large)
        law = self.beyond or law_of(known.name, known.params)
        assert law is not None  # each of `COMPUTATIONS` has one
        return law


def _grid(name: str, spec: str, dimensions: int, side: int, small: str, memories: str) -> LawClaim:
    """A grid, or a stencil of as many steps as points a side, of some dimensions."""
    steps = f",steps={side}" * (spec == "stencil")
    return LawClaim(
        f"{name} in {dimensions} dimension{'s' * (dimensions > 1)}",
        f"{spec}:shape={'x'.join([str(side)] * dimensions)}{steps}",
        f"{spec}:shape={small}", CUT, 8.0, memories=memories,
    )  # fmt: skip


COMPUTATIONS = (
    LawClaim("Matrix product", f"matmul:n={TEN_MILLION}", "matmul:n=48", TILED, 1.2,
                decades=3.0),
    LawClaim("LU factorization", f"lu:n={TEN_MILLION}", "lu:n=48", NAMED),
    LawClaim("Cholesky factorization", f"cholesky:n={MILLION}", "cholesky:n=48", NAMED,
                memories="1e3:1e6:13"),
    LawClaim("QR by Givens rotations", f"qr_givens:n={TEN_MILLION}", "qr_givens:n=40",
                TILED),
    LawClaim("Symmetric product", f"syrk:n={TEN_MILLION},k={TEN_MILLION}", "syrk:n=48,k=48",
                NAMED, memories="1e3:1e8:21"),
    *(_grid("Relaxation", "stencil", *row) for row in (
        (1, 300_000, "160,steps=160", "1e2:1e4:13"),
        (2, 10**5, "40x40,steps=40", "1e3:1e6:13"),
        (3, 10**4, "16x16x16,steps=16", "1e3:1e6:13"),
        (4, 10**4, "10x10x10x10,steps=8", "1e4:1e7:13"))),
    *(_grid("Grid, point after point,", "grid", *row) for row in (
        (2, BILLION, "200x200", "1e2:1e6:17"),
        (3, TEN_MILLION, "40x40x40", "1e2:1e6:17"),
        (4, TEN_MILLION, "16x16x16x16", "1e4:1e8:17"))),
    LawClaim("Fourier transform", "fft:n=2^960", "fft:n=4096", CUT, decades=3.0,
                memories=TREADS),
    LawClaim("Fourier transform, memories between", "fft:n=2^900", "fft:n=4096", CUT,
                decades=3.0, memories=BETWEEN),
    LawClaim("Bitonic sort", "bitonic_sort:n=2^200", "bitonic_sort:n=4096", CUT, 3.0,
                memories=TREADS),
    LawClaim("Matrix-vector product", f"matvec:n={BILLION}", "matvec:n=64", TILED, 1.1),
    LawClaim("Triangular solve", f"triangular_solve:n={BILLION}", "triangular_solve:n=64", NAMED,
                1.1),
    LawClaim("Dirac operator, beyond compulsory words", f"dirac:k={MILLION},n4={MILLION}",
                "dirac:k=4,n4=8", ("dirac",), 6.0, memories="1e4:1e8:17", beyond=DIRAC),
    LawClaim("Dirac operator, applied again and again",
                "dirac_steps:shape=10000x10000x10000x10000,steps=10000",
                "dirac_steps:shape=4x4x4x4,steps=4", ("dirac",), 8.0,
                memories="1e5:1e9:17"),
)  # fmt: skip


@dataclass(frozen=True)
class Recovery:
    """The law of a computation as plays and proofs show it."""

    computation: LawClaim
    spec: str  # the member that was looked at
    how: str  # "counted" or "played"
    finding: Finding  # the published law, held against the corridor
    density: float  # operations of the member over the most words that a play moved
    blind: Seen  # by generic orders of the small member

    @property
    def ratios(self) -> tuple[Floats, Floats]:
        """(k,) operations per word that plays reach, and that none exceeds."""
        corridor = self.finding.corridor
        return self.density / corridor.upper, self.density / corridor.lower


def recovery(bench: Bench, computation: LawClaim) -> Recovery:
    """The findings on the law of a computation."""
    counted = computation.counted
    spec = computation.large if counted else computation.small
    corridor, density = _counted(computation) if counted else _played(bench, computation)
    demands = Demands(decades=computation.decades, ratio=computation.ratio)
    finding = held_against(corridor, candidate(computation.law), demands)
    way = "counted" if counted else "played"
    return Recovery(computation, spec, way, finding, density, _blind(bench, computation))


def recovery_of(bench: Bench, name: str) -> Recovery:
    """The findings on the law of one of `COMPUTATIONS`."""
    return recovery(
        bench, next(computation for computation in COMPUTATIONS if computation.name == name)
    )


def counted_corridor(computation: LawClaim, spec: str) -> tuple[Corridor, float]:
    """The corridor of a member of a computation's family, and operations over most words."""
    known = Computation(spec)
    curve = counted_curve(known, computation.memories)
    compulsory = known.compulsory if computation.beyond else 0
    proved = dict(curve.envelope("lower"))
    rows = [
        (memory, io - compulsory, proved[memory] - compulsory)
        for memory, io in curve.envelope("upper")
        if proved.get(memory, 0) > compulsory
    ]
    return corridor_of(rows, overhead_of(known)), known.sizes.work / max(io for _, io, _ in rows)


@lru_cache(maxsize=64)
def _counted(computation: LawClaim) -> tuple[Corridor, float]:
    """The same of the large member."""
    return counted_corridor(computation, computation.large)


def _played(bench: Bench, computation: LawClaim) -> tuple[Corridor, float]:
    """The same of the small member, at the memories that tell of its law."""
    study_ = study(bench, computation.small, bounds=computation.bounds)
    points = study_.found.points
    return study_.corridor, points.work / float(points.ios.max()) if points.ios.size else 1.0


def _blind(bench: Bench, computation: LawClaim) -> Seen:
    """The law of the best of the generic orders, where more than compulsory words move."""
    dag = load(computation.small)
    smallest, compulsory = min_memory(dag), compulsory_words(dag)
    sizes = geometric(2 * smallest, max(1024, 40 * smallest))
    subtracted = compulsory if computation.beyond else 0
    curve = bench.curve(
        computation.small, sizes, schedulers=GENERIC_SCHEDULERS, bounds=["compulsory"]
    )
    all_points = curve.envelope("upper")
    clear = [(memory, io) for memory, io in all_points if io > 1.2 * compulsory]
    wide = bool(clear) and clear[-1][0] >= 10 * clear[0][0]
    return seen_law([(memory, io - subtracted) for memory, io in (clear if wide else all_points)])


MEMORY = Axis("fast memory M [words]", base=10)
RATIO = Axis("operations per word", base=10)
CEILING = "no schedule has more"


def recovery_table(recoveries: Sequence[Recovery], name: str = "recovered-laws") -> Table:
    """The table of laws that were held against plays and proofs, a line each."""
    return table(
        name, "Operations per word against memory M, as played and as proved: the exponents over "
        "every tenfold range of M; words moved over words proved, at most, and the factor by which "
        "that changes with ten times the memory; the best rival law, and the exponent by which it "
        "misses more than the law does; and the law that plays by generic orders alone show, at a "
        "small size.", map(_cells, recoveries),
        "computation", "law", "M [words]", "played", "proved", "ratio", "with 10 M", "best rival",
        "verdict", "by generic orders",
    )  # fmt: skip


def _cells(recovered: Recovery) -> tuple[Any, ...]:
    finding, corridor = recovered.finding, recovered.finding.corridor
    known = bool(corridor.memories.size)
    return (
        recovered.computation.name, finding.law.name, memory_range(recovered),
        exponent_range(finding.exponents.upper), exponent_range(finding.exponents.lower),
        f"{finding.largest_ratio:.2f}" if known else None,
        f"{corridor.trend:.3f}" if known else None,
        "-" if finding.rival is None else f"{finding.rival.name} {finding.margin:+.3f}",
        finding.status, seen_text(recovered.blind),
    )  # fmt: skip


def members_table(recoveries: Sequence[Recovery], *, halves: bool) -> Table:
    """The table of the members whose laws were looked at.

    Parameters
    ----------
    recoveries
        The computations.
    halves
        Whether to tell the finite-size bias, for which a member of half the size is counted too.
    """
    bias_told = " Finite size: the most that a local exponent, as played and as proved, changes "
    bias_told += "for a member with half the points along every side, or half the levels."
    return table(
        "laws-members",
        "The members: those whose words are counted by formulas, or replayed, and the small ones "
        f"that generic orders play.{bias_told if halves else ''}", recoveries,
        ("computation", lambda recovered: recovered.computation.name), "member <- spec",
        "how <- how",
        ("powers of ten of M", lambda recovered:
            f"{recovered.finding.corridor.decades:.1f} of {recovered.computation.decades:g}"),
        ("lacking", lambda recovered: "; ".join(recovered.finding.lacking) or "nothing"),
        ("small member", lambda recovered: recovered.computation.small),
        ("exponents", lambda recovered: f"{recovered.blind.low:.2f} to {recovered.blind.high:.2f}"),
        *([("finite size",
        lambda recovered: bias_text(finite_size_bias(recovered)))] if halves else []),
    )  # fmt: skip


def finite_size_bias(recovered: Recovery) -> tuple[float, float] | None:
    """The most that a local exponent, as played and as proved, moves in the halved member.

    None for a member that is played, whose memories are chosen for its size.
    """
    if recovered.how != "counted":
        return None
    small, _ = counted_corridor(recovered.computation, halved(recovered.spec))
    return bias(recovered.finding.exponents, local_exponents(small))


def bias_text(bias: tuple[float, float] | None) -> str:
    """A finite-size bias as text."""
    return "-" if bias is None else f"{bias[0]:.3f}, {bias[1]:.3f}"


def memory_range(recovered: Recovery) -> str:
    """The memories of a corridor as text."""
    memories = recovered.finding.corridor.memories
    if not memories.size:
        return "none"
    low, high = (f"{size:,.0f}" if size < 1e4 else f"{size:.0e}" for size in memories[[0, -1]])
    return f"{low} to {high}".replace("e+0", "e")


def seen_text(seen: Seen) -> str:
    """The law that plays alone show, as text."""
    if seen.law is not None:
        return seen.law.name
    return f"none ({seen.low:.2f} to {seen.high:.2f})" if seen.high else "none"


def recovery_figure(recoveries: Sequence[Recovery], name: str, caption: str) -> Figure:
    """The figure of operations per word against memory: of plays, and the most of any.

    Parameters
    ----------
    recoveries
        The computations; of several, the ceiling of each has its colour.
    name, caption
        Of the figure.
    """
    drawn = []
    for recovered in recoveries:
        x = tuple(recovered.finding.corridor.memories.tolist())
        played, ceiling = (tuple(ratios.tolist()) for ratios in recovered.ratios)
        label = recovered.computation.name
        notes = tuple(
            f"{recovered.spec}: played within {ratio:.3f} of what is proved"
            for ratio in recovered.finding.corridor.ratios.tolist()
        )
        drawn.append(Series(label, x, played, "upper", notes))
        above = CEILING if len(recoveries) == 1 else f"{label}: at most"
        drawn.append(Series(above, x, ceiling, "lower"))
    gap = (drawn[1].label, drawn[0].label) if len(recoveries) == 1 else None
    return Figure(name, caption, MEMORY, RATIO, tuple(drawn), gap)
