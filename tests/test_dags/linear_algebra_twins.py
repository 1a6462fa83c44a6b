"""The algorithms of linear algebra and of neural networks, run on numbers step by step.

A `Run` carries out an algorithm on random numbers and writes down which value was computed from
which. So what it wrote down is the algorithm's DAG if its claims hold.
"""

import math
from itertools import product

import numpy as np

from dags import CDAG


class Run:
    """A computation on numbers, and its DAG vertex by vertex."""

    def __init__(self):
        self.values, self.rows, self.work = [], [], []
        self.outputs = []
        self.claims = []  # of numbers that should be equal
        self.random = np.random.default_rng(1)

    def input(self, *shape):
        """New inputs: the numbers of their vertices in an array of that shape."""
        return self.given(self.random.uniform(0.5, 1.5, shape))

    def given(self, values):
        return np.vectorize(lambda value: self._add(value, (), 0), otypes=[int])(values)

    def fma(self, total, x, y, sign=1):
        """Total + sign x y as one vertex; where there is no total yet, of the same work."""
        start = 0.0 if total is None else self.values[total]
        operands = (x, y) if total is None else (total, x, y)
        return self._add(start + sign * self.values[x] * self.values[y], operands, 2)

    def compute(self, operation, *operands, work=1):
        return self._add(operation(*(self.values[u] for u in operands)), operands, work)

    def value(self, vertices):
        """What was computed at an array of vertices."""
        return np.array(self.values)[np.array(vertices)]

    def output(self, vertices, expected=None):
        self.outputs = np.array(vertices).reshape(-1)
        if expected is not None:
            self.claims.append((self.value(vertices), expected))

    def dag(self):
        flat = [u for row in self.rows for u in row]
        return CDAG(
            np.cumsum([0, *map(len, self.rows)]),
            np.array(flat, np.int32),
            work=self.work,
            outputs=[v for v in self.outputs if self.rows[v]],
        )

    def _add(self, value, operands, work):
        self.values.append(value)
        self.rows.append(sorted(set(operands)))
        self.work.append(work)
        return len(self.rows) - 1


def add(x, y):
    return x + y


def subtract(x, y):
    return x - y


def multiply(x, y):
    return x * y


def divide(x, y):
    return x / y


def matmul(n, m, k, form):
    run = Run()
    a, b = run.input(m, k), run.input(k, n)
    c = [[entry(run, form, a[i], b[:, j]) for j in range(n)] for i in range(m)]
    run.output(c, run.value(a) @ run.value(b))
    return run


def entry(run, form, row, column):
    total, pairs = None, list(zip(row, column, strict=True))
    if form == "fma":
        for x, y in pairs:
            total = run.fma(total, x, y)
        return total
    if form == "multiply-add":
        for x, y in pairs:
            term = run.compute(multiply, x, y)
            total = term if total is None else run.compute(add, total, term)
        return total
    waiting = [run.compute(multiply, x, y) for x, y in pairs]
    while len(waiting) > 1:
        waiting = [*waiting[2:], run.compute(add, *waiting[:2])]
    return waiting[0]


def matvec(n, m):
    run = Run()
    a, x = run.input(n, m), run.input(m)
    run.output([entry(run, "fma", a[i], x) for i in range(n)], run.value(a) @ run.value(x))
    return run


def triangle(run, n):
    """The lower triangle of a matrix that is dominated by its diagonal: place to vertex."""
    values = run.random.uniform(0.5, 1.5, (n, n)) + 2 * n * np.eye(n)
    return {(i, j): run.given([values[i, j]])[0] for i in range(n) for j in range(i + 1)}


def full(run, lower, n):
    """What a lower triangle holds, as a matrix with zeros above."""
    matrix = np.zeros((n, n))
    for place, vertex in lower.items():
        matrix[place] = run.values[vertex]
    return matrix


