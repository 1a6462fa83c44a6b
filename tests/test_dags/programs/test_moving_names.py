"""Functions that are called, pointers that move, and numbers that count, beside plain texts."""

import random

import pytest

from dags.programs import ProgramError
from dags.programs.text import from_c, from_python
from tests.test_dags.programs.canonical.isomorphic import shape_of

DOT = (
    "float dot(const float *a, const float *b, int n) { if (n <= 0) return 0; float s = 0;"
    " for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }\n"
)
LAYER = (
    "void f(int n, int m, const float *w, const float *x, float *y) {"
    " for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++)"
    " y[i] += w[i*m + j] * x[j]; } }"
)
HEAD = "void f(int n, int m, const float *w, const float *x, float *y) {"
SIZES = {"n": 4, "m": 6}
LENGTHS = {"len_A": 4, "len_x": 6}
LAYERS = {
    "a value": DOT + HEAD + " for (int i = 0; i < n; i++) y[i] = dot(w + i*m, x, m); }",
    "a value within an expression": DOT
    + HEAD
    + " for (int i = 0; i < n; i++) y[i] = (float)dot(&w[i*m], x, m); }",
    "a result behind a pointer": "static void row(const float *a, const float *b, int n, float *to)"
    " { float s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; *to = s; }\n"
    + HEAD
    + " for (int i = 0; i < n; i++) { float s; row(w + i*m, x, m, &s); y[i] = s; } }",
    "one function in another": DOT
    + "void rows(const float *w, const float *x, float *y, int n, int m) {"
    " for (int i = 0; i < n; i++) y[i] = dot(w + i*m, x, m); }\n"
    + HEAD
    + " rows(w, x, y, n, m); }",
    "an index by a function": "static inline int at(int i, int j, int m) { return i*m + j; }\n"
    + HEAD
    + " for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++)"
    " y[i] += w[at(i, j, m)] * x[j]; } }",
    "a pointer that moves": HEAD
    + " for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++)"
    " y[i] += *w++ * x[j]; } }",
    "rows that move": HEAD
    + " float *to = y; for (int i = 0; i < n; i++) { *to = 0; for (int j = 0; j < m; j++)"
    " *to += w[j] * x[j]; w += m; to++; } }",
    "a pointer that is set again": HEAD
    + " const float *p = w; for (int i = 0; i < n; i++) { y[i] = 0; const float *q = x;"
    " for (int j = 0; j < m; j++) { y[i] += *p * *q; p = p + 1; ++q; } } }",
    "a loop over pointers": HEAD
    + " for (int i = 0; i < n; i++) { y[i] = 0; const float *q = x, *end = w + i*m + m;"
    " for (const float *p = w + i*m; p < end; p++) y[i] += *p * *q++; } }",
    "a number that counts": HEAD
    + " int k = 0; for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++)"
    " y[i] += w[k++] * x[j]; } }",
    "a number that counts by rows": HEAD
    + " int row = 0; for (int i = 0; i < n; i++, row += m) { y[i] = 0;"
    " for (int j = 0, k = row; j < m; j++, k++) y[i] += w[k] * x[j]; } }",
    "a number that counts in steps": HEAD
    + " int k = 0; for (int i = 0; i < 2*n; i += 2) { y[k] = 0; for (int j = 0; j < m; j++)"
    " y[k] += w[k*m + j] * x[j]; k++; } }",
    "a number that counts down": HEAD
    + " int k = n*m - 1; for (int i = n - 1; i >= 0; i--) { y[i] = 0;"
    " for (int j = m - 1; j >= 0; --j) { y[i] += w[k] * x[j]; k -= 1; } } }",
    "counted while": HEAD
    + " int i = 0; while (i < n) { int j = 0; y[i] = 0; while (j != m) { y[i] += w[i*m + j]"
    " * x[j]; ++j; } i += 1; } }",
    "counted in the midst": HEAD
    + " int i = 0; while (i < n) { y[i] = 0; int j = 0; while (j < m) { int k = i*m + j; j++;"
    " y[i] += w[k] * x[j - 1]; } i++; } }",
    "counted by the test": HEAD
    + " int i = -1; while (++i < n) { double s = 0; int j = m; while (j--)"
    " s += w[i*m + j] * x[j]; y[i] = s; } }",
    "a parameter that counts": HEAD + " while (n-- > 0) { y[n] = 0; for (int j = m; j > 0; j--)"
    " y[n] += w[n*m + j - 1] * x[j - 1]; } }",
    "unrolled, and the rest": HEAD
    + " for (int i = 0; i < n; i++) { double s = 0; int j = 0; while (j + 4 <= m) {"
    " s += w[i*m + j] * x[j]; s += w[i*m + j + 1] * x[j + 1]; s += w[i*m + j + 2] * x[j + 2];"
    " s += w[i*m + j + 3] * x[j + 3]; j += 4; } while (j < m) { s += w[i*m + j] * x[j]; j++; }"
    " y[i] = s; } }",
    "a test at the end": HEAD
    + " int i = 0; do { int j = 0; y[i] = 0; do { y[i] += w[i*m + j] * x[j]; j++; }"
    " while (j < m); } while (++i < n); }",
    "pointers up to an end": HEAD
    + " for (int i = 0; i < n; i++) { const float *q = x, *end = x + m; *y = 0;"
    " while (q != end) *y += *w++ * *q++; y++; } }",
    "two sums in a head": HEAD
    + " float s; int i, j; for (i = 0; i < n; i++) { for (s = 0, j = 0; j < m; j++)"
    " s += w[i*m + j] * x[j]; y[i] = s; } }",
    "a block that runs once": "#define CLEAR(a) do { (a) = 0; } while (0)\n"
    + HEAD
    + " for (int i = 0; i < n; i++) { CLEAR(y[i]); for (int j = 0; j < m; j++)"
    " y[i] += w[i*m + j] * x[j]; } }",
    "a value that is kept on the way": HEAD
    + " float s, t; for (int i = 0; i < n; i++) { s = t = 0; for (int j = 0; j < m; j++)"
    " y[i] = (s = s + w[i*m + j] * x[j]); } }",
    "vectors of C++": "#include <vector>\ntemplate <typename T> class Layer { public:"
    " explicit Layer(int n) : n_(n) {} int rows() const { return n_; }\n"
    " void f(const std::vector<std::vector<T>>& w, const std::vector<T>& x, std::vector<T>& y,"
    " std::size_t n, std::size_t m) const { for (std::size_t i{0}; i < n; ++i) { T s{};"
    " for (std::size_t j = 0; j < m; ++j) s += T(w[i][j]) * x[j]; y[i] = s; } }\n"
    " private: int n_; };",
    "sizes of vectors": "using real = double; void f(const std::vector<real> &w,"
    " const std::vector<real> &x, std::vector<real> &y, int n, int m) { for (auto i = 0; i < n;"
    " ++i) { y[i] = real(0); for (auto j = 0; j < m; ++j) y[i] += w[i*m + j] * x[j]; } }",
    "matrices of C++": "struct Matrix; void f(const Matrix& w, const Vector& x, Vector& y, int n,"
    " int m) { for (int i = 0; i < n; ++i) { y(i) = 0; for (int j = 0; j < m; ++j)"
    " y(i) += w(i, j) * x(j); } }",
}


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_read_however_it_is_written(name):
    plain = from_c(LAYER, sizes=SIZES)
    program = from_c(LAYERS[name], "f", sizes=SIZES)
    dags = [entry.dag(**{s: SIZES[s] for s in entry.sizes}) for entry in (program, plain)]
    assert shape_of(dags[0]) == shape_of(dags[1])
    assert program.written == ("y",) or set(program.live_by_default()) == {"y"}


