"""Networks, sorts, sparse iterations and lattices, run on numbers step by step.

Twins in the sense of `linear_algebra_twins`: what a `Run` wrote down is the algorithm's DAG if
its claims about the numbers hold.
"""

import math
from itertools import pairwise, product

import numpy as np

from dags.families.common import sparse_patterns
from tests.test_dags import dirac_twin
from tests.test_dags.linear_algebra_twins import Run, add, divide, multiply, subtract


def fft(n, radix):
    """Decimation in time: points come in with their digits reversed."""
    run = Run()
    values = list(run.input(n))
    arguments = run.value(values)
    depth = round(math.log(n, radix))
    for level in range(depth):
        stride = radix**level
        new = []
        for i in range(n):
            digit = i // stride % radix
            remaining = [values[i + (d - digit) * stride] for d in range(radix)]
            new.append(
                run.compute(mix(digit, i % stride, stride, radix), *remaining, work=radix - 1)
            )
        values = new
    order = [int(np.base_repr(i, radix).zfill(depth)[::-1], radix) for i in range(n)]
    run.output(values, np.fft.fft(arguments[order]))
    return run


def mix(digit, below, stride, radix):
    """The sum of a butterfly's operands times powers of a root of unity that is its `digit`."""
    turn = np.exp(-2j * np.pi / (stride * radix))
    powers = [turn ** (d * (below + stride * digit)) for d in range(radix)]
    return lambda *operands: sum(x * power for x, power in zip(operands, powers, strict=True))


def prefix_scan(n, network):
    run = Run()
    sums = list(run.input(n))
    expected = np.cumsum(run.value(sums))
    for level in SCANS[network](n):
        new = {i: run.compute(add, sums[i], sums[j]) for i, j in level}
        for i, vertex in new.items():
            sums[i] = vertex
    run.output(sums, expected)
    return run


def kogge_stone(n):
    for distance in distances(n):
        yield [(i, i - distance) for i in range(distance, n)]


