"""Twelve computations as different people write them in C: one DAG up to names, or merged by T3.

A loop is written `<i 0 n>`, upwards, `<i 0 n 4>`, in steps, or `<i n 0 down>`, downwards from
n - 1 to 0. The first spelling of each computation is the plain one.
"""

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Case:
    """A computation in several texts.

    Parameters
    ----------
    sizes, small
        Sizes of a real problem, and of one whose DAG is small.
    memory, little
        Words of fast memory for both.
    texts
        C texts by the name of their spelling.
    """

    sizes: dict[str, int]
    small: dict[str, int]
    memory: int
    little: int
    texts: dict[str, str]


def loops_written(text: str) -> str:
    """C text of a text with short loops."""

    def written(match: re.Match[str]) -> str:
        name, low, high, *extra = match.group(1).split()
        step = extra[0] if extra else ""
        if step == "down":
            return f"for (int {name} = {low} - 1; {name} >= {high}; {name}--)"
        factor = f"{name} += {step}" if step else f"{name}++"
        return f"for (int {name} = {low}; {name} < {high}; {factor})"

    return re.sub(r"<(\w+ [^<>]+?)>", written, text)


MIN: Final = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"

_MM = "void f(int n, float a[n][n], float b[n][n], float c[n][n]) {"
_MF = "void f(int n, const float *a, const float *b, float *c) {"
PRODUCT = {
    "plain": _MM + "<i 0 n> <j 0 n> <k 0 n> c[i][j] += a[i][k] * b[k][j]; }",
    "flat": _MF + "<i 0 n> <j 0 n> <k 0 n> c[i*n + j] += a[i*n + k] * b[k*n + j]; }",
    "row pointers": _MF
    + """<i 0 n> { const float *x = a + i*n; float *y = c + i*n;
      <k 0 n> { const float *z = &b[k*n]; <j 0 n> y[j] += x[k] * z[j]; } } }""",
    "tiled": _MM
    + """<ii 0 n 8> <jj 0 n 8> <kk 0 n 8> <i ii ii+8> <j jj jj+8> <k kk kk+8>
      c[i][j] += a[i][k] * b[k][j]; }""",
    "tiled by min": MIN
    + _MF
    + """<ii 0 n 7> <kk 0 n 9> <i ii MIN(ii+7,n)> <k kk MIN(kk+9,n)>
      <j 0 n> c[i*n + j] += a[i*n + k] * b[k*n + j]; }""",
    "unrolled": _MM
    + """<i 0 n> <j 0 n> { int k; for (k = 0; k + 3 < n; k += 4) {
      c[i][j] += a[i][k] * b[k][j]; c[i][j] += a[i][k+1] * b[k+1][j];
      c[i][j] += a[i][k+2] * b[k+2][j]; c[i][j] += a[i][k+3] * b[k+3][j]; }
      for (; k < n; k++) c[i][j] += a[i][k] * b[k][j]; } }""",
    "named product": _MM
    + """<i 0 n> <j 0 n> <k 0 n> { float p = a[i][k] * b[k][j];
      c[i][j] += p; } }""",
    "scalar sum": _MF
    + """<i 0 n> <j 0 n> { float s = c[i*n + j];
      <k 0 n> s += a[i*n + k] * b[k*n + j]; c[i*n + j] = s; } }""",
    "interchanged": _MM + "<k 0 n> <j 0 n> <i n 0 down> c[i][j] += a[i][k] * b[k][j]; }",
    "renamed": "#define AT(m, r, s) m[(r)*size + (s)]\n"
    "void f(int size, real_t *A, real_t *B, real_t *out) {"
    "<row 0 size> <col 0 size> <mid 0 size> AT(out,row,col) += AT(A,row,mid) * AT(B,mid,col); }",
    "two by two": _MM
    + """<i 0 n 2> <j 0 n 2> { float s = c[i][j], t = c[i][j+1], u = c[i+1][j],
      v = c[i+1][j+1]; <k 0 n> { s += a[i][k] * b[k][j]; t += a[i][k] * b[k][j+1];
      u += a[i+1][k] * b[k][j]; v += a[i+1][k] * b[k][j+1]; }
      c[i][j] = s; c[i][j+1] = t; c[i+1][j] = u; c[i+1][j+1] = v; } }""",
}

