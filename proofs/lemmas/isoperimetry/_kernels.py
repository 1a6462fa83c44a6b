"""Kernels that find the cheapest sequences of layers, and of levels."""

import numpy as np

from dags._numba import kernel


@kernel
def layer_by_layer(beta, eta, lowest):
    """Lower least (reach+1,) to the least boundary of each size, if a sequence of layers has it.

    beta (w+1,) is the least that so many vertices of a layer read, eta (w+1,) how many can have all
    their readers among so many; no layer of the sequences is wider than w.

    A layer of v behind one of u costs max(beta[v] - u, 0) + max(u - eta[v], 0). So of the u below
    eta[v] the least cost so far minus u counts, of those above beta[v] the least plus u, and of
    those between, where the price is the same for all, the least: each is known for all v in one
    pass over u.
    """
    reach, widest = lowest.size - 1, beta.size - 1
    unreached = np.int32(2**29)
    # By vertices so far, and vertices in the last layer.
    cost = np.full((reach + 1, widest + 1), unreached)
    falling = np.empty(widest + 1, np.int32)  # the least of cost - u up to here
    rising = np.empty(widest + 2, np.int32)  # the least of cost + u from here on
    queue = np.empty(widest + 1, np.int32)  # of those between, each cheaper than all before it
    lowest[0] = 0
    for size in range(reach):
        before = cost[size]
        for v in range(1, min(size, widest) + 1):
            lowest[size] = min(lowest[size], before[v] + v)
        falling[0], rising[widest + 1] = unreached, 2 * unreached
        for u in range(1, widest + 1):
            falling[u] = min(falling[u - 1], before[u] - u)
        for u in range(widest, 0, -1):
            rising[u] = min(rising[u + 1], before[u] + u)
        head, tail, entered = 0, 0, 1
        for v in range(1, min(widest, reach - size) + 1):
            best = np.int32(lowest[size] + beta[v])  # after a gap, or at the beginning
            best = min(best, falling[eta[v]] + beta[v])
            if beta[v] <= widest:
                best = min(best, rising[beta[v]] - eta[v])
            while entered <= min(beta[v], widest):
                while tail > head and before[queue[tail - 1]] >= before[entered]:
                    tail -= 1
                queue[tail] = entered
                tail += 1
                entered += 1
            while tail > head and queue[head] < eta[v]:
                head += 1
            if tail > head:
                best = min(best, before[queue[head]] + beta[v] - eta[v])
            cost[size + v, v] = best
    for v in range(1, min(reach, widest) + 1):
        lowest[reach] = min(lowest[reach], cost[reach, v] + v)


@kernel
def pairs_of_layers(exchanged, lowest):
    """Lower least (reach+1,) to the least boundary of each size, if a sequence of layers has it.

    exchanged (w+1, w+1): the least exchange of v vertices of a layer, and u of the one before.
    """
    reach, widest = lowest.size - 1, exchanged.shape[0] - 1
    cost = np.full((reach + 1, widest + 1), np.int32(2**29))
    lowest[0] = 0
    for size in range(reach + 1):
        for u in range(1, min(size, widest) + 1):
            lowest[size] = min(lowest[size], cost[size, u] + exchanged[0, u])
        for v in range(1, min(widest, reach - size) + 1):
            best = np.int32(lowest[size] + exchanged[v, 0])  # after a gap, or at the beginning
            for u in range(1, min(size, widest) + 1):
                best = min(best, cost[size, u] + exchanged[v, u])
            cost[size + v, v] = best


@kernel
def next_level(beta, eta, before, after):
    """Fill after (y+1, a+1): the least boundary by vertices in this level, and in all so far.

    before (x+1, a+1) is the same one level down, but for its vertices needed above it. beta (y+1,)
    is the least that vertices of this level read, eta (y+1,) how many of the level below can have
    all their readers among them; `after` comes filled with something large.
    """
    limit = before.shape[1]
    for x in range(before.shape[0]):
        for y in range(after.shape[0]):
            price = max(beta[y] - x, 0) + max(x - eta[y], 0)
            for size in range(limit - y):
                total = before[x, size] + price
                if total < after[y, size + y]:
                    after[y, size + y] = total


