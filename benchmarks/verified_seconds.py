"""Seconds of the verified checker beside the checker in Python: a table of docs/reference/trust.md.

    python benchmarks/verified_seconds.py

Each row is the certificate that a method emits for a small computation, and one for a computation
of about 100,000 vertices: copies of the small one beside each other, with the parts of every copy.
A search is of the first copy alone, for Python repeats a search of equal pieces once. Stages and
chains may have at most 4,096 vertices, moments of one order 2^23 vertices times moments, and so
have their copies; some kinds are emitted for a large computation itself. Seconds are of the
processor, those of the verified checker with the program's start and the reading of both files.
"""

import resource
import sys
import time
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from benchmarks.certificate_examples import plain
from benchmarks.marked import write_marked
from benchmarks.verified_share import PAGE
from dags import CDAG, load
from pebble import rules_named
from proofs import BOUNDS, Bound, check
from proofs.certificates import Certificate, proven_io
from proofs.certificates.maps import OPTIMUM, RENUMBERED
from proofs.verdict import with_play
from proofs.verified import build, verify
from schedulers import scheduler_named

MARK = "seconds"
LARGE, STAGED = 100_000, 4_096  # vertices
MOST_DUE = 2**23  # vertices times moments of one order
SECONDS = 20.0  # of a method
FULL = "all"


class Run(NamedTuple):
    """A certificate to measure: its name in the table, and what emits it."""

    name: str
    spec: str
    rules: str
    memory: int
    method: str
    large: str = ""  # a large computation, where no copies are


RUNS = (
    Run("compulsory", "fft:n=16", "recompute", 4, "compulsory"),
    Run("parts: fronts", "fft:n=16", "one-shot", 6, "decomposition"),
    Run("parts: loads after fronts", "polybench/nussinov:N=12", "recompute", 10, "exact-pieces"),
    Run("parts: a search, once", "bitonic_sort:n=4", "one-shot", 4, "exact-pieces"),
    Run("parts: a search, again", "bitonic_sort:n=4", "recompute", 4, "exact-pieces"),
    Run("shares: moments", "polybench/jacobi-1d:TSTEPS=2,N=6", "one-shot", 5, "slices"),
    Run("staged: fronts", "polybench/nussinov:N=12", "one-shot", 10, "decomposition"),
    Run("staged: one order", "conjugate_gradient:shape=2,steps=1", "one-shot", 4, "decomposition"),
    Run(
        *("reload-windows", "stencil:shape=8,steps=8", "recompute", 5, "reload-windows"),
        large="stencil:shape=64,steps=60",
    ),
    Run(
        *("projections", "matmul:n=6", "one-shot", 12, "projections"),
        large="matmul:n=45",
    ),
    Run("renumbered: loads", "polybench/lu:N=12", "recompute", 8, "exact-pieces"),
    Run("optimum: compulsory", "bitonic_sort:n=8", "one-shot", 24, "compulsory"),
)


def main() -> None:
    """Write the table into the page."""
    build()
    write_marked(PAGE, MARK, table([row_of(run) for run in RUNS]))


def table(rows: list[str]) -> str:
    """The table of rows."""
    head = (
        "| certificate | vertices | words | Python, s | verified, s "
        "| vertices | words | Python, s | verified, s |"
    )
    return "\n".join([head, "|---" * 9 + "|", *rows])


