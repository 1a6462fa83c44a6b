"""Words across each boundary of a hierarchy."""

import json
from itertools import accumulate

import pytest

from dags import (
    Computation,
    InvalidSpecError,
    UnknownNameError,
    fft,
    load,
    random_layered,
    renumber,
)
from dags.families.recognition import recognise
from pebble import Machine, MemoryTooSmallError, Schedule, judge_on, play
from pebble.small.levels import least_cost
from proofs import check, load_bound
from redblue import levels
from redblue.answers.hardware import InvalidMachineError
from redblue.answers.hierarchies import crossing
from redblue.answers.hierarchies.crossing import levels_of
from redblue.answers.hierarchies.keeping import save_levels
from schedulers import scheduler_named
from tests.command_line import run_redblue


def test_counts_are_two_level_plays_and_bounds_take_the_sum_below():
    hierarchy = levels("fft:n=64", [8, 32])
    dag = fft(64)
    natural = next(play_ for play_ in hierarchy.plays if play_.method == "natural+lru")
    plays = [play(dag, scheduler_named("natural+lru")(dag, words), words) for words in (8, 32)]
    assert natural.words == tuple(count.io for count in plays)
    assert natural.loads == tuple(count.loads for count in plays)
    assert [bound.memory for bound in hierarchy.bounds] == list(accumulate((8, 32)))
    for bound, words, (_, single) in zip(
        hierarchy.bounds, hierarchy.best.words, hierarchy.alone, strict=True
    ):
        check(dag, bound.memory, bound)
        assert bound.io <= single <= words


def test_bounds_are_below_the_cheapest_play():
    for spec, memories in (("fft:n=4", [3, 4]), ("pyramid:height=3", [3, 4])):
        result, minimum = levels(spec, memories), least_cost(load(spec), memories)
        assert sum(result.lower) <= minimum.cost <= sum(result.best.words)


@pytest.mark.parametrize("spec", ["matmul:n=4", "random_layered:n=40,max_words=3,seed=2"])
def test_schedules_and_certificates_are_kept(tmp_path, spec):
    dag = load(spec)
    hierarchy = levels(dag, [14, 15, 60])
    files = save_levels(hierarchy, Computation.of(dag), tmp_path / "kept")
    assert {path.name for path in files} >= {"levels.png", "levels.json", "levels.csv"}
    built = Schedule.load(tmp_path / "kept" / "schedule.npz")
    assert judge_on(dag, built, Machine.levels([14, 15, 60])).words == hierarchy.best.words
    for place, bound in enumerate(hierarchy.bounds, start=1):
        repeated = load_bound(tmp_path / "kept" / f"boundary-{place}.json", dag)
        check(dag, bound.memory, repeated)
    record = json.loads((tmp_path / "kept" / "levels.json").read_text())
    assert record["words"] == list(hierarchy.best.words)


def test_recognised_dags_are_played_as_their_family_is():
    dag = fft(16)
    mixed = renumber(dag, [*dag.inputs[::-1], *dag.computed], keep_names=False)
    best = levels(recognise(mixed), [6, 12]).best
    assert sum(best.words) <= sum(levels(dag, [6, 12]).best.words)


def test_figures_have_a_line_for_each_level():
    hierarchy = levels("fft:n=16", [4, 8])
    axes = hierarchy.plot()
    assert {text.get_text() for text in axes.texts} == {"level 1", "level 2"}
    assert axes.get_ylabel() == "words across the boundary"
    assert len(hierarchy.to_frame()) == 2 * (len(hierarchy.plays) + 2)
    assert "fft:n=16" in repr(hierarchy)


def test_machines_give_their_memories():
    known = levels_of("H100", 8)
    assert known.names == ("registers", "L1", "L2", "hbm")
    assert known.memories == (4325376, 4325376, 6553600)
    assert known.rates[-1] == 3.35e12 / 8
    hierarchy = levels("fft:n=16", machine="H100")
    assert hierarchy.best.words == hierarchy.lower == (32, 32, 32)
    with pytest.raises(InvalidMachineError, match="takes two"):
        levels_of("Warp", 4)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "by its memories, or by a machine"),
        ({"memories": [8, 4]}, "rise from level to level: not 8, 4"),
        ({"memories": "8,x"}, "memory must be one size"),
        ({"memories": [8], "machine": "H100"}, "by its memories, or by a machine"),
    ],
)
def test_what_is_no_hierarchy_is_said(given, message):
    with pytest.raises(InvalidSpecError, match=message):
        levels("fft:n=8", **given)
    with pytest.raises(MemoryTooSmallError, match="takes 3"):
        levels("fft:n=8", [2, 8])


