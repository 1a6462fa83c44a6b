"""Bounds from isoperimetric inequalities, whichever sides they count."""

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import Budget, Game
from proofs.base import NotApplicableError
from proofs.bounds.windows.isoperimetry.set_sizes import Chosen, best_cuts, best_windows
from proofs.certificates import Certificate, CertificateError
from proofs.lemmas.isoperimetry import Alternatives, Families
from proofs.lemmas.sets import known_counts

# Boundaries by DAG and by kind, family and parameters: making a DAG anew takes as long as a play.
_known: WeakKeyDictionary[CDAG, dict[tuple[str, str, str], Alternatives]] = WeakKeyDictionary()


def isoperimetric_bound(
    kind: str, families: Families, sides: int, game: Game, budget: Budget
) -> tuple[int, Certificate]:
    """Return the most words that can be proved, and the certificate.

    Parameters
    ----------
    kind
        The kind of certificate.
    families
        What is known.
    sides
        Moves that a value that is red at a cut can save.
    game, budget
        As for every bound.

    Raises
    ------
    NotApplicableError
        If nothing is known of the DAG.
    """
    dag = game.dag
    if dag.family not in families:
        raise NotApplicableError(f"no isoperimetric inequality is known for {dag!r}")
    try:
        known = _boundaries_of(kind, families, dag)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    search = best_windows if sides == 2 else best_cuts
    moves, choice = _best_alternative(known, sides * game.red, budget, search)
    if not moves:
        return game.compulsory, Certificate("compulsory", {})
    params = {k: list(v) if isinstance(v, tuple) else v for k, v in dag.params.items()}
    certificate = Certificate(kind, {"family": dag.family, "params": params, **choice})
    return game.compulsory + game.word * moves, certificate


def _boundaries_of(kind: str, families: Families, dag: CDAG) -> Alternatives:
    """Return what is known of boundaries in `dag`, which is compared with its family once."""
    family = dag.family or ""
    about = (kind, family, repr(dag.params))
    known = _known.setdefault(dag, {})
    if about not in known:
        known[about] = known_counts(families, dag, family, dag.params)
    return known[about]


def _best_alternative(
    known: Alternatives, saved: int, budget: Budget, search: Callable[..., tuple[int, Chosen]]
) -> tuple[int, dict[str, Any]]:
    """Return the most moves beyond the compulsory ones, and the alternative and cuts for them.

    Parameters
    ----------
    known
        What is known of boundaries.
    saved, budget
        As for `best_cuts`.
    search
        `best_cuts`, or `best_windows`.
    """
    best: tuple[int, dict[str, Any]] = (0, {})
    for number, pieces in enumerate(known):
        found = [search(piece, saved, budget) for piece in pieces]
        moves = sum(each for each, _ in found)
        if moves > best[0]:
            best = moves, {"alternative": number, "cuts": [cuts for _, cuts in found]}
    return best
