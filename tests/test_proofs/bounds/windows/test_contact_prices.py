"""Prices of points at borders: against all sets, optima and plays; forgeries fail."""

import numpy as np
import pytest

from dags import CDAG, grid, load
from pebble import ONE_SHOT, RULES, Budget, min_memory, play
from proofs import Bound, Certificate, CertificateError, check, compulsory, segments
from proofs.bounds.windows.contact_prices import best_contact_prices
from proofs.certificates import proven_io
from proofs.lemmas.prices import LAYERED, PRICED
from schedulers import scheduler_named
from schedulers.exact import exact
from tests.test_proofs.lemmas.isoperimetry.all_sets import readers_in, sets_of


def paid_in(dag, masks, worth):
    """The sum of `worth` (n,) over the members of each set of computed vertices."""
    return sum((masks >> i & 1) * int(worth[v]) for i, v in enumerate(dag.computed.tolist()))


def coordinates_of(dag):
    shape = dag.params["shape"]
    return np.indices(shape).reshape(len(shape), -1), np.array(shape)[:, None]


@pytest.mark.parametrize("shape", [(2, 7), (3, 4), (2, 3, 2), (3, 2, 2), (2, 2, 2, 2)])
def test_no_set_of_a_grid_exchanges_and_pays_less(shape):
    dag = grid(shape)
    sizes, reads, needed = sets_of(readers_in(dag), dag.computed.tolist())
    masks = np.arange(2**dag.computed.size)
    places, sides = coordinates_of(dag)
    first, last = (places == 0).sum(axis=0), (places == sides - 1).sum(axis=0)
    for prices in ((0, 0), (6, 10), (4, 3), (12, 24)):
        worth = 12 * (first + (last > 1)) + np.array((0, *prices, *prices[1:] * 2))[last]
        priced = PRICED["grid"][1](dag.n - 1, prices, 12, shape=shape)
        cost = 12 * (reads + needed) + paid_in(dag, masks, worth)
        assert (priced.least[sizes] <= cost).all()
        assert priced.waived == 12 + int(worth[dag.computed].sum())
        assert priced.vertices == dag.n - 1


@pytest.mark.parametrize(
    "spec",
    [
        "stencil:shape=2,steps=6",
        "stencil:shape=3,steps=4",
        "stencil:shape=5,steps=3",
        "stencil:shape=2x2,steps=3",
        "stencil:shape=2x3,steps=2",
        "stencil:shape=2x2x2,steps=1",
        "stencil:shape=3x1x4,steps=1",
    ],
)
def test_no_set_of_a_stencil_exchanges_and_pays_less(spec):
    dag = load(spec)
    outputs = set(dag.outputs.tolist())
    sizes, reads, needed = sets_of(readers_in(dag), dag.computed.tolist(), outputs)
    masks = np.arange(2**dag.computed.size)
    places, sides = coordinates_of(dag)
    faces = ((places == 0) & (sides > 1)).sum(axis=0) + ((places == sides - 1) & (sides > 1)).sum(0)
    worth = np.tile(faces, dag.params["steps"] + 1)
    for price in (0, 5, 12, 18, 24):
        priced = PRICED["stencil"][1](dag.computed.size, (price,), 12, **dag.params)
        cost = 12 * (reads + needed) + price * paid_in(dag, masks, worth)
        assert (priced.least[sizes] <= cost).all()
        paid = price * int(worth[dag.computed].sum())
        assert priced.waived == 12 * (dag.inputs.size + len(outputs)) + paid
        layers = np.random.default_rng(price).integers(-16, 17, dag.params["steps"])
        layered = LAYERED["stencil"](
            dag.computed.size, (price,), tuple(layers.tolist()), 12, **dag.params
        )
        besides = np.concatenate(([0], layers)).repeat(dag.inputs.size)
        assert (layered.least[sizes] <= cost + paid_in(dag, masks, besides)).all()
        assert layered.waived == priced.waived + int(besides.sum())


