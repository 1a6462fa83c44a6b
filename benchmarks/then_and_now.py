"""One computation asked in several ways: the answers of commit d070518f, and those of today.

    python benchmarks/then_and_now.py [ROW ...]   a table, row by row; all rows without a name

Each row is a computation, a way to ask for it, and a size of memory, with the words that the best
schedule moves and those that are proved. What was answered then was measured at that commit, on
two shared cores, at most 60 seconds each; a dash stands where nothing was answered or asked.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

import redblue as rb

PLAIN: Final = "for (i = 0; i < N; i++) for (j = 0; j < N; j++) for (k = 0; k < N; k++) "
TEXTS: Final = {
    "plain": "void f(double A[N][N], double B[N][N], double C[N][N]) { int i, j, k; "
    + PLAIN
    + "C[i][j] += A[i][k] * B[k][j]; }",
    "flat": "void f(double *A, double *B, double *C) { int i, j, k; "
    + PLAIN
    + "C[i*N + j] += A[i*N + k] * B[k*N + j]; }",
    "named": "void f(double A[N][N], double B[N][N], double C[N][N]) { int i, j, k; "
    + PLAIN
    + "{ double p = A[i][k] * B[k][j]; C[i][j] += p; } }",
    "unrolled": "void f(double A[N][N], double B[N][N], double C[N][N]) { int i, j, k; "
    "for (i = 0; i < N; i++) for (j = 0; j < N; j++) for (k = 0; k < N; k += 4) { "
    + " ".join(f"C[i][j] += A[i][k + {r}] * B[k + {r}][j];" for r in range(4))
    + " } }",
    "terms": "void f(double A[N][N], double B[N][N], double C[N][N]) { int i, j, k; "
    "for (i = 0; i < N; i++) for (j = 0; j < N; j++) for (k = 0; k < N; k += 4) C[i][j] += "
    + " + ".join(f"A[i][k + {r}] * B[k + {r}][j]" for r in range(4))
    + "; }",
    "tiled": "void f(double A[N][N], double B[N][N], double C[N][N]) { int ii, jj, kk, i, j, k; "
    "for (ii = 0; ii < N; ii += 32) for (jj = 0; jj < N; jj += 32) for (kk = 0; kk < N; kk += 32) "
    "for (i = ii; i < ii + 32; i++) for (j = jj; j < jj + 32; j++) "
    "for (k = kk; k < kk + 32; k++) C[i][j] += A[i][k] * B[k][j]; }",
    "upwards": "void f(int T, int N, double a[N][N]) { for (int t = 0; t < T; t++) "
    "for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) a[i][j] = "
    "(a[i-1][j] + a[i][j-1] + a[i][j] + a[i+1][j] + a[i][j+1]) / 5; }",
    "downwards": "void f(int T, int N, double a[N][N]) { for (int t = 0; t < T; t++) "
    "for (int i = N - 2; i > 0; i--) for (int j = N - 2; j > 0; j--) a[i][j] = "
    "(a[i-1][j] + a[i][j-1] + a[i][j] + a[i+1][j] + a[i][j+1]) / 5; }",
    "attention": "void f(int N, int D, double q[N][D], double k[N][D], double v[N][D], "
    "double o[N][D]) { for (int i = 0; i < N; i++) { double e[N], sum; "
    "for (int j = 0; j < N; j++) { double s = 0; for (int c = 0; c < D; c++) "
    "s += q[i][c] * k[j][c]; e[j] = exp(s); } sum = 0; for (int j = 0; j < N; j++) sum += e[j]; "
    "for (int c = 0; c < D; c++) { double r = 0; for (int j = 0; j < N; j++) "
    "r += e[j] * v[j][c]; o[i][c] = r / sum; } } }",
}


class Row(NamedTuple):
    """A question, and what was answered then."""

    name: str
    spec: str
    memory: int
    played: str
    proved: str


PRODUCT: Final = "product 1024^3"
ROWS: Final = (
    Row(PRODUCT, "plain.c:N=1024", 4000, "36.7 M", "35.0 M"),
    Row(f"{PRODUCT}, flat indices", "flat.c:N=1024", 4000, "36.7 M", "4.2 M"),
    Row(f"{PRODUCT}, p = a*b; C += p", "named.c:N=1024", 4000, "51.4 M", "4.2 M"),
    Row(f"{PRODUCT}, k unrolled by four", "unrolled.c:N=1024", 4000, "51.4 M", "3.1 M"),
    Row(f"{PRODUCT}, four terms", "terms.c:N=1024", 4000, "570 M", "8.5 M"),
    Row(f"{PRODUCT}, tiled by 32", "tiled.c:N=1024", 4000, "539 M", "4.2 M"),
    Row("product 768^3, family", "matmul:n=768", 4000, "-", "-"),
    Row("product 1024^3, family", "matmul:n=1024", 4000, "-", "-"),
    Row("beta and product", "polybench/gemm:NI=200,NJ=200,NK=200", 12288, "317,802", "-"),
    Row("LU, family", "lu:n=2000", 30000, "37.9 M", "-"),
    Row("LU, text", "polybench/lu:N=2000", 30000, "64.7 M", "-"),
    Row("attention 24 x 4", "attention:tokens=24,width=4", 24, "-", "940"),
    Row("attention 4096 x 64", "attention.c:N=4096,D=64", 100_000, "3.67 M", "-"),
    Row("SOR in place, upwards", "upwards.c:T=100,N=2000", 8000, "-", "-"),
    Row("SOR in place, downwards", "downwards.c:T=100,N=2000", 8000, "-", "-"),
)


def answered(spec: str, memory: int) -> tuple[int, int, float]:
    """The words of the best schedule, those that are proved, and the CPU seconds of both."""
    began = time.process_time()
    curve = rb.curve(spec, [memory])
    played, proved = (dict(curve.envelope(kind))[memory] for kind in ("upper", "lower"))
    return played, proved, time.process_time() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of rows")
    wanted = parser.parse_args().names
    print("| computation | M | then played | then proved | played | proved | CPU s |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in TEXTS.items():
            Path(folder, f"{name}.c").write_text(text)
        for row in ROWS:
            if wanted and not any(part in row.name for part in wanted):
                continue
            is_file = row.spec.partition(":")[0].endswith(".c")
            spec = f"{folder}/{row.spec}" if is_file else row.spec
            played, proved, seconds = answered(spec, row.memory)
            print(
                f"| {row.name} | {row.memory:,} | {row.played} | {row.proved} "
                f"| {played:,} | {proved:,} | {seconds:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
