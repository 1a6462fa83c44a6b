"""Kernels that find the cheapest sequences of layers with points at borders."""

import numpy as np

from dags._numba import inner_kernel, kernel


@kernel
def layers_with_contacts(exchanged, read, several, kept, single, parts, price, other_price, costs):
    """Lower least (reach+1,) to the exchanges and prices of sets of each size, if layers have it.

    exchanged (w+1, w+1): the least exchange of v vertices of a layer, and u of the one before; read
    (w+1,): the least that v read. Up to `single` vertices of a layer are on one face, which pay
    `price` each. In a row of several (k, 2) are vertices on several, which pay `other_price` each,
    and for how many they count. So many keep kept[y] of the vertices on one face of the layer
    before, which is spared, in `parts` each.
    """
    reach, widest = costs.size - 1, exchanged.shape[0] - 1
    unreached = np.int64(2**55)
    # By vertices so far, vertices in the last layer, and how many of them are on one face at least.
    cost = np.full((reach + 1, widest + 1, widest + 2), unreached)
    spared = np.empty(widest + 1, np.int64)
    costs[0] = 0
    for size in range(reach + 1):
        for u in range(1, min(size, widest) + 1):
            for x in range(widest - 1, -1, -1):
                cost[size, u, x] = min(cost[size, u, x], cost[size, u, x + 1])
            costs[size] = min(costs[size], cost[size, u, 0] + parts * exchanged[0, u])
        for v in range(1, min(widest, reach - size) + 1):
            spared[:] = costs[size] + parts * exchanged[v, 0]  # after a gap, or at the beginning
            for u in range(1, min(size, widest) + 1):
                low, exchange, best = max(read[v] - u, 0), exchanged[v, u], unreached
                for s in range(widest + 1):
                    best = min(best, cost[size, u, s] + parts * max(exchange - s, low))
                    spared[s] = min(spared[s], best)
            for k in range(several.shape[0]):
                for y in range(min(single, v - several[k, 0]) + 1):
                    price_here = spared[min(kept[y + several[k, 1]], widest)]
                    price_here += price * y + other_price * several[k, 0]
                    cost[size + v, v, y] = min(cost[size + v, v, y], price_here)


@kernel
def layers_with_prices(exchanged, prices, costs):
    """Lower least (reach+1,) to the exchanges and prices of sets of each size, if layers have it.

    exchanged (w+1, w+1): the least exchange of u vertices of a layer, and v of the next one, with
    the prices of v anywhere, int32, by u; prices (layers,): the price of a vertex of each layer
    besides.
    """
    reach, widest = costs.size - 1, exchanged.shape[0] - 1
    unreached = np.int32(2**29)
    # By vertices so far, and vertices in the last layer.
    before, after = np.full((2, reach + 1, widest + 1), unreached)
    next_one = np.empty(widest + 1, np.int32)
    before[0, 0] = 0
    for t in range(prices.size):
        after[:] = unreached
        for size in range(min(reach, t * widest) + 1):
            limit = min(widest, reach - size)
            next_one[:] = unreached
            for u in range(min(size, widest) + 1):
                so_far, row = before[size, u], exchanged[u]
                if so_far < unreached:
                    for v in range(limit + 1):
                        next_one[v] = min(next_one[v], np.int32(so_far + row[v]))
            for v in range(limit + 1):
                after[size + v, v] = next_one[v] + prices[t] * v
        before, after = after, before
    for size in range(reach + 1):
        for u in range(min(size, widest) + 1):
            costs[size] = min(costs[size], before[size, u] + exchanged[u, 0])


@kernel
def columns_seen(side, seen):
    """Lower seen (w+1, c+1) to how many points v points see, on borders at most b times.

    side (1,): points of the longest column, and whether it has both borders at its ends. States are
    points so far, contacts so far, points of the last column, and the least that it sees.
    """
    widest, limit, high = seen.shape[0] - 1, seen.shape[1] - 1, side[0]
    unreached = np.int32(2**20)
    cost = np.full((widest + 1, limit + 1, high + 1, high + 3), unreached)
    for v in range(widest + 1):
        for b in range(limit + 1):
            for y in range(min(high, v), -1, -1):  # an empty column comes last
                for q in range(high + 3):
                    cost_here = cost[v, b, y, q]
                    if cost_here >= unreached:
                        continue
                    if y > 0:
                        cost[v, b, 0, y] = min(cost[v, b, 0, y], cost_here + q)
                        seen[v, b] = min(seen[v, b], cost_here + q + y)
                    for z in range(1, min(high, widest - v) + 1):
                        next_column(side, cost, v, b, y, z, cost_here + max(q, z))
            for z in range(1, min(high, widest - v) + 1):  # behind empty columns, or at a border
                next_column(side, cost, v, b, 0, z, seen[v, b] + z)
                next_column(side, cost, v, b + z, 0, z, seen[v, b])


@inner_kernel
def next_column(side, cost, v, b, before, y, so_far):
    """Add a column of y points behind one of `before` to the states: with contacts, or without."""
    limit = cost.shape[1] - 1
    fewest, last = (2, 2) if side[1] == 1 and y == side[0] else (0, 1)
    for c in range(fewest, last + 1):
        if b + c <= limit:
            q = max(y + 2 - c, before)
            cost[v + y, b + c, y, q] = min(cost[v + y, b + c, y, q], so_far)
