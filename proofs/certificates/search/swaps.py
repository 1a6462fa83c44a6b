"""Symmetries of a game: ways to exchange vertices that leave everything as it is.

A swap is an automorphism of order two. `swaps` looks for those that exchange two vertices that look
alike, and leave as many others as possible alone; it need not find them all. A state and its image
are worth the same, so a search may go on from either.
"""

from collections.abc import Hashable, Sequence
from itertools import combinations

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.search.game import Game, members

TRIALS = 400  # images that are tried for one pair,
ALL_TRIALS = 20000  # and for all of them
MOST = 128  # swaps


class Relations:
    """The vertices of a game: steps, and values that no step makes, with their neighbours."""

    def __init__(self, game: Game) -> None:
        made = {int(r): c for c, r in enumerate(game.result) if r >= 0}
        sources = [r for r in range(game.values.size) if r not in made]
        self.game = game
        self.step = [*range(game.steps.size), *[-1] * len(sources)]
        self.value = [*game.result.tolist(), *sources]
        place = {r: v for v, r in enumerate(self.value) if r >= 0}
        self.below = [
            frozenset(place[r] for r in members(int(game.operands[c]))) if c >= 0 else frozenset()
            for c in self.step
        ]
        self.above = [
            frozenset(members(int(game.readers[r]))) if r >= 0 else frozenset() for r in self.value
        ]

    def kinds(self) -> list[Hashable]:
        """Return what a vertex is apart from its neighbours."""
        game = self.game
        return [
            (c >= 0, r >= 0 and int(game.price[r]), int(game.own[c] if c >= 0 else game.sizes[r]))
            for c, r in zip(self.step, self.value, strict=True)
        ]

    def is_symmetry(self, image: Sequence[int]) -> bool:
        """Return whether the vertices may take the places of their images."""
        kinds = self.kinds()
        return sorted(image) == list(range(len(image))) and all(
            kinds[v] == kinds[image[v]]
            and frozenset(image[u] for u in self.below[v]) == self.below[image[v]]
            for v in range(len(image))
        )


def swaps(game: Game) -> tuple[Int64Array, Int64Array]:
    """Return (g, c) and (g, r): where each of g swaps takes steps and values."""
    relations = Relations(game)
    found: list[list[int]] = []
    trials = 0
    for a, b in _pairs(_colours(relations)):
        if len(found) == MOST or trials > ALL_TRIALS:
            break
        if all(image[a] != b for image in found):
            exchange = _Exchange(relations, a, b)
            image = exchange.image()
            trials += exchange.trials
            if image is not None:
                found.append(image)
    found.sort(key=lambda image: sum(v != w for v, w in enumerate(image)))
    images = np.array(found, np.int64).reshape(len(found), len(relations.step))
    number = np.array(relations.value, np.int64)
    values = np.zeros((len(found), game.values.size), np.int64)
    values[:, number[number >= 0]] = number[images[:, number >= 0]]
    return images[:, : game.steps.size], values


def _colours(relations: Relations) -> list[int]:
    """Return colours that every symmetry keeps."""
    colour = _numbered(relations.kinds())
    while True:
        finer = _numbered(
            [
                (own, *(tuple(sorted(colour[u] for u in row)) for row in rows))
                for own, *rows in zip(colour, relations.below, relations.above, strict=True)
            ]
        )
        if len(set(finer)) == len(set(colour)):
            return colour
        colour = finer


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return [number[key] for key in keys]


def _pairs(colour: list[int]) -> list[tuple[int, int]]:
    """Return pairs of vertices with the same colour, the nearest numbers first."""
    alike: dict[int, list[int]] = {}
    for v, own in enumerate(colour):
        alike.setdefault(own, []).append(v)
    pairs = [pair for row in alike.values() for pair in combinations(row, 2)]
    return sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair))


class _Exchange:
    """A search for a swap of two vertices, with backtracking."""

    def __init__(self, relations: Relations, a: int, b: int) -> None:
        self.relations = relations
        self.kinds = relations.kinds()
        self.at: dict[int, int] = {a: b, b: a}
        self.trials = 0
        self.found = self.kinds[a] == self.kinds[b] and self._extend([a, b])

    def image(self) -> list[int] | None:
        """Return the images of all vertices, or None if no swap was found."""
        image = [self.at.get(v, v) for v in range(len(self.kinds))]
        return image if self.found and self.relations.is_symmetry(image) else None

    def _extend(self, waiting: list[int]) -> bool:
        """Find images for the neighbours of those `waiting`, and of all that these force."""
        self.trials += 1
        if self.trials > TRIALS:
            return False
        while waiting:
            v = waiting[-1]
            for rows in (self.relations.below, self.relations.above):
                given = {self.at[u] for u in rows[v] if u in self.at}
                if not given <= rows[self.at[v]]:
                    return False
                open_ = sorted(rows[v] - self.at.keys())
                if open_:
                    return self._try(open_[0], rows[self.at[v]] - given, waiting)
            waiting = waiting[:-1]
        return True

    def _try(self, u: int, images: frozenset[int], waiting: list[int]) -> bool:
        """Find an image for u, itself if that does it, and then for the others."""
        for w in sorted(images, key=lambda w: (w != u, w)):
            if self.kinds[u] != self.kinds[w] or w in self.at:
                continue
            self.at[u], self.at[w] = w, u
            if self._extend([*waiting, u, w]):
                return True
            del self.at[u]
            self.at.pop(w, None)
        return False
