"""Kernels that number tiles and keep the order of tiles legal."""

from dags._numba import kernel


@kernel
def raise_to_operands(indptr, indices, key):
    """Raise the key (n,) of each vertex to the largest of its operands' keys.

    indptr (n + 1,), indices (m,): predecessors. Then ordering by key, and by number where keys
    are equal, computes operands before results.
    """
    for v in range(indptr.size - 1):
        largest = key[v]
        for e in range(indptr[v], indptr[v + 1]):
            largest = max(largest, key[indices[e]])
        key[v] = largest


@kernel
def add_digit(values, divisor, places, key):
    """Append to each key (n,) the place of its value among multiples of `divisor`.

    values (n,) are at least 0; there are `places` of them.
    """
    for v in range(values.size):
        key[v] = key[v] * places + values[v] // divisor
