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
    even, sides = EvenSides(extent), [1]
    end = even.place(min(extent, memory) + 1)
    while (place := even.place(GROWTH * sides[-1])) < end:
        sides.append(even[place])
    return np.unique(np.array([*sides, *([extent] if extent <= memory else [])], np.int64))


def sides_beside(extent: int, side: int) -> list[int]:
    """Return even sides beside one: the next ones, and some farther off."""
    even = EvenSides(extent)
    place = even.place(side)
    steps = (place + step for step in (-FARTHER, -1, 1, FARTHER))
    return [even[step] for step in steps if 0 <= step < len(even) and even[step] != side]


def apart(first: int, second: int) -> float:
    """How far apart two sides are, by their ratio."""
    return abs(log(first / second))


def different(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without those that are there already."""
    unique: dict[object, Candidate] = {}
    for candidate in candidates:
        sides = frozenset(candidate.tiles.sides.items())
        unique.setdefault((sides, candidate.tiles.sunk, round(candidate.io)), candidate)
    return list(unique.values())


def estimated(parts: Sequence[Sequence[Candidate]]) -> float:
    """The estimate of an order: the best of each of its phases."""
    return sum(min((candidate.io for candidate in part), default=inf) for part in parts)


class Depths(dict[Group, int]):
    """Depths of groups: those without one are held at each statement."""

    def __missing__(self, group: Group) -> int:
        return 1 << 20


def merged(parts: Sequence[Counted]) -> tuple[Order, dict[Group, int], bool]:
    """The order of all phases."""
    paths: dict[str, tuple[int | Chunk, ...]] = {}
    depths, is_tiled = Depths(), False
    for part in parts:
        candidate = part.candidate
        order = tiled(candidate.tree, candidate.tiles)
        paths |= {name: path for name, path in order.paths.items() if path[0] == candidate.phase}
        depths |= candidate.depths
        is_tiled |= any(side > 1 for side in candidate.tiles.sides.values())
    return Order(paths), depths, is_tiled
