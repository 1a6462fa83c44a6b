"""Kernels that choose cliques."""

import numpy as np

from dags._numba import kernel


@kernel
def best_cliques(indptr, indices, points, sizes, members):
    """Fill, for each vertex with successors, the clique that spreads the points most.

    indptr (n+1,) and indices are the successors; points (n, d) is an embedding. A clique of s
    members scores the squared distances of all its pairs over floor(s^2 / 4). sizes (n,) gets s,
    or 0 without successors; members (n, most) the clique, of the vertex and its first most - 1
    successors. Cliques grow greedily from every one of these.
    """
    n, most = members.shape
    candidates = np.empty(most, np.int64)
    far = np.empty((most, most))
    gain = np.empty(most)
    order = np.empty(most, np.int64)
    for u in range(n):
        sizes[u] = 0
        best = -1.0
        r = min(indptr[u + 1] - indptr[u] + 1, most)
        candidates[0] = u
        for i in range(1, r):
            candidates[i] = indices[indptr[u] + i - 1]
        for i in range(r):
            for j in range(i):
                total = 0.0
                for c in range(points.shape[1]):
                    step = points[candidates[i], c] - points[candidates[j], c]
                    total += step * step
                far[i, j] = total
                far[j, i] = total
        for start in range(r if r > 1 else 0):
            total = 0.0
            for i in range(r):
                order[i] = i
                gain[i] = 0.0
            order[0], order[start] = start, 0
            for s in range(1, r + 1):  # order[:s] is the clique
                last = order[s - 1]
                total += gain[last]
                score = total / max(s * s // 4, 1)
                if s > 1 and score > best * (1 + 1e-9):
                    best = score
                    sizes[u] = s
                    for i in range(s):
                        members[u, i] = candidates[order[i]]
                place = s
                for i in range(s, r):
                    gain[order[i]] += far[order[i], last]
                    if gain[order[i]] > gain[order[place]]:
                        place = i
                if s < r:
                    order[s], order[place] = order[place], order[s]
