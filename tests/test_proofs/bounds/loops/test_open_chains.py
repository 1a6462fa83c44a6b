"""Sums that are open at cuts of a product: optima, layers by enumeration, forged certificates."""

from itertools import product

import numpy as np
import pytest

from dags import lu, matmul
from pebble import ONE_SHOT, RULES, Game, min_memory
from proofs import Bound, Certificate, CertificateError, check
from proofs.bounds.loops.kept_values import best_count
from proofs.bounds.windows.short_windows import reuse
from proofs.certificates import proven_io
from proofs.lemmas.loops.open_chains import _even_layers, _items_of_layers, least_words
from tests.oracles import optimum


@pytest.mark.parametrize("name", ["one-shot", "one-shot-sliding", "recompute"])
def test_never_above_the_optimum(name):
    """For any number of windows; it is the optimum for many."""
    rules, tight = RULES[name], 0
    for m, n, k in product((1, 2), (1, 2, 3), (1, 2, 3)):
        dag = matmul(m=m, n=n, k=k)
        if dag.n > 14:
            continue
        for memory in range(min_memory(dag, rules=rules), min_memory(dag, rules=rules) + 3):
            minimum = optimum(dag, memory, rules)
            for windows in range(1, m * n * k + 1):
                proved = least_words(m, n, k, rules.room_before(memory), windows)
                assert proved <= minimum
                tight += proved == minimum
    assert tight > 10


def test_layers_by_all_sets_of_chains():
    """All ways in which four chains can lie in a window touch as many items in even layers."""
    depth = 3
    spans = [(0, 0), *((a, b) for a in range(depth) for b in range(a + 1, depth + 1))]
    minimum = _items_of_layers(2, 2)
    even = [_even_layers(2, 2, depth, size) for size in range(4 * depth + 1)]
    for chains in product(spans, repeat=4):
        layers = np.zeros(depth, np.int64)
        for begin, end in chains:
            layers[begin:end] += 1
        touched = [span for span in chains if span[1] > span[0]]
        begun = sum(begin == 0 for begin, _ in touched)
        ended = sum(end == depth for _, end in touched)
        extra = len(touched) - min(begun, ended)
        assert even[int(layers.sum())][extra] <= minimum[layers].sum()


def test_items_of_a_layer():
    assert _items_of_layers(2, 3).tolist() == [0, 2, 3, 4, 4, 5, 5]


def test_products_of_middle_size():
    """More than windows that give a word away for each chain, and no more than a tiled play."""
    dag = matmul(10)
    bound = reuse(dag, 64, time_limit=0)
    check(dag, 64, bound)
    assert bound.certificate.kind == "open-chains"
    assert bound.io > 316
    assert bound.io <= 376


def test_where_nothing_is_known():
    assert best_count(Game.of(lu(4), 5, ONE_SHOT)) is None
    assert best_count(Game.of(matmul(3, form="tree"), 5, ONE_SHOT)) is None
    assert best_count(Game.of(matmul(3), 3, ONE_SHOT)) is None
    assert best_count(Game.of(matmul(50), 8, ONE_SHOT)) is None
    assert best_count(Game.of(matmul(n=1, m=1, k=1), 4, ONE_SHOT)) == (
        3,
        {"m": 1, "n": 1, "k": 1, "windows": 1},
    )


@pytest.mark.parametrize(
    "change",
    [
        {"m": 2, "n": 4, "k": 3},
        {"m": 4, "n": 3, "k": 2},
        {"k": 4},
        {"k": 2**40},
        {"m": 0},
        {"windows": 0},
        {"windows": 25},
        {"windows": 2.0},
        {"windows": True},
        {"more": 1},
    ],
)
def test_forged_certificates(change):
    dag = matmul(m=3, n=4, k=2)
    words, data = best_count(Game.of(dag, 6, ONE_SHOT))
    check(dag, 6, Bound("x", 6, words, ONE_SHOT, Certificate("open-chains", data)))
    with pytest.raises(CertificateError):
        proven_io(dag, 6, ONE_SHOT, Certificate("open-chains", data | change))


def test_other_dags_and_games():
    dag = matmul(m=3, n=4, k=2)
    words, data = best_count(Game.of(dag, 6, ONE_SHOT))
    certificate = Certificate("open-chains", data)
    with pytest.raises(CertificateError, match="proves"):
        check(dag, 6, Bound("x", 6, words + 1, ONE_SHOT, certificate))
    with pytest.raises(CertificateError, match="too small"):
        proven_io(dag, 3, ONE_SHOT, certificate)
    with pytest.raises(CertificateError):
        proven_io(matmul(m=3, n=4, k=2, form="tree"), 6, ONE_SHOT, certificate)
