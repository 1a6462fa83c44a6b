"""Experiments about the Dirac operator, rules, schedulers, gaps and machines, at small sizes."""

import json
from fractions import Fraction
from importlib import import_module

import pytest

from dags import load
from pebble import Schedule, judge, rules_named
from redblue.papers.experiments import EXPERIMENTS, Bench
from redblue.papers.experiments.dirac import (
    count_claims,
    curve_figure,
    curve_table,
    plays_table,
    regime_claims,
    slope_claims,
    slope_figure,
)
from redblue.papers.experiments.dirac_plays import all_plays, best_plays, dividing, excess
from redblue.papers.experiments.policies import order_at_best, play_order
from redblue.papers.experiments.qcd_chips import TABLE_1, TABLE_2, chips_that_agree
from redblue.papers.experiments.studies import played, proved, stepped
from schedulers import EVICTIONS
from tests.oracles import optimum

QUICK = Bench(quick=True)
MODELS = {
    "many-core": 4,
    "communication-density": 3,
    "mesh": 1,
    "qcd-chips": 6,
}
PLAYED = {"many-core": 8, "mesh": 8}  # claims that plays tell, and not the papers' own formulas


def module(name):
    """The module of an experiment."""
    return import_module(f"redblue.papers.experiments.{name.replace('-', '_')}")


def verdicts(claims):
    return [claim.verdict for claim in claims]


def require_whole(experiment):
    """What holds for all experiments: names agree, bounds are below schedules, plays are legal."""
    assert EXPERIMENTS[experiment.name] is module(experiment.name).experiment
    assert experiment.claims
    assert experiment.tables
    assert all(table.rows for table in experiment.tables)
    for text in [experiment.summary, *(claim.statement for claim in experiment.claims)]:
        assert text.isascii()
        assert text
    for figure in experiment.figures:
        by_label = {series.label: series for series in figure.series}
        assert len(by_label) == len(figure.series)
        if figure.gap is not None:
            upper, lower = (by_label[label] for label in figure.gap)
            assert (upper.role, lower.role) in {("upper", "lower")}
            floor = dict(zip(lower.x, lower.y, strict=True))
            assert all(y >= floor[x] for x, y in zip(upper.x, upper.y, strict=True))
    for scene in experiment.players:
        moves = Schedule(scene.op, scene.vertex)
        count = judge(load(scene.spec), moves, scene.memory, rules=rules_named(scene.rules))
        assert f" {count.io} words" in scene.title
        assert scene.lower_bound <= count.io


@pytest.fixture(scope="module")
def dirac_plays():
    return all_plays(QUICK, 4, 8)


def test_the_slope_of_the_dirac_operator_is_66_to_six_digits(dirac_plays):
    claims = slope_claims(dirac_plays, (4, 8))
    assert verdicts(claims) == ["confirmed"] * 3
    assert [claim.measured for claim in claims] == [
        "slope 66.000000, intercept 0.000000",
        "slope 66.000000, intercept -16.500000",
        "slope 66.000000, intercept 0.000000",
    ]
    for play in dividing(dirac_plays, "A-lockstep", 4, 8):
        assert excess(play) == Fraction(66, play["s"])


def test_one_word_more_refutes_the_slope(dirac_plays):
    worse = [play | {"local": play["local"] + (play["s"] == 1)} for play in dirac_plays]
    assert set(verdicts(slope_claims(worse, (4, 8)))) == {"refuted"}


