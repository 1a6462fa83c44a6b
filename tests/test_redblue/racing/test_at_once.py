"""What is proved at once is the same wherever it is asked for, and is checked."""

import pytest

import redblue as rb
from dags import CDAG, fft
from pebble import RULES, Budget
from proofs import Bound, Certificate, check
from redblue.answers.evidence import gather
from redblue.answers.planning.evidence import Evidence
from redblue.racing.at_once import few_states, quick_bound
from redblue.racing.race import Race
from tests.oracles import optimum

MEGA = 1 << 20


def training_step():
    """Two layers forward and back, values of a million words and losses of a few: few steps."""
    rows = [[], [], [], [0, 1], [3, 2], [4], [5, 3], [5, 2], [7, 0]]
    words = [MEGA, 2 * MEGA, 2 * MEGA, 4 * MEGA, 4 * MEGA, 8, 2 * MEGA, 4 * MEGA, 2 * MEGA]
    indptr = [0]
    for row in rows:
        indptr.append(indptr[-1] + len(row))
    return CDAG(indptr, sorted_rows(rows), words=words)


def sorted_rows(rows):
    return [u for row in rows for u in sorted(row)]


@pytest.mark.parametrize("rules", ["one-shot", "recompute"])
def test_quick_bounds_of_few_steps_are_those_of_other_commands(rules):
    """A quick plan said the compulsory words where a search of a hundred states proves more."""
    dag, game = training_step(), RULES[rules]
    memory = 10 * MEGA + 8
    minimum = optimum(dag, memory, game)
    result = quick_bound(dag, memory, rules=game)
    check(dag, memory, result)
    assert result.io == minimum
    planned = Evidence(dag, game).bound(memory)
    curve = rb.curve(dag, [memory], rules=game, effort="quick")
    assert planned.io == dict(curve.envelope("lower"))[memory] == minimum
    assert rb.bound(dag, memory, rules=game, effort="quick").io == minimum
    assert gather(dag, [memory], rules=game, effort="quick").points[0].bound.io == minimum


def test_large_dags_are_not_searched():
    assert few_states(fft(64), 8) is None


def test_a_race_keeps_the_best_of_each_method():
    dag = fft(8)
    race = Race(dag, 4, RULES["one-shot"], Budget(0.0))
    for io, seconds in ((26, 1.0), (17, 2.0)):
        race.prove(bound_of(io), seconds)
    assert race.proved["given"] == (bound_of(26), 3.0)
    assert race.bound.io == 26
    assert set(race.proved) == {"compulsory", "given"}


def bound_of(io):
    return Bound("given", 4, io, RULES["one-shot"], Certificate("compulsory", {}))
