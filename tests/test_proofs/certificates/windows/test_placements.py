"""Placements of windows: what all of them cost, against all of them one by one."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import attention, fft, from_edges, pyramid
from pebble import Rules
from proofs.bounds.windows.placements import Effort, Tree
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.certificates.windows.computed_windows import costs
from proofs.certificates.windows.placements import SCALE, Placements, Window, least_cost
from proofs.flows import arcs_between, new_work
from proofs.flows._kernels import SINK, SOURCE, greatest_flow
from tests.strategies import dags

ENOUGH = 10**6


def operands_of(dag):
    rows = itertools.pairwise(dag.pred_indptr.tolist())
    return [dag.pred_indices[a:b].tolist() for a, b in rows]


def closed_sets(dag):
    """Every set of computed vertices that has the computed operands of its members."""
    operands, computed = operands_of(dag), set(dag.computed.tolist())
    return [
        set(chosen)
        for size in range(len(computed) + 1)
        for chosen in itertools.combinations(sorted(computed), size)
        if all(computed.intersection(operands[v]) <= set(chosen) for v in chosen)
    ]


def dominates(operands, chosen, begun, members):
    """Whether every path from an input to `members` meets `chosen`, by a search."""
    reached = {v for v, row in enumerate(operands) if not row and v not in chosen}
    for v in sorted(begun | members):
        if v not in chosen and reached.intersection(operands[v]):
            reached.add(v)
    return not reached & members


def cheapest(dag, window, counted):
    """What the window loads at least, over all sets before it, in it, red and loaded; slowly."""
    operands, inputs = operands_of(dag), set(dag.inputs.tolist())
    words, cost = dag.sizes.tolist(), window.cost.tolist()
    closed = closed_sets(dag)
    begins = [each for each in closed if len(each & counted) == window.first]
    ends = [each for each in closed if len(each & counted) == window.last]
    begins = begins if window.first else [set()]
    ends = ends if window.last < len(counted) else [set(dag.computed.tolist())]
    best = ENOUGH
    for begun in begins:
        places = sorted(begun | inputs)
        for chosen in itertools.product((False, True), repeat=len(places)):
            taken = {v for v, is_in in zip(places, chosen, strict=True) if is_in}
            if any(dominates(operands, taken, begun, end - begun) for end in ends if begun <= end):
                best = min(best, least_loaded(sorted(taken), words, cost, window.red))
    return best


def least_loaded(taken, words, cost, red):
    """The least cost of what is loaded of `taken`, if values of so many words are red."""
    best = {0: 0}  # by words that are red
    for v in taken:
        following = {}
        for used, paid in best.items():
            for more, price in ((0, cost[v]), (words[v], 0)):
                if used + more <= red:
                    least = following.get(used + more, ENOUGH)
                    following[used + more] = min(least, paid + price)
        best = following
    return min(best.values())


@st.composite
def windows(draw, weighted=None):
    """A small DAG, counted vertices, a window, and the least that it loads."""
    dag = draw(dags(max_vertices=8, weighted=weighted).filter(lambda dag: dag.computed.size))
    computed = dag.computed.astype(np.int64)
    keep = draw(st.lists(st.booleans(), min_size=computed.size, max_size=computed.size))
    counted = computed[np.array(keep)] if any(keep) and draw(st.booleans()) else computed
    first = draw(st.integers(0, counted.size - 1))
    last = draw(st.integers(first + 1, counted.size))
    red = draw(st.integers(0, 4)) if first else 0
    denominator = draw(st.integers(1, 3))
    cost = costs(dag, denominator, draw(st.integers(0, denominator)) if first else 0)
    window = Window(first, last, red, cost)
    return dag, counted, window, cheapest(dag, window, set(counted.tolist()))


@given(windows())
@settings(max_examples=150)
def test_a_grown_tree_says_what_the_cheapest_placement_costs(drawn):
    dag, counted, window, exact = drawn
    tree = Tree(Placements(dag, counted), window, ENOUGH, Effort(ENOUGH, None))
    assert tree.least <= exact
    tree.grow(ENOUGH)
    assert tree.is_done
    if not window.red:
        assert tree.least == exact
    assert tree.least <= exact
    assert least_cost(Placements(dag, counted), window, tree.entries()) == tree.least


@given(windows(weighted=False), st.data())
@settings(max_examples=100)
def test_no_multipliers_say_more(drawn, data):
    dag, counted, window, exact = drawn
    placements = Placements(dag, counted)
    for _ in range(5):
        gain, rent = data.draw(st.tuples(*[st.integers(0, 4 * SCALE)] * 2))
        shift = data.draw(st.integers(-4 * SCALE, 4 * SCALE))
        assert least_cost(placements, window, [[gain, shift, rent]]) <= exact


def test_one_window_loads_all_inputs():
    placements = Placements(pyramid(5), pyramid(5).computed)
    window = Window(0, placements.total, 0, costs(pyramid(5), 1, 0))
    tree = Tree(placements, window, ENOUGH, Effort(ENOUGH, None))
    tree.grow(ENOUGH)
    assert tree.least == 6


def test_half_of_a_butterfly_by_hand():
    """The last 12 of the 24 vertices of 8 points: 7 values are no fewer than they need."""
    placements = Placements(fft(8), fft(8).computed)
    tree = Tree(placements, Window(12, 24, 0, costs(fft(8), 1, 0)), ENOUGH, Effort(ENOUGH, None))
    tree.grow(ENOUGH)
    assert tree.least == 7
    entries = tree.entries()
    assert least_cost(placements, tree.window, entries) == 7
    for broken in (
        [],
        entries[:-1],
        [*entries, entries[-1]],
        [[0, 0], *entries[1:]],
        [[1, 8], *entries[1:]],
        [[0, 99], *entries[1:]],
        [[0, True], *entries[1:]],
        [[0], *entries[1:]],
        [*entries[:-1], [-1, 0, 0]],
        [*entries[:-1], [0, 0, -1]],
        [*entries[:-1], [2**61, 0, 0]],
        [*entries[:-1], [0, -(2**61), 0]],
        [*entries[:-1], [0, 0, 2**61]],
        [*entries[:-1], "leaf"],
    ):
        with pytest.raises(CertificateError):
            least_cost(placements, tree.window, broken)


def test_large_dags_are_refused():
    dag = from_edges(401, [(v, v + 1) for v in range(400)])
    with pytest.raises(CertificateError, match="401 vertices"):
        Placements(dag, dag.computed)


@given(
    st.integers(3, 9),
    st.lists(st.tuples(*[st.integers(0, 8)] * 2, st.integers(0, 9)), min_size=1, max_size=40),
)
def test_the_flow_is_as_great_as_another_finds_it(nodes, drawn):
    arcs = [(a, b, room) for a, b, room in drawn if a != b and max(a, b) < nodes]
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    for a, b, room in arcs:
        more = graph.edges[a, b]["capacity"] if graph.has_edge(a, b) else 0
        graph.add_edge(a, b, capacity=room + more)
    ends = np.array([arc[:2] for arc in arcs], np.int64).reshape(-1, 2)
    network, place = arcs_between(ends[:, 0], ends[:, 1], nodes)
    room, side, work = np.zeros(2 * len(arcs), np.int64), np.zeros(nodes, np.int8), new_work(nodes)
    room[place] = [room for *_, room in arcs]
    side[-2:] = SOURCE, SINK
    flow = greatest_flow(network, room, side, work)
    assert flow == nx.maximum_flow_value(graph, nodes - 2, nodes - 1)
    cut = sum(r for a, b, r in arcs if work.level[a] >= 0 > work.level[b])
    assert cut == flow


def test_a_memory_beyond_all_words_wraps_nothing():
    dag = attention(2, 1)
    tree = [[2, 8], [2, 9], [26, 0, 64], [26, 0, 64], [27, 0, 64]]
    windows = [
        {"first": 0, "last": 7, "share": 0, "tree": tree},
        {"first": 7, "last": 16, "share": 1, "tree": [[0, 8], [11, -5, 62], [11, -5, 62]]},
    ]
    data = {"counted": "all", "denominator": 1, "windows": windows}
    certificate = Certificate("computed-windows", data)
    for memory in (100, 2**31, 2**61 + 3):
        assert proven_io(dag, memory, Rules(sliding=True), certificate) <= 8