def test_regimes_and_counts_of_the_dirac_operator(dirac_plays):
    curve = best_plays(QUICK, 4, 8)
    assert set(verdicts(regime_claims(dirac_plays, curve, 4, 8))) == {"confirmed"}
    assert verdicts(count_claims(dirac_plays)) == [*["recomputed"] * 3, *["confirmed"] * 2]
    doubled = [play | {"neighbour": 2 * play["neighbour"]} for play in dirac_plays]
    assert verdicts(regime_claims(doubled, curve, 4, 8)).count("refuted") == 1
    assert len(plays_table(dirac_plays).rows) == len(dirac_plays) - 1
    assert len(curve_table(curve, 4, 8).rows) == len(curve)
    assert len(slope_figure(dirac_plays, 4, 8).series) == 5
    upper, lower, _, between = curve_figure(curve, 4, 8).series
    assert all(y >= 120 for y in upper.y)
    assert all(120 <= proved <= played for proved, played in zip(lower.y, upper.y, strict=True))
    assert lower.y[0] > 150 > lower.y[-1]
    assert between.y == (0.0,)


@pytest.mark.parametrize("name", MODELS)
def test_models_agree_with_their_papers_or_correct_them(name):
    experiment = EXPERIMENTS[name](QUICK)
    require_whole(experiment)
    assert set(verdicts(experiment.claims)) <= {"confirmed", "recomputed", "corrected"}
    assert verdicts(experiment.claims).count("corrected") == MODELS[name]
    recomputed = [claim for claim in experiment.claims if claim.kind == "formulas"]
    assert "confirmed" not in verdicts(recomputed)
    assert len(experiment.claims) - len(recomputed) == PLAYED.get(name, 0)


def test_table_1_agrees_with_either_count_of_flop():
    assert chips_that_agree() == {("large", 2304): 7, ("large", 2328): 0, ("medium", 2328): 7}


def test_printed_tables_are_the_papers(shared):
    golden = json.loads((shared / "golden" / "seed_papers.json").read_text())["bilardi"]
    for (side, large, medium), row in zip(
        TABLE_1, golden["bilardi_table1"]["published"], strict=True
    ):
        assert [side * 1e5, *large, *medium] == pytest.approx([row[0], *row[2:]])
    names = {"BlueGeneL": "BG/L", "Itanium2": "ITANIUM2"}
    for name, _, bits, large, medium in TABLE_2:
        row = golden["bilardi_table2"][f"{names.get(name, name)}/{bits}"]
        assert (row["pub_LM"], row["pub_MM"]) == (large, medium)


def test_recomputation(monkeypatch):
    current = module("recomputation")
    monkeypatch.setattr(current, "HELPED", {"grid:shape=4x4": (4, 5)})
    monkeypatch.setattr(current, "NOT_HELPED", {"matmul:n=2": (6, 7)})
    monkeypatch.setattr(current, "SHOWN", (("grid:shape=4x4", 4),))
    box = "stencil:shape=12x12,steps=4,neighbourhood=box"
    monkeypatch.setattr(current, "LINE", "stencil:shape=16,steps=8")
    monkeypatch.setattr(current, "MEMORIES", {current.LINE: (6, 8), box: (30, 40)})
    experiment = current.experiment(QUICK)
    require_whole(experiment)
    assert verdicts(experiment.claims) == ["proved", "proved", "proved", "confirmed", "confirmed"]
    assert [scene.rules for scene in experiment.players] == ["one-shot", "recompute"]
    assert experiment.claims[0].measured == "4 for 6 with M = 4"


def test_no_gain_from_recomputation_is_no_confirmation(monkeypatch):
    current = module("recomputation")
    monkeypatch.setattr(current, "HELPED", {"matmul:n=2": (6, 7)})
    monkeypatch.setattr(current, "NOT_HELPED", {"grid:shape=4x4": (4,)})
    monkeypatch.setattr(current, "MEMORIES", {})
    claims = current.experiment(QUICK).claims
    assert verdicts(claims) == ["refuted", "proved", "refuted"]  # the second one is the FFT's


def test_policies(monkeypatch):
    current = module("policies")
    monkeypatch.setattr(current, "QUICK", {"matmul:n=8": (14, 22), "fft:n=64": (6, 10)})
    experiment = current.experiment(QUICK)
    require_whole(experiment)
    assert verdicts(experiment.claims)[0] == "confirmed"
    for _, _, memory, fewest, lru, twice, *_ in experiment.tables[0].rows:
        assert fewest <= lru
        assert twice <= 2 * fewest
        assert lru <= memory * fewest


