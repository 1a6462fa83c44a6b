"""Which certificates the verified checker accepts: writes the table of docs/reference/trust.md.

    python benchmarks/verified_share.py [--only FIRST LAST]

Each line is a run of `redblue bound`, by the race of all methods with `SECONDS`: families,
PolyBench and public hyperDAGs, under several rules. Both checkers judge the certificate, with the
number of the product; the table has what they say and the seconds that they take. hyperDAGs are
left out where the shared folder is not beside the project. `--only` makes the rows of some runs, by
their numbers from 0, and leaves the others as they are.
"""

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import redblue as rb
from benchmarks.marked import write_marked
from dags import load
from pebble import RULES, min_memory
from proofs import CertificateError, check
from proofs.certificates import theorems_of
from proofs.verified import NotVerifiedError, build, verify

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "trust.md"
SHARED = ROOT.parent / "shared" / "data" / "hyperdag"
MARK = "shares"
SECONDS = 30.0
RUNS = (  # specification, rules, memory; or how many words beyond the least one
    ("fft:n=64", "one-shot", 8),
    ("fft:n=16", "recompute", 6),
    ("fft:n=32", "one-shot-sliding", 8),
    ("bitonic_sort:n=16", "one-shot", 6),
    ("matmul:n=6", "one-shot", 12),
    ("matmul:n=6", "recompute", 12),
    ("lu:n=8", "one-shot", 12),
    ("cholesky:n=8", "one-shot", 10),
    ("conjugate_gradient:shape=6x6,steps=3", "one-shot", 32),
    ("stencil:shape=12x12,steps=4", "one-shot", 12),
    ("stencil:shape=24,steps=12", "recompute", 6),
    ("grid:shape=12x12", "one-shot", 4),
    ("grid:shape=5x5x5", "one-shot", 6),
    ("pyramid:height=12", "one-shot", 5),
    ("hypercube:d=7", "one-shot", 8),
    ("diamond:n=10", "one-shot", 4),
    ("merge_sort:n=16,ways=2", "one-shot", 6),
    ("random_layered:n=60", "one-shot", 8),
    ("random_layered:n=40,max_words=3", "one-shot", 12),
    ("random_layered:n=24,seed=2", "recompute", 6),
    ("random_tree:n=40,max_words=1", "one-shot", 4),
    ("attention:tokens=6,width=2", "one-shot", 12),
    ("dirac:k=1,n4=4", "one-shot", 16),
    ("convolution:height=8,width=8", "one-shot", 6),
    ("polybench/gemm:NI=6,NJ=6,NK=6", "one-shot", 12),
    ("polybench/jacobi-1d:TSTEPS=6,N=20", "one-shot", 8),
    ("polybench/jacobi-2d:TSTEPS=3,N=8", "one-shot", 12),
    ("polybench/seidel-2d:TSTEPS=4,N=8", "one-shot", 12),
    ("polybench/lu:N=8", "one-shot", 10),
    ("polybench/cholesky:N=8", "one-shot", 10),
    ("polybench/atax:M=8,N=8", "one-shot", 8),
    ("polybench/bicg:M=8,N=8", "one-shot", 8),
    ("polybench/durbin:N=10", "one-shot", 8),
    ("polybench/trmm:M=6,N=6", "one-shot", 10),
    ("polybench/floyd-warshall:N=6", "one-shot", 10),
    ("polybench/nussinov:N=8", "one-shot", 8),
    ("fine_CG_N4_K2_nzP0d5.hdag", "one-shot", 12),
    ("fine_exp_N6_K4_nzP0d4.hdag", "one-shot", 10),
    ("fine_kNN_N6_K4_nzP0d4.hdag", "one-shot", 8),
    ("fine_spmv_N10_nzP0d3.hdag", "one-shot", 8),
    ("fine_spmv_N6_nzP0d3.hdag", "recompute", 8),
    ("coarse_k-means.hdag", "one-shot", 6),
    ("synthetic_ER_N30_e90.hdag", "one-shot", 10),
    ("synthetic_ER_N15_e30.hdag", "recompute", 7),
)