_A = "void f(int n, double a[n][n]) {"
_AF = "void f(int n, double *a) {"
LU = {
    "plain": _A
    + """<k 0 n> { <i k+1 n> a[i][k] /= a[k][k];
      <i k+1 n> <j k+1 n> a[i][j] -= a[i][k] * a[k][j]; } }""",
    "one loop": _A
    + """<k 0 n> <i k+1 n> { a[i][k] /= a[k][k];
      <j k+1 n> a[i][j] -= a[i][k] * a[k][j]; } }""",
    "flat": _AF
    + """<k 0 n> { <i k+1 n> a[i*n + k] = a[i*n + k] / a[k*n + k];
      <i k+1 n> <j k+1 n> a[i*n + j] -= a[i*n + k] * a[k*n + j]; } }""",
    "row pointers": _AF
    + """<k 0 n-1> { const double *up = a + k*n; <i k+1 n> {
      double *row = a + i*n; double factor = row[k] / up[k]; row[k] = factor;
      <j k+1 n> row[j] -= factor * up[j]; } } }""",
    "rows first": _A
    + """<i 0 n> { <j 0 i> { <k 0 j> a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j]; } <j i n> <k 0 i> a[i][j] -= a[i][k] * a[k][j]; } }""",
    "scalar sum": _AF
    + """<i 0 n> { <j 0 i> { double s = a[i*n + j];
      <k 0 j> s -= a[i*n + k] * a[k*n + j]; a[i*n + j] = s / a[j*n + j]; }
      <j i n> { double s = a[i*n + j]; <k 0 i> s -= a[i*n + k] * a[k*n + j];
      a[i*n + j] = s; } } }""",
    "columns": _A
    + """<j 0 n> { <k 0 j> <i k+1 n> a[i][j] -= a[i][k] * a[k][j];
      <i j+1 n> a[i][j] /= a[j][j]; } }""",
    "tiled by min": MIN
    + _A
    + """<k 0 n> { <i k+1 n> a[i][k] /= a[k][k];
      <jj k+1 n 6> <i k+1 n> <j jj MIN(jj+6,n)> a[i][j] -= a[i][k] * a[k][j]; } }""",
    "unrolled": _A
    + """<k 0 n> { <i k+1 n> a[i][k] /= a[k][k]; <i k+1 n> { int j;
      for (j = k + 1; j < n - 1; j += 2) { a[i][j] -= a[i][k] * a[k][j];
      a[i][j+1] -= a[i][k] * a[k][j+1]; } for (; j < n; j++) a[i][j] -= a[i][k] * a[k][j]; } } }""",
    "named product": _A
    + """<k 0 n> { <i k+1 n> a[i][k] /= a[k][k];
      <i k+1 n> <j k+1 n> { double p = a[i][k] * a[k][j]; a[i][j] -= p; } } }""",
    "interchanged": _A
    + """<k 0 n> { <r n k+1 down> a[r][k] /= a[k][k];
      <c n k+1 down> <r k+1 n> a[r][c] -= a[r][k] * a[k][c]; } }""",
}

CHOLESKY = {
    "plain": _A
    + """<i 0 n> { <j 0 i> { <k 0 j> a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j]; } <k 0 i> a[i][i] -= a[i][k] * a[i][k]; a[i][i] = sqrt(a[i][i]); } }""",
    "flat": _AF
    + """<i 0 n> { <j 0 i> { <k 0 j> a[i*n + j] -= a[i*n + k] * a[j*n + k];
      a[i*n + j] /= a[j*n + j]; } <k 0 i> a[i*n + i] -= a[i*n + k] * a[i*n + k];
      a[i*n + i] = sqrt(a[i*n + i]); } }""",
    "row pointers": _AF
    + """<i 0 n> { double *x = a + i*n; <j 0 i> { const double *y = a + j*n;
      <k 0 j> x[j] -= x[k] * y[k]; x[j] /= y[j]; } <k 0 i> x[i] -= x[k] * x[k];
      x[i] = sqrt(x[i]); } }""",
    "columns": _A
    + """<j 0 n> { a[j][j] = sqrt(a[j][j]); <i j+1 n> a[i][j] /= a[j][j];
      <i j+1 n> { <k j+1 i> a[i][k] -= a[i][j] * a[k][j]; a[i][i] -= a[i][j] * a[i][j]; } } }""",
    "scalar sum": _A
    + """<i 0 n> { <j 0 i> { double s = a[i][j]; <k 0 j> s -= a[i][k] * a[j][k];
      a[i][j] = s / a[j][j]; } double s = a[i][i]; <k 0 i> s -= a[i][k] * a[i][k];
      a[i][i] = sqrt(s); } }""",
    "if": _A
    + """<i 0 n> <j 0 i+1> { double s = a[i][j]; <k 0 j> s -= a[i][k] * a[j][k];
      if (i == j) a[i][j] = sqrt(s); else a[i][j] = s / a[j][j]; } }""",
    "named product": _A
    + """<i 0 n> { <j 0 i> { <k 0 j> { double p = a[i][k] * a[j][k];
      a[i][j] -= p; } a[i][j] /= a[j][j]; } <k 0 i> a[i][i] -= a[i][k] * a[i][k];
      a[i][i] = sqrt(a[i][i]); } }""",
    "tiled by min": MIN
    + _A
    + """<j 0 n> { a[j][j] = sqrt(a[j][j]); <i j+1 n> a[i][j] /= a[j][j];
      <ii j+1 n 5> <i ii MIN(ii+5,n)> { <k j+1 i> a[i][k] -= a[i][j] * a[k][j];
      a[i][i] -= a[i][j] * a[i][j]; } } }""",
    "unrolled": _A
    + """<i 0 n> { <j 0 i> { int k; for (k = 0; k < j - 1; k += 2) {
      a[i][j] -= a[i][k] * a[j][k]; a[i][j] -= a[i][k+1] * a[j][k+1]; }
      for (; k < j; k++) a[i][j] -= a[i][k] * a[j][k]; a[i][j] /= a[j][j]; }
      <k 0 i> a[i][i] -= a[i][k] * a[i][k]; a[i][i] = sqrt(a[i][i]); } }""",
}

