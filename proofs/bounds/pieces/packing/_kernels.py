"""Kernels that find the flow around a vertex that is worth most at given prices.

Legend: ``indptr``, ``indices`` are predecessor CSR; ``succ_indptr``, ``succ_indices``,
``succ_edges`` successor CSR with each edge's place in `indices`; ``capacity`` (n,) words;
``price`` (n,) int64 what one word through a vertex costs. Nodes 2v and 2v + 1 are "in" and "out"
of vertex v, and flows run as in `proofs.bounds.pieces.cuts`.
"""

import heapq

import numpy as np

from dags._numba import kernel

FAR = 2**62


@kernel
def nearest(indptr, indices, x, most, role, mark, listed):
    """List x and up to `most` vertices that rows lead to from it, nearest first; return how many.

    role (n,) int8 is 0 before and becomes `mark` for those listed.
    """
    role[x] = mark
    listed[0] = x
    head, tail = 0, 1
    while head < tail and tail <= most:
        v = listed[head]
        head += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if role[u] == 0 and tail <= most:
                role[u] = mark
                listed[tail] = u
                tail += 1
    return tail


@kernel
def dearest_flow(
    indptr,
    indices,
    succ_indptr,
    succ_indices,
    succ_edges,
    capacity,
    price,
    x,
    gain,
    most,
    room,
    limit,
    through,
    forth,
    back,
    dist,
    potential,
    came,
    arc,
    role,
    listed,
    seen,
    touched,
    dirty,
):
    """Send the flow from x's ancestors to its descendants that earns most; return three numbers.

    A word that arrives earns `gain` less the prices on its way; paths are added while they earn,
    the cheapest first, at most `most` ancestors and `most` descendants taking part. Given up if at
    most `limit` words can flow and so not more than `gain` times `room` be earned. Returns (flow,
    earnings, vertices touched), the latter in touched (n,) int32.

    through (n,), forth and back (m,) are zeros before, and hold the flow after; so are role (n,)
    and potential (2n,), and dist (2n,) is FAR, before and after. came, arc, seen, dirty (2n,)
    int64 and listed (2, n) are work space.

    Dijkstra's algorithm with potentials, path after path; a potential is kept as its difference
    from that of nodes not yet reached, so that only nodes that were reached need one.
    """  # fmt: skip
    above = nearest(indptr, indices, x, most, role, 1, listed[0])
    role[x] = 0
    below = nearest(succ_indptr, succ_indices, x, most, role, 2, listed[1])
    value = np.int64(0)
    earned = np.int64(0)
    spent = np.int64(0)
    count = 0
    dirty_count = 0
    heap = [(np.int64(0), np.int64(0))]
    while spent < gain:
        heap.clear()
        seen_count = 0
        for i in range(1, above):
            node = 2 * np.int64(listed[0, i])
            dist[node] = 0
            came[node] = -1
            seen[seen_count] = node
            seen_count += 1
            heap.append((np.int64(0), node))
        goal = np.int64(-1)
        while heap:
            d, node = heapq.heappop(heap)
            if d > dist[node]:
                continue
            v = node >> 1
            if role[v] & 2:
                goal = node
                break
            if node & 1:
                preds = 0
                last = succ_indptr[v + 1] - succ_indptr[v]
            else:
                preds = 2 * (indptr[v + 1] - indptr[v])
                last = preds + succ_indptr[v + 1] - succ_indptr[v]
            for k in range(-1, last):
                cost = np.int64(0)
                if node & 1:
                    if k < 0:
                        if through[v] == 0:
                            continue
                        target = node - 1
                        cost = -price[v]
                    else:
                        target = 2 * np.int64(succ_indices[succ_indptr[v] + k])
                elif k < 0:
                    if through[v] >= capacity[v]:
                        continue
                    target = node + 1
                    cost = price[v]
                elif k < preds:
                    e = indptr[v] + k // 2
                    target = 2 * np.int64(indices[e])
                    if k & 1:
                        if forth[e] == 0:
                            continue
                        target += 1
                else:
                    j = succ_indptr[v] + k - preds
                    if back[succ_edges[j]] == 0:
                        continue
                    target = 2 * np.int64(succ_indices[j])
                further = d + cost + potential[node] - potential[target]
                if further + spent < gain and further < dist[target]:
                    if dist[target] == FAR:
                        seen[seen_count] = target
                        seen_count += 1
                    dist[target] = further
                    came[target] = node
                    arc[target] = k
                    heapq.heappush(heap, (further, target))
        if goal < 0:
            for i in range(seen_count):
                dist[seen[i]] = FAR
            break
        step = dist[goal]
        spent += step
        hopeless = earned + (limit - value) * (gain - spent) <= gain * room
        for i in range(seen_count):
            if dist[seen[i]] < step:
                if potential[seen[i]] == 0:
                    dirty[dirty_count] = seen[i]
                    dirty_count += 1
                potential[seen[i]] += dist[seen[i]] - step
            dist[seen[i]] = FAR
        if hopeless:
            break
        amount = np.int64(FAR)
        for turn in range(2):
            node = goal
            while came[node] >= 0:
                k, previous = arc[node], came[node]
                v = previous >> 1
                e = np.int64(0)
                preds = 2 * (indptr[v + 1] - indptr[v])
                if k >= 0:
                    if previous & 1:
                        e = np.int64(succ_edges[succ_indptr[v] + k])
                    elif k < preds:
                        e = indptr[v] + k // 2
                    else:
                        e = np.int64(succ_edges[succ_indptr[v] + k - preds])
                if turn == 0:
                    if k < 0:
                        left = through[v] if previous & 1 else capacity[v] - through[v]
                        amount = min(amount, left)
                    elif previous & 1 == 0:
                        if k >= preds:
                            amount = min(amount, back[e])
                        elif k & 1:
                            amount = min(amount, forth[e])
                else:
                    if role[v] & 4 == 0:
                        role[v] |= 4
                        touched[count] = v
                        count += 1
                    if k < 0:
                        through[v] += -amount if previous & 1 else amount
                    elif previous & 1:
                        forth[e] += amount
                    elif k >= preds:
                        back[e] -= amount
                    elif k & 1:
                        forth[e] -= amount
                    else:
                        back[e] += amount
                node = previous
        v = goal >> 1
        value += amount
        earned += amount * (gain - spent)
        if role[v] & 4 == 0:
            role[v] |= 4
            touched[count] = v
            count += 1
    for i in range(dirty_count):
        potential[dirty[i]] = 0
    for i in range(count):
        role[touched[i]] = 0
    for i in range(above):
        role[listed[0, i]] = 0
    for i in range(below):
        role[listed[1, i]] = 0
    return value, earned, count


