"""Balances of values, summed over every order of the steps (P9).

A value that is alive at an ideal of steps is in fast memory alone, in both, or away, and each state
has a balance; from one ideal to the next a value pays what is moved of it less what its balance
grows by. Any balances are valid: the least sum over all ways from no step to all is a bound.
Values at different ideals may share an account, by their "progress"; or each has its own, by
"ideals".

The proof is P9 in docs/theory/pieces.md.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from dags.arrays import Int64Array, lock
from pebble import Rules
from pebble.small import BITS, TooLargeError, small_game
from proofs.certificates.pieces.balances import _kernels
from proofs.certificates.pieces.balances.ways import (
    KEYS,
    MOST_ENTRIES,
    MOST_WAYS,
    Laid,
    laid,
    lattice_of,
    new_desk,
)
from proofs.certificates.pieces.exhaustive import Form
from proofs.certificates.pieces.piece import ALL, Piece, PieceLemma, Shown
from proofs.core.certificate import CertificateError
from proofs.core.records import Positive

LIMIT = 2**30  # of the parts of all words of a piece, so that no product overflows


@dataclass(frozen=True)
class Balances:
    """Parts of a word, by which values share accounts, and of each what it is away or stored."""

    parts: Positive
    keys: Literal["progress", "ideals"]
    away: Int64Array
    stored: Int64Array


def excess(piece: Piece, memory: int, rules: Rules, record: Balances) -> Shown:
    """Return the excess that balances prove."""
    if rules.recompute:
        raise CertificateError("rules", "each value has to be computed once")
    found, parts = _laid(Form(piece, memory, rules)), record.parts
    words = max(int(found.lattice.game.sizes.sum()), 1)
    if parts > LIMIT // words:
        raise CertificateError("parts", f"are {parts}, too many to be checked")
    accounts, count = KEYS[record.keys](found)
    away, stored = (
        _balances(name, balances, count, parts * words)
        for name, balances in (("away", record.away), ("stored", record.stored))
    )
    return -(-least_gain(found, parts, accounts, away, stored) // parts), ALL


def least_gain(found: Laid, parts: int, accounts: Any, away: Int64Array, stored: Int64Array) -> int:
    """Return the parts of words that all orders pay at least.

    Parameters
    ----------
    found
        The ideals.
    parts
        Parts of a word.
    accounts
        (entries,) the account of each value at each ideal.
    away, stored
        (accounts,) balances, locked.
    """
    ways = found.ways(accounts)
    gains, kept = np.empty(ways.steps.size, np.int64), np.empty(ways.steps.size, np.uint64)
    active, to_come = np.ones(ways.alive.size, np.bool_), np.empty(ways.alive.size, np.int64)
    board = found.board(parts)
    _kernels.weigh_ways(board, ways, away, stored, new_desk(), active, gains, kept)
    _kernels.least_ways(ways, gains, to_come)
    return int(to_come[0])


def _balances(name: str, balances: Int64Array, count: int, most: int) -> Int64Array:
    """Return (count,) balances, locked, none beyond `most`."""
    if balances.size != count:
        raise CertificateError(name, f"are {balances.size}, not one for each of {count} accounts")
    if balances.size and max(balances.max(), -balances.min()) > most:
        raise CertificateError(name, f"are not all within {most}, the parts of all values")
    return lock(balances.copy())


@lru_cache(maxsize=4)
def _laid(form: Form) -> Laid:
    """Return the ideals of a form.

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
    found = laid(lattice)
    if found is None:
        raise CertificateError("vertices", f"have more than {MOST_ENTRIES} values alive at ideals")
    return found


BALANCES = PieceLemma(Balances, excess, ("P9",))
