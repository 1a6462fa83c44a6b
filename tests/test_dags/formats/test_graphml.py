import networkx as nx
import pytest

from dags import FormatError, InvalidDAGError, from_edges
from dags.formats import read, save


def test_files_of_networkx_are_read(tmp_path):
    graph = nx.DiGraph([("a", 2), (2, "c")])
    graph.nodes["a"].update(words=3, colour="red")
    graph.nodes[2]["output"] = True
    nx.write_graphml_xml(graph, tmp_path / "a.graphml")
    dag = read(tmp_path / "a.graphml")
    assert dag == from_edges(3, [(0, 1), (1, 2)], words=[3, 1, 1], outputs=[1])
    assert dag.labels == ("a", 2, "c")


def test_undirected_graphs_are_refused(tmp_path):
    nx.write_graphml_xml(nx.path_graph(3), tmp_path / "a.graphml")
    with pytest.raises(FormatError, match="is undirected"):
        read(tmp_path / "a.graphml")


def test_cycles_are_refused(tmp_path):
    nx.write_graphml_xml(nx.DiGraph([(0, 1), (1, 0)]), tmp_path / "a.graphml")
    with pytest.raises(InvalidDAGError, match=r"a\.graphml: the graph has a cycle"):
        read(tmp_path / "a.graphml")


@pytest.mark.parametrize("text", ["<graphml>", "<html></html>", "{}"])
def test_what_is_no_graphml_is_refused(tmp_path, text):
    (tmp_path / "a.graphml").write_text(text)
    with pytest.raises(FormatError, match="is no GraphML"):
        read(tmp_path / "a.graphml")


@pytest.mark.parametrize("label", ["a\0b", "\r", "\ufffe", "12"])
def test_labels_that_xml_would_change_are_refused(tmp_path, label):
    dag = from_edges(2, [(0, 1)], labels=["x", label])
    with pytest.raises(FormatError, match="label"):
        save(dag, tmp_path / "a.graphml")
