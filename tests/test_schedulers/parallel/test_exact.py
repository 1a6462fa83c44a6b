"""The cheapest plays of tiny games by several processors."""

import json

import pytest

import dags
from pebble import RULES, Costs, Machine, MemoryTooSmallError, Rules, judge_on, parse_links
from pebble.small.game import TooLargeError
from schedulers.parallel import exact_parallel


@pytest.mark.parametrize(
    ("processors", "memory", "g", "cost"),
    [(1, 3, 1, 22), (2, 3, 1, 10), (1, 3, 4, 64), (2, 3, 4, 28), (2, 4, 1, 10)],
)
@pytest.mark.parametrize("rules", [Rules(), Rules(recompute=True)], ids=lambda rules: rules.name)
def test_fft_of_four_points(processors, memory, g, cost, rules):
    machine = Machine.parallel(processors, memory)
    result = exact_parallel(dags.load("fft:n=4"), machine, rules=rules, g=g)
    assert (result.cost, result.lower_bound, result.status) == (cost, cost, "optimal")
    count = judge_on(dags.load("fft:n=4"), result.schedule, machine, rules=rules)
    assert count.cost(Costs(g=g)) == cost


@pytest.mark.parametrize(
    ("spec", "processors", "memory", "rules", "cost"),
    [
        ("fft:n=4", 3, 3, "one-shot", 10),
        ("matmul:n=2", 2, 4, "one-shot", 13),
        ("grid:shape=4x4", 2, 3, "one-shot", 20),
        ("tree:height=3", 2, 4, "recompute", 11),
    ],
)
def test_symmetric_dags(spec, processors, memory, rules, cost):
    """The first three costs are also those of a search that knew no symmetry."""
    dag, machine = dags.load(spec), Machine.parallel(processors, memory)
    result = exact_parallel(dag, machine, rules=RULES[rules])
    assert (result.cost, result.lower_bound) == (cost, cost)
    assert judge_on(dag, result.schedule, machine, rules=RULES[rules]).cost() == cost


def test_golden_optima(shared):
    golden = json.loads((shared / "golden" / "sibling_games.json").read_text())
    for instance in golden["instances"]:
        dag = dags.load(instance["spec"])
        for row in instance["mpp"]:
            machine, rules = Machine.parallel(row["processors"], row["memory"]), RULES[row["rules"]]
            result = exact_parallel(dag, machine, rules=rules, g=row["g"])
            assert result.cost == row["cost"], (instance["spec"], row)
            count = judge_on(dag, result.schedule, machine, rules=rules)
            assert count.cost(Costs(g=row["g"])) == row["cost"]


def test_what_runs_out_of_time_proves_a_bound():
    result = exact_parallel(dags.load("fft:n=8"), Machine.parallel(2, 4), time_limit=0)
    assert (result.schedule, result.cost, result.status) == (None, None, "unknown")
    assert result.lower_bound == 0


def test_what_is_too_much_for_the_search_is_said():
    with pytest.raises(TooLargeError, match="80 vertices"):
        exact_parallel(dags.load("fft:n=16"), Machine.parallel(2, 4))
    with pytest.raises(MemoryTooSmallError):
        exact_parallel(dags.load("fft:n=4"), Machine.parallel(2, 2))
    with pytest.raises(dags.InvalidSpecError, match="share all of slow memory"):
        exact_parallel(dags.load("fft:n=4"), Machine.parallel(2, 3, parse_links("ring:2")))
    with pytest.raises(dags.InvalidSpecError, match="placed"):
        exact_parallel(dags.load("fft:n=4"), Machine.parallel(2, 3), rules=Rules(sliding=True))
