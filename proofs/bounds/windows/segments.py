"""Bounds from the values that windows of a play exchange, or are computed from.

Levels of subsets, layers of grids, and points at borders have prices. A division of a grid into
sets of given sizes that moves little says, before any table is filled, that windows of these sizes
are not worth a search: whatever the prices, c(A) is at most the exchange of a set of the division
less its prices, and these sum to those of all vertices.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import comb
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Budget, Game
from proofs.base import Bound, NotApplicableError, bound_method, require_one_shot
from proofs.bounds.thinned import as_generated, thinned
from proofs.bounds.windows.contact_prices import best_contact_prices
from proofs.bounds.windows.isoperimetry.set_sizes import Chosen, best_cuts, best_windows
from proofs.bounds.windows.prices import PARTS, Classes, Members, ProvedPrices, best_prices
from proofs.certificates import Certificate, CertificateError
from proofs.lemmas.isoperimetry import DOMINATED, TWO_SIDED, Alternatives, Families
from proofs.lemmas.isoperimetry.cubes import exchanged
from proofs.lemmas.isoperimetry.layers import (
    layer_sizes,
    least_read,
    most_kept,
)
from proofs.lemmas.prices import PRICED
from proofs.lemmas.prices.layers import FAR, LARGEST_SET, costs, level_prices, priced_boundaries
from proofs.lemmas.prices.prices import Priced
from proofs.lemmas.sets import known_counts

# Boundaries by DAG and by kind, family and parameters: making a DAG anew takes as long as a play.
_known: WeakKeyDictionary[CDAG, dict[tuple[str, str, str], Alternatives]] = WeakKeyDictionary()
FIRST = 2.5  # subsets of a window, for each word of memory, to begin with
Proof = tuple[int, dict[str, Any]]  # moves beyond the compulsory ones, and data of a certificate
SECONDS = 1.0  # for prices of points and layers, where no limit is given


def isoperimetric_bound(
    kind: str, families: Families, sides: int, game: Game, budget: Budget
) -> tuple[int, Certificate]:
    """The most words that can be proved, and the certificate.

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
    """The known boundaries in `dag`, which is compared with its family once."""
    family = dag.family or ""
    about = (kind, family, repr(dag.params))
    known = _known.setdefault(dag, {})
    if about not in known:
        known[about] = known_counts(families, dag, family, dag.params)
    return known[about]


def _best_alternative(
    known: Alternatives, saved: int, budget: Budget, search: Callable[..., tuple[int, Chosen]]
) -> tuple[int, dict[str, Any]]:
    """The most moves beyond the compulsory ones, and the alternative and cuts for them.

    Parameters
    ----------
    known
        The known boundaries.
    saved, budget
        As for `best_cuts`.
    search
        `best_cuts`, or `best_windows`.
    """
    best: tuple[int, dict[str, Any]] = (0, {})
    for number, pieces in enumerate(known):
        proofs = [search(piece, saved, budget) for piece in pieces]
        moves = sum(excess for excess, _ in proofs)
        if moves > best[0]:
            best = moves, {"alternative": number, "cuts": [cuts for _, cuts in proofs]}
    return best


