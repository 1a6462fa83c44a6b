"""Checks the least excess of a small piece by a search of all of its states.

Where values may be computed again, `recompute` has the search; this is about the one-shot game.
The game on a piece is what `piece` says: inputs begin in slow memory, outputs end there, a source
that is no input comes from nothing, once; the first load of an input and the first store of an
output cost nothing, each other word moved is excess. The search keeps to plays of one form, for
the following reasons; each is a change that makes no play dearer and keeps it legal.

1. *Sources come late.* An input is loaded, and another source computed, just before the first step
   that reads it: there it is in fast memory anyhow, and before that it only took room.
2. *Nothing leaves early.* A value with readers to come leaves only when a step needs its room, and
   no set leaves of which one value could stay. One without leaves at once. (In a sliding game a
   value may leave just because the result takes its place.)
3. *Loads come late,* just before a step that reads the value; stores when the value leaves.
4. *A value pays when it leaves* with readers to come: its words twice if slow memory does not have
   it and it is no output, for a store and a load; otherwise once, for a load. So a state is the set
   of steps done, the values in fast memory, and the *dirty* ones among them, which pay twice; what
   is not there has been paid for, and each step costs what its departures cost.
5. *Some steps come at once.* Let a step v be ready, let it fit without departures, let all of its
   operands that are not there be read by no other step any more; and let those that are there and
   are read by no other step any more, counting only those with no fewer words than v's result, pay
   together at least what the result would pay if it left (nothing if nobody reads it). Take a
   best play. Let v be computed now, and let its result sit in the place of one of these operands
   for as long as one is there. When the last of them leaves, all of them have paid: the result
   leaves and pays no more than that. Where the play computed v, the result comes back.
6. *What is still due.* `search.fronts` says of some sets of steps what the values absent at the
   moment before their first step have by c(v), at least. If none of the set is done yet, that
   moment is still to come. A value that is absent now has paid at least c(v). One that is there and
   not dirty, but once was, will pay for leaving again. Each other one has c(v) still to pay.
7. *Symmetry.* A permutation of the values and steps that keeps operands, words and prices takes
   plays to plays.

All states that need not cost `limit` are visited, the cheapest first, by paying and adding what is
still due; so if no play is among them, each costs at least the least of what was left out.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pebble import Rules
from proofs.certificates import recompute
from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import integer, only
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.search import Found, Search, game, one_shot

MOST_STATES = 2**24


class Form:
    """A piece but for its place in the DAG: equal forms are searched once."""

    def __init__(self, piece: Piece, memory: int, rules: Rules) -> None:
        self.piece, self.memory, self.rules = piece, memory, rules
        arrays = (piece.pred_indptr, piece.pred_indices, piece.words, piece.is_input)
        self.key = (*(a.tobytes() for a in arrays), piece.is_output.tobytes(), memory, rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def proven(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the excess that the search confirms: `data` has the "excess" that it claims."""
    only(data, ("excess",))
    claimed = integer(data, "excess", least=0)
    if claimed > piece.plain_excess:
        raise CertificateError("excess", f"is {claimed}, but a play has {piece.plain_excess}")
    found = searched(Form(piece, memory, rules), claimed)
    if found is None:
        raise CertificateError("excess", f"{claimed} needs more than {MOST_STATES} states")
    if found.excess < claimed:
        raise CertificateError("excess", f"is {claimed}, but a play has {found.excess}")
    return claimed


def least_excess(
    piece: Piece,
    memory: int,
    rules: Rules,
    *,
    most: int = MOST_STATES,
    stop: Callable[[], bool] = bool,
) -> Found:
    """Return the most excess of `piece` that can be proved by keeping up to `most` states.

    Raises
    ------
    CertificateError
        If the piece is too large, or cannot be played.
    """
    search = prepared(Form(piece, memory, rules))
    best = Found(0, False, 0)
    while not best.complete:
        found = search.below(best.excess + 1, most, stop)
        if found is None:
            break
        best = found
    return best


@lru_cache(maxsize=64)
def prepared(form: Form) -> Search:
    """Return the search of a form."""
    played = game(form.piece, form.memory, form.rules)
    if not played.playable:
        raise CertificateError("memory", f"of {form.memory} words is too small to play the piece")
    return recompute.again(played, form.piece) if form.rules.recompute else one_shot(played)


@lru_cache(maxsize=1024)
def searched(form: Form, limit: int) -> Found | None:
    """Return what all states of a form below `limit` prove, or None if they are too many."""
    return prepared(form).below(limit, MOST_STATES)
