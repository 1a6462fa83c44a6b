"""Laws of 25 kernels, beside what theory says: the table in docs/laws.md.

    python benchmarks/law_kernels.py           writes the table, between its two marks
    python benchmarks/law_kernels.py NAME ...  prints the lines of some kernels

Each is asked of `redblue law` in a process of its own: its CPU seconds and its memory are told.
What is expected is the exponents of M of the terms beyond compulsory words, worked out by hand
(docs/theory, and the papers that families name); "compulsory" where no term is known to be true.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "laws.md"
BEGIN, END = "<!-- law_kernels -->", "<!-- end of law_kernels -->"
COMPULSORY = "compulsory"
LIMIT = 40  # seconds by the clock, where 8 are the default: a busy machine tells the same

C = {
    "filter bank": (
        "void f(int B, int N, int C, int F, double X[B][C][N+3], double W[F][C][4],"
        " double Y[B][F][N]) { for (int b = 0; b < B; b++) for (int f = 0; f < F; f++)"
        " for (int i = 0; i < N; i++) { Y[b][f][i] = 0; for (int c = 0; c < C; c++)"
        " for (int r = 0; r < 4; r++) Y[b][f][i] += X[b][c][i+r] * W[f][c][r]; } }",
        "-1/2",
    ),
    "image layer": (
        "void f(int C, int F, int H, double X[C][H+2][H+2], double W[F][C][3][3],"
        " double Y[F][H][H]) { for (int f = 0; f < F; f++) for (int h = 0; h < H; h++)"
        " for (int v = 0; v < H; v++) { Y[f][h][v] = 0; for (int c = 0; c < C; c++)"
        " for (int r = 0; r < 3; r++) for (int s = 0; s < 3; s++)"
        " Y[f][h][v] += X[c][h+r][v+s] * W[f][c][r][s]; } }",
        "-1/2",
    ),
    "blur": (
        "void f(int H, int W, double A[H+2][W+2], double B[H][W]) {"
        " for (int i = 0; i < H; i++) for (int j = 0; j < W; j++) B[i][j] = A[i][j] + A[i][j+1]"
        " + A[i][j+2] + A[i+1][j] + A[i+2][j+2]; }",
        COMPULSORY,
    ),
    "pairs of bodies": (
        "void f(int N, int P, double x[N], double y[P], double F[N]) {"
        " for (int i = 0; i < N; i++) { F[i] = 0; for (int j = 0; j < P; j++)"
        " F[i] += g(x[i], y[j]); } }",
        "-1",
    ),
    "lower product": (
        "void f(int N, int K, double A[N][K], double C[N][N]) { for (int i = 0; i < N; i++)"
        " for (int j = 0; j < i; j++) { C[i][j] = 0; for (int k = 0; k < K; k++)"
        " C[i][j] += A[i][k] * A[j][k]; } }",
        "-1/2",
    ),
    "elimination": (
        "void f(int N, double A[N][N]) { for (int k = 0; k < N; k++)"
        " { for (int i = k + 1; i < N; i++) A[i][k] = A[i][k] / A[k][k];"
        " for (int i = k + 1; i < N; i++) for (int j = k + 1; j < N; j++)"
        " A[i][j] = A[i][j] - A[i][k] * A[k][j]; } }",
        "-1/2",
    ),
    "heat on a line": (
        "void f(int N, int T, double A[N], double B[N]) { for (int t = 0; t < T; t++) {"
        " for (int i = 1; i < N - 1; i++) B[i] = A[i-1] + A[i] + A[i+1];"
        " for (int i = 1; i < N - 1; i++) A[i] = B[i-1] + B[i] + B[i+1]; } }",
        "-1",
    ),
    "all steps of heat": (  # which are outputs
        "void f(int N, int T, double A[T+1][N]) { for (int t = 0; t < T; t++)"
        " for (int i = 1; i < N - 1; i++) A[t+1][i] = A[t][i-1] + A[t][i] + A[t][i+1]; }",
        COMPULSORY,
    ),
    "subsequence": (
        "void f(int N, int P, double a[N], double b[P], double L[N+1][P+1]) {"
        " for (int i = 1; i <= N; i++) for (int j = 1; j <= P; j++)"
        " L[i][j] = max(L[i-1][j], L[i][j-1], L[i-1][j-1] + same(a[i-1], b[j-1])); }",
        COMPULSORY,
    ),
}
PYTHON = {
    "two layers": (
        "def f(N, P, Q, R, X, V, W, H, Y):\n    for i in range(N):\n        for j in range(Q):\n"
        "            H[i, j] = 0\n            for k in range(P):\n"
        "                H[i, j] += X[i, k] * V[k, j]\n    for i in range(N):\n"
        "        for j in range(R):\n            Y[i, j] = 0\n            for k in range(Q):\n"
        "                Y[i, j] += H[i, k] * W[k, j]\n    return Y\n",
        "-1/2",
    ),
    "matrix times vector": (
        "def f(N, P, A, x, y):\n    for i in range(N):\n        y[i] = 0\n"
        "        for j in range(P):\n            y[i] += A[i, j] * x[j]\n    return y\n",
        COMPULSORY,
    ),
}
SPECS = {
    "ij,jk->ik": "-1/2",
    "bhqd,bhkd->bhqk": "-1/2",
    "ijk,jr,kr->ir": "-2/3",
    "abcd,cdef->abef": "-1/2",
    "ij,j->i": COMPULSORY,
    "i,j->ij": COMPULSORY,
    "polybench/mvt": COMPULSORY,
    "polybench/2mm": "-1/2",
    "polybench/cholesky": "-1/2",
    "polybench/floyd-warshall": "-1/2",
    "polybench/gramschmidt": "-1",  # M^2 N^2 / S where columns fit, by its hourglass (Olivry, 2023)
    "polybench/syr2k": "-1/2",
    "polybench/jacobi-2d": "-1/2",
    "polybench/heat-3d": "-1/3",
}


def kernels(folder):
    """Yield name, specification and what is expected."""
    for ending, texts in (("c", C), ("py", PYTHON)):
        for name, (text, expected) in texts.items():
            path = folder / f"{name.replace(' ', '_')}.{ending}"
            path.write_text(text)
            yield name, str(path), expected
    yield from ((name, name, expected) for name, expected in SPECS.items())


def asked(spec):
    """Return the exponents that `redblue law` tells, its words, CPU seconds and GB."""
    command = [sys.executable, "-m", "redblue", "law", spec, "--json", "--time-limit", str(LIMIT)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, spec
    law = json.loads(out)["law"]
    terms = [entry["exponent"] for entry in law["terms"] if entry["exponent"] != "0"]
    printed = law.get("largest") or ", ".join(entry["words"] for entry in law["terms"])
    seconds = usage.ru_utime + usage.ru_stime
    return (
        ", ".join(terms) or COMPULSORY,
        printed or law["compulsory"],
        seconds,
        usage.ru_maxrss / 2**20,
    )


def lines(names):
    """Yield the lines of the table."""
    with tempfile.TemporaryDirectory() as folder:
        for name, spec, expected in kernels(Path(folder)):
            if not names or name in names:
                printed, words, seconds, memory = asked(spec)
                verdict = "yes" if printed == expected else "**no**"
                cost = f"{seconds:.1f} | {memory:.1f}"
                yield f"| {name} | {expected} | {printed} | {verdict} | {words} | {cost} |"


def main():
    """Write the table, or print lines of it."""
    table = [
        "| kernel | expected | printed | right | words | CPU s | GB |",
        "|---|---|---|---|---|---|---|",
    ]
    for line in lines(sys.argv[1:]):
        print(line, flush=True)
        table.append(line)
    if not sys.argv[1:]:
        page = PAGE.read_text()
        before, _, remaining = page.partition(BEGIN)
        after = remaining.partition(END)[2]
        text = "\n".join(table)
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


if __name__ == "__main__":
    main()
