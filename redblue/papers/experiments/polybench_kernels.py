"""Laws, plays and checked bounds of the PolyBench kernels, and their published lower bounds.

Source
------
- IOLB: A. Olivry, J. Langou, L.-N. Pouchet, P. Sadayappan and F. Rastello, Automated derivation of
  parametric data movement lower bounds for affine programs, PLDI 2020. Loads alone, one vertex an
  executed statement, no value computed twice. The terms are those that SOAP's authors quote.
- SOAP: G. Kwasniewski et al., Pebbles, graphs, and a pinch of combinatorics: towards tight I/O
  lower bounds for statically analyzable programs, SPAA 2021, and the results beside its code.
- O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, I/O-optimal algorithms for symmetric
  linear algebra kernels, SPAA 2022: the words of syrk and Cholesky factorization, upper and lower.
- H. Al Daas et al., Communication lower bounds and algorithms for symmetric matrix computations,
  arXiv 2409.11304: the same for syr2k and symm.
"""

import re
from dataclasses import dataclass
from functools import partial
from statistics import geometric_mean
from typing import Any, Final, Literal, NamedTuple

from dags import load
from dags.spec.leaves import reader
from pebble import compulsory_words, min_memory
from proofs import BOUNDS, NotApplicableError, best_bound, check
from proofs.laws.programs import law
from redblue.answers.results import IOCurve
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.studies import winner
from redblue.racing.solving import solve

Standing = Literal["holds", "false", "disputed", "unproved"]
NAMES = re.compile(r"(?<![A-Za-z\\{])([A-Z]{2,})(?![A-Za-z])")
ROOT = re.compile(r"sqrt\(([^()]*)\)")
POWER = re.compile(r"\^\(([^()]*)\)|\^(\d+)")
FACTORS = re.compile(r"(\d)\\,(?=\d)")
BETWEEN = re.compile(r"(?<=[\w})]) (?=[\w({\\])")


class Term(NamedTuple):
    """A leading term that is published, and its standing.

    "false": more than plays attain; "disputed": sources differ, and the attained term is not known
    to us; "unproved": more than is proved here, not refuted.
    """

    text: str  # S words of fast memory, T for the steps
    factor: float  # coefficient where all sizes are n
    standing: Standing = "holds"


class Published(NamedTuple):
    """Published terms of a kernel; None where there is none."""

    degree: int  # of the leading term in the sizes
    power: str  # of S
    iolb: Term
    soap: Term | None
    tight: float | None = None  # coefficient that is attained where all sizes are n
    remark: str = ""  # what a reader must know before comparing


HALF: Final = 2**-0.5
ROWS: Final = "takes two rows of one array for two arrays"
SWEEPS: Final = "two sweeps a step: half as much a sweep"


def _both(text: str, factor: float) -> tuple[Term, Term]:
    """Return a term that both tools have."""
    return Term(text, factor), Term(text, factor)


