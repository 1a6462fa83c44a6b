"""Ideals of a small game one after another, with an account for each value alive at each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from dags.arrays import Int64Array, lock
from pebble.small.game import Masks
from proofs.certificates.pieces.balances import _kernels
from proofs.certificates.pieces.balances.lattice import Lattice

MOST_ENTRIES = 2**24  # pairs of an ideal and a value alive there


@dataclass(frozen=True)
class Laid:
    """The ideals of a lattice, in the order of their sizes.

    Parameters
    ----------
    lattice
        The lattice.
    done
        (s,) the ideals, the last of them all steps.
    alive
        (s,) values that have come into being, and have readers that are not done.
    """

    lattice: Lattice
    done: Masks
    alive: Masks

    @cached_property
    def offset(self) -> Int64Array:
        """(s,) where the entries of the values alive begin."""
        counts = np.bitwise_count(self.alive).astype(np.int64)
        return lock(np.cumsum(counts) - counts)

    @property
    def entries(self) -> int:
        """Pairs of an ideal and a value alive there."""
        return int(np.bitwise_count(self.alive).sum())

    @cached_property
    def value_of_entry(self) -> Int64Array:
        """(entries,) the value of each entry."""
        values = np.empty(self.entries, np.int64)
        _kernels.list_values(self.alive, values)
        return lock(values)

    def ways(self, keys: Any) -> _kernels.Ways:
        """Return the ideals as kernels read them, with the accounts `keys` (entries,)."""
        alive, offset, starts, steps, after = self._rows
        return _kernels.Ways(alive, offset, keys, starts, steps, after)

    @cached_property
    def _rows(self) -> tuple[Any, ...]:
        """The arrays that all ways have in common."""
        starts, steps, after = [np.zeros(1, np.int64)], [np.empty(0, np.int8)], [np.empty(0)]
        edges = ideals = 0
        for layer in self.lattice.layers:
            ideals += layer.done.size
            starts.append(layer.starts[1:] + edges)
            steps.append(layer.steps)
            after.append(layer.after + ideals)
            edges += layer.steps.size
        lists: tuple[list[Any], ...] = starts, steps, after
        types = np.int64, np.int8, np.int32
        arrays = (lock(np.concatenate(a).astype(b)) for a, b in zip(lists, types, strict=True))
        return self.alive, self.offset, *arrays

    def board(self, parts: int) -> _kernels.Board:
        """Return the game as the kernels read it, with prices in so many parts of a word."""
        game = self.lattice.game
        return _kernels.Board(
            operands=game.operands,
            room=self.lattice.room,
            words=game.sizes,
            load=lock(parts * game.sizes),
            store=lock(np.where(self.lattice.costly, parts * game.sizes, 0)),
            sliding=game.rules.sliding,
        )

    def progress(self) -> tuple[Any, int]:
        """Return (entries,) accounts, and how many: shared by values that are equally far.

        An account is for a value, the readers that are done, how many steps are done, and how many
        of these are among its readers or before some of them.
        """
        rows = self.lattice.game.readers.tolist()
        needs = lock(np.array([self._needed(row) for row in rows], np.uint64))
        keys = np.empty(self.entries, np.int32)
        room = 1 << max(2 * self.entries, 1).bit_length()
        table = np.empty(room, np.uint64), np.empty(room, np.int64), np.full(room, -1, np.int32)
        sets = self.done, self.alive, self.lattice.game.readers, needs
        count = _kernels.number_accounts(*sets, keys, *table)
        return lock(keys), count

    def ideals(self) -> tuple[Any, int]:
        """Return (entries,) accounts, and how many: one for each value at each ideal."""
        return lock(np.arange(self.entries, dtype=np.int32)), self.entries

    def _needed(self, steps: int) -> int:
        """Return a set of steps, and all that come before them."""
        found, left = 0, steps
        before = [int(row) for row in self.lattice.game.before]
        while left:
            step = left.bit_length() - 1
            found |= 1 << step
            left = (left | before[step]) & ~found
        return found


KEYS: Final[dict[str, Callable[[Laid], tuple[Any, int]]]] = {
    "progress": Laid.progress,
    "ideals": Laid.ideals,
}


def laid(lattice: Lattice, most: int = MOST_ENTRIES) -> Laid | None:
    """Return the ideals of a lattice one after another; None if too many values are alive.

    Parameters
    ----------
    lattice
        The lattice.
    most
        Pairs of an ideal and a value, at most.
    """
    game = lattice.game
    full = np.array([(1 << game.steps.size) - 1], np.uint64)
    done = lock(np.concatenate([*(layer.done for layer in lattice.layers), full]))
    alive = np.empty(done.size, np.uint64)
    _kernels.mark_alive(done, game.readers, game.maker, alive)
    found = Laid(lattice, done, lock(alive))
    return found if found.entries <= most else None


def new_desk() -> _kernels.Desk:
    """Return room for the values alive at one ideal."""
    return _kernels.Desk(*np.zeros((5, 64), np.int64))
