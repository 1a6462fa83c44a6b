"""Gaps between schedules and bounds: of each family, and of small DAGs solved exactly."""

from functools import partial
from statistics import geometric_mean

from dags import load
from pebble import min_memory
from proofs import BOUNDS, best_bound
from redblue.answers.results import IOCurve
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.studies import winner
from redblue.racing.solving import solve
from redblue.show.model import Axis, Claim, Experiment, Figure, Table, judged
from redblue.show.rows import Row, grouped, series, share, table

FACTORS = (2, 4, 8)  # memories, in smallest ones
SEARCHING = ("wavefront", "decomposition", "exact-pieces")
# Whether bounds that search prove more than the quick ones.
QUICK = {
    "matmul:n=24": False,
    "syrk:n=16,k=16": False,
    "lu:n=24": False,
    "cholesky:n=24": False,
    "qr_givens:n=16": True,
    "triangular_solve:n=24,k=24": False,
    "matvec:n=48": False,
    "strassen:n=8": True,
    "fft:n=256": True,
    "bitonic_sort:n=64": True,
    "odd_even_merge_sort:n=64": True,
    "merge_sort:n=256": True,
    "prefix_scan:n=256": True,
    "stencil:shape=64,steps=32": False,
    "stencil:shape=32x32,steps=4": False,
    "grid:shape=24x24": True,
    "pyramid:height=24": True,
    "hypercube:d=8": False,
    "tree:height=7": False,
    "spmv:shape=16x16": False,
    "convolution:height=12,width=12,channels=2,filters=2": False,
    "attention:tokens=24,width=4": False,
}
FULL = {
    "matmul:n=64": False,
    "lu:n=64": False,
    "cholesky:n=64": False,
    "fft:n=4096": True,
    "stencil:shape=256,steps=128": False,
    "stencil:shape=64x64,steps=16": False,
    "matvec:n=256": False,
}
SMALL = {
    "fft:n=8": 4,
    "pyramid:height=8": 6,
    "stencil:shape=8,steps=4": 6,
    "matmul:m=2,n=3,k=3": 6,
    "lu:n=4": 6,
    "cholesky:n=4": 6,
    "tree:height=4": 4,
    "hypercube:d=4": 6,
    "random_layered:n=30,seed=1": 6,
}
LARGER = {
    "matmul:n=3": 9,
    "bitonic_sort:n=8": 6,
    "grid:shape=7x7": 4,
    "random_layered:n=40,seed=1": 6,
    "fft:n=8": 3,
}
SOLVE_LIMIT = 10.0
SHOWN = ("matmul", "lu", "fft", "stencil", "matvec", "qr_givens", "pyramid")
# Families whose leading terms make the gap small, how far apart it may be, and why.
NEAR = (
    ("matmul", 1.45, "2 m n k / sqrt(M) on both sides: T. M. Smith et al., 2017"),
    ("matvec", 1.06, "2 N^2 operations on N^2 words: Kung 1986, section 3.6"),
    ("tree", 1.0, "this project: the bound `forests` is the optimum of trees"),
)


def experiment(bench: Bench) -> Experiment:
    """Experiment: ratio of schedules to bounds, for all families at three sizes of memory.

    Neither sizes nor memories are tuned: two, four and eight times the smallest memory.
    """
    cases = QUICK | bench.pick({}, FULL)
    all_gaps = [gap for spec, search in cases.items() for gap in _gaps(bench, spec, search)]
    small = (SMALL | bench.pick({}, LARGER)).items()
    solved = [_solved(bench, spec, memory) for spec, memory in small]
    families = grouped(all_gaps, "family")
    return Experiment(
        name="gaps",
        title="How near schedules and bounds come",
        summary="For every family the best schedule found, replayed, over the best bound that was "
        "proved, at two, four and eight times the smallest memory. Products, solves and "
        "factorizations are within about a factor of two, trees and matrix-vector products within "
        "a few per cent; Fourier transforms are closed by complete search of their pieces as "
        "memory grows. Networks, Givens rotations and Strassen's product are where better bounds "
        "are wanted. Small DAGs are solved exactly.",
        claims=(
            _sound_claim(all_gaps),
            *(_family_claim(families[near[0]], *near) for near in NEAR),
            _solved_claim(solved),
        ),
        tables=(
            table("gaps", "The best schedule and the best bound, at two, four and eight smallest "
                  "memories.", all_gaps, "DAG <- spec", "M [words] <- memory",
                  "best schedule [words] <- upper", "by <- scheduler",
                  "best bound [words] <- lower", "proved by <- bound",
                  "schedule / bound <- ratio", folded=True),
            _family_table({**families, "all": all_gaps}),
            table("gaps-solved", "Small DAGs, solved.", solved, "DAG <- spec",
                  "M [words] <- memory", "I/O [words] <- io", "proved [words] <- bound",
                  "found by <- method", "proved by <- proved by", folded=True),
        ),
        figures=(
            Figure("gaps", "The best schedule over the best bound against memory; 1 is optimal.",
                   Axis("fast memory M [words]", 2), Axis("schedule / bound"),
                   tuple(series(spec, gaps, "memory", "ratio", note=_note)
                         for spec, gaps in grouped(all_gaps, "spec").items()
                         if gaps[0]["family"] in SHOWN)),
        ),
        references=("smith2017", "kung1986", "sethi1970"),
    )  # fmt: skip


