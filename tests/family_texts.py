"""Members of families as texts: in all published orders of loops, by other names and indices."""

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
LINE = "for (i = 0; i < n; i++) "
PLANE = "for (i = 0; i < n; i++) for (j = 0; j < m; j++) "
SUM = "{1}[i] = {0}[i] + (i > 0 ? {0}[i - 1] : 0) + (i < n - 1 ? {0}[i + 1] : 0); "
RING = "{1}[i] = {0}[i] + {0}[i > 0 ? i - 1 : n - 1] + {0}[i < n - 1 ? i + 1 : 0]; "
BORDERS = (
    "{1}[0] = {0}[0] + {0}[1]; for (i = 1; i < n - 1; i++) {1}[i] = {0}[i - 1] + {0}[i]"
    " + {0}[i + 1]; {1}[n - 1] = {0}[n - 1] + {0}[n - 2]; "
)
PLUS = (
    "{1}[i][j] = {0}[i][j] + (i > 0 ? {0}[i - 1][j] : 0) + (i < n - 1 ? {0}[i + 1][j] : 0)"
    " + (j > 0 ? {0}[i][j - 1] : 0) + (j < m - 1 ? {0}[i][j + 1] : 0); "
)
CORNERS = "".join(
    f" + ({first} ? ({second} ? {{0}}[i {step}][j {turn}] : 0) : 0)"
    for first, step in (("i > 0", "- 1"), ("i < n - 1", "+ 1"))
    for second, turn in (("j > 0", "- 1"), ("j < m - 1", "+ 1"))
)
BOX = PLUS.replace("; ", CORNERS + "; ")
# Stencils: the name of the member for n = 7, m = 5 and l = 6 steps, and the text.
STENCILS = {
    "an array with time": (
        "stencil:shape=7,steps=6",
        "void f(int n, int l, double x[n], double y[n]) { int i, t; double v[l + 1][n]; "
        + LINE
        + "v[0][i] = x[i]; for (t = 0; t < l; t++) "
        + LINE
        + SUM.format("v[t]", "v[t + 1]")
        + LINE
        + "y[i] = v[l][i]; }",
    ),
    "two arrays in turn": (
        "stencil:shape=7,steps=6",
        "void f(int n, int h, double a[n]) { int i, t; double b[n]; for (t = 0; t < h; t++) { "
        + (LINE + SUM.format("a", "b") + LINE + SUM.format("b", "a"))
        + "} }",
    ),
    "two planes by parity": (
        "stencil:shape=7,steps=5",
        "void f(int n, double x[n], double y[n]) { int i, t; double v[2][n]; "
        + LINE
        + "v[0][i] = x[i]; for (t = 0; t < 5; t++) "
        + LINE
        + SUM.format("v[t % 2]", "v[(t + 1) % 2]")
        + LINE
        + "y[i] = v[1][i]; }",
    ),
    "borders apart": (
        "stencil:shape=7,steps=6",
        "void f(int n, int h, double a[n]) { int i, t; double b[n]; for (t = 0; t < h; t++) { "
        + BORDERS.format("a", "b")
        + BORDERS.format("b", "a")
        + "} }",
    ),
    "a ring": (
        "stencil:shape=7,steps=6,periodic=true",
        "void f(int n, int h, double a[n]) { int i, t; double b[n]; for (t = 0; t < h; t++) { "
        + (LINE + RING.format("a", "b") + LINE + RING.format("b", "a"))
        + "} }",
    ),
    "a plane": (
        "stencil:shape=7x5,steps=6",
        "void f(int n, int m, int h, double a[n][m]) { int i, j, t; double b[n][m];"
        " for (t = 0; t < h; t++) { "
        + (PLANE + PLUS.format("a", "b") + PLANE + PLUS.format("b", "a"))
        + "} }",
    ),
    "a plane with corners": (
        "stencil:shape=7x5,steps=6,neighbourhood=box",
        "void f(int n, int m, int l, double x[n][m], double y[n][m]) { int i, j, t;"
        " double v[l + 1][n][m]; "
        + (PLANE + "v[0][i][j] = x[i][j]; for (t = 0; t < l; t++) ")
        + (PLANE + BOX.format("v[t]", "v[t + 1]") + PLANE + "y[i][j] = v[l][i][j]; }"),
    ),
    "one sweep": (
        "sweep:shape=7x5",
        "void f(int n, int m, double a[n][m], double b[n][m]) { int i, j; "
        + (PLANE + PLUS.format("a", "b") + "}"),
    ),
}
# They have the counts of a stencil and are none.
NO_STENCILS = {
    "an end reads the point after the next": (
        "stencil:shape=7,steps=6",
        STENCILS["borders apart"][1].replace("a[0] + a[1]", "a[0] + a[2]"),
    ),
    "a step reads a value two steps old": (
        "stencil:shape=7,steps=6",
        STENCILS["an array with time"][1].replace(
            "(i > 0 ? v[t][i - 1] : 0)", "(i > 0 ? v[t > 0 ? t - 1 : 0][i - 1] : 0)"
        ),
    ),
}
