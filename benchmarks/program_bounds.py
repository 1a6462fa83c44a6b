"""Writes two tables of docs/bounds.md: what is proved for programs, and their laws.

    python benchmarks/program_bounds.py [--laws]

Every bound passes its checker before it is printed; every play is replayed by the engine. Limits
are seconds of this process, not of the clock on the wall: the table is the same on a busy machine.
"""

import sys
import time
from pathlib import Path

from benchmarks.marked import write_marked
from dags import load
from dags.programs.text.library import KERNELS, polybench
from pebble import play
from proofs import BOUNDS, NotApplicableError, best_bound, check
from proofs.laws.programs import law
from schedulers import scheduler_named

PAGE = Path(__file__).resolve().parents[1] / "docs" / "bounds.md"
METHODS = ("affine", "uniform", "slices")
OTHERS = ("compulsory", "reuse", "wavefront", "decomposition", "exact-pieces")
SECONDS, OTHERS_SECONDS = 4.0, 8.0
SPECS = (
    "adi:TSTEPS=4,N=16",
    "atax:M=32,N=32",
    "bicg:M=16,N=16",
    "cholesky:N=24",
    "covariance:M=16,N=16",
    "durbin:N=40",
    "fdtd-2d:TMAX=6,NX=14,NY=14",
    "floyd-warshall:N=16",
    "gemm:NI=16,NJ=16,NK=16",
    "gramschmidt:M=16,N=16",
    "heat-3d:TSTEPS=3,N=10",
    "jacobi-1d:TSTEPS=24,N=66",
    "jacobi-2d:TSTEPS=8,N=18",
    "lu:N=20",
    "seidel-2d:TSTEPS=12,N=18",
    "symm:M=16,N=16",
    "syr2k:M=16,N=16",
    "trmm:M=16,N=16",
)
MEMORIES = (12, 32)
ORDERS = ("natural+belady", "depth-first+belady", "tiled")


def row(spec: str, memory: int) -> str:
    """The line of a program and a memory."""
    dag = load(f"polybench/{spec}")
    known = {name: _proved(name, spec, memory) for name in METHODS}
    remaining = [BOUNDS[name] for name in OTHERS]
    besides = best_bound(remaining, dag, memory, time_limit=OTHERS_SECONDS).io
    best = max(besides, *(io for io in known.values() if io is not None))
    shown = [*(known[name] for name in METHODS), besides]
    cells = ["" if io is None else f"**{io:,}**" if io == best else f"{io:,}" for io in shown]
    played = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
    return f"| {spec} | {memory} | {' | '.join(cells)} | {played:,} | {played / best:.2f} |"


def _proved(name: str, spec: str, memory: int) -> int | None:
    """What a method proves, checked; None where it does not apply."""
    dag = load(f"polybench/{spec}")
    try:
        bound = BOUNDS[name](dag, memory, time_limit=SECONDS)
    except NotApplicableError:
        return None
    check(dag, memory, bound)
    return bound.io


def law_row(kernel: str) -> str | None:
    """The line of a kernel's law, None where only the compulsory words are known."""
    result = law(polybench(kernel))
    if result.shape is None and result.distances is None and result.room is None:
        return None
    power = f" M^({result.exponent})" if result.exponent else ""
    term = f"{result.leading:.4g} n^{result.degree}{power}"
    add = result.gain if result.room is None else f"-M ({result.room})"
    proved = "" if result.proved is None else result.proved
    times = "" if result.tiled_ratio is None else f" ({result.tiled_ratio:.2f} times)"
    tiles = "" if result.tile is None else f"{result.tile.text(result.letter)}{times}"
    parts = (kernel, term, result.updates, add, result.compulsory, proved, tiles)
    return f"| {' | '.join(map(str, parts))} |"


def main() -> None:
    """Prove everything and write both tables, or that of the laws alone."""
    time.monotonic = time.process_time  # what methods look at
    tables = [("program laws", laws())]
    if sys.argv[1:] != ["--laws"]:
        tables.append(("program bounds", bounds()))
    for name, table in tables:
        write_marked(PAGE, name, "\n".join(table))


def bounds() -> list[str]:
    """The table of what is proved."""
    head = [f"| program | M | {' | '.join(METHODS)} | others | played | played / best |"]
    head.append("|---" * (len(METHODS) + 5) + "|")
    return [*head, *(row(spec, memory) for spec in SPECS for memory in MEMORIES)]


def laws() -> list[str]:
    """The table of laws."""
    names = (
        "program",
        "leading term",
        "updates",
        "words to add",
        "compulsory",
        "proved from",
        "tiles",
    )
    head = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    return [*head, *filter(None, map(law_row, KERNELS))]


if __name__ == "__main__":
    main()