SWEEPS = (
    "void f(int n, double *u, double *v) {{ for (int t = 0; t < {times}; t++) {{"
    " for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i + 1]; {swap} }} {behind} }}"
)
SWAPS = {
    "by a third": "double *w = u; u = v; v = w;",
    "by a third of the function": "w = u; u = v; v = w;",
    "by the library": "std::swap(u, v);",
    "by a macro": "SWAP(u, v);",
}


@pytest.mark.parametrize("times", [1, 3, 4])
@pytest.mark.parametrize("name", SWAPS)
@pytest.mark.parametrize("head", ["double *u, double *v) {", "double *a, double *b) {"])
def test_pointers_that_change_places_are_two_arrays_by_turns(name, times, head):
    text = SWEEPS.format(times=times, swap=SWAPS[name], behind="u[0] = 2 * u[1];")
    text = text.replace("{ for (int t", "{ double *w; for (int t", 1)
    if "*a" in head:  # pointers of the function's own, which point to its parameters first
        text = text.replace("double *u, double *v) {", head + " double *u = a, *v = b;")
    text = "#define SWAP(a, b) do { double *h = a; a = b; b = h; } while (0)\n" + text
    last = "uv"[times % 2]
    plain = SWEEPS.format(times=times, swap="", behind=f"{last}[0] = 2 * {last}[1];")
    plain = (
        plain.replace(
            "v[i] = u[i - 1] + u[i + 1]", "w[(t + 1) % 2][i] = w[t % 2][i - 1] + w[t % 2][i + 1]"
        )
        .replace("u[", "w[0][")
        .replace("v[", "w[1][")
    )
    plain = plain.replace("double *u, double *v", "double w[2][n]")
    dags = [from_c(entry).dag(n=6) for entry in (text, plain)]
    assert shape_of(dags[0]) == shape_of(dags[1])


