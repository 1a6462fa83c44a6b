"""Bounds for loop nests, families or programs, by what windows of updates or of pairs touch."""

from functools import partial
from operator import itemgetter
from typing import Any

from dags import CDAG
from pebble import Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.loops.space_search import named_dag, verified_spaces
from proofs.bounds.loops.window_sizes import Windows, splits_near, window_entries
from proofs.bounds.room_for_all import compulsory_bound
from proofs.bounds.thinned import as_generated, thinned, unless_program
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.lemmas.loops.affine import AFFINE
from proofs.lemmas.loops.projections import (
    ARGUMENTS,
    PROJECTIONS,
    ROWS,
    gain,
    pair_words,
    premises,
)
from proofs.lemmas.loops.updates import Premises, holds


@bound_method
@partial(thinned, direct=True)
@as_generated
def projections(game: Game, budget: Budget) -> Bound:
    """Lower bound for loop nests, by windows of a given number of updates each.

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
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

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
    dag, io, data = game.dag, 0, dict[str, Any]()
    for argument, (shape, updates, _) in _applicable(dag, game.rules).items():
        windows = window_entries(shape, updates, game.room, partial=game.rules.partial)
        named = {"family": dag.family, "params": dict(dag.params)}
        fields = {"argument": argument, "windows": windows, **named}
        io, data = max((io, data), (PROJECTIONS.words(game, fields), fields), key=itemgetter(0))
    if io <= game.compulsory:
        return compulsory_bound("projections", game)
    return Bound("projections", game.memory, io, game.rules, Certificate("projections", data))


def _applicable(dag: CDAG, rules: Rules) -> dict[str, Premises]:
    """The premises of each argument that holds."""
    known = [name for name, families in ARGUMENTS.items() if dag.family in families]
    if dag.family is None or not known:
        raise NotApplicableError(f"no loop nest is known for {dag!r}")
    known = [name for name in known if holds(dag, rules, name)]
    if not known:
        raise NotApplicableError(f"nothing is known for {dag!r} under {rules.name} rules")
    try:
        premised = {name: premises(dag, name, dag.family, dag.params) for name in known}
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    if not all(updates for _, updates, _ in premised.values()):
        raise NotApplicableError(f"{dag!r} has no updates")
    return premised


@bound_method
@thinned
@as_generated
def attention(game: Game, budget: Budget) -> Bound:
    """Lower bound for attention, by windows of a given number of pairs of a query and a key.

    In the leading term 4 N^2 d^2 / M words if M >= 8 d^2 and each value is computed once, and
    N^2 d^2 / M under all rules if M >= 2 d^2; `proofs.lemmas.loops.projections` has the proof.
    For smaller memories see `projections`.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If the DAG is not attention.

    Examples
    --------
    >>> from dags import attention as generate
    >>> attention(generate(32, 2), 64).io
    326
    """
    dag, rules = game.dag, game.rules
    if dag.family != "attention":
        raise NotApplicableError(f"{dag!r} is not attention")
    held = rules.room_before(game.memory)
    arguments = ["dominators"] if rules.recompute else list(ROWS)
    candidates = [
        _widest(name, dag.params["tokens"], dag.params["width"], held) for name in arguments
    ]
    _, certificate = max(candidates, key=lambda entry: entry[0])
    try:
        io = proven_io(dag, game.memory, rules, certificate)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    if io <= game.compulsory:
        return compulsory_bound("attention", game)
    return Bound("attention", game.memory, io, rules, certificate)


def _widest(argument: str, tokens: int, width: int, held: int) -> tuple[int, Certificate]:
    """The words that the best windows prove, and their certificate."""

    def words(windows: Windows) -> int:
        new = (count * (pair_words(argument, width, size) - held) for size, count in windows)
        return sum(new) + held + gain(argument, tokens, width)

    rows = ROWS[argument] * width
    size = min(max(rows, 2 * held / rows) ** 2, tokens**2)
    windows = max(splits_near(tokens**2, size), key=words)
    entries = [list(entry) for entry in windows]
    data = {"argument": argument, "tokens": tokens, "width": width, "windows": entries}
    return words(windows), Certificate("attention", data)


@bound_method
@partial(thinned, direct=True)
@unless_program
def affine(game: Game, budget: Budget) -> Bound:
    """Lower bound for the DAG of a program, by windows of a given number of updates each.

    The points of `dag.origin` tell the reads of assignments; the sets of updates and arrays with
    the most words are chosen. The bound and its proof are those of `projections`, for the
    references of anybody's loops instead of those of a family.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If the DAG has no origin, or nothing is known under such rules.

    Examples
    --------
    >>> from dags import load
    >>> affine(load("polybench/lu:N=16"), 8).io
    1044
    """
    rules, named = game.rules, named_dag(game.dag)
    if named is None:
        raise NotApplicableError(f"{game.dag!r} has no points of a program")
    best = compulsory_bound("affine", game)
    for space in verified_spaces(named.dag, rules, budget):
        entries = window_entries(space.shape, space.updates, game.room, partial=rules.partial)
        data = {"argument": space.argument, "space": space.space, "windows": entries}
        data |= named.member
        if (io := AFFINE.words(game, data)) > best.io:
            best = Bound("affine", game.memory, io, rules, Certificate("affine", data))
    return best
