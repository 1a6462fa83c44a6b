"""Contracts of every scheduler, and what others have measured."""

import csv
import json
import math
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import UnknownNameError, fft, from_edges, grid, load, matmul, tree
from pebble import RULES, MemoryTooSmallError, judge, min_memory, play
from schedulers import EVICTIONS, ORDERS, SCHEDULERS, accesses, full_name, scheduler_named
from tests.registries import QUICK_SCHEDULERS
from tests.strategies import dags, memories


@given(st.data(), st.sampled_from(sorted(QUICK_SCHEDULERS)), st.sampled_from(sorted(RULES)))
def test_schedules_are_legal_under_all_rules(data, name, rules):
    dag = data.draw(dags())
    memory = data.draw(memories(dag))
    built = SCHEDULERS[name](dag, memory, rules=RULES[rules])
    count = judge(dag, built, memory, rules=RULES[rules])
    assert count == play(dag, built, memory, rules=RULES[rules])
    assert count.computes == dag.computed.size
    assert count.recomputes == 0


@pytest.mark.parametrize("name", SCHEDULERS)
def test_too_small_a_memory_is_refused(name):
    with pytest.raises(MemoryTooSmallError, match="2 words"):
        SCHEDULERS[name](fft(4), 2)


def test_names():
    assert full_name("lru") == "natural+lru"
    assert scheduler_named("belady") is SCHEDULERS["natural+belady"]
    pairs = {f"{order}+{policy}" for order in ORDERS for policy in EVICTIONS}
    assert set(SCHEDULERS) == {*pairs, "structured", "search", "tiled"}
    for name in ("random", "natural", "natural+", "lru+natural"):
        with pytest.raises(UnknownNameError, match="belady"):
            full_name(name)


def best(dag, memory):
    """The least I/O that any pair of order and eviction reaches."""
    return min(judge(dag, player(dag, memory), memory).io for player in QUICK_SCHEDULERS.values())


# Exact optima, placed and one-shot (THEORY.md, section 5), and whether some pair can reach them.
OPTIMA = [
    (fft(4), {3: (14, True), 4: (11, False), 5: (9, False), 6: (8, True)}),
    (tree(3), {3: (15, True), 4: (11, True), 5: (9, True)}),
    (matmul(2), {4: (17, True), 5: (14, True), 6: (13, True), 7: (12, True)}),
    (matmul(3, m=3, k=1), {3: (19, False), 4: (17, True), 5: (15, True)}),
    (grid((4, 4)), {3: (14, False), 4: (6, True), 5: (2, True)}),
    (grid((5, 5)), {3: (25, False), 4: (10, False), 5: (6, True)}),
]


@pytest.mark.parametrize(("dag", "optima"), OPTIMA, ids=str)
def test_known_optima_are_never_beaten_and_met_where_a_pair_can(dag, optima):
    for memory, (optimum, met) in optima.items():
        reached = best(dag, memory)
        assert reached >= optimum
        if met:
            assert reached == optimum


def test_golden_optima_are_never_beaten(shared):
    golden = json.loads((shared / "golden" / "exact_optima.json").read_text())
    cases = _golden_cases(golden)
    assert len(cases) > 100
    for dag, memory, optimum in cases:
        assert best(dag, memory) >= optimum


def _golden_cases(golden):
    built = {
        name: from_edges(graph["n"], graph["edges"]) for name, graph in golden["graphs"].items()
    }
    return [
        (built[case["graph"]], case["memory"], case["io"])
        for case in golden["optima"]
        if case["rules"] == "one-shot"
    ]


def test_public_dags_against_their_peer(shared):
    with (shared / "data" / "anchors.csv").open() as file:
        anchors = list(csv.DictReader(file))
    ratios = defaultdict(list)
    layouts = {}
    for row in anchors:
        name = row["instance"]
        if name not in layouts:
            dag = load(str(shared / "data" / name))
            layouts[name] = [accesses(dag, order(dag)) for order in ORDERS.values()]
        memory = int(row["memory"])
        depth_first = layouts[name][list(ORDERS).index("depth-first")]
        io = [
            policy(layout, memory).io for layout in layouts[name] for policy in EVICTIONS.values()
        ]
        assert min(io) >= int(row["compulsory_io"])
        if row["proved_lower_bound"]:
            assert min(io) >= int(row["proved_lower_bound"])
        assert memory >= min_memory(depth_first.dag)
        furthest = EVICTIONS["belady"](depth_first, memory).io
        ratios["depth-first"].append(furthest / int(row["peer_dfs_furthest_use"]))
        ratios["best"].append(min(io) / int(row["peer_best_of_48"]))
    assert len(anchors) == 180
    assert math.exp(sum(map(math.log, ratios["depth-first"])) / len(anchors)) <= 1.05
    assert math.exp(sum(map(math.log, ratios["best"])) / len(anchors)) <= 1.0