_TS = "void f(int n, int m, double l[n][n], double x[n][m]) {"
_TF = "void f(int n, int m, const double *l, double *x) {"
SOLVE = {
    "plain": _TS
    + """<i 0 n> <j 0 m> { <k 0 i> x[i][j] -= l[i][k] * x[k][j];
      x[i][j] /= l[i][i]; } }""",
    "flat": _TF
    + """<i 0 n> <j 0 m> { <k 0 i> x[i*m + j] -= l[i*n + k] * x[k*m + j];
      x[i*m + j] /= l[i*n + i]; } }""",
    "row pointers": _TF
    + """<i 0 n> { const double *row = &l[i*n]; double *y = &x[i*m];
      <k 0 i> { const double *z = x + k*m; <j 0 m> y[j] -= row[k] * z[j]; }
      <j 0 m> y[j] /= row[i]; } }""",
    "columns": _TS
    + """<k 0 n> { <j 0 m> x[k][j] /= l[k][k]; <i k+1 n> <j 0 m>
      x[i][j] -= l[i][k] * x[k][j]; } }""",
    "columns of the right side first": _TS
    + """<j 0 m> <i 0 n> { double s = x[i][j];
      <k 0 i> s -= l[i][k] * x[k][j]; x[i][j] = s / l[i][i]; } }""",
    "tiled": _TS
    + """<jj 0 m 4> <i 0 n> <j jj jj+4> { <k 0 i> x[i][j] -= l[i][k] * x[k][j];
      x[i][j] /= l[i][i]; } }""",
    "tiled by min": MIN
    + _TF
    + """<jj 0 m 5> <i 0 n> { <k 0 i> <j jj MIN(jj+5,m)>
      x[i*m + j] -= l[i*n + k] * x[k*m + j]; <j jj MIN(jj+5,m)> x[i*m + j] /= l[i*n + i]; } }""",
    "unrolled": _TS
    + """<i 0 n> <j 0 m 2> { <k 0 i> { x[i][j] -= l[i][k] * x[k][j];
      x[i][j+1] -= l[i][k] * x[k][j+1]; } x[i][j] /= l[i][i]; x[i][j+1] /= l[i][i]; } }""",
    "named product": _TS
    + """<i 0 n> <j 0 m> { <k 0 i> { double p = l[i][k] * x[k][j];
      x[i][j] -= p; } x[i][j] /= l[i][i]; } }""",
    "downwards": _TS
    + """<i 0 n> <j m 0 down> { <k 0 i> x[i][j] -= l[i][k] * x[k][j];
      x[i][j] = x[i][j] / l[i][i]; } }""",
}

_SY = "void f(int n, int m, double beta, double a[n][m], double c[n][n]) {"
_SF = "void f(int n, int m, double beta, const double *a, double *c) {"
SYRK = {
    "plain": _SY
    + """<i 0 n> <j 0 i+1> { c[i][j] *= beta;
      <k 0 m> c[i][j] += a[i][k] * a[j][k]; } }""",
    "two nests": _SY
    + """<i 0 n> { <j 0 i+1> c[i][j] *= beta;
      <k 0 m> <j 0 i+1> c[i][j] += a[i][k] * a[j][k]; } }""",
    "flat": _SF
    + """<i 0 n> for (int j = 0; j <= i; j++) { c[i*n + j] *= beta;
      <k 0 m> c[i*n + j] += a[i*m + k] * a[j*m + k]; } }""",
    "row pointers": _SF
    + """<i 0 n> { const double *x = a + i*m; <j 0 i+1> {
      const double *y = a + j*m; double s = beta * c[i*n + j]; <k 0 m> s += x[k] * y[k];
      c[i*n + j] = s; } } }""",
    "interchanged": _SY
    + """<j 0 n> <i j n> c[i][j] *= beta;
      <j n 0 down> <k 0 m> <i j n> c[i][j] += a[i][k] * a[j][k]; }""",
    "tiled by min": MIN
    + _SY
    + """<i 0 n> <j 0 i+1> c[i][j] *= beta;
      <kk 0 m 6> <i 0 n> <j 0 i+1> <k kk MIN(kk+6,m)> c[i][j] += a[i][k] * a[j][k]; }""",
    "flat, tiled, unrolled": MIN
    + _SF
    + """<i 0 n> <j 0 i+1> c[i*n + j] *= beta;
      <kk 0 m 8> <i 0 n> <j 0 i+1> { int k; for (k = kk; k < MIN(kk+8,m) - 1; k += 2) {
      c[i*n + j] += a[i*m + k] * a[j*m + k]; c[i*n + j] += a[i*m + k+1] * a[j*m + k+1]; }
      for (; k < MIN(kk+8,m); k++) c[i*n + j] += a[i*m + k] * a[j*m + k]; } }""",
    "unrolled": _SY
    + """<i 0 n> <j 0 i+1> { double s = c[i][j] * beta; int k = 0;
      for (; k < m - 3; k += 4) { s += a[i][k] * a[j][k]; s += a[i][k+1] * a[j][k+1];
      s += a[i][k+2] * a[j][k+2]; s += a[i][k+3] * a[j][k+3]; }
      for (; k < m; k++) s += a[i][k] * a[j][k]; c[i][j] = s; } }""",
    "named product": _SY
    + """<i 0 n> <j 0 i+1> { c[i][j] *= beta;
      <k 0 m> { double p = a[i][k] * a[j][k]; c[i][j] += p; } } }""",
}

