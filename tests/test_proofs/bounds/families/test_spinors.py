"""Windows of the iterated Dirac operator: their cost, plays, and what is refused."""

from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
import pytest

from dags import CDAG, dirac_steps, load
from pebble import ONE_SHOT, Game, min_memory
from pebble.rules import RULES
from proofs import NotApplicableError, check, dirac
from proofs.certificates import CertificateError
from proofs.lemmas.families.dirac import SPINORS, most_spinors, spinor_words
from redblue.answers.counted import counted_curve
from schedulers import COUNTED_PLAYS


@pytest.mark.parametrize("d", [2, 3, 4])
def test_no_sequence_of_layers_has_more_spinors(d):
    """With layers that see exactly (x^(1/d) + w)^d sites, in a lattice without end."""
    width, reading = ((d + 1) / factorial(d)) ** (1 / d), 18 * d
    for widest in (1, 2, 5, 16, 40):
        layers = np.arange(widest + 1)
        seen = np.where(layers, np.ceil((layers ** (1 / d) + width) ** d - 1e-9), 0)
        inner = np.searchsorted(seen, layers, side="right") - 1
        step = np.maximum(seen[None, :] - layers[:, None], 0)
        step += np.maximum(layers[:, None] - inner[None, :], 0)  # from a layer to the next one
        ended = _least_exchanged(step, limit=400)
        for spinors in range(widest, 401):
            cost = 24 * int(ended[spinors]) + reading * widest
            assert spinors <= most_spinors(cost, [10**9] * d)


def _least_exchanged(step, limit):
    """The least boundary of so many spinors, one layer of which is as wide as can be."""
    widest = len(step) - 1
    minimum = np.full((2, limit + 1, widest + 1), np.inf)  # before and after the widest layer
    minimum[0, 0, 0] = 0
    for spinors in range(1, limit + 1):
        for layer in range(1, min(widest, spinors) + 1):
            before, after = (minimum[:, spinors - layer] + step[:, layer]).min(axis=1)
            if layer == widest:
                minimum[1, spinors, layer] = min(before, after)
            else:
                minimum[:, spinors, layer] = before, after
    return (minimum[1] + step[:, 0]).min(axis=1)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_sets_that_are_grown_to_cost_little_cost_enough(d):
    """Spinors of an endless lattice, with the links that they read."""
    units = [tuple(int(i == j) for i in range(d)) for j in range(d)]
    near = [(0,) * d, *units, *(tuple(-x for x in unit) for unit in units)]
    for height, radius in product((1, 2, 4, 7), (0, 1, 2)):
        ball = [
            x for x in product(range(-radius, radius + 1), repeat=d) if sum(map(abs, x)) <= radius
        ]
        chosen = {(x, t) for x in ball for t in range(height)}
        read = {(_moved(x, s), t - 1) for x, t in chosen for s in near} - chosen
        left = {(x, t) for x, t in chosen if any((_moved(x, s), t + 1) not in chosen for s in near)}
        links = {(x, a) for x in ball for a in range(d)}
        links |= {(_moved(x, near[1 + d + a]), a) for x in ball for a in range(d)}
        cost = 24 * (len(read) + len(left)) + 18 * len(links)
        assert len(chosen) <= most_spinors(cost, [10**9] * d)


def with_words(dag, words):
    kept = {"family": dag.family, "params": dag.params}
    return CDAG(dag.pred_indptr, dag.pred_indices, words=words, **kept)


def _moved(point, step):
    return tuple(x + y for x, y in zip(point, step, strict=True))


@pytest.mark.parametrize("sides", [(2, 2), (3, 5), (2, 3, 4), (2, 3, 2, 4)])
@pytest.mark.parametrize("periodic", [False, True])
def test_sites_have_so_many_links(sides, periodic):
    """Of drawn sites of a lattice, with the factor that the proof takes."""
    if periodic and min(sides) < 3:
        return
    dag, points = dirac_steps(sides, 1, periodic), prod(sides)
    first = dag.n - points
    random = np.random.default_rng(1)
    share = sum(1 - Fraction(1, side) for side in sides)
    for count in range(1, points + 1):
        chosen = random.choice(points, count, replace=False)
        rows = [
            dag.pred_indices[dag.pred_indptr[first + x] : dag.pred_indptr[first + x + 1]]
            for x in chosen
        ]
        links = np.unique(np.concatenate(rows))
        assert (links < first - points).sum() >= share * count


@pytest.mark.parametrize("shape", [(24, 20), (9, 8, 10), (5, 6, 5, 4)])
def test_no_play_beats_it(shape):
    minimum = 24 + (24 + 42 * 2 * len(shape))
    for steps, memory in product((3, 40, 400), (minimum, 2 * minimum, 9 * minimum)):
        params = {"shape": shape, "steps": steps, "periodic": False}
        words = spinor_words(params, memory - 1)
        assert words is None or words <= sum(COUNTED_PLAYS["dirac_steps"].count(params, memory))


def test_it_proves_more_than_compulsory_words_and_is_checked():
    dag = load("dirac_steps:shape=44x44,steps=44")
    memory = min_memory(dag) + 1
    bound = dirac(dag, memory)
    floor = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    assert bound.io == spinor_words(dag.params, memory - 1) > 3 * floor
    check(dag, memory, bound)
    with pytest.raises(NotApplicableError):  # spinors that are computed again are not exchanged
        dirac(dag, memory, rules=RULES["recompute"])
    data = {**bound.certificate.data}
    for changed in ({"form": 2}, {"params": {**data["params"], "steps": 43}}, {"params": 4}):
        with pytest.raises(CertificateError):
            SPINORS.words(Game.of(dag, memory, ONE_SHOT), {**data, **changed})
    with pytest.raises(CertificateError, match="rules"):
        SPINORS.words(Game.of(dag, memory, RULES["recompute"]), data)
    assert dirac(dag, 10**6).certificate.kind == "compulsory"


def test_other_sizes_are_refused():
    dag = dirac_steps((3, 4), 3)
    second = with_words(dag, np.full(dag.n, 24))
    data = {"params": {"shape": [3, 4], "steps": 3}}
    assert SPINORS.words(Game.of(dag, 217, ONE_SHOT), data) == spinor_words(dag.params, 216)
    with pytest.raises(CertificateError, match="other sizes"):
        SPINORS.words(Game.of(second, 217, ONE_SHOT), data)
    with pytest.raises(NotApplicableError):
        dirac(second, 217)
    line = Game.of(dirac_steps((4,), 2), 217, ONE_SHOT)
    with pytest.raises(CertificateError, match="nothing is proved"):
        SPINORS.words(line, {"params": {"shape": [4], "steps": 2}})


def test_the_law_is_seen_from_both_sides():
    """M^(1/4): a memory that is 16 times as large moves half of the words, proved and counted."""
    curve = counted_curve(
        "dirac_steps:shape=20000x20000x20000x20000,steps=20000", [10**7, 16 * 10**7]
    )
    for kind in ("upper", "lower"):
        sample, count = (words for _, words in curve.envelope(kind))
        assert sample / count == pytest.approx(2, rel=0.05)
