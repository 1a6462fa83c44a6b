"""Bounds for any program with affine references, by the items that windows of updates touch."""

from functools import partial

from pebble import Budget, Game
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.loops.space_search import verified_spaces
from proofs.bounds.loops.window_sizes import best_windows, longer_windows
from proofs.bounds.room_for_all import compulsory_bound
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate, proven_io


@bound_method
@partial(thinned, direct=True)
def affine(game: Game, budget: Budget) -> Bound:
    """Lower bound for the DAG of a program, by windows of so many updates each.

    The points of `dag.origin` tell which assignments read what; the sets of updates and arrays
    with the most words are chosen. The bound and its proof are those of `projections`, for the
    references of anybody's loops instead of those of a family.

    Parameters
    ----------
    game, budget
        As for every bound: callers give what `proofs.BoundMethod` takes.

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
    dag, rules = game.dag, game.rules
    if dag.origin is None:
        raise NotApplicableError(f"{dag!r} has no points of a program")
    best = compulsory_bound("affine", game)
    for found in verified_spaces(dag, rules, budget):
        windows, exponents = best_windows(found.shape, found.updates, game.room)
        if rules.partial:
            windows = longer_windows(found.shape, found.updates, game.room, windows, exponents)
        powers = {name: str(value) for name, value in exponents.items()}
        entries = [{"size": size, "count": count, "exponents": powers} for size, count in windows]
        data = {"argument": found.argument, "space": found.space, "windows": entries}
        certificate = Certificate("affine", data)
        if (io := proven_io(dag, game.memory, rules, certificate)) > best.io:
            best = Bound("affine", game.memory, io, rules, certificate)
    return best
