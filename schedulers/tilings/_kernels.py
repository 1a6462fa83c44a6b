"""Kernels that number tiles, keep the order of tiles legal, and choose holds by price."""

import numpy as np

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
    is_out (holds,): to which of `out` and `deep`, as `io` (p, k), its words are added. Sizes are
    the inner loop, so that processors compare a few at once.
    """
    holds, k = moved.shape
    values, best = np.empty(k), np.empty(k, np.int64)
    for p in range(prices.size):
        price = prices[p]
        for place in range(k):
            values[place] = moved[0, place] + price * words[0, place]
            best[place] = 0
        for hold in range(1, holds):
            for place in range(k):
                cost = moved[hold, place] + price * words[hold, place]
                is_less = cost < values[place]
                values[place] = cost if is_less else values[place]
                best[place] = hold if is_less else best[place]
        for place in range(k):
            io[p, place] += moved[best[place], place]
            if is_out[best[place]]:
                out[p, place] += words[best[place], place]
            else:
                deep[p, place] += words[best[place], place]


@kernel
def mark_dominated(rows, limit, is_dominated):
    """Mark rows than which another one is less or equal in all columns; return how many are not.

    rows (k, columns) in lexicographic order, of equal ones the first stays; is_dominated (k,),
    all false before. Once more than `limit` are not, the remaining rows are left unmarked.
    """
    count, columns = rows.shape
    undominated = 0
    for first in range(count):
        if is_dominated[first]:
            continue
        undominated += 1
        if undominated > limit:
            break
        for later in range(first + 1, count):
            if is_dominated[later]:
                continue
            is_less = False
            for column in range(columns):
                if rows[later, column] < rows[first, column]:
                    is_less = True
                    break
            is_dominated[later] = not is_less
    return undominated


@kernel
def last_undominated(rows):
    """The place of the last of rows (k, columns) in lexicographic order that none before is below.

    A row is below another where it is less or equal in all columns.
    """
    count, columns = rows.shape
    for place in range(count - 1, 0, -1):
        is_dominated = False
        for first in range(place):
            is_less = False
            for column in range(columns):
                if rows[place, column] < rows[first, column]:
                    is_less = True
                    break
            if not is_less:
                is_dominated = True
                break
        if not is_dominated:
            return place
    return 0
