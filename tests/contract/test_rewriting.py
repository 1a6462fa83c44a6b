"""One computation has one bound and one best play, however its text is written."""

import pytest

pytest.importorskip("islpy")

from dags.programs.box_reader import box_nest
from dags.programs.text import from_c, from_python
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.search import best_tilings

N, MEMORY = 240, 1500
FLAT = "void f(const float *a, const float *b, float *c, int n) { "
ROWS = "void f(int n, float a[n][n], float b[n][n], float c[n][n]) { "
UPDATE = "c[i][j] += a[i][k] * b[k][j];"
LOOPS = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
INNER = "for (int k = 0; k < n; k++) "
SPELLINGS = {
    "plain": ROWS + LOOPS + INNER + UPDATE + " }",
    "flat": FLAT + LOOPS + INNER + "c[i*n + j] += a[i*n + k] * b[k*n + j]; }",
    "defined": "#define n 240\nvoid f(float *a, float *b, float *c) { "
    + LOOPS
    + INNER
    + "c[i*n + j] += a[i*n + k] * b[k*n + j]; }",
    "a macro": "#define AT(m, r, s) m[(r)*n + (s)]\n"
    + FLAT
    + LOOPS
    + INNER
    + "AT(c, i, j) += AT(a, i, k) * AT(b, k, j); }",
    "pointers to rows": FLAT + LOOPS + "{ const float *row = a + i*n; float *to = &c[i*n + j];"
    " for (int k = 0; k < n; k++) *to += row[k] * b[k*n + j]; } }",
    "a scalar sum": ROWS
    + LOOPS
    + "{ float s = c[i][j]; "
    + INNER
    + "s += a[i][k] * b[k][j]; c[i][j] = s; } }",
    "tiles": ROWS + "for (int t = 0; t < n; t += 16) for (int i = 0; i < n; i++)"
    " for (int j = t; j < t + 16; j++) " + INNER + UPDATE + " }",
    "unrolled": ROWS
    + LOOPS
    + "{ int k; for (k = 0; k < n - 3; k += 4) {"
    + " ".join(f"c[i][j] += a[i][k + {r}] * b[k + {r}][j];" for r in range(4))
    + " } for (; k < n; k++) "
    + UPDATE
    + " } }",
    "two rows at once": ROWS + "for (int i = 0; i < n; i += 2) for (int j = n - 1; j >= 0; j--) {"
    " float up = c[i][j], down = c[i + 1][j]; "
    + INNER
    + "{ up += a[i][k] * b[k][j]; down += a[i + 1][k] * b[k][j]; }"
    " c[i][j] = up; c[i + 1][j] = down; } }",
    "a temporary": ROWS + LOOPS + INNER + "{ float p = a[i][k] * b[k][j]; c[i][j] += p; } }",
}
PYTHON = (
    "def f(a, b, c, n):\n for i in range(n):\n  for j in range(n):\n   for k in range(n):\n    "
)


def read(name):
    program = from_c(SPELLINGS[name], "f", sizes={"n": N})
    return box_nest(program, {"n": N} if "n" in program.sizes else {})


def played(nest):
    inner = nest.merged
    found = best_tilings(nest, [MEMORY], seconds=3)
    words = [each.io for each in found if each.moved.words <= MEMORY]
    if inner is not None:
        found = best_tilings(inner.nest, [MEMORY - inner.count], seconds=3)
        words += [each.io for each in found if each.moved.words <= MEMORY - inner.count]
    return min(words)


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_product_has_one_bound_and_one_play(name):
    plain, nest = read("plain"), read(name)
    bound = nest_bound(nest, MEMORY)
    check(nest, MEMORY, bound)
    assert bound.io == nest_bound(plain, MEMORY).io
    assert played(nest) <= 1.01 * played(plain)


@pytest.mark.parametrize(
    "update", ["c[i, j] += a[i, k] * b[k, j]", "c[i*n + j] += a[i*n + k] * b[k*n + j]"]
)
def test_python_has_the_bound_of_c(update):
    program = from_python(PYTHON + update, sizes={"n": N})
    nest = box_nest(program, {"n": N} if program.sizes else {})
    assert nest_bound(nest, MEMORY).io == nest_bound(read("plain"), MEMORY).io