def test_loads_of_an_order_do_not_rise_with_lru_and_memory():
    loads = [play_order("fft:n=64", "natural", 6, "lru", memory)["loads"] for memory in (6, 12, 24)]
    assert loads == sorted(loads, reverse=True)


def test_order_loss(monkeypatch):
    current = module("order-loss")
    monkeypatch.setattr(current, "CASES", {"fft:n=32": (4, 10), "matmul:n=4": (8, 14)})
    monkeypatch.setattr(current, "SHOWN", "fft:n=32")
    experiment = current.experiment(QUICK)
    require_whole(experiment)
    assert verdicts(experiment.claims)[:3] == ["confirmed", "confirmed", "proved"]
    for _, _, _, minimum, proved_, *counts in experiment.tables[0].rows:
        assert proved_ <= minimum <= min(counts[: len(EVICTIONS)])


def test_the_least_of_an_order_is_no_more_than_the_best_play_in_it():
    row = order_at_best("fft:n=4", "natural", 3)
    assert row["certified"] <= row["bound"] == row["least"]
    assert row["least"] >= optimum(load("fft:n=4"), 3, rules_named("one-shot"))


def test_gaps(monkeypatch):
    current = module("gaps")
    cases = {"fft:n=8": True, "matmul:n=8": False, "matvec:n=24": False, "tree:height=3": False}
    monkeypatch.setattr(current, "QUICK", cases)
    monkeypatch.setattr(current, "SMALL", {"fft:n=4": 4})
    experiment = current.experiment(QUICK)
    require_whole(experiment)
    sound, *_, solved = experiment.claims
    assert sound.verdict == solved.verdict == "proved"
    for _, _, upper, _, lower, _, ratio in experiment.tables[0].rows:
        assert 1 <= ratio == pytest.approx(upper / lower)
    assert experiment.tables[1].rows[-1][:2] == ("all", 12)


def test_peak_memory(monkeypatch):
    current = module("peak-memory")
    known = tuple(family._replace(sizes=family.sizes[:1]) for family in current.KNOWN)
    monkeypatch.setattr(current, "KNOWN", known)
    monkeypatch.setattr(current, "USED", {"pyramid:height=10": (4, 6, 12, 20)})
    experiment = current.experiment(QUICK)
    require_whole(experiment)
    assert verdicts(experiment.claims)[-1] == "confirmed"
    assert set(verdicts(experiment.claims[:-1])) == {"proved"}
    peaks = [row[2] for row in experiment.tables[1].rows]
    assert peaks[-1] == 12  # h + 2: no play needs more


def test_a_wrong_least_memory_is_refuted(monkeypatch):
    current = module("peak-memory")
    tree = current.KNOWN[0]
    monkeypatch.setattr(current, "KNOWN", (tree._replace(beyond=3, sizes=(2,)),))
    monkeypatch.setattr(current, "USED", {"pyramid:height=4": (4,)})
    claims = current.experiment(QUICK).claims
    assert verdicts(claims)[:2] == ["refuted", "refuted"]


def test_series_name_who_found_each_point():
    curve = QUICK.curve("matmul:n=8", (14, 22))
    best, bound = played(curve), proved(curve)
    assert (best.role, bound.role, best.x) == ("upper", "lower", (14.0, 22.0))
    assert best.notes[0].startswith("structured: 428 words with 14, ")
    assert bound.notes[0].startswith("nests: at least 307 words with 14")
    assert all(high >= low for high, low in zip(best.y, bound.y, strict=True))


def test_steps_fall_at_each_memory_and_end_level():
    assert stepped([2, 4], [9.0, 5.0], 8) == ((2.0, 4.0, 4.0, 8.0), (9.0, 9.0, 5.0, 5.0))
