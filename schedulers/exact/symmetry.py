"""Which states of a search are the same up to the names of vertices: twins and automorphisms."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from dags.arrays import Int64Array, lock
from schedulers.exact.problem import Masks, Problem

MOST_SYMMETRIES = 1024
MOST_STEPS = 100_000  # of the search for automorphisms


@dataclass(frozen=True)
class Symmetry:
    """The symmetries of a problem.

    Parameters
    ----------
    earlier_twin
        (c,) the twin that may as well be computed before each vertex; -1 if there is none.
    rounds
        (k,) sets of values that change places with their upper neighbours if that puts the two
        in order; after k rounds the values in each class of twins are in order.
    of_computed, of_read
        (g, c) and (g, r) where each automorphism takes computed vertices and values. The first
        is the identity; each takes the twins of a class, in order, to the twins of another.
    """

    earlier_twin: Int64Array
    rounds: Masks
    of_computed: Int64Array
    of_read: Int64Array


@dataclass(frozen=True)
class _Node:
    """A class of twins: its members as computed vertices and as values, -1 for none."""

    computed: list[int]
    values: list[int]
    kind: Hashable


def symmetry(problem: Problem) -> Symmetry:
    """Return the twins and the automorphisms of `problem`: all of them, or some if they are many.

    Taking a state to another one by fewer symmetries than there are is no mistake: the search
    then keeps both where one would do.
    """
    nodes = _nodes(problem)
    below = _below(problem, nodes)
    above: list[set[int]] = [set() for _ in nodes]
    for i, row in enumerate(below):
        for j in row:
            above[j].add(i)
    recompute = problem.rules.recompute

    def sortable(node: _Node) -> bool:
        """Whether a state says nothing of the class but what it says of its values.

        Which twins are computed is in order already in a one-shot game; which are stored is not.
        """
        output = node.computed[0] >= 0 and problem.outputs >> node.computed[0] & 1
        return node.values[0] >= 0 and not (recompute and output)

    turns = _automorphisms(below, above, _colours(nodes, below, above))
    return Symmetry(
        earlier_twin=_earlier(nodes, problem.computed.size),
        rounds=_rounds([node.values for node in nodes if sortable(node)]),
        of_computed=_lifted(turns, [node.computed for node in nodes], problem.computed.size),
        of_read=_lifted(turns, [node.values for node in nodes], problem.read.size),
    )


def _nodes(problem: Problem) -> list[_Node]:
    """Return the classes of twins: same operands, same readers, same words, same purpose."""
    classes: dict[Hashable, _Node] = {}
    made = problem.value.tolist()
    members = [*enumerate(made), *((-1, r) for r in range(problem.read.size) if r not in made)]
    for c, r in members:
        operands = int(problem.operands[c]) if c >= 0 else 0
        readers = int(problem.readers[r]) if r >= 0 else 0
        words = int(problem.words[c] if c >= 0 else problem.sizes[r])
        kind = (c < 0, c >= 0 and problem.outputs >> c & 1, words)
        node = classes.setdefault((operands, readers, kind), _Node([], [], kind))
        node.computed.append(c)
        node.values.append(r)
    return list(classes.values())


def _below(problem: Problem, nodes: list[_Node]) -> list[set[int]]:
    """Return for each class the classes of its operands."""
    owner = {r: i for i, node in enumerate(nodes) for r in node.values}
    rows = [int(problem.operands[n.computed[0]]) if n.computed[0] >= 0 else 0 for n in nodes]
    return [{owner[r] for r in range(row.bit_length()) if row >> r & 1} for row in rows]


def _colours(nodes: list[_Node], below: list[set[int]], above: list[set[int]]) -> list[int]:
    """Return colours that every automorphism keeps: equal ones have neighbours of equal colours."""
    colour = _numbered([(node.kind, len(node.values)) for node in nodes])
    while True:
        seen = [
            (own, tuple(sorted(colour[j] for j in low)), tuple(sorted(colour[j] for j in high)))
            for own, low, high in zip(colour, below, above, strict=True)
        ]
        finer = _numbered(seen)
        if len(set(finer)) == len(set(colour)):
            return finer
        colour = finer


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return [number[key] for key in keys]


def _automorphisms(
    below: list[set[int]], above: list[set[int]], colour: list[int]
) -> list[list[int]]:
    """Return automorphisms as lists of images, the identity first; not all if they are many."""
    order = _connected_order(below, above, colour)
    image = [-1] * len(order)
    found: list[list[int]] = []
    steps = 0

    def fits(v: int, w: int, known: list[int]) -> bool:
        return all(
            (u in rows[v]) == (image[u] in rows[w]) for rows in (below, above) for u in known
        )

    def extend(at: int) -> None:
        nonlocal steps
        if at == len(order):
            found.append(image.copy())
            return
        v, known = order[at], order[:at]
        free = [w for w in order if colour[w] == colour[v] and w != v and w not in image]
        # The vertex itself first, so that the identity is found first.
        for w in [v, *free] if v not in image else free:
            if len(found) >= MOST_SYMMETRIES or steps >= MOST_STEPS:
                return
            steps += 1
            if fits(v, w, known):
                image[v] = w
                extend(at + 1)
                image[v] = -1

    extend(0)
    return found


def _connected_order(below: list[set[int]], above: list[set[int]], colour: list[int]) -> list[int]:
    """Return all classes, each beside as many earlier ones as can be, rare colours first.

    So a wrong image of one soon leaves another one without an image.
    """
    known = [0] * len(colour)
    waiting = set(range(len(colour)))
    order: list[int] = []
    while waiting:
        v = min(waiting, key=lambda v: (-known[v], colour.count(colour[v]), v))
        order.append(v)
        waiting.remove(v)
        for u in below[v] | above[v]:
            known[u] += 1
    return order


def _earlier(nodes: list[_Node], count: int) -> Int64Array:
    earlier = np.full(count, -1, np.int64)
    for node in nodes:
        if node.computed[0] >= 0:
            earlier[node.computed[1:]] = node.computed[:-1]
    return lock(earlier)


def _rounds(classes: list[list[int]]) -> Masks:
    """Return the rounds of odd-even transposition sort for the largest class of values."""
    most = max(map(len, classes), default=0)
    rounds = [
        sum(1 << r for values in classes for r in values[k % 2 : -1 : 2])
        for k in range(most if most > 1 else 0)
    ]
    return lock(np.array(rounds, np.uint64))


def _lifted(turns: list[list[int]], members: list[list[int]], count: int) -> Int64Array:
    """Return (g, count) the images of members, from those of their classes."""
    images = np.empty((len(turns), count), np.int64)
    for row, turn in zip(images, turns, strict=True):
        for own, other in zip(members, (members[i] for i in turn), strict=True):
            if own[0] >= 0:
                row[own] = other
    return lock(images)
