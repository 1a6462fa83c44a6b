"""Matrix products: a block of C stays, columns of A and rows of B stream by."""

from collections.abc import Iterator
from math import ceil

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array

CANDIDATES = 3


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of the product by blocks of C, the most promising block shapes first.

    For a block of a x b entries of C, rank-1 updates follow each other: for each l a column of
    `a` entries of A stays while b entries of B pass, one at a time. With the new value of one
    entry beside the old one that takes ab + a + 2 words (ab + a + 3 where products are vertices
    of their own), and moves mn + k (m ceil(n/b) + n ceil(m/a)) words: mn for C, k m for A with
    every block column and k n for B with every block row.

    Source
    ------
    G. Kwasniewski et al., Red-blue pebbling revisited: near optimal parallel matrix-matrix
    multiplication (COSMA), SC 2019, section 4, for sliding pebbles: ab + a + 1 words.
    """
    n, m, k, form = (dag.params[key] for key in ("n", "m", "k", "form"))
    for a, b in block_shapes(m, n, k, memory - (2 if form == "fma" else 3)):
        yield _blocked(n, m, k, 1 if form == "fma" else 2, a, b)


def predicted_io(m: int, n: int, k: int, a: int, b: int) -> int:
    """Return the words that blocks of a x b entries of C move."""
    return m * n + k * (m * ceil(n / b) + n * ceil(m / a))


def block_shapes(m: int, n: int, k: int, room: int) -> list[tuple[int, int]]:
    """Return the best block shapes (a, b) with ab + a <= room."""
    shapes = {(1, 1)}
    for a in range(1, min(m, max(room // 2, 1)) + 1):
        b = min(n, (room - a) // a)
        if b >= 1:
            # the smallest sides that cut C into as many blocks leave words for other values
            shapes.add((ceil(m / ceil(m / a)), ceil(n / ceil(n / b))))
    return sorted(shapes, key=lambda shape: (predicted_io(m, n, k, *shape), shape))[:CANDIDATES]


def _blocked(n: int, m: int, k: int, per_step: int, a: int, b: int) -> Int32Array:
    """Return the order of blocks of a x b entries; an entry of C is k steps of vertices.

    Blocks are visited row by row, back and forth.
    """
    first = m * k + k * n
    per_entry = per_step * (k - 1) + 1
    step = np.zeros((k, per_step), np.int32)  # vertices of an entry's steps; step 0 has one
    step[1:] = 1 + np.arange(per_step * (k - 1)).reshape(k - 1, per_step)
    parts = []
    for i0 in range(0, m, a):
        i = np.arange(i0, min(i0 + a, m))
        columns = range(0, n, b)
        for j0 in columns if (i0 // a) % 2 == 0 else reversed(columns):
            j = np.arange(j0, min(j0 + b, n))
            entry = (first + per_entry * (i[None, :] * n + j[:, None])).astype(np.int32)
            parts.append(entry.reshape(-1))
            later = entry[None, :, :, None] + step[1:, None, None, :]
            parts.append(later.reshape(-1))
    return np.concatenate(parts)
