"""The lattice of what can be done first: all sets of steps that hold what their steps need."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dags.arrays import Int64Array, lock
from pebble.small import SmallGame
from pebble.small.game import Masks
from proofs.certificates.pieces.balances import _kernels
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.pieces.wavefronts import extra_words

MOST_WAYS = 2**23  # pairs of a set and a step after it, of all sets together


@dataclass(frozen=True)
class Layer:
    """The ideals of one size, and the steps after each.

    Parameters
    ----------
    done
        (s,) sets of steps.
    starts
        (s+1,) where the steps after each set begin.
    steps, after
        (e,) the steps, and the places of the sets with them in the next layer.
    """

    done: Masks
    starts: Int64Array
    steps: Any
    after: Any


@dataclass(frozen=True)
class Lattice:
    """All ideals of the steps of a game, by their sizes.

    Parameters
    ----------
    game
        The game.
    layers
        (c,) the ideals of 0 to c - 1 steps.
    room
        (c,) words of fast memory beside the operands of each step.
    """

    game: SmallGame
    layers: tuple[Layer, ...]
    room: Int64Array

    @cached_property
    def costly(self) -> Any:
        """(r,) whether a value that leaves has to be stored for it."""
        return np.array([self.game.costly >> r & 1 for r in range(self.game.values.size)], np.bool_)


def lattice_of(piece: Piece, game: SmallGame, most: int = MOST_WAYS) -> Lattice | None:
    """Return the lattice of the game on a piece; None if it is too large.

    Parameters
    ----------
    piece, game
        The piece, and the game on it.
    most
        Pairs of a set and a step after it, at most.
    """
    layers = []
    for layer in _layers(game, most):
        if layer is None:
            return None
        layers.append(layer)
    held = np.zeros(piece.size, np.int64)
    heads = np.repeat(np.arange(piece.size), np.diff(piece.pred_indptr))
    np.add.at(held, heads, piece.words[piece.pred_indices])
    room = game.memory - (held + extra_words(piece, game.rules))[game.steps]
    return Lattice(game, tuple(layers), lock(np.maximum(room, 0)))


def _layers(game: SmallGame, most: int) -> Iterator[Layer | None]:
    """Yield the layers from the empty set on, None instead of one that makes them too large."""
    count = game.steps.size
    full = np.uint64((1 << count) - 1)
    done = np.zeros(1, np.uint64)
    for size in range(count):
        room = min(done.size * (count - size), most)
        sets, steps = np.empty(room, np.uint64), np.empty(room, np.int8)
        starts = np.empty(done.size + 1, np.int64)
        found = _kernels.ready_steps(game.before, lock(done), full, sets, steps, starts)
        most -= found
        if found < 0 or most <= 0:
            yield None
            return
        following, after = _distinct(sets[:found])
        yield Layer(lock(done), lock(starts), lock(steps[:found].copy()), lock(after))
        done = following


def _distinct(sets: Masks) -> tuple[Masks, Any]:
    """Return the sets (e,) that differ, rising, and (e,) int32 the place of each among them."""
    table = np.full(2 << sets.size.bit_length(), -1, np.int32)
    different, place = np.empty_like(sets), np.empty(sets.size, np.int32)
    count = _kernels.tell_apart(lock(sets), table, different, place)
    order = np.argsort(different[:count])
    rank = np.empty(count, np.int32)
    rank[order] = np.arange(count, dtype=np.int32)
    return different[order], rank[place]