IN_TURN = {  # loops that count by no step, and the same iteration by iteration
    "halves": (
        "for (int s = n / 2; s > 0; s >>= 1) for (int i = 0; i < s; i++) a[i] += a[i + s];",
        [f"for (int i = 0; i < {s}; i++) a[i] += a[i + {s}];" for s in (6, 3, 1)],
    ),
    "doubles": (
        "int s = 1; while (s < n) { for (int i = 0; i + s < n; i += 2*s) a[i] += a[i+s]; s *= 2; }",
        [f"for (int i = 0; i < {12 - s}; i += {2 * s}) a[i] += a[i + {s}];" for s in (1, 2, 4, 8)],
    ),
    "from both ends": (
        "for (int i = 0, j = n - 1; i < j; i++, j--) { double t = a[i]; a[i] = a[j] * 2;"
        " a[j] = t * 3; }",
        [
            f"double t{i} = a[{i}]; a[{i}] = a[{11 - i}] * 2; a[{11 - i}] = t{i} * 3;"
            for i in range(6)
        ],
    ),
    "a test in the midst": (
        "int i = 0; while (i < n) { if (i > 5) i++; a[i] = a[i] * a[0]; i++; }",
        [f"a[{i}] = a[{i}] * a[0];" for i in (0, 1, 2, 3, 4, 5, 7, 9, 11)],
    ),
    "a test at the end": (
        "int i = 0; do { if (i == 3) continue; a[i] = a[i] * a[3]; } while (++i < n);",
        [f"a[{i}] = a[{i}] * a[3];" for i in range(12) if i != 3],
    ),
    "counted by its test alone": (
        "for (int i = n; i-- > 2;) a[i] += a[i - 2];",
        [f"a[{i}] += a[{i - 2}];" for i in range(11, 1, -1)],
    ),
}


@pytest.mark.parametrize("name", IN_TURN)
def test_loops_that_count_by_no_step_run_in_turn(name):
    text, lines = IN_TURN[name]
    head = "void f(int n, double *a) { "
    dags = [
        from_c(head + body + " }", sizes={"n": 12}).dag(n=12) for body in (text, " ".join(lines))
    ]
    assert shape_of(dags[0]) == shape_of(dags[1])


