"""Kernels that find the cheapest sequences of layers, and of levels."""

import numpy as np

from dags._numba import kernel


@kernel
def layer_by_layer(beta, eta, least):
    """Lower least (reach+1,) to the least boundary of each size, if a sequence of layers has it.

    beta (w+1,) is what so many vertices of a layer read at least, eta (w+1,) how many can have
    all their readers among so many; no layer of the sequences is wider than w.
    """
    reach, widest = least.size - 1, beta.size - 1
    price = np.empty((widest + 1, widest + 1), np.int32)  # of a layer, and the one before it
    for v in range(widest + 1):
        for u in range(widest + 1):
            price[v, u] = max(beta[v] - u, 0) + max(u - eta[v], 0)
    # By vertices so far, and vertices in the last layer.
    cost = np.full((reach + 1, widest + 1), np.int32(2**29))
    least[0] = 0
    for size in range(1, reach + 1):
        for v in range(1, min(size, widest) + 1):
            rest = size - v
            before, prices = cost[rest], price[v]
            best = np.int32(least[rest] + beta[v])  # after a gap, or at the beginning
            for u in range(1, min(rest, widest) + 1):
                best = min(best, before[u] + prices[u])
            cost[size, v] = best
            least[size] = min(least[size], best + v)


@kernel
def next_level(beta, eta, before, after):
    """Fill after (y+1, a+1): the least boundary by vertices in this level, and in all so far.

    before (x+1, a+1) is the same one level down, but for what of that level is needed above it.
    beta (y+1,) is what vertices of this level read at least, eta (y+1,) how many of the level
    below can have all their readers among them; `after` comes filled with something large.
    """
    most = before.shape[1]
    for x in range(before.shape[0]):
        for y in range(after.shape[0]):
            price = max(beta[y] - x, 0) + max(x - eta[y], 0)
            for size in range(most - y):
                total = before[x, size] + price
                if total < after[y, size + y]:
                    after[y, size + y] = total


@kernel
def convex_sums(eta, phi):
    """Fill phi (s+1,), convex, with phi[y] >= eta[y] + phi[eta[y]]; eta[y] < y for y > 0."""
    step = 0
    for y in range(1, phi.size):
        step = max(step, eta[y] + phi[eta[y]] - phi[y - 1])
        phi[y] = phi[y - 1] + step


@kernel
def outwards(beta, seen):
    """Lower seen (n+1,) to the least points that sequences of layers of so many points see.

    beta (n+1,) is what the points of one layer see in it at least. The middle layer sees that;
    one further out sees at least as many points as the next one further in has.
    """
    n = beta.size - 1
    # By points beyond a layer on one side, and points in that layer: what is seen beyond it.
    side = np.empty((n + 1, n + 1), np.int32)
    side[0] = np.arange(n + 1)
    most = np.empty(n + 2, np.int32)
    for total in range(1, n + 1):
        # After the first loop most[u]: if the next layer has u points or more and sees beta.
        most[total + 1] = 2**29
        for u in range(total, 0, -1):
            most[u] = min(most[u + 1], beta[u] + side[total - u, u])
        least, u = np.int32(2**29), 0  # least: the next layer has u or fewer, and sees v
        nothing = most[1]
        for v in range(n + 1):
            while u < total and beta[u + 1] <= v:
                u += 1
                least = min(least, side[total - u, u])
            side[total, v] = v + min(least, nothing)
            if u < total:
                side[total, v] = min(side[total, v], most[u + 1])
    for v in range(1, n + 1):
        for below in range(n - v + 1):
            one = beta[v] + side[below, v]
            for above in range(min(below, n - v - below) + 1):
                points = v + below + above
                seen[points] = min(seen[points], one + side[above, v])
    seen[0] = 0
