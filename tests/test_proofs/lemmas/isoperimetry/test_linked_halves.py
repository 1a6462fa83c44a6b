"""Families of subsets, what they read and what they keep: all families of small lattices."""

from itertools import combinations

import numpy as np
import pytest

from proofs.lemmas.isoperimetry.cubes import (
    FAR,
    _one_by_one,
    exchanged,
    least,
)


def families(d, k):
    """All families of subsets of k of d things: members, what they read, and what they keep."""
    members = [sum(1 << i for i in chosen) for chosen in combinations(range(d), k)]
    below = [sum(1 << i for i in chosen) for chosen in combinations(range(d), k - 1)]
    around = np.array([sum(1 << n for n, y in enumerate(members) if x & y == x) for x in below])
    chosen = np.arange(1 << len(members))
    reads = sum(((chosen & sample) != 0).astype(np.int64) for sample in around)
    keeps = sum(((chosen & sample) == sample).astype(np.int64) for sample in around)
    return sum((chosen >> n) & 1 for n in range(len(members))), reads, keeps


@pytest.mark.parametrize(("d", "k"), [(3, 2), (4, 1), (4, 2), (4, 3), (4, 4), (5, 2), (5, 3)])
def test_no_family_reads_less_or_keeps_more(d, k):
    size, reads, keeps = families(d, k)
    known = least(d, k, 99)
    fewest = np.full_like(known, FAR)
    np.minimum.at(fewest, (size, keeps), reads)
    fewest = np.minimum.accumulate(fewest[:, ::-1], axis=1)[:, ::-1]
    assert (known <= fewest).all()
    assert (known == fewest).mean() > 0.9  # it is the answer, but for a few
    table = exchanged(d, k, 99)
    for u in range(table.shape[0]):
        real = np.full(table.shape[1], FAR)
        np.minimum.at(real, size, np.maximum(u, reads) - np.minimum(u, keeps))
        assert (table[u] <= real).all()


def test_no_less_than_both_sides_one_by_one():
    for d, k, limit in ((7, 3, 20), (8, 5, 30), (9, 9, 9), (6, 1, 40)):
        together, separate = least(d, k, limit), _one_by_one(d, k, limit)
        assert together.shape == separate.shape
        assert (together >= separate).all()
        assert (together > separate).any() == (1 < k < d)
