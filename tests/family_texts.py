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
