"""Kernels that find the flow around a vertex that is worth most at given prices.

The network is that of `proofs.bounds.pieces.cuts`: nodes 2v and 2v + 1 are "in" and "out" of vertex
v, the first arc of each leads to the other, and flow begins at in of ancestors and ends at in of
descendants. A word that flows through v costs ``price[v]``.

Dijkstra's algorithm with potentials, path after path, at any time only around one vertex: its
writes are undone, so that a flow costs time for the vertices that it meets, not for all. A
potential is kept as its difference from that of nodes not yet reached, so that only nodes that were
reached need one.
"""

import heapq
from typing import NamedTuple

import numpy as np

from dags._numba import inner_kernel, kernel, lean_inner_kernel, lean_kernel, lean_part
from proofs.bounds.pieces.cuts._kernels.flows import FAR, Network
from proofs.bounds.pieces.cuts._kernels.wavefronts import Graph, flow_back, flow_forth

ABOVE, BELOW, TOUCHED = 1, 2, 4  # bits of a role


class Market(NamedTuple):
    """A piece of n vertices with prices: the same for the flows around all of them."""

    graph: Graph
    network: Network
    empty: np.ndarray  # (arcs,) int64: the room without a flow
    price: np.ndarray  # (n,) int64: what a word through each value costs
    gain: int  # what a word earns that arrives
    most: int  # ancestors that may take part, and descendants


class Desk(NamedTuple):
    """Room to work in; outside of `dearest_flow` as the comments say."""

    room: np.ndarray  # (arcs,) int64: as without a flow, or with the flow that was found
    role: np.ndarray  # (n,) int8: 0
    listed: np.ndarray  # (2, n) int32: ancestors, and descendants, that take part
    touched: np.ndarray  # (n,) int32: vertices on paths of the flow
    dist: np.ndarray  # (2n,) int64: FAR
    seen: np.ndarray  # (2n,) int64: nodes whose `dist` is set
    came: np.ndarray  # (2n,) int64: the arc on which a node was reached, -1 for the first
    potential: np.ndarray  # (2n,) int64: 0
    raised: np.ndarray  # (2n,) int64: nodes whose `potential` is set
    count: np.ndarray  # (5,) int64: listed (above, below), touched, raised; arcs looked at so far


@lean_inner_kernel
def nearest(indptr, indices, x, limit, role, mark, listed):
    """List x and up to `limit` vertices that rows lead to from it, nearest first; return how many.

    role (n,) int8 is 0 before and becomes `mark` for those listed.
    """
    role[x] = mark
    listed[0] = x
    head, tail = 0, 1
    while head < tail and tail <= limit:
        v = listed[head]
        head += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if role[u] == 0 and tail <= limit:
                role[u] = mark
                listed[tail] = u
                tail += 1
    return tail


@lean_inner_kernel
def take_part(market, desk, x):
    """List who takes part in flows around x."""
    graph = market.graph
    desk.count[0] = nearest(
        graph.indptr, graph.indices, x, market.most, desk.role, ABOVE, desk.listed[0]
    )
    desk.role[x] = 0
    desk.count[1] = nearest(
        graph.succ_indptr, graph.succ_indices, x, market.most, desk.role, BELOW, desk.listed[1]
    )
    desk.count[2:4] = 0


@inner_kernel
def cheapest_way(market, desk, heap, spent):
    """Find a cheapest way that still earns; return (where it ends or -1, nodes seen).

    spent is the least that a word pays on a way.
    """
    starts, heads, price, gain = (
        market.network.starts, market.network.heads, market.price, market.gain,
    )  # fmt: skip
    room, role, dist, potential = desk.room, desk.role, desk.dist, desk.potential
    heap.clear()
    seen = 0
    for i in range(1, desk.count[0]):
        node = 2 * np.int64(desk.listed[0, i])
        dist[node] = 0
        desk.came[node] = -1
        desk.seen[seen] = node
        seen += 1
        heap.append((np.int64(0), node))
    while heap:
        d, node = heapq.heappop(heap)
        if d > dist[node]:
            continue
        v = node >> 1
        if role[v] & BELOW:
            return node, seen
        arcs = starts[node]
        desk.count[4] += starts[node + 1] - arcs
        cost = -price[v] if node & 1 else price[v]  # of the first arc alone
        from_here = d + potential[node]
        for arc in range(arcs, starts[node + 1]):
            if room[arc] > 0:
                to = np.int64(heads[arc])
                further = from_here + cost - potential[to]
                if further + spent < gain and further < dist[to]:
                    if dist[to] == FAR:
                        desk.seen[seen] = to
                        seen += 1
                    dist[to] = further
                    desk.came[to] = arc
                    heapq.heappush(heap, (further, to))
            cost = np.int64(0)
    return np.int64(-1), seen


@lean_inner_kernel
def raise_potentials(desk, seen, step):
    """Add to the potentials of nodes nearer than `step`, and forget all distances."""
    for i in range(seen):
        node = desk.seen[i]
        if desk.dist[node] < step:
            if desk.potential[node] == 0:
                desk.raised[desk.count[3]] = node
                desk.count[3] += 1
            desk.potential[node] += desk.dist[node] - step
        desk.dist[node] = FAR