@bound_method
@thinned
@as_generated
def dominators(game: Game, budget: Budget) -> Bound:
    """Lower bound for any play, by windows of a given number of first computations each.

    The vertices of a window are computed from values that are loaded in it or red when it begins,
    which holds also where values are computed again. A set of A vertices can be computed from
    least(A) values outside it and no fewer, by an isoperimetric inequality of the family
    (`proofs.lemmas.sets`). In the leading terms it adds to the stores of the outputs, for N
    vertices, n log2 n / log2 M loads for an FFT of n points and N / (2M) for pyramids and stencils
    on a line; and for one sweep over a grid the loads of values that neighbours share.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

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
    bound = isoperimetric_bound("windows", DOMINATED, 1, game, budget)
    return Bound("dominators", game.memory, bound[0], game.rules, bound[1])


def level_proof(d: int, saved: int, floor: int, budget: Budget) -> Proof | None:
    """The bound by prices of subsets of `d` things; parameters of `best_prices`."""
    counts = np.array([comb(d, j) for j in range(1, d + 1)], np.int64)

    def table(prices: Int64Array, limit: int) -> tuple[Priced, Members]:
        boundaries = priced_boundaries(d, lock(prices.copy()), PARTS, limit)

        def members(size: int) -> Int64Array:
            counts, column = np.zeros(d, np.int64), int(boundaries[-1][:, size].argmin())
            for k in range(d, 1, -1):
                counts[k - 1] = column
                before = boundaries[k - 2]
                words = exchanged(d, k, limit)[: before.shape[0], column]
                size -= column
                column = int((before[:, size] + PARTS * words).argmin())
            counts[0] = column
            return counts

        return Priced(2**d - 1, -level_prices(d, prices), boundaries[-1].min(axis=0)), members

    number = max(
        2, -(-counts.sum() // LARGEST_SET), round(2 * counts.sum() / (FIRST * max(1, saved)))
    )
    classes = Classes(
        counts, np.zeros(d, np.int64), (-20.0, 20.0), 1.04, 6, False, (0.0, 0.0), LARGEST_SET,
        table, lambda sets, _: max(sets) > LARGEST_SET,
    )  # fmt: skip
    prices = best_prices(classes, int(number), saved, floor, budget)
    return prices and (prices.moves, {"d": d, **_data(prices, prices.prices)})


def layer_proof(shape: tuple[int, ...], saved: int, floor: int, budget: Budget) -> Proof | None:
    """The bound by prices of layers of a grid; parameters as for `best_prices`."""
    prices = best_prices(layer_classes(shape), 2, saved, floor, budget)
    return prices and (
        prices.moves,
        {"shape": [*shape], **_data(prices, np.append(0, prices.prices))},
    )


def layer_classes(shape: tuple[int, ...]) -> Classes:
    """The layers of a grid, without the input."""
    counts = layer_sizes(shape)[1:]

    def table(prices: Int64Array, limit: int) -> tuple[Priced, Members]:
        cost = costs(shape, limit, np.append(0, prices), PARTS)
        read, kept = least_read(shape, limit), most_kept(shape, limit)

        def members(size: int) -> Int64Array:
            counts_of_layers, left = np.zeros(counts.size + 1, np.int64), size
            v, u = int(cost[-1, size].argmin()), np.arange(cost.shape[2])
            for t in range(counts.size, 0, -1):
                counts_of_layers[t], left = v, left - v
                words = np.maximum(read[t, v] - u, 0) + np.maximum(u - kept[t, v], 0)
                v = int((np.minimum(cost[t - 1, left], FAR) + PARTS * words).argmin())
            return counts_of_layers[1:]

        waived = PARTS - int(counts @ prices)  # the input, and all prices
        return Priced(int(counts.sum()), waived, cost[-1].min(axis=1)), members

    return Classes(
        counts, np.full(counts.size, PARTS // 4), (0.0, 4.0), 1.4, 2, True, (0.05, 0.002), 256,
        table, lambda sets, moves: some_division_exchanges(shape, sets, moves + 1),
    )  # fmt: skip


def _data(priced: ProvedPrices, prices: Int64Array) -> dict[str, Any]:
    """The fields of a certificate on prices and windows."""
    cuts = priced.cuts
    sized = {"sizes": [*(cuts.sizes or ())], "times": [*(cuts.times or ())]}
    windows = {"length": cuts.length} if cuts.length else sized
    return {"prices": prices.tolist(), "denominator": PARTS, **windows}


def some_division_exchanges(shape: tuple[int, ...], sets: dict[int, int], limit: int) -> bool:
    """Whether some division that is tried exchanges no more than so many values.

    Parameters
    ----------
    shape
        Of the grid.
    sets
        How many there are of each size.
    limit
        Values.
    """
    sizes = np.repeat(list(sets), list(sets.values())).astype(np.int64)
    lanes = min(sizes.size, int(layer_sizes(shape).max()))
    tried = sorted({max(1, lanes >> k) for k in range(8)}, key=lambda g: abs(4 * g - lanes))
    return any(moved_in_lanes(shape, sizes, g) <= limit for g in tried)


def moved_in_lanes(shape: tuple[int, ...], sizes: Int64Array, lanes: int) -> int:
    """The values that sets exchange which follow each other in lanes, at least.

    Each lane has its share of each layer, and goes from the first layer to the last.

    Parameters
    ----------
    shape
        Of the grid.
    sizes
        (k,) vertices of each set, all vertices but the input together.
    lanes
        How many of them.

    Examples
    --------
    >>> moved_in_lanes((3, 3), np.array([4, 4]), 1)
    7
    """
    layers, cut = layer_sizes(shape)[1:], np.arange(lanes + 1)[:, None]
    ends = np.cumsum(np.diff(cut * layers // lanes, axis=0))  # of a lane in a layer
    stops = np.cumsum(sizes)
    runs = np.union1d(ends[ends > 0], stops)
    place = np.searchsorted(stops, runs), np.searchsorted(ends, runs) % layers.size + 1
    key, index = np.unique(place[0] * (layers.size + 2) + place[1], return_inverse=True)
    v = np.bincount(index, weights=np.diff(runs, prepend=0)).astype(np.int64)
    return _boundary(shape, key % (layers.size + 2), np.diff(key) == 1, v)


def _boundary(shape: tuple[int, ...], t: Int64Array, joined: Int64Array, v: Int64Array) -> int:
    """Exchanges of sets with v vertices of layer t; `joined`: the next is one layer on."""
    read, kept = least_read(shape, int(v.max())), most_kept(shape, int(v.max()))
    before = np.append(0, np.where(joined, v[:-1], 0))
    words = np.maximum(read[t, v] - before, 0) + np.maximum(before - kept[t, v], 0)
    last = ~np.append(joined, False) & (t + 1 < read.shape[0])
    ended = np.maximum(v[last] - kept[t[last] + 1, 0], 0)
    return int(words.sum() + ended.sum())


@bound_method
@thinned
@as_generated
def segments(game: Game, budget: Budget) -> Bound:
    """Lower bound for one-shot plays, by sets of a given number of vertices each.

    A set of A vertices reads values from outside, and others are needed outside of it; together
    they are at least least(A), by an isoperimetric inequality of the family. Less the values red at
    the cuts, all of them are moved. `proofs.lemmas.sets` has the theorem, and
    `proofs.lemmas.isoperimetry` the inequalities. In the leading terms this gives, for N vertices:

    - FFT of n points: 2 n log2 n / log2 M,
    - two-dimensional grids, pyramids, binomial trees: 1.5 N / M,
    - a periodic or long line in time: 3 N / M,
    - stencils and grids of more dimensions: M^(-1/d) N times a constant, less at borders, where
      points have a price, and between few layers (`proofs.lemmas.prices`),
    - subsets of d things: (1 - log2(A) / d) N - 2MN/A for the best A; up to twice as much by prices
      of levels, which count that few sets are as those with the least boundary
      (`proofs.lemmas.prices.layers`).

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

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
        proofs = search(2 * game.red, (io - floor) // game.word, soon)
        if proofs is not None:
            io, certificate = floor + game.word * proofs[0], Certificate(kind, proofs[1])
    return Bound("segments", game.memory, io, game.rules, certificate)


def _priced(dag: CDAG) -> Iterator[tuple[str, Callable[[int, int, Budget], Proof | None]]]:
    """Yield kinds of certificates by prices, and their finders.

    It takes the moves saved at a cut, those that are proved otherwise, and a budget.
    """
    family, params = dag.family or "", dag.params
    if family == "grid" and len(params["shape"]) > 1:
        yield "priced-layers", partial(layer_proof, params["shape"])
    if family in PRICED:
        yield "priced-contacts", partial(best_contact_prices, family, params)
    if family == "hypercube":
        yield "priced-levels", partial(level_proof, params["d"])
