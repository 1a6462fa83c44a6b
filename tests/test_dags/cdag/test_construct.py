import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import InvalidDAGError, from_edges, renumber
from tests.strategies import dags


def edges_of(dag):
    """The edges as pairs of labels."""
    names = dag.labels or range(dag.n)
    return {
        (names[u], names[v])
        for v in range(dag.n)
        for u in dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
    }


def relabelled(dag, position):
    """What from_edges needs for `dag` with vertex v called position[v]."""
    inverse = np.argsort(position)
    targets = np.repeat(np.arange(dag.n), dag.indegree)
    edges = np.column_stack((position[dag.pred_indices], position[targets]))
    columns = {
        name: None if getattr(dag, name) is None else getattr(dag, name)[inverse]
        for name in ("words", "work", "channel")
    }
    return edges, columns | {"outputs": position[dag.outputs]}


@given(dags(), st.randoms(use_true_random=False))
def test_from_edges_finds_the_dag_under_any_numbering(dag, random):
    position = np.array(random.sample(range(dag.n), dag.n), np.int64)
    edges, columns = relabelled(dag, position)
    random.shuffle(shuffled := edges.tolist())
    built = from_edges(dag.n, np.array(shuffled, np.int64).reshape(-1, 2), **columns)
    old = np.array(built.labels or range(dag.n))
    assert edges_of(built) == set(map(tuple, edges.tolist()))
    assert sorted(old[built.outputs]) == sorted(position[dag.outputs])
    for name, column in columns.items():
        if name != "outputs" and column is not None and getattr(built, name) is not None:
            assert getattr(built, name).tolist() == column[old].tolist()
    graph = nx.DiGraph(edges.tolist())
    graph.add_nodes_from(range(dag.n))
    if built.labels is not None:
        assert old.tolist() == list(nx.lexicographical_topological_sort(graph))


def test_a_topological_numbering_is_kept():
    dag = from_edges(4, [(2, 3), (0, 3), (1, 2)])
    assert dag.labels is None
    assert edges_of(dag) == {(2, 3), (0, 3), (1, 2)}


def test_an_edge_given_twice_counts_once():
    assert from_edges(2, [(0, 1), (0, 1)]) == from_edges(2, [(0, 1)])


def test_own_labels_survive_renumbering():
    dag = from_edges(3, [(2, 1), (1, 0)], labels=["c", "b", "a"], words=[3, 2, 1], outputs=[1])
    assert dag.labels == ("a", "b", "c")
    assert dag.words.tolist() == [1, 2, 3]
    assert dag.outputs.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("n", "edges", "message"),
    [
        (0, [], "1 to 2147483647 vertices, not 0"),
        (-1, [], "not -1"),
        (2**40, [], "not 1099511627776"),
        (2, [(0, 2)], "names vertex 2, outside 0..1"),
        (2, [(-1, 1)], "names vertex -1, outside 0..1"),
        (2, [(1, 1)], "vertex 1 has an edge to itself"),
        (2, [(0.0, 1.0)], "must be .* integers"),
        (2, [(0, 1, 1)], "edges must be"),
        (
            3,
            [(0, 1), (1, 2), (2, 0)],
            "cycle of 3 vertices: 0 -> 1 -> 2 -> 0|1 -> 2 -> 0 -> 1|2 ->",
        ),
    ],
)
def test_edges_that_make_no_dag_are_refused(n, edges, message):
    with pytest.raises(InvalidDAGError, match=message):
        from_edges(n, edges)


def test_a_cycle_is_named_by_labels_in_edge_order():
    with pytest.raises(InvalidDAGError, match=r"cycle of 2 vertices: (b -> c -> b|c -> b -> c)$"):
        from_edges(4, [(0, 1), (1, 2), (2, 1), (2, 3)], labels=list("abcd"))


def test_a_long_cycle_is_named_in_part():
    ring = [(i, (i + 1) % 50) for i in range(50)]
    with pytest.raises(InvalidDAGError, match="cycle of 50 vertices, among them"):
        from_edges(50, ring)


@pytest.mark.parametrize("edges", [[(0, 1)], [(1, 0)]], ids=["kept", "renumbered"])
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"words": [1]}, "words has 1 entries for 2"),
        ({"words": [1, 2, 3]}, "words has 3 entries for 2"),
        ({"work": [1, 2, 3]}, "work has 3 entries for 2"),
        ({"labels": ["a", "b", "c"]}, "labels has 3 entries for 2"),
        ({"labels": ["a"]}, "labels has 1 entries for 2"),
        ({"outputs": [2]}, "outputs must be in 0..1, not 2"),
        ({"outputs": [-1]}, "outputs must be in 0..1, not -1"),
        ({"outputs": [0.5]}, "outputs must hold integers"),
    ],
)
def test_fields_are_checked_whether_or_not_vertices_are_renumbered(edges, fields, message):
    with pytest.raises(InvalidDAGError, match=message):
        from_edges(2, edges, **fields)


@given(dags(labels=st.text("ab", max_size=6)), st.randoms(use_true_random=False))
def test_renumber_there_and_back(dag, random):
    order = []
    left = dag.indegree.copy()
    ready = [v for v in range(dag.n) if left[v] == 0]
    indptr, successors = dag.successors
    while ready:
        order.append(ready.pop(random.randrange(len(ready))))
        for w in successors[indptr[order[-1]] : indptr[order[-1] + 1]]:
            left[w] -= 1
            if left[w] == 0:
                ready.append(int(w))
    moved = renumber(dag, order)
    names = dag.labels or tuple(range(dag.n))
    assert moved.labels == tuple(names[v] for v in order) or moved.labels is None
    assert edges_of(moved) == edges_of(dag)
    back = renumber(moved, np.argsort(order))
    assert back == dag
    assert back.labels == dag.labels


def test_renumber_refuses_what_is_no_topological_order():
    dag = from_edges(3, [(0, 1), (1, 2)])
    for order in ([0, 1], [0, 0, 1], [0, 1, 3]):
        with pytest.raises(InvalidDAGError, match="no permutation of the 3 vertices"):
            renumber(dag, order)
    with pytest.raises(InvalidDAGError, match="places vertex 2 before one of its predecessors"):
        renumber(dag, [0, 2, 1])
