"""Bounds by balances of values, over every order of the steps of a small DAG."""

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from dags import CDAG
from pebble import Budget, Game, Rules
from pebble.small import small_game
from proofs.base import Bound, bound_method, require_one_shot
from proofs.bounds.pieces.balances import Ascent, even_balances
from proofs.bounds.pieces.packing.pieces import Proof
from proofs.bounds.pieces.piece_proofs import searchable
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.thinned import as_generated, thinned
from proofs.certificates import Certificate
from proofs.certificates.pieces.balances import KEYS, LIMIT, Laid, laid, lattice_of
from proofs.certificates.pieces.piece import Cutter, Piece

SECONDS = 30.0  # unless a limit is given
PARTS = 1000  # of a word, in which balances are chosen, where that is not too many


class Turn(NamedTuple):
    """One search for balances.

    Parameters
    ----------
    keys
        The rule by which values share accounts.
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


@bound_method
@thinned
@as_generated
def ideals(game: Game, budget: Budget) -> Bound:
    """Lower bound by shortest paths over the ideals of a small DAG, by balances of its values.

    Each value has a balance at each ideal, a set of steps that can be done first, and in each of
    the memories that it may be in. A step pays the words moved, less the growth of balances. Of all
    orders one pays least, and it is found by a shortest path over all ideals. Balances are chosen
    so that this path is long. `proofs.certificates.pieces.balances.accounts` has the theorem.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

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
    require_one_shot("ideals", game.rules)
    known = nothing_to_prove("ideals", game)
    if known is not None:
        return known
    piece, certain = _searched(game.dag), budget.limited(SECONDS)
    excess, kind, data = ideal_excess(piece, game.memory, game.rules, certain)
    vertices = "all" if piece.size == game.dag.n else piece.vertices
    parts = [{"vertices": vertices, "proof": kind, "data": data}] if excess else []
    io, certificate = game.compulsory + excess, Certificate("parts", {"parts": parts})
    return Bound("ideals", game.memory, io, game.rules, certificate)


def _searched(dag: CDAG) -> Piece:
    """All vertices; where they are too many, all but inputs that are read once.

    These are loaded for their readers at the soonest, and take room beside them.
    """
    cutter = Cutter(dag)
    entire = cutter.whole()
    if searchable(entire):
        return entire
    readers = np.bincount(dag.pred_indices, minlength=dag.n)
    return cutter.cut(np.flatnonzero(~entire.is_input | (readers > 1)))


def ideal_excess(piece: Piece, memory: int, rules: Rules, budget: Budget) -> Proof:
    """The bound by balances of a piece: nothing if it has too many ideals.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    budget
        Of the search.
    """
    nothing: Proof = (0, "balances", {})
    if not searchable(piece):
        return nothing
    game = small_game(piece, memory, rules)
    parts = min(PARTS, LIMIT // max(int(game.sizes.sum()), 1))
    lattice = lattice_of(piece, game) if game.playable and parts else None
    ideals = None if lattice is None else laid(lattice)
    if ideals is None:
        return nothing
    return max([nothing, *_balanced(ideals, parts, budget)], key=itemgetter(0))


def _balanced(ideals: Laid, parts: int, budget: Budget) -> Iterator[Proof]:
    """Yield the bounds by balances, with fewer accounts and with more."""
    absence, stored = even_balances(ideals, parts)
    turns = [turn for turn in TURNS if ideals.entries <= turn.most]
    for keys, share, wide, steps, _ in turns:
        accounts = KEYS[keys](ideals)
        begin = np.zeros((2, accounts[1]))
        begin[:, accounts[0]] = absence, stored
        turn = budget.share(share if len(turns) > 1 else 1.0)
        ascent = Ascent(ideals, parts, accounts, *begin)
        ascent.climb(wide, steps, turn)
        absence, stored = (table[accounts[0]] for table in ascent.best)
        data = {"parts": parts, "keys": keys, "away": ascent.best[0], "stored": ascent.best[1]}
        yield -(-ascent.least // parts), "balances", data