def _gaps(bench: Bench, spec: str, search: bool) -> list[Row]:
    """The gaps of a DAG."""
    smallest = min_memory(load(spec))
    curve = bench.curve(spec, [factor * smallest for factor in FACTORS])
    return [_gap(bench, curve, spec, memory, search) for memory in curve.memories]


def _gap(bench: Bench, curve: IOCurve, spec: str, memory: int, search: bool) -> Row:
    """The I/O of the best schedule and the best bound with a memory."""
    best = {row.kind: row for row in curve.rows if (row.method, row.memory) == ("best", memory)}
    upper, lower = best["upper"], best["lower"]
    bound, method = int(lower.io or 0), winner(curve, lower)
    if search:
        limit = bench.pick(1.0, 6.0)
        asked = {"searching bounds": spec, "memory": memory, "seconds": limit}
        row = bench.remembered(asked, partial(_search, spec, memory, limit))
        bound, method = max((bound, method), (row["io"], row["method"]))
    io = int(upper.io or 0)
    return {"spec": spec, "family": spec.partition(":")[0], "memory": memory, "upper": io,
            "scheduler": winner(curve, upper), "lower": bound, "bound": method,
            "ratio": io / bound}  # fmt: skip


def _search(spec: str, memory: int, limit: float) -> Row:
    """The best bound by search within a number of seconds."""
    methods = [BOUNDS[name] for name in SEARCHING]
    bound = best_bound(methods, load(spec), memory, time_limit=limit)
    return {"io": bound.io, "method": bound.method}


def _solved(bench: Bench, spec: str, memory: int) -> Row:
    def compute() -> Row:
        solution = solve(load(spec), memory, seed=bench.seed, time_limit=SOLVE_LIMIT)
        return {"spec": spec, "memory": memory, "io": solution.count.io,
        "bound": solution.lower_bound,
                "method": solution.method, "proved by": solution.proved_by}  # fmt: skip

    asked = {"solve": spec, "memory": memory, "seconds": SOLVE_LIMIT, "seed": bench.seed}
    solved: Row = bench.remembered(asked, compute)
    return solved


def _note(gap: Row) -> str:
    return f"{gap['scheduler']}: {gap['upper']:,} words; {gap['bound']}: at least {gap['lower']:,}"


def _mean(rows: list[Row]) -> float:
    return geometric_mean(gap["ratio"] for gap in rows)


def _family_table(families: dict[str, list[Row]]) -> Table:
    rows = (
        (family, len(gaps), _mean(gaps), max(gap["ratio"] for gap in gaps))
        for family, gaps in families.items()
    )
    return table(
        "gaps-by-family", "The gap of each family: geometric mean over sizes and memories.", rows,
        "family", "points", "geometric mean of schedule / bound", "largest",
    )  # fmt: skip


def _sound_claim(rows: list[Row]) -> Claim:
    below = sum(gap["upper"] < gap["lower"] for gap in rows)
    return Claim(
        "No schedule moves less than a bound allows", "definition", "none",
        f"{below} of {len(rows)}", judged(below == 0, "proved"),
        f"the geometric mean of schedule over bound is {_mean(rows):.3f}, "
        f"{sum(gap['upper'] == gap['lower'] for gap in rows)} are optimal", kind="proof",
    )  # fmt: skip


def _family_claim(gaps: list[Row], family: str, limit: float, source: str) -> Claim:
    """The claim on the leading terms of a family, as gaps."""
    worst = max(gap["ratio"] for gap in gaps)
    return Claim(
        f"Schedules and bounds of {family} nearly meet", source, f"at most {limit:g} times apart",
        f"at most {worst:.3f}", judged(worst <= limit, "proved"),
        f"{len(gaps)} sizes and memories; the lower terms count in small DAGs", kind="proof",
        tolerance=f"up to {limit:g}",
    )  # fmt: skip


def _solved_claim(solved: list[Row]) -> Claim:
    all_met, how_many = share(lambda row: row["io"] == row["bound"], solved)
    return Claim(
        "Small DAGs are solved: a schedule and a proof that none is better", "this project",
        f"{len(solved)} of {len(solved)}", how_many, "proved" if all_met else "undecided",
        f"within {SOLVE_LIMIT:g} seconds each", kind="proof",
    )  # fmt: skip
