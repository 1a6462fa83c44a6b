"""Kernels as C text, each with the law that it has: leading terms, or None for what is not known.

Where the text fixes the order of a sum, that is part of the DAG: with sums over j and then k, no
tile of both is computed.
"""

LOOSE = {
    "conv1d": (
        "for (int i = 0; i < N; i++) for (int r = 0; r < R; r++) Y[i] += X[i+r] * W[r];",
        None,
    ),
    "strided": (
        "for (int i = 0; i < N; i++) for (int r = 0; r < R; r++) Y[i] += X[2*i+3*r] * W[r];",
        None,
    ),
    "depthwise": (
        "for (int c = 0; c < C; c++) for (int i = 0; i < N; i++) for (int r = 0; r < R; r++)"
        " Y[c][i] += X[c][i+r] * W[c][r];",
        None,
    ),
    "conv2d": (
        "for (int h = 0; h < H; h++) for (int v = 0; v < V; v++) for (int r = 0; r < R; r++)"
        " for (int s = 0; s < S; s++) Y[h][v] += X[h+r][v+s] * W[r][s];",
        None,
    ),
    "pooling": (
        "for (int i = 0; i < N; i++) for (int r = 0; r < R; r++) P[i] = max(P[i], A[2*i+r]);",
        None,
    ),
    "batched": (
        "for (int b = 0; b < B; b++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)"
        " for (int k = 0; k < N; k++) C[b][i][j] += X[b][i][k] * Y[b][k][j];",
        "max(2 B N^3 / sqrt(M), 4 B N^2)",
    ),
    "grouped": (
        "for (int g = 0; g < G; g++) for (int i = 0; i < N; i++) for (int j = 0; j < F; j++)"
        " for (int k = 0; k < F; k++) C[i][g][j] += X[i][g][k] * W[g][k][j];",
        "max(2 F^2 G N / sqrt(M), (F^2 G + 3 F G N))",
    ),
    "mttkrp": (
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)"
        " for (int r = 0; r < R; r++) Y[i][r] += X[i][j][k] * B[j][r] * C[k][r];",
        "max(2 N^3 R / sqrt(M) - N^2 R, N^3)",
    ),
    "tensor_times_matrix": (
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)"
        " for (int l = 0; l < N; l++) Y[i][j][l] += X[i][j][k] * U[k][l];",
        "max(2 N^4 / sqrt(M), 3 N^3)",
    ),
    "triangular_product": (
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k <= i; k++)"
        " C[i][j] += L[i][k] * B[k][j];",
        "max(N^3 / sqrt(M), 7 N^2 / 2)",
    ),
    "triangular_solve": (
        "for (int i = 0; i < N; i++) { for (int j = 0; j < i; j++) x[i] = x[i] - L[i][j] * x[j];"
        " x[i] = x[i] / L[i][i]; }",
        None,
    ),
    "triangular_solve_many": (
        "for (int c = 0; c < N; c++) for (int i = 0; i < N; i++) { for (int j = 0; j < i; j++)"
        " X[i][c] = X[i][c] - L[i][j] * X[j][c]; X[i][c] = X[i][c] / L[i][i]; }",
        "max(N^3 / sqrt(M), 5 N^2 / 2)",
    ),
    "cholesky": (
        "for (int j = 0; j < N; j++) { for (int k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k];"
        " A[j][j] = sqrt(A[j][j]); for (int i = j+1; i < N; i++) { for (int k = 0; k < j; k++)"
        " A[i][j] -= A[i][k] * A[j][k]; A[i][j] = A[i][j] / A[j][j]; } }",
        "max(sqrt(2) N^3 / (6 sqrt(M)), N^2)",
    ),
    "floyd_warshall": (
        "for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)"
        " D[i][j] = min(D[i][j], D[i][k] + D[k][j]);",
        "max(2 N^3 / sqrt(M) - 5 N^2, 2 N^2)",
    ),
    "edit_distance": (
        "for (int i = 1; i <= N; i++) for (int j = 1; j <= N; j++)"
        " d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + c(a[i], b[j]));",
        None,
    ),
    "common_subsequence": (
        "for (int i = 1; i <= M; i++) for (int j = 1; j <= N; j++)"
        " L[i][j] = f(L[i-1][j], L[i][j-1], L[i-1][j-1], a[i], b[j]);",
        None,
    ),
    "matrix_chain": (
        "for (int i = N-1; i >= 0; i--) for (int j = i+1; j < N; j++) for (int k = i; k < j; k++)"
        " m[i][j] = min(m[i][j], m[i][k] + m[k+1][j] + p[i]*p[k+1]*p[j+1]);",
        None,
    ),
    "prefix_sums": ("for (int i = 1; i < N; i++) B[i] = B[i-1] + A[i];", None),
    "gauss_seidel": (
        "for (int t = 0; t < T; t++) for (int i = 1; i < N-1; i++) A[i] = A[i-1] + A[i] + A[i+1];",
        "max(2 N T / M - 4 T, 2 N)",
    ),
    "two_sweeps": (
        "for (int t = 0; t < T; t++) { for (int i = 1; i < N-1; i++) for (int j = 1; j < N-1; j++)"
        " B[i][j] = A[i-1][j] + A[i][j] + A[i+1][j] + A[i][j-1] + A[i][j+1];"
        " for (int i = 1; i < N-1; i++) for (int j = 1; j < N-1; j++)"
        " A[i][j] = B[i-1][j] + B[i][j] + B[i+1][j] + B[i][j-1] + B[i][j+1]; }",
        "max(4 sqrt(2) N^2 T / sqrt(M) - 16 N T, 3 N^2)",
    ),
    "history": (
        "for (int t = 0; t < T; t++) { for (int i = 1; i < N-1; i++)"
        " B[t][i] = A[i-1] + A[i] + A[i+1]; for (int i = 1; i < N-1; i++) A[i] = 2 * B[t][i]; }",
        None,
    ),
    "outer_product": (
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) A[i][j] = A[i][j] + x[i] * y[j];",
        None,
    ),
    "transpose": (
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) B[j][i] = 2 * A[i][j];",
        None,
    ),
    "diagonal_sums": (
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) H[i+j] += A[i][j];",
        None,
    ),
    "matrix_vector": (
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i] += A[i][j] * x[j];",
        None,
    ),
    "gram_schmidt": (
        "for (int k = 0; k < N; k++) { for (int i = 0; i < M; i++) r[k][k] += A[i][k] * A[i][k];"
        " for (int i = 0; i < M; i++) Q[i][k] = A[i][k] / r[k][k]; for (int j = k+1; j < N; j++)"
        " { for (int i = 0; i < M; i++) r[k][j] += Q[i][k] * A[i][j];"
        " for (int i = 0; i < M; i++) A[i][j] = A[i][j] - Q[i][k] * r[k][j]; } }",
        "max((6 M N + N^2) - S 2 N, (3 M N + N^2))",
    ),
}

