"""Kernel that finds the cheapest sequences of layers with points at borders."""

import numpy as np

from dags._numba import kernel


@kernel
def layers_with_contacts(exchanged, read, several, kept, single, parts, price, other_price, least):
    """Lower least (reach+1,) to what sets of each size exchange and pay, if layers have it.

    exchanged (w+1, w+1): what v vertices of a layer, and u of the one before, exchange at least;
    read (w+1,): what v read at least. Up to `single` vertices of a layer are on one face, which pay
    `price` each. In a row of several (k, 2) are vertices on several, which pay `other_price` each,
    and for how many they count. So many keep kept[y] of the vertices on one face of the layer
    before, which is spared, in `parts` each.
    """
    reach, widest = least.size - 1, exchanged.shape[0] - 1
    none = np.int64(2**55)
    # By vertices so far, vertices in the last layer, and how many of them are on one face at least.
    cost = np.full((reach + 1, widest + 1, widest + 2), none)
    spared = np.empty(widest + 1, np.int64)
    least[0] = 0
    for size in range(reach + 1):
        for u in range(1, min(size, widest) + 1):
            for x in range(widest - 1, -1, -1):
                cost[size, u, x] = min(cost[size, u, x], cost[size, u, x + 1])
            least[size] = min(least[size], cost[size, u, 0] + parts * exchanged[0, u])
        for v in range(1, min(widest, reach - size) + 1):
            spared[:] = least[size] + parts * exchanged[v, 0]  # after a gap, or at the beginning
            for u in range(1, min(size, widest) + 1):
                low, both, best = max(read[v] - u, 0), exchanged[v, u], none
                for s in range(widest + 1):
                    best = min(best, cost[size, u, s] + parts * max(both - s, low))
                    spared[s] = min(spared[s], best)
            for k in range(several.shape[0]):
                for y in range(min(single, v - several[k, 0]) + 1):
                    now = spared[min(kept[y + several[k, 1]], widest)]
                    now += price * y + other_price * several[k, 0]
                    cost[size + v, v, y] = min(cost[size + v, v, y], now)
