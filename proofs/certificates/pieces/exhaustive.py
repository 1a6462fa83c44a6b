"""Searches of all states of a small piece, and of partial computation (E4), which checkers repeat.

The game on a piece is that of `piece`. `pebble.small.one_shot` has the search of the game in which
each value is computed once, `pebble.small.recompute` that of the other one; E1 to E3 in
docs/theory/search.md prove that the plays left out are not needed. Nothing is taken from the
certificate but the excess that it claims: all states that need not cost so much are visited, and no
play is among them.

It may say how many "states" the search for it kept. A search that visits only states that cost less
than the claim keeps no more of them, so that one which keeps `SLACK` times as many, and at least
`FEW`, is given up: a claim that was raised takes no longer to refuse than the honest one to verify.
One that does not say gets `UNTOLD`. All pieces of a certificate together get `MOST_TOGETHER`,
whatever they say; forms that are equal are searched, and counted, once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from pebble import Budget, Game, Rules
from pebble.small import (
    BITS,
    MOST_LEVELS,
    MOST_STATES,
    Search,
    TooLargeError,
    search_of,
    small_game,
)
from pebble.small.partial import partial_game, partial_search
from proofs.certificates.pieces.piece import ALL, Piece, PieceLemma, Shown
from proofs.core.records import CertificateError, Natural
from proofs.core.windows import Lemma

FEW = 2**16  # states that are visited whatever a certificate says
SLACK = 4  # times the states that it says, which are
UNTOLD = 2**20  # states that are visited where it says none
MOST_TOGETHER = MOST_STATES  # of all pieces of a certificate
KIND = "partial-search"


@dataclass(frozen=True)
class Claim:
    """The excess that is claimed, and how many states the search for it kept, if it is told."""

    excess: Natural
    states: Natural | None = None


@dataclass(frozen=True)
class SearchedExcess:
    """Result of a search of a piece.

    Parameters
    ----------
    excess
        Words that every play exceeds the compulsory ones by, at least.
    complete
        Whether some play exceeds them by no more.
    states
        States that were kept.
    """

    excess: int
    complete: bool
    states: int


class Form:
    """A piece but for its place in the DAG: equal forms are searched once."""

    def __init__(self, piece: Piece, memory: int, rules: Rules) -> None:
        self.piece, self.memory, self.rules = piece, memory, rules
        arrays = (piece.pred_indptr, piece.pred_indices, piece.words, piece.is_input)
        beside = piece.is_output, piece.outside, piece.replaceable
        self.key = (*(a.tobytes() for a in (*arrays, *beside)), memory, rules)
        self._hash = hash(self.key)

    def __eq__(self, value: object) -> bool:
        return isinstance(value, Form) and self.key == value.key

    def __hash__(self) -> int:
        return self._hash


class Searches:
    """The searches that check the pieces of one certificate: all of them share some states."""

    def __init__(self) -> None:
        self.left = MOST_TOGETHER
        self._found: dict[tuple[Form, int], SearchedExcess] = {}

    def shows(self, piece: Piece, memory: int, rules: Rules, record: Claim) -> Shown:
        """The excess that the search confirms."""
        claimed, stated = record.excess, record.states
        if claimed > piece.plain_excess:
            raise CertificateError("excess", f"is {claimed}, but a play has {piece.plain_excess}")
        limit = UNTOLD if stated is None else max(SLACK * stated, FEW)
        bound = self._searched(Form(piece, memory, rules), claimed, limit)
        if bound.excess < claimed:
            raise CertificateError("excess", f"is {claimed}, but a play has {bound.excess}")
        return claimed, ALL

    def _searched(self, form: Form, claimed: int, limit: int) -> SearchedExcess:
        """The bound by all states of a form below the claim.

        Raises
        ------
        CertificateError
            If they are more than `limit`, or than are left for all pieces.
        """
        if (form, claimed) not in self._found:
            able = max(min(limit, self.left), 1)
            bound = searched(form, claimed, able)
            if bound is None:
                raise CertificateError(
                    "excess", f"{claimed} needs more than {able} states, or {MOST_LEVELS} levels"
                )
            self.left -= bound.states
            self._found[form, claimed] = bound
        return self._found[form, claimed]


EXACT = PieceLemma(Claim, lambda *game: Searches().shows(*game), ("E1", "E2", "E3"))


def least_excess(
    piece: Piece,
    memory: int,
    rules: Rules,
    *,
    limit: int = MOST_STATES,
    stop: Callable[[], bool] = bool,
) -> SearchedExcess:
    """The most excess of `piece` that can be proved by keeping up to `limit` states.

    Raises
    ------
    CertificateError
        If the piece is too large, or cannot be played.
    """
    search = prepared(Form(piece, memory, rules))
    outcome = search.below(MOST_LEVELS, max_states=limit, budget=Budget(stop=stop))
    return SearchedExcess(outcome.excess, outcome.found, outcome.states)


@lru_cache(maxsize=64)
def prepared(form: Form) -> Search:
    """The search of a form."""
    try:
        game = small_game(form.piece, form.memory, form.rules)
    except TooLargeError:
        raise CertificateError("vertices", f"are more than {BITS}: too many to search") from None
    if not game.playable:
        raise CertificateError("memory", f"of {form.memory} words is too small to play the piece")
    return search_of(game)


@lru_cache(maxsize=1024)
def searched(form: Form, limit: int, most: int) -> SearchedExcess | None:
    """The bound by all states of a form below `limit`; None if they are more than `most`."""
    if limit > MOST_LEVELS:
        return None
    outcome = prepared(form).below(limit, max_states=most)
    if not (outcome.found or outcome.exhausted):
        return None
    return SearchedExcess(outcome.excess, outcome.found, outcome.states)


@dataclass(frozen=True)
class Excess:
    """Words beyond the compulsory ones; the search looks for a play with less."""

    excess: Natural


def words(game: Game, record: Excess) -> int:
    """The words that the search confirms."""
    excess = record.excess
    if not game.rules.partial:
        raise CertificateError("kind", "holds for partial computation alone")
    try:
        outcome = partial_search(partial_game(game.dag, game.memory)).below(excess)
    except TooLargeError as error:
        raise CertificateError("excess", str(error)) from None
    if outcome.found or outcome.excess < excess:
        raise CertificateError("excess", f"is {excess}, but some play may have {outcome.excess}")
    return game.compulsory + excess


PARTIAL = Lemma(Excess, words, lambda _: ("E4",))
