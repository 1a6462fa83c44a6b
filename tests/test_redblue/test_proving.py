"""Bounds in a given time: which methods search, in which order."""

from dags import fft, grid, random_layered
from pebble import RULES
from proofs import check
from redblue.proving import bounds_in, searching_bounds


def test_what_searches_depends_on_the_game():
    assert searching_bounds(grid((6, 6)), 12)[0] == "exact-pieces"
    assert searching_bounds(random_layered(n=100, seed=1), 4)[0] == "reuse"
    assert set(searching_bounds(fft(1024), 64)) == set(searching_bounds(fft(8), 4))


def test_all_bounds_are_checked_under_both_rules():
    dag = fft(8)
    for rules in (RULES["one-shot"], RULES["recompute"]):
        found = list(bounds_in(dag, 4, rules=rules, seconds=0.5))
        for bound in found:
            check(dag, 4, bound)
        assert max(bound.io for bound in found) > 16