@kernel
def priced_level(exchanged, denominator, own_boundary, before, after):
    """Fill after (y+1, a+1) as `next_level` does, in parts of which `denominator` make one.

    exchanged (x+1, y+1) is the least exchange of so many of the level below and of this one. Each
    vertex of this level has a price of `own_boundary` parts, which is subtracted.
    """
    limit = before.shape[1]
    for x in range(before.shape[0]):
        for y in range(after.shape[0]):
            price = denominator * exchanged[x, y] - own_boundary * y
            for size in range(x, limit - y):
                total = before[x, size] + price
                if total < after[y, size + y]:
                    after[y, size + y] = total


@kernel
def of_halves(without, linked, reads):
    """Lower reads (v+1, e+1) to the fewest subsets that families read, by S7.

    without, linked: the same tables for the members without the last thing, and for those with it.
    """
    unreached = reads[0, 0]
    for y in range(linked.shape[0]):
        for v in range(y, reads.shape[0]):
            if v - y >= without.shape[0] or without[v - y, y] >= unreached:
                continue
            plain = max(without[v - y, y], y)
            for e in range(min(reads.shape[1], y + linked.shape[1])):
                total = plain + linked[y, max(e - y, 0)]
                reads[v, e] = min(reads[v, e], total)


@kernel
def between_families(reads, exchanged):
    """Lower exchanged (u+1, v+1) to the least exchange of u subsets and families of v above.

    reads (v+1, e+1): the least that a family reads that keeps so many.
    """
    for v in range(reads.shape[0]):
        for u in range(exchanged.shape[0]):
            for e in range(min(u, reads.shape[1] - 1) + 1):
                total = max(u, reads[v, e]) - e
                exchanged[u, v] = min(exchanged[u, v], total)


@kernel
def convex_sums(eta, phi):
    """Fill phi (s+1,), convex, with phi[y] >= eta[y] + phi[eta[y]]; eta[y] < y for y > 0."""
    step = 0
    for y in range(1, phi.size):
        step = max(step, eta[y] + phi[eta[y]] - phi[y - 1])
        phi[y] = phi[y - 1] + step


@kernel
def outwards(beta, seen):
    """Lower seen (n+1,) to the least points that layers of a given number of points see.

    beta (n+1,) is the least that the points of one layer see in it. The middle layer sees that; one
    further out has no more points than the next one further in, and sees as many at least. The two
    sides differ by no more than one layer.
    """
    n = beta.size - 1
    unreached = np.int32(2**29)
    # By points beyond a layer on one side, and points in that layer: what is seen beyond it.
    side = np.full((n + 1, n + 1), unreached)
    queue = np.empty(n + 1, np.int32)  # of those u that see more than v, each cheaper than before
    side[0] = np.arange(n + 1)
    for total in range(1, n + 1):
        lowest = unreached  # of side[total - u, u], where the next layer has u points and sees v
        head, tail, within = 0, 0, 0
        for v in range(1, n - total + 1):
            if v <= total:
                cost = beta[v] + side[total - v, v]
                while tail > head:
                    u = queue[tail - 1]
                    if beta[u] + side[total - u, u] < cost:
                        break
                    tail -= 1
                queue[tail] = v
                tail += 1
            while within < min(v, total) and beta[within + 1] <= v:
                within += 1
                lowest = min(lowest, side[total - within, within])
            while tail > head and queue[head] <= within:
                head += 1
            side[total, v] = v + lowest
            if tail > head:
                u = queue[head]
                side[total, v] = min(side[total, v], beta[u] + side[total - u, u])
    best = np.full(n + 1, unreached)
    beyond_v = np.empty(n + 1, np.int32)
    for v in range(1, n + 1):
        for points in range(n - v + 1):
            beyond_v[points] = side[points, v]
        for below in range(n - v + 1):
            first_layer = np.int32(beta[v]) + beyond_v[below]
            for above in range(max(below - v, 0), min(below, n - v - below) + 1):
                total = first_layer + beyond_v[above]
                if total < best[v + below + above]:
                    best[v + below + above] = total
    for points in range(1, n + 1):
        seen[points] = min(seen[points], np.int64(best[points]))
    seen[0] = 0


