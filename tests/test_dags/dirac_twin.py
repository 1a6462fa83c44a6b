"""The Dirac operator with a complex number for each matrix, site after site.

The node is its own neighbour on all sides: what it sends comes in again, so that the result must
be the operator on a periodic lattice.
"""

from itertools import product

import numpy as np

from dags import CDAG
from tests.test_dags.linear_algebra_twins import Run

STEPS = [(axis, by) for axis in range(4) for by in (-1, 1)]


class SizedRun(Run):
    """A run whose values have sizes and channels."""

    def __init__(self):
        super().__init__()
        self.words, self.channel = [], []

    def add(self, value, *operands, work=0, words=24, channel=0):
        self.words.append(words)
        self.channel.append(channel)
        return self._add(value, operands, work)

    def dag(self):
        flat = [u for row in self.rows for u in row]
        return CDAG(
            np.cumsum([0, *map(len, self.rows)]),
            np.array(flat, np.int32),
            words=self.words,
            work=self.work,
            channel=self.channel if any(self.channel) else None,
        )


class Node:
    """The sites of a node, and which of them are visited together."""

    def __init__(
        self, k, n4, wrap, sweep="x4", slab=None, strip=None, seam=False, panel=None, copies=False
    ):
        self.copies = copies
        self.sides = (k, k, k, n4)
        self.wrap, self.axis, self.seam = wrap, int(sweep[1]) - 1, seam
        self.slab, self.strip, self.panel = slab or k, strip or n4, panel or k
        self.sites = [x[::-1] for x in product(range(n4), *[range(k)] * 3)]

    def step(self, x, axis, by):
        y = list(x)
        y[axis] = (y[axis] + by) % self.sides[axis]
        return tuple(y)

    def around(self, x, axis, by):
        return not 0 <= x[axis] + by < self.sides[axis]

    def absent(self, x, axis, by):
        return axis == 3 and not self.wrap and self.around(x, axis, by)

    def tile(self, x):
        return x[3] // self.strip, x[2] // self.slab, x[1] // self.panel

    def own(self, x, axis, by):
        """Whether the hop is done at its site's own visit, whenever the other site is visited."""
        if self.around(x, axis, by) and (axis < 3 or self.seam):
            return True
        return self.tile(self.step(x, axis, by)) != self.tile(x)

    def visits(self):
        def when(x):
            inside = [x[axis] for axis in (3, 2, 1, 0) if axis != self.axis]
            return self.tile(x), x[self.axis], inside

        return sorted(self.sites, key=when)

    def chains(self):
        """The hops of each site in the order in which a play of the visits does them."""
        chain = {}
        for x in self.visits():
            steps = [step for step in STEPS if not self.absent(x, *step)]
            chain[x] = [step for step in steps if step[0] < 3 and self.around(x, *step)]
            chain[x] += [step for step in steps if step not in chain[x] and self.own(x, *step)]
            for axis, by in steps:
                y = self.step(x, axis, by)
                if not self.own(x, axis, by) and y in chain:
                    chain[x].append((axis, by))
                    chain[y].append((axis, -by))
        return chain


def dirac(*case, **parameters):
    node, run = Node(*case, **parameters), SizedRun()
    first = {a: [x for x in node.sites if x[a] == 0] for a in range(3)}
    last = {a: [x for x in node.sites if x[a] == node.sides[a] - 1] for a in range(3)}

    def number():
        return complex(*run.random.uniform(0.5, 1.5, 2))

    psi = {x: run.add(number()) for x in node.sites}
    link = {
        (x, a): run.add(number(), words=18)
        for a in range(4)
        for x in node.sites
        if not node.absent(x, a, 1)
    }
    values, copy = run.values, {}
    if node.copies:
        for a in range(3):
            for x in first[a]:
                copy[x, a] = run.add(values[link[node.step(x, a, -1), a]], words=18)

    def returned(x, a):
        return values[link[x, a]].conjugate() * values[psi[x]]

    coming = {}
    for a in range(3):
        for x in last[a]:
            coming[x, a, 1] = run.add(values[psi[node.step(x, a, 1)]], channel=1)
    for a in range(3):
        for x in first[a]:
            y = node.step(x, a, -1)
            came = values[psi[y]] if node.copies else returned(y, a)
            coming[x, a, -1] = run.add(came, channel=1)
    for a in range(3):
        for x in first[a]:
            run.add(values[psi[x]], psi[x], channel=1)
    for a in range(3):
        for x in last[a]:
            if node.copies:
                run.add(values[psi[x]], psi[x], channel=1)
            else:
                run.add(returned(x, a), psi[x], link[x, a], work=264, channel=1)
    phi = {x: run.add(0.3 * values[psi[x]], psi[x], work=24) for x in node.sites}
    chains = node.chains()
    for version in range(8):
        for x in node.sites:
            for axis, by in chains[x][version : version + 1]:
                phi[x] = hop(run, node, psi, link, coming, copy, phi[x], x, axis, by)
    run.claims.append((run.value([phi[x] for x in node.sites]), operator(run, node, psi, link)))
    return run


