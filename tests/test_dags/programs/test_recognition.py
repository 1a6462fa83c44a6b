"""The family of a nest: written in any order, by any names, and never by counts alone."""

from dataclasses import replace
from itertools import product
from operator import mul

import pytest

pytest.importorskip("islpy")

from dags import Computation, load
from dags.families import FAMILIES
from dags.families.recognition import recognise_as
from dags.programs.box_reader import box_nest
from dags.programs.members import family_nest, instance_of_member, sizes_of
from dags.programs.recognition import kin_of, renaming_of
from dags.programs.text import from_c

MATRIX = "void f(int n, double A[n][n]) { int i, j, k; "
SOLVE = "void f(int n, int m, double L[n][n], double X[n][m]) { int i, j, k; "
PRODUCT = "void f(int n, int m, int l, double A[n][l], double B[l][m], double C[n][m]) {int i,j,k;"
SYRK = "void f(int n, int m, double A[n][m], double C[n][n]) { int i, j, k; "
# Published orders of loops: Golub and Van Loan, section 3.2; Dongarra, Gustavson and Karp, 1984.
TEXTS = {
    "lu kij": (
        "lu:n=7",
        MATRIX + "for (k = 0; k < n; k++) { for (i = k + 1; i < n; i++) A[i][k] /= A[k][k];"
        " for (i = k + 1; i < n; i++) for (j = k + 1; j < n; j++)"
        " A[i][j] -= A[i][k] * A[k][j]; } }",
    ),
    "lu kji, the transposed matrix": (
        "lu:n=7",
        MATRIX + "for (k = 0; k < n; k++) { for (i = k + 1; i < n; i++) A[k][i] /= A[k][k];"
        " for (j = k + 1; j < n; j++) for (i = k + 1; i < n; i++)"
        " A[j][i] -= A[k][i] * A[j][k]; } }",
    ),
    "lu ikj": (
        "lu:n=7",
        MATRIX + "for (i = 1; i < n; i++) for (k = 0; k < i; k++) { A[i][k] /= A[k][k];"
        " for (j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j]; } }",
    ),
    "lu jki": (
        "lu:n=7",
        MATRIX + "for (j = 0; j < n; j++) { for (k = 0; k < j; k++) for (i = k + 1; i < n; i++)"
        " A[i][j] -= A[i][k] * A[k][j]; for (i = j + 1; i < n; i++) A[i][j] /= A[j][j]; } }",
    ),
    "lu ijk": (
        "lu:n=7",
        MATRIX + "for (i = 0; i < n; i++) { for (j = 0; j < i; j++) { for (k = 0; k < j; k++)"
        " A[i][j] -= A[i][k] * A[k][j]; A[i][j] /= A[j][j]; } for (j = i; j < n; j++)"
        " for (k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j]; } }",
    ),
    "lu from the last row and column": (
        "lu:n=7",
        MATRIX + "for (k = n - 1; k >= 0; k--) for (i = 0; i < k; i++) { A[i][k] /= A[k][k];"
        " for (j = 0; j < k; j++) A[i][j] -= A[i][k] * A[k][j]; } }",
    ),
    "lu, indices from one": (
        "lu:n=7",
        "void f(int n, double a[n + 1][n + 1]) { int r, s, t; for (t = 1; t <= n; t++)"
        " for (r = t + 1; r <= n; r++) { a[r][t] /= a[t][t]; for (s = t + 1; s <= n; s++)"
        " a[r][s] -= a[r][t] * a[t][s]; } }",
    ),
    "cholesky kij": (
        "cholesky:n=7",
        MATRIX + "for (k = 0; k < n; k++) { A[k][k] = sqrt(A[k][k]); for (i = k + 1; i < n; i++)"
        " A[i][k] /= A[k][k]; for (i = k + 1; i < n; i++) for (j = k + 1; j <= i; j++)"
        " A[i][j] -= A[i][k] * A[j][k]; } }",
    ),
    "cholesky jki": (
        "cholesky:n=7",
        MATRIX + "for (j = 0; j < n; j++) { for (k = 0; k < j; k++) for (i = j; i < n; i++)"
        " A[i][j] -= A[i][k] * A[j][k]; A[j][j] = sqrt(A[j][j]);"
        " for (i = j + 1; i < n; i++) A[i][j] /= A[j][j]; } }",
    ),
    "cholesky ijk, the diagonal apart": (
        "cholesky:n=7",
        MATRIX + "for (i = 0; i < n; i++) { for (j = 0; j < i; j++) { for (k = 0; k < j; k++)"
        " A[i][j] -= A[i][k] * A[j][k]; A[i][j] /= A[j][j]; } for (k = 0; k < i; k++)"
        " A[i][i] -= A[i][k] * A[i][k]; A[i][i] = sqrt(A[i][i]); } }",
    ),
    "cholesky of the upper half": (
        "cholesky:n=7",
        MATRIX + "for (k = 0; k < n; k++) { A[k][k] = sqrt(A[k][k]); for (i = k + 1; i < n; i++)"
        " A[k][i] /= A[k][k]; for (i = k + 1; i < n; i++) for (j = k + 1; j <= i; j++)"
        " A[j][i] -= A[k][i] * A[k][j]; } }",
    ),
    "solve, columns outermost": (
        "triangular_solve:n=7,k=4",
        SOLVE + "for (k = 0; k < m; k++) for (i = 0; i < n; i++) { for (j = 0; j < i; j++)"
        " X[i][k] -= L[i][j] * X[j][k]; X[i][k] /= L[i][i]; } }",
    ),
    "solve, right-looking": (
        "triangular_solve:n=7,k=4",
        SOLVE + "for (j = 0; j < n; j++) for (k = 0; k < m; k++) { X[j][k] /= L[j][j];"
        " for (i = j + 1; i < n; i++) X[i][k] -= L[i][j] * X[j][k]; } }",
    ),
    "solve upwards": (
        "triangular_solve:n=7,k=4",
        SOLVE + "for (i = n - 1; i >= 0; i--) for (k = 0; k < m; k++) {"
        " for (j = n - 1; j > i; j--) X[i][k] -= L[i][j] * X[j][k]; X[i][k] /= L[i][i]; } }",
    ),
    "solve of a vector": (
        "triangular_solve:n=7,k=1",
        "void f(int n, double L[n][n], double x[n]) { for (int i = 0; i < n; i++) {"
        " for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j]; x[i] /= L[i][i]; } }",
    ),
    "product kij": (
        "matmul:m=7,k=5,n=4",
        PRODUCT + "for (i = 0; i < n; i++) for (j = 0; j < m; j++) C[i][j] = 0;"
        " for (k = 0; k < l; k++) for (i = 0; i < n; i++) for (j = 0; j < m; j++)"
        " C[i][j] += A[i][k] * B[k][j]; }",
    ),
    "product, the first term apart": (
        "matmul:m=7,k=5,n=4",
        PRODUCT + "for (j = 0; j < m; j++) for (i = 0; i < n; i++) { C[i][j] = A[i][0] * B[0][j];"
        " for (k = 1; k < l; k++) C[i][j] += A[i][k] * B[k][j]; } }",
    ),
    "product downwards": (
        "matmul:m=7,k=5,n=4",
        PRODUCT + "for (i = 0; i < n; i++) for (j = 0; j < m; j++) { double s = 0;"
        " for (k = l - 1; k >= 0; k--) s += A[i][k] * B[k][j]; C[i][j] = s; } }",
    ),
    "syrk kij": (
        "syrk:n=7,k=4",
        SYRK + "for (i = 0; i < n; i++) for (j = 0; j <= i; j++) C[i][j] = 0;"
        " for (k = 0; k < m; k++) for (i = 0; i < n; i++) for (j = 0; j <= i; j++)"
        " C[i][j] += A[i][k] * A[j][k]; }",
    ),
    "syrk of the upper half, by a scalar": (
        "syrk:n=7,k=4",
        SYRK + "for (i = 0; i < n; i++) for (j = i; j < n; j++) { double s = 0;"
        " for (k = 0; k < m; k++) s += A[j][k] * A[i][k]; C[i][j] = s; } }",
    ),
}
SIZES = {"n": 7, "m": 4, "l": 5}
# What has the counts of a member, and is none.
OTHERS = {
    "a solve that sums backwards": (
        "triangular_solve:n=7,k=4",
        SOLVE + "for (i = 0; i < n; i++) for (k = 0; k < m; k++) { for (j = i - 1; j >= 0; j--)"
        " X[i][k] -= L[i][j] * X[j][k]; X[i][k] /= L[i][i]; } }",
    ),
    "an update that sums backwards off the diagonal": (
        "syrk:n=7,k=4",
        SYRK + "for (i = 0; i < n; i++) for (j = 0; j < i; j++) { C[i][j] = 0;"
        " for (k = m - 1; k >= 0; k--) C[i][j] += A[i][k] * A[j][k]; }"
        " for (i = 0; i < n; i++) { C[i][i] = 0;"
        " for (k = 0; k < m; k++) C[i][i] += A[i][k] * A[i][k]; } }",
    ),
}


