"""Hoelder-Brascamp-Lieb exponents: published ones, and the inequality on random sets."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from proofs import hbl
from proofs.laws.exponents import InvalidReferencesError, leading_coefficient

CHRIST = ["acf", "abd", "bce", "cdf", "bf", "ade"]


@pytest.mark.parametrize(
    ("references", "values", "total"),
    [
        (["ik", "kj", "ij"], "1/2 1/2 1/2", "3/2"),
        (["ijk", "jl", "kl", "il"], "2/3 1/3 1/3 1/3", "5/3"),
        (CHRIST, "2/7 1/7 3/7 2/7 3/7 4/7", "15/7"),
        (["i", "j"], "1 1", "2"),
        (["ij", "i", "j"], "1 0 0", "1"),
    ],
)
def test_published(references, values, total):
    result = hbl(references)
    assert " ".join(map(str, result.values)) == values
    assert str(result.total) == total
    assert sum(result.tile.values()) == result.total
    for kept in references:
        assert sum(result.tile[index] for index in kept) <= 1


def test_linear_references():
    """A convolution, and lines along d + 1 directions."""
    assert hbl([[[1, 0]], [[0, 1]], [[1, 1]]]).total == 2
    axis = [[[1, -1, 0], [0, 0, 1]], [[1, 0, -1], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]]]
    assert hbl(axis).total == Fraction(3, 2)


def test_the_inequality_on_random_sets():
    rng = np.random.default_rng(0)
    maps = [np.array([[1, 0]]), np.array([[0, 1]]), np.array([[1, 1]])]
    values = [float(value) for value in hbl([map_.tolist() for map_ in maps]).values]
    for _ in range(200):
        points = {tuple(point) for point in rng.integers(0, 5, (int(rng.integers(1, 20)), 2))}
        images = [len({tuple(map_ @ np.array(p)) for p in points}) for map_ in maps]
        assert len(points) <= prod(x**s for x, s in zip(images, values, strict=True)) + 1e-9


def test_coefficients():
    assert hbl(["ik", "kj", "ij"]).coefficient == pytest.approx(2)
    assert hbl(["ijk", "jl", "kl", "il"]).coefficient == pytest.approx(3)
    assert leading_coefficient([Fraction(1)]) == 1


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([], "no references"),
        (["ii"], "not some of the indices"),
        ([[[1, 0]]], "same items"),
        ([[[1, 0]], [[1]]], "no matrices"),
    ],
)
def test_bad_references(references, message):
    with pytest.raises(InvalidReferencesError, match=message):
        hbl(references)