def test_the_command_says_the_same(tmp_path):
    shown = run_redblue("levels", "fft:n=64", "--memory", "8,32", "--json")
    record = json.loads(shown.out)
    assert record["words"] == [302, 206]
    assert record["lower"] == [228, 153]
    for old in (("--memories", "8,32"), ("--memories=8,32",)):
        by_old_name = run_redblue("levels", "fft:n=64", *old, "--json")
        assert by_old_name.out == shown.out
        assert "'--memories' of 'redblue levels' is '--memory' now" in by_old_name.err
    text = run_redblue("levels", "fft:n=64", "--memory", "8,32", "--out", str(tmp_path))
    assert "moves 508 words across all boundaries, and every schedule at least 381" in text.out
    path = str(tmp_path / "schedule.npz")
    legal = run_redblue("levels", "fft:n=64", "--memory", "8,32", "--verify", path)
    assert legal.out.startswith("legal: 302, 206 words")
    illegal = run_redblue("levels", "fft:n=64", "--memory", "4,8", "--verify", path, "--json")
    assert illegal.code == 4
    assert not json.loads(illegal.out)["legal"]


def test_an_effort_proves_more_through_both_doors():
    dag = load("fft:n=64")
    at_once, searched = levels(dag, "8,32"), levels(dag, "8,32", effort=2)
    command = ("levels", "fft:n=64", "--memory", "8,32", "--effort", 2, "--json")
    assert json.loads(run_redblue(*command).out)["lower"] == list(searched.lower)
    assert all(words > fewer for words, fewer in zip(searched.lower, at_once.lower, strict=True))
    for bound, words in zip(searched.bounds, (8, 40), strict=True):
        check(dag, words, bound)
    with pytest.raises(UnknownNameError):
        levels(dag, "8,32", effort="more")


def test_a_time_limit_is_shared_by_the_bounds_through_both_doors(monkeypatch):
    shares = []

    def noted(dag, memory, *, time_limit, prove=crossing.quick_bound):
        shares.append(time_limit)
        return prove(dag, memory, time_limit=time_limit)

    monkeypatch.setattr(crossing, "quick_bound", noted)
    levels("fft:n=64", "8,32,64", time_limit=40)
    run_redblue("levels", "fft:n=64", "--memory", "8,32,64", "--time-limit", 40)
    assert len(shares) == 6
    for share, parts in zip(shares, (3, 2, 1) * 2, strict=True):
        assert 20 / parts < share <= 30 / parts  # of three quarters of the limit


def test_the_command_searches_small_dags():
    arguments = ("levels", "fft:n=4", "--memory", "3,4", "--effort", "exact")
    assert run_redblue(*arguments, "--costs", "1,4").out.startswith("optimal: cost 46, 14, 8 words")
    searched = run_redblue(*arguments, "--json")
    assert json.loads(searched.out)["cost"] == 22
    by_old_name = run_redblue(*arguments[:-2], "--exact", "--json")
    assert (by_old_name.out, by_old_name.err.count("now; the old name will go")) == (
        searched.out,
        1,
    )
    wrong = run_redblue(*arguments, "--costs", "1,x")
    assert (wrong.code, "whole numbers: not 1,x" in wrong.err) == (2, True)
    assert run_redblue("levels", "fft:n=4", "--memory", "8,4").code == 2


def test_an_interrupted_search_says_what_is_proved():
    dag = random_layered(40, seed=2)
    cheapest = least_cost(dag, [5, 3], time_limit=0.0)
    assert cheapest.cost is None


@pytest.mark.parametrize("spec", ["matmul:n=12", "fft:n=32", "polybench/gemm:NI=100,NJ=100,NK=100"])
def test_the_best_play_is_that_which_costs_least(spec):
    plain, dear = levels(spec, "32,256"), levels(spec, "32,256", prices="1,40")
    for result in (plain, dear):
        costs = [play.cost(result.prices) for play in result.plays]
        assert result.best.cost(result.prices) == min(costs) >= result.least_cost
    assert dear.best.cost(dear.prices) <= plain.best.cost(dear.prices)
    assert plain.best.cost() <= dear.best.cost()
    record = dear.to_dict()
    assert record["prices"] == [1, 40]
    assert record["cost"] == dear.best.words[0] + 40 * dear.best.words[1]
    assert record["least_cost"] == dear.lower[0] + 40 * dear.lower[1]
    assert "prices" not in plain.to_dict()


@pytest.mark.parametrize("prices", ["1", "1,2,3", "1,x", "1,0", "1,-2", ""])
def test_a_price_for_each_boundary(prices):
    with pytest.raises(InvalidSpecError, match="2 boundaries take as many prices, numbers above 0"):
        levels("fft:n=8", "4,8", prices=prices)