def nest_of(text):
    program = from_c(text, "f")
    return box_nest(program, {name: SIZES[name] for name in program.sizes})


def plain_dag(nest):
    """Operands of each instance, by running the loops one by one."""
    last, operands, made = {}, {}, {each.name for each in nest.assignments}
    queue = [
        (each, point)
        for each in nest.assignments
        for point in product(*(range(*ends) for ends in each.box))
        if all(tie.constant + sum(map(mul, tie.row, point)) >= 0 for tie in each.ties)
    ]
    for each, point in queue:  # the last of a sum is the last in the order of its loops
        own = each.name, item_of(each.item, point)
        operands[each.name, point] = {last[own]} if each.sums and own in last else set()
        last[own] = each.name, point
    for each, point in queue:
        for access in each.reads:
            ties = (tie.constant + sum(map(mul, tie.row, point)) for tie in access.ties)
            ends = zip(point, access.box, strict=True)
            if all(low <= at < high for at, (low, high) in ends) and min(ties, default=0) >= 0:
                item = access.array, item_of(access, point)
                operands[each.name, point].add(last[item] if access.array in made else item)
    return operands


def item_of(access, point):
    return tuple(
        by + sum(map(mul, row, point)) for row, by in zip(access.rows, access.offset, strict=True)
    )


