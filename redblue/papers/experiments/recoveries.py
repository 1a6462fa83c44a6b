"""The recovery of each computation's law: what is counted, what is proved, what is seen blindly."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dags import load, member
from pebble import compulsory_words, min_memory
from proofs.closed_forms import FORMS
from proofs.laws import Law, law_of
from redblue.answers.curves.curve import GENERIC_SCHEDULERS
from redblue.counted import counted_curve
from redblue.laws.fit.finite import overhead_of
from redblue.laws.fit.points import Floats
from redblue.laws.fit.tuned import geometric
from redblue.laws.sandwich import (
    Corridor,
    Demands,
    Finding,
    Seen,
    candidate,
    corridor_of,
    held_against,
    seen_law,
)
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.studies import study
from schedulers import COUNTED_PLAYS

DECADES = "1e2:1e8:25"  # words, four sizes a decade
MILLION, TEN_MILLION, BILLION = 10**6, 10**7, 10**9
TILED, CUT = ("projections",), ("segments",)
TREADS = tuple(2**e + 2 for e in range(5, 28))  # one level a pass more at each
BETWEEN = tuple(3 * 2**e + 7 for e in range(4, 26))  # no pass of whole levels takes so many
DIRAC = Law("power", 1 / 3)  # theorem 1 at s = k: 66/s words beyond 120 with 96 s^3 of memory


@dataclass(frozen=True)
class Computation:
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
        known = member(self.large)
        law = self.beyond or law_of(known.family, known.params)
        assert law is not None  # each of `COMPUTATIONS` has one
        return law


def _grid(
    name: str, spec: str, dimensions: int, side: int, small: str, memories: str
) -> Computation:
    """Return a grid, or a stencil of as many steps as points a side, of some dimensions."""
    steps = f",steps={side}" * (spec == "stencil")
    return Computation(
        f"{name} in {dimensions} dimension{'s' * (dimensions > 1)}",
        f"{spec}:shape={'x'.join([str(side)] * dimensions)}{steps}",
        f"{spec}:shape={small}", CUT, 8.0, memories=memories,
    )  # fmt: skip


COMPUTATIONS = (
    Computation("Matrix product", f"matmul:n={TEN_MILLION}", "matmul:n=48", TILED, 1.2,
                decades=3.0),
    Computation("LU factorization", f"lu:n={TEN_MILLION}", "lu:n=48", TILED),
    Computation("Cholesky factorization", f"cholesky:n={MILLION}", "cholesky:n=48", TILED,
                memories="1e3:1e6:13"),
    Computation("QR by Givens rotations", f"qr_givens:n={TEN_MILLION}", "qr_givens:n=40",
                TILED),
    Computation("Symmetric product", f"syrk:n={TEN_MILLION},k={TEN_MILLION}", "syrk:n=48,k=48",
                TILED, memories="1e3:1e8:21"),
    *(_grid("Relaxation", "stencil", *row) for row in (
        (1, 300_000, "160,steps=160", "1e2:1e4:13"),
        (2, 10**5, "40x40,steps=40", "1e3:1e6:13"),
        (3, 10**4, "16x16x16,steps=16", "1e3:1e6:13"),
        (4, 10**4, "10x10x10x10,steps=8", "1e4:1e7:13"))),
    *(_grid("Grid, point after point,", "grid", *row) for row in (
        (2, BILLION, "200x200", "1e2:1e6:17"),
        (3, TEN_MILLION, "40x40x40", "1e2:1e6:17"),
        (4, TEN_MILLION, "16x16x16x16", "1e4:1e8:17"))),
    Computation("Fourier transform", "fft:n=2^960", "fft:n=4096", CUT, decades=3.0,
                memories=TREADS),
    Computation("Fourier transform, memories between", "fft:n=2^900", "fft:n=4096", CUT,
                decades=3.0, memories=BETWEEN),
    Computation("Bitonic sort", "bitonic_sort:n=2^200", "bitonic_sort:n=4096", CUT, 3.0,
                memories=TREADS),
    Computation("Matrix-vector product", f"matvec:n={BILLION}", "matvec:n=64", TILED, 1.1),
    Computation("Triangular solve", f"triangular_solve:n={BILLION}", "triangular_solve:n=64", TILED,
                1.1),
    Computation("Dirac operator, beyond compulsory words", f"dirac:k={MILLION},n4={MILLION}",
                "dirac:k=4,n4=8", ("dirac",), 6.0, memories="1e4:1e8:17", beyond=DIRAC),
    Computation("Dirac operator, applied again and again",
                "dirac_steps:shape=10000x10000x10000x10000,steps=10000",
                "dirac_steps:shape=4x4x4x4,steps=4", ("dirac",), 8.0,
                memories="1e5:1e9:17"),
)  # fmt: skip


@dataclass(frozen=True)
class Recovery:
    """The law of a computation as plays and proofs show it."""

    computation: Computation
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


def recovery(bench: Bench, computation: Computation) -> Recovery:
    """Return what is found about the law of a computation."""
    counted = computation.counted
    spec = computation.large if counted else computation.small
    corridor, density = _counted(computation) if counted else _played(bench, computation)
    demands = Demands(decades=computation.decades, ratio=computation.ratio)
    finding = held_against(corridor, candidate(computation.law), demands)
    how = "counted" if counted else "played"
    return Recovery(computation, spec, how, finding, density, _blind(bench, computation))


def recovery_of(bench: Bench, name: str) -> Recovery:
    """Return what is found about the law of one of `COMPUTATIONS`."""
    return recovery(bench, next(each for each in COMPUTATIONS if each.name == name))


def counted_corridor(computation: Computation, spec: str) -> tuple[Corridor, float]:
    """Return the corridor of a member of a computation's family, and operations over most words."""
    known = member(spec)
    curve = counted_curve(known, computation.memories)
    less = known.compulsory if computation.beyond else 0
    proved = dict(curve.envelope("lower"))
    rows = [
        (memory, io - less, proved[memory] - less)
        for memory, io in curve.envelope("upper")
        if proved.get(memory, 0) > less
    ]
    return corridor_of(rows, overhead_of(known)), known.sizes.work / max(io for _, io, _ in rows)


@lru_cache(maxsize=64)
def _counted(computation: Computation) -> tuple[Corridor, float]:
    """Return the same of the large member."""
    return counted_corridor(computation, computation.large)


def _played(bench: Bench, computation: Computation) -> tuple[Corridor, float]:
    """Return the same of the small member, at the memories that tell of its law."""
    found = study(bench, computation.small, bounds=computation.bounds)
    told = found.found.points
    return found.corridor, told.work / float(told.ios.max()) if told.ios.size else 1.0


def _blind(bench: Bench, computation: Computation) -> Seen:
    """Return what the best of the generic orders shows, where more than compulsory words move."""
    dag = load(computation.small)
    least, compulsory = min_memory(dag), compulsory_words(dag)
    sizes = geometric(2 * least, max(1024, 40 * least))
    less = compulsory if computation.beyond else 0
    curve = bench.curve(
        computation.small, sizes, schedulers=GENERIC_SCHEDULERS, bounds=["compulsory"]
    )
    whole = curve.envelope("upper")
    clear = [(memory, io) for memory, io in whole if io > 1.2 * compulsory]
    wide = bool(clear) and clear[-1][0] >= 10 * clear[0][0]
    return seen_law([(memory, io - less) for memory, io in (clear if wide else whole)])
