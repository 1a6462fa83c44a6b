"""Residual networks from lists of arcs."""

import numpy as np

from dags.arrays import Int64Array
from proofs.flows._kernels import Network, Work


def arcs_between(tails: Int64Array, heads: Int64Array, nodes: int) -> tuple[Network, Int64Array]:
    """Return the network with arcs from `tails` to `heads` and back, and (e,) the place of each.

    Parameters
    ----------
    tails, heads
        (e,) nodes where arcs begin and end.
    nodes
        Number of nodes.
    """
    begins = np.concatenate((tails, heads))
    order = np.argsort(begins, kind="stable")
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    other = np.concatenate((place[tails.size :], place[: tails.size]))
    return (
        Network(
            starts=np.searchsorted(begins[order], np.arange(nodes + 1)).astype(np.int64),
            heads=np.concatenate((heads, tails))[order].astype(np.int32),
            twins=other[order].astype(np.int32),
        ),
        place[: tails.size],
    )


def new_work(nodes: int) -> Work:
    """Return room to work in for a network of so many nodes."""
    level = np.empty(nodes, np.int32)
    return Work(level, np.empty(nodes, np.int64), np.empty(nodes, np.int64))
