"""Texts of nests that are run on boxes, with their sizes; small sizes are drawn for tests."""

import random

PRODUCT = """void f(int M, int N, int K, double a[M][K], double b[K][N], double c[M][N]) {
  for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {
    c[i][j] = 0;
    for (int k = 0; k < K; k++) c[i][j] += a[i][k] * b[k][j]; } }"""
BATCHES = """void f(int B, int M, int N, int K, double a[B][M][K], double b[B][K][N],
    double c[B][M][N]) {
  for (int h = 0; h < B; h++) for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {
    c[h][i][j] = 0;
    for (int k = 0; k < K; k++) c[h][i][j] += a[h][i][k] * b[h][k][j]; } }"""
CONVOLUTION = """void f(int F, int P, int C, int R, double x[C][2*P+3*R], double w[F][C][R],
    double y[F][P]) {
  for (int f = 0; f < F; f++) for (int p = 0; p < P; p++) {
    y[f][p] = 0;
    for (int c = 0; c < C; c++) for (int r = 0; r < R; r++)
      y[f][p] += x[c][2 * p + 3 * r] * w[f][c][r]; } }"""
PLANES = """void f(int F, int P, int Q, int C, int R, int S, double x[C][P+R][Q+S],
    double w[F][C][R][S], double y[F][P][Q]) {
  for (int f = 0; f < F; f++) for (int p = 0; p < P; p++) for (int q = 0; q < Q; q++) {
    y[f][p][q] = 0;
    for (int c = 0; c < C; c++) for (int r = 0; r < R; r++) for (int s = 0; s < S; s++)
      y[f][p][q] += x[c][p + r][q + s] * w[f][c][r][s]; } }"""
DILATED = """void f(int P, int Q, int R, int S, double x[P+2*R][Q+S], double w[R][S],
    double y[P][Q]) {
  for (int p = 0; p < P; p++) for (int q = 0; q < Q; q++) {
    y[p][q] = 0;
    for (int r = 0; r < R; r++) for (int s = 0; s < S; s++)
      y[p][q] += x[p + 2 * r][q + s] * w[r][s]; } }"""
STRIDED = """void f(int P, int C, int R, int F, double x[C][3*P+R], double w[F][C][R],
    double y[F][P]) {
  for (int f = 0; f < F; f++) for (int p = 0; p < P; p++) {
    y[f][p] = 0;
    for (int c = 0; c < C; c++) for (int r = 0; r < R; r++)
      y[f][p] += x[c][3 * p + r] * w[f][c][r]; } }"""
TRANSPOSED = """void f(int C, int H, int R, double x[C][H], double w[C][R], double y[H+R]) {
  for (int i = 0; i < H + R - 1; i++) y[i] = 0;
  for (int c = 0; c < C; c++) for (int h = 0; h < H; h++) for (int r = 0; r < R; r++)
    y[h + r] += x[c][h] * w[c][r]; }"""
MTTKRP = """void f(int I, int R, int J, int L, double x[I][J][L], double b[J][R], double c[L][R],
    double y[I][R]) {
  for (int i = 0; i < I; i++) for (int r = 0; r < R; r++) {
    y[i][r] = 0;
    for (int j = 0; j < J; j++) for (int l = 0; l < L; l++)
      y[i][r] += x[i][j][l] * b[j][r] * c[l][r]; } }"""
SCAN = """void f(int N, int D, double x[N][D], double y[N][D]) {
  for (int n = 0; n < N; n++) {
    double s = 0;
    for (int d = 0; d < D; d++) { s += x[n][d]; y[n][d] = s; } } }"""
MAXIMUM = """void f(int M, int K, double a[M][K+1], double c[M]) {
  for (int i = 0; i < M; i++) {
    c[i] = a[i][0];
    for (int k = 1; k < K + 1; k++) c[i] = fmax(c[i], a[i][k]); } }"""
STAR = """void f(int T, int N, double a[T+2][N+2], double b[T+2][N+2]) {
  for (int i = 1; i < T + 1; i++) for (int j = 1; j < N + 1; j++)
    b[i][j] = a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]; }"""
CHAIN = """void f(int M, int K, int L, int N, double A[M][K], double B[K][L], double C[L][N],
    double D[M][N]) {
  double T[M][L];
  for (int i = 0; i < M; i++) for (int j = 0; j < L; j++) {
    T[i][j] = 0;
    for (int k = 0; k < K; k++) T[i][j] += A[i][k] * B[k][j]; }
  for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) {
    D[i][j] = 0;
    for (int k = 0; k < L; k++) D[i][j] += T[i][k] * C[k][j]; } }"""
