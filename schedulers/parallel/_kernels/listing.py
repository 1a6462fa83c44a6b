"""The kernel of list scheduling."""

import numpy as np

from dags._numba import kernel


@kernel
def deal(indptr, indices, words, order, ends, far, owner, finish, free):
    """Give each segment of an order to the processor that can finish it first.

    indptr (n+1,), indices (m,): predecessor CSR; words (n,) int64; order (N,) the computed
    vertices, and ends (s,) where its segments end; far: the cost of a word of an operand that
    another processor computes; owner (n,) int32, -1 for inputs, finish (n,) and free (p,) float64
    are filled: when each value is there, and each processor free. An operand is paid for once.
    """
    processors = free.size
    seen = np.full(words.size, -1, np.int64)
    begin = 0
    for s in range(ends.size):
        arrival = np.zeros(processors)  # of the latest operand, on each processor
        own = np.zeros(processors)  # words that are there already
        read = 0
        for at in range(begin, ends[s]):
            for e in range(indptr[order[at]], indptr[order[at] + 1]):
                u = indices[e]
                if seen[u] == s:
                    continue
                seen[u] = s
                read += words[u]
                if owner[u] < 0:
                    continue
                own[owner[u]] += words[u]
                for q in range(processors):
                    arrival[q] = max(arrival[q], finish[u] + (q != owner[u]) * far * words[u])
        best, least = 0, np.inf
        for q in range(processors):
            end = max(free[q], arrival[q]) + ends[s] - begin + far * (read - own[q])
            if end < least:
                best, least = q, end
        for at in range(begin, ends[s]):
            owner[order[at]] = best
            finish[order[at]] = least
            seen[order[at]] = s
        free[best] = least
        begin = ends[s]
