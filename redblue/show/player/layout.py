"""Positions of the vertices and edges of a DAG in a drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

from dags import CDAG
from redblue.show.player.layers import Layers, Neighbours, layers_of

SPACING = 50.0  # between the centres of neighbours in a layer
BEND_SPACING = 16.0  # between bends, and half of what stands between a bend and a vertex
MARGIN = 40.0
LAYER_GAPS = (72.0, 130.0)  # least and most between layers
SHAPE = 1.7  # width to height that a drawing of few layers is stretched to
ROUNDS = 16
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
    """Return a drawing of `dag` in layers."""
    layers = layers_of(dag)
    across = _across(layers, dag.n)
    breadth, depth = float(across.max()), len(layers.order)
    downward = breadth >= SPACING * (depth - 1)
    gap = _gap(breadth, depth) if downward else LAYER_GAPS[0]
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
    both = [up + down for up, down in zip(layers.above, layers.below, strict=True)]
    sides: list[Neighbours] = [layers.above, layers.below] * ROUNDS + [both] * ROUNDS
    for turn, neighbours in enumerate(sides):
        step = 1 if turn % 2 == 0 else -1
        for layer, start in list(zip(layers.order, starts, strict=True))[::step]:
            wanted = [
                across[neighbours[node]].mean() if neighbours[node] else across[node]
                for node in layer
            ]
            # the nearest places that keep their order and distances
            apart = isotonic_regression(np.array(wanted) - start, weights=weight[layer])
            across[layer] = apart.x + start
    return np.round(_closed(across), 1)


def _closed(across: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return places from 0 on, without bands where nothing is: parts that do not touch drift."""
    order = np.argsort(across)
    gaps = np.minimum(np.diff(across[order]), SPACING)
    closed = np.zeros_like(across)
    closed[order[1:]] = np.cumsum(gaps)
    return closed


def _starts(layer: Sequence[int], n: int) -> npt.NDArray[np.float64]:
    """Return the places of the nodes of a layer that is packed as densely as allowed."""
    half = [SPACING / 2 if node < n else BEND_SPACING / 2 for node in layer]
    return np.cumsum([0.0, *(a + b for a, b in pairwise(half))])


def _path(points: Sequence[Point], downward: bool) -> str:
    """Return a smooth curve through `points`, along the layers' direction at both ends."""
    along = [(y, x) if downward else (x, y) for x, y in points]
    slopes = [0.0, *(_slope(a, b) for a, b in zip(along, along[2:], strict=False)), 0.0]
    parts = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for i, ((a0, b0), (a1, b1)) in enumerate(pairwise(along)):
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
