"""Writes the worked examples of docs/reference/certificate.md: a small certificate of each kind.

python benchmarks/certificate_examples.py

Each is what a bounding method emits for a computation at some memory; a test has the checker read
them from the page, and refuse them with a field more or less.
"""

import json
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dags import CDAG, load
from dags.families.common.members import Member, member_of
from pebble import rules_named
from proofs import BOUNDS, Bound
from proofs.bounds.families.closed_forms import form_bound

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "certificate.md"
BEGIN, END = "<!-- examples -->", "<!-- end of examples -->"
SECONDS = 60.0
WIDTH = 110
ROW = "`{command}` proves {words} words:"


class Run(NamedTuple):
    """A run of a method, of none for closed forms, and the kind of its certificate."""

    kind: str
    spec: str
    rules: str
    memory: int
    method: str

    @property
    def command(self) -> str:
        """What to type for it."""
        rules = "" if self.rules == "one-shot" else f" --rules {self.rules}"
        options = f"--bounds {self.method}" if self.method else "--counted"
        return f"redblue bound {self.spec} --memory {self.memory}{rules} {options}"

    @property
    def judged(self) -> CDAG | Member:
        """What the certificate speaks of."""
        return load(self.spec) if self.method else member_of(self.spec)

    def bound(self) -> Bound | None:
        """Return the bound that the method finds, or the closed form."""
        rules = rules_named(self.rules)
        if self.method:
            dag = load(self.spec)
            return BOUNDS[self.method](dag, self.memory, rules=rules, time_limit=SECONDS)
        return form_bound(member_of(self.spec), self.memory, rules)


RUNS = (
    Run("affine", "polybench/gemm:NI=6,NJ=6,NK=6", "one-shot", 12, "affine"),
    Run("attention", "attention:tokens=16,width=4", "one-shot", 8, "attention"),
    Run("butterfly", "fft:n=16", "one-shot", 4, "butterflies"),
    Run("closed-form", "fft:n=1048576", "one-shot", 100, ""),
    Run("dirac", "dirac:k=2,n4=4", "one-shot", 180, "dirac"),
    Run("held-operands", "fft:n=9,radix=3", "partial", 3, "butterflies"),
    Run("kept-pairs", "matmul:n=3,form=tree", "recompute", 4, "reuse"),
    Run("open-chains", "matmul:n=6", "one-shot", 12, "reuse"),
    Run("priced-contacts", "stencil:shape=12x12,steps=4", "one-shot", 12, "segments"),
    Run("priced-layers", "grid:shape=2x3x4", "one-shot", 5, "segments"),
    Run("priced-levels", "hypercube:d=6", "one-shot", 8, "segments"),
    Run("program", "polybench/gemm:NI=6,NJ=6,NK=6", "one-shot", 12, "nests"),
    Run("projections", "matmul:n=6", "one-shot", 12, "projections"),
    Run("reload-windows", "odd_even_transposition_sort:n=4", "recompute", 4, "reload-windows"),
    Run("renumbered", "polybench/lu:N=3", "one-shot", 5, "exact-pieces"),
    Run("reuse", "fft:n=4", "one-shot", 4, "reuse"),
    Run("segments", "fft:n=64", "one-shot", 6, "segments"),
    Run("shares", "polybench/jacobi-1d:TSTEPS=2,N=6", "one-shot", 5, "slices"),
    Run("spinors", "dirac_steps:shape=12x12,steps=12", "one-shot", 432, "dirac"),
    Run("staged", "odd_even_transposition_sort:n=10", "one-shot-sliding", 4, "exact-pieces"),
    Run("uniform", "polybench/jacobi-1d:TSTEPS=6,N=20", "one-shot", 8, "uniform"),
    Run("windows", "fft:n=64", "one-shot", 6, "dominators"),
)


def main() -> None:
    """Write the examples between their marks."""
    before, _, remaining = PAGE.read_text().partition(BEGIN)
    _, _, behind = remaining.partition(END)
    PAGE.write_text(before + BEGIN + "\n\n" + "\n".join(map(example, RUNS)) + END + behind)


def example(run: Run) -> str:
    """Return the command of a run, and its certificate."""
    bound = run.bound()
    kind = None if bound is None else bound.certificate.kind
    if bound is None or kind != run.kind:
        raise SystemExit(f"{run.command} emits a certificate of the kind {kind}, not {run.kind}")
    record = {"kind": kind, "data": plain(bound.certificate.data)}
    written = textwrap.fill(
        json.dumps(record, sort_keys=True), WIDTH, break_long_words=False, break_on_hyphens=False
    )
    row = ROW.format(command=run.command, words=bound.io)
    return f"{row}\n\n```json\n{written}\n```\n"


def plain(data: Any) -> Any:
    """Return data as JSON has it."""
    if isinstance(data, dict):
        return {name: plain(value) for name, value in data.items()}
    if isinstance(data, list | tuple | np.ndarray):
        return [plain(value) for value in data]
    return int(data) if isinstance(data, np.integer) else data


if __name__ == "__main__":
    main()