PUBLISHED: Final[dict[str, Published]] = {
    "2mm": Published(3, "-1/2", *_both("2 NI NJ (NK + NL) / sqrt(S)", 4.0), 4.0),
    "3mm": Published(3, "-1/2", *_both("2 NJ (NI NK + NI NL + NL NM) / sqrt(S)", 6.0), 6.0,
        "IOLB's sizes are printed otherwise; at equal sizes all agree"),
    "adi": Published(3, "0", Term("N^2 T", 1.0), None, None,
        "SOAP leaves it out; p is made of constants alone"),
    "atax": Published(2, "0", *_both("M N", 1.0)),
    "bicg": Published(2, "0", *_both("M N", 1.0)),
    "cholesky": Published(3, "-1/2", Term("N^3 / (6 sqrt(S))", 1 / 6),
        Term("N^3 / (3 sqrt(S))", 1 / 3, "false"), HALF / 3,
        f"N^3 / (3 sqrt(2) sqrt(S)) is attained (Beaumont et al.): SOAP {ROWS}"),
    "correlation": Published(3, "-1/2", Term("M^2 N / (2 sqrt(S))", 0.5),
        Term("M^2 N / sqrt(S)", 1.0, "false"), HALF, f"as syrk: SOAP {ROWS}"),
    "covariance": Published(3, "-1/2", Term("M^2 N / (2 sqrt(S))", 0.5),
        Term("M^2 N / sqrt(S)", 1.0, "false"), HALF, f"as syrk: SOAP {ROWS}"),
    "deriche": Published(2, "0", Term("H W", 1.0), Term("3 H W", 3.0, "unproved"), None,
        "2 H W words are compulsory: the image is read, the result written"),
    "doitgen": Published(4, "-1/2", *_both("2 NP^2 NQ NR / sqrt(S)", 2.0), 2.0),
    "durbin": Published(2, "0", Term("N^2 / 2", 0.5), Term("3 N^2 / 2", 1.5, "unproved"), None,
        "for S far below N"),
    "fdtd-2d": Published(3, "-1/2", Term("NX NY T / (2 sqrt(2) sqrt(S))", 2**-1.5),
        Term("2 sqrt(3) NX NY T / sqrt(S)", 2 * 3**0.5, "unproved")),
    "floyd-warshall": Published(3, "-1/2", Term("N^3 / sqrt(S)", 1.0), Term("2 N^3 / sqrt(S)", 2.0),
        None, "the larger one is proved here, for plays that compute each value once"),
    "gemm": Published(3, "-1/2", *_both("2 NI NJ NK / sqrt(S)", 2.0), 2.0),
    "gemver": Published(2, "0", *_both("N^2", 1.0)),
    "gesummv": Published(2, "0", *_both("2 N^2", 2.0)),
    "gramschmidt": Published(3, "-1/2", *_both("M N^2 / sqrt(S)", 1.0), None,
        "where S is far below M, bounds for QR by whole columns are larger by more than a factor "
        "(L. Eyraud-Dubois et al., arXiv 2404.16443)"),
    "heat-3d": Published(4, "-1/3", Term("9 3^(1/3) N^3 T / (16 S^(1/3))", 9 * 3 ** (1 / 3) / 16),
        Term("6 N^3 T / S^(1/3)", 6.0), None, SWEEPS),
    "jacobi-1d": Published(2, "-1", Term("N T / (4 S)", 0.25), Term("2 N T / S", 2.0), None,
        SWEEPS),
    "jacobi-2d": Published(3, "-1/2", Term("2 N^2 T / (3 sqrt(3) sqrt(S))", 2 / (3 * 3**0.5)),
        Term("4 N^2 T / sqrt(S)", 4.0), None, SWEEPS),
    "lu": Published(3, "-1/2", *_both("2 N^3 / (3 sqrt(S))", 2 / 3), 2 / 3),
    "ludcmp": Published(3, "-1/2", *_both("2 N^3 / (3 sqrt(S))", 2 / 3), 2 / 3),
    "mvt": Published(2, "0", *_both("N^2", 1.0)),
    "nussinov": Published(3, "-1/2", Term("N^3 / (6 sqrt(S))", 1 / 6),
        Term("N^3 / (3 sqrt(S))", 1 / 3, "unproved")),
    "seidel-2d": Published(3, "-1/2", Term("2 N^2 T / (3 sqrt(3) sqrt(S))", 2 / (3 * 3**0.5)),
        Term("4 N^2 T / sqrt(S)", 4.0)),
    "symm": Published(3, "-1/2", Term("2 M^2 N / sqrt(S)", 2.0, "disputed"),
        Term("sqrt(2) M^2 N / sqrt(S)", 2**0.5), None,
        "SOAP's code has sqrt(2), with 2 in a remark: both updates of a pair share an entry of A"),
    "syr2k": Published(3, "-1/2", Term("M N^2 / sqrt(S)", 1.0),
        Term("2 M N^2 / sqrt(S)", 2.0, "false"), 2**0.5,
        "sqrt(2) M N^2 / sqrt(S) is attained (Al Daas et al., known to us by the abstract)"),
    "syrk": Published(3, "-1/2", Term("M N^2 / (2 sqrt(S))", 0.5),
        Term("M N^2 / sqrt(S)", 1.0, "false"), HALF,
        f"M N^2 / (sqrt(2) sqrt(S)) is attained (Beaumont et al.): SOAP {ROWS}"),
    "trisolv": Published(2, "0", *_both("N^2 / 2", 0.5)),
    "trmm": Published(3, "-1/2", *_both("M^2 N / sqrt(S)", 1.0), 1.0),
}  # fmt: skip