_GE = "void f(int n, int m, int p, double beta, double a[n][p], double b[p][m], double c[n][m]) {"
_GF = "void f(int n, int m, int p, double beta, double *a, double *b, double *c) {"
GEMM = {
    "plain": _GE
    + """<i 0 n> <j 0 m> { c[i][j] *= beta; <k 0 p> c[i][j] += a[i][k] * b[k][j]; } }""",
    "two nests": _GE
    + """<i 0 n> <j 0 m> c[i][j] *= beta;
      <i 0 n> <k 0 p> <j 0 m> c[i][j] += a[i][k] * b[k][j]; }""",
    "flat": _GF
    + """<i 0 n> <j 0 m> { c[i*m + j] *= beta;
      <k 0 p> c[i*m + j] += a[i*p + k] * b[k*m + j]; } }""",
    "row pointers": _GF
    + """<i 0 n> { double *y = c + i*m; <j 0 m> y[j] = beta * y[j];
      <k 0 p> { const double x = a[i*p + k]; const double *z = b + k*m;
      <j 0 m> y[j] += x * z[j]; } } }""",
    "scalar sum": _GE
    + """<j 0 m> <i 0 n> { double s = beta * c[i][j];
      <k 0 p> s += a[i][k] * b[k][j]; c[i][j] = s; } }""",
    "tiled": _GE
    + """<i 0 n> <j 0 m> c[i][j] *= beta; <ii 0 n 4> <jj 0 m 4> <kk 0 p 4>
      <i ii ii+4> <j jj jj+4> <k kk kk+4> c[i][j] += a[i][k] * b[k][j]; }""",
    "tiled by min": MIN
    + _GF
    + """<ii 0 n 5> { <i ii MIN(ii+5,n)> <j 0 m> c[i*m + j] *= beta;
      <kk 0 p 3> <i ii MIN(ii+5,n)> <k kk MIN(kk+3,p)> <j 0 m>
      c[i*m + j] += a[i*p + k] * b[k*m + j]; } }""",
    "unrolled": _GE
    + """<i 0 n> { <j 0 m> c[i][j] *= beta; <k 0 p> { int j;
      for (j = 0; j + 1 < m; j += 2) { c[i][j] += a[i][k] * b[k][j];
      c[i][j+1] += a[i][k] * b[k][j+1]; } for (; j < m; j++) c[i][j] += a[i][k] * b[k][j]; } } }""",
    "named product": _GE
    + """<i 0 n> <j 0 m> { c[i][j] *= beta;
      <k 0 p> { const double t = a[i][k] * b[k][j]; c[i][j] = c[i][j] + t; } } }""",
    "first by itself": _GE
    + """<i 0 n> <j 0 m> <k 0 p> { if (k == 0) c[i][j] *= beta;
      c[i][j] += a[i][k] * b[k][j]; } }""",
}

_CO = """void f(int F, int C, int H, int W, float x[C][H+2][W+2], float w[F][C][3][3],
  float y[F][H][W]) {"""
