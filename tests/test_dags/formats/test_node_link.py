import json

import networkx as nx
import pytest

from dags import FormatError, InvalidDAGError, from_edges, to_networkx
from dags.formats import read, save


def read_data(tmp_path, data):
    path = tmp_path / "a.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return read(path)


def graph(nodes, edges, key="edges", **extra):
    return {
        "directed": True,
        "nodes": [{"id": name} if not isinstance(name, dict) else name for name in nodes],
        key: [{"source": u, "target": v} for u, v in edges],
    } | extra


@pytest.mark.parametrize("key", ["edges", "links"])
def test_files_of_networkx_are_read(tmp_path, key):
    source = nx.DiGraph([("a", 2), (2, (0, 1))])
    source.nodes["a"]["words"] = 3
    dag = read_data(tmp_path, nx.node_link_data(source, edges=key))
    assert dag == from_edges(3, [(0, 1), (1, 2)], words=[3, 1, 1])
    assert dag.labels == ("a", 2, "(0, 1)")


def test_networkx_reads_what_is_written(tmp_path):
    dag = from_edges(3, [(0, 1), (1, 2)], words=[1, 2, 3], outputs=[1], labels=["a", "7", 7])
    save(dag, tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text())
    back = nx.node_link_graph(data, edges="edges")
    assert nx.utils.graphs_equal(back, to_networkx(dag))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"directed":\n', "line 2: is no JSON: Expecting value"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "is no JSON object"),
        ({}, 'does not say "directed": true'),
        (graph([], [], directed=False), 'does not say "directed": true'),
        ({"directed": True}, "no list 'nodes'"),
        ({"directed": True, "nodes": []}, "no list 'edges' or 'links'"),
        ({"directed": True, "nodes": [1], "edges": []}, "no list 'nodes' of objects"),
        (graph([None], []), "node 0 has no id"),
        (graph([1.5], []), "node 0 has no id that is a string, an integer or a list"),
        (graph([[[1]]], []), "node 0 has no id"),
        (graph([1, 1], []), "two nodes with the same id"),
        (graph([1], [(1, 2)]), "edge 0 has the target 2, which is no node"),
        (graph([1], [({}, 1)]), "edge 0 has no source"),
    ],
)
def test_malformed_files_are_refused(tmp_path, data, message):
    with pytest.raises(FormatError, match=message):
        read_data(tmp_path, data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (graph([], []), "not 0"),
        (graph([1, 2], [(1, 2), (2, 1)]), "cycle of 2 vertices"),
        (graph([{"id": 1, "words": "x"}], []), "node 1 has words='x', which is no integer"),
        (graph([{"id": 1, "words": 2**80}], []), "words must"),
        (graph([[1, 2], "(1, 2)"], []), "labels must differ"),
    ],
)
def test_graphs_that_are_no_dag_are_refused(tmp_path, data, message):
    with pytest.raises(InvalidDAGError, match=message):
        read_data(tmp_path, data)
