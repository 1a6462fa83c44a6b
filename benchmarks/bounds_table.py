"""Writes docs/bounds.md: what each method proves for each family.

    python benchmarks/bounds_table.py [--seconds 1] [--jobs 1] [--only TEXT]

Every bound passes its checker before it is printed; every play is replayed by the engine.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.marked import write_marked
from dags import load
from pebble import ONE_SHOT, min_memory, play
from proofs import BOUNDS, NotApplicableError, check
from proofs.laws.closed_forms import FORMS
from schedulers import structured

OF_PROGRAMS = ("slices", "uniform")  # see program_bounds
METHODS = tuple(name for name in BOUNDS if name not in OF_PROGRAMS)
PAGE = Path(__file__).resolve().parents[1] / "docs" / "bounds.md"
SPECS = (
    "attention:tokens=24,width=4",
    "binomial:n=24",
    "bitonic_sort:n=64",
    "chain:n=100",
    "cholesky:n=16",
    "conjugate_gradient:shape=6x6,steps=3",
    "convolution:height=12,width=12,channels=2,filters=2",
    "dirac:k=2,n4=4",
    "fft:n=256",
    "fft:n=1024",
    "grid:shape=24x24",
    "grid:shape=10x10x10",
    "hypercube:d=10",
    "lu:n=16",
    "matmul:n=10",
    "matmul:n=24",
    "matvec:n=30",
    "merge_sort:n=64,ways=4",
    "odd_even_merge_sort:n=64",
    "odd_even_transposition_sort:n=24",
    "prefix_scan:n=256",
    "pyramid:height=24",
    "qr_givens:n=12",
    "random_layered:n=300,seed=1",
    "random_spmv:n=50,density=0.1,seed=1",
    "random_tree:n=200,max_words=3",
    "spmv:shape=16x16",
    "stencil:shape=32x32,steps=4",
    "strassen:n=8",
    "sweep:shape=24x24",
    "syrk:n=16,k=16",
    "tree:height=7",
    "triangular_solve:n=16,k=16",
)


def memories(spec: str) -> tuple[int, int]:
    """The smallest memory doubled, and four times that."""
    smallest = min_memory(load(spec))
    return 2 * smallest, 8 * smallest


def row(spec: str, seconds: float) -> list[str]:
    """The lines of a DAG: a memory each."""
    dag = load(spec)
    lines = []
    for memory in memories(spec):
        played = play(dag, structured.blocks(dag, memory), memory).io
        proved = {name: _proved(name, spec, memory, seconds) for name in METHODS}
        known = [io for io in proved.values() if io is not None]
        shown = ["" if io is None else f"{io:,}" for io in proved.values()]
        best = max(known)
        shown = [f"**{text}**" if text == f"{best:,}" else text for text in shown]
        lines.append(
            f"| {spec} | {memory} | {' | '.join(shown)} | {played:,} | {played / best:.2f} |"
        )
    return lines


def _proved(name: str, spec: str, memory: int, seconds: float) -> int | None:
    """What a method proves, checked; None where it does not apply."""
    dag = load(spec)
    try:
        bound = BOUNDS[name](dag, memory, rules=ONE_SHOT, time_limit=seconds)
    except NotApplicableError:
        return None
    check(dag, memory, bound)
    return bound.io


def forms() -> str:
    """The table of closed forms."""
    lines = ["| family | words | holds | rules |", "|---|---|---|---|"]
    for family, known in FORMS.items():
        lines += [
            f"| `{family}` | {form.formula} | {form.holds} | "
            f"{'all' if form.recompute else 'one-shot'} |"
            for form in known
        ]
    return "\n".join(lines)


def main() -> None:
    """Prove everything and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    chosen = [spec for spec in SPECS if options.only in spec]
    with ProcessPoolExecutor(options.jobs) as pool:
        lines = [
            line
            for part in pool.map(partial(row, seconds=options.seconds), chosen)
            for line in part
        ]
    head = [
        f"| DAG | M | {' | '.join(METHODS)} | played | played / best |",
        "|---" * (len(METHODS) + 4) + "|",
    ]
    write_marked(PAGE, "closed forms", forms())
    write_marked(PAGE, "bounds of families", "\n".join([*head, *lines]))


if __name__ == "__main__":
    main()
