"""Exact search in a race: given up where two trials say that it gains nothing, and nowhere else."""

import pytest

import redblue.racing.race
from dags import fft, matmul, random_layered
from pebble import ONE_SHOT, RULES, Budget, Schedule
from redblue.racing.race import Race, hopeless, search_exactly_if_it_pays
from schedulers import SearchResult


def racing(dag, words, rules=ONE_SHOT, seconds=60.0):
    race = Race(dag, 5, rules, Budget(seconds))
    race.found = Schedule.from_moves([]), words, "given"
    return race


@pytest.mark.parametrize(
    ("trials", "words", "answer"),
    [
        ([(0.3, 35), (6.0, 38)], 55, True),  # a word a factor of 2.7: e^17 times as long
        ([(0.3, 35), (6.0, 53)], 55, False),
        ([(0.3, 35), (6.0, 35)], 36, False),  # no word gained, but only one is missing
        ([(0.3, 35), (6.0, 35)], 40, True),
        ([(5.0, 35), (6.0, 35)], 90, False),  # too much alike to tell
    ],
)
def test_what_two_trials_say(trials, words, answer):
    assert hopeless(trials, racing(fft(8), words)) == answer


@pytest.mark.parametrize(
    ("before", "proved", "rules", "searches"),
    [
        (29, 30, "one-shot", ["short"]),
        (20, 30, "one-shot", ["short", "some"]),  # the schedule is far, but some five words are not
        (58, 59, "one-shot", ["short", "long"]),
        (29, 30, "recompute", ["some"]),
    ],
)
def test_a_longer_search_follows_where_it_pays(monkeypatch, before, proved, rules, searches):
    asked = []

    def result(*game, time_limit, **options):
        asked.append("long" if time_limit > 40 else "some" if time_limit > 10 else "short")
        return SearchResult("exact", None, None, proved, "feasible", time_limit, 0)

    monkeypatch.setattr(redblue.racing.race, "exact", result)
    race = racing(random_layered(60, seed=1), 60, RULES[rules])
    search_exactly_if_it_pays(race, [(0.3, before)])
    assert asked == searches


def test_a_dag_that_is_too_large_gets_none():
    race, trials = racing(matmul(5), 400), []
    search_exactly_if_it_pays(race, trials)
    assert trials == []
    assert race.lower_bound == race.bound.io
