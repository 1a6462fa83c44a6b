"""Kernels that number tiles, keep the order of tiles legal, and choose holds by price."""

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


@kernel
def add_cheapest(moved, words, prices, is_out, io, out, deep):
    """Add the words that the cheapest of some holds moves, and those that it holds.

    moved, words (holds, k): of each hold at each of k sizes; prices (p,) of a word of memory;
    is_out (holds,): to which of `out` and `deep`, as `io` (p, k), its words are added.
    """
    for p in range(prices.size):
        for at in range(moved.shape[1]):
            best, least = 0, moved[0, at] + prices[p] * words[0, at]
            for hold in range(1, moved.shape[0]):
                cost = moved[hold, at] + prices[p] * words[hold, at]
                if cost < least:
                    best, least = hold, cost
            io[p, at] += moved[best, at]
            if is_out[best]:
                out[p, at] += words[best, at]
            else:
                deep[p, at] += words[best, at]
