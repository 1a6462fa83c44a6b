"""Arguments of chains, trees, pyramids, lattices and grids."""

from collections.abc import Iterator

from dags.recognition.facts import Arguments, Facts
from dags.recognition.integers import factorizations

MOST_SIDES = 4  # of a grid


def chain(facts: Facts) -> Iterator[Arguments]:
    """Yield the length of a chain."""
    if facts.counts == (facts.depth + 1, facts.depth, 1):
        yield {"n": facts.vertices}


def tree(facts: Facts) -> Iterator[Arguments]:
    """Yield height and arity of a complete tree."""
    height, arity = facts.depth, facts.widest
    leaves = facts.inputs
    if arity >= 2 and leaves == arity**height and facts.edges == facts.vertices - 1:
        yield {"height": height} | ({} if arity == 2 else {"arity": arity})


def pyramid(facts: Facts) -> Iterator[Arguments]:
    """Yield the height of a pyramid."""
    height = facts.depth
    if facts.counts == (_triangle(height + 1), height * (height + 1), height + 1):
        yield {"height": height}


def binomial(facts: Facts) -> Iterator[Arguments]:
    """Yield the last row of Pascal's triangle."""
    rows = facts.depth
    if facts.counts == (_triangle(rows + 1), rows * (rows + 1), 1):
        yield {"n": rows}


def hypercube(facts: Facts) -> Iterator[Arguments]:
    """Yield the dimension of a lattice of subsets."""
    d = facts.depth
    if facts.vertices.bit_length() == d + 1 and facts.counts == (2**d, d * 2 ** (d - 1), 1):
        yield {"d": d}


def grid(facts: Facts) -> Iterator[Arguments]:
    """Yield shapes of a grid that is computed from one corner."""
    n = facts.vertices
    if facts.inputs == facts.sinks == 1 and facts.widest <= MOST_SIDES:
        for shape in factorizations(n, MOST_SIDES):
            edges = sum(n // side * (side - 1) for side in shape)
            if edges == facts.edges and sum(shape) - len(shape) == facts.depth:
                yield {"shape": shape}


def _triangle(rows: int) -> int:
    return rows * (rows + 1) // 2