FUNCTIONS = {
    "attention": (
        """void f(int N, int D, double Q[N][D], double K[N][D], double V[N][D], double O[N][D]) {
        double S[N][N]; double r[N];
        for (int i = 0; i < N; i++) {
          for (int j = 0; j < N; j++) {
            S[i][j] = 0;
            for (int d = 0; d < D; d++) S[i][j] += Q[i][d] * K[j][d];
          }
          r[i] = 0;
          for (int j = 0; j < N; j++) { S[i][j] = exp(S[i][j]); r[i] += S[i][j]; }
          for (int d = 0; d < D; d++) {
            O[i][d] = 0;
            for (int j = 0; j < N; j++) O[i][d] += S[i][j] * V[j][d];
            O[i][d] = O[i][d] / r[i];
          }
        } }""",
        "max(4 D N^2 / sqrt(M) - 2 N^2, 4 D N)",
    ),
    "three_products": (
        """void f(int N, double A[N][N], double B[N][N], double C[N][N], double D[N][N],
        double G[N][N]) { double E[N][N], F[N][N];
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)
          E[i][j] += A[i][k] * B[k][j];
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)
          F[i][j] += C[i][k] * D[k][j];
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)
          G[i][j] += E[i][k] * F[k][j]; }""",
        "max(6 N^3 / sqrt(M) - 3 N^2, 6 N^2)",
    ),
    "lstm": (
        """void f(int T, int N, double U[N][N], double V[N][N], double x[T][N], double h[T+1][N],
        double c[N]) { double z, w;
        for (int t = 0; t < T; t++) for (int i = 0; i < N; i++) {
          z = x[t][i]; w = 0;
          for (int j = 0; j < N; j++) { z += U[i][j] * h[t][j]; w += V[i][j] * h[t][j]; }
          c[i] = c[i] * z + w;
          h[t+1][i] = w * tanh(c[i]);
        } }""",
        None,
    ),
    "gated": (
        """void f(int T, int N, double U[N][N], double x[T][N], double h[T+1][N]) { double z;
        for (int t = 0; t < T; t++) for (int i = 0; i < N; i++) {
          z = x[t][i];
          for (int j = 0; j < N; j++) z += U[i][j] * h[t][j];
          h[t+1][i] = z * h[t][i] + (1 - z) * x[t][i];
        } }""",
        None,
    ),
    "alignment": (
        """void f(int N, double a[N], double b[N], double s[1]) { double H[N+1][N+1];
        for (int i = 1; i < N; i++) for (int j = 1; j < N; j++) {
          H[i][j] = max(0.0, H[i-1][j-1] + e(a[i], b[j]), H[i-1][j] - 1, H[i][j-1] - 1);
          s[0] = max(s[0], H[i][j]);
        } }""",
        "max(2 N^2 / M - 4 N, 2 N)",
    ),
    "softmax": (
        """void f(int N, int D, double A[N][D], double B[N][D]) { double m, z; double E[N][D];
        for (int i = 0; i < N; i++) {
          m = A[i][0];
          for (int j = 1; j < D; j++) m = max(m, A[i][j]);
          z = 0;
          for (int j = 0; j < D; j++) { E[i][j] = exp(A[i][j] - m); z += E[i][j]; }
          for (int j = 0; j < D; j++) B[i][j] = E[i][j] / z;
        } }""",
        "max(4 D N - M 2 N, 2 D N)",
    ),
    "layer_norm": (
        """void f(int N, int D, double A[N][D], double g[D], double B[N][D]) { double m, v;
        for (int i = 0; i < N; i++) {
          m = 0; v = 0;
          for (int j = 0; j < D; j++) m += A[i][j];
          for (int j = 0; j < D; j++) v += (A[i][j] - m) * (A[i][j] - m);
          for (int j = 0; j < D; j++) B[i][j] = (A[i][j] - m) * g[j] / sqrt(v);
        } }""",
        "max(3 D N - M 2 N, 2 D N)",
    ),
    "separable": (
        """void f(int N, int R, double A[N+R][N+R], double w[R], double B[N][N]) {
        double T[N][N+R];
        for (int i = 0; i < N; i++) for (int j = 0; j < N+R; j++) for (int r = 0; r < R; r++)
          T[i][j] += A[i+r][j] * w[r];
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int r = 0; r < R; r++)
          B[i][j] += T[i][j+r] * w[r]; }""",
        None,
    ),
    "iterated_matrix_vector": (
        """void f(int T, int N, double A[N][N], double x[N]) { double y[N];
        for (int t = 0; t < T; t++) {
          for (int i = 0; i < N; i++) {
            y[i] = 0;
            for (int j = 0; j < N; j++) y[i] += A[i][j] * x[j];
          }
          for (int i = 0; i < N; i++) x[i] = y[i] / 2;
        } }""",
        None,
    ),
}

KERNELS = {**LOOSE, **FUNCTIONS}
