"""Tiles of a phase as they are estimated, and as they are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np

from dags.arrays import Int64Array
from redblue.emission.groups import Group
from redblue.emission.orders import Tree
from redblue.emission.tiles import Chunk, Order, Tiles, tiled
from schedulers.tilings.sides import EvenSides

NEAR = 0.005  # share up to which an estimate is right
GROWTH = 1.1  # between sides to choose from
FARTHER = 4  # even sides from one, to a side beside it that is tried, too


@dataclass(frozen=True)
class Candidate:
    """Tiles of one phase with their depths, estimated."""

    io: float
    tree: Tree
    phase: int
    tiles: Tiles
    depths: Mapping[Group, int]
    lines: Mapping[Group, float]  # of a cache, that come in for each word; none in words


@dataclass(frozen=True)
class Counted:
    """Tiles of one phase, counted exactly, with the words of fast memory that they need."""

    io: float
    words: int
    candidate: Candidate

    @property
    def is_as_estimated(self) -> bool:
        """True where its estimate was right."""
        return abs(self.io - self.candidate.io) <= NEAR * self.io


def sides_of(extent: int, memory: int) -> Int64Array:
    """Return even sides to choose from, rising."""
    every, sides = EvenSides(extent), [1]
    most = every.place(min(extent, memory) + 1)
    while (place := every.place(GROWTH * sides[-1])) < most:
        sides.append(every[place])
    return np.unique(np.array([*sides, *([extent] if extent <= memory else [])], np.int64))


def sides_beside(extent: int, side: int) -> list[int]:
    """Return even sides beside one: the next ones, and some farther off."""
    every = EvenSides(extent)
    place = every.place(side)
    steps = (place + step for step in (-FARTHER, -1, 1, FARTHER))
    return [every[step] for step in steps if 0 <= step < len(every) and every[step] != side]


def apart(one: int, other: int) -> float:
    """Return how far apart two sides are, by their ratio."""
    return abs(log(one / other))


def different(some: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates without those that are there already."""
    found: dict[object, Candidate] = {}
    for each in some:
        sides = frozenset(each.tiles.sides.items())
        found.setdefault((sides, each.tiles.sunk, round(each.io)), each)
    return list(found.values())


def estimated(parts: Sequence[Sequence[Candidate]]) -> float:
    """Return the estimate of an order: the best of each of its phases."""
    return sum(min((each.io for each in some), default=inf) for some in parts)


class Depths(dict[Group, int]):
    """Depths of groups: those without one are held at each statement."""

    def __missing__(self, group: Group) -> int:
        return 1 << 20


def merged(parts: Sequence[Counted]) -> tuple[Order, dict[Group, int], bool]:
    """Return the order of all phases."""
    paths: dict[str, tuple[int | Chunk, ...]] = {}
    depths, is_tiled = Depths(), False
    for each in parts:
        some = each.candidate
        order = tiled(some.tree, some.tiles)
        paths |= {name: path for name, path in order.paths.items() if path[0] == some.phase}
        depths |= some.depths
        is_tiled |= any(side > 1 for side in some.tiles.sides.values())
    return Order(paths), depths, is_tiled
