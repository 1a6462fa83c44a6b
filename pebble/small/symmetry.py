"""Symmetries of a game: ways to exchange vertices that leave everything as it is.

A swap is an automorphism of order two. `swaps` looks for those that exchange two vertices that look
alike, and leave as many others as possible alone; it need not find them all. A state and its image
are worth the same, so a search may go on from either: `lowered` takes states to images by one swap
after the other. Nothing has to be closed under anything for that, and the way back to the real
vertices repeats the same swaps.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from pebble.small._kernels.states import EXCHANGE, Swaps
from pebble.small.game import SmallGame, mask, members

TRIALS = 400  # images that are tried for one pair,
ALL_TRIALS = 20000  # and for all of them
MOST = 128  # swaps
KEPT = 128  # games whose swaps are known: those with other memories have the same

Exchange = tuple[int, int]  # a set of bits, and how far above each of them the other one is


class Relations:
    """The vertices of a game: steps, and values that no step makes, with their neighbours.

    Parameters
    ----------
    game
        The game.
    room
        (c,) the room to compute each step, as any number; steps that differ in it are not alike.
    """

    def __init__(self, game: SmallGame, room: Int64Array) -> None:
        sources = np.flatnonzero(game.maker < 0).tolist()
        self.step = [*range(game.steps.size), *[-1] * len(sources)]
        self.value = [*game.result.tolist(), *sources]
        place = {r: v for v, r in enumerate(self.value) if r >= 0}
        operands, readers = game.operands.tolist(), game.readers.tolist()
        self.below = [[place[r] for r in members(operands[c])] if c >= 0 else [] for c in self.step]
        # Steps have the same numbers among the vertices.
        self.above = [members(readers[r]) if r >= 0 else [] for r in self.value]
        self.sets = [[mask(row) for row in rows] for rows in (self.below, self.above)]
        # What a vertex is apart from its neighbours.
        self.kinds: list[Hashable] = [
            (
                -1 if c < 0 else int(room[c]),
                -1 if r < 0 else int(game.sizes[r]),
                r >= 0 and (game.inputs >> r & 1, game.outputs >> r & 1),
            )
            for c, r in zip(self.step, self.value, strict=True)
        ]

    def is_symmetry(self, image: Sequence[int]) -> bool:
        """Whether the vertices may take the places of their images."""
        operands, _ = self.sets
        moved = sum(1 << v for v, w in enumerate(image) if v != w)
        return (
            sorted(image) == list(range(len(image)))
            and [self.kinds[w] for w in image] == self.kinds
            and all(
                sum([1 << image[u] for u in self.below[v]]) == operands[w]
                for v, w in enumerate(image)
                if v != w or operands[v] & moved
            )
        )


def swaps(game: SmallGame, room: Int64Array) -> tuple[Int64Array, Int64Array]:
    """(g, c) and (g, r): where each of g swaps takes steps and values.

    Parameters
    ----------
    game, room
        As for `Relations`.
    """
    return _swaps(_Alike(game, room))


class _Alike:
    """A game and its `room`, equal to others that have the same swaps."""

    def __init__(self, game: SmallGame, room: Int64Array) -> None:
        self.game, self.room = game, room
        arrays = game.operands, game.result, game.readers, game.sizes, game.maker, room
        self._key = game.inputs, game.outputs, *((array.size, array.tobytes()) for array in arrays)

    def __eq__(self, symmetry: object) -> bool:
        return isinstance(symmetry, _Alike) and self._key == symmetry._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=KEPT)
def _swaps(alike: _Alike) -> tuple[Int64Array, Int64Array]:
    game = alike.game
    relations = Relations(game, alike.room)
    generators: list[list[int]] = []
    trials = 0
    colour = _colours(relations)
    for a, b in _pairs(colour):
        if len(generators) == MOST or trials > ALL_TRIALS:
            break
        if b not in [image[a] for image in generators]:
            exchange = _Exchange(relations, colour, a, b)
            image = exchange.image()
            trials += exchange.trials
            if image is not None:
                generators.append(image)
    generators.sort(key=lambda image: sum(v != w for v, w in enumerate(image)))
    images = np.array(generators, np.int64).reshape(len(generators), len(relations.step))
    number = np.array(relations.value, np.int64)
    values = np.zeros((len(generators), game.values.size), np.int64)
    values[:, number[number >= 0]] = number[images[:, number >= 0]]
    return lock(images[:, : game.steps.size].copy()), lock(values)


def as_bits(steps: Int64Array, values: Int64Array) -> Swaps:
    """Swaps as the kernels read them."""
    step_starts, of_steps = _exchanges(steps)
    value_starts, of_values = _exchanges(values)
    starts = np.array([step_starts, value_starts], np.int64).T.copy()
    return Swaps(lock(starts), of_steps, of_values)


def twins(game: SmallGame) -> Int64Array:
    """(c,) the step before each one with the same operands and a result that is alike; or -1.

    As long as neither of two twins has been computed, the same follows from computing either.
    """
    last: dict[Hashable, int] = {}
    earlier = np.full(game.steps.size, -1, np.int64)
    for c, r in enumerate(game.result.tolist()):
        result = (int(game.readers[r]), game.outputs >> r & 1) if r >= 0 else None
        kind = (int(game.operands[c]), int(game.room_kinds[c]), result)
        earlier[c] = last.get(kind, -1)
        last[kind] = c
    return lock(earlier)


@dataclass(frozen=True)
class Exchanges:
    """Swaps, and the images of states in plain Python."""

    steps: Int64Array
    values: Int64Array

    def lowered(self, state: tuple[int, int, int]) -> tuple[tuple[int, int, int], list[int]]:
        """An image of `state` that no swap makes smaller, and the swaps that lead there.

        The search takes states to the same images, by the same swaps.
        """
        path: list[int] = []
        count = len(self.steps)
        swap = unchanged = 0
        while unchanged < count:
            unchanged += 1
            candidate = self.image(swap, state)
            if candidate < state:
                state = candidate
                path.append(swap)
                unchanged = 0
            swap = (swap + 1) % count
        return state, path

    def image(self, swap: int, state: tuple[int, int, int]) -> tuple[int, int, int]:
        """The image of a state under one swap."""
        done, first, second = state
        steps, values = self._of_steps[swap], self._of_values[swap]
        return _image(done, steps), _image(first, values), _image(second, values)

    @cached_property
    def unmoved(self) -> int:
        """The values that no swap takes elsewhere, as bits."""
        places = np.arange(self.values.shape[1])
        return sum(1 << int(r) for r in np.flatnonzero((self.values == places).all(axis=0)))

    @cached_property
    def _of_steps(self) -> list[list[Exchange]]:
        return [_apart(row) for row in self.steps.tolist()]

    @cached_property
    def _of_values(self) -> list[list[Exchange]]:
        return [_apart(row) for row in self.values.tolist()]


def _image(x: int, exchanges: list[Exchange]) -> int:
    for bits, shift in exchanges:
        differ = (x >> shift ^ x) & bits
        x ^= differ | differ << shift
    return x


def _exchanges(images: Int64Array) -> tuple[list[int], npt.NDArray[np.void]]:
    """Return where the exchanges of each swap begin, and all of them."""
    starts: list[int] = [0]
    exchanges: list[Exchange] = []
    for row in images.tolist():
        exchanges += _apart(row)
        starts.append(len(exchanges))
    return starts, lock(np.array(exchanges, EXCHANGE))


def _apart(places: list[int]) -> list[Exchange]:
    """The lower members of the pairs that change places, those so far apart together."""
    distant: dict[int, int] = {}
    for i, j in enumerate(places):
        if i < j:
            distant[j - i] = distant.get(j - i, 0) | 1 << i
    return [(bits, shift) for shift, bits in distant.items()]


def _colours(relations: Relations) -> list[int]:
    """Colours that every symmetry keeps."""
    colour = _numbered(relations.kinds)
    while True:
        finer = _numbered(
            [
                (kept, *(tuple(sorted(colour[u] for u in row)) for row in rows))
                for kept, *rows in zip(colour, relations.below, relations.above, strict=True)
            ]
        )
        if len(set(finer)) == len(set(colour)):
            return colour
        colour = finer


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return [number[key] for key in keys]


def _pairs(colour: list[int]) -> list[tuple[int, int]]:
    """Pairs of vertices with the same colour, the nearest numbers first."""
    alike: dict[int, list[int]] = {}
    for v, group in enumerate(colour):
        alike.setdefault(group, []).append(v)
    pairs = [pair for row in alike.values() for pair in combinations(row, 2)]
    return sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair))


# Vertices whose neighbours have no images yet, the last one outermost: (those before it, it).
Waiting = tuple[Any, int] | None


class _Exchange:
    """A search for a swap of two vertices, with backtracking.

    A vertex that is not `known` stays where it is, unless a neighbour that moves takes it along.
    """

    def __init__(self, relations: Relations, colour: Sequence[int], a: int, b: int) -> None:
        self.relations = relations
        self.neighbours = relations.below, relations.above
        self.sets = relations.sets
        self.colour = colour
        self.at = list(range(len(colour)))
        self.known = 0  # set of the vertices whose images are chosen
        self.trials = 0
        self.found = self._fits(a, b) and self._goes_on(a, b, None)

    def image(self) -> list[int] | None:
        """The images of all vertices, or None if no swap was found."""
        return self.at if self.found and self.relations.is_symmetry(self.at) else None

    def _extend(self, waiting: Waiting) -> bool:
        """Find images for the neighbours of those `waiting`, and of all that these force."""
        self.trials += 1
        if self.trials > TRIALS:
            return False
        free = ~self.known
        while waiting is not None:
            remaining, v = waiting
            for sets in self.sets:
                open_ = sets[v] & free
                if open_:
                    return self._try(open_ & -open_, sets[self.at[v]] & free, waiting)
            waiting = remaining
        return True

    def _try(self, first: int, images: int, waiting: Waiting) -> bool:
        """Find an image for the one vertex of `first`, itself if that does it, and for the others.

        Parameters
        ----------
        first
            The set of it.
        images
            The set of vertices that may be its image.
        waiting
            Those whose neighbours come next.
        """
        u = first.bit_length() - 1
        if images & first and self._fits(u, u) and self._goes_on(u, u, waiting):
            return True
        images &= ~first
        while images:
            last = images & -images
            images ^= last
            w = last.bit_length() - 1
            if self._fits(u, w) and self._goes_on(u, w, waiting):
                return True
        return False

    def _goes_on(self, u: int, w: int, waiting: Waiting) -> bool:
        """Whether there are images for all others where u and w change places."""
        before = self.known
        self.at[u], self.at[w] = w, u
        self.known |= 1 << u | 1 << w
        if self._extend(((waiting, u), w) if u != w else waiting):
            return True
        self.at[u], self.at[w] = u, w
        self.known = before
        return False

    def _fits(self, u: int, w: int) -> bool:
        """Whether u and w look alike, and so do their neighbours that have images."""
        if self.colour[u] != self.colour[w]:
            return False
        images, known = self.at, self.known
        for rows, sets in zip(self.neighbours, self.sets, strict=True):
            for x, y in ((u, w), (w, u)):
                for v in rows[x]:
                    if known >> v & 1 and not sets[y] >> images[v] & 1:
                        return False
        return True