SOFTMAX = """void f(int N, int D, double x[N][D+1], double y[N][D+1]) {
  for (int n = 0; n < N; n++) {
    double m = x[n][0];
    for (int d = 1; d < D + 1; d++) m = fmax(m, x[n][d]);
    double s = 0;
    for (int d = 0; d < D + 1; d++) { y[n][d] = exp(x[n][d] - m); s += y[n][d]; }
    for (int d = 0; d < D + 1; d++) y[n][d] = y[n][d] / s; } }"""
NORM = """void f(int N, int C, double x[N][C], double y[N][C]) {
  for (int n = 0; n < N; n++) {
    double s = 0;
    for (int c = 0; c < C; c++) s += x[n][c] * x[n][c];
    double r = rms(s);
    for (int c = 0; c < C; c++) y[n][c] = x[n][c] / r; } }"""
RECURRENCE = """void f(int T, int H, double W[H][H], double x[T][H], double h[T+1][H]) {
  for (int t = 0; t < T; t++) for (int i = 0; i < H; i++) {
    double s = x[t][i];
    for (int j = 0; j < H; j++) s += W[i][j] * h[t][j];
    h[t+1][i] = tanh(s); } }"""
SWEEPS = """void f(int T, int N, double a[N+2], double b[N+2]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N + 1; i++) b[i] = a[i-1] + a[i] + a[i+1];
    for (int i = 1; i < N + 1; i++) a[i] = b[i-1] + b[i] + b[i+1]; } }"""

UPPER = """void f(int N, double a[N][N], double b[N][N], double c[N][N]) {
  for (int i = 0; i < N; i++) for (int j = i; j < N; j++) {
    c[i][j] = 0;
    for (int k = i; k <= j; k++) c[i][j] += a[i][k] * b[k][j]; } }"""
TRIANGLE = """void f(int N, int M, double a[N][N], double b[N][M], double c[N][M]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) {
    c[i][j] = 0;
    for (int k = 0; k <= i; k++) c[i][j] += a[i][k] * b[k][j]; } }"""
SYMMETRIC = """void f(int N, int M, double a[N][N], double b[N][M], double c[N][M]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) {
    c[i][j] = 0;
    for (int k = 0; k < i; k++) c[i][j] += a[i][k] * b[k][j];
    for (int k = i; k < N; k++) c[i][j] += a[k][i] * b[k][j]; } }"""
CAUSAL = """void f(int T, int D, double q[T][D], double k[T][D], double v[T][D], double o[T][D]) {
  double s[T][T];
  for (int i = 0; i < T; i++) for (int j = 0; j <= i; j++) {
    s[i][j] = 0;
    for (int d = 0; d < D; d++) s[i][j] += q[i][d] * k[j][d]; }
  for (int i = 0; i < T; i++) for (int d = 0; d < D; d++) {
    o[i][d] = 0;
    for (int j = 0; j <= i; j++) o[i][d] += s[i][j] * v[j][d]; } }"""
PADDED = """void f(int C, int F, int H, int R, double x[C][H], double w[F][C][R], double y[F][H]) {
  for (int f = 0; f < F; f++) for (int p = 0; p < H; p++) {
    y[f][p] = 0;
    for (int c = 0; c < C; c++) for (int r = 0; r < R; r++)
      if (p + r - 1 >= 0 && p + r - 1 < H) y[f][p] += x[c][p + r - 1] * w[f][c][r]; } }"""
POOLED = """void f(int N, int P, int Q, int R, double x[N][2*P+1][3*Q], double y[N][P][Q]) {
  for (int n = 0; n < N; n++) for (int p = 0; p < P; p++) for (int q = 0; q < Q; q++) {
    double m = -1;
    for (int r = 0; r < R + 1; r++) for (int s = 0; s < 2; s++) {
      int h = 2 * p + 2 * r - 1;
      if (h >= 0 && h < 2 * P + 1 && 3 * q + s < 3 * Q) m = fmax(m, x[n][h][3 * q + s]); }
    y[n][p][q] = m; } }"""
SPREAD = """void f(int C, int F, int H, int R, int S, double x[C][H], double w[C][F][R],
    double y[F][2*H+3*R]) {
  for (int i = 0; i < 2 * H + 3 * R; i++) for (int f = 0; f < F; f++) y[f][i] = 0;
  for (int c = 0; c < C; c++) for (int h = 0; h < H; h++) for (int f = 0; f < F; f++)
    for (int r = 0; r < R; r++)
      if (2 * h + 3 * r - 1 >= 0 && 2 * h + 3 * r - 1 < 2 * H + S)
        y[f][2 * h + 3 * r - 1] += x[c][h] * w[c][f][r]; }"""