@lean_part
def touch(desk, v):
    """List v among the vertices on paths."""
    if desk.role[v] & TOUCHED == 0:
        desk.role[v] |= TOUCHED
        desk.touched[desk.count[2]] = v
        desk.count[2] += 1


@lean_inner_kernel
def send(network, desk, goal):
    """Send as much as fits along the way to `goal`, and return how much it is."""
    amount, node = np.int64(FAR), goal
    while desk.came[node] >= 0:
        amount = min(amount, desk.room[desk.came[node]])
        node = np.int64(network.heads[network.twins[desk.came[node]]])
    node = goal
    while desk.came[node] >= 0:
        arc = desk.came[node]
        desk.room[arc] -= amount
        desk.room[network.twins[arc]] += amount
        node = np.int64(network.heads[network.twins[arc]])
        touch(desk, node >> 1)
    touch(desk, goal >> 1)
    return amount


@lean_part
def charge_operands(market, x, amount):
    """Add to the prices of the operands of x, so that no flow goes through them."""
    for e in range(market.graph.indptr[x], market.graph.indptr[x + 1]):
        market.price[market.graph.indices[e]] += amount


@inner_kernel
def dearest_flow(market, desk, x, floor, limit):
    """Send the flow from x's ancestors to its descendants that earns most; return (flow, earnings).

    A word that arrives earns the gain less the prices on its way; paths are added while they earn,
    the cheapest first, none of them through an operand of x. Given up if at most `limit` words can
    flow and so not more than `floor` words' gain be earned. The flow is in the desk's room, its
    vertices are those touched.
    """
    take_part(market, desk, x)
    gain = market.gain
    charge_operands(market, x, gain)
    value, earned, spent = np.int64(0), np.int64(0), np.int64(0)
    heap = [(np.int64(0), np.int64(0))]
    while spent < gain:
        goal, seen = cheapest_way(market, desk, heap, spent)
        step = desk.dist[goal] if goal >= 0 else -FAR
        raise_potentials(desk, seen, step)
        if goal < 0:
            break
        spent += step
        if earned + (limit - value) * (gain - spent) <= gain * floor:
            break
        amount = send(market.network, desk, goal)
        value += amount
        earned += amount * (gain - spent)
    charge_operands(market, x, -gain)
    for i in range(desk.count[3]):
        desk.potential[desk.raised[i]] = 0
    for i in range(desk.count[2]):
        desk.role[desk.touched[i]] = 0
    for side in range(2):
        for i in range(desk.count[side]):
            desk.role[desk.listed[side, i]] = 0
    return value, earned


@lean_inner_kernel
def copy_flow(market, desk, flows, end):
    """Write the flow to `flows` from row `end` on; return the row after it."""
    graph, network = market.graph, market.network
    for j in range(desk.count[2]):
        v = desk.touched[j]
        for e in range(graph.indptr[v], graph.indptr[v + 1]):
            forth = flow_forth(graph.indptr, network, desk.room, v, e)
            if forth > 0:
                flows[end, 0], flows[end, 1] = e, forth
                end += 1
            back = flow_back(graph.indptr, network, desk.room, v, e)
            if back > 0:
                flows[end, 0], flows[end, 1] = -1 - e, back
                end += 1
    return end


@lean_inner_kernel
def forget_flow(market, desk):
    """Give all arcs of touched vertices the room that they have without a flow."""
    for j in range(desk.count[2]):
        v = desk.touched[j]
        first, last = market.network.starts[2 * v], market.network.starts[2 * v + 2]
        for arc in range(first, last):
            desk.room[arc] = market.empty[arc]


@kernel
def earn_many(market, desk, candidates, floors, limits, flows_found, earned, starts, flows):
    """Find the dearest flow around each of `candidates`; return (flows kept, candidates done).

    floors (c,) has the words that each flow has to exceed, limits (c,) its maximum. Of the flow
    number i that is kept, because it earns more than its floor's gain, flows_found[i] = (vertex,
    its flow) and earned[i] are filled, and flows[starts[i]:starts[i + 1]] = (e, amount) for each
    edge number e, or (-1 - e, amount) where it runs back. Stops early where `flows_found` or
    `flows` may not hold one more.
    """
    kept = 0
    for i in range(candidates.size):
        if kept == earned.size or starts[kept] + 2 * market.graph.indices.size > flows.shape[0]:
            return kept, i
        value, earnings = dearest_flow(market, desk, candidates[i], floors[i], limits[i])
        if earnings > market.gain * floors[i]:
            flows_found[kept, 0], flows_found[kept, 1] = candidates[i], value
            earned[kept] = earnings
            starts[kept + 1] = copy_flow(market, desk, flows, starts[kept])
            kept += 1
        forget_flow(market, desk)
    return kept, candidates.size


@kernel
def connect(graph, x, flow, member):
    """Mark in member (n,) the part that shows a flow around `x`: its edges, and ways from and to x.

    flow has the edges e along which it runs, -1 - e where it runs back; member is False before.
    """
    n, indptr, indices = member.size, graph.indptr, graph.indices
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


@lean_kernel
def edges_within(graph, vertices, member, edges):
    """Fill `edges` with the edges between members, in the order of their heads; return how many."""
    count = 0
    for v in vertices:
        for e in range(graph.indptr[v], graph.indptr[v + 1]):
            if member[graph.indices[e]]:
                edges[count] = e
                count += 1
    return count
