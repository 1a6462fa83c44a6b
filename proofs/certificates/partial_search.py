"""A search of all states of partial computation, which the checker repeats.

The theorem is E4 in docs/theory/search.md.
"""

from dataclasses import dataclass

from pebble import Game
from pebble.small import TooLargeError
from pebble.small.partial import partial_game, partial_search
from proofs.core.certificate import CertificateError
from proofs.core.records import Natural
from proofs.core.windows import Lemma

KIND = "partial-search"


@dataclass(frozen=True)
class Excess:
    """Words beyond the compulsory ones; the search looks for a play with less."""

    excess: Natural


def words(game: Game, record: Excess) -> int:
    """Return the words that the search confirms."""
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