def sklansky(n):
    for block in distances(n):
        yield [(i, i // block * block - 1) for i in range(n) if i // block % 2]


def brent_kung(n):
    for half in distances(n):
        yield [(i, i - half) for i in range(n) if (i + 1) % (2 * half) == 0]
    for half in reversed(distances(n)):
        yield [(i, i - half) for i in range(2 * half, n) if (i + 1) % (2 * half) == half]


def distances(n):
    return [2**level for level in range(n.bit_length())]


SCANS = {"kogge-stone": kogge_stone, "sklansky": sklansky, "brent-kung": brent_kung}


def sorting_network(n, levels):
    """Levels are lists of (lower wire, upper wire, whether the minimum goes on the lower)."""
    run = Run()
    wires = list(run.input(n))
    expected = sorted(run.value(wires))
    for level in levels:
        for lower, upper, rising in level:
            pair = wires[lower], wires[upper]
            ends = (min, max) if rising else (max, min)
            wires[lower], wires[upper] = (run.compute(end, *pair) for end in ends)
    run.output(wires, expected)
    return run


def bitonic_sort(n):
    levels = []
    size = 2
    while size <= n:
        distance = size // 2
        while distance:
            pairs = [(i, i ^ distance) for i in range(n) if i < i ^ distance]
            levels.append([(i, j, i & size == 0) for i, j in pairs])
            distance //= 2
        size *= 2
    return sorting_network(n, levels)


def odd_even_merge_sort(n):
    return sorting_network(n, [sorted(level) for level in sort_levels(0, n)])


def sort_levels(start, n):
    """Batcher's recursion: sort both halves at once, then merge them."""
    if n == 1:
        return []
    halves = zip(sort_levels(start, n // 2), sort_levels(start + n // 2, n // 2), strict=True)
    return [a + b for a, b in halves] + merge_levels(list(range(start, start + n)))


def merge_levels(wires):
    """Merge the halves of `wires`: the even ones, the odd ones, then neighbours."""
    if len(wires) == 2:
        return [[(*wires, True)]]
    inner = zip(merge_levels(wires[::2]), merge_levels(wires[1::2]), strict=True)
    last = [(i, j, True) for i, j in zip(wires[1:-1:2], wires[2::2], strict=True)]
    return [a + b for a, b in inner] + [last]


def odd_even_transposition_sort(n):
    return sorting_network(
        n, [[(i, i + 1, True) for i in range(t % 2, n - 1, 2)] for t in range(n)]
    )


def merge_sort(n, ways, run, seed):
    sort = Run()
    lists = [[vertex] for vertex in sort.given(np.random.default_rng(seed).permutation(n))]
    fan = run
    while len(lists) > 1:
        lists = [tournament(sort, lists[i : i + fan]) for i in range(0, len(lists), fan)]
        fan = ways
    sort.output(lists[0], np.arange(n))
    return sort


def tournament(run, lists):
    """Merge `lists`; a node of the tree has children 2v and 2v + 1, list j is leaf k + j."""
    k = len(lists)
    waiting = [list(reversed(keys)) for keys in lists]
    shown = {}

    def show(v):
        if v >= k:
            shown[v] = waiting[v - k][-1] if waiting[v - k] else None
            return
        present = [u for u in (shown[2 * v], shown[2 * v + 1]) if u is not None]
        winner = run.compute(min, *present) if len(present) == 2 else (present or [None])[0]
        shown[v] = winner

    def leaf_of(v):
        while v < k:
            v = next(c for c in (2 * v, 2 * v + 1) if equal(shown[c], shown[v]))
        return v

    def equal(u, v):
        return u is not None and run.values[u] == run.values[v]

    for v in reversed(range(1, 2 * k)):
        show(v)
    merged = []
    while shown[1] is not None:
        merged.append(shown[1])
        v = leaf_of(1)
        waiting[v - k].pop()
        while v:
            show(v)
            v //= 2
    return merged


def sweep(shape, neighbourhood, periodic):
    run = Run()
    values = {point: run.input(1)[0] for point in product(*map(range, shape))}
    new = [
        run.compute(lambda *seen: sum(seen), *(values[p] for p in sorted(seen)))
        for seen in (around(point, shape, neighbourhood, periodic) for point in values)
    ]
    matrix = dense(sparse_patterns.laplacian(shape, neighbourhood, periodic))
    run.output(new, (matrix != 0) @ run.value(list(values.values())))
    return run


def around(point, shape, neighbourhood, periodic):
    """The point and its neighbours."""
    seen = set()
    for offset in product((-1, 0, 1), repeat=len(shape)):
        if neighbourhood == "box" or sum(map(abs, offset)) <= 1:
            moved = tuple(x + dx for x, dx in zip(point, offset, strict=True))
            wrapped = tuple(x % side for x, side in zip(moved, shape, strict=True))
            if periodic or moved == wrapped:
                seen.add(wrapped)
    return seen


def binomial(n):
    run = Run()
    row = list(run.given([1]))
    for _ in range(n):
        above = [row[:1], *pairwise(row), row[-1:]]
        row = [run.compute(lambda *x: sum(x), *entry) for entry in above]
    run.output(row, [math.comb(n, j) for j in range(n + 1)])
    return run


def hypercube(d):
    """The number of orders in which a subset can be built up, member by member: its factorial."""
    run = Run()
    vertices = list(run.given([1]))
    for subset in range(1, 2**d):
        before = [vertices[subset - 2**j] for j in range(d) if subset >> j & 1]
        vertices.append(run.compute(lambda *x: sum(x), *before, work=len(before)))
    run.output(vertices[-1:], [math.factorial(d)])
    return run


def dense(pattern):
    """A symmetric positive definite matrix with this pattern, if the pattern is symmetric."""
    matrix = np.zeros((pattern.rows, pattern.columns))
    for i, (start, end) in enumerate(pairwise(pattern.indptr)):
        matrix[i, pattern.indices[start:end]] = -1
    return matrix + np.eye(*matrix.shape) * (2 + np.abs(matrix).sum(axis=1).max())


def matrix_run(pattern):
    """A run with a vector and the nonzeros of `dense` as inputs; rows as (column, vertex)."""
    run = Run()
    matrix = dense(pattern)
    vector = list(run.input(pattern.columns))
    places = zip(*pattern_places(pattern), strict=True)
    rows = [[] for _ in range(pattern.rows)]
    for i, j in places:
        rows[i].append((j, run.given([matrix[i, j]])[0]))
    return run, matrix, vector, rows


def pattern_places(pattern):
    return np.repeat(np.arange(pattern.rows), np.diff(pattern.indptr)), pattern.indices


def sum_of_products(run, pairs):
    total = None
    for x, y in pairs:
        term = run.compute(multiply, x, y)
        total = term if total is None else run.compute(add, total, term)
    return total


def apply(run, rows, vector):
    return [sum_of_products(run, [(vector[j], a) for j, a in row]) for row in rows if row]


def spmv_of(pattern):
    run, matrix, x, rows = matrix_run(pattern)
    filled = [bool(row) for row in rows]
    run.output(apply(run, rows, x), (matrix @ run.value(x))[filled])
    return run


def spmv(shape, neighbourhood, periodic):
    return spmv_of(sparse_patterns.laplacian(shape, neighbourhood, periodic))


def random_spmv(n, density, seed):
    return spmv_of(sparse_patterns.random_square(n, density, seed))


def conjugate_gradient(shape, steps, neighbourhood, periodic):
    return conjugate_gradient_of(sparse_patterns.laplacian(shape, neighbourhood, periodic), steps)


def conjugate_gradient_of(pattern, steps):
    run, matrix, b, rows = matrix_run(pattern)
    x, r, p = None, b, b
    rho = sum_of_products(run, zip(r, r, strict=True))
    for step in range(1, steps + 1):
        q = apply(run, rows, p)
        alpha = run.compute(divide, rho, sum_of_products(run, zip(p, q, strict=True)))
        if x is None:
            x = [run.compute(multiply, alpha, entry) for entry in p]
        else:
            x = add_scaled(run, add, x, alpha, p)
        if step < steps:
            r = add_scaled(run, subtract, r, alpha, q)
            before, rho = rho, sum_of_products(run, zip(r, r, strict=True))
            p = add_scaled(run, add, r, run.compute(divide, rho, before), p)
    run.output(x, nearest_in_krylov_space(matrix, run.value(b), steps))
    return run


def add_scaled(run, sign, addends, scalar, vector):
    return [
        run.compute(sign, addend, run.compute(multiply, scalar, entry))
        for addend, entry in zip(addends, vector, strict=True)
    ]


def nearest_in_krylov_space(matrix, b, steps):
    """The x in span(b, Ab, ..., A^(steps-1) b) nearest to the solution in the norm of A."""
    powers = [b]
    for _ in range(steps - 1):
        powers.append(matrix @ powers[-1])
    basis, _ = np.linalg.qr(np.array(powers).T)
    return basis @ np.linalg.solve(basis.T @ matrix @ basis, basis.T @ b)


def random_tree(n, max_words, seed):
    """Each vertex is read by a later one, so that the last counts all inputs."""
    run = Run()
    readers = np.random.default_rng(seed).integers(np.arange(1, n), n).tolist()
    leaves = set(range(n)) - set(readers)
    for v in range(n):
        operands = [u for u, reader in enumerate(readers) if reader == v]
        if operands:
            run.compute(lambda *x: sum(x), *operands)
        else:
            run.given([1])
    run.output([n - 1], [len(leaves)])
    return run


RUNS = {
    "binomial": binomial,
    "bitonic_sort": bitonic_sort,
    "conjugate_gradient": conjugate_gradient,
    "dirac": dirac_twin.dirac,
    "dirac_steps": dirac_twin.dirac_steps,
    "fft": fft,
    "hypercube": hypercube,
    "merge_sort": merge_sort,
    "odd_even_merge_sort": odd_even_merge_sort,
    "odd_even_transposition_sort": odd_even_transposition_sort,
    "prefix_scan": prefix_scan,
    "random_spmv": random_spmv,
    "random_tree": random_tree,
    "spmv": spmv,
    "sweep": sweep,
}

TWINS = {name: lambda *case, run=run: run(*case).dag() for name, run in RUNS.items()}

GRIDS = [
    (shape, neighbourhood, periodic)
    for shape in [(1,), (4,), (3, 4), (3, 3, 3)]
    for neighbourhood in ("star", "box")
    for periodic in (False, True)
    if not periodic or min(shape) >= 3
]

CASES = {
    "binomial": [(1,), (2,), (7,)],
    "bitonic_sort": [(2,), (4,), (8,), (16,)],
    "conjugate_gradient": [
        (shape, steps, neighbourhood, periodic)
        for shape, neighbourhood, periodic in GRIDS
        for steps in (1, 2, 4)
        if steps <= math.prod(shape)
    ],
    "dirac": dirac_twin.CASES,
    "dirac_steps": [
        ((4,), 3),
        ((3, 2), 1),
        ((1, 3, 2), 2),
        ((2, 2, 3, 2), 2),
        ((3, 4), 3, True),
    ],
    "fft": [(2, 2), (4, 2), (16, 2), (3, 3), (27, 3), (4, 4), (16, 4), (25, 5)],
    "hypercube": [(1,), (2,), (5,)],
    "merge_sort": [
        (n, ways, run, seed)
        for n in (2, 3, 8, 16, 29)
        for ways in (2, 3, 4, 7)
        for run in (1, 2, 4, 5, 40)
        for seed in (0, 1)
    ],
    "odd_even_merge_sort": [(2,), (4,), (8,), (32,)],
    "odd_even_transposition_sort": [(2,), (3,), (4,), (9,)],
    "prefix_scan": [(n, network) for n in [2, 3, 4, 7, 8, 9, 16, 29] for network in SCANS],
    "random_spmv": [(1, 0.5, 0), (6, 0.0, 0), (6, 0.3, 1), (6, 1.0, 2)],
    "random_tree": [(2, 1, 0), (3, 1, 0), (20, 1, 0), (20, 1, 5)],
    "spmv": GRIDS,
    "sweep": [*GRIDS, ((3, 3, 3, 3), "star", False), ((3, 3, 3, 3), "box", True)],
}