class Line(NamedTuple):
    """What both checkers say of a run's certificate."""

    spec: str
    rules: str
    memory: int
    io: int
    kind: str
    verdict: str
    python: float
    coq: float


def main() -> None:
    """Make the rows of runs, print them as they come, and write each into the table."""
    build()
    place = sys.argv.index("--only") if "--only" in sys.argv else None
    first, last = map(int, sys.argv[place + 1 : place + 3]) if place else (0, len(RUNS) - 1)
    for spec, rules, memory in RUNS[first : last + 1]:
        path = SHARED / spec if spec.endswith(".hdag") else Path(spec)
        if spec.endswith(".hdag") and not path.exists():
            continue
        row = row_of(judged(str(path), rules, memory))
        sys.stdout.write(f"{row}\n")
        sys.stdout.flush()
        behind = PAGE.read_text().partition(f"<!-- {MARK} -->")[2]
        rows = rows_in(behind.partition(f"<!-- end of {MARK} -->")[0])
        write_marked(PAGE, MARK, table([*rows, row]))


def judged(spec: str, rules: str, memory: int) -> Line:
    """What both checkers say of the certificate of a run."""
    dag, game = load(spec), RULES[rules]
    memory = max(memory, min_memory(dag, rules=game))
    bound = rb.bound(dag, memory, rules=game, time_limit=SECONDS)
    name = Path(spec).name if spec.endswith(".hdag") else spec
    began = time.perf_counter()
    check(dag, memory, bound)
    python = time.perf_counter() - began
    began = time.perf_counter()
    try:
        verify(dag, bound)
        verdict = "proved"
    except NotVerifiedError as error:
        verdict = str(error).partition("does not know ")[2].partition(";")[0]
    except CertificateError as error:
        verdict = f"refused: {error}"
    coq = time.perf_counter() - began
    kinds = " ".join((_kind(bound.certificate), *theorems_of(bound.certificate)))
    return Line(name, rules, memory, bound.io, kinds, verdict, python, coq)


def _kind(certificate: Any) -> str:
    inner = certificate.data.get("kind")
    return certificate.kind if inner is None else f"{certificate.kind} of {inner}"


def row_of(line: Line) -> str:
    """The row of a run."""
    return (
        f"| `{line.spec}` | {line.rules} | {line.memory} | {line.io:,} | {line.kind} "
        f"| {line.verdict} | {line.python:.2f} | {line.coq:.2f} |"
    )


def rows_in(text: str) -> list[str]:
    """The rows of a table."""
    return [line for line in text.splitlines() if line.startswith("| `")]


def table(rows: list[str]) -> str:
    """The table of the page, with the count before it.

    Parameters
    ----------
    rows
        A run may have several: the last counts.
    """
    cells = {}
    for row in rows:
        spec, rules, *remaining = (cell.strip() for cell in row.strip("|").split("|"))
        cells[spec.strip("`"), rules] = row, remaining[3]
    known = [cells[spec, rules] for spec, rules, _ in RUNS if (spec, rules) in cells]
    verdicts = Counter(verdict for _, verdict in known)
    proved = verdicts.pop("proved", 0)
    return "\n".join(
        [
            f"Of {len(known)} certificates that `redblue bound` emits, the verified checker "
            f"accepts {proved}, each with the bound that `redblue` printed.",
            f"It does not know {len(known) - proved}:",
            "",
            *(f"- {count} for {subject}" for subject, count in verdicts.most_common()),
            "",
            "`python benchmarks/verified_share.py` writes the table; seconds are of a busy machine",
            "and those of the verified checker begin with writing both files.",
            "",
            "| computation | rules | M | words | certificate | verified | Python, s | Coq, s |",
            "|---|---|---|---|---|---|---|---|",
            *(row for row, _ in known),
            "",
        ]
    )


if __name__ == "__main__":
    main()
