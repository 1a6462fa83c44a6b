"""All sets of vertices of small DAGs, and what each exchanges with the rest."""

import itertools

import numpy as np


def sets_of(readers, members, always=()):
    """(size, values read outside, members needed outside) of each set of `members`, as bits.

    `readers` has what reads each value; members in `always` are needed in any case.
    """
    masks = np.arange(2 ** len(members))
    bit = {v: 1 << i for i, v in enumerate(members)}
    reads, needed = np.zeros((2, masks.size), np.int64)
    for u, reader in readers.items():
        inside = sum(bit[v] for v in reader if v in bit)
        is_in = masks & bit.get(u, 0) > 0
        reads += (masks & inside > 0) & ~is_in
        beyond = u in always or any(v not in bit for v in reader)
        needed += is_in & (beyond | (masks & inside != inside))
    return np.bitwise_count(masks), reads, needed


def readers_in(dag):
    """What reads each vertex of `dag`."""
    indptr, indices = dag.successors
    rows = itertools.pairwise(indptr.tolist())
    return {u: indices[a:b].tolist() for u, (a, b) in enumerate(rows)}


def least_by_size(sizes, values):
    """The least of `values` for each size."""
    minimum = np.full(sizes.max() + 1, 10**6)
    np.minimum.at(minimum, sizes, values)
    return minimum.tolist()


def lines(n):
    """The step along each of n axes."""
    return [tuple(int(i == j) for j in range(n)) for i in range(n)]


def back(v, offset):
    """The place from which `offset` leads to v."""
    return tuple(a - b for a, b in zip(v, offset, strict=True))


def ahead(v, offset):
    """The place to which `offset` leads from v."""
    return tuple(a + b for a, b in zip(v, offset, strict=True))
