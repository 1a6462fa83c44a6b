"""Boundaries in the prefix network of Kogge and Stone, against all small sets."""

from itertools import combinations

import pytest

from dags import prefix_scan
from pebble import ONE_SHOT, RULES, min_memory, play, rules_named
from proofs import check, compulsory, dominators, segments
from proofs.lemmas.isoperimetry.butterflies import most_sums, prefix_two_sided
from schedulers import structured
from tests.oracles import optimum

SIZES = [(4, 6), (5, 6), (6, 5), (8, 4), (11, 3)]


def rows_of(dag):
    """The operands of each vertex."""
    return [
        dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist() for v in range(dag.n)
    ]


def dominated(rows, values):
    """How many vertices outside `values` need nothing but them."""
    known = set(values)
    for v, row in enumerate(rows):
        if row and all(u in known for u in row):
            known.add(v)
    return len(known) - len(values)


def kept(readers, ends, passed):
    """How many vertices are read by `passed` and each other alone."""
    inside = set(passed)
    for v in reversed(range(len(readers))):
        if v not in ends and readers[v] and all(u in inside for u in readers[v]):
            inside.add(v)
    return len(inside) - len(passed)


def places(n):
    """The position and the level of each vertex."""
    result, distance, level = [(i, 0) for i in range(n)], 1, 1
    while distance < n:
        result += [(i, level) for i in range(distance, n)]
        distance, level = 2 * distance, level + 1
    return result


@pytest.mark.parametrize(("n", "most"), SIZES)
def test_few_values_dominate_few_sums(n, most):
    """Inputs side by side dominate as many as any values do."""
    rows = rows_of(prefix_scan(n))
    for count in range(1, most + 1):
        worst = max(dominated(rows, values) for values in combinations(range(len(rows)), count))
        assert worst <= most_sums(count)
        assert worst == most_sums(count) or count > n


@pytest.mark.parametrize(("n", "most"), SIZES)
def test_few_sums_pass_few_on(n, most):
    dag = prefix_scan(n)
    place = places(n)
    assert len(place) == dag.n
    depth = place[-1][1]
    beyond = {
        v for v, (i, level) in enumerate(place) if 0 < level < depth and i + 2**level >= n
    } - set(dag.outputs.tolist())
    ((boundary,),) = prefix_two_sided(n, "kogge-stone")
    assert boundary.vertices == dag.computed.size
    assert boundary.waived == n + dag.outputs.size + len(beyond)
    readers = [[] for _ in range(dag.n)]
    for v, row in enumerate(rows_of(dag)):
        for u in row:
            readers[u].append(v)
    ends = beyond | set(dag.outputs.tolist()) | set(range(n))
    for count in range(1, most):
        worst = max(kept(readers, ends, w) for w in combinations(dag.computed.tolist(), count))
        assert worst <= most_sums(count)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_never_above_the_optimum(rules):
    for n in (2, 3, 4):
        dag = prefix_scan(n)
        smallest = min_memory(dag, rules=rules)
        for memory in (smallest, smallest + 1):
            methods = [dominators] if rules.recompute else [dominators, segments]
            for method in methods:
                bound = method(dag, memory, rules=rules)
                check(dag, memory, bound)
                assert bound.io <= optimum(dag, memory, rules)


@pytest.mark.parametrize("n", [64, 100])
def test_no_play_moves_less_and_more_than_compulsory_is_proved(n):
    dag = prefix_scan(n)
    for memory in (3, 5, 9):
        best = max(segments(dag, memory).io, dominators(dag, memory).io)
        assert best <= play(dag, structured.blocks(dag, memory), memory).io
    bound = dominators(dag, 3, rules=rules_named("recompute"))
    assert bound.io > compulsory(dag, 3).io
    assert segments(dag, 3).rules == ONE_SHOT


def test_other_networks_have_the_compulsory_words():
    dag = prefix_scan(16, "brent-kung")
    for method in (segments, dominators):
        assert method(dag, 4).io == compulsory(dag, 4).io
