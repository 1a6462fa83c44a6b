import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import InvalidDAGError, from_networkx, to_networkx
from tests.strategies import dags


@given(dags() | dags(labels=st.text(max_size=3) | st.integers()))
def test_networkx_keeps_everything(dag):
    back = from_networkx(to_networkx(dag))
    assert back == dag
    assert back.labels == dag.labels


def test_attributes_and_names_are_read():
    graph = nx.DiGraph([("b", "c"), ("a", "b")])
    graph.nodes["a"]["words"] = 4
    graph.nodes["b"].update(output="true", work=7)
    dag = from_networkx(graph)
    assert dag.labels == ("a", "b", "c")
    assert dag.words.tolist() == [4, 1, 1]
    assert dag.work.tolist() == [0, 7, 0]
    assert dag.outputs.tolist() == [1, 2]


def test_names_of_other_types_become_strings():
    assert from_networkx(nx.DiGraph([((0, 1), 2.5)])).labels == ("(0, 1)", "2.5")


def test_parallel_edges_count_once():
    assert from_networkx(nx.MultiDiGraph([(0, 1), (0, 1)])).m == 1


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph([(0, 1)]), "undirected"),
        (nx.DiGraph(), "1 to 2147483647 vertices, not 0"),
        (nx.DiGraph([("a", "b"), ("b", "a")]), "cycle of 2 vertices"),
        (nx.DiGraph([("a", "a")]), "vertex a has an edge to itself"),
    ],
)
def test_graphs_that_are_no_dag_are_refused(graph, message):
    with pytest.raises(InvalidDAGError, match=message):
        from_networkx(graph)


@pytest.mark.parametrize("value", [1.5, "3", True, None])
def test_attributes_that_are_no_integers_are_refused(value):
    graph = nx.DiGraph([("a", "b")])
    graph.nodes["b"]["words"] = value
    with pytest.raises(InvalidDAGError, match=r"node 'b' has words=.*no integer"):
        from_networkx(graph)
