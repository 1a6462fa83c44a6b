"""Copies in scalars and arrays that are made: without them a text is the plain one."""

import random

import pytest

pytest.importorskip("islpy")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.canonical import canonical
from dags.programs.text import from_c, from_python
from tests.rewritings import copied_operand, rewritten, sums
from tests.test_dags.programs.canonical.isomorphic import boxes_of, shape_of

HEAD = "void f(int n, double a[n][n], double b[n][n], double c[n][n]) { "
PLAIN = HEAD + (
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)"
    " c[i][j] += a[i][k] * b[k][j]; }"
)
TILED = HEAD + (
    "for (int ii = 0; ii < n; ii += 4) for (int kk = 0; kk < n; kk += 4)"
    " for (int jj = 0; jj < n; jj += 4) for (int i = ii; i < ii + 4; i++)"
    " for (int k = kk; k < kk + 4; k++) { double x = a[i][k];"
    " for (int j = jj; j < jj + 4; j++) c[i][j] += x * b[k][j]; } }"
)


def test_an_operand_in_a_scalar_between_tiles_is_no_other_computation():
    program = from_c(TILED)
    form = canonical(program, {"n": 8})
    assert form.steps[0] == "x: copies are read where they come from"
    assert shape_of(form.program.dag()) == shape_of(program.dag(n=8))
    assert boxes_of(box_nest(program, {"n": 24})) == boxes_of(box_nest(from_c(PLAIN), {"n": 24}))


KEPT = {
    "what is copied changes": "double x; for (int i = 1; i < n; i++) { x = a[0][i - 1];"
    " a[0][i - 1] = 2 * b[0][i]; c[0][i] = x * b[1][i]; } }",
    "it is read before it is copied": "double x = a[0][0]; for (int i = 1; i < n; i++) {"
    " c[0][i] = x * b[0][i]; x = a[0][i]; } }",
    "a branch sets it": "double x; for (int i = 0; i < n; i++) { x = a[0][i];"
    " if (i > 1) x = a[1][i] * 2; c[0][i] = x * b[0][i]; } }",
    "the next one reads it": "double x; for (int i = 0; i < n; i++) { x = a[0][i];"
    " c[0][i] = x * 2; x = x * b[0][i]; c[1][i] = x * 3; } }",
}


@pytest.mark.parametrize("name", KEPT)
def test_a_copy_that_is_another_value_stays(name):
    program = from_c(HEAD + KEPT[name])
    form = canonical(program, {"n": 4})
    assert not any("copies" in step for step in form.steps)
    assert shape_of(form.program.dag(**dict.fromkeys(form.program.sizes, 4))) == shape_of(
        program.dag(n=4)
    )


SUMS = {
    "from the cell": "s = c[0][i]; for (int k = 0; k < n; k++) s += a[i][k]; c[0][i] = s;",
    "from a number": "s = 0; for (int k = 0; k < n; k++) s += a[i][k]; c[0][i] = s;",
    "under a condition": "s = c[0][i]; for (int k = 0; k < n; k++) if (k < i) s += a[i][k];"
    " else s -= a[i][k]; c[0][i] = s;",
}
OTHER_SUMS = {
    "another cell": "s = c[0][i]; for (int k = 0; k < n; k++) s += a[i][k]; c[1][i] = s;",
    "it is read behind": "s = c[0][i]; for (int k = 0; k < n; k++) s += a[i][k]; c[0][i] = s;"
    " c[1][i] = s * b[0][i];",
    "the cell is read while it is made": "s = c[0][i]; for (int k = 0; k < n; k++)"
    " s += c[0][k]; c[0][i] = s;",
    "the cell is another one in the loop": "s = c[0][i]; for (int j = 0; j < 1; j++) {"
    " c[0][i] = 2 * b[0][i]; s += b[i][j]; } c[0][i] = s;",
}


@pytest.mark.parametrize("name", SUMS)
def test_a_sum_in_a_scalar_that_is_stored_is_one_in_the_cell(name):
    program = from_c(f"{HEAD} double s; for (int i = 0; i < n; i++) {{ {SUMS[name]} }} }}")
    form = canonical(program, {"n": 5})
    assert "s is c in line 1, where it is stored" in form.steps
    assert "s" not in {assign.target.array for assign, _ in form.program.statements}
    assert shape_of(form.program.dag()) == shape_of(program.dag(n=5))


@pytest.mark.parametrize("name", OTHER_SUMS)
def test_a_sum_in_a_scalar_that_is_another_value_stays(name):
    program = from_c(f"{HEAD} double s; for (int i = 0; i < n; i++) {{ {OTHER_SUMS[name]} }} }}")
    form = canonical(program, {"n": 5})
    assert not any("where it is stored" in step for step in form.steps)
    dag = instantiate(form.program, dict.fromkeys(form.program.sizes, 5))
    assert shape_of(dag) == shape_of(program.dag(n=5))


@pytest.mark.parametrize("seed", range(60))
def test_drawn_copies_go_and_leave_the_dag(seed):
    rng = random.Random(seed)
    plain = sums(rng, "C")
    text = copied_operand(rng, plain)
    if text is None:
        return
    text = rewritten(rng, text, rng.randint(0, 3))
    program = from_c(text.c, "f")
    form = canonical(program, {})
    dag = instantiate(form.program, {}, live=form.live, constants=form.constants)
    assert shape_of(dag) == shape_of(program.dag())


def test_arrays_that_are_made_have_nests():
    text = "def f(A, B, n):\n C = np.zeros((n, n))\n for i in range(n):\n  for j in range(n):\n"
    text += "   for k in range(n):\n    C[i, j] += A[i, k] * B[k, j]\n return C"
    zero = PLAIN.replace("for (int k", "{ c[i][j] = 0; for (int k").replace("; }", "; } }")
    nest = box_nest(from_python(text), {"n": 20})
    assert boxes_of(nest) == boxes_of(box_nest(from_c(zero), {"n": 20}))