def latex_of(term: str) -> str:
    r"""Return a term such as "2 N^3 / (3 sqrt(S))" as LaTeX.

    Examples
    --------
    >>> print(latex_of("2 N^3 / (3 sqrt(S))"))
    \frac{2\,N^{3}}{3\,\sqrt{S}}
    >>> print(latex_of("9 3^(1/3) N^3 T / (16 S^(1/3))"))
    \frac{9 \cdot 3^{1/3}\,N^{3}\,T}{16\,S^{1/3}}
    """
    above, line, below = term.partition(" / ")
    if below.startswith("(") and below.endswith(")"):
        below = below[1:-1]
    return rf"\frac{{{_product(above)}}}{{{_product(below)}}}" if line else _product(above)


def _product(text: str) -> str:
    """Return factors with the signs between them."""
    text = ROOT.sub(r"\\sqrt{\1}", text)
    text = POWER.sub(lambda match: f"^{{{match[1] or match[2]}}}", text)
    text = FACTORS.sub(r"\1 \\cdot ", BETWEEN.sub(r"\\,", text))
    return NAMES.sub(r"\\mathrm{\1}", text)


# Sizes at which every kernel has about 3,000 vertices, and about 600 for a quick run.
SIZES: Final = {
    "2mm": ("NI=16,NJ=16,NK=16,NL=16", "NI=8,NJ=8,NK=8,NL=8"),
    "3mm": ("NI=12,NJ=12,NK=12,NL=12,NM=12", "NI=6,NJ=6,NK=6,NL=6,NM=6"),
    "adi": ("TSTEPS=4,N=16", "TSTEPS=2,N=10"),
    "atax": ("M=32,N=32", "M=16,N=16"),
    "bicg": ("M=16,N=16", "M=12,N=12"),
    "cholesky": ("N=24", "N=14"),
    "correlation": ("M=16,N=16", "M=10,N=8"),
    "covariance": ("M=16,N=16", "M=10,N=8"),
    "deriche": ("W=14,H=14", "W=9,H=9"),
    "doitgen": ("NQ=8,NR=8,NP=8", "NQ=5,NR=5,NP=5"),
    "durbin": ("N=40", "N=20"),
    "fdtd-2d": ("TMAX=6,NX=14,NY=14", "TMAX=4,NX=8,NY=8"),
    "floyd-warshall": ("N=16", "N=8"),
    "gemm": ("NI=16,NJ=16,NK=16", "NI=9,NJ=9,NK=9"),
    "gemver": ("N=16", "N=12"),
    "gesummv": ("N=24", "N=14"),
    "gramschmidt": ("M=16,N=16", "M=9,N=9"),
    "heat-3d": ("TSTEPS=3,N=10", "TSTEPS=2,N=6"),
    "jacobi-1d": ("TSTEPS=24,N=66", "TSTEPS=10,N=34"),
    "jacobi-2d": ("TSTEPS=8,N=18", "TSTEPS=4,N=10"),
    "lu": ("N=20", "N=12"),
    "ludcmp": ("N=20", "N=12"),
    "mvt": ("N=32", "N=16"),
    "nussinov": ("N=24", "N=14"),
    "seidel-2d": ("TSTEPS=12,N=18", "TSTEPS=6,N=10"),
    "symm": ("M=16,N=16", "M=8,N=8"),
    "syr2k": ("M=16,N=16", "M=8,N=8"),
    "syrk": ("M=16,N=16", "M=10,N=10"),
    "trisolv": ("N=48", "N=24"),
    "trmm": ("M=16,N=16", "M=10,N=10"),
}
FULL: Final = {name: full for name, (full, _) in SIZES.items()}
QUICK: Final = {name: quick for name, (_, quick) in SIZES.items()}
MEMORIES: Final = (8, 12, 16, 24, 32, 48, 64, 96, 128)
QUICK_MEMORIES: Final = (8, 12, 24, 48)
LOW, MIDDLE = 8, 24  # words; more where a kernel cannot be played with so few
SEARCHING: Final = ("slices", "reuse", "wavefront", "decomposition", "exact-pieces")
MATRICES: Final = ("2mm", "3mm", "cholesky", "correlation", "covariance", "doitgen", "gemm",
                   "gramschmidt", "lu", "ludcmp", "symm", "syr2k", "syrk", "trmm")  # fmt: skip