BACKWARDS = """void f(int N, int D, double x[N][D], double y[N][D]) {
  for (int n = 0; n < N; n++) {
    double s = 0;
    for (int d = D - 1; d >= 0; d--) { s += x[n][d]; y[n][d] = s; } } }"""
STEPS = """void f(int N, int C, double x[3*N][C], double y[3*N]) {
  for (int i = 1; i < 3 * N; i += 3) {
    y[i] = 0;
    for (int c = 0; c < C; c++) y[i] += x[i][c] * x[i - 1][c]; } }"""

CORNERED = """void f(int C, int P, int Q, double x[C][2*P+3][Q+3], double y[C][P][Q]) {
  for (int c = 0; c < C; c++) for (int p = 0; p < P; p++) for (int q = 0; q < Q; q++) {
    y[c][p][q] = x[c][2 * p][q];
    for (int r = 0; r < 3; r++) for (int s = 0; s < 3; s++)
      if (r + s > 0) y[c][p][q] = fmax(y[c][p][q], x[c][2 * p + r][q + s]); } }"""
CLIPPED = """void f(int N, int H, double x[N][H], double y[N][H]) {
  for (int n = 0; n < N; n++) for (int p = 0; p < H; p++) {
    double s = 0;
    for (int h = (p > 0 ? p - 1 : 0); h <= (p < H - 1 ? p + 1 : H - 1); h++) s += x[n][h];
    y[n][p] = s / 9; } }"""
TOTAL = """void f(int N, int D, double x[N][D], double y[1]) {
  double s = 0;
  for (int n = 0; n < N; n++) for (int d = 0; d < D; d++) s += x[n][d];
  y[0] = s / 3; }"""

RANK = """void f(int N, int M, double a[N][M], double c[N][N]) {
  for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++) { c[i][j] = 0;
    for (int k = 0; k < M; k++) c[i][j] += a[i][k] * a[j][k]; } }"""

AHEAD = """void f(int H, int N, int R, double x[H+2*R][N+2], double w[R], double y[H][N]) {
  double t[H+R][N], u[H][N];
  for (int i = 0; i < H + R - 1; i++) for (int j = 0; j < N; j++) { t[i][j] = 0;
    for (int r = 0; r < R; r++) t[i][j] += x[i+r][j] * w[r]; }
  for (int i = 0; i < H; i++) for (int j = 0; j < N; j++) u[i][j] = t[i][j] * x[i][j+1];
  for (int i = 0; i < H; i++) for (int j = 0; j < N; j++) { y[i][j] = 0;
    for (int r = 0; r < R; r++) y[i][j] += t[i+r][j] * u[i][j]; } }"""

TEXTS = {
    "rank": (RANK, "NM"),
    "ahead": (AHEAD, "HNR"),
    "total": (TOTAL, "ND"),
    "cornered": (CORNERED, "CPQ"),
    "clipped": (CLIPPED, "NH"),
    "upper": (UPPER, "N"),
    "triangle": (TRIANGLE, "NM"),
    "symmetric": (SYMMETRIC, "NM"),
    "causal": (CAUSAL, "TD"),
    "padded": (PADDED, "CFHR"),
    "pooled": (POOLED, "NPQR"),
    "spread": (SPREAD, "CFHRS"),
    "backwards": (BACKWARDS, "ND"),
    "steps": (STEPS, "NC"),
    "product": (PRODUCT, "MNK"),
    "batches": (BATCHES, "BMNK"),
    "convolution": (CONVOLUTION, "FPCR"),
    "planes": (PLANES, "FPQCRS"),
    "dilated": (DILATED, "PQRS"),
    "strided": (STRIDED, "PCRF"),
    "transposed": (TRANSPOSED, "CHR"),
    "mttkrp": (MTTKRP, "IRJL"),
    "scan": (SCAN, "ND"),
    "maximum": (MAXIMUM, "MK"),
    "star": (STAR, "TN"),
    "chain": (CHAIN, "MKLN"),
    "softmax": (SOFTMAX, "ND"),
    "norm": (NORM, "NC"),
    "recurrence": (RECURRENCE, "TH"),
    "sweeps": (SWEEPS, "TN"),
}


def drawn_sizes(name: str, random: random.Random, limit: int = 5) -> dict[str, int]:
    """Small sizes of a nest."""
    return {size: random.randint(1, limit) for size in TEXTS[name][1]}