_CF = "void f(int F, int C, int H, int W, const float *x, const float *w, float *y) {"
_X, _W, _Y = "x[(c*(H+2) + i+r)*(W+2) + j+s]", "w[((f*C + c)*3 + r)*3 + s]", "y[(f*H + i)*W + j]"
CONVOLUTION = {
    "plain": _CO
    + """<f 0 F> <i 0 H> <j 0 W> { y[f][i][j] = 0; <c 0 C> <r 0 3> <s 0 3>
      y[f][i][j] += w[f][c][r][s] * x[c][i+r][j+s]; } }""",
    "flat": _CF
    + f"""<f 0 F> <i 0 H> <j 0 W> {{ {_Y} = 0; <c 0 C> <r 0 3> <s 0 3>
      {_Y} += {_W} * {_X}; }} }}""",
    "scalar sum": _CF
    + f"""<f 0 F> <i 0 H> <j 0 W> {{ float sum = 0; <c 0 C> <r 0 3> <s 0 3>
      sum += {_X} * {_W}; {_Y} = sum; }} }}""",
    "row pointers": _CF
    + """<f 0 F> <i 0 H> { float *out = y + (f*H + i)*W;
      <j 0 W> out[j] = 0; <c 0 C> <r 0 3> { const float *in = x + (c*(H+2) + i+r)*(W+2);
      const float *tap = w + ((f*C + c)*3 + r)*3; <s 0 3> <j 0 W> out[j] += tap[s] * in[j+s]; } }
      }""",
    "unrolled taps": _CO
    + """<f 0 F> <i 0 H> <j 0 W> { float sum = 0; <c 0 C> <r 0 3> {
      sum += w[f][c][r][0] * x[c][i+r][j]; sum += w[f][c][r][1] * x[c][i+r][j+1];
      sum += w[f][c][r][2] * x[c][i+r][j+2]; } y[f][i][j] = sum; } }""",
    "tiled by min": MIN
    + _CO
    + """<f 0 F> <ii 0 H 5> <jj 0 W 6> <i ii MIN(ii+5,H)>
      <j jj MIN(jj+6,W)> { y[f][i][j] = 0; <c 0 C> <r 0 3> <s 0 3>
      y[f][i][j] += w[f][c][r][s] * x[c][i+r][j+s]; } }""",
    "flat, tiled, unrolled": MIN
    + _CF
    + f"""<f 0 F> <i 0 H> <j 0 W> {_Y} = 0;
      <cc 0 C 2> <f 0 F> <i 0 H> <c cc MIN(cc+2,C)> <r 0 3> <s 0 3> {{ int j;
      for (j = 0; j + 1 < W; j += 2) {{ {_Y} += {_W} * {_X};
      {_Y.replace("j]", "j+1]")} += {_W} * {_X.replace("j+s", "j+1+s")}; }}
      for (; j < W; j++) {_Y} += {_W} * {_X}; }} }}""",
    "interchanged": _CO
    + """<f 0 F> <i 0 H> <j 0 W> y[f][i][j] = 0; <c 0 C> <r 0 3> <s 0 3>
      <j W 0 down> <i 0 H> <f 0 F> y[f][i][j] += w[f][c][r][s] * x[c][i+r][j+s]; }""",
    "named product": _CO
    + """<f 0 F> <i 0 H> <j 0 W> { y[f][i][j] = 0; <c 0 C> <r 0 3> <s 0 3> {
      float p = w[f][c][r][s] * x[c][i+r][j+s]; y[f][i][j] += p; } } }""",
    "lines of input": _CO
    + """<f 0 F> <i 0 H> <j 0 W> { float s = 0; <c 0 C> <h i i+3> <q j j+3>
      s += w[f][c][h-i][q-j] * x[c][h][q]; y[f][i][j] = s; } }""",
}

