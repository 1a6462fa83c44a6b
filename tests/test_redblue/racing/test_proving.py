"""Bounds in a given time: which methods search, in which order."""

from dataclasses import replace

import pytest

from dags import fft, from_edges, grid, random_layered
from dags.work import charge_worked
from pebble import RULES
from proofs import BOUNDS, check, compulsory
from redblue.racing.proving import bounds_in, most_promising, searching_bounds


def test_what_searches_depends_on_the_game():
    assert searching_bounds(grid((6, 6)), 12)[0] == "exact-pieces"
    assert searching_bounds(random_layered(n=100, seed=1), 4)[0] == "reuse"
    reads_six = from_edges(60, [(u, v) for v in range(6, 60) for u in range(v - 6, v)])  # touches 7
    assert [searching_bounds(reads_six, memory)[0] for memory in (19, 20)].count("reuse") == 1
    assert set(searching_bounds(fft(1024), 64)) == set(searching_bounds(fft(8), 4))


def test_all_bounds_are_checked_under_both_rules():
    dag = fft(8)
    for rules in (RULES["one-shot"], RULES["recompute"]):
        result = list(bounds_in(dag, 4, rules=rules, seconds=0.5))
        for bound in result:
            check(dag, 4, bound)
        assert max(bound.io for bound in result) > 16


@pytest.mark.parametrize(
    ("proved", "most", "name"),
    [
        ({"exact-pieces": 20, "decomposition": 30}, 25, "decomposition"),
        ({"exact-pieces": 30, "decomposition": 29}, 30, "decomposition"),  # it grows longest
        ({"exact-pieces": 31, "decomposition": 29}, 31, "exact-pieces"),
        ({"exact-pieces": 20, "decomposition": 20}, 21, "exact-pieces"),  # both were too short
    ],
)
def test_what_has_the_rest_of_the_time(proved, most, name):
    assert most_promising(proved, most) == name


def test_the_method_that_proved_most_has_the_rest():
    dag = random_layered(n=200, seed=3)
    results = [bound.method for bound in bounds_in(dag, 8, seconds=4.0)]
    assert len(results) > len(set(results))
    repeated = list(bounds_in(dag, 8, seconds=0.2, proved_by="wavefront"))
    assert [bound.method for bound in repeated] == ["wavefront"]
    assert len(list(bounds_in(dag, 8, seconds=0.2, proved_by="compulsory"))) > 1


def test_what_is_proved_in_leaps_has_the_rest(monkeypatch):
    """Programs that would not end in time are not begun: most of a trial may be left."""

    def method(name, share):
        def bound(dag, memory, *, rules, seed, time_limit):
            asked.append((name, time_limit))
            charge_worked(round(share * time_limit * 1e9))
            return replace(compulsory(dag, memory, rules=rules), method=name)

        return bound

    asked = []
    for name, share in (("reload-windows", 0.4), ("exact-pieces", 0.0)):
        monkeypatch.setitem(BOUNDS, name, method(name, share))
    list(bounds_in(fft(4), 4, rules=RULES["recompute"], seconds=0.5))
    assert [name for name, _ in asked] == ["reload-windows", "exact-pieces", "reload-windows"]
    assert asked[-1][1] > 2 * asked[0][1]


def test_a_method_that_takes_too_long_takes_nothing_from_the_others(monkeypatch):
    """Decomposition looks at the clock seldom, and `reuse` proves most of renumbered LU."""

    def method(name, seconds):
        def bound(dag, memory, *, rules, seed, time_limit):
            asked.append(name)
            charge_worked(round((seconds or time_limit) * 1e9))
            return replace(compulsory(dag, memory, rules=rules), method=name)

        return bound

    asked = []
    dag = random_layered(n=200, seed=3)
    first, *remaining = searching_bounds(dag, 8)
    monkeypatch.setitem(BOUNDS, first, method(first, 0.4))  # more than all trials together
    for name in remaining:
        monkeypatch.setitem(BOUNDS, name, method(name, 0.0))
    list(bounds_in(dag, 8, seconds=1.0))
    assert asked[: len(remaining) + 1] == [first, *remaining]
