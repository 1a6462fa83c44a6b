"""Kernels on arrays against NumPy."""

import numpy as np
import pytest

from dags._kernels import sort_range


@pytest.mark.parametrize("size", [0, 1, 2, 3, 40, 3000])
def test_a_range_is_sorted_and_the_rest_stays(size):
    rng = np.random.default_rng(size)
    for values in (rng.integers(0, size + 1, size), np.arange(size)[::-1]):
        sorted_ = values.astype(np.int32)
        first, last = size // 7, size - size // 9
        sort_range(sorted_, first, last)
        expected = values.astype(np.int32)
        expected[first:last].sort()
        assert sorted_.tolist() == expected.tolist()
