"""The exact search of partial computation."""

import pytest

from dags import fft, from_edges, load, random_layered
from pebble import PARTIAL, judge
from pebble.small import TooLargeError
from pebble.small.partial import partial_game, partial_search
from schedulers.exact import exact
from tests.campaigns.partial import searched
from tests.partial_games import seeded
from tests.sibling_games import golden_games


def test_golden_optima(shared):
    games = golden_games(shared, "prbp")
    assert games
    for spec, entry in games:
        dag, memory = load(spec), entry["memory"]
        solution = exact(dag, memory, rules=PARTIAL)
        assert (solution.io, solution.status) == (entry["io"], "optimal"), (spec, entry)
        assert judge(dag, solution.schedule, memory, rules=PARTIAL).io == entry["io"]


def test_tiny_games_against_exhaustive_search_in_plain_python():
    assert {searched(seeded(4, case)) for case in range(12)} == {"sound"}


def test_wide_sums_of_the_same_operands_take_a_word_each_and_one_more():
    sums = from_edges(10, [(u, v) for u in range(6) for v in range(6, 10)])
    assert exact(sums, 7).io == 10
    assert exact(sums, 5, rules=PARTIAL).io == 10
    assert exact(sums, 7, rules=PARTIAL).io == 10
    assert exact(sums, 6).status == "infeasible"


def test_what_is_too_large_is_said():
    with pytest.raises(TooLargeError, match="at most 64 values and 64 edges, not 80 and 128"):
        exact(fft(16), 4, rules=PARTIAL)


def test_a_search_that_gives_up_proves_what_it_knows():
    dag = random_layered(30, seed=1)
    game = partial_game(dag, 2)
    search_result = partial_search(game).below(10**6, max_states=200)
    assert not search_result.found
    assert 0 <= search_result.excess < 10**6