_AT = "void f(int n, int d, float q[n][d], float k[n][d], float v[n][d], float o[n][d]) {"
_ATF = "void f(int n, int d, const float *q, const float *k, const float *v, float *o) {"
ATTENTION = {
    "plain": _AT
    + """<i 0 n> { float s[n]; <j 0 n> { s[j] = 0; <c 0 d> s[j] += q[i][c] * k[j][c]; }
      float m = s[0]; <j 1 n> m = fmaxf(m, s[j]); float t = 0;
      <j 0 n> { s[j] = expf(s[j] - m); t += s[j]; }
      <c 0 d> { o[i][c] = 0; <j 0 n> o[i][c] += s[j] * v[j][c]; o[i][c] /= t; } } }""",
    "arrays": _AT
    + """float s[n][n], m[n], t[n];
      <i 0 n> <j 0 n> { s[i][j] = 0; <c 0 d> s[i][j] += q[i][c] * k[j][c]; }
      <i 0 n> { m[i] = s[i][0]; <j 1 n> m[i] = fmaxf(m[i], s[i][j]); }
      <i 0 n> { t[i] = 0; <j 0 n> { s[i][j] = expf(s[i][j] - m[i]); t[i] += s[i][j]; } }
      <i 0 n> <c 0 d> { o[i][c] = 0; <j 0 n> o[i][c] += s[i][j] * v[j][c]; }
      <i 0 n> <c 0 d> o[i][c] /= t[i]; }""",
    "flat": _ATF
    + """<i 0 n> { float s[n]; <j 0 n> { float x = 0;
      <c 0 d> x += q[i*d + c] * k[j*d + c]; s[j] = x; }
      float m = s[0]; <j 1 n> if (s[j] > m) m = s[j]; float t = 0;
      <j 0 n> { s[j] = expf(s[j] - m); t += s[j]; }
      <c 0 d> { float x = 0; <j 0 n> x += s[j] * v[j*d + c]; o[i*d + c] = x / t; } } }""",
    "row pointers": _ATF
    + """<i 0 n> { const float *query = q + i*d; float *out = o + i*d; float s[n];
      <j 0 n> { const float *key = k + j*d; s[j] = 0; <c 0 d> s[j] += query[c] * key[c]; }
      float m = s[0]; <j 1 n> m = s[j] > m ? s[j] : m; float t = 0;
      <j 0 n> { s[j] = expf(s[j] - m); t += s[j]; } <c 0 d> out[c] = 0;
      <j 0 n> { const float *value = v + j*d; <c 0 d> out[c] += s[j] * value[c]; }
      <c 0 d> out[c] /= t; } }""",
    "tiled": _AT
    + """<ii 0 n 8> <i ii ii+8> { float s[n]; <j 0 n> { s[j] = 0;
      <c 0 d> s[j] += q[i][c] * k[j][c]; }
      float m = s[0]; <j 1 n> m = fmaxf(m, s[j]); float t = 0;
      <j 0 n> { s[j] = expf(s[j] - m); t += s[j]; }
      <c 0 d> { o[i][c] = 0; <j 0 n> o[i][c] += s[j] * v[j][c]; o[i][c] /= t; } } }""",
    "maximum by if": _AT
    + """<i 0 n> { float s[n], m; <j 0 n> { float x = 0;
      <c 0 d> x += q[i][c] * k[j][c]; s[j] = x; if (j == 0) m = s[0]; else if (s[j] > m) m = s[j]; }
      float t = 0; <j 0 n> { s[j] = expf(s[j] - m); t += s[j]; }
      <c 0 d> { o[i][c] = 0; <j 0 n> o[i][c] += s[j] * v[j][c]; o[i][c] /= t; } } }""",
    "unrolled": _AT
    + """<i 0 n> { float s[n]; <j 0 n> { s[j] = 0; <c 0 d 2> {
      s[j] += q[i][c] * k[j][c]; s[j] += q[i][c+1] * k[j][c+1]; } }
      float m = s[0]; <j 1 n> m = fmaxf(m, s[j]); float t = 0;
      <j 0 n> { s[j] = expf(s[j] - m); t += s[j]; }
      <c 0 d> { o[i][c] = 0; <j 0 n> o[i][c] += s[j] * v[j][c]; o[i][c] /= t; } } }""",
    "interchanged": _AT
    + """<i n 0 down> { float s[n]; <j 0 n> s[j] = 0; <c 0 d> <j 0 n>
      s[j] += q[i][c] * k[j][c]; float m = s[0]; <j 1 n> m = fmaxf(m, s[j]); float t = 0;
      <j 0 n> { s[j] = expf(s[j] - m); t += s[j]; } <c 0 d> o[i][c] = 0;
      <j 0 n> <c 0 d> o[i][c] += s[j] * v[j][c]; <c 0 d> o[i][c] /= t; } }""",
}

_J = "void f(int T, int n, double a[n][n], double b[n][n]) {"
_JF = "void f(int T, int n, double *a, double *b) {"
STENCIL = {
    "plain": _J
    + """<t 0 T> {
      <i 1 n-1> <j 1 n-1> b[i][j] = 0.2 * (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]);
      <i 1 n-1> <j 1 n-1> a[i][j] = 0.2 * (b[i][j] + b[i-1][j] + b[i+1][j] + b[i][j-1] + b[i][j+1]);
      } }""",
    "flat": _JF
    + """<t 0 T> { <i 1 n-1> <j 1 n-1>
      b[i*n + j] = 0.2 * (a[i*n + j] + a[(i-1)*n + j] + a[(i+1)*n + j] + a[i*n + j-1] + a[i*n +
      j+1]);
      <i 1 n-1> <j 1 n-1>
      a[i*n + j] = 0.2 * (b[i*n + j] + b[(i-1)*n + j] + b[(i+1)*n + j] + b[i*n + j-1] + b[i*n +
      j+1]);
      } }""",
    "row pointers": _JF
    + """<t 0 T> { <i 1 n-1> { const double *m = a + i*n, *u = m - n, *d = m + n;
      double *o = b + i*n; <j 1 n-1> o[j] = (m[j] + u[j] + d[j] + m[j-1] + m[j+1]) / 5; }
      <i 1 n-1> { const double *m = b + i*n, *u = m - n, *d = m + n;
      double *o = a + i*n; <j 1 n-1> o[j] = (m[j] + u[j] + d[j] + m[j-1] + m[j+1]) / 5; } } }""",
    "macro": "#define AT(g, i, j) g[(i)*n + (j)]\n#define STAR(g) (AT(g,i,j) + AT(g,i-1,j) +"
    " AT(g,i+1,j) + AT(g,i,j-1) + AT(g,i,j+1))\n"
    + _JF
    + """<t 0 T> {
      <j 1 n-1> <i 1 n-1> AT(b,i,j) = 0.2 * STAR(a); <i 1 n-1> <j 1 n-1> AT(a,i,j) = 0.2 * STAR(b);
      } }""",
    "interchanged": _J
    + """<t 0 T> {
      <j 1 n-1> <i n-1 1 down> b[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] +
      a[i][j+1]) / 5;
      <j n-1 1 down> <i 1 n-1> a[i][j] = (b[i][j] + b[i-1][j] + b[i+1][j] + b[i][j-1] +
      b[i][j+1]) / 5;
      } }""",
    "tiled by min": MIN
    + _J
    + """<t 0 T> { <ii 1 n-1 6> <jj 1 n-1 5> <i ii MIN(ii+6,n-1)>
      <j jj MIN(jj+5,n-1)> b[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5;
      <ii 1 n-1 7> <i ii MIN(ii+7,n-1)>
      <j 1 n-1> a[i][j] = (b[i][j] + b[i-1][j] + b[i+1][j] + b[i][j-1] + b[i][j+1]) / 5; } }""",
    "unrolled": _J
    + """<t 0 T> { <i 1 n-1> <j 1 n-1 2> {
      b[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5;
      b[i][j+1] = (a[i][j+1] + a[i-1][j+1] + a[i+1][j+1] + a[i][j] + a[i][j+2]) / 5; }
      <i 1 n-1> <j 1 n-1>
      a[i][j] = (b[i][j] + b[i-1][j] + b[i+1][j] + b[i][j-1] + b[i][j+1]) / 5; } }""",
    "parity": "void f(int T, int n, double w[2][n][n]) {"
    + """<t 0 2*T> <i 1 n-1> <j 1 n-1>
      w[(t+1)%2][i][j] = (w[t%2][i][j] + w[t%2][i-1][j] + w[t%2][i+1][j] + w[t%2][i][j-1]
      + w[t%2][i][j+1]) / 5; }""",
    "temporary": _J
    + """<t 0 T> { <i 1 n-1> <j 1 n-1> { double s = a[i][j] + a[i-1][j] + a[i+1][j];
      s = s + a[i][j-1] + a[i][j+1]; b[i][j] = s / 5; }
      <i 1 n-1> <j 1 n-1> a[i][j] = (b[i][j] + b[i-1][j] + b[i+1][j] + b[i][j-1] + b[i][j+1]) / 5;
      } }""",
}

