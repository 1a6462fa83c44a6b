"""Divisions of grids into sets: against what prices prove, and sets laid out one by one."""

from math import prod

import numpy as np
import pytest

from pebble import Budget
from proofs.bounds.windows.prices import Cuts, ProvedPrices, _PriceProgram
from proofs.bounds.windows.segments import (
    layer_classes,
    moved_in_lanes,
    some_division_exchanges,
)
from proofs.lemmas.isoperimetry.layers import (
    layer_sizes,
    least_read,
    most_kept,
)

SHAPES = [(3, 4), (2, 7), (5, 5), (3, 3, 3), (2, 3, 4), (4, 1, 3)]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_prices_prove_more_than_a_division_exchanges(shape):
    for windows in (2, 3, 5):
        classes = layer_classes(shape)
        prices = _PriceProgram(classes, windows, 0)
        nothing = ProvedPrices(-1, classes.first, Cuts(length=2))
        proved = prices.best(nothing, 0.01, Budget()).moves + 1  # the input is loaded besides
        sizes = np.repeat(list(prices.sets), list(prices.sets.values()))
        assert proved <= min(moved_in_lanes(shape, sizes, lanes) for lanes in (1, 2, 3))
        assert not some_division_exchanges(shape, prices.sets, proved - 1)


@pytest.mark.parametrize("shape", SHAPES)
def test_exchanged_is_its_naive_twin(shape):
    layers, random = layer_sizes(shape).tolist(), np.random.default_rng(3)
    read, kept = least_read(shape, prod(shape)), most_kept(shape, prod(shape))
    for lanes in (1, 2, 3, 7):
        cuts = np.sort(random.integers(0, prod(shape) - 1, 3))
        sizes = np.diff(cuts, prepend=0, append=prod(shape) - 1)
        sizes = sizes[sizes > 0]
        follow = [
            t
            for lane in range(lanes)
            for t in range(1, len(layers))
            for _ in range((lane + 1) * layers[t] // lanes - lane * layers[t] // lanes)
        ]
        moved, used = 0, iter(follow)
        for size in sizes:
            chosen = [next(used) for _ in range(size)]
            v = [chosen.count(t) for t in range(len(layers))]
            for t in range(1, len(layers)):
                moved += max(read[t, v[t]] - v[t - 1], 0) + max(v[t - 1] - kept[t, v[t]], 0)
        assert moved_in_lanes(shape, sizes, lanes) == moved