def hop(run, node, psi, link, coming, copy, total, x, axis, by):
    values, y = run.values, node.step(x, axis, by)
    message = coming.get((x, axis, by))
    if message is not None and by < 0 and not node.copies:
        return run.add(values[total] + values[message], total, message, work=24)
    source = psi[y] if message is None else message
    u = link[x, axis] if by > 0 else copy.get((x, axis), link[y, axis])
    factor = values[u] if by > 0 else values[u].conjugate()
    return run.add(values[total] + factor * values[source], total, u, source, work=288)


def operator(run, node, psi, link):
    """The operator by its definition, on whole arrays."""
    shape = node.sides[::-1]
    field = run.value([psi[x] for x in node.sites]).reshape(shape)
    total = 0.3 * field
    for a in range(4):
        u = [run.values[link[x, a]] if (x, a) in link else 0 for x in node.sites]
        u = np.array(u).reshape(shape)
        total = total + u * np.roll(field, -1, 3 - a) + np.roll(u.conj() * field, 1, 3 - a)
    return total.reshape(-1)


def dirac_steps(shape, steps, periodic=False):
    """The operator applied again and again, beside powers of its matrix."""
    run, sites = SizedRun(), list(product(*map(range, shape)))

    def number():
        return complex(*run.random.uniform(0.5, 1.5, 2))

    def around(x, axis, by):
        y = x[axis] + by
        if periodic or 0 <= y < shape[axis]:
            return (*x[:axis], y % shape[axis], *x[axis + 1 :])
        return None

    axes = range(len(shape))
    link = {(x, a): run.add(number(), words=18) for a in axes for x in sites if around(x, a, 1)}
    psi = {x: run.add(number()) for x in sites}
    start, values = run.value([psi[x] for x in sites]), run.values
    matrix = 0.3 * np.eye(len(sites), dtype=complex)
    for (x, a), u in link.items():
        here, there = sites.index(x), sites.index(around(x, a, 1))
        matrix[here, there] += values[u]
        matrix[there, here] += values[u].conjugate()
    for _ in range(steps):
        new = matrix @ run.value([psi[x] for x in sites])
        psi = {
            x: run.add(new[i], *_read(x, psi, link, around, axes), work=_flop(x, around, axes))
            for i, x in enumerate(sites)
        }
    power = np.linalg.matrix_power(matrix, steps)
    run.output([psi[x] for x in sites], power @ start)
    return run


def _read(x, psi, link, around, axes):
    """The links and values that a site reads, by their numbers."""
    near = [(a, by, around(x, a, by)) for a in axes for by in (-1, 1)]
    found = [psi[x]]
    for a, by, y in near:
        if y is not None:
            found += [psi[y], link[x if by > 0 else y, a]]
    return sorted(found)


def _flop(x, around, axes):
    return 24 + 288 * sum(around(x, a, by) is not None for a in axes for by in (-1, 1))


CASES = [
    (1, 3, True),
    (1, 2, False),
    (2, 2, False),
    (2, 3, True),
    (3, 4, True, "x4", 1),
    (3, 4, True, "x4", 2, 4, True),
    (3, 4, False, "x4", 2),
    (2, 5, True, "x3", None, 2),
    (2, 5, False, "x3", None, 2),
    (3, 5, True, "x2", 2, 2),
    (2, 3, True, "x1", 1, 3),
    (3, 4, True, "x1", 2, 2, False, 2),
    (1, 3, True, "x4", None, None, False, None, True),
    (3, 4, False, "x2", 2, 1, False, None, True),
]
