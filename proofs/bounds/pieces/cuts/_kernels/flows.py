"""Kernels for greatest flows, by E. A. Dinic's algorithm: in rounds, along shortest ways.

``room`` (arcs,) int64 is the room left in each arc: a flow along an arc takes from its room and
adds to that of its twin, which runs back. ``side`` (nodes,) int8 is SOURCE where flow may begin,
SINK where it may end, 0 elsewhere.
"""

from typing import NamedTuple

import numpy as np

from dags._kernels import copy_over
from dags._numba import lean_inner_kernel, lean_kernel

SOURCE, SINK = 1, 2
FAR = 2**62
ONE = np.uint64(1)  # of unsigned places, which cannot be counted from the end: a quarter quicker


class Network(NamedTuple):
    """The arcs of a network, those that leave the same node together."""

    starts: np.ndarray  # (nodes+1,) int64: the first arc of each node
    heads: np.ndarray  # (arcs,) int32: where each arc leads
    twins: np.ndarray  # (arcs,) int32: the arc that runs back


class Work(NamedTuple):
    """Room to work in."""

    level: np.ndarray  # (nodes,) int32: arcs from the nearest source, -1 if beyond reach
    cursor: np.ndarray  # (nodes,) int64: the next arc to try
    path: np.ndarray  # (nodes,) int64: arcs of the current way; nodes in a queue
    looked: np.ndarray  # (1,) int64: arcs that were looked at


@lean_inner_kernel
def measure(network, room, side, work):
    """Fill the levels as far as the nearest sink; return its level, -1 if none can be reached."""
    starts, heads = network.starts, network.heads
    level, queue = work.level, work.path
    tail = 0
    for node in range(level.size):
        level[node] = -1
        if side[node] == SOURCE:
            level[node] = 0
            queue[tail] = node
            tail += 1
    head, goal = 0, -1
    while head < tail:
        node = np.uint64(queue[head])
        head += 1
        further = level[node] + 1
        if goal >= 0 and further > goal:
            break
        arc, last = np.uint64(starts[node]), np.uint64(starts[node + ONE])
        work.looked[0] += np.int64(last - arc)
        while arc < last:
            if room[arc] > 0:  # most are full or closed: nothing else is looked up for them
                to = np.uint64(heads[arc])
                if level[to] < 0:
                    level[to] = further
                    if side[to] == SINK:
                        goal = further
                    else:
                        queue[tail] = heads[arc]
                        tail += 1
            arc += ONE
    return goal


@lean_inner_kernel
def push(twins, room, path, length):
    """Send as much as fits along a path; return the place of its first full arc, and the flow."""
    amount = FAR
    for i in range(length):
        amount = min(amount, room[path[i]])
    full = length
    for i in range(length - 1, -1, -1):
        room[path[i]] -= amount
        room[twins[path[i]]] += amount
        if room[path[i]] == 0:
            full = i
    return full, amount


@lean_inner_kernel
def send_from(network, room, side, work, goal, source):
    """Send from one source as much as can flow along levels to sinks at level `goal`; return it."""
    starts, heads, twins = network
    level, cursor, path, looked = work
    node, length, sent = np.uint64(source), 0, 0
    while True:
        if side[node] == SINK:
            length, amount = push(twins, room, path, length)
            sent += amount
            node = np.uint64(heads[twins[path[length]]])
        further, last = level[node] + 1, np.uint64(starts[node + ONE])
        arc = np.uint64(cursor[node])
        while arc < last:
            if room[arc] > 0:
                to = np.uint64(heads[arc])
                if level[to] == further and (further < goal or side[to] == SINK):
                    break
            arc += ONE
        looked[0] += 1 + np.int64(arc) - cursor[node]
        cursor[node] = np.int64(arc)
        if arc < last:
            path[length] = np.int64(arc)
            length += 1
            node = np.uint64(heads[arc])
        elif length == 0:
            return sent
        else:
            level[node] = -1
            length -= 1
            node = np.uint64(heads[twins[path[length]]])


@lean_kernel
def flow_round(network, room, side, work):
    """Send all that can flow along shortest ways; return how much, -1 where there is no way."""
    goal = measure(network, room, side, work)
    if goal < 0:
        return -1
    copy_over(work.cursor, network.starts)
    sent = 0
    for node in range(side.size):
        if side[node] == SOURCE:
            sent += send_from(network, room, side, work, goal, node)
    return sent


@lean_kernel
def greatest_flow(network, room, side, work):
    """Send all that can flow from sources to sinks; return how much it is.

    Then ``level >= 0`` is the sources' side of a least cut.
    """
    flow = 0
    while True:
        sent = flow_round(network, room, side, work)
        if sent < 0:
            return flow
        flow += sent
