"""The verified checker beside the referee, and beside the checker in Python.

A case is of one of these kinds:

- plays: draws a DAG with plays of it, legal and broken, which the definition of the game in Coq and
  the referee must judge alike;
- certificates: changes an entry of a golden certificate of a kind that is verified;
- meanings: gives one another game, DAG or kind, or exchanges numbers in many places of it;
- searches: claims an excess of a small game where values are computed again, right or wrong, and
  half of the time changes an entry of that.

Both checkers must say the same of a certificate. "Not known" counts what Python takes and the
verified checker says that it does not know.
"""

import random
from functools import cache

from pebble import compulsory_words
from proofs.verified import build, judged_by_definition
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.verified_checker import (
    Case,
    by_referee,
    drawn_dag,
    drawn_games,
    drawn_search,
    golden_cases,
    mutated,
    product_cases,
    reinterpreted,
)

GAMES = 10  # of a DAG


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` came to, of each kind as many."""
    build()
    looks = {
        "plays": _plays,
        "certificates": _changed,
        "meanings": _reinterpreted,
        "searches": _searched,
    }
    return in_turns(looks, cases, seed)


def _plays(rng: random.Random) -> str:
    """Whether plays of a DAG are judged alike."""
    dag = drawn_dag(rng)
    games = list(drawn_games(dag, GAMES, rng))
    in_coq = judged_by_definition(dag, [game[1:] for game in games])
    for message, game in zip(in_coq, games, strict=True):
        if message != (second := by_referee(game)):
            return f"failed: {message} in Coq, {second} by the referee: {game}"
    return "agreed"


def _changed(rng: random.Random) -> str:
    """Whether both checkers say the same of a changed certificate."""
    origin, words = rng.choice(_known())
    return compared(mutated(origin, rng), words)


def _reinterpreted(rng: random.Random) -> str:
    """Whether both checkers say the same of a certificate with another meaning."""
    origin, words = rng.choice(_known())
    return compared(reinterpreted(origin, [case for case, _ in _known()], rng), words)


def _searched(rng: random.Random) -> str:
    """Whether both checkers say the same of an excess that is claimed of a small game."""
    case = drawn_search(rng)
    excess = case.data["parts"][0]["data"]["excess"]
    return compared(
        mutated(case, rng) if rng.random() < 0.5 else case, compulsory_words(case.dag) + excess
    )


def compared(case: Case, words: int) -> str:
    """What both checkers say of a certificate, if it is the same.

    Parameters
    ----------
    case
        The certificate.
    words
        What is claimed of one that Python refuses.
    """
    proved = case.python()
    if not isinstance(proved, int):
        return f"failed: Coq takes {case}" if case.coq(words) is None else "refused"
    why = case.coq(proved)
    if why is None:
        return "proved"
    if why.startswith("NotVerifiedError"):
        return "not known"
    return f"failed: Coq says {why!r}, and not {proved}: {case}"


@cache
def _known() -> list[tuple[Case, int]]:
    """Golden certificates, and some of products, that both accept, with what they prove."""
    pairs = [(case, case.python()) for case in (*golden_cases(), *product_cases())]
    return [(case, io) for case, io in pairs if isinstance(io, int) and case.coq(io) is None]
