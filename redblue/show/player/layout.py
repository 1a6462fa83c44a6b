"""Layers of a DAG, and the positions of its vertices and edges in a drawing."""

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

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


def layers_of(dag: CDAG, *, sort: bool = True) -> Layers:
    """`dag` in layers, with few crossings if they are to be sorted, else by number.

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
    order = _first_order(layer, bends)
    return Layers(_fewest_crossings(order, above, below) if sort else order, above, below, bends)


def crossings(order: Order, below: Neighbours) -> int:
    """The number of crossings of edges between the layers of `order`."""
    count = 0
    for upper, lower in pairwise(order):
        place = {node: i for i, node in enumerate(lower)}
        seen: list[int] = []
        for node in upper:
            ends = sorted(place[neighbour] for neighbour in below[node])
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
    """The vertices by number, which follows some pattern in most DAGs; bends by source."""
    source = {node: u for (u, _), nodes in bends.items() for node in nodes}
    order: Order = [[] for _ in range(max(layer) + 1)]
    for node in sorted(range(len(layer)), key=lambda node: source.get(node, node)):
        order[layer[node]].append(node)
    return order


def _fewest_crossings(order: Order, above: Neighbours, below: Neighbours) -> Order:
    """The order with the fewest crossings of all that barycentre sweeps visit."""
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
    """`order` with each layer sorted by the mean place of its neighbours."""
    place = {node: (i + 0.5) / len(layer) for layer in order for i, node in enumerate(layer)}
    new: Order = []
    for layer in order if down else reversed(order):
        centre = {
            node: float(np.mean([place[neighbour] for neighbour in neighbours[node]]))
            if neighbours[node]
            else place[node]
            for node in layer
        }
        new.append(sorted(layer, key=centre.__getitem__))
        place.update({node: (i + 0.5) / len(layer) for i, node in enumerate(new[-1])})
    return new if down else new[::-1]


SPACING = 50.0  # between the centres of neighbours in a layer
BEND_SPACING = 16.0  # between bends, and half of what stands between a bend and a vertex
MARGIN = 40.0
LAYER_GAPS = (72.0, 130.0)  # least and most between layers
SHAPE = 1.7  # width to height that a drawing of few layers is stretched to
TURNS = 16
BULGE = 0.45  # how far a curve keeps its direction, as a share of the gap between layers
BEND_WEIGHT = 4.0  # how much straighter long edges are wanted than vertices centred

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """A drawing: layers run downwards, or to the right where there are more of them than wide.

    Parameters
    ----------
    width, height
        The size of the drawing.
    places
        The centre of each vertex.
    edges
        (u, v, path) of each edge, the path as SVG has it.
    downward
        Whether values flow downwards, not to the right.
    """

    width: float
    height: float
    places: tuple[Point, ...]
    edges: tuple[tuple[int, int, str], ...]
    downward: bool


def layout_of(dag: CDAG) -> Layout:
    """A drawing of `dag` in layers; of a Fourier transform, the butterfly of textbooks."""
    has_rows = dag.family == "fft"
    layers = layers_of(dag, sort=not has_rows)
    across = _rows(layers) if has_rows else _across(layers, dag.n)
    breadth, depth = float(across.max()), len(layers.order)
    downward = not has_rows and breadth >= SPACING * (depth - 1)
    gap = _gap(breadth, depth) if downward else LAYER_GAPS[has_rows]
    points: dict[int, Point] = {}
    for number, layer in enumerate(layers.order):
        for node in layer:
            a, b = MARGIN + float(across[node]), MARGIN + gap * number
            points[node] = (a, b) if downward else (b, a)
    size = (2 * MARGIN + breadth, 2 * MARGIN + gap * (depth - 1))
    width, height = size if downward else size[::-1]
    edges = tuple(
        (u, v, _path([points[node] for node in (u, *bends, v)], downward))
        for (u, v), bends in layers.bends.items()
    )
    return Layout(width, height, tuple(points[v] for v in range(dag.n)), edges, downward)


def _rows(layers: Layers) -> npt.NDArray[np.float64]:
    """Places in rows: the k-th node of each layer is in row k."""
    across = np.zeros(sum(map(len, layers.order)))
    for layer in layers.order:
        across[layer] = SPACING * np.arange(len(layer))
    return across


def _gap(breadth: float, depth: int) -> float:
    low, high = LAYER_GAPS
    return min(max(breadth / SHAPE / max(depth - 1, 1), low), high)


def _across(layers: Layers, n: int) -> npt.NDArray[np.float64]:
    """Return each node's place across: near the mean of its neighbours, clear of the next one."""
    total = sum(map(len, layers.order))
    starts = [_starts(layer, n) for layer in layers.order]
    across = np.zeros(total)
    for layer, start in zip(layers.order, starts, strict=True):
        across[layer] = start - start[-1] / 2
    weight = np.where(np.arange(total) < n, 1.0, BEND_WEIGHT)
    neighbours_of = [up + down for up, down in zip(layers.above, layers.below, strict=True)]
    sides: list[Neighbours] = [layers.above, layers.below] * TURNS + [neighbours_of] * TURNS
    for turn, neighbours in enumerate(sides):
        step = 1 if turn % 2 == 0 else -1
        for layer, start in list(zip(layers.order, starts, strict=True))[::step]:
            wanted = [
                across[neighbours[node]].mean() if neighbours[node] else across[node]
                for node in layer
            ]
            # the nearest places that keep their order and distances
            positions = isotonic_regression(np.array(wanted) - start, weights=weight[layer])
            across[layer] = positions.x + start
    return np.round(_closed(across), 1)


def _closed(across: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Places from 0 on, without bands where nothing is: parts that do not touch drift."""
    order = np.argsort(across)
    gaps = np.minimum(np.diff(across[order]), SPACING)
    closed = np.zeros_like(across)
    closed[order[1:]] = np.cumsum(gaps)
    return closed


def _starts(layer: Sequence[int], n: int) -> npt.NDArray[np.float64]:
    """The places of the nodes of a layer that is packed as densely as allowed."""
    half = [SPACING / 2 if node < n else BEND_SPACING / 2 for node in layer]
    return np.cumsum([0.0, *(a + b for a, b in pairwise(half))])


def _path(points: Sequence[Point], downward: bool) -> str:
    """A smooth curve through `points`, along the layers' direction at both ends."""
    points_along = [(y, x) if downward else (x, y) for x, y in points]
    slopes = [
        0.0,
        *(_slope(a, b) for a, b in zip(points_along, points_along[2:], strict=False)),
        0.0,
    ]
    parts = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for i, ((a0, b0), (a1, b1)) in enumerate(pairwise(points_along)):
        reach = BULGE * (a1 - a0)
        corners = (
            (a0 + reach, b0 + reach * slopes[i]),
            (a1 - reach, b1 - reach * slopes[i + 1]),
            (a1, b1),
        )
        ordered = [corner[::-1] if downward else corner for corner in corners]
        parts.append("C" + " ".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in ordered))
    return "".join(parts)


def _slope(start: Point, end: Point) -> float:
    return (end[1] - start[1]) / (end[0] - start[0])
