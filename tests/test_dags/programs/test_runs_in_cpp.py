"""Functions as people write them, beside what a run of the same text in C++ reads and makes.

The counts are those of a run with numbers that remember of what they are made. Each text is in our
own words, after a kind of code that is public: filters, stencils, physics, statistics, networks.
"""

import pytest

from dags.programs.text import from_c

RUNS = {  # text, function, sizes; vertices, edges, inputs, outputs
    "a stencil of the second order in three dimensions": (
        "#define R 2\n"
        "void iso(int nx, int ny, int nz, const float *p, float *q, const float *vel, const "
        "float *co) { const int sy = nx, sz = nx*ny; for (int z = R; z < nz-R; z++) for (int "
        "y = R; y < ny-R; y++) for (int x = R; x < nx-R; x++) { const int o = z*sz + y*sy + "
        "x; float lap = co[0]*p[o]; for (int r = 1; r <= R; r++) lap += "
        "co[r]*(p[o+r]+p[o-r]+p[o+r*sy]+p[o-r*sy]+p[o+r*sz]+p[o-r*sz]); q[o] = 2.0f*p[o] - "
        "q[o] + lap*vel[o]; } }\n",
        "iso",
        {"nx": 6, "ny": 6, "nz": 6},
        (107, 176, 75, 8),
    ),
    "heat in a rod, two arrays by turns": (
        "void heat(int n, int steps, double *u, double *v, double a) { int t = 0; while (t++ "
        "< steps) { for (int i = 1; i < n-1; ++i) v[i] = u[i] + a*(u[i-1] - 2.0*u[i] + "
        "u[i+1]); v[0] = v[1]*1.0; v[n-1] = v[n-2]*1.0; double *tmp = u; u = v; v = tmp; } }",
        "heat",
        {"n": 8, "steps": 3},
        (33, 78, 9, 16),
    ),
    "products of rows in a workspace": (
        "void doitgen(int nr, int nq, int np, double *A, double *C4, double *sum) { for (int "
        "r = 0; r < nr; r++) for (int q = 0; q < nq; q++) { for (int p = 0; p < np; p++) { "
        "sum[p] = 0.0; for (int s = 0; s < np; s++) sum[p] += A[(r*nq+q)*np+s]*C4[s*np+p]; } "
        "for (int p = 0; p < np; p++) A[(r*nq+q)*np+p] = sum[p]; } }",
        "doitgen",
        {"nr": 3, "nq": 3, "np": 4},
        (196, 396, 52, 36),
    ),
    "a box filter with a running sum": (
        "void blur_row(const float *src, float *dst, int w, int h, int r) { for (int y = 0; y "
        "< h; y++) { const float *s = src + y*w; float *d = dst + y*w; float acc = 0; for "
        "(int x = -r; x <= r; x++) { int xx = x < 0 ? 0 : x; acc += s[xx]; } for (int x = 0; "
        "x < w; x++) { d[x] = acc/(2*r+1); int add = x + r + 1, sub = x - r; if (add > w-1) "
        "add = w-1; if (sub < 0) sub = 0; acc += s[add]; acc -= s[sub]; } } }",
        "blur_row",
        {"w": 9, "h": 3, "r": 2},
        (117, 150, 27, 27),
    ),
    "gradients of an image": (
        "void sobel(const float *in, float *out, int w, int h) { int gx[3][3] = "
        "{{-1,0,1},{-2,0,2},{-1,0,1}}; int gy[3][3] = {{-1,-2,-1},{0,0,0},{1,2,1}}; for (int "
        "y = 1; y < h-1; y++) for (int x = 1; x < w-1; x++) { float sx = 0, sy = 0; for (int "
        "i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) { float p = in[(y+i)*w + (x+j)]; "
        "sx += p*gx[i+1][j+1]; sy += p*gy[i+1][j+1]; } out[y*w+x] = sqrtf(sx*sx + sy*sy); } }",
        "sobel",
        {"w": 6, "h": 5},
        (258, 432, 30, 12),
    ),
    "a separable filter with repeated borders": (
        "void conv(const float *in, float *tmp, float *out, const float *k, int w, int h, int "
        "r) { for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) { float s = 0.f; for "
        "(int d = -r; d <= r; ++d) { int xx = std::min(w-1, std::max(0, x+d)); s += "
        "k[d+r]*in[y*w+xx]; } tmp[y*w+x] = s; } for (int y = 0; y < h; ++y) for (int x = 0; x "
        "< w; ++x) { float s = 0.f; for (int d = -r; d <= r; ++d) { int yy = y+d; yy = yy < 0 "
        "? 0 : yy; yy = yy >= h ? h-1 : yy; s += k[d+r]*tmp[yy*w+x]; } out[y*w+x] = s; } }",
        "conv",
        {"w": 5, "h": 5, "r": 1},
        (178, 400, 28, 50),
    ),
    "an image of twice the size": (
        "void up(const float *in, float *out, int w, int h) { int ow = 2*w; for (int y = 0; y "
        "< 2*h; y++) for (int x = 0; x < ow; x++) { int x0 = x/2, y0 = y/2; int x1 = x0 + 1 < "
        "w ? x0 + 1 : x0; int y1 = y0 + 1 < h ? y0+1 : y0; out[y*ow+x] = "
        "0.25f*(in[y0*w+x0]+in[y0*w+x1]+in[y1*w+x0]+in[y1*w+x1]); } }",
        "up",
        {"w": 4, "h": 3},
        (60, 140, 12, 48),
    ),
    "forces of pairs, each once": (
        "void f(int n, double *x, double *a) { int i, j; for (i = 0; i < n; i++) a[i] = 0; "
        "for (i = 0; i < n - 1; i++) for (j = i + 1; j < n; j++) { double d = x[j] - x[i]; "
        "double g = d / (d*d*d); a[i] += g; a[j] -= g; } }",
        "f",
        {"n": 6},
        (66, 99, 6, 6),
    ),
    "covariances": (
        "void cov(int m, int n, const double *d, double *mean, double *c) { for (int j = 0; j "
        "< m; j++) { double s = 0; for (int i = 0; i < n; i++) s += d[i*m+j]; mean[j] = s/n; "
        "} for (int i = 0; i < m; i++) for (int j = i; j < m; j++) { double s = 0; for (int k "
        "= 0; k < n; k++) s += (d[k*m+i]-mean[i])*(d[k*m+j]-mean[j]); c[i*m+j] = c[j*m+i] = "
        "s/(n-1); } }",
        "cov",
        {"m": 4, "n": 5},
        (104, 250, 20, 14),
    ),
    "mean and variance in one pass": (
        "void stats(const double *x, int n, double *out) { double mean = 0, m2 = 0; for (int "
        "i = 0; i < n; i++) { double delta = x[i] - mean; mean += delta/(i+1); m2 += "
        "delta*(x[i]-mean); } out[0] = mean; out[1] = m2/(n-1); }",
        "stats",
        {"n": 6},
        (25, 46, 6, 2),
    ),
    "a filter of finite response": (
        "void fir(const float *x, const float *h, float *y, int n, int taps) { for (int i = "
        "0; i < n; i++) { float acc = 0; int k = 0; while (k < taps) { acc += h[k]*x[i + taps "
        "- 1 - k]; k++; } *y++ = acc; } }",
        "fir",
        {"n": 6, "taps": 4},
        (37, 66, 13, 6),
    ),
    "a recursive filter": (
        "void biquad(const float *in, float *out, int n, float b0, float b1, float b2, float "
        "a1, float a2) { float x1 = 0, x2 = 0, y1 = 0, y2 = 0; for (int i = 0; i < n; i++) { "
        "float x0 = in[i]; float y0 = b0*x0 + b1*x1 + b2*x2 - a1*y1 - a2*y2; out[i] = y0; x2 "
        "= x1; x1 = x0; y2 = y1; y1 = y0; } }",
        "biquad",
        {"n": 7},
        (19, 64, 12, 7),
    ),
    "autocorrelation": (
        "void autocorr(const float *x, float *r, int n, int lag) { for (int k = 0; k <= lag; "
        "k++) { float s = 0; for (int i = 0; i + k < n; i++) s += x[i]*x[i+k]; r[k] = s; } }",
        "autocorr",
        {"n": 8, "lag": 3},
        (34, 66, 8, 4),
    ),
    "a Fourier transform by its sum": (
        "void dft(const double *re, const double *im, const double *c, const double *s, "
        "double *Re, double *Im, int n) { for (int k = 0; k < n; k++) { Re[k] = Im[k] = 0; "
        "for (int t = 0; t < n; t++) { int j = (k*t) % n; Re[k] += re[t]*c[k*n+t] + "
        "im[t]*s[k*n+t]; Im[k] += im[t]*c[k*n+t] - re[t]*s[k*n+t]; } } }",
        "dft",
        {"n": 5},
        (110, 240, 60, 10),
    ),
    "shortest paths": (
        "void fw(float *d, int n) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) "
        "for (int j = 0; j < n; j++) d[i*n+j] = fminf(d[i*n+j], d[i*n+k]+d[k*n+j]); }",
        "fw",
        {"n": 5},
        (150, 325, 25, 25),
    ),
    "Cholesky in place": (
        "int chol(double *a, int n) { for (int i = 0; i < n; i++) { for (int j = 0; j <= i; "
        "j++) { double sum = a[i*n+j]; int k = j - 1; while (k >= 0) { sum -= "
        "a[i*n+k]*a[j*n+k]; k--; } if (i == j) a[i*n+i] = sqrt(sum); else a[i*n+j] = "
        "sum/a[j*n+j]; } } return 0; }",
        "chol",
        {"n": 5},
        (50, 75, 15, 15),
    ),
    "a tridiagonal system": (
        "void solve(int n, double *a, double *b, double *c, double *d) { int i; n--; c[0] /= "
        "b[0]; d[0] /= b[0]; for (i = 1; i < n; i++) { c[i] /= b[i] - a[i]*c[i-1]; d[i] = "
        "(d[i] - a[i]*d[i-1]) / (b[i] - a[i]*c[i-1]); } d[n] = (d[n] - a[n]*d[n-1]) / (b[n] - "
        "a[n]*c[n-1]); for (i = n; i-- > 0;) { d[i] -= c[i]*d[i+1]; } }",
        "solve",
        {"n": 7},
        (45, 72, 26, 13),
    ),
    "a product by packed blocks": (
        "#define min(a,b) ((a)<(b)?(a):(b))\n"
        "static void pack(int m, int k, const float *a, int lda, float *to) { for (int i = 0; "
        "i < m; i++) for (int p = 0; p < k; p++) to[i*k+p] = a[i*lda+p]; }\n"
        "static void inner(int m, int n, int k, const float *a, const float *b, int ldb, "
        "float *c, int ldc) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float "
        "s = c[i*ldc+j]; for (int p = 0; p < k; p++) s += a[i*k+p]*b[p*ldb+j]; c[i*ldc+j] = "
        "s; } }\n"
        "void gemm(int n, const float *a, const float *b, float *c) { float buf[64]; for (int "
        "p = 0; p < n; p += 4) { int pb = min(n-p, 4); for (int i = 0; i < n; i += 4) { int "
        "ib = min(n-i, 4); pack(ib, pb, a + i*n + p, n, buf); inner(ib, n, pb, buf, b + p*n, "
        "n, c + i*n, n); } } }\n",
        "gemm",
        {"n": 8},
        (704, 1536, 192, 64),
    ),
    "a product with a transposed copy": (
        "void f(int n, double *a, double *b, double *c) { double *bt = "
        "(double*)malloc(n*n*sizeof(double)); for (int i = 0; i < n; i++) for (int j = 0; j < "
        "n; j++) bt[i*n+j] = b[j*n+i]; for (int i = 0; i < n; i++) for (int j = 0; j < n; "
        "j++) { double s = 0; for (int k = 0; k < n; k++) s += a[i*n+k]*bt[j*n+k]; c[i*n+j] = "
        "s; } free(bt); }",
        "f",
        {"n": 5},
        (175, 350, 50, 25),
    ),
    "advection with fluxes": (
        "#define I(i,j) ((j)*(nx+2)+(i))\n"
        "void adv(int nx, int ny, double dt, double *vol, double *xvel, double *flux, double "
        "*e) { for (int j = 1; j <= ny; j++) for (int i = 1; i <= nx; i++) flux[I(i,j)] = "
        "0.25*dt*vol[I(i,j)]*(xvel[I(i,j)]+xvel[I(i,j+1)]); for (int j = 1; j <= ny; j++) for "
        "(int i = 2; i <= nx; i++) e[I(i,j)] = (e[I(i,j)]*vol[I(i,j)] + flux[I(i-1,j)] - "
        "flux[I(i,j)])/vol[I(i,j)]; }\n",
        "adv",
        {"nx": 5, "ny": 4},
        (98, 144, 62, 36),
    ),
    "wavelets": (
        "void haar(float *x, float *tmp, int n) { int w = n; while (w > 1) { w /= 2; for (int "
        "i = 0; i < w; i++) { tmp[i] = (x[2*i]+x[2*i+1])*0.5f; tmp[i+w] = "
        "(x[2*i]-x[2*i+1])*0.5f; } for (int i = 0; i < 2*w; i++) x[i] = tmp[i]; } }",
        "haar",
        {"n": 8},
        (22, 28, 8, 8),
    ),
    "a fast Fourier transform": (
        "void fft(double *re, double *im, const double *c, const double *s, int n) { for (int "
        "len = 2; len <= n; len <<= 1) { int half = len/2; for (int i = 0; i < n; i += len) "
        "for (int j = 0; j < half; j++) { double tr_ = re[i+j+half]*c[j*(n/len)] - "
        "im[i+j+half]*s[j*(n/len)]; double ti = re[i+j+half]*s[j*(n/len)] + "
        "im[i+j+half]*c[j*(n/len)]; re[i+j+half] = re[i+j] - tr_; im[i+j+half] = im[i+j] - "
        "ti; re[i+j] += tr_; im[i+j] += ti; } } }",
        "fft",
        {"n": 8},
        (96, 192, 24, 16),
    ),
    "ranks of a dense graph": (
        "void pr(int n, int it, const float *m, float *x, float *y, float d) { for (int k = "
        "0; k < it; ++k) { for (int i = 0; i < n; ++i) { float s = 0; for (int j = 0; j < n; "
        "++j) s += m[i*n+j]*x[j]; y[i] = (1-d)/n + d*s; } for (int i = 0; i < n; ++i) x[i] = "
        "y[i]; } }",
        "pr",
        {"n": 4, "it": 2},
        (61, 104, 21, 4),
    ),
    "a transposition by tiles": (
        "void trp(int n, double *a, double *b) { for (int ii = 0; ii < n; ii += 4) for (int "
        "jj = 0; jj < n; jj += 4) for (int i = ii; i < (ii+4 < n ? ii+4 : n); i++) for (int j "
        "= jj; j < std::min(jj+4, n); j++) b[j*n+i] = 2*a[i*n+j]; }",
        "trp",
        {"n": 6},
        (72, 36, 36, 36),
    ),
    "a gated cell": (
        "void gru(int n, const float *w, const float *u, float *h, const float *x, float *z) "
        "{ for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < n; j++) { s += "
        "w[i*n+j]*x[j]; s += u[i*n+j]*h[j]; } z[i] = tanhf(s); } for (int i = 0; i < n; i++) "
        "h[i] = (1 - z[i])*h[i] + z[i]*x[i]; }",
        "gru",
        {"n": 4},
        (80, 108, 40, 8),
    ),
    "a convolution with padding": (
        "void conv(const float *in, const float *w, const float *b, float *out, int C, int H, "
        "int W, int K, int F) { for (int k = 0; k < K; k++) for (int y = 0; y < H; y++) for "
        "(int x = 0; x < W; x++) { float s = b[k]; for (int c = 0; c < C; c++) for (int r = "
        "0; r < F; r++) { const int iy = y + r - F/2; if (iy < 0 || iy >= H) continue; for "
        "(int q = 0; q < F; q++) { const int ix = x + q - F/2; if (ix < 0 || ix >= W) "
        "continue; s += in[(c*H + iy)*W + ix]*w[((k*C + c)*F + r)*F + q]; } } out[(k*H + y)*W "
        "+ x] = fmaxf(s, 0); } }",
        "conv",
        {"C": 2, "H": 4, "W": 4, "K": 2, "F": 3},
        (502, 1232, 70, 32),
    ),
    "a convolution by channels": (
        "void dw(const float *in, const float *w, float *out, int C, int H, int W) { for (int "
        "c = 0; c < C; ++c) { const float *p = in + c*H*W; const float *kk = w + c*9; float "
        "*o = out + c*(H-2)*(W-2); for (int y = 0; y < H-2; ++y) { const float *r0 = p + y*W; "
        "const float *r1 = r0 + W; const float *r2 = r1 + W; for (int x = 0; x < W-2; ++x) { "
        "float s = 0; s += r0[0]*kk[0]; s += r0[1]*kk[1]; s += r0[2]*kk[2]; s += r1[0]*kk[3]; "
        "s += r1[1]*kk[4]; s += r1[2]*kk[5]; s += r2[0]*kk[6]; s += r2[1]*kk[7]; s += "
        "r2[2]*kk[8]; *o++ = s; r0++; r1++; r2++; } } } }",
        "dw",
        {"C": 2, "H": 5, "W": 5},
        (230, 468, 68, 18),
    ),
    "prefix sums": (
        "void scan(const float *x, float *y, int n) { float s = 0; for (int i = 0; i < n; "
        "y[i] = s, i++) s += x[i]; }",
        "scan",
        {"n": 6},
        (12, 11, 6, 6),
    ),
    "red and black sweeps": (
        "void rb(double *u, const double *f, int n, int its) { for (int it = 0; it < its; "
        "it++) for (int color = 0; color < 2; color++) for (int i = 1; i < n-1; i++) for (int "
        "j = 1 + ((i + color) & 1); j < n-1; j += 2) u[i*n+j] = "
        "0.25*(u[(i-1)*n+j]+u[(i+1)*n+j]+u[i*n+j-1]+u[i*n+j+1]-f[i*n+j]); }",
        "rb",
        {"n": 6, "its": 2},
        (72, 160, 40, 16),
    ),
    "a sum by halves": (
        "void f(int n, double *a) { for (int s = n/2; s > 0; s >>= 1) for (int i = 0; i < s; "
        "i++) a[i] += a[i+s]; }",
        "f",
        {"n": 16},
        (31, 30, 16, 8),
    ),
    "a sum by doubles": (
        "void f(int n, double *a) { int s = 1; while (s < n) { for (int i = 0; i + s < n; i "
        "+= 2*s) a[i] += a[i+s]; s *= 2; } }",
        "f",
        {"n": 11},
        (21, 20, 11, 5),
    ),
    "a vector backwards": (
        "void f(int n, double *a, double s) { for (int i = 0, j = n-1; i < j; i++, j--) { "
        "double t = a[i]; a[i] = a[j]*s; a[j] = t*s; } }",
        "f",
        {"n": 9},
        (17, 16, 9, 8),
    ),
    "a Walsh-Hadamard transform": (
        "void f(int n, double *a) { for (int l = 1; l < n; l <<= 1) for (int i = 0; i < n; i "
        "+= 2*l) for (int j = i; j < i + l; j++) { double x = a[j], y = a[j+l]; a[j] = x + y; "
        "a[j+l] = x - y; } }",
        "f",
        {"n": 16},
        (80, 128, 16, 16),
    ),
    "stages of a merge network": (
        "void f(int n, double *a) { for (int k = 2; k <= n; k *= 2) for (int j = k/2; j > 0; "
        "j /= 2) for (int i = 0; i < n; i += 2*j) for (int q = 0; q < j; q++) { double x = "
        "a[i+q], y = a[i+q+j]; a[i+q] = fmin(x,y); a[i+q+j] = fmax(x,y); } }",
        "f",
        {"n": 8},
        (56, 96, 8, 8),
    ),
    "a symmetric matrix by its lower half": (
        "void f(int n, double *a, double *x, double *y) { for (int i = 0; i < n; i++) { "
        "double s = 0; for (int j = 0; j < n; j++) { int hi = i > j ? i : j, lo = i > j ? j : "
        "i; s += a[hi*n+lo]*x[j]; } y[i] = s; } }",
        "f",
        {"n": 5},
        (45, 70, 20, 5),
    ),
    "a Toeplitz matrix": (
        "void f(int n, double *a, double *b) { for (int i = 0; i < n; i++) for (int "
        "k=0;k<n;k++) b[i] += a[i > k ? i - k : k - i]; }",
        "f",
        {"n": 8},
        (80, 128, 16, 8),
    ),
    "a lattice of nine directions": (
        "#define Q 9\n"
        "static const int cx[Q] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }; static const int cy[Q] = "
        "{ 0, 0, 1, 0, -1, 1, 1, -1, -1 }; static const double w[Q] = { 4.0/9, 1.0/9, 1.0/9, "
        "1.0/9, 1.0/9, 1.0/36, 1.0/36, 1.0/36, 1.0/36 }; "
        "void lbm(const double *src, double *dst, double omega, int nx, int ny) { for (int y "
        "= 0; y < ny; ++y) for (int x = 0; x < nx; ++x) { double fin[Q]; double rho = 0.0, ux "
        "= 0.0, uy = 0.0; for (int q = 0; q < Q; ++q) { const int xs = (x - cx[q] + nx) % nx; "
        "const int ys = (y - cy[q] + ny) % ny; fin[q] = src[(ys*nx + xs)*Q + q]; rho += "
        "fin[q]; ux += cx[q]*fin[q]; uy += cy[q]*fin[q]; } ux /= rho; uy /= rho; const double "
        "usq = 1.5*(ux*ux + uy*uy); for (int q = 0; q < Q; ++q) { const double cu = "
        "3.0*(cx[q]*ux + cy[q]*uy); const double feq = w[q]*rho*(1.0 + cu + 0.5*cu*cu - usq); "
        "dst[(y*nx + x)*Q + q] = fin[q] - omega*(fin[q] - feq); } } }",
        "lbm",
        {"nx": 6, "ny": 5},
        (1981, 3870, 271, 270),
    ),
    "walls that turn directions round": (
        "static const int cy[5] = { 0, 1, -1, 0, 0 }, opp[5] = { 0, 2, 1, 4, 3 }; "
        "void bounce(int n, float (*f)[5]) { for (int j = 0; j < n; j++) for (int k = 1; k < "
        "5; k++) if (cy[k] > 0) f[j][k] = -f[j][opp[k]]; }",
        "bounce",
        {"n": 4},
        (8, 4, 4, 4),
    ),
    "neighbours in a table of pairs": (
        "void f(int n, float *x, float *y) { static const int d[4][2] = {1,0, 0,1, -1,0, "
        "0,-1}; for (int i = 1; i < n-1; i++) { float s = 0; for (int k = 0; k < 4; k++) if "
        "(d[k][0]) s += x[i + d[k][0]]; y[i] = s; } }",
        "f",
        {"n": 4},
        (8, 6, 4, 2),
    ),
    "an array of sums that begins anew": (
        "void f(int n, int m, float *x, float *y) { for (int i = 0; i < n; i++) { float s[2] "
        "= {0, 1}; for (int j = 0; j < m; j++) { s[0] += x[i*m+j]; s[1] *= x[i*m+j]; } y[2*i] "
        "= s[0]; y[2*i+1] = s[1]; } }",
        "f",
        {"n": 4, "m": 3},
        (36, 40, 12, 8),
    ),
    "an array declared with values that are computed": (
        "void f(int n, float *x, float *y) { for (int i = 0; i < n; i++) { float d[3] = { "
        "x[3*i], x[3*i+1]*2, 1 }; for (int k = 0; k < 3; k++) y[3*i+k] = d[k]*d[0]; } }",
        "f",
        {"n": 4},
        (24, 20, 8, 12),
    ),
    "cells by turns": (
        "void f(int n, float *a, float *b, float *y) { for (int i = 0; i < n; i++) y[i] = i % "
        "2 ? a[i]*2 : b[i]*2; }",
        "f",
        {"n": 6},
        (12, 6, 6, 6),
    ),
    "a stencil by functions that stay within borders": (
        "static int reflect(int i, int n) { if (i < 0) { i = -i; } else if (i >= n) { int "
        "over = i - n; i = n - 2 - over; } return i; } "
        "void f(int n, float *x, float *y) { for (int i = 0; i < n; i++) { y[i] = "
        "x[reflect(i-2, n)] + x[reflect(i+2, n)]; } }",
        "f",
        {"n": 6},
        (12, 10, 6, 6),
    ),
    "cells by functions of their places": (
        "static inline int idx(int i, int j, int ld) { int at = i * ld; at += j; return at; } "
        "static int clamp(int v, int lo, int hi) { int r = v; if (r < lo) r = lo; if (r > hi) "
        "r = hi; return r; } "
        "void f(int n, int m, float *x, float *y) { for (int i = 0; i < n; i++) for (int j = "
        "0; j < m; j++) y[idx(i,j,m)] = 2 * x[idx(clamp(i-1,0,n-1),clamp(j+1,0,m-1),m)]; }",
        "f",
        {"n": 6, "m": 5},
        (50, 30, 20, 30),
    ),
    "blocks whose ends a function finds": (
        "static int min_i(int a, int b) { if (a < b) return a; else return b; } "
        "static int width(int n) { if (n % 2) return n / 2; return n / 2 + 1; } "
        "void f(int n, float *x, float *y) { int w = width(n); for (int ii = 0; ii < w; ii += "
        "4) for (int i = ii; i < min_i(ii+4, w); i++) y[i] = 2*x[i]; }",
        "f",
        {"n": 14},
        (16, 8, 8, 8),
    ),
    "sums that memset begins anew": (
        "void f(int n, float *x, float *y) { for (int i = 0; i < n; i++) { float s[4]; "
        "memset(s, 0, sizeof s); for (int j = 0; j < 4; j++) s[j] += x[i*4+j]; y[i] = "
        "s[0]*s[1]*s[2]*s[3]; } }",
        "f",
        {"n": 4},
        (36, 32, 16, 4),
    ),
    "squares that memset begins anew": (
        "void f(int n, float *x, float *y) { for (int i = 0; i < n; i++) { float s[2][2]; "
        "memset(s, 0, sizeof(s)); for (int j = 0; j < 2; j++) for (int q = 0; q < 2; q++) "
        "s[j][q] += x[i*4+j*2+q]; y[i] = s[0][0]*s[1][1]*s[1][0]*s[0][1]; } }",
        "f",
        {"n": 4},
        (36, 32, 16, 4),
    ),
    "diagonals of a matrix": (
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
        "void f(int n, const double *diags, const double *x, double *y) { static const int "
        "offsets[] = { -2, 0, 2 }; const int count = sizeof(offsets) / sizeof(offsets[0]); "
        "memset(y, 0, n * sizeof *y); for (int d = 0; d < count; d++) { int k = offsets[d]; "
        "int first = MAX(0, -k), last = MIN(n, n - k); for (int i = first; i < last; i++) "
        "y[i] += diags[d*n + i]*x[i + k]; } }",
        "f",
        {"n": 6},
        (34, 36, 20, 6),
    ),
    "rows of a triangle by twos and the rest": (
        "void f(int n, float *x, float *y) { for (int i = 0; i < n; i++) { float s = 0; int "
        "j; for (j = 0; j + 1 < i; j += 2) s += x[i*n+j] + x[i*n+j+1]; for (; j < i; j++) s "
        "+= x[i*n+j]; y[i] = s; } }",
        "f",
        {"n": 7},
        (33, 27, 21, 6),
    ),
    "rows of a triangle by fours and the rest": (
        "void f(int n, float *x, float *y) { for (int i = 0; i < n; i++) { float s = 0; int j "
        "= 0; for (; j + 3 < i; j += 4) s += x[i*n+j] + x[i*n+j+1] + x[i*n+j+2] + x[i*n+j+3]; "
        "for (; j < i; ++j) s += x[i*n+j]; y[i] = s; } }",
        "f",
        {"n": 9},
        (54, 46, 36, 8),
    ),
    "an upper triangle by twos and the last": (
        "void f(int n, float *x, float *y) { for (int i = 0; i < n; i++) { int j; for (j = "
        "i+1; j + 1 < n; j += 2) y[i] += x[i*n+j] * x[i*n+j+1]; if (j < n) y[i] += x[i*n+j]; "
        "} }",
        "f",
        {"n": 7},
        (39, 33, 27, 6),
    ),
    "packed blocks whose rows are as long as they are": (
        "#define MIN(a,b) ((a)<(b)?(a):(b))\n"
        "void f(int n, const float *a, const float *b, float *c) { float pa[16]; for (int p = "
        "0; p < n; p += 4) { int kb = MIN(4, n-p); for (int i = 0; i < n; i += 4) { int ib = "
        "MIN(4, n-i); for (int ii = 0; ii < ib; ii++) for (int k = 0; k < kb; k++) pa[ii*kb + "
        "k] = a[(i+ii)*n + p+k]; for (int j = 0; j < n; j++) for (int ii = 0; ii < ib; ii++) "
        "{ float s = c[(i+ii)*n+j]; for (int k = 0; k < kb; k++) s += "
        "pa[ii*kb+k]*b[(p+k)*n+j]; c[(i+ii)*n+j] = s; } } } }",
        "f",
        {"n": 6},
        (324, 648, 108, 36),
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_text_is_read_as_it_runs(name):
    text, function, sizes, counts = RUNS[name]
    dag = from_c(text, function, sizes=sizes).dag(**sizes)
    edges = dag.pred_indices.size
    assert (dag.n, edges, dag.inputs.size, dag.outputs.size) == counts