def row_of(run: Run) -> str:
    """The row of a run: its small certificate, and the large one."""
    dag, rules = load(run.spec), rules_named(run.rules)
    bound = BOUNDS[run.method](dag, run.memory, rules=rules, time_limit=SECONDS)
    if run.name.startswith(OPTIMUM):
        scheduler = scheduler_named("depth-first+belady")
        bound = with_play(bound, scheduler(dag, run.memory, rules=rules))
    if run.large:
        wide = load(run.large)
        large = BOUNDS[run.method](wide, run.memory, rules=rules, time_limit=SECONDS)
    else:
        kind, data = bound.certificate.kind, plain(bound.certificate.data)
        ordered = sum(part["proof"] == "order" for part in data.get("parts", ()))
        count = (STAGED if data.get("owners") else LARGE) // dag.n
        if ordered:
            count = min(count, isqrt(MOST_DUE // (ordered * dag.n)))
        wide = beside(dag, count)
        certificate = Certificate(kind, copied(kind, data, dag, count))
        words = proven_io(wide, run.memory, rules, certificate)
        large = Bound(run.method, run.memory, words, rules, certificate)
    row = "| " + " | ".join((run.name, *measured(dag, bound), *measured(wide, large))) + " |"
    sys.stdout.write(f"{row}\n")
    sys.stdout.flush()
    return row


def beside(dag: CDAG, count: int) -> CDAG:
    """The computation that consists of so many copies of one."""
    n, edges = dag.n, dag.pred_indices.size
    starts = [dag.pred_indptr[:-1] + edges * copy for copy in range(count)]
    return CDAG(
        np.concatenate([*starts, [edges * count]]),
        np.concatenate([dag.pred_indices + n * copy for copy in range(count)]),
        words=None if dag.words is None else np.tile(dag.words, count),
        outputs=np.concatenate([dag.outputs + n * copy for copy in range(count)]),
    )


def copied(kind: str, data: dict[str, Any], dag: CDAG, count: int) -> dict[str, Any]:
    """The data of a certificate for the copies of a computation.

    Parameters
    ----------
    kind, data
        The certificate of one.
    dag, count
        The computation, and how many copies there are.
    """
    n = dag.n
    if kind in (RENUMBERED, OPTIMUM):
        inner = copied(data["kind"], data["data"], dag, count)
        lists = {"op": data["op"] * count} if kind == OPTIMUM else {}
        return {
            "kind": data["kind"],
            "data": inner,
            **lists,
            "vertex": moved(data["vertex"], n, count),
        }
    if "parts" not in data:
        return data
    stages = {name: moved(data[name], n, count) for name in ("owners", "readers") if name in data}
    searches = any(part["proof"] == "exact" for part in data["parts"])
    strides = {
        **dict.fromkeys(("stored", "tied"), n),
        **dict.fromkeys(("edges", "closures"), dag.pred_indices.size),
        "stages": n + len(data.get("owners", ())),
    }
    parts = [
        of_copy(part, dag, copy, strides)
        for copy in range(1 if searches else count)
        for part in data["parts"]
    ]
    return {**data, **stages, "parts": parts}


def of_copy(part: dict[str, Any], dag: CDAG, copy: int, strides: dict[str, int]) -> dict[str, Any]:
    """A part for a copy: moments of one order name what is in all copies, others places.

    Parameters
    ----------
    part, dag
        A part, and the computation of which it is.
    copy
        The number of the copy, from 0 on.
    strides
        By how much the entries of lists of moments of one order move from copy to copy.
    """
    if part["proof"] == "order":
        lists = {
            name: [entry + copy * stride for entry in part["data"][name]]
            for name, stride in strides.items()
        }
        vertex = part["data"]["vertex"] + copy * dag.n
        return {**part, "vertices": FULL, "data": {**part["data"], **lists, "vertex": vertex}}
    within = range(dag.n) if part["vertices"] == FULL else part["vertices"]
    return {**part, "vertices": [v + copy * dag.n for v in within]}


def moved(numbers: list[int], stride: int, count: int) -> list[int]:
    """Copies of a list of numbers, each larger by a stride than the one before."""
    return [number + stride * copy for copy in range(count) for number in numbers]


def measured(dag: CDAG, bound: Bound) -> tuple[str, str, str, str]:
    """Vertices, words, and the seconds of both checkers."""
    began = time.process_time()
    check(dag, bound.memory, bound)
    python = time.process_time() - began
    verify(dag, bound)  # so that what is measured does not depend on what came before
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    verify(dag, bound)
    coq = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return f"{dag.n:,}", f"{bound.io:,}", f"{python:.2f}", f"{coq:.2f}"


if __name__ == "__main__":
    main()
