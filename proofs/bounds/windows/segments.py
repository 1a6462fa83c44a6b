"""Bounds from the values that the segments of a one-shot play exchange."""

import time

from dags import CDAG
from pebble import ONE_SHOT, Rules, compulsory_words
from proofs.base import Bound, of_useful_memory, require_one_shot
from proofs.bounds.renumbered import as_generated
from proofs.bounds.thinned import thinned
from proofs.bounds.windows.contact_prices import best_contact_prices
from proofs.bounds.windows.isoperimetry.set_sums import isoperimetric_bound
from proofs.bounds.windows.layer_prices import best_layer_prices
from proofs.bounds.windows.level_prices import best_prices
from proofs.certificates import Certificate
from proofs.core.windows import Game
from proofs.lemmas.isoperimetry import TWO_SIDED

SECONDS = 1.0  # for prices of points and layers, where no limit is given


@of_useful_memory
@thinned
@as_generated
def segments(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
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
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

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
    require_one_shot("segments", rules)
    end = time.monotonic() + (SECONDS if time_limit is None else time_limit)
    io, certificate = isoperimetric_bound("segments", TWO_SIDED, 2, dag, memory, rules, time_limit)
    game, floor = Game(dag, memory, rules), compulsory_words(dag)
    saved = 2 * game.red
    if dag.family == "grid" and len(dag.params["shape"]) > 1:
        outputs = int(dag.outputs.size)
        found = best_layer_prices(dag.params["shape"], saved, io // game.word - outputs, end)
        if found is not None:
            io = game.word * (found.moves + outputs)
            certificate = Certificate("priced-layers", found.data)
    beyond = (io - floor) // game.word
    bordered = best_contact_prices(dag.family or "", dag.params, saved, beyond, end)
    if bordered is not None:
        io = floor + game.word * bordered[0]
        certificate = Certificate("priced-contacts", bordered[1])
    if dag.family == "hypercube":
        priced = best_prices(dag, memory, rules, time_limit)
        words = compulsory_words(dag) + game.word * priced.moves
        if words > io:
            io, certificate = words, Certificate("priced-levels", priced.data)
    return Bound("segments", memory, io, rules, certificate)
