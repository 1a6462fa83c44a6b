"""Writes the worked examples of docs/reference/certificate.md: a small certificate of each kind.

python benchmarks/certificate_examples.py

Each is what a bounding method emits for a computation at some memory; a test has the checker read
them from the page, and refuse them with a field more or less.
"""

import json
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory
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
TEXTS = {
    "norm.c": """\
for (n = 0; n < N; n++) {
  s[n] = 0;
  for (c = 0; c < C; c++)
    s[n] += x[n][c] * x[n][c];
  r[n] = 1 / s[n];
  for (c = 0; c < C; c++)
    y[n][c] = x[n][c] * r[n];
}
""",
    "product.c": """\
void product(int n, double A[n][n], double B[n][n], double C[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        double p = A[i][k] * B[k][j];
        C[i][j] += p;
      }
}
""",
    "upwards.c": """\
void factor(int n, double A[n][n]) {
  for (int k = n - 1; k >= 0; k--)
    for (int i = 0; i < k; i++) {
      A[i][k] /= A[k][k];
      for (int j = 0; j < k; j++)
        A[i][j] -= A[i][k] * A[k][j];
    }
}
""",
}


class Run(NamedTuple):
    """A run of a method, of none for closed forms, and the kind of its certificate.

    Of the kind `program`, `inner` is the kind of the certificate inside.
    """

    kind: str
    spec: str
    rules: str
    memory: int
    method: str
    inner: str = ""

    @property
    def command(self) -> str:
        """What to type for it."""
        rules = "" if self.rules == "one-shot" else f" --rules {self.rules}"
        options = f"--bounds {self.method}" if self.method else "--counted"
        return f"redblue bound {self.spec} --memory {self.memory}{rules} {options}"

    @property
    def judged(self) -> CDAG | Member:
        """What the certificate speaks of."""
        if not self.method:
            return member_of(self.spec)
        if self.text not in TEXTS:
            return load(self.spec)
        with TemporaryDirectory() as folder:
            Path(folder, self.text).write_text(TEXTS[self.text])
            return load(str(Path(folder, self.spec)))

    @property
    def text(self) -> str:
        """The name of the text in `TEXTS` that it reads, or of a family."""
        return self.spec.partition(":")[0]

    def bound(self) -> Bound | None:
        """The bound that the method finds, or the closed form."""
        rules, computation = rules_named(self.rules), self.judged
        if isinstance(computation, Member):
            return form_bound(computation, self.memory, rules)
        return BOUNDS[self.method](computation, self.memory, rules=rules, time_limit=SECONDS)


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
    Run("program", "polybench/2mm:NI=3,NJ=3,NK=3,NL=3", "one-shot", 12, "nests", "nest-compulsory"),
    Run("program", "polybench/gemm:NI=6,NJ=6,NK=6", "one-shot", 12, "nests", "nest-windows"),
    Run(
        "program",
        "polybench/2mm:NI=4,NJ=4,NK=4,NL=4",
        "recompute",
        6,
        "nests",
        "nest-windows-everywhere",
    ),
    Run(
        "program",
        "polybench/2mm:NI=4,NJ=4,NK=4,NL=4",
        "one-shot",
        6,
        "nests",
        "nest-joint-windows",
    ),
    Run(
        "program", "polybench/covariance:M=6,N=6", "one-shot", 12, "nests", "nest-labelled-windows"
    ),
    Run("program", "polybench/2mm:NI=3,NJ=3,NK=3,NL=3", "recompute", 6, "nests", "nest-cut"),
    Run("program", "norm.c:N=4,C=9", "one-shot", 4, "nests", "nest-waits"),
    Run("program", "polybench/gemver:N=6", "one-shot", 6, "nests", "nest-sum"),
    Run("program", "polybench/jacobi-1d:TSTEPS=10,N=20", "one-shot", 4, "nests", "nest-mesh"),
    Run("program", "product.c:n=6", "one-shot", 12, "nests", "nest-merged-windows"),
    Run("program", "upwards.c:n=8", "one-shot", 8, "nests", "nest-member"),
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
    """The command of a run, and its certificate."""
    bound = run.bound()
    kind = None if bound is None else bound.certificate.kind
    if bound is None or kind != run.kind:
        raise SystemExit(f"{run.command} emits a certificate of the kind {kind}, not {run.kind}")
    record = {"kind": kind, "data": plain(bound.certificate.data)}
    if run.inner and record["data"]["kind"] != run.inner:
        raise SystemExit(f"{run.command} emits {record['data']['kind']}, not {run.inner}")
    written = textwrap.fill(
        json.dumps(record, sort_keys=True), WIDTH, break_long_words=False, break_on_hyphens=False
    )
    row = ROW.format(command=run.command, words=bound.io)
    if run.text in TEXTS:
        row = f"With the text `{run.text}`\n\n```c\n{TEXTS[run.text]}```\n\n{row}"
    return f"{row}\n\n```json\n{written}\n```\n"


def plain(data: Any) -> Any:
    """Data as JSON has it."""
    if isinstance(data, dict):
        return {name: plain(value) for name, value in data.items()}
    if isinstance(data, list | tuple | np.ndarray):
        return [plain(value) for value in data]
    return int(data) if isinstance(data, np.integer) else data


if __name__ == "__main__":
    main()
