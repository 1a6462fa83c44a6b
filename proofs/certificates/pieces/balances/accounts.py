"""Balances of values, summed over every order of the steps (P9).

A value that is alive at an ideal of steps is in fast memory alone, in both, or away, and each state
has a balance; from one ideal to the next a value pays its words moved less the growth of its
balance. Any balances are valid: the least sum over all ways from no step to all is a bound. Values
at different ideals may share an account, by their "progress"; or each has its own, by "ideals".

The proof is P9 in docs/theory/pieces.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

import numpy as np

from dags.arrays import Int64Array, lock
from pebble import Rules
from pebble.small import BITS, SmallGame, TooLargeError, small_game
from pebble.small.game import Masks
from proofs.certificates.pieces.balances import _kernels
from proofs.certificates.pieces.exhaustive import Form
from proofs.certificates.pieces.piece import ALL, Piece, PieceLemma, Shown
from proofs.certificates.pieces.wavefronts import extra_words
from proofs.core.records import CertificateError, Positive

MOST_WAYS = 2**23  # pairs of a set and a step after it, of all sets together
MOST_ENTRIES = 2**24  # pairs of an ideal and a value alive there
LIMIT = 2**30  # of the parts of all words of a piece, so that no product overflows


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
    """The lattice of the game on a piece; None if it is too large.

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


def _layers(game: SmallGame, limit: int) -> Iterator[Layer | None]:
    """Yield the layers from the empty set on, None instead of one that makes them too large."""
    count = game.steps.size
    full = np.uint64((1 << count) - 1)
    done = np.zeros(1, np.uint64)
    for size in range(count):
        room = min(done.size * (count - size), limit)
        sets, steps = np.empty(room, np.uint64), np.empty(room, np.int8)
        starts = np.empty(done.size + 1, np.int64)
        successors = _kernels.ready_steps(game.before, lock(done), full, sets, steps, starts)
        limit -= successors
        if successors < 0 or limit <= 0:
            yield None
            return
        following, after = _distinct(sets[:successors])
        yield Layer(lock(done), lock(starts), lock(steps[:successors].copy()), lock(after))
        done = following


