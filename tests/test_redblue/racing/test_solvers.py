"""Solvers by name, each alone: legal, bounded, and optimal where it says so."""

import json

import pytest

from dags import UnknownNameError, from_edges, random_layered
from pebble import RULES, Budget, InvalidRulesError, judge, min_memory
from proofs import compulsory
from redblue.racing.solvers import SOLVERS, solver_named
from redblue.racing.solving import solve
from schedulers.exact import TooLargeError
from tests.command_line import run_redblue
from tests.oracles import optimum


def small():
    edges = [(0, 3), (1, 3), (1, 4), (2, 4), (3, 5), (4, 5), (3, 6), (0, 6)]
    return from_edges(7, edges, words=[1, 2, 1, 2, 1, 1, 3])


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_plays_legally_between_its_bound_and_the_optimum(name, rules):
    dag = small()
    memory = min_memory(dag, rules=rules)
    if name == "cp-sat" and rules.recompute:
        with pytest.raises(InvalidRulesError, match="no model of computing again"):
            SOLVERS[name](dag, memory, rules=rules, max_memory=Budget.bytes)
        return
    best = optimum(dag, memory, rules)
    result = SOLVERS[name](dag, memory, rules=rules, time_limit=300, max_memory=Budget.bytes)
    assert judge(dag, result.schedule, memory, rules=rules).io == result.io >= best
    assert compulsory(dag, memory, rules=rules).io <= result.lower_bound <= best
    assert (result.status == "optimal") == (result.io == result.lower_bound)
    if name != "search":
        assert result.status == "optimal"


@pytest.mark.parametrize("name", SOLVERS)
def test_one_method_alone(name):
    dag = small()
    solution = solve(dag, 6, method=name, time_limit=300)
    assert solution.count.io >= optimum(dag, 6, RULES["one-shot"]) >= solution.lower_bound
    assert judge(dag, solution.schedule, 6) == solution.count


def test_exact_search_alone_says_that_a_dag_is_too_large():
    dag = random_layered(150, seed=3)
    with pytest.raises(TooLargeError):
        solve(dag, min_memory(dag), method="exact", time_limit=1)


def test_there_is_no_method_of_another_name():
    with pytest.raises(UnknownNameError, match="cp-sat"):
        solver_named("simplex")


def test_the_command_takes_a_method():
    arguments = ("solve", "fft:n=4", "--memory", "4", "--method")
    result = run_redblue(*arguments, "cp-sat", "--json")
    rows = json.loads(result.out)["rows"]
    assert (rows[0]["method"], rows[0]["io"], rows[0]["status"]) == ("cp-sat", 11, "optimal")
    refused = run_redblue(*arguments, "simplex")
    assert refused.code == 2
    assert "exact" in refused.sentence
