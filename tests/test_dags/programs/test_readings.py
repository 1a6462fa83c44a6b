"""Texts as people write them, each beside a plain text of the same computation."""

import pytest

import dags
from dags.programs import ProgramError
from dags.programs.element_types import bytes_of
from dags.programs.text import from_c, from_python
from tests.test_dags.programs.nest_twin import labelled

SUM = "void f(double A[64], double x[8], double y[8]) {{ {} }}"
PLAIN = SUM.format(
    "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) y[i] += A[8*i + j] * x[j];"
)
BODY = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i] += A[i*n + j] * x[j];"
TWICE = "void f(int n, const double *a, double *b) { for (int i = 0; i < n; i++) b[i] = 2 * a[i]; }"

# Texts of y += A x with 8 rows; sizes are given where the text has names for them.
PRODUCTS = {
    "a size that is given": (
        "void f(int n, double *A, double *x, double *y) {" + BODY + "}",
        {"n": 8},
    ),
    "a size that is defined": (
        "#define n 8\nvoid f(double *A, double *x, double *y) {" + BODY + "}",
        {},
    ),
    "a size in parentheses": (
        "#define n (8)\nvoid f(double *A, double *x, double *y) {" + BODY + "}",
        {},
    ),
    "a constant": (
        "static const int n = 8; void f(double *A, double *x, double *y) {" + BODY + "}",
        {},
    ),
    "a constant of C++": (
        "constexpr int n = 8; void f(double *A, double *x, double *y) {" + BODY + "}",
        {},
    ),
    "an enumeration": (
        "enum { m, n = 8 }; void f(double *A, double *x, double *y) {" + BODY + "}",
        {},
    ),
    "a macro with parameters": (
        "#define AT(r, c) ((r) * n + (c))\nvoid f(int n, double *A, double *x, double *y) {"
        + BODY.replace("i*n + j", "AT(i, j)")
        + "}",
        {"n": 8},
    ),
    "the end of an unrolled loop": (
        "void f(int n, double *A, double *x, double *y) { for (int i = 0; i < n; i++) { int j;"
        " for (j = 0; j + 1 < n; j += 2) { y[i] += A[i*n + j] * x[j];"
        " y[i] += A[i*n + j + 1] * x[j + 1]; } for (; n > j; j++) y[i] += A[i*n + j] * x[j]; } }",
        {"n": 8},
    ),
    "a row pointer": (
        "void f(int n, double *A, double *x, double *y) { for (int i = 0; i < n; i++) {"
        " const double *row = A + i*n; for (int j = 0; j < n; j++) y[i] += row[j] * x[j]; } }",
        {"n": 8},
    ),
    "an address": (
        "void f(int n, double *A, double *x, double *y) { for (int i = 0; i < n; i++) {"
        " double *row = &A[i*n], *to = &y[i]; for (int j = 0; j < n; j++) *to += *(row + j) *"
        " x[j]; } }",
        {"n": 8},
    ),
    "a pointer to rows": (
        "void f(int n, double *a, double *x, double *y) { double (*A)[n] = (double (*)[n])a;"
        " for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i] += A[i][j] * x[j]; }",
        {"n": 8},
    ),
    "whatever else is in the file": (
        "#include <stdio.h>\n#ifdef FAST\n#error no\n#endif\ntypedef struct { int a; } pair;\n"
        "typedef double real_t;\nenum kind { ONE, TWO };\nstruct s { pair p; };\n"
        "static int g(const char *s) { while (*s) { if (*s == 'x') goto out; s++; } out:"
        " return 3; }\n"
        "void f(int n, real_t *restrict A, const real_t *x, real_t *__restrict__ y) {"
        + BODY
        + "}\n"
        'int main(int c, char **v) { unknown_t *q; do { c--; } while (c); printf("%d", g(v[1])); }',
        {"n": 8},
    ),
    "words of compilers and C++": (
        'extern "C" {\ntemplate <int k> __global__ __attribute__((noinline)) inline void\n'
        "f(const std::size_t n, __fp16 *A, __fp16 *x, __fp16 *y) {"
        " for (std::size_t i = 0; i < n; ++i) for (auto_t j = 0; j < n; ++j)"
        " y[i] += static_cast<float>(A[i*n + j]) * (__fp16)x[j]; }\n}",
        {"n": 8},
    ),
    "shifts, masks and casts": (
        "void f(double *A, double *x, double *y) { for (long i = 0; i < 8; i++)"
        " for (unsigned j = 0; j < 1 << 3; j++) y[i] += A[(size_t)(i << 3) + (j & 7)] * x[j %"
        " 8]; }",
        {},
    ),
    "silent calls and labels": (
        "void f(int n, double *A, double *x, double *y) { double t0 = omp_get_wtime();"
        " assert(n > 0);"
        "\n#pragma omp parallel for\n rows: "
        + BODY
        + ' printf("%g\\n", omp_get_wtime() - t0); return; }',
        {"n": 8},
    ),
    "continue": (
        "void f(int n, double *A, double *x, double *y) { for (int i = 0; i < 9; i++) {"
        " if (i == n) continue; for (int j = 0; j < 20; j++) { if (j >= n || !(i < 100)) {"
        " continue; }"
        " y[i] += A[i*n + j] * x[j]; } } }",
        {"n": 8},
    ),
    "an early return": (
        "void f(int n, double *A, double *x, double *y) { if (n <= 0) return; " + BODY + "}",
        {"n": 8},
    ),
    "downward loops that end at 0": (
        "void f(int n, double *A, double *x, double *y) { for (int i = n; i--; )"
        " for (int j = 0; j != n; j++) y[i] += A[i*n + j] * x[j]; }",
        {"n": 8},
    ),
    "tiles": (
        "#define B 3\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
        "void f(int n, double *A, double *x, double *y) { for (int jj = 0; jj < n; jj += B)"
        " for (int i = 0; i < n; i++) for (int j = jj; j < MIN(jj + B, n); j++)"
        " y[i] += A[i*n + j] * x[j]; }",
        {"n": 8},
    ),
    "unrolled, with the rest": (
        "void f(int n, double *A, double *x, double *y) { for (int i = 0; i < n; i++) { int j = 0;"
        " for (; j < n - 2; j += 3) { y[i] += A[i*n + j] * x[j]; y[i] += A[i*n + j + 1] * x[j + 1];"
        " y[i] += A[i*n + j + 2] * x[j + 2]; } for (; j < n; j++) y[i] += A[i*n + j] * x[j]; } }",
        {"n": 8},
    ),
    "numbers that change": (
        "void f(int n, double *A, double *x, double *y) { int at; for (int i = 0; i < n; i++) {"
        " at = i * n; for (int j = 0; j < n; j++) { int k = at + j; y[i] += A[k] * x[k - at];"
        " } } }",
        {"n": 8},
    ),
    "ends of blocks that have names": (
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
        "void f(int n, double *A, double *x, double *y) { for (int q = 0; q < n; q += 3) {"
        " int width = MIN(3, n - q), end = MIN(q + 3, n); for (int i = 0; i < n; i++)"
        " for (int j = q; j < q + width; j++) for (int k = j; k < end; k += 3)"
        " y[i] += A[i*n + j] * x[j]; } }",
        {"n": 8},
    ),
    "sizes behind pointers, and in an array": (
        "int grid[3]; void f(const int *rows, double *A, double *x, double *y) { int n = *rows;"
        " if (timing) start_timer(rows); for (int i = 0; i < n; i++)"
        " for (int j = 0; j <= grid[0] - 1; j++) y[i] += A[i*n + j] * x[j]; }",
        {"rows": 8, "grid_0": 8, "timing": 0},
    ),
    "a branch that is not taken": (
        "void f(int n, double *A, double *x, double *y) { const int unroll = 4;"
        " if (n % unroll != 0) { g(n, A, x, y); return; } UNUSED(n); " + BODY + "}",
        {"n": 8},
    ),
    "vectors of C++": (
        "void f(int n, const std::vector<double>& A, std::vector<double> &x, double *y) {"
        " for (auto i = 0; i < n; ++i) { auto s = y[i]; for (int j = 0; j < n; j++)"
        " s += A[i*n + j] * x[j]; y[i] = s; } }",
        {"n": 8},
    ),
    "a structure": (
        "void f(int n, struct rows *A, double *x, double *y) { for (int i = 0; i < n; i++)"
        " for (int j = 0; j < n; j++) y[i] += A->cells[i*n + j] * x[j]; }",
        {"n": 8},
    ),
}


