"""Forty functions as public C code writes them, in our own words: are they read, and as one answer?

Each is written after the kinds of code of a project that it names, and belongs to a computation.
Columns: whether it is read; whether its compulsory words are those that are worked out by hand; its
bound and its play beside the best that any text of its computation has; CPU seconds to read it.

Run: `python benchmarks/texts.py`; it prints a table in Markdown.
"""

import time
from typing import Final, NamedTuple

from dags import RedBlueError
from dags.programs.box_nests import BoxNest
from dags.programs.box_reader import box_nest
from dags.programs.nest import ProgramError
from dags.programs.text import from_c
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.search import best_tilings

HEAD: Final = """#define F(i, n) for (int i = 0; i < (n); i++)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
"""
MEMORY: Final = 300
SECONDS: Final = 2  # of work, for the plays of a text, as commands have


class Sample(NamedTuple):
    """A function: what it computes, after which project, its text, sizes, and compulsory words."""

    computation: str
    project: str
    text: str
    sizes: dict[str, int]
    words: int


N: Final = {"n": 40}
GRID: Final = {"n": 42, "m": 34}
_MM = "void f(int n, const float *a, const float *b, float *c) { "
_MR = "void f(int n, double a[n][n], double b[n][n], double c[n][n]) { "
_MV = "void f(int n, int m, const float *w, const float *x, float *y) { "
_ST = "void f(int n, int m, double *u, double *v) { "
_LU = "void f(int n, double *a) { "
SAMPLES: Final = (
    Sample(
        "product",
        "MachSuite",
        _MR + "F(i, n) F(j, n) F(k, n) c[i][j] += a[i][k] * b[k][j]; }",
        N,
        4 * 1600,
    ),
    Sample(
        "product",
        "Darknet",
        _MM + "F(i, n) F(k, n) { register float part = a[i*n + k];"
        " F(j, n) c[i*n + j] += part * b[k*n + j]; } }",
        N,
        4 * 1600,
    ),
    Sample(
        "product",
        "BLIS",
        _MM + "int p, j; F(i, n) for (j = 0; j < n; j += 4) {"
        " float s0 = c[i*n+j], s1 = c[i*n+j+1], s2 = c[i*n+j+2], s3 = c[i*n+j+3];"
        " for (p = 0; p < n; p++) { s0 += a[i*n+p] * b[p*n+j]; s1 += a[i*n+p] * b[p*n+j+1];"
        " s2 += a[i*n+p] * b[p*n+j+2]; s3 += a[i*n+p] * b[p*n+j+3]; }"
        " c[i*n+j] = s0; c[i*n+j+1] = s1; c[i*n+j+2] = s2; c[i*n+j+3] = s3; } }",
        N,
        4 * 1600,
    ),
    Sample(
        "product",
        "tinyBLAS",
        _MM + "const int T = 16; for (int q = 0; q < n; q += T) {"
        " int end = MIN(q + T, n); F(i, n) for (int j = q; j < end; j++) {"
        " float acc = c[i*n + j]; F(k, n) acc += a[i*n + k] * b[k*n + j];"
        " c[i*n + j] = acc; } } }",
        N,
        4 * 1600,
    ),
    Sample(
        "product",
        "OpenBLAS",
        _MM + "for (int ks = 0; ks < n; ks += 12) {"
        " int kw = MIN(12, n - ks); F(j, n) F(i, n) F(l, kw)"
        " c[i*n + j] += a[i*n + ks + l] * b[(ks + l)*n + j]; } }",
        N,
        4 * 1600,
    ),
    Sample(
        "product",
        "GSL",
        _MR + "F(i, n) F(j, n) { double t = c[i][j]; int k = 0;"
        " for (; k + 2 <= n; k += 2) { t += a[i][k] * b[k][j]; t += a[i][k+1] * b[k+1][j]; }"
        " for (; k < n; k++) t += a[i][k] * b[k][j]; c[i][j] = t; } }",
        N,
        4 * 1600,
    ),
    Sample(
        "product",
        "MachSuite, with names",
        _MM + "F(i, n) { int row = i*n; F(j, n) F(k, n) {"
        " float mult = a[row + k] * b[k*n + j]; c[row + j] += mult; } } }",
        N,
        4 * 1600,
    ),
    Sample(
        "product",
        "NumPy's fallbacks",
        "typedef long npy; " + _MM + "const float *p = a;"
        " F(i, n) { const float *row = p + i*n; float *out = &c[i*n]; F(j, n) F(k, n)"
        " out[j] += row[k] * *(b + k*n + j); } }",
        N,
        4 * 1600,
    ),
    Sample(
        "layer",
        "llama2.c",
        _MV + "int i; for (i = 0; i < n; i++) { float val = 0.0f;"
        " F(j, m) { val += w[i*m + j] * x[j]; } y[i] = val; } }",
        GRID,
        42 * 34 + 34 + 42,
    ),
    Sample(
        "layer",
        "ggml",
        "void f(int64_t n, int64_t m, const float *restrict w,"
        " const float *restrict x, float *restrict y) { assert(n > 0); UNUSED(m);"
        " for (int64_t i = 0; i < n; ++i) { double sumf = 0.0; for (int64_t j = 0; j < m; ++j)"
        " sumf += (double)(w[i*m + j] * x[j]); y[i] = sumf; } }",
        GRID,
        42 * 34 + 34 + 42,
    ),
    Sample(
        "layer",
        "Eigen",
        "template <int U> void f(std::size_t n, std::size_t m,"
        " const std::vector<float> &w, const float *x, float *y) { memset(y, 0, n * 4);"
        " for (auto j = 0; j < m; ++j) { auto t = x[j]; F(i, n) y[i] += w[i*m + j] * t; } }",
        GRID,
        42 * 34 + 34 + 42,
    ),
    Sample(
        "layer",
        "Rodinia backprop",
        "void f(int n, int m, float **w, float *x, float *y) {"
        " float sum; int j, k; for (j = 0; j < n; j++) { sum = 0.0;"
        " for (k = 0; k <= m - 1; k++) { sum += w[j][k] * x[k]; } y[j] = sum; } }",
        GRID,
        42 * 34 + 34 + 42,
    ),
    Sample(
        "norm",
        "llama2.c",
        "void f(float *o, const float *x, const float *w, int n) {"
        " float ss = 0.0f; F(j, n) ss += x[j] * x[j]; ss /= n; ss = 1.0f / sqrtf(ss + 1e-5f);"
        " F(j, n) o[j] = w[j] * (ss * x[j]); }",
        N,
        120,
    ),
    Sample(
        "norm",
        "ggml",
        "void f(float *o, const float *x, const float *w, int n) {"
        " double sum = 0; for (int64_t i = 0; i < n; i++) { sum += (double)(x[i]*x[i]); }"
        " const float mean = sum/n; const float scale = 1.0f/sqrtf(mean + 1e-5f);"
        " for (int64_t i = 0; i < n; i++) o[i] = w[i] * (scale * x[i]); }",
        N,
        120,
    ),
    Sample(
        "softmax",
        "llama2.c",
        "void f(float *x, int n) { float top = x[0];"
        " for (int i = 1; i < n; i++) { if (x[i] > top) { top = x[i]; } } float sum = 0.0f;"
        " F(i, n) { x[i] = expf(x[i] - top); sum += x[i]; } F(i, n) x[i] /= sum; }",
        N,
        80,
    ),
    Sample(
        "softmax",
        "whisper.cpp",
        "void f(float *x, int n) { float top = x[0];"
        " for (int i = 1; i < n; i++) top = fmaxf(top, x[i]); float s = 0; F(i, n) {"
        " const float e = expf(x[i] - top); s += e; x[i] = e; } F(i, n) x[i] = x[i] / s; }",
        N,
        80,
    ),
    Sample(
        "star",
        "PolyBench",
        "void f(int n, int m, double u[n][m], double v[n][m]) {"
        " for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)"
        " v[i][j] = 0.2 * (u[i][j] + u[i][j-1] + u[i][j+1] + u[i+1][j] + u[i-1][j]); }",
        GRID,
        42 * 34 - 4 + 40 * 32,
    ),
    Sample(
        "star",
        "TeaLeaf",
        _ST + "for (int jj = 1; jj < n - 1; ++jj) for (int kk = 1;"
        " kk < m - 1; ++kk) { const int at = kk + jj*m; v[at] = (u[at] + (u[at+1] + u[at-1])"
        " + (u[at+m] + u[at-m])) * 0.2; } }",
        GRID,
        42 * 34 - 4 + 40 * 32,
    ),
    Sample(
        "star",
        "CloverLeaf",
        "#define AT(x, y, w) ((w)*((y) - 1) + (x) - 1)\n"
        "void f(int *rows, int *cols, double *u, double *v) { int n = *rows, m = *cols;"
        "\n#pragma omp parallel for\nfor (int k = 2; k <= n - 1; k++) for (int j = 2; j <= m - 1;"
        " j++) { v[AT(j, k, m)] = 0.2 * (u[AT(j, k, m)] + u[AT(j - 1, k, m)]"
        " + u[AT(j + 1, k, m)] + u[AT(j, k - 1, m)] + u[AT(j, k + 1, m)]); } }",
        {"rows": 42, "cols": 34},
        42 * 34 - 4 + 40 * 32,
    ),
    Sample(
        "star",
        "Halide's C",
        _ST + "for (int q = 1; q < m - 1; q += 8) for (int i = 1; i < n - 1;"
        " i++) { double *o = v + i*m; const double *c = u + i*m, *up = c - m, *down = c + m;"
        " for (int j = q; j < MIN(q + 8, m - 1); j++)"
        " o[j] = (c[j] + c[j-1] + c[j+1] + up[j] + down[j]) / 5; } }",
        GRID,
        42 * 34 - 4 + 40 * 32,
    ),
    Sample(
        "star",
        "NAS",
        "static double u[42][34], v[42][34]; int grid[2]; void f(void) { int i, j;"
        " if (timeron) timer_start(1); for (j = 1; j <= grid[1] - 2; j++)"
        " for (i = grid[0] - 2; i >= 1; i--)"
        " v[i][j] = 0.2 * (u[i][j] + u[i+1][j] + u[i-1][j] + u[i][j+1] + u[i][j-1]); }",
        {"grid_0": 42, "grid_1": 34, "timeron": 0},
        42 * 34 - 4 + 40 * 32,
    ),
    Sample(
        "sweep",
        "MachSuite",
        _ST + "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1;"
        " j++) u[i*m + j] = 0.25 * (u[i*m + j - 1] + u[(i-1)*m + j] + u[i*m + j + 1]"
        " + u[(i+1)*m + j]); }",
        GRID,
        2 * (40 + 32) + 40 * 32 + 40 * 32 - 1,
    ),
    Sample(
        "sweep",
        "OpenFOAM",
        _ST + "for (int i = n - 2; i > 0; --i) for (int j = m - 2; j > 0;"
        " --j) u[i*m + j] = 0.25 * (u[i*m + j - 1] + u[(i-1)*m + j] + u[i*m + j + 1]"
        " + u[(i+1)*m + j]); }",
        GRID,
        2 * (40 + 32) + 40 * 32 + 40 * 32 - 1,
    ),
    Sample(
        "factors",
        "LAPACK's C",
        _LU + "F(k, n) { for (int i = k + 1; i < n; i++)"
        " a[i*n + k] /= a[k*n + k]; for (int i = k + 1; i < n; i++) for (int j = k + 1; j < n;"
        " j++) a[i*n + j] -= a[i*n + k] * a[k*n + j]; } }",
        N,
        1600 + 1600 - 40,
    ),
    Sample(
        "factors",
        "NPBench",
        _LU + "F(k, n) for (int i = k + 1; i < n; i++) {"
        " double *r = a + i*n; const double *p = &a[k*n]; r[k] /= p[k];"
        " for (int j = k + 1; j < n; j++) r[j] -= r[k] * p[j]; } }",
        N,
        1600 + 1600 - 40,
    ),
    Sample(
        "root",
        "Stan",
        _LU + "F(i, n) { F(j, i) { double s = a[i*n + j]; F(k, j)"
        " s -= a[i*n + k] * a[j*n + k]; a[i*n + j] = s / a[j*n + j]; } double s = a[i*n + i];"
        " F(k, i) s -= a[i*n + k] * a[i*n + k]; a[i*n + i] = sqrt(s); } }",
        N,
        2 * 820,
    ),
    Sample(
        "root",
        "PARSEC",
        "void f(int n, double a[n][n]) { F(i, n) { F(j, i) { F(k, j)"
        " a[i][j] -= a[i][k] * a[j][k]; a[i][j] /= a[j][j]; } F(k, i) a[i][i] -= a[i][k]"
        " * a[i][k]; a[i][i] = sqrt(a[i][i]); } }",
        N,
        2 * 820,
    ),
    Sample(
        "paths",
        "NetworKit",
        "void f(int n, int *d) { F(k, n) F(i, n) F(j, n)"
        " if (d[i*n + k] + d[k*n + j] < d[i*n + j]) d[i*n + j] = d[i*n + k] + d[k*n + j]; }",
        {"n": 20},
        2 * 400,
    ),
    Sample(
        "paths",
        "Rodinia",
        "void f(int n, int d[n][n]) { F(k, n) F(i, n) F(j, n) {"
        " int way = d[i][k] + d[k][j]; d[i][j] = MIN(d[i][j], way); } }",
        {"n": 20},
        2 * 400,
    ),
    Sample(
        "filter",
        "libwebp",
        "void f(int n, const float *x, const float *w, float *y) {"
        " for (int i = 0; i + 2 < n; ++i) { float s = 0; s += w[0] * x[i]; s += w[1] * x[i + 1];"
        " s += w[2] * x[i + 2]; y[i] = s; } }",
        N,
        40 + 3 + 38,
    ),
    Sample(
        "filter",
        "FFmpeg",
        "void f(int n, const float *x, const float *w, float *y) {"
        " F(i, n - 2) { y[i] = 0; for (int h = i; h < i + 3; h++) y[i] += w[h - i] * x[h]; } }",
        N,
        40 + 3 + 38,
    ),
    Sample(
        "bias",
        "Darknet",
        "void f(float *y, const float *b, int n, int m) { int i, j;"
        " for (i = 0; i < n; ++i) for (j = 0; j < m; ++j) y[i*m + j] += b[i]; }",
        GRID,
        2 * 42 * 34 + 42,
    ),
    Sample(
        "bias",
        "Caffe",
        "void f(float *y, const float *b, int n, int m) { if (n <= 0) return;"
        " for (int at = 0; at < n; at++) { float *row = y + at*m; F(j, m)"
        " row[j] = row[j] + b[at]; } }",
        GRID,
        2 * 42 * 34 + 42,
    ),
    Sample(
        "axpy",
        "netlib BLAS",
        "void f(int n, double alpha, const double *x, int incx, double *y)"
        " { if (n <= 0) return; if (alpha == 0.0) return; F(i, n) y[i] += alpha * x[i*incx]; }",
        {"n": 40, "alpha": 2, "incx": 3},
        121,
    ),
    Sample(
        "axpy",
        "STREAM",
        "static double x[40], y[40]; void f(double alpha) { int j;"
        " for (j = 0; j < 40; j++) y[j] = y[j] + alpha * x[j]; }",
        {},
        121,
    ),
    Sample(
        "dot",
        "netlib BLAS",
        "double f(int n, const double *x, const double *y) {"
        " double s = 0.0; int i, m = n % 4; F(q, m) s += x[q] * y[q];"
        " for (i = m; i < n; i += 4) { s += x[i]*y[i]; s += x[i+1]*y[i+1]; s += x[i+2]*y[i+2];"
        " s += x[i+3]*y[i+3]; } return s; }",
        {"n": 42},
        85,
    ),
    Sample(
        "dot",
        "miniFE",
        "void f(int n, const double *x, const double *y, double *out) {"
        " double sum = 0; F(i, n) sum += x[i] * y[i]; *out = sum; }",
        {"n": 42},
        85,
    ),
    Sample(
        "tensor",
        "SPLATT",
        "void f(int n, int m, const double *t, const double *b,"
        " const double *c, double *o) { F(i, n) F(j, m) F(k, m) { const double v ="
        " t[(i*m + j)*m + k]; F(r, 4) o[i*4 + r] += v * b[j*4 + r] * c[k*4 + r]; } }",
        {"n": 6, "m": 8},
        6 * 64 + 2 * 32 + 2 * 24,
    ),
    Sample(
        "tensor",
        "TACO",
        "void f(int n, int m, double t[n][m][m], double b[m][4],"
        " double c[m][4], double o[n][4]) { F(r, 4) F(i, n) F(j, m) F(k, m)"
        " o[i][r] += t[i][j][k] * b[j][r] * c[k][r]; }",
        {"n": 6, "m": 8},
        6 * 64 + 2 * 32 + 2 * 24,
    ),
    Sample(
        "pooling",
        "Darknet",
        "void f(const float *x, float *y, int n) { F(i, n) F(j, n) {"
        " float top = -FLT_MAX; F(r, 2) F(s, 2) { int at = (2*i + r)*2*n + 2*j + s;"
        " top = (x[at] > top) ? x[at] : top; } y[i*n + j] = top; } }",
        {"n": 12},
        5 * 144,
    ),
)


