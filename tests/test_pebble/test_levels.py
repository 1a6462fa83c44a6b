"""Hierarchies of memories: referee, engine, files, exact search and nested plays."""

import pytest

from dags import CDAG, chain, fft, load, random_layered
from pebble import (
    IllegalMoveError,
    InvalidScheduleError,
    Machine,
    MemoryTooSmallError,
    Move,
    Rules,
    Schedule,
    Violation,
    judge_on,
    play_on,
)
from pebble.small import TooLargeError
from pebble.small.levels import least_cost
from schedulers.exact import exact
from tests.campaigns.levels import judged, nests, searched
from tests.level_games import hierarchy, leveled, random_play, small_dag
from tests.partial_games import seeded
from tests.sibling_games import golden_games

LOAD, STORE, COMPUTE, DELETE, _ = Move
IN = [(LOAD, 0, 2), (LOAD, 0, 1)]


@pytest.mark.parametrize(("look", "cases"), [(judged, 90), (searched, 12), (nests, 40)])
def test_random_games(look, cases):
    outcomes = [look(seeded(6, case)) for case in range(cases)]
    assert not [outcome for outcome in outcomes if outcome.startswith("failed")]


def test_golden_optima(shared):
    games = golden_games(shared, "levels")
    assert games
    for spec, entry in games:
        cheapest = least_cost(load(spec), entry["memories"], entry["costs"])
        assert cheapest.cost == entry["cost"], (spec, entry)
        count = judge_on(load(spec), cheapest.schedule, Machine.levels(entry["memories"]))
        assert count.weighed(entry["costs"]) == entry["cost"]


def test_one_boundary_is_the_sequential_game():
    for spec, memory in (("fft:n=4", 3), ("pyramid:height=3", 3), ("tree:height=3", 3)):
        dag = load(spec)
        assert least_cost(dag, [memory]).cost == exact(dag, memory).io
        free = least_cost(dag, [memory, 40], [1, 0])
        assert free.cost == exact(dag, memory).io


@pytest.mark.parametrize("player", [judge_on, play_on])
@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        ([(LOAD, 0, 1)], Violation.NOT_AT_LEVEL),
        ([(LOAD, 0, 3)], Violation.NO_SUCH_LEVEL),
        ([(DELETE, 0, 3)], Violation.NO_SUCH_LEVEL),
        ([*IN, (COMPUTE, 1, 2)], Violation.NO_SUCH_LEVEL),
        ([*IN, (LOAD, 0, 1)], Violation.ALREADY_AT_LEVEL),
        ([*IN, (STORE, 0, 1)], Violation.ALREADY_AT_LEVEL),
        ([*IN, (COMPUTE, 0, 1)], Violation.IS_INPUT),
        ([*IN, (COMPUTE, 2, 1)], Violation.MISSING_PREDECESSOR),
        ([*IN, (COMPUTE, 1, 1), (COMPUTE, 2, 1)], Violation.MEMORY_FULL),
        ([*IN, (COMPUTE, 1, 1), (STORE, 1, 1)], Violation.MEMORY_FULL),
        ([*IN, (COMPUTE, 1, 1), (DELETE, 1, 1), (COMPUTE, 1, 1)], Violation.ALREADY_COMPUTED),
        ([*IN, (COMPUTE, 1, 1), (COMPUTE, 1, 1)], Violation.ALREADY_AT_LEVEL),
        ([(DELETE, 2, 1)], Violation.NOT_AT_LEVEL),
        ([(LOAD, 7, 1)], Violation.NO_SUCH_VERTEX),
        (IN, Violation.OUTPUT_NOT_STORED),
    ],
)
def test_every_rule_is_told_by_name(player, moves, rule):
    with pytest.raises(IllegalMoveError) as caught:
        player(chain(3), leveled(moves), Machine.levels([2, 1]))
    assert caught.value.rule is rule


@pytest.mark.parametrize("player", [judge_on, play_on])
def test_values_are_computed_again_where_the_rules_say_so(player):
    repeated = [
        *IN,
        (COMPUTE, 1, 1),
        (DELETE, 1, 1),
        (COMPUTE, 1, 1),
        (DELETE, 0, 1),
        (DELETE, 0, 2),
    ]
    repeated += [(COMPUTE, 2, 1), (STORE, 2, 1), (STORE, 2, 2)]
    machine = Machine.levels([2, 1])
    count = player(chain(3), leveled(repeated), machine, rules=Rules(recompute=True))
    assert (count.computes, count.recomputes, count.words) == (3, 1, (2, 2))
    assert count.by_level()["words"] == [2, 2]


@pytest.mark.parametrize("suffix", [".npz", ".jsonl"])
def test_schedules_are_kept_in_files(tmp_path, suffix):
    rng = seeded(9, 1)
    dag = small_dag(rng)
    built = leveled(random_play(rng, dag, hierarchy(rng, dag)))
    built.save(tmp_path / f"play{suffix}")
    repeated = Schedule.load(tmp_path / f"play{suffix}")
    assert repeated == built
    assert hash(repeated) == hash(built)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('["LOAD", 1, "x"]', "line 1 is no move"),
        ('["LOAD", 1, 1, 1]', "line 1 is no move"),
        ('["LOAD", 1]\n["LOAD", 1, 1]', "line 1 is no move"),
        ('["LOAD", 1, 1]\n["COMPUTE", 1, "x"]', "line 2 is no move"),
    ],
)
def test_files_that_hold_no_schedule(tmp_path, line, message):
    path = tmp_path / "play.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(InvalidScheduleError, match=message):
        Schedule.load(path)


def test_columns_that_are_no_schedule():
    for place, message in (([1, 1], "1 moves for 2 places"), ([0.5], "column")):
        with pytest.raises(InvalidScheduleError, match=message):
            Schedule([0], [0], place=place)


def test_what_cannot_be_searched_is_said():
    with pytest.raises(TooLargeError, match="at most 64 vertices"):
        least_cost(fft(32), [4, 8])
    with pytest.raises(TooLargeError, match="costs are told apart"):
        least_cost(CDAG([0, 0, 1], [0], words=[2**50, 1]), [2**51])
    with pytest.raises(TooLargeError, match="costs are told apart"):
        least_cost(fft(4), [4, 8], [10**18, 1])
    with pytest.raises(MemoryTooSmallError, match="takes 3"):
        least_cost(fft(4), [2, 8])
    with pytest.raises(MemoryTooSmallError, match="passes level 2"):
        least_cost(load("random_layered:n=8,max_words=4,seed=1"), [40, 1])
    gives_up = least_cost(random_layered(40, seed=2), [5, 3], max_memory=1)
    assert gives_up.cost is None
    assert gives_up.schedule is None
    assert gives_up.lower_bound > 0