def operands(dag):
    """What each value is made of, whatever its statement and the names of arrays."""
    result, outputs = labelled(dag)
    known = {}

    def value(label):
        if label not in known:
            inner = sorted(map(value, result[label]))
            known[label] = f"({' '.join(inner)})" if result[label] else label.rpartition("[")[2]
        return known[label]

    return sorted(map(value, outputs))


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_product_is_read_however_it_is_written(name):
    text, sizes = PRODUCTS[name]
    program = from_c(text, "f", sizes=sizes)
    read = operands(program.dag(**sizes, live=["y"]))
    assert read == operands(from_c(PLAIN).dag(live=["y"]))


PAIRS = {
    "tiles that divide": (
        "void f(double a[8][8], double b[64]) { for (int p = 0; p < 8; p += 4) {"
        " int w = min(4, 8 - p); for (int i = 0; i < 8; i++) for (int k = 0; k < w; k++)"
        " b[i*w + k] += a[i][p + k]; } }",
        "void f(double a[8][8], double b[64]) { for (int p = 0; p < 8; p += 4)"
        " for (int i = 0; i < 8; i++) for (int k = 0; k < 4; k++) b[4*i + k] += a[i][p + k]; }",
    ),
    "a maximum": (
        "void f(double a[5], double b[1]) { double m = a[0]; for (int i = 1; i < 5; i++)"
        " if (a[i] > m) m = a[i]; b[0] = m; }",
        "void f(double a[5], double b[1]) { double m = a[0]; for (int i = 1; i < 5; i++)"
        " m = a[i] > m ? a[i] : m; b[0] = m; }",
    ),
    "a maximum and its place": (
        "void f(double a[5], double b[2]) { b[0] = a[0]; b[1] = a[4]; for (int i = 1; i < 5; i++)"
        " if (a[i] > b[0]) { b[0] = a[i]; } }",
        "void f(double a[5], double b[2]) { b[0] = a[0]; b[1] = a[4]; for (int i = 1; i < 5; i++)"
        " b[0] = a[i] > b[0] ? a[i] : b[0]; }",
    ),
    "either way": (
        "void f(double a[5], double b[5]) { for (int i = 0; i < 5; i++)"
        " if (a[i] > 0) b[i] = a[i] * 2; else b[i] = 0.5; }",
        "void f(double a[5], double b[5]) { for (int i = 0; i < 5; i++)"
        " b[i] = a[i] > 0 ? a[i] * 2 : 0.5; }",
    ),
    "two sweeps by parity": (
        "void f(double w[2][6]) { for (int t = 0; t < 3; t++) for (int i = 1; i < 5; i++)"
        " w[(t + 1) % 2][i] = w[t % 2][i - 1] + w[t % 2][i + 1]; }",
        "void f(double w[2][6]) {"
        + "".join(
            f" for (int i = 1; i < 5; i++) w[{1 - t}][i] = w[{t}][i - 1] + w[{t}][i + 1];"
            for t in (0, 1, 0)
        )
        + " }",
    ),
    "every second cell": (
        "void f(double a[3], double b[6]) { for (int i = 0; i < 6; i++)"
        " if (i % 2 == 0) b[i] = 2 * a[i / 2]; }",
        "void f(double a[3], double b[6]) { for (int i = 0; i < 3; i++) b[2*i] = 2 * a[i]; }",
    ),
    "red and black": (
        "void f(double a[4][4]) { for (int c = 0; c < 2; c++) for (int i = 1; i < 3; i++)"
        " for (int j = 1; j < 3; j++) if ((i + j) % 2 == c) a[i][j] = a[i-1][j] + a[i+1][j]; }",
        "void f(double a[4][4]) { a[1][1] = a[0][1] + a[2][1]; a[2][2] = a[1][2] + a[3][2];"
        " a[1][2] = a[0][2] + a[2][2]; a[2][1] = a[1][1] + a[3][1]; }",
    ),
    "an index that is set": (
        "void f(double u[3][3]) { int i, j; for (i = 1; i < 3; i++) for (j = 0; j < 3; j++)"
        " u[i][j] = 2*u[i][j]; i = 0; for (j = 0; j < 3; j++) u[i][j] = 3*u[i][j]; }",
        "void f(double u[3][3]) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++)"
        " u[i][j] = 3*u[i][j]; }",
    ),
    "blocks with names of their own": (
        "void f(double u[9], double r[9]) { for (int j = 0; j < 3; ++j) { const int at = 3*j;"
        " r[at] = 2.0 * u[at]; } for (int j = 0; j < 2; ++j) { const int at = 3*j + 1;"
        " { int at = 3*j; r[at + 2] = u[at] * 2; } u[at] = r[at + 1] + r[at - 1]; } }",
        "void f(double u[9], double r[9]) { for (int j = 0; j < 3; ++j) r[3*j] = 2.0 * u[3*j];"
        " for (int j = 0; j < 2; ++j) { r[3*j + 2] = u[3*j] * 2;"
        " u[3*j + 1] = r[3*j + 2] + r[3*j]; } }",
    ),
    "structures behind a pointer without a type": (
        "typedef struct { float d; char qs[8]; } row; void f(const void *a, float *y) {"
        " const row *r = a; for (int i = 1; i < 4; i++) for (int j = 0; j < 8; j++)"
        " y[i] += r[i].qs[j] * r[i].d; }",
        "typedef struct { float d; char qs[8]; } row; void f(const row *a, float *y) {"
        " for (int i = 1; i < 4; i++) { const row *r = a + i; for (int j = 0; j < 8; j++)"
        " y[i] += r->qs[j] * r->d; } }",
    ),
    "cells that are filled and copied": (
        "void f(const float *a, float *b, int n) { memset(b, 0, 6 * sizeof(float));"
        " for (int i = 0; i < 2; i++) { float *to = b + 3*i; memcpy(to, a, 2 * sizeof(float));"
        " for (int j = 0; j < 3; j++) to[j] *= a[j]; } }",
        "void f(const float *a, float *b, int n) { for (int i = 0; i < 6; i++) b[i] = 0;"
        " for (int i = 0; i < 2; i++) { for (int j = 0; j < 2; j++) b[3*i + j] = a[j];"
        " for (int j = 0; j < 3; j++) b[3*i + j] *= a[j]; } }",
    ),
    "limits of C's library": (
        "#include <float.h>\nvoid f(const float *a, float *b) { float top = -FLT_MAX;"
        " for (int i = 0; i < 4; i++) top = a[i] > top ? a[i] : top;"
        " b[0] = top < INFINITY ? top * M_PI : 0; }",
        "void f(const float *a, float *b) { float top = -3e38f;"
        " for (int i = 0; i < 4; i++) top = a[i] > top ? a[i] : top;"
        " b[0] = top < 4e38 ? top * 3.14 : 0; }",
    ),
    "a result that is computed": (
        "double f(double a[3]) { double s = 0; for (int i = 0; i < 3; i++) s += a[i]; return"
        " s / 3; }",
        "void f(double a[3], double r[1]) { double s = 0; for (int i = 0; i < 3; i++) s += a[i];"
        " r[0] = s / 3; }",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_text_is_read_as_its_plain_one(name):
    first, second = (operands(from_c(text).dag()) for text in PAIRS[name])
    assert first == second


PYTHON = {
    "flat": "def f(A, x, y, n):\n for i in range(n):\n  for j in range(n):\n   y[i] += A[i*n"
    " + j]*x[j]",
    "named": "def f(A, x, y, n):\n for i in range(n):\n  at = i*n\n  for j in range(n):\n"
    "   k = at + j\n   y[i] += A[k] * x[k - at]",
    "continue": "def f(A, x, y, n):\n for i in range(n):\n  for j in range(2*n):\n   if j >= n:\n"
    "    continue\n   y[i] += A[i*n + j] * x[j]\n print(y)",
    "halves": "def f(A, x, y, n):\n for i in range(n):\n  for j in range(2*n):\n"
    "   if j % 2 == 0:\n    y[i] += A[i*n + j // 2] * x[j // 2]",
    "a default": "def f(A, x, y, n=8):\n for i in range(n):\n  for j in range(n):\n"
    "   y[i] += A[i*n + j] * x[j]",
}


@pytest.mark.parametrize("name", PYTHON)
def test_python_is_read_however_it_is_written(name):
    sizes = {} if name == "a default" else {"n": 8}
    program = from_python(PYTHON[name], sizes=sizes)
    assert operands(program.dag(**sizes)) == operands(from_c(PLAIN).dag(live=["y"]))


def test_a_size_that_was_put_in_has_that_value():
    program = from_c(PRODUCTS["a size that is given"][0], sizes={"n": 8})
    assert program.fixed == {"n": 8}
    with pytest.raises(ProgramError, match="n is 8 where f was read, not 9"):
        program.dag(n=9)
    with pytest.raises(ProgramError, match=r"affine only where n is a number: add n=\.\.\."):
        from_c(PRODUCTS["a size that is given"][0])


def test_functions_and_sizes_are_named_in_two_ways(tmp_path):
    path = tmp_path / "two.cpp"
    path.write_text(TWICE + TWICE.replace(" f(", " g("))
    for remaining in ("g:n=3", "g,n=3", "f:n=3,level=operation", "f,level=operation,n=3"):
        assert dags.load(f"{path}:{remaining}").n == 6


def test_the_user_says_whether_a_pointer_is_there():
    text = "void f(int n, double *a, double *c, double *b) { for (int i = 0; i < n; i++)"
    text += " b[i] = a[i] * 2 + (c != NULL ? c[i] : 0.0); }"
    for present, inputs in ((1, 6), (0, 3)):
        program = from_c(text, sizes={"n": 3, "c": present})
        assert program.dag(n=3, c=present).inputs.size == inputs
    with pytest.raises(ProgramError, match="add c=1 where it is there, c=0 where it is not"):
        from_c(text, sizes={"n": 3})


@pytest.mark.parametrize("test", ["if (p) b[i] += p[i];", "if (!p || n < 0) ; else b[i] += p[i];"])
def test_a_pointer_is_a_test(test):
    text = "void f(int n, double *p, double *b) { for (int i = 0; i < n; i++) {" + test + "} }"
    assert from_c(text, sizes={"n": 3, "p": 1}).dag(n=3, p=1).inputs.size == 6
    with pytest.raises(ProgramError, match="add p=1 where it is there"):
        from_c(text, sizes={"n": 3})


def test_numbers_that_the_user_gives_decide():
    text = "void f(int n, double beta, int add, double *a) { for (int i = 0; i < n; i++) {"
    text += " if (beta == 0.0) a[i] = 0; else if (beta != 1.0) a[i] = a[i] * beta;"
    text += " if (add) a[i] = a[i] + 1; } }"
    for beta, add, count in ((0, 0, None), (1, 1, 3), (2, 0, 3), (2, 1, 6)):
        arguments = {"n": 3, "beta": beta, "add": add}
        program = from_c(text, sizes=arguments)
        if count is None:
            with pytest.raises(ProgramError, match="nothing is computed"):
                program.dag(**arguments)
        else:
            dag = program.dag(**arguments)
            assert dag.n - dag.inputs.size == count
    with pytest.raises(ProgramError, match=r"whether 'beta == 0\.0' holds is not known: add beta="):
        from_c(text, sizes={"n": 3})


SELECTIONS = {  # by loop variables: only the branch that is taken is read
    "above": (
        "b[i] = a[i] + (i > 0 ? b[i - 1] : 0);",
        "if (i > 0) b[i] = a[i] + b[i - 1]; else b[i] = a[i] + 0;",
    ),
    "twice": (
        "b[i] += (i > 0 ? a[i - 1] : 0) * (i > 0 ? a[i] : 1);",
        "if (i > 0) b[i] += a[i - 1] * a[i]; else b[i] += 0 * 1;",
    ),
    "at both borders": (
        "b[i] = a[i > 0 ? i - 1 : 0] * a[i < n - 1 ? i + 1 : n - 1];",
        "if (i < 1) b[i] = a[0] * a[1]; else if (i < n - 1) b[i] = a[i - 1] * a[i + 1];"
        " else b[i] = a[n - 2] * a[n - 1];",
    ),
    "at both borders, named": (
        "int l = i > 0 ? i - 1 : 0; int r = i + 1; if (r >= n) r = n - 1; b[i] = a[l] * a[r];",
        "if (i < 1) b[i] = a[0] * a[1]; else if (i < n - 1) b[i] = a[i - 1] * a[i + 1];"
        " else b[i] = a[n - 2] * a[n - 1];",
    ),
    "round a ring": (
        "int l = i - 1, r = i + 1 == n ? 0 : i + 1; if (l < 0) l += n; b[i] = a[l] * a[r];",
        "if (i < 1) b[i] = a[n - 1] * a[1]; else if (i < n - 1) b[i] = a[i - 1] * a[i + 1];"
        " else b[i] = a[n - 2] * a[0];",
    ),
    "by minima": (
        "int l = max(i - 1, 0); b[i] = a[l] * a[min(i + 1, n - 1)];",
        "if (i < 1) b[i] = a[0] * a[1]; else if (i < n - 1) b[i] = a[i - 1] * a[i + 1];"
        " else b[i] = a[n - 2] * a[n - 1];",
    ),
    "loops between minima": (
        "int l = max(i - 2, 0), r = i + 2; if (r > n) r = n; b[i] = 0;"
        " for (int k = l; k < r; k++) b[i] += a[k] * a[l];",
        "b[i] = 0; for (int k = 0; k < n; k++) if (k >= i - 2 && k < i + 2) {"
        " if (i < 2) b[i] += a[k] * a[0]; else b[i] += a[k] * a[i - 2]; }",
    ),
    "a mirror at the borders": (
        "for (int k = -2; k <= 2; k++) { int j = i + k; if (j < 0) j = -j;"
        " if (j >= n) j = 2*n - 2 - j; b[i] += a[j]; }",
        "for (int k = -2; k <= 2; k++) { if (i + k < 0) b[i] += a[-i - k];"
        " else if (i + k < n) b[i] += a[i + k]; else b[i] += a[2*n - 2 - i - k]; }",
    ),
    "a test with a name": (
        "const bool in = i > 2 && i < n - 1; b[i] = in ? a[i] * a[i + 1] : a[i] * 3;",
        "if (i > 2 && i < n - 1) b[i] = a[i] * a[i + 1]; else b[i] = a[i] * 3;",
    ),
    "tests one after the other": (
        "int in = i > 2, ok = 1; in &= i < n - 1; if (i < 1) ok = 0; int out = !in;"
        " if (ok) b[i] = out ? a[i] * 3 : a[i] * a[i + 1];",
        "if (i > 2 && i < n - 1) b[i] = a[i] * a[i + 1]; else if (i >= 1) b[i] = a[i] * 3;",
    ),
    "tests that count": (
        "int inner = (i > 0) + (i < n - 1); b[i] = a[i - (i == n - 1)] * a[inner];",
        "if (i < 1) b[i] = a[0] * a[1]; else if (i < n - 1) b[i] = a[i] * a[2];"
        " else b[i] = a[n - 2] * a[1];",
    ),
    "distances": (
        "b[i] = 0; for (int k = 0; k < n; k++) b[i] += a[abs(i - k)];",
        "b[i] = 0; for (int k = 0; k < n; k++) if (k < i) b[i] += a[i - k]; else b[i] += a[k - i];",
    ),
    "padded": (
        "b[i] = 2 * (i - 1 >= 0 && i + 1 < n ? a[i - 1] * a[i + 1] : 0.0f);",
        "if (i > 0 && i < n - 1) b[i] = 2 * (a[i - 1] * a[i + 1]); else b[i] = 2 * 0.0f;",
    ),
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_by_loop_variables_reads_one_branch(name):
    texts = (
        "void f(int n, double *a, double *b) { for (int i = 0; i < n; i++) {" + body + "} }"
        for body in SELECTIONS[name]
    )
    first, second = (operands(from_c(text).dag(n=7)) for text in texts)
    assert first == second
    text = "def f(a, b, n):\n for i in range(n):\n  b[i] = a[i] + (b[i - 1] if i > 0 else 0)"
    assert from_python(text).dag(n=7).n == 14


def test_values_that_tests_read_are_no_tests_on_whole_numbers():
    text = "def f(a, b, t, n):\n for i in range(n):\n  t += t\n  t = -t\n"
    text += "  b[i] = a[i] * 2 if t else a[i] * 3"
    assert from_python(text).dag(n=3, live=["b"]).n == 4 + 3 * 3
    text = text.replace("t = -t", "t = not t")
    assert from_python(text).dag(n=3, live=["b"]).n == 4 + 3 * 3


def test_a_parameter_that_is_not_read_may_have_a_value():
    text = "void f(int n, int m, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }"
    assert from_c(text).dag(n=3, m=8).outputs.size == 3


def test_elements_have_the_bytes_of_their_types():
    text = (
        "typedef float real; typedef real cell;\n"
        "void f(int n, const cell *a, double b[n], __fp16 *c, unsigned char *d, long long *e,"
        " int16_t *g, other_t *h) { double s; for (int i = 0; i < n; i++)"
        " b[i] = a[i] + c[i] + d[i] + e[i] + g[i] + h[i]; }"
    )
    types = from_c(text).types
    assert {name: bytes_of(types[name]) for name in "abcdegh"} == {
        **{"a": 4, "b": 8, "c": 2, "d": 1},
        **{"e": 8, "g": 2, "h": None},
    }


def test_scalars_outside_of_a_function_are_outputs_where_it_writes_them():
    text = "double total; double k; void f(int n, double x[n]) {{ {} }}"
    sums = "double t = 0; for (int i = 0; i < n; i++) { t = k * x[i]; total += t; }"
    assert from_c(text.format(sums)).live_by_default() == ("total",)
    inner = "double total = 0; for (int i = 0; i < n; i++) { total += x[i]; } x[0] = total;"
    assert from_c(text.format(inner)).live_by_default() == ("x",)
    loop = "int i; double g[9]; void f(double x[9]) { for (i = 0; i < 9; i++) g[i] = x[i] * x[i]; }"
    assert from_c(loop).live_by_default() == ("g",)