STENCILS: Final = ("adi", "fdtd-2d", "heat-3d", "jacobi-1d", "jacobi-2d", "seidel-2d")


@dataclass(frozen=True)
class Row:
    """Schedule and bound of a kernel with a memory, in words."""

    memory: int
    played: int
    scheduler: str
    proved: int
    bound: str

    @property
    def ratio(self) -> float:
        """Words played over words proved."""
        return self.played / self.proved


@dataclass(frozen=True)
class Case:
    """All that is found out about a kernel."""

    name: str
    sizes: str  # at which it is played
    law: dict[str, Any]  # texts and numbers of the law for all sizes, as `_law` returns them
    dag: dict[str, Any]  # vertices, edges, inputs, outputs, least memory, compulsory words
    rows: tuple[Row, ...]  # schedules and bounds, by growing memory

    @property
    def spec(self) -> str:
        """The specification of the DAG."""
        return f"polybench/{self.name}:{self.sizes}"

    @property
    def published(self) -> Published:
        """The published terms."""
        return PUBLISHED[self.name]

    @property
    def agrees(self) -> bool:
        """True if the law has the published powers of the memory and of the sizes."""
        powers = self.published.degree, self.published.power
        return (self.law["degree"], self.law["exponent"]) == powers

    @property
    def factor(self) -> float:
        """The coefficient of the published powers where all sizes are n, as far as we prove it."""
        return float(self.law["factor"]) if self.agrees else 0.0

    @property
    def compulsory(self) -> int:
        """Words of inputs that are read and of outputs."""
        return int(self.dag["compulsory"])

    def at(self, memory: int) -> Row:
        """Return the row at a memory, or at the least that is enough."""
        return next(row for row in self.rows if row.memory >= memory)


def cases(bench: Bench) -> list[Case]:
    """Return the findings on each kernel, in the order of their names."""
    sizes = bench.pick(QUICK, FULL)
    return [case(bench, name, sizes[name]) for name in reader("programs", "library").KERNELS]


def case(bench: Bench, name: str, sizes: str) -> Case:
    """Return the findings on a kernel; those in the store are not computed again."""
    law_record = bench.remembered({"law and tile of": name}, partial(_law, name))
    spec = f"polybench/{name}:{sizes}"
    dag = load(spec)
    smallest = min_memory(dag)
    sizes_of_memory = sorted({max(m, smallest) for m in bench.pick(QUICK_MEMORIES, MEMORIES)})
    curve = bench.curve(spec, sizes_of_memory)
    limits = seconds_of(bench)
    searches = [
        bench.remembered(
            {"best of": spec, "memory": memory, "seconds": limits, "seed": bench.seed},
            partial(_searched, spec, memory, limits, bench.seed),
        )
        for memory in sorted({max(LOW, smallest), max(MIDDLE, smallest)})
    ]
    known = {**curve.dag, "compulsory": compulsory_words(dag)}
    return Case(name, sizes, law_record, known, rows_of_case(curve, searches))


