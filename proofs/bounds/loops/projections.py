"""Bounds for loop nests, by the words that windows of updates must touch."""

from functools import partial
from typing import Any

from dags import CDAG
from pebble import Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.loops.window_sizes import best_windows, longer_windows
from proofs.bounds.renumbered import as_generated
from proofs.bounds.room_for_all import compulsory_bound
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate, CertificateError
from proofs.lemmas.loops.aggregations import compact_words
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.projections import ARGUMENTS, premises
from proofs.lemmas.loops.updates import Premises, holds


@bound_method
@partial(thinned, direct=True)
@as_generated
def projections(game: Game, budget: Budget) -> Bound:
    """Lower bound for loop nests, by windows of so many updates each.

    A window of A updates of a loop nest touches at least least_words(A) items (Loomis-Whitney,
    and Hoelder-Brascamp-Lieb with ranges), and at most M - 1 of them are in fast memory when it
    begins (M where values slide). Window sizes and exponents are chosen to make the sum large.
    For products of large matrices this is 2mnk/sqrt(M - 1) in the leading term, for LU
    2n^3/(3 sqrt(M - 1)), for Cholesky n^3/(3 sqrt(2) sqrt(M - 1)), for QR by rotations
    n^2 (m - n/3)/sqrt(M - 1), with their additive terms.

    Four arguments, with their proofs in `proofs.lemmas.loops`: "aggregations" for partial
    computation; and in its `window_gains` "segments" for
    one-shot plays, and where computing again cannot help (products, convolutions); "chains"
    (scores of attention) and "dominators" (LU, Cholesky, QR, triangular solves) for all plays.

    Parameters
    ----------
    game, budget
        As for every bound: callers give what `proofs.BoundMethod` takes.

    Raises
    ------
    NotApplicableError
        If the DAG is of no such family, or nothing is known under such rules.

    Examples
    --------
    >>> from dags import matmul
    >>> projections(matmul(10), 16).io
    543
    """
    found = [
        _proved(argument, found, game.rules.room_before(game.memory), game.rules)
        for argument, found in _applicable(game.dag, game.rules).items()
    ]
    io, data = max(found, key=lambda entry: entry[0])
    if io <= game.compulsory:
        return compulsory_bound("projections", game)
    data = {**data, "family": game.dag.family, "params": dict(game.dag.params)}
    return Bound("projections", game.memory, io, game.rules, Certificate("projections", data))


def _applicable(dag: CDAG, rules: Rules) -> dict[str, Premises]:
    """Return the premises of each argument that holds."""
    known = [name for name, families in ARGUMENTS.items() if dag.family in families]
    if dag.family is None or not known:
        raise NotApplicableError(f"no loop nest is known for {dag!r}")
    known = [name for name in known if holds(dag, rules, name)]
    if not known:
        raise NotApplicableError(f"nothing is known for {dag!r} under {rules.name} rules")
    try:
        found = {name: premises(dag, name, dag.family, dag.params) for name in known}
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    if not all(updates for _, updates, _ in found.values()):
        raise NotApplicableError(f"{dag!r} has no updates")
    return found


def _proved(argument: str, found: Premises, held: int, rules: Rules) -> tuple[int, dict[str, Any]]:
    """Return the words that the best windows prove, and data for the certificate."""
    shape, updates, gain = found
    windows, exponents = best_windows(shape, updates, held)
    words = least_words
    if rules.partial:
        words, windows = compact_words, longer_windows(shape, updates, held, windows, exponents)
    io = sum(count * words(shape, size, exponents) for size, count in windows)
    io += gain - held * (sum(count for _, count in windows) - 1)
    powers = {name: str(value) for name, value in exponents.items()}
    entries = [{"size": size, "count": count, "exponents": powers} for size, count in windows]
    return io, {"argument": argument, "windows": entries}
