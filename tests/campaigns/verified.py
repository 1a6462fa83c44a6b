"""The verified checker beside the referee, and beside the checker in Python.

A case draws a DAG with plays of it, legal and broken, which the definition of the game in Coq and
the referee must judge alike; or changes a golden certificate of a kind that is verified, of which
both checkers must say the same.
"""

import random
from functools import cache

from proofs.verified import build, judged_by_definition
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.verified_checker import Case, by_referee, drawn_dag, drawn_games, golden_cases, mutated

GAMES = 10  # of a DAG


def run(cases: int, seed: int) -> Outcomes:
    """Return what `cases` came to, of each kind as many."""
    build()
    return in_turns({"plays": _plays, "certificates": _changed}, cases, seed)


def _plays(rng: random.Random) -> str:
    """Return whether plays of a DAG are judged alike."""
    dag = drawn_dag(rng)
    games = list(drawn_games(dag, GAMES, rng))
    in_coq = judged_by_definition(dag, [game[1:] for game in games])
    for said, game in zip(in_coq, games, strict=True):
        if said != (other := by_referee(game)):
            return f"failed: {said} in Coq, {other} by the referee: {game}"
    return "agreed"


def _changed(rng: random.Random) -> str:
    """Return whether both checkers say the same of a changed certificate."""
    origin, known = rng.choice(_known())
    case = mutated(origin, rng)
    words = case.python()
    if isinstance(words, int):
        why = case.coq(words)
        return "proved" if why is None else f"failed: Coq says {why!r}, and not {words}: {case}"
    return f"failed: Coq takes {case}" if case.coq(known) is None else "refused"


@cache
def _known() -> list[tuple[Case, int]]:
    """Return golden certificates that both checkers accept, with what they prove."""
    both = [(case, case.python()) for case in golden_cases()]
    return [(case, io) for case, io in both if isinstance(io, int) and case.coq(io) is None]