@kernel
def earn_many(
    graph,
    capacity,
    price,
    candidates,
    rooms,
    limits,
    gain,
    most,
    work,
    found,
    earned,
    starts,
    flows,
):
    """Find the dearest flow around each of `candidates`; return (flows kept, candidates done).

    rooms (c,) has the words that each flow has to exceed, limits (c,) what it can be at most. Of
    the flow number i that is kept, because it earns more than `gain` times its room, found[i] =
    (vertex, its flow) and earned[i] are filled, and flows[starts[i]:starts[i + 1]] = (e, amount)
    for each edge number e, or (-1 - e, amount) where it runs back. Stops early where `found` or
    `flows` may not hold one more.
    """  # fmt: skip
    indptr, indices, succ_indptr, succ_indices, succ_edges = graph
    through, forth, back, dist, potential, came, arc, role, listed, seen, touched, dirty = work
    kept = 0
    for i in range(candidates.size):
        x = candidates[i]
        if kept == earned.size or starts[kept] + 2 * indices.size > flows.shape[0]:
            return kept, i
        value, earnings, count = dearest_flow(
            indptr, indices, succ_indptr, succ_indices, succ_edges, capacity, price, x, gain, most,
            rooms[i], limits[i],
            through, forth, back, dist, potential, came, arc, role, listed, seen, touched, dirty,
        )  # fmt: skip
        keep = earnings > gain * rooms[i]
        end = starts[kept]
        for j in range(count):
            v = touched[j]
            through[v] = 0
            for e in range(indptr[v], indptr[v + 1]):
                if keep and forth[e] > 0:
                    flows[end, 0] = e
                    flows[end, 1] = forth[e]
                    end += 1
                if keep and back[e] > 0:
                    flows[end, 0] = -1 - e
                    flows[end, 1] = back[e]
                    end += 1
                forth[e] = 0
                back[e] = 0
        if keep:
            found[kept, 0] = x
            found[kept, 1] = value
            earned[kept] = earnings
            kept += 1
            starts[kept] = end
    return kept, candidates.size


@kernel
def connect(indptr, indices, succ_indptr, succ_indices, x, flow, member):
    """Mark in member (n,) what shows a flow around `x`: its edges, and ways from and to x.

    flow has the edges e along which it runs, -1 - e where it runs back; member is False before.
    """
    n = member.size
    head = np.empty(indices.size, np.int32)
    for v in range(n):
        head[indptr[v] : indptr[v + 1]] = v
    member[x] = True
    for code in flow:
        e = code if code >= 0 else -1 - code
        member[head[e]] = True
        member[indices[e]] = True
    toward = np.full(n, -1, np.int32)
    toward[x] = x
    for v in range(x, -1, -1):  # to the next vertex on a way to x, a member if there is one
        if toward[v] >= 0:
            for e in range(indptr[v], indptr[v + 1]):
                u = indices[e]
                if toward[u] < 0 or (member[v] and not member[toward[u]]):
                    toward[u] = v
    for v in range(x + 1, n):
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if u >= x and toward[u] >= 0 and (toward[v] < 0 or member[u]):
                toward[v] = u
    for v in range(x):
        if member[v] and toward[v] >= 0:
            member[toward[v]] = True
    for v in range(n - 1, x, -1):
        if member[v] and toward[v] >= 0:
            member[toward[v]] = True


@kernel
def edges_within(indptr, indices, vertices, member, edges):
    """Fill `edges` with the edges between members, in the order of their heads; return how many."""
    count = 0
    for v in vertices:
        for e in range(indptr[v], indptr[v + 1]):
            if member[indices[e]]:
                edges[count] = e
                count += 1
    return count