_D = "void f(int n, double d[n][n]) {"
_DF = "void f(int n, double *d) {"
FLOYD = {
    "plain": _D
    + """<k 0 n> <i 0 n> <j 0 n>
      d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j]; }""",
    "minimum": _D + "<k 0 n> <i 0 n> <j 0 n> d[i][j] = fmin(d[i][j], d[i][k] + d[k][j]); }",
    "by if": _D
    + """<k 0 n> <i 0 n> <j 0 n>
      if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j]; }""",
    "flat": _DF
    + """<k 0 n> <i 0 n> <j 0 n>
      d[i*n + j] = fmin(d[i*n + j], d[i*n + k] + d[k*n + j]); }""",
    "row pointers": _DF
    + """<k 0 n> { const double *up = d + k*n; <i 0 n> { double *row = d + i*n;
      <j 0 n> if (row[k] + up[j] < row[j]) row[j] = row[k] + up[j]; } } }""",
    "macro": MIN + _D + "<k 0 n> <i 0 n> <j 0 n> d[i][j] = MIN(d[i][j], d[i][k] + d[k][j]); }",
    "interchanged": _D + "<k 0 n> <j 0 n> <i 0 n> d[i][j] = fmin(d[i][j], d[i][k] + d[k][j]); }",
    "tiled": _DF
    + """<k 0 n> <ii 0 n 8> <i ii ii+8> <j 0 n>
      d[i*n + j] = fmin(d[i*n + j], d[i*n + k] + d[k*n + j]); }""",
    "named sum": _D
    + """<k 0 n> <i 0 n> <j 0 n> { double way = d[i][k] + d[k][j];
      if (way < d[i][j]) d[i][j] = way; } }""",
}

SOR = {
    "plain": "void f(int T, int n, double a[n][n]) {"
    + """<t 0 T> <i 1 n-1> <j 1 n-1>
      a[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5; }""",
    "flat": "void f(int T, int n, double *a) {"
    + """<t 0 T> <i 1 n-1> <j 1 n-1>
      a[i*n + j] = (a[i*n + j] + a[(i-1)*n + j] + a[(i+1)*n + j] + a[i*n + j-1] + a[i*n + j+1]) /
      5; }""",
    "row pointers": "void f(int T, int n, double *a) {"
    + """<t 0 T> <i 1 n-1> { double *m = a + i*n;
      const double *u = m - n, *d = m + n;
      <j 1 n-1> m[j] = 0.2 * (m[j] + u[j] + d[j] + m[j-1] + m[j+1]); } }""",
    "mirrored": "void f(int T, int n, double a[n][n]) {"
    + """<t 0 T> <i n-1 1 down> <j n-1 1 down>
      a[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5; }""",
    "mirrored rows": "void f(int T, int n, double a[n][n]) {"
    + """<t 0 T> <i n-1 1 down> <j 1 n-1>
      a[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5; }""",
    "interchanged": "void f(int T, int n, double a[n][n]) {"
    + """<t 0 T> <j 1 n-1> <i 1 n-1>
      a[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5; }""",
    "unrolled": "void f(int T, int n, double a[n][n]) {"
    + """<t 0 T> <i 1 n-1> <j 1 n-1 2> {
      a[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5;
      a[i][j+1] = (a[i][j+1] + a[i-1][j+1] + a[i+1][j+1] + a[i][j] + a[i][j+2]) / 5; } }""",
    "macro": "#define A(i, j) a[(i)*n + (j)]\nvoid f(int T, int n, real *a) {"
    + """<it 0 T>
      <row 1 n-1> <col 1 n-1> A(row,col) = 0.2 * (A(row,col) + A(row-1,col) + A(row+1,col)
      + A(row,col-1) + A(row,col+1)); }""",
}