def triangular_solve(n, k):
    run = Run()
    low, b = triangle(run, n), run.input(n, k)
    x = np.zeros((n, k), int)
    for i, c in product(range(n), range(k)):
        total = b[i, c]
        for j in range(i):
            total = run.fma(total, low[i, j], x[j, c], sign=-1)
        x[i, c] = run.compute(divide, total, low[i, i])
    run.output(x, np.linalg.solve(full(run, low, n), run.value(b)))
    return run


def syrk(n, k):
    run = Run()
    a = run.input(n, k)
    c = [entry(run, "fma", a[i], a[j]) for i in range(n) for j in range(i + 1)]
    run.output(c, (run.value(a) @ run.value(a).T)[np.tril_indices(n)])
    return run


def lu(n):
    run = Run()
    a = run.given(run.random.uniform(0.5, 1.5, (n, n)) + n * np.eye(n))
    matrix = run.value(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = run.compute(divide, a[i, k], a[k, k])
            for j in range(k + 1, n):
                a[i, j] = run.fma(a[i, j], a[i, k], a[k, j], sign=-1)
    run.output(a)
    low, up = np.tril(run.value(a), -1) + np.eye(n), np.triu(run.value(a))
    run.claims.append((low @ up, matrix))
    return run


def cholesky(n):
    run = Run()
    a = triangle(run, n)
    low = full(run, a, n)
    for k in range(n):
        a[k, k] = run.compute(math.sqrt, a[k, k])
        for i in range(k + 1, n):
            a[i, k] = run.compute(divide, a[i, k], a[k, k])
            for j in range(k + 1, i + 1):
                a[i, j] = run.fma(a[i, j], a[i, k], a[j, k], sign=-1)
    matrix = low + np.tril(low, -1).T
    run.output([a[place] for place in sorted(a)], np.linalg.cholesky(matrix)[np.tril_indices(n)])
    return run


def qr_givens(n, m):
    run = Run()
    a = run.input(m, n)
    matrix, q = run.value(a), np.eye(m)
    for j in range(n):
        for i in range(j + 1, m):
            rotation = run.compute(
                lambda x, y: (x + 1j * y) / abs(x + 1j * y), a[j, j], a[i, j], work=6
            )
            c, s = run.values[rotation].real, run.values[rotation].imag
            q[[j, i]] = np.array([[c, s], [-s, c]]) @ q[[j, i]]
            for column in range(j, n):
                pair = a[j, column], a[i, column], rotation
                a[j, column] = run.compute(rotated_up, *pair, work=3)
                if column > j:
                    a[i, column] = run.compute(rotated_down, *pair, work=3)
            a[i, j] = rotation
    run.output(a)
    run.claims += [(q @ matrix, np.triu(run.value(a))), (q @ q.T, np.eye(m))]
    return run


def turn(x, y):
    """The rotation that takes (x, y) to (r, 0), as the number c + s i."""
    return (x + 1j * y) / abs(x + 1j * y)


def rotated_up(x, y, rotation):
    return rotation.real * x + rotation.imag * y


def rotated_down(x, y, rotation):
    return rotation.real * y - rotation.imag * x


def strassen(n, levels):
    run = Run()
    a, b = run.input(n, n), run.input(n, n)
    run.output(strassen_product(run, a, b, levels), run.value(a) @ run.value(b))
    return run


def strassen_product(run, a, b, levels):
    n, h = len(a), len(a) // 2
    if levels == 0:
        places = product(range(n), range(n))
        entries = [entry(run, "multiply-add", a[i], b[:, j]) for i, j in places]
        return np.array(entries).reshape(n, n)

    def chain(first, *extra):
        """The matrices added up from left to right, entry after entry."""
        total = first.copy()
        for place in np.ndindex(first.shape):
            for operation, matrix in extra:
                total[place] = run.compute(operation, total[place], matrix[place])
        return total

    def times(left, right):
        return strassen_product(run, left, right, levels - 1)

    a11, a12, a21, a22 = a[:h, :h], a[:h, h:], a[h:, :h], a[h:, h:]
    b11, b12, b21, b22 = b[:h, :h], b[:h, h:], b[h:, :h], b[h:, h:]
    m1 = times(chain(a11, (add, a22)), chain(b11, (add, b22)))
    m2 = times(chain(a21, (add, a22)), b11)
    m3 = times(a11, chain(b12, (subtract, b22)))
    m4 = times(a22, chain(b21, (subtract, b11)))
    m5 = times(chain(a11, (add, a12)), b22)
    m6 = times(chain(a21, (subtract, a11)), chain(b11, (add, b12)))
    m7 = times(chain(a12, (subtract, a22)), chain(b21, (add, b22)))
    c11 = chain(m1, (add, m4), (subtract, m5), (add, m7))
    c12, c21 = chain(m3, (add, m5)), chain(m2, (add, m4))
    c22 = chain(m1, (add, m3), (subtract, m2), (add, m6))
    return np.block([[c11, c12], [c21, c22]])


def attention(tokens, width):
    run = Run()
    q, k, v = run.input(tokens, width), run.input(tokens, width), run.input(tokens, width)
    result = np.zeros((tokens, width), int)
    for query in range(tokens):
        scores = [entry(run, "fma", q[query], k[j]) for j in range(tokens)]
        p = [run.compute(math.exp, score) for score in scores]
        total = p[0]
        for item in p[1:]:
            total = run.compute(add, total, item)
        for c in range(width):
            result[query, c] = run.compute(divide, entry(run, "fma", p, v[:, c]), total)
    weights = np.exp(run.value(q) @ run.value(k).T)
    run.output(result, weights / weights.sum(axis=1, keepdims=True) @ run.value(v))
    return run


def convolution(height, width, channels=1, filters=1, kernel=3, stride=1):
    run = Run()
    image = run.input(channels, height, width)
    weights = run.input(filters, channels, kernel, kernel)
    rows = range(0, height - kernel + 1, stride)
    columns = range(0, width - kernel + 1, stride)
    result = np.zeros((filters, len(rows), len(columns)), int)
    expected = np.zeros(result.shape)
    for place in np.ndindex(result.shape):
        f, y, x = place[0], rows[place[1]], columns[place[2]]
        window = image[:, y : y + kernel, x : x + kernel]
        result[place] = entry(run, "fma", window.reshape(-1), weights[f].reshape(-1))
        expected[place] = (run.value(window) * run.value(weights[f])).sum()
    run.output(result, expected)
    return run


RUNS = {
    "attention": attention,
    "cholesky": cholesky,
    "convolution": convolution,
    "lu": lu,
    "matmul": matmul,
    "matvec": matvec,
    "qr_givens": qr_givens,
    "strassen": strassen,
    "syrk": syrk,
    "triangular_solve": triangular_solve,
}

TWINS = {name: lambda *case, run=run: run(*case).dag() for name, run in RUNS.items()}

CASES = {
    "attention": [(1, 1), (2, 1), (1, 3), (3, 2), (5, 4)],
    "cholesky": [(1,), (2,), (3,), (7,)],
    "convolution": [
        (1, 1, 1, 1, 1),
        (3, 3),
        (4, 6),
        (5, 4, 2, 3, 2),
        (5, 5, 1, 1, 1, 3),
        (7, 8, 2, 2, 3, 2),
    ],
    "lu": [(2,), (3,), (4,), (8,)],
    "matmul": [
        (n, m, k, form)
        for n, m, k in [(1, 1, 1), (2, 2, 2), (3, 2, 4), (2, 3, 1), (1, 4, 3), (2, 1, 7)]
        for form in ("fma", "multiply-add", "tree")
    ],
    "matvec": [(1, 1), (1, 4), (4, 1), (3, 5)],
    "qr_givens": [(1, 2), (2, 2), (1, 5), (3, 3), (3, 4), (4, 7)],
    "strassen": [(1, 0), (3, 0), (2, 1), (4, 1), (4, 2), (6, 1), (8, 3)],
    "syrk": [(1, 1), (1, 3), (3, 1), (4, 3)],
    "triangular_solve": [(1, 1), (1, 3), (4, 1), (5, 3)],
}
