"""``redblue compile``: all kernels, before the first question."""

from typing import Annotated

import typer

from redblue.cli import console
from redblue.cli.options import CORES
from redblue.cli.sweeping import interruptible

# Small DAGs that all methods play and bound under all rules, and others that have bounds of their
# own.
PLAYED = "fft:n=8", "random_layered:n=40"
BOUNDED = (
    "random_layered:n=14,max_words=3,seed=1",
    "matmul:n=3",
    "stencil:shape=8,steps=5",
    "stencil:shape=4x4,steps=3",
    "stencil:shape=3x3x3,steps=2,neighbourhood=box",
    "sweep:shape=4x4",
    "sweep:shape=3x3x3",
    "diamond:n=5",
    "pyramid:height=6",
    "cholesky:n=4",
    "hypercube:d=4",
    "dirac:k=1,n4=2,wrap=false",
    "merge_sort:n=8,ways=2",
    "odd_even_transposition_sort:n=6",
    "polybench/lu:N=4",
    "random_tree:n=20,max_words=3",
)
# Commands, for what methods alone do not come to; those of a paragraph run one after the other.
COMMANDS = """
solve fft:n=8 --memory 4 --certificate a.json --out a.npz
check fft:n=8 a.json
check fft:n=8 a.npz --memory 4
dag fft:n=8 --out a.edges
dag a.edges
dag random_layered:n=40,max_words=3 --out b.edges
dag b.edges
play fft:n=4 --memory 4 --out a.html

solve fft:n=4 --memory 4 --rules partial
curve fft:n=4 --memory 3,5 --rules partial

solve fft:n=4 --memory 4 --processors 2
curve fft:n=8 --memory 4 --processors 2
levels fft:n=8 --memory 4,8
levels fft:n=4 --memory 3,5 --effort exact

plan fft:n=8 --io-at-most 22
plan random_layered:n=60 --effort quick
plan fft:n=8 --memory 6 --addresses
law matmul:n=8

curve fft:n=16
curve matmul:n=4
curve fft:n=1024 --memory 4:64 --schedulers natural+lru,natural+belady --bounds compulsory
curve random_layered:n=60 --memory 8 --compare
"""
VERIFIED = "Only build the checker that is proved correct in Coq. It needs Coq and OCaml."
PLACE = "redblue.racing.first_runs"  # which imports the command line: not to be imported here


def compile_all(
    jobs: Annotated[int, typer.Option(help="Processes that compile in parallel.")] = CORES,
    verified: Annotated[bool, typer.Option("--verified", help=VERIFIED)] = False,
) -> None:
    """Compile all kernels now, so that the first run of a command does not wait for it.

    Compiled code is saved for this user, for this version of redblue, Numba and Python, and for
    this processor.
    """
    if verified:
        build_verified()
        return
    from dags._numba import own_folder
    from pebble import RULES
    from redblue.sweeps import sweep
    from redblue.sweeps.store.cells import Cell

    groups = [group.splitlines() for group in COMMANDS.strip().split("\n\n")]
    rules = tuple(RULES.values())
    cells = [
        *(Cell(f"{PLACE}:plays", spec, rules=rule) for spec in PLAYED for rule in rules),
        *(Cell(f"{PLACE}:bounds", spec, rules=rule) for spec in PLAYED for rule in rules),
        *(Cell(f"{PLACE}:bounds", spec) for spec in BOUNDED),
        *(Cell(f"{PLACE}:commands", "", parameters={"commands": group}) for group in groups),
        Cell(f"{PLACE}:tracing", ""),
    ]
    with interruptible(), console.progress_bar("compiling") as progress:
        outcomes = sweep(cells, jobs=jobs, progress=progress)
    failed = next((outcome.error for outcome in outcomes if outcome.status != "done"), None)
    if failed is not None:
        console.fail(f"compilation failed: {failed}", code=1)
    folder = own_folder()
    if not folder.is_dir():
        console.fail(f"{folder}: compiled code cannot be saved there")
    console.emit_text(f"all kernels are compiled and saved in {folder}")


def build_verified() -> None:
    """Build the verified checker."""
    from proofs.verified import build

    with interruptible():
        place = build()
    console.emit_text(
        f"Coq has checked all theorems, without axioms; the verified checker is {place}"
    )
