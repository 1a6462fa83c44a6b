"""Minimum cuts between values of a game, as greatest flows along shortest paths."""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import NONE, ONE, lowest_bit

NO_LIMIT = 1 << 62


# What a value is made into, and made of: sets of values.
LINKS = np.dtype([("above", np.uint64), ("made_of", np.uint64)])
FLOW = np.dtype(
    [
        ("through", np.int64),  # what flows from where a value is entered to where it is left
        ("heads", np.uint64, 2),  # values to which something flows from this one
    ]
)
PATH = np.dtype([("came", np.int64), ("queue", np.int64)])


class Flow(NamedTuple):
    """Room for a flow between values.

    Each value r is a node where paths enter, 2 r, and one where they leave, 2 r + 1; cutting it is
    closing the way between the two. Flows of kind 0 go from 2 u + 1 to 2 r, r above u; those of
    kind 1 from 2 u to 2 r, u above r. value (64,) of `FLOW`; along (2, 64, 64) int64: how much
    flows from u to r, where `heads` has r; path (128,) of `PATH`: the node before, and a queue.
    looked (1,) int64: nodes that were looked at.
    """

    value: np.ndarray
    along: np.ndarray
    path: np.ndarray
    looked: np.ndarray


class Cut(NamedTuple):
    """A cut problem: uint64 sets of values, words of capacity.

    Paths lead from where values of `sources` are entered to where values of `ends` are left, past
    values of `region` only. `cuttable` values can be cut for their capacity (r,) int64, others not.
    closed: whether the values on the side of the sources must contain their operands.
    """

    sources: np.uint64
    ends: np.uint64
    region: np.uint64
    cuttable: np.uint64
    capacity: np.ndarray
    closed: bool


@lean_kernel
def minimum_cut(net, flow, cut):
    """Return the least capacity of values that meet all paths of a cut; net (r,) of `LINKS`."""
    x = cut.region
    while x:
        r = lowest_bit(x)
        x &= x - ONE
        flow.value[r]["through"] = 0
        flow.value[r]["heads"][0] = NONE
        flow.value[r]["heads"][1] = NONE
    total = 0
    while True:
        end = shortest_path(net, flow, cut)
        if end < 0:
            return total
        amount = narrowest(net, flow, cut, end)
        fill(net, flow, end, amount)
        total += amount


@lean_inner_kernel
def capacity_of(cut, r):
    """Return the capacity of a value."""
    return cut.capacity[r] if cut.cuttable >> np.uint64(r) & ONE else NO_LIMIT


@lean_inner_kernel
def come(flow, nodes, side, origin, tail):
    """Put the nodes of some values, entered (0) or left (1), into the queue; return its end."""
    while nodes:
        node = 2 * lowest_bit(nodes) + side
        nodes &= nodes - ONE
        flow.path[node]["came"] = origin
        flow.path[tail]["queue"] = node
        tail += 1
    return tail


@lean_inner_kernel
def senders(flow, kind, values, bit):
    """Return those of `values` from which something flows to the value `bit`."""
    sources = NONE
    while values:
        u = lowest_bit(values)
        values &= values - ONE
        if flow.value[u]["heads"][kind] & bit:
            sources |= ONE << np.uint64(u)
    return sources


@lean_inner_kernel
def shortest_path(net, flow, cut):
    """Return the last node of a path on which more can flow, or -1; `came` says how it goes."""
    entered = cut.sources & cut.region
    parted = NONE
    head, tail = 0, come(flow, entered, 0, -1, 0)
    while head < tail:
        node = flow.path[head]["queue"]
        head += 1
        flow.looked[0] += 1
        r = node >> 1
        bit = ONE << np.uint64(r)
        if node & 1:
            further = net[r]["above"]
            if flow.value[r]["through"] > 0:
                further |= bit
            further &= cut.region & ~entered
            entered |= further
            tail = come(flow, further, 0, node, tail)
            continue
        further = senders(flow, 0, net[r]["made_of"] & cut.region & ~parted, bit)  # back
        if not parted & bit and flow.value[r]["through"] < capacity_of(cut, r):
            if cut.ends & bit:
                flow.path[node + 1]["came"] = node
                return node + 1
            further |= bit
        parted |= further
        tail = come(flow, further, 1, node, tail)
        if cut.closed:
            further = net[r]["made_of"] & cut.region & ~entered
            further |= senders(flow, 1, net[r]["above"] & cut.region & ~entered, bit)
            entered |= further
            tail = come(flow, further, 0, node, tail)
    return -1


@lean_inner_kernel
def narrowest(net, flow, cut, end):
    """Return how much more can flow on the path that ends in a node."""
    amount = NO_LIMIT
    node = end
    while flow.path[node]["came"] >= 0:
        last = flow.path[node]["came"]
        r, u = node >> 1, last >> 1
        if r == u:
            flow_left = (
                capacity_of(cut, r) - flow.value[r]["through"]
                if node & 1
                else flow.value[r]["through"]
            )
            amount = min(amount, flow_left)
        elif node & 1:  # back from where u is entered to where r is left
            amount = min(amount, flow.along[0, r, u])
        elif not last & 1 and not net[u]["made_of"] >> np.uint64(r) & ONE:
            amount = min(amount, flow.along[1, r, u])
        node = last
    return amount


@lean_inner_kernel
def fill(net, flow, end, amount):
    """Let so much more flow on the path that ends in a node."""
    node = end
    while flow.path[node]["came"] >= 0:
        last = flow.path[node]["came"]
        r, u = node >> 1, last >> 1
        if r == u:
            flow.value[r]["through"] += amount if node & 1 else -amount
        elif node & 1:
            send(flow, 0, r, u, -amount)
        elif last & 1:
            send(flow, 0, u, r, amount)
        elif net[u]["made_of"] >> np.uint64(r) & ONE:
            send(flow, 1, u, r, amount)
        else:
            send(flow, 1, r, u, -amount)
        node = last


@lean_inner_kernel
def send(flow, kind, u, r, amount):
    """Let so much more flow from value u to value r, or less."""
    bit = ONE << np.uint64(r)
    if not flow.value[u]["heads"][kind] & bit:
        flow.value[u]["heads"][kind] |= bit
        flow.along[kind, u, r] = 0
    flow.along[kind, u, r] += amount
    if flow.along[kind, u, r] == 0:
        flow.value[u]["heads"][kind] &= ~bit
