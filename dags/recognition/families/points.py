"""Arguments of what is computed on a grid of points and their neighbours."""

from collections.abc import Iterator
from itertools import permutations
from math import prod

from dags.recognition.facts import Arguments, Facts
from dags.recognition.families.orders import MOST_SIDES
from dags.recognition.integers import factorizations

RING = 3  # points of the shortest side that wraps


def sweep(facts: Facts) -> Iterator[Arguments]:
    """Yield the grids of one sweep."""
    if facts.depth == 1 and facts.vertices == 2 * facts.inputs:
        yield from _grids(facts.inputs, facts.edges)


def stencil(facts: Facts) -> Iterator[Arguments]:
    """Yield the grids of a stencil, and its steps."""
    points, steps = facts.inputs, facts.depth
    if facts.vertices == points * (steps + 1) and facts.edges % steps == 0:
        for grid in _grids(points, facts.edges // steps):
            yield {"shape": grid.pop("shape"), "steps": steps, **grid}


def spmv(facts: Facts) -> Iterator[Arguments]:
    """Yield the grids whose Laplacian is multiplied with a vector."""
    points = facts.sinks
    nonzeros = facts.inputs - points
    if (facts.vertices, facts.edges) == (3 * nonzeros, 4 * nonzeros - 2 * points):
        yield from _turned(_grids(points, nonzeros))


def conjugate_gradient(facts: Facts) -> Iterator[Arguments]:
    """Yield the grids and steps of conjugate gradients."""
    points = facts.sinks
    nonzeros = facts.inputs - points
    steps, rest = divmod(facts.vertices + 1 + 4 * points - nonzeros, 2 * nonzeros + 9 * points)
    if rest == 0 and steps and facts.edges == 2 * facts.computed - points * steps:
        for grid in _turned(_grids(points, nonzeros)):
            yield {"shape": grid.pop("shape"), "steps": steps, **grid}


def dirac_steps(facts: Facts) -> Iterator[Arguments]:
    """Yield the lattices and steps of the Dirac operator that is applied again and again."""
    points, steps = facts.sinks, facts.depth
    links = facts.inputs - points
    if links and (facts.computed, facts.edges) == (points * steps, (points + 4 * links) * steps):
        for grid in _grids(points, points + 2 * links):
            if "neighbourhood" not in grid:
                yield {"shape": grid.pop("shape"), "steps": steps, **grid}


def _turned(grids: Iterator[Arguments]) -> Iterator[Arguments]:
    """Yield grids with their sides in all orders: along rows of a matrix sums have an order."""
    for grid in grids:
        for shape in dict.fromkeys(permutations(grid["shape"])):
            yield grid | {"shape": shape}


def _grids(points: int, neighbours: int) -> Iterator[Arguments]:
    """Yield the grids of so many points with so many neighbours, points their own ones included.

    The most compact ones come first.
    """
    shapes = [shape or (1,) for shape in factorizations(points, MOST_SIDES)]
    for shape in sorted(shapes, key=lambda sides: (len(sides), sides[0])):
        inside = points + sum(2 * (points - points // side) for side in shape)
        around = min(shape) >= RING
        box = len(shape) > 1  # on a line both neighbourhoods are the same
        if neighbours == inside:
            yield {"shape": shape}
        if box and neighbours == prod(3 * side - 2 for side in shape):
            yield {"shape": shape, "neighbourhood": "box"}
        if around and neighbours == (2 * len(shape) + 1) * points:
            yield {"shape": shape, "periodic": True}
        if around and box and neighbours == 3 ** len(shape) * points:
            yield {"shape": shape, "neighbourhood": "box", "periodic": True}