@kernel
def thinner_layers(beta, passed, layers, seen):
    """Lower seen (n+1,) to the least points that so many points see, in layers that grow thinner.

    beta (w+1,) is the least that the points of one layer see in it, passed (w+1,) the least they
    see in the next one, if that is one of the `layers`.
    """
    n, widest = seen.size - 1, beta.size - 1
    unreached = np.int32(2**29)
    # By points so far, and points in the last layer: what is seen, but for the layer behind it.
    before = np.full((n + 1, widest + 1), unreached)
    after = np.full((n + 1, widest + 1), unreached)
    behind = np.empty(widest + 2, np.int32)  # the least of cost + passed[u] from here on
    queue = np.empty(widest + 1, np.int32)  # of those that beta covers, each cheaper than before it
    seen[0] = 0
    for u in range(1, widest + 1):
        before[u, u] = beta[u]
    for layer in range(1, min(layers, n) + 1):
        for total in range(layer, n + 1):
            for u in range(1, min(widest, total // layer) + 1):
                cost = before[total, u]
                if layer < layers:
                    cost += passed[u]
                seen[total] = min(seen[total], cost)
        after[:, : min(widest, n // layer) + 1] = unreached
        for total in range(layer, n):
            row = before[total]
            top = min(widest, total // layer)
            behind[top + 1] = unreached
            for u in range(top, 0, -1):
                behind[u] = min(behind[u + 1], row[u] + passed[u])
            head, tail, entered = 0, 0, 1
            for v in range(1, min(top, n - total) + 1):
                while entered <= top and passed[entered] <= beta[v]:
                    while tail > head and row[queue[tail - 1]] >= row[entered]:
                        tail -= 1
                    queue[tail] = entered
                    tail += 1
                    entered += 1
                while tail > head and queue[head] < v:
                    head += 1
                best = behind[max(entered, v)]
                if tail > head:
                    best = min(best, row[queue[head]] + beta[v])
                after[total + v, v] = best
        before, after = after, before


@kernel
def two_sections(next_same, before, kept, ahead, lowest):
    """Lower least (reach+1,) to the least boundary of each size, if a sequence of layers has it.

    same, before (w+1,): the least that so many points reach in their own layer and in the one
    before; kept, ahead (w+1,): how many can have all that reads them, in their own layer and in the
    one after, among so many. No layer of the sequences is wider than w.
    """
    reach, widest = lowest.size - 1, next_same.size - 1
    unreached = np.int32(2**29)
    cost = np.full(
        (reach + 1, widest + 1), unreached
    )  # by points so far, and points in the last layer
    lowest[0] = 0
    for size in range(reach + 1):
        for u in range(1, min(size, widest) + 1):
            lowest[size] = min(lowest[size], cost[size, u] + next_same[u])
        for v in range(1, min(widest, reach - size) + 1):
            best = np.int32(lowest[size] + before[v])  # after a gap, or at the beginning
            for u in range(1, min(size, widest) + 1):
                price = max(next_same[u], before[v]) - u + max(0, u - min(kept[u], ahead[v]))
                best = min(best, cost[size, u] + max(price, 0))
            cost[size + v, v] = best


@kernel
def beyond(beside, next_layer, side):
    """Fill side (n+1, n+1): points reached beyond a layer, by points beyond it and in it.

    same, next_layer (n+1,): the least that so many points reach in their own layer, and in the next
    one further out.
    """
    n = beside.size - 1
    for u in range(n + 1):
        side[0, u] = next_layer[u]
    for total in range(1, n + 1):
        side[total, 0] = 2**29
        for v in range(1, total + 1):  # behind a layer without points
            side[total, 0] = min(side[total, 0], beside[v] + side[total - v, v])
        for u in range(1, n + 1):
            side[total, u] = next_layer[u] + side[total, 0]
            for v in range(1, total + 1):
                seen = max(beside[v], next_layer[u]) + side[total - v, v]
                side[total, u] = min(side[total, u], seen)


@kernel
def both_sides(beside, above, below, seen):
    """Lower seen (n+1,) to the least that points reach, by those beyond a middle layer.

    same (n+1,): the least that the points of the middle layer reach in it; above, below (n+1, n+1):
    as `beyond` fills them. One row of `below` says that there is nothing on that side.
    """
    n = beside.size - 1
    for v in range(1, n + 1):
        for down in range(min(n - v, below.shape[0] - 1) + 1):
            for up in range(n - v - down + 1):
                total = beside[v] + above[up, v] + below[down, v]
                seen[v + down + up] = min(seen[v + down + up], total)


@kernel
def shadow(reads, widths, seen):
    """Lower seen (n+1,) to the least values that so many points of a layer of a grid read.

    The layer is cut into slices across an axis, slice 0 at its border: reads (s, w+1) is the reads
    of so many points of a slice in it, widths (s,) how many points a slice has. A slice has, of all
    reads, those and all points of the next slice.
    """
    n, slices = seen.size - 1, widths.size
    unreached = np.int64(2**40)
    widest = reads.shape[1] - 1
    cost = np.full((n + 1, widest + 1), unreached)  # by points so far, and points in the last slice
    after = np.full((n + 1, widest + 1), unreached)
    falling, rising = np.empty(widest + 1, np.int64), np.empty(widest + 2, np.int64)
    cost[0, 0] = 0
    last = 0
    for z in range(slices - 1, -1, -1):
        after[:] = unreached
        for total in range(n + 1):
            row = cost[total]
            falling[0], rising[last + 1] = row[0], unreached
            for u in range(1, last + 1):
                falling[u] = min(falling[u - 1], row[u])
            for u in range(last, -1, -1):
                rising[u] = min(rising[u + 1], row[u] + u)
            for v in range(min(widths[z], n - total) + 1):
                values_read = reads[z, v]
                middle = min(values_read, last)
                after[total + v, v] = min(values_read + falling[middle], rising[middle + 1])
        cost, after = after, cost
        last = widths[z]
    for total in range(n + 1):
        for u in range(min(last, total) + 1):
            seen[total] = min(seen[total], cost[total, u])


@kernel
def priced_layers(reads, kept, widths, prices, scale, cost):
    """Fill cost (layers, a+1, w+1): the least of `scale` times the boundary less the prices.

    By layers, vertices so far, and vertices in the last layer. reads, kept (layers, w+1): reads of
    so many vertices of a layer, and how many of the layer before may be read by them alone; widths
    (layers,): vertices of each layer; prices (layers,) of a vertex. `cost` comes filled with
    something large. A layer of v behind one of u costs max(reads[v] - u, 0) + max(u - kept[v], 0):
    of the u below both the least cost less u counts, of those above both the least plus u.
    """
    limit, widest = cost.shape[1] - 1, cost.shape[2] - 1
    unreached = cost[0, 0, 0]
    falling, rising = np.empty(widest + 1, np.int64), np.empty(widest + 2, np.int64)
    queue = np.empty(widest + 1, np.int64)  # of those between, each cheaper than all before it
    cost[0, 0, 0] = 0
    for t in range(1, widths.size):
        for total in range(limit + 1):
            row = cost[t - 1, total]
            top = min(widths[t - 1] if t > 1 else 0, total)
            falling[0], rising[top + 1] = row[0], 2 * unreached
            for u in range(1, top + 1):
                falling[u] = min(falling[u - 1], row[u] - scale * u)
            for u in range(top, -1, -1):
                rising[u] = min(rising[u + 1], row[u] + scale * u)
            head, tail, entered = 0, 0, 0
            for v in range(min(widths[t], limit - total) + 1):
                low, high = min(reads[t, v], kept[t, v]), max(reads[t, v], kept[t, v])
                best = falling[min(low, top)] + scale * reads[t, v]
                if high <= top:
                    best = min(best, rising[high] - scale * kept[t, v])
                while entered <= min(high, top):
                    while tail > head and row[queue[tail - 1]] >= row[entered]:
                        tail -= 1
                    queue[tail] = entered
                    tail += 1
                    entered += 1
                while tail > head and queue[head] < low:
                    head += 1
                if tail > head:
                    between = scale * max(reads[t, v] - kept[t, v], 0)
                    best = min(best, row[queue[head]] + between)
                cost[t, total + v, v] = best - prices[t] * v
