"""Sequences of layers with prices, against all of them."""

from itertools import pairwise, product

import numpy as np
import pytest

from dags.arrays import lock
from proofs.lemmas.prices import stencils
from proofs.lemmas.prices._kernels import layers_with_prices


@pytest.mark.parametrize("seed", range(5))
def test_layers_with_prices_are_the_best_of_all_sequences(seed):
    rng = np.random.default_rng(seed)
    widest, layers = rng.integers(1, 4), rng.integers(1, 5)
    exchanged = rng.integers(0, 50, (widest + 1, widest + 1), dtype=np.int32)
    exchanged[0, 0] = 0
    prices = rng.integers(-20, 20, layers)
    minimum = np.full(10, 70)
    expected = minimum.tolist()
    for counts in product(range(widest + 1), repeat=int(layers)):
        total = sum(exchanged[u, v] for u, v in pairwise((0, *counts, 0))) + counts @ prices
        if sum(counts) < len(expected):
            expected[sum(counts)] = min(expected[sum(counts)], int(total))
    layers_with_prices(lock(exchanged), lock(prices), minimum)
    assert minimum.tolist() == expected


@pytest.mark.parametrize("layers", [(0,) * 4, (-12, 3, 0, -9), (5, -20, -20, 30)])
def test_wide_layers_cost_no_less(monkeypatch, layers):
    """Sets with a layer that is too wide for the table are bounded by how wide it is."""
    results = {}
    for widest in (3, 9, 25, 120):
        monkeypatch.setattr(stencils, "_widest", lambda *_, widest=widest: widest)
        results[widest] = stencils.stencil_layers(120, (8,), layers, 12, shape=(11, 11), steps=4)
    assert all((results[widest].least <= results[120].least).all() for widest in results)