def test_how_often_pointers_change_places_is_asked():
    text = SWEEPS.format(times="T", swap=SWAPS["by the library"], behind="")
    text = text.replace("int n", "int T, int n", 1)
    with pytest.raises(ProgramError, match=r"change places is affine only where T is a number"):
        from_c(text)
    assert from_c(text, sizes={"T": 4}).dag(T=4, n=6).computed.size == 4 * 4


def test_matrices_of_a_file_of_numerical_recipes():
    text = """void nrerror(char text[]);
    void f(float **a, int n, float p[]) { int i, j, k; float sum;
      for (i=1;i<=n;i++) for (j=i;j<=n;j++) {
        for (sum=a[i][j],k=i-1;k>=1;k--) sum -= a[i][k]*a[j][k];
        if (i == j) { if (sum <= 0.0) nrerror("failed"); p[i]=sqrt(sum); }
        else a[j][i]=sum/p[i]; } }"""
    dag = from_c(text).dag(n=5)
    assert (dag.inputs.size, dag.outputs.size) == (15, 10 + 5)


REFUSED = {
    "float g(const float *a, int n);\nvoid f(int n, float *a, float *b) {\n"
    " for (int i = 0; i < n; i++) b[i] = g(a + 4*i, 4); }": (3, "g is handed an array, and what"),
    "void f(int n, float *a, float *b) { for (int i = 0; i < n; i++) b[i] = a * 2; }": (
        1,
        "a is an array and is used without an index",
    ),
    "int g(float *a, int n) { while (a[n] > 0) n /= 2; return n; }\n"
    "void f(int n, float *a, float *b) { b[0] = g(a, n); }": (
        1,
        "in g, which is called: a 'while' loop is not read",
    ),
    "float g(float *a, int n) { return n ? g(a, n - 1) : a[0]; }\n"
    "void f(int n, float *a, float *b) { b[0] = g(a, n); }": (1, "g calls itself: recursion"),
    "float g(float *a) { for (int i = 0; i < 3; i++) if (i > 1) return a[i]; return 0; }\n"
    "void f(float *a, float *b) { b[0] = g(a) * 2; }": (1, "g returns within a loop: write"),
    "float g(float *a, int n) { return a[n]; }\nvoid f(float *a, float *b) { b[0] = g(a); }": (
        2,
        "g takes 2 arguments, not 1",
    ),
    "void f(int n, double *u, double *v) { for (int i = 0; i < n; i++) { v[i] = 2 * u[i];"
    " if (i > 2) u = v; } }": (1, "u points into u and into v"),
    "void f(int n, double *u, double *v) { double *p = u; for (int i = 0; i < n; i++) {"
    " if (v[i] > 0) p++; v[i] = 2 * *p; } }": (1, "the pointer p moves by what is not known"),
    "void f(int n, double *u, double *v) { int k = 0; for (int i = 0; i < n; i++)"
    " for (int j = 0; j < i; j++) v[k++] = 2 * u[i]; }": (1, "k changes in a loop or a condition"),
    "void f(int n, double *u, double *v) { for (int i = 0; i < n; i++)"
    " if (i > 1 && *u++ > 0) v[i] = 2 * u[0]; }": (1, "++ inside an expression is not read"),
    "void f(int n, double *u, double *v) { for (int i = 0, j = 0; i < n; i++, j++) {"
    " if (i == 1) continue; v[j] = 2 * u[i]; } }": (1, "a loop with 'continue' counts by one"),
    "void f(int n, double *u) { int i = 0; while (i < n && u[i] > 0) { u[i] *= 2; i++; } }": (
        1,
        "a 'while' loop is not read, since how often it runs depends on data",
    ),
    "void f(int n, double *u) { int i = 0; do { if (u[i] > 0) i++; u[i] *= 2; } while (i < n); }": (
        1,
        "is not affine",
    ),
    "void f(int n, double *u) { unsigned i = n; while (i >= 0) { u[i] *= 2; i--; } }": (
        1,
        "i is unsigned: where it counts down, write >",
    ),
    "void f(double *u) { int i = 0; while (i < 9) { u[0] *= 2; i -= 1; } }": (
        1,
        "'while i < 9' counts by no step and runs more than 64 times: write a loop with one",
    ),
    "void f(int n, double *u) { for (int s = n / 2; s > 0; s /= 2) u[s] *= 2; }": (
        1,
        "n / 2 is affine only where n is a number: add n=...",
    ),
    "void f(double *u) { for (auto &x : u) x *= 2; }": (1, "a loop over the cells of an array"),
    "void f(double *u) { auto g = [](double x) { return x; }; u[0] = g(u[0]); }": (
        1,
        "a lambda is not read",
    ),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_read_says_why(text):
    line, message = REFUSED[text]
    with pytest.raises(ProgramError) as caught:
        from_c(text, "f")
    assert caught.value.line == line
    assert message in caught.value.message


def test_functions_whose_names_sound_like_clocks_and_logs_are_no_less():
    text = "double timestep(double x); void f(double a[4], double b[4]) {"
    text += " for (int i = 0; i < 4; i++) b[i] = timestep(a[i]); }"
    assert from_c(text).dag().computed.size == 4
    text = "void f(double a[4]) { a[0] *= 2; log_softmax(a, 4); }"
    with pytest.raises(ProgramError, match="log_softmax is called for what it changes"):
        from_c(text)
    text = "float table[4]; float at(int i) { return table[i]; }"
    text += " void f(double a[4]) { for (int i = 0; i < 4; i++) a[i] = 2 * at(i); }"
    assert from_c(text, "f").dag().inputs.size == 4


def drawn_walk(rng):
    """A nest of drawn loops by a number that counts, by a pointer, and by an index."""
    names = "ijh"[: rng.randint(1, 3)]
    sides = [rng.randint(1, 4) for _ in names]
    steps = [rng.randint(-2, 3) for _ in names]
    heads, runs = [], []
    for name, side in zip(names, sides, strict=True):
        start, step = rng.randint(-1, 2), rng.choice([1, 1, 2, 3])
        last = start + step * (side - 1)
        up = rng.random() < 0.7
        heads.append(
            f"for (int {name} = {start}; {name} <= {last}; {name} += {step}) {{ "
            if up
            else f"for (int {name} = {last}; {name} >= {start}; {name} -= {step}) {{ "
        )
        runs.append((name, start, step) if up else (f"-{name}", -last, step))
    index, change = "100", 0
    for factor, side, (name, start, step) in zip(steps[::-1], sides[::-1], runs[::-1], strict=True):
        change += factor
        if step == 1:
            index += f" + ({change})*({name} - ({start}))"
        else:  # each iteration of a loop in steps by its number
            index += f" + ({change})*(({name} - ({start})) / {step})"
        change *= side
    body = rng.choice(["b[{}] = 2 * a[{}];", "b[{}] += a[{}];"])
    update = rng.choice(["{0} += {1};", "{0} = {0} + {1};"])
    ends = [update.format("{0}", f"({factor})") for factor in steps[::-1]]
    nest = "".join(heads)
    counted = nest + body.format("k", "k") + "".join(f" {end.format('k')} }}" for end in ends)
    walked = nest + body.format("k", "@").replace("a[@]", "*p")
    walked += "".join(f" {end.format('p')} {end.format('k')} }}" for end in ends)
    return (
        f"void f(double a[300], double b[300]) {{ int k = 100; {counted} }}",
        f"void f(double *a, double b[300]) {{ double *p = a + 100; int k = 100; {walked} }}",
        f"void f(double a[300], double b[300]) {{ {nest}{body.format(index, index)}"
        + " }" * len(names)
        + " }",
    )


@pytest.mark.parametrize("seed", range(150))
def test_drawn_walks_are_those_of_indices(seed):
    counted, walked, plain = (from_c(text) for text in drawn_walk(random.Random(seed)))
    expected = shape_of(plain.dag())
    assert shape_of(counted.dag()) == expected
    assert shape_of(walked.dag()) == expected


PYTHON = {
    "a shape": "def f(A, x, y):\n n, m = A.shape\n for i in range(n):\n  y[i] = 0\n"
    "  for j in range(m):\n   y[i] += A[i, j] * x[j]",
    "two at once": "def f(A, x, y, n, m):\n for i in range(n):\n  s, k = 0, i\n"
    "  for j in range(m):\n   s, k = s + A[k, j] * x[j], k\n  y[i] = s",
    "lists": "def f(A, x, n, m):\n y = [0.0] * n\n for i in range(n):\n  for j in range(m):\n"
    "   y[i] += A[i][j] * x[j]\n return y",
    "values": "def f(A, x, y, n, m):\n for half in (0, 1):\n  for i in range(half, n, 2):\n"
    "   if n < 0:\n    continue\n   y[i] = 0\n   for j in range(m):\n    y[i] += A[i, j] * x[j]",
    "rows and their numbers": "def f(A, x, y):\n for i, row in enumerate(A):\n  y[i] = 0\n"
    "  for j, value in enumerate(x):\n   y[i] += row[j] * value",
    "cells": "def f(A, x, y):\n i = 0\n for row in A:\n  s, j = 0, 0\n  for value in x:\n"
    "   s += value * row[j]\n   j += 1\n  y[i] = s\n  i += 1",
    "counted while": "def f(A, x, y, n, m):\n i = 0\n while i < n:\n  y[i], j = 0, m - 1\n"
    "  while j >= 0:\n   y[i] += A[i, j] * x[j]\n   j -= 1\n  i += 1",
    "a counter": "def f(A, x, y, n, m):\n k = 0\n for i in range(n):\n  y[i] = 0\n"
    "  for j in range(m):\n   y[i] += A[k] * x[j]\n   k += 1",
}


@pytest.mark.parametrize("name", PYTHON)
def test_python_is_read_as_c(name):
    sizes = SIZES | LENGTHS
    program = from_python(PYTHON[name], sizes=sizes)
    dag = program.dag(**{size: sizes[size] for size in program.sizes})
    assert shape_of(dag) == shape_of(from_c(LAYER, sizes=SIZES).dag(n=4, m=6))


def test_a_cell_that_a_loop_is_over_is_what_it_was():
    text = "def f(a):\n for i, x in enumerate(a):\n  a[i] = x * 2\n  a[i] = a[i] + x"
    plain = "void f(int n, double *a) { for (int i = 0; i < n; i++) { double x = a[i];"
    plain += " a[i] = x * 2; a[i] = a[i] + x; } }"
    assert shape_of(from_python(text).dag(len_a=3)) == shape_of(from_c(plain).dag(n=3))


def test_python_exchanges_two_values():
    first = from_python("def f(a, b, n):\n for i in range(n):\n  a[i], b[i] = b[i] * 2, a[i] * 3")
    two = from_c(
        "void f(int n, double *a, double *b) { for (int i = 0; i < n; i++) {"
        " double t = a[i]; a[i] = b[i] * 2; b[i] = t * 3; } }"
    )
    assert shape_of(first.dag(n=3)) == shape_of(two.dag(n=3))
    text = "def f(a):\n s = 0\n for i in range(len(a)):\n  s += a[i]\n return s / len(a)"
    assert from_python(text).sizes == ("len_a",)
    assert from_python(text).dag(len_a=4).outputs.size == 1