def renamed(vertex, renaming):
    name, point = vertex
    to = renaming[name]
    return to.name, tuple(
        by + sum(map(mul, row, point)) for row, by in zip(to.rows, to.offset, strict=True)
    )


@pytest.mark.parametrize("name", TEXTS)
def test_a_family_is_recognised_in_any_order_by_any_names(name):
    spec, text = TEXTS[name]
    nest, member = nest_of(text), Computation(spec)
    kin = kin_of(nest, sizes_of(nest))
    assert kin is not None
    assert (kin.member.family, kin.member.sizes) == (member.family, member.sizes)
    moved = {
        renamed(vertex, kin.renaming): {renamed(each, kin.renaming) for each in read}
        for vertex, read in plain_dag(nest).items()
    }
    assert moved == plain_dag(kin.nest)


@pytest.mark.parametrize("name", OTHERS)
def test_what_has_the_counts_of_a_family_alone_is_no_member(name):
    spec, text = OTHERS[name]
    nest, member = nest_of(text), Computation(spec)
    assert sizes_of(nest)[:4] == member.sizes[:4]
    assert kin_of(nest, sizes_of(nest)) is None
    assert renaming_of(nest, member.nest) is None


def test_outputs_are_those_of_the_family():
    nest = nest_of(TEXTS["lu kij"][1])
    first, *others = nest.assignments
    assert renaming_of(nest, Computation("lu:n=7").nest) is not None
    less = replace(nest, assignments=(replace(first, outputs=None), *others))
    assert renaming_of(less, Computation("lu:n=7").nest) is None


@pytest.mark.parametrize("name", TEXTS)
def test_an_operand_that_is_read_twice_is_one_edge(name):
    nest = nest_of(TEXTS[name][1])
    assert sizes_of(nest).edges == sum(map(len, plain_dag(nest).values()))


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.nest])
def test_the_nest_of_a_family_is_its_dag(name):
    family = FAMILIES[name]
    for spec in (f"{name}:{family.example}", f"{name}:{family.small}"):
        found = instance_of_member(spec)
        assert recognise_as(found.dag, load(spec), spec).recognised.own == ()
        known = Computation(spec)
        assert sizes_of(family_nest(name, known.params))[:4] == known.sizes[:4]