class Answer(NamedTuple):
    """What is said of a text: words proved and played, compulsory ones, and CPU seconds."""

    proved: int
    played: int | None
    words: int
    seconds: float


def answered(sample: Sample) -> Answer | str:
    """What is said of a text, or why it is not read."""
    began = time.process_time()
    try:
        program = from_c(HEAD + sample.text, "f", sizes=sample.sizes)
        sizes = {name: sample.sizes[name] for name in program.sizes}
        nest = box_nest(program, sizes)
        dag = program.dag(**sizes)
    except (ProgramError, RedBlueError) as error:
        return str(error)
    seconds = time.process_time() - began
    bound = nest_bound(nest, MEMORY).io
    return Answer(bound, _played(nest), dag.inputs.size + dag.outputs.size, seconds)


def _played(nest: BoxNest) -> int | None:
    variants = [(nest, MEMORY)]
    if nest.merged is not None:
        variants.append((nest.merged.nest, MEMORY - nest.merged.count))
    words = [
        tiling.io
        for variant, room in variants
        for tiling in best_tilings(variant, [room], seconds=SECONDS)
        if tiling.moved.words <= room
    ]
    return min(words, default=None)


def table() -> list[str]:
    """The table in Markdown."""
    answers = [answered(sample) for sample in SAMPLES]
    known = [(s, a) for s, a in zip(SAMPLES, answers, strict=True) if isinstance(a, Answer)]
    proved = {s.computation: 0 for s, _ in known}
    played: dict[str, int] = {}
    for sample, answer in known:
        name = sample.computation
        proved[name] = max(proved[name], answer.proved)
        if answer.played is not None:
            played[name] = min(played.get(name, answer.played), answer.played)
    lines = [
        "| computation | after the kind of | read | compulsory | bound / best | play / best | s |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for sample, answer in zip(SAMPLES, answers, strict=True):
        name = sample.computation
        if not isinstance(answer, Answer):
            lines.append(f"| {name} | {sample.project} | no: {answer} | | | | |")
            continue
        words = "right" if answer.words == sample.words else f"{answer.words}, not {sample.words}"
        bound = answer.proved / proved[name] if proved[name] else 1.0
        play = "-" if answer.played is None else f"{answer.played / played[name]:.3f}"
        lines.append(
            f"| {name} | {sample.project} | yes | {words} | {bound:.3f} | {play} "
            f"| {answer.seconds:.2f} |"
        )
    right = sum(answer.words == sample.words for sample, answer in known)
    slowest = max((answer.seconds for _, answer in known), default=0.0)
    lines.append("")
    lines.append(
        f"{len(known)} of {len(SAMPLES)} are read, {right} with the right compulsory words; the "
        f"slowest takes {slowest:.2f} s."
    )
    return lines


def main() -> None:
    """Print the table."""
    print("\n".join(table()))


if __name__ == "__main__":
    main()