@pytest.mark.parametrize("spec", ["stencil:shape=4x3,steps=3", "stencil:shape=5,steps=4"])
def test_layers_without_prices_are_as_good(spec):
    """Or better: a set is in no more layers than there are."""
    dag = load(spec)
    size, steps = dag.computed.size, dag.params["steps"]
    plain = PRICED["stencil"][1](size, (10,), 12, **dag.params)
    layered = LAYERED["stencil"](size, (10,), (0,) * steps, 12, **dag.params)
    assert (layered.least >= plain.least).all()
    dearer = LAYERED["stencil"](size, (10,), (5,) * steps, 12, **dag.params)
    assert (dearer.least == layered.least + 5 * np.arange(size + 1)).all()
    assert dearer.waived == layered.waived + 5 * size


@pytest.mark.parametrize("spec", ["stencil:shape=3x2,steps=2", "stencil:shape=3,steps=4"])
def test_no_prices_prove_more_than_the_optimum(spec):
    dag, rng = load(spec), np.random.default_rng(1)
    minimum, steps = min_memory(dag), dag.params["steps"]
    for memory in (minimum, minimum + 1):
        best = exact(dag, memory, time_limit=5.0)
        optimum = play(dag, best.schedule, memory).io
        for _ in range(100):
            size = int(rng.integers(2, dag.computed.size + 1))
            times, remaining = divmod(dag.computed.size, size)
            cut = {
                "sizes": [size, remaining][: 1 + (remaining > 0)],
                "times": [times, 1][: 1 + (remaining > 0)],
            }
            data = {
                "family": "stencil",
                "params": dict(dag.params),
                "prices": [int(rng.integers(25))],
                "layers": rng.integers(-12, 13, steps).tolist(),
                "denominator": 12,
                "windows": cut if rng.integers(2) else {"length": size},
            }
            assert proven_io(dag, memory, ONE_SHOT, Certificate("priced-contacts", data)) <= optimum


@pytest.mark.parametrize("spec", ["grid:shape=4x4", "grid:shape=2x3x3", "stencil:shape=4,steps=4"])
@pytest.mark.parametrize("rules", ["one-shot", "one-shot-sliding"])
def test_never_above_the_optimum(spec, rules):
    dag = load(spec)
    smallest = min_memory(dag, rules=RULES[rules])
    floor = compulsory(dag, smallest).io
    for memory in range(smallest, smallest + 3):
        saved = 2 * (memory - (not RULES[rules].sliding))
        result = best_contact_prices(dag.family, dag.params, saved, -1, Budget())
        certificate = Certificate("priced-contacts", result[1])
        assert proven_io(dag, memory, RULES[rules], certificate) == floor + result[0]
        best = exact(dag, memory, rules=RULES[rules], time_limit=1.0)
        assert floor + result[0] <= play(dag, best.schedule, memory, rules=RULES[rules]).io


def test_what_is_found_with_long_windows_is_what_a_certificate_proves(monkeypatch):
    """Its tables end with the longest window, and say less of wide layers than longer ones."""

    def with_layers(best, known, count, proven, end):
        return best if len(known) == count else proven((24, 0, 24))

    monkeypatch.setattr("proofs.bounds.windows.contact_prices._climbed", with_layers)
    monkeypatch.setattr("proofs.lemmas.prices.stencils.WIDER", 1)
    dag = load("stencil:shape=32x32,steps=4")
    moves, data = best_contact_prices("stencil", dag.params, 2 * 47, -1, Budget())
    assert data["layers"] == [0, 24, 24, 0]
    certificate = Certificate("priced-contacts", data)
    assert proven_io(dag, 48, ONE_SHOT, certificate) == compulsory(dag, 48).io + moves


