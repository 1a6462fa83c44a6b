"""Layers of a drawing: the layer of each vertex, and the order of the vertices in a layer."""

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dags import CDAG

ROUNDS = 24  # sweeps down and up; the order with the fewest crossings counts, wherever it came up

Order = list[list[int]]
Neighbours = list[list[int]]


@dataclass(frozen=True)
class Layers:
    """A DAG whose edges lead from one layer to the next.

    Nodes 0..n-1 are the vertices; those behind them are bends of edges that cross a layer. The
    edges of one value share their bends, as the wires of one signal do.

    Parameters
    ----------
    order
        The nodes of each layer, side by side.
    above, below
        The neighbours of each node in the layer before and behind.
    bends
        The nodes of each edge (u, v) on its way, without u and v.
    """

    order: Order
    above: Neighbours
    below: Neighbours
    bends: dict[tuple[int, int], list[int]]


def layers_of(dag: CDAG) -> Layers:
    """Return `dag` in layers with few crossings.

    A computed vertex is in the layer of its longest path from an input; an input stands just
    before its first reader.

    Source
    ------
    K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system
    structures, IEEE Trans. SMC 11, 1981: layers, bends, barycentre sweeps.
    """
    layer = _layer_numbers(dag)
    bends, links = _bend(dag, layer)
    above: Neighbours = [[] for _ in layer]
    below: Neighbours = [[] for _ in layer]
    for a, b in links:
        below[a].append(b)
        above[b].append(a)
    order = _fewest_crossings(_first_order(layer, bends), above, below)
    return Layers(order, above, below, bends)


def crossings(order: Order, below: Neighbours) -> int:
    """Return the number of crossings of edges between the layers of `order`."""
    count = 0
    for upper, lower in pairwise(order):
        place = {node: i for i, node in enumerate(lower)}
        seen: list[int] = []
        for node in upper:
            ends = sorted(place[other] for other in below[node])
            count += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return count


def _layer_numbers(dag: CDAG) -> list[int]:
    layer: list[int] = dag.level.tolist()
    indptr, readers = dag.successors
    for v in dag.used_inputs.tolist():
        layer[v] = int(dag.level[readers[indptr[v] : indptr[v + 1]]].min()) - 1
    return layer


def _bend(
    dag: CDAG, layer: list[int]
) -> tuple[dict[tuple[int, int], list[int]], set[tuple[int, int]]]:
    """Return the bends of each edge and all links of a layer's height; append bends to `layer`."""
    bends: dict[tuple[int, int], list[int]] = {}
    links: set[tuple[int, int]] = set()
    wires: dict[int, list[int]] = {}
    for v in range(dag.n):
        for u in dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist():
            wire = wires.setdefault(u, [])
            while len(wire) < layer[v] - layer[u] - 1:
                wire.append(len(layer))
                layer.append(layer[u] + len(wire))
            bends[u, v] = wire[: layer[v] - layer[u] - 1]
            links.update(pairwise((u, *bends[u, v], v)))
    return bends, links


def _first_order(layer: Sequence[int], bends: dict[tuple[int, int], list[int]]) -> Order:
    """Return the vertices by number, which follows some pattern in most DAGs; bends by source."""
    source = {node: u for (u, _), nodes in bends.items() for node in nodes}
    order: Order = [[] for _ in range(max(layer) + 1)]
    for node in sorted(range(len(layer)), key=lambda node: source.get(node, node)):
        order[layer[node]].append(node)
    return order


def _fewest_crossings(order: Order, above: Neighbours, below: Neighbours) -> Order:
    """Return the order with the fewest crossings of all that barycentre sweeps visit."""
    best, fewest = order, crossings(order, below)
    for turn in range(ROUNDS):
        if not fewest:
            break
        order = _swept(order, above, down=True) if turn % 2 == 0 else _swept(order, below, False)
        count = crossings(order, below)
        if count < fewest:
            best, fewest = order, count
    return best


def _swept(order: Order, neighbours: Neighbours, down: bool) -> Order:
    """Return `order` with each layer sorted by the mean place of its neighbours."""
    place = {node: (i + 0.5) / len(layer) for layer in order for i, node in enumerate(layer)}
    new: Order = []
    for layer in order if down else reversed(order):
        centre = {
            node: float(np.mean([place[other] for other in neighbours[node]]))
            if neighbours[node]
            else place[node]
            for node in layer
        }
        new.append(sorted(layer, key=centre.__getitem__))
        place.update({node: (i + 0.5) / len(layer) for i, node in enumerate(new[-1])})
    return new if down else new[::-1]