_T = """void f(int I, int J, int L, int R, double x[I][J][L], double b[J][R],
  double c[L][R], double y[I][R]) {"""
_TFL = "void f(int I, int J, int L, int R, double *x, double *b, double *c, double *y) {"
MTTKRP = {
    "plain": _T
    + """<i 0 I> <r 0 R> <j 0 J> <l 0 L> y[i][r] += x[i][j][l] * b[j][r] * c[l][r]; }""",
    "flat": _TFL
    + """<i 0 I> <r 0 R> <j 0 J> <l 0 L>
      y[i*R + r] += x[(i*J + j)*L + l] * b[j*R + r] * c[l*R + r]; }""",
    "row pointers": _TFL
    + """<i 0 I> { double *out = y + i*R; <j 0 J> { const double *u = b + j*R;
      <l 0 L> { const double *w = c + l*R; <r 0 R> out[r] += x[(i*J + j)*L + l] * u[r] * w[r]; }
      } } }""",
    "interchanged": _T
    + """<r R 0 down> <i 0 I> <j 0 J> <l 0 L>
      y[i][r] += x[i][j][l] * b[j][r] * c[l][r]; }""",
    "tiled by min": MIN
    + _T
    + """<ii 0 I 3> <rr 0 R 5> <i ii MIN(ii+3,I)> <j 0 J> <l 0 L>
      <r rr MIN(rr+5,R)> y[i][r] += x[i][j][l] * b[j][r] * c[l][r]; }""",
    "unrolled": _T
    + """<i 0 I> <r 0 R 2> <j 0 J> <l 0 L> {
      y[i][r] += x[i][j][l] * b[j][r] * c[l][r];
      y[i][r+1] += x[i][j][l] * b[j][r+1] * c[l][r+1]; } }""",
    "scalar sum": _T
    + """<i 0 I> <r 0 R> { double s = y[i][r]; <j 0 J> <l 0 L>
      s += x[i][j][l] * b[j][r] * c[l][r]; y[i][r] = s; } }""",
    "named product": _T
    + """<i 0 I> <r 0 R> <j 0 J> <l 0 L> {
      double p = x[i][j][l] * b[j][r] * c[l][r]; y[i][r] += p; } }""",
}

CASES = {
    "product": Case({"n": 240}, {"n": 8}, 1500, 20, PRODUCT),
    "LU": Case({"n": 240}, {"n": 7}, 1500, 20, LU),
    "Cholesky": Case({"n": 240}, {"n": 7}, 1500, 20, CHOLESKY),
    "triangular solve": Case({"n": 200, "m": 120}, {"n": 6, "m": 4}, 1500, 20, SOLVE),
    "symmetric update": Case({"n": 200, "m": 120}, {"n": 6, "m": 7}, 1500, 20, SYRK),
    "product with beta": Case(
        {"n": 200, "m": 120, "p": 160}, {"n": 4, "m": 8, "p": 4}, 1500, 20, GEMM
    ),
    "convolution": Case(
        {"F": 16, "C": 12, "H": 40, "W": 36},
        {"F": 2, "C": 3, "H": 4, "W": 5},
        1500,
        30,
        CONVOLUTION,
    ),
    "attention": Case({"n": 256, "d": 32}, {"n": 8, "d": 2}, 1000, 24, ATTENTION),
    "stencil": Case({"T": 8, "n": 102}, {"T": 2, "n": 8}, 600, 24, STENCIL),
    "shortest paths": Case({"n": 160}, {"n": 8}, 1500, 20, FLOYD),
    "SOR": Case({"T": 16, "n": 102}, {"T": 3, "n": 8}, 600, 24, SOR),
    "MTTKRP": Case(
        {"I": 40, "J": 36, "L": 30, "R": 24}, {"I": 3, "J": 3, "L": 3, "R": 4}, 1500, 20, MTTKRP
    ),
}

NAMED = ("named product", "named sum", "temporary")
TWO_VERTICES = {
    (name, entry) for name, case in CASES.items() for entry in case.texts if entry in NAMED
}
# A rest that begins where a loop ends whose ends move with another loop is not read.
UNREAD = {
    ("LU", "unrolled"),
    ("Cholesky", "unrolled"),
    ("symmetric update", "flat, tiled, unrolled"),
}
