"""Plays found back from searches of highly symmetric DAGs, under all rules and memories."""

import itertools

import numpy as np
import pytest

from dags import CDAG, from_edges, load
from pebble import RULES, judge, min_memory
from pebble.small import MOST_LEVELS, play_of, search_of, small_game, whole_dag
from tests.oracles import optimum

SMALL = 11  # vertices; the oracle takes seconds for more


def pairs(count):
    """All pairs of inputs, a vertex each."""
    rows = [[]] * count + [list(pair) for pair in itertools.combinations(range(count), 2)]
    return CDAG(np.cumsum([0, *map(len, rows)]), np.concatenate(rows).astype(np.int32))


def bipartite(inputs, outputs, layers=1):
    """Layers, each of which reads all of the one before."""
    sizes = [inputs] + [outputs] * layers
    starts = np.cumsum([0, *sizes]).tolist()
    return from_edges(
        starts[-1],
        [
            (u, v)
            for low, middle, high in zip(starts, starts[1:], starts[2:], strict=False)
            for u in range(low, middle)
            for v in range(middle, high)
        ],
    )


DAGS = {
    "pairs of 3": pairs(3),
    "pairs of 4": pairs(4),
    "pairs of 5": pairs(5),
    "2 by 3 bipartite": bipartite(2, 3),
    "4 by 6 bipartite": bipartite(4, 6),
    "3 by 3 by 3 bipartite": bipartite(3, 3, layers=2),
    "periodic line": load("stencil:shape=4,steps=2,periodic=true"),
    "periodic sweep": load("sweep:shape=3x3,periodic=true"),
    "square": load("hypercube:d=2"),
    "cube": load("hypercube:d=3"),
    "butterfly": load("fft:n=4"),
}
LARGER = {
    "pairs of 6": pairs(6),
    "periodic sweep of 4 by 4": load("sweep:shape=4x4,periodic=true"),
    "periodic stencil of 3 by 3": load("stencil:shape=3x3,steps=1,periodic=true"),
    "periodic line of 6": load("stencil:shape=6,steps=3,periodic=true"),
    "hypercube": load("hypercube:d=4"),
    "8 by 8 bipartite": bipartite(8, 8),
}
# Memories from which on the dearest games are played: before, the search takes some seconds each.
BEGIN = {
    ("periodic sweep of 4 by 4", "recompute-sliding"): 9,
    ("periodic line of 6", "recompute-sliding"): 6,
}


def every_optimum(dag, rules, begin=0):
    """Yield (memory, I/O) of plays found and judged, until only the compulsory words are left."""
    minimum = dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    for memory in itertools.count(max(begin, min_memory(dag, rules=rules))):
        game = small_game(whole_dag(dag), memory, rules)
        outcome = search_of(game).below(MOST_LEVELS)
        assert outcome.found
        io = judge(dag, play_of(dag, game, outcome.store), memory, rules=rules).io
        assert io == minimum + outcome.excess
        yield memory, io
        if io == minimum:
            return


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", DAGS)
def test_plays_of_symmetric_games_are_as_good_as_the_oracle_says(name, rules):
    dag = DAGS[name]
    for memory, io in every_optimum(dag, rules):
        if dag.n <= SMALL:
            assert io == optimum(dag, memory, rules)


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", LARGER)
def test_plays_of_larger_symmetric_games_are_found_back(name, rules):
    result = dict(every_optimum(LARGER[name], rules, BEGIN.get((name, rules.name), 0)))
    assert list(result.values()) == sorted(result.values(), reverse=True)


def test_all_pairs_of_seven_inputs():
    dag = pairs(7)
    game = small_game(whole_dag(dag), 3, RULES["one-shot"])
    outcome = search_of(game).below(MOST_LEVELS)
    assert judge(dag, play_of(dag, game, outcome.store), 3).io == 43
