"""Python functions as people write them: their texts beside the traces of their runs.

A text at the level of operations has as many vertices and edges as the run of the function on
arrays that remember what is computed from what. Each function is in our own words.
"""

import types
from collections import Counter

import pytest

from dags.programs.text import from_python
from dags.tracing import trace

FILE = """
import math
import numpy as np

prange = range
CX = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
CY = (0, 0, 1, 0, -1, 1, 1, -1, -1)
W = [4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36]
NEAR = ((0, 1), (1, 0), (0, -1), (-1, 0))
G = 6.674e-11
TILE = 4


def clamp(v, lo, hi):
    if v < lo:
        return lo
    if v > hi:
        return hi
    return v


def product(A, B, C):
    n, m = A.shape
    p = B.shape[1]
    for i in prange(n):
        for j in range(p):
            acc = 0.0
            for k in range(m):
                acc += A[i, k] * B[k, j]
            C[i, j] = acc


def blur(img, out, r):
    h, w = img.shape
    for y in range(h):
        for x in range(w):
            s = 0.0
            for k in range(-r, r + 1):
                s += img[y, clamp(x + k, 0, w - 1)]
            out[y, x] = s / (2 * r + 1)


def stream(f, g, n):
    for i in range(n):
        for j in range(n):
            for q in range(9):
                g[(i + CX[q]) % n, (j + CY[q]) % n, q] = W[q] * f[i, j, q]


def near(u, v, n):
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            s = G * u[i, j]
            for di, dj in NEAR:
                s += u[i + di, j + dj]
            v[i, j] = s


def sweeps(u, v, steps):
    n = u.shape[0]
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1])
        u, v = v, u
    for i in range(n):
        u[i] = 2 * u[i] + v[i]


def three(a, b, c, steps):
    n = a.shape[0]
    for _ in range(1, steps):
        for i in range(n):
            c[i] = a[i] + b[i]
        a, b, c = b, c, a


def tiles(A, B, C, n):
    for ii in range(0, n, TILE):
        for kk in range(0, n, TILE):
            for i in range(ii, min(ii + TILE, n)):
                for j in range(n):
                    for k in range(kk, min(kk + TILE, n)):
                        C[i][j] += A[i][k] * B[k][j]


def dot(a, b, n):
    return sum(a[i] * b[i] for i in range(n))


def rows(A, x, y, n):
    for i in range(n):
        y[i] = sum([A[i, j] * x[j] for j in range(n) if j != i], A[i, i])


def doubled(a, n):
    return [2 * a[i] + 1 for i in range(n)]


def squares(a, n):
    c = [[sum(a[i][k] * a[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
    return c


def thomas(a, b, c, d, n):
    cp = [0.0] * n
    dp = [0.0] * n
    x = [0.0] * n
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x[-1] = dp[-1]
    for i in reversed(range(n - 1)):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


def fir(x, h):
    n, taps = len(x), len(h)
    y = np.zeros(n - taps + 1)
    for i in range(len(y)):
        for k in range(taps):
            y[i] += h[k] * x[i + taps - 1 - k]
    return y


def fluxes(u, out, n):
    for i in range(1, n):
        d = [u[i - 1] * 2, u[i], 1.0]
        s = [0.0, 0.0]
        for k in range(3):
            s[k % 2] += d[k] * u[i]
        out[i] = s[0] + s[1]


def pairs(x, f):
    n = len(x)
    for i in range(n):
        for j in range(i + 1, n):
            g = 1 / (x[i] - x[j])
            f[i] += g
            f[j] -= g


def both(a, b, out):
    for i, (x, y) in enumerate(zip(a, b)):
        out[i] = x * y
"""
RUNS = {  # function: its arguments, and the sizes of its text
    "product": (((3, 4), (4, 5), (3, 5)), {"n": 3, "m": 4, "p": 5}),
    "blur": (((4, 6), (4, 6), 2), {"h": 4, "w": 6, "r": 2}),
    "stream": (((4, 4, 9), (4, 4, 9), 4), {"n": 4}),
    "near": (((5, 5), (5, 5), 5), {"n": 5}),
    "sweeps": (((6,), (6,), 3), {"n": 6, "steps": 3}),
    "three": (((4,), (4,), (4,), 6), {"n": 4, "steps": 6}),
    "tiles": (((6, 6), (6, 6), (6, 6), 6), {"n": 6}),
    "dot": (((4,), (4,), 4), {"n": 4}),
    "rows": (((4, 4), (4,), (4,), 4), {"n": 4}),
    "doubled": (((4,), 4), {"n": 4}),
    "squares": (((3, 3), 3), {"n": 3}),
    "thomas": (((5,), (5,), (5,), (5,), 5), {"n": 5}),
    "fir": (((6,), (3,)), {"n": 6, "taps": 3}),
    "fluxes": (((5,), (5,), 5), {"n": 5}),
    "pairs": (((4,), (4,)), {"n": 4}),
    "both": (((4,), (4,), (4,)), {"len_a": 4}),
}


def counts(dag):
    """Vertices, edges, inputs, outputs, and how often there are so many operands and readers."""
    degrees = Counter(zip(dag.indegree.tolist(), dag.outdegree.tolist(), strict=True))
    return dag.n, dag.m, len(dag.used_inputs), len(dag.outputs), degrees


@pytest.mark.parametrize("name", RUNS)
def test_a_python_text_is_read_as_it_runs(name):
    arguments, sizes = RUNS[name]
    module = types.ModuleType("functions")
    exec(FILE, module.__dict__)  # the text that is read below, which is our own
    text = from_python(FILE, name, sizes=sizes)
    dag = text.dag(**sizes, level="operation")
    assert counts(dag) == counts(trace(getattr(module, name), *arguments))