def _distinct(sets: Masks) -> tuple[Masks, Any]:
    """The sets (e,) that differ, rising, and (e,) int32 the place of each among them."""
    table = np.full(2 << sets.size.bit_length(), -1, np.int32)
    different, place = np.empty_like(sets), np.empty(sets.size, np.int32)
    count = _kernels.tell_apart(lock(sets), table, different, place)
    order = np.argsort(different[:count])
    rank = np.empty(count, np.int32)
    rank[order] = np.arange(count, dtype=np.int32)
    return different[order], rank[place]


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
        """The ideals as kernels read them, with the accounts `keys` (entries,)."""
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

    def board(self, parts: int) -> _kernels.BalanceBoard:
        """The game as the kernels read it, with prices in so many parts of a word."""
        game = self.lattice.game
        return _kernels.BalanceBoard(
            operands=game.operands,
            room=self.lattice.room,
            words=game.sizes,
            load=lock(parts * game.sizes),
            store=lock(np.where(self.lattice.costly, parts * game.sizes, 0)),
            sliding=game.rules.sliding,
        )

    def progress(self) -> tuple[Any, int]:
        """(entries,) accounts, and how many: shared by values that are equally far.

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
        """(entries,) accounts, and how many: one for each value at each ideal."""
        return lock(np.arange(self.entries, dtype=np.int32)), self.entries

    def _needed(self, steps: int) -> int:
        """A set of steps, and all that come before them."""
        closed, left = 0, steps
        before = [int(row) for row in self.lattice.game.before]
        while left:
            step = left.bit_length() - 1
            closed |= 1 << step
            left = (left | before[step]) & ~closed
        return closed


KEYS: Final[dict[str, Callable[[Laid], tuple[Any, int]]]] = {
    "progress": Laid.progress,
    "ideals": Laid.ideals,
}


def laid(lattice: Lattice) -> Laid | None:
    """The ideals of a lattice one after another; None if too many values are alive."""
    game = lattice.game
    full = np.array([(1 << game.steps.size) - 1], np.uint64)
    done = lock(np.concatenate([*(layer.done for layer in lattice.layers), full]))
    alive = np.empty(done.size, np.uint64)
    _kernels.mark_alive(done, game.readers, game.maker, alive)
    ideals = Laid(lattice, done, lock(alive))
    return ideals if ideals.entries <= MOST_ENTRIES else None


def new_desk() -> _kernels.Desk:
    """Room for the values alive at one ideal."""
    return _kernels.Desk(*np.zeros((5, 64), np.int64))


@dataclass(frozen=True)
class Balances:
    """Parts of a word, by which values share accounts, and the balances of each."""

    parts: Positive
    keys: Literal["progress", "ideals"]
    away: Int64Array
    stored: Int64Array


def excess(piece: Piece, memory: int, rules: Rules, record: Balances) -> Shown:
    """The excess that balances prove."""
    if rules.recompute:
        raise CertificateError("rules", "each value has to be computed once")
    ideals, parts = _laid(Form(piece, memory, rules)), record.parts
    words = max(int(ideals.lattice.game.sizes.sum()), 1)
    if parts > LIMIT // words:
        raise CertificateError("parts", f"are {parts}, too many to be checked")
    accounts, count = KEYS[record.keys](ideals)
    absence, stored = (
        _balances(name, balances, count, parts * words)
        for name, balances in (("away", record.away), ("stored", record.stored))
    )
    return -(-least_gain(ideals, parts, accounts, absence, stored) // parts), ALL


def least_gain(
    ideals: Laid, parts: int, accounts: Any, absence: Int64Array, stored: Int64Array
) -> int:
    """The parts of words that all orders pay at least.

    Parameters
    ----------
    ideals
        The ideals.
    parts
        Parts of a word.
    accounts
        (entries,) the account of each value at each ideal.
    away, stored
        (accounts,) balances, locked.
    """
    ways = ideals.ways(accounts)
    gains, kept = np.empty(ways.steps.size, np.int64), np.empty(ways.steps.size, np.uint64)
    active, to_come = np.ones(ways.alive.size, np.bool_), np.empty(ways.alive.size, np.int64)
    board = ideals.board(parts)
    _kernels.weigh_ways(board, ways, absence, stored, new_desk(), active, gains, kept)
    _kernels.least_ways(ways, gains, to_come)
    return int(to_come[0])


def _balances(name: str, balances: Int64Array, count: int, limit: int) -> Int64Array:
    """(count,) balances, locked, none beyond `limit`."""
    if balances.size != count:
        raise CertificateError(name, f"are {balances.size}, not one for each of {count} accounts")
    if balances.size and max(balances.max(), -balances.min()) > limit:
        raise CertificateError(name, f"are not all within {limit}, the parts of all values")
    return lock(balances.copy())


@lru_cache(maxsize=4)
def _laid(form: Form) -> Laid:
    """The ideals of a form.

    Raises
    ------
    CertificateError
        If they are too many, or it cannot be played.
    """
    try:
        game = small_game(form.piece, form.memory, form.rules)
    except TooLargeError:
        raise CertificateError("vertices", f"are more than {BITS}: too many to search") from None
    if not game.playable:
        raise CertificateError("memory", f"of {form.memory} words is too small to play the piece")
    lattice = lattice_of(form.piece, game)
    if lattice is None:
        raise CertificateError("vertices", f"have more than {MOST_WAYS} ways from ideal to ideal")
    ideals = laid(lattice)
    if ideals is None:
        raise CertificateError("vertices", f"have more than {MOST_ENTRIES} values alive at ideals")
    return ideals


BALANCES = PieceLemma(Balances, excess, ("P9",))