@pytest.mark.parametrize(
    ("spec", "memory", "words"),
    [
        ("grid:shape=24x24", 6, 110),
        ("grid:shape=10x10x10", 6, 765),
        ("stencil:shape=64,steps=64", 16, 633),
        ("stencil:shape=16x16,steps=8", 32, 1155),
    ],
)
def test_borders_are_worth_a_price(spec, memory, words):
    """104, 608, 619 and 870 words are proved without it, and without windows that roll.

    Without prices of layers 1,078 words of the last one are.
    """
    dag = load(spec)
    bound = segments(dag, memory, time_limit=60)
    check(dag, memory, bound)
    assert bound.certificate.kind == "priced-contacts"
    played = play(dag, scheduler_named("structured")(dag, memory), memory).io
    assert words <= bound.io <= played


def test_values_of_two_words():
    plain = grid((10, 10, 10))
    rows = plain.pred_indptr, plain.pred_indices
    dag = CDAG(*rows, words=[2] * plain.n, family=plain.family, params=plain.params)
    bound = segments(dag, 12, time_limit=60)
    check(dag, 12, bound)
    assert bound.io == 2 * segments(plain, 6, time_limit=60).io


def test_forged_certificates():
    """A change is refused, or proves no more than a play moves."""
    dag, memory = grid((10, 10, 10)), 6
    data = segments(dag, memory, time_limit=60).certificate.data
    assert "length" in data["windows"]
    moved = play(dag, scheduler_named("structured")(dag, memory), memory).io
    changes = (
        {"prices": [6]},
        {"prices": [-1, 4]},
        {"prices": [6, 65]},
        {"denominator": 0},
        {"denominator": 1, "prices": [1, 65]},
        {"windows": {"length": 1}},
        {"windows": {"length": 1000}},
        {"windows": {"length": 12, "sizes": [999], "times": [1]}},
        {"windows": {"sizes": [100, 115], "times": [1, 2]}},
        {"windows": [12]},
        {"family": "hypercube"},
        {"params": {"shape": [10, 100]}},
        {"params": {"shape": [1000]}},
        {"more": 1},
        {"layers": [0] * 27},
    )
    for change in changes:
        certificate = Certificate("priced-contacts", {**data, **change})
        with pytest.raises(CertificateError):
            check(dag, memory, Bound("segments", memory, 2, ONE_SHOT, certificate))
    for change in ({"prices": [0, 0]}, {"prices": [64, 64]}, {"denominator": 1}):
        certificate = Certificate("priced-contacts", {**data, **change})
        assert proven_io(dag, memory, ONE_SHOT, certificate) <= moved
    repeated = RULES["recompute"]
    with pytest.raises(CertificateError):
        proven_io(dag, memory, repeated, Certificate("priced-contacts", data))


def test_forged_prices_of_layers():
    dag, memory = load("stencil:shape=8x8,steps=4"), 24
    cut = {"sizes": [128], "times": [2]}
    data = {"family": "stencil", "params": dict(dag.params), "prices": [8], "denominator": 12}
    data |= {"windows": cut, "layers": [-6, 2, 2, -6]}
    moved = play(dag, scheduler_named("structured")(dag, memory), memory).io
    assert 0 < proven_io(dag, memory, ONE_SHOT, Certificate("priced-contacts", data)) <= moved
    for layers in ([], [0] * 3, [0] * 5, [0, 0, 0, 65], [-65, 0, 0, 0], [0.5] * 4, "all", None):
        with pytest.raises(CertificateError):
            proven_io(
                dag, memory, ONE_SHOT, Certificate("priced-contacts", {**data, "layers": layers})
            )
    for layers in ([64] * 4, [-64] * 4, [-64, 64, 64, -64], [64, -64, -64, 64]):
        certificate = Certificate("priced-contacts", {**data, "layers": layers})
        assert proven_io(dag, memory, ONE_SHOT, certificate) <= moved
    large = load("stencil:shape=40x40,steps=20")
    data |= {"params": dict(large.params), "layers": [0] * 20, "windows": {"length": 8000}}
    with pytest.raises(CertificateError, match="take too"):
        proven_io(large, memory, ONE_SHOT, Certificate("priced-contacts", data))
