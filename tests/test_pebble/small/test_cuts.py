"""Minimum cuts on sets of bits, against networkx."""

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dags.arrays import lock
from pebble import ONE_SHOT, RULES, min_memory
from pebble.small._kernels.cuts import Cut, minimum_cut
from pebble.small._kernels.recompute_board import least_loaded
from pebble.small.fronts import links, new_flow
from pebble.small.game import members, small_game, whole_dag
from pebble.small.recompute import recompute_board
from tests.strategies import dags


@given(st.data(), st.booleans())
@settings(max_examples=150)
def test_the_cut_is_that_of_networkx(data, closed):
    dag = data.draw(dags(max_vertices=14))
    game = small_game(whole_dag(dag), min_memory(dag), ONE_SHOT)
    everything = (1 << game.values.size) - 1
    chosen = st.integers(0, everything)
    sources, ends, region = data.draw(chosen), data.draw(chosen), data.draw(chosen)
    # What is at the source can be cut, or nothing can flow for ever.
    cuttable = data.draw(chosen) | sources | (everything if closed else 0)
    capacity = lock(game.sizes * data.draw(st.integers(0, 2)))
    network = links(game)
    cut = Cut(*map(np.uint64, (sources, ends, region, cuttable)), capacity, closed)
    graph = nx.DiGraph()
    graph.add_nodes_from(["start", "end"])
    for r in members(region):
        limit = {"capacity": int(capacity[r])} if cuttable >> r & 1 else {}
        graph.add_edge(("in", r), ("out", r), **limit)
        if sources >> r & 1:
            graph.add_edge("start", ("in", r))
        if ends >> r & 1:
            graph.add_edge(("out", r), "end")
        for u in members(int(network["above"][r]) & region):
            graph.add_edge(("out", r), ("in", u))
        for u in members(int(network["made_of"][r]) & region if closed else 0):
            graph.add_edge(("in", r), ("in", u))
    assert minimum_cut(network, new_flow(), cut) == nx.maximum_flow_value(graph, "start", "end")


@given(st.data())
@settings(max_examples=100)
def test_what_must_be_loaded_is_a_minimum_cut(data):
    dag = data.draw(dags(max_vertices=14))
    game = small_game(whole_dag(dag), 10**6, RULES["recompute"])
    board = recompute_board(game)
    chosen = st.integers(0, (1 << game.values.size) - 1)
    red, blue = data.draw(chosen), data.draw(chosen) & ~game.inputs
    left = data.draw(st.integers(0, (1 << 64) - 1)) & int(board.goals)
    graph = nx.DiGraph()
    graph.add_nodes_from(["start", "end"])
    for r in (r for r in range(game.values.size) if not red >> r & 1):
        loadable = (game.inputs | blue) >> r & 1
        limit = {"capacity": int(game.sizes[r])} if loadable else {}
        graph.add_edge(("in", r), ("out", r), **limit)
        if game.inputs >> r & 1:
            graph.add_edge("start", ("in", r))
        for v in members(int(game.readers[r])):
            if left >> v & 1:
                graph.add_edge(("out", r), "end")
            elif game.result[v] >= 0 and not red >> int(game.result[v]) & 1:
                graph.add_edge(("out", r), ("in", int(game.result[v])))
    result = least_loaded(board, *map(np.uint64, (left, red, blue)))
    assert result == nx.maximum_flow_value(graph, "start", "end")
