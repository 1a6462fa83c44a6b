"""Bounds from the values that the segments of a one-shot play exchange."""

from collections.abc import Callable, Iterator
from functools import partial

from dags import CDAG
from pebble import Budget, Game
from proofs.base import Bound, bound_method, require_one_shot
from proofs.bounds.renumbered import as_generated
from proofs.bounds.thinned import thinned
from proofs.bounds.windows.contact_prices import best_contact_prices
from proofs.bounds.windows.isoperimetry.set_sums import isoperimetric_bound
from proofs.bounds.windows.price_classes import Proof, layer_proof, level_proof
from proofs.certificates import Certificate
from proofs.lemmas.isoperimetry import TWO_SIDED
from proofs.lemmas.prices import PRICED

SECONDS = 1.0  # for prices of points and layers, where no limit is given


@bound_method
@thinned
@as_generated
def segments(game: Game, budget: Budget) -> Bound:
    """Lower bound for one-shot plays, by sets of so many vertices each.

    A set of A vertices reads values from outside, and others are needed outside of it; together
    they are at least least(A), by an isoperimetric inequality of the family. Less what stays red at
    the cuts, all of them are moved. `proofs.lemmas.sets` has the theorem, and
    `proofs.lemmas.isoperimetry` the inequalities. In the leading terms this gives, for N vertices:

    - FFT of n points: 2 n log2 n / log2 M,
    - two-dimensional grids, pyramids, binomial trees: 1.5 N / M,
    - a periodic or long line in time: 3 N / M,
    - stencils and grids of more dimensions: M^(-1/d) N times a constant, less at borders, where
      points have a price, and between few layers (`proofs.lemmas.prices`),
    - subsets of d things: (1 - log2(A) / d) N - 2MN/A for the best A; up to twice as much by prices
      of levels, which count that few sets are as those with the least boundary
      (`proofs.lemmas.prices.levels`).

    Parameters
    ----------
    game, budget
        As for every bound: callers give what `proofs.BoundMethod` takes.

    Raises
    ------
    NotApplicableError
        If values may be computed again, or no such inequality is known for the DAG.

    Examples
    --------
    >>> from dags import fft
    >>> segments(fft(1024), 16).io
    2854
    """
    require_one_shot("segments", game.rules)
    soon, floor = budget.limited(SECONDS), game.compulsory
    io, certificate = isoperimetric_bound("segments", TWO_SIDED, 2, game, budget)
    for kind, search in _priced(game.dag):
        found = search(2 * game.red, (io - floor) // game.word, soon)
        if found is not None:
            io, certificate = floor + game.word * found[0], Certificate(kind, found[1])
    return Bound("segments", game.memory, io, game.rules, certificate)


def _priced(dag: CDAG) -> Iterator[tuple[str, Callable[[int, int, Budget], Proof | None]]]:
    """Yield kinds of certificates by prices, and what finds them.

    It takes the moves saved at a cut, those that are proved otherwise, and a budget.
    """
    family, params = dag.family or "", dag.params
    if family == "grid" and len(params["shape"]) > 1:
        yield "priced-layers", partial(layer_proof, params["shape"])
    if family in PRICED:
        yield "priced-contacts", partial(best_contact_prices, family, params)
    if family == "hypercube":
        yield "priced-levels", partial(level_proof, params["d"])
