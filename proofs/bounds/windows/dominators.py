"""Bounds from the values that the windows of a play are computed from."""

from pebble import Budget, Game
from proofs.base import Bound, bound_method
from proofs.bounds.renumbered import as_generated
from proofs.bounds.thinned import thinned
from proofs.bounds.windows.isoperimetry.set_sums import isoperimetric_bound
from proofs.lemmas.isoperimetry import DOMINATED


@bound_method
@thinned
@as_generated
def dominators(game: Game, budget: Budget) -> Bound:
    """Lower bound for any play, by windows of so many first computations each.

    What a window computes is computed from values that are loaded in it or red when it begins,
    which holds also where values are computed again. A set of A vertices can be computed from
    least(A) values outside it and no fewer, by an isoperimetric inequality of the family
    (`proofs.lemmas.sets`). In the leading terms it adds to the stores of the
    outputs, for N vertices, n log2 n / log2 M loads for an FFT of n points and N / (2M) for
    pyramids and stencils on a line; and for one sweep over a grid the loads of what neighbours
    share.

    Parameters
    ----------
    game, budget
        As for every bound: callers give what `proofs.BoundMethod` takes.

    Raises
    ------
    NotApplicableError
        If no such inequality is known for the DAG.

    Examples
    --------
    >>> from dags import fft
    >>> from pebble import rules_named
    >>> dominators(fft(1024), 16, rules=rules_named("recompute")).io
    2461
    """
    found = isoperimetric_bound("windows", DOMINATED, 1, game, budget)
    return Bound("dominators", game.memory, found[0], game.rules, found[1])
