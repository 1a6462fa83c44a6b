"""Bounds by charges on values that are away, over every order of the steps of a small DAG."""

import time
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from dags import CDAG
from pebble import ONE_SHOT, Rules
from pebble.small import small_game
from proofs.base import Bound, require_one_shot
from proofs.bounds.pieces.balances import Ascent
from proofs.bounds.pieces.charges import ChargeAscent
from proofs.bounds.pieces.packing.pieces import Proof
from proofs.bounds.pieces.piece_proofs import searchable
from proofs.bounds.renumbered import as_generated
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.pieces.balances import KEYS, laid
from proofs.certificates.pieces.ideals import lattice_of
from proofs.certificates.pieces.ideals.charges import LIMIT
from proofs.certificates.pieces.piece import Cutter, Piece

SECONDS = 30.0  # unless a limit is given
PARTS = 10**6  # of a word, in which charges are chosen, where that is not too many
BALANCED = 1000  # the same for balances, of which there are many
# Orders count by how little they cost: one that costs so many words more counts 1 / e as much.
# Fewer words prove more in the end, more words prove more soon.
SPREADS = 0.15, 0.05
# Balances begin where charges are after this share of the time.
CHARGES = 0.3


class Turn(NamedTuple):
    """One search for balances.

    Parameters
    ----------
    keys
        By what values share accounts.
    share
        Share of the time that is left.
    wide
        Words by which orders are told apart at first.
    steps
        Steps, at most.
    most
        Pairs of an ideal and a value alive there, at most: steps take longer, and certificates.
    """

    keys: str
    share: float
    wide: float
    steps: int
    most: int


TURNS = Turn("progress", 0.4, 0.1, 150, 2**24), Turn("ideals", 1.0, 0.03, 600, 2**21)


@thinned
@as_generated
def ideals(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound by shortest paths over the ideals of a small DAG, whose steps have charges.

    Each value that is away is charged by when it is: in all at most for a load in each stage
    between its readers, and for a store. Of all orders one is charged least, and it is found by a
    shortest path over all sets of steps that can be done first. The charges are chosen so that this
    path is long: those rise that count on short paths. `proofs.certificates.pieces.ideals.charges`
    has the theorem.

    Then each value has a balance of its own at each ideal, by the memories that it is in: what it
    has paid and not been charged yet. `proofs.certificates.pieces.balances.accounts` has the
    theorem.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If values may be computed again.

    Examples
    --------
    >>> from dags import fft
    >>> ideals(fft(4), 4).io
    11
    """
    require_one_shot("ideals", rules)
    known = nothing_to_prove("ideals", dag, memory, rules)
    if known is not None:
        return known
    seconds = SECONDS if time_limit is None else time_limit
    piece = _searched(dag)
    proof = ideal_excess(piece, memory, rules, time_limit=seconds)
    excess, kind, data = proof or (0, "ideals", {})  # the compulsory words where there are too many
    vertices = "all" if piece.size == dag.n else piece.vertices
    parts = [{"vertices": vertices, "proof": kind, "data": data}] if excess else []
    io = compulsory_words(dag) + excess
    return Bound("ideals", memory, io, rules, Certificate("parts", {"parts": parts}))


def _searched(dag: CDAG) -> Piece:
    """Return all vertices; where they are too many, all but inputs that are read once.

    These are loaded for their readers at the soonest, and take room beside them.
    """
    cutter = Cutter(dag)
    whole = cutter.whole()
    if searchable(whole):
        return whole
    readers = np.bincount(dag.pred_indices, minlength=dag.n)
    return cutter.cut(np.flatnonzero(~whole.is_input | (readers > 1)))


def ideal_excess(
    piece: Piece, memory: int, rules: Rules, *, time_limit: float = SECONDS
) -> Proof | None:
    """Return what charges prove of a piece; None if it has too many ideals.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    time_limit
        Seconds.
    """
    end = time.monotonic() + time_limit
    if not searchable(piece):
        return None
    game = small_game(piece, memory, rules)
    lattice = lattice_of(piece, game) if game.playable else None
    parts = min(PARTS, LIMIT // max(int(game.sizes.sum()), 1))
    if lattice is None or not parts:
        return None
    begun = time.monotonic()
    ascent = ChargeAscent(lattice, parts)
    for spread in SPREADS:
        ascent.climb(spread * parts, begun + CHARGES * (end - begun))
    return max([ascent.proof(), *_balanced(ascent, end)], key=itemgetter(0))


def _balanced(charged: ChargeAscent, end: float) -> Iterator[Proof]:
    """Yield what balances prove that begin as charges do, with fewer accounts and with more."""
    parts = min(BALANCED, charged.parts)
    found = laid(charged.lattice) if charged.least and time.monotonic() < end else None
    if found is None:
        return
    away, stored = charged.balances(found, parts)
    turns = [turn for turn in TURNS if found.entries <= turn.most]
    for keys, share, wide, steps, _ in turns:
        accounts = KEYS[keys](found)
        begin = np.zeros((2, accounts[1]))
        begin[:, accounts[0]] = away, stored
        now = time.monotonic()
        ascent = Ascent(found, parts, accounts, *begin)
        ascent.climb(wide, steps, now + (share if len(turns) > 1 else 1.0) * (end - now))
        away, stored = (table[accounts[0]] for table in ascent.best)
        data = {"parts": parts, "keys": keys, "away": ascent.best[0], "stored": ascent.best[1]}
        yield -(-ascent.least // parts), "balances", data