def seconds_of(bench: Bench) -> tuple[float, float]:
    """Return the seconds for bounds and for schedules at one memory."""
    if bench.time_limit is not None:
        return bench.time_limit / 2, bench.time_limit / 2
    return (0.3, 0.0) if bench.quick else (30.0, 60.0) if bench.effort == "high" else (4.0, 6.0)


def rows_of_case(curve: IOCurve, searches: list[dict[str, Any]]) -> tuple[Row, ...]:
    """Return the best schedule and bound at each memory; each holds beyond its own.

    `curve` is of the methods that search nothing, `searches` the result of `_searched`.
    """
    upper = [(row.memory, int(row.io or 0), winner(curve, row)) for row in _best(curve, "upper")]
    lower = [(row.memory, int(row.io or 0), winner(curve, row)) for row in _best(curve, "lower")]
    upper += [
        (result["memory"], result["io"], result["scheduler"]) for result in searches if result["io"]
    ]
    lower += [(result["memory"], result["bound"], result["by"]) for result in searches]
    rows = []
    for memory in curve.memories:
        _, played, scheduler = min((entry for entry in upper if entry[0] <= memory), key=_words)
        _, proved, bound = max((entry for entry in lower if entry[0] >= memory), key=_words)
        rows.append(Row(memory, played, scheduler, proved, bound))
    return tuple(rows)


def mean_ratio(rows: list[Row]) -> float:
    """Return the geometric mean of words played over words proved."""
    return geometric_mean(row.ratio for row in rows)


def _words(entry: tuple[int, int, str]) -> int:
    return entry[1]


def _best(curve: IOCurve, kind: str) -> list[Any]:
    return [row for row in curve.rows if row.method == "best" and row.kind == kind]


def _law(name: str) -> dict[str, Any]:
    """Return the texts and numbers of a kernel's law, S the memory."""
    law_found = law(reader("programs", "library").polybench(name))
    way = "items" if law_found.shape is not None else "distances"
    if law_found.shape is None and law_found.distances is None:
        way = "compulsory" if law_found.room is None else "waiting"
    tile = law_found.tile
    return {
        "term": law_found.leading_term("S"), "latex": law_found.to_latex("S"),
        "factor": law_found.leading,
        "degree": law_found.degree, "exponent": str(law_found.exponent),
        "updates": str(law_found.updates),
        "gain": str(law_found.gain), "compulsory": str(law_found.compulsory), "way": way,
        "proved": law_found.proved, "tile": None if tile is None else tile.text("S"),
        "tile_latex": None if tile is None else tile.to_latex("S"), "tiled": law_found.tiled_ratio,
    }  # fmt: skip


def _searched(spec: str, memory: int, limits: tuple[float, float], seed: int) -> dict[str, Any]:
    """Return the findings of searches at one memory; every certificate is checked.

    `limits` are the seconds for bounds and for schedules; 0 for none.
    """
    dag = load(spec)
    methods = [BOUNDS[name] for name in SEARCHING]
    bound = best_bound(methods, dag, memory, time_limit=limits[0])
    for name in ("affine", "uniform"):
        try:
            bound = max(bound, BOUNDS[name](dag, memory), key=lambda bound_: bound_.io)
        except NotApplicableError:
            continue
    check(dag, memory, bound)
    record = {"memory": memory, "bound": bound.io, "by": bound.method, "io": 0, "scheduler": ""}
    if limits[1]:
        solved = solve(dag, memory, seed=seed, time_limit=limits[1])
        record |= {"io": solved.count.io, "scheduler": "search"}
        if solved.lower_bound > bound.io:
            check(dag, memory, solved.bound)
            record |= {"bound": solved.bound.io, "by": solved.bound.method}
    return record
