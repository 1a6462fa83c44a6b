import pytest

from dags import FormatError, InvalidDAGError, from_edges, to_networkx
from dags.formats import read

ABC = [("a", "b"), ("b", "c")]


def read_text(tmp_path, text):
    path = tmp_path / "a.dot"
    path.write_text(text, encoding="utf-8")
    return read(path)


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("digraph { a -> b -> c }", ABC),
        ("strict digraph name { a -> b; b -> c; a -> b }", ABC),
        ('DiGraph "a name" {"a"->b;b->"c"}', ABC),
        ("digraph{a->b b->c}", ABC),
        ("digraph { rankdir=LR; node [shape=box]; edge [color=red] a->b->c [weight=2]; }", ABC),
        ("digraph { // one\n a -> b /* two\n -> x */ # three\n b -> c }", ABC),
        ("digraph { a:port:n -> b:s; b -> c }", ABC),
        ("digraph { {a b} -> c }", [("a", "c"), ("b", "c")]),
        ("digraph { a -> {b; c} }", [("a", "b"), ("a", "c")]),
        ("digraph { a -> {b -> c} }", [("a", "b"), ("a", "c"), ("b", "c")]),
        ("digraph { subgraph cluster_0 { label=x; a -> b } subgraph { b -> c } }", ABC),
        ("digraph { a -> subgraph s { b } -> c }", ABC),
        ('digraph { a [label=<<b>bold</b>>, x="]"][y=1;z=2] a -> b -> c }', ABC),
        ("digraph { a -> b; ; b -> c; ; }", ABC),
        ('digraph { "a b" -> "c\\"d" -> "e\\\\" }', [("a b", 'c"d'), ('c"d', "e\\")]),
        ("digraph { 1 -> -2; -2 -> .5; 1 -> 007 }", [(1, -2), (-2, ".5"), (1, "007")]),
        ('digraph { 1 -> 2; "1" -> "3" }', [(1, 2), (1, 3)]),
        ("digraph { größe -> _x1 }", [("größe", "_x1")]),
        ("digraph { graph [a=b] graph1 -> node_ }", [("graph1", "node_")]),
    ],
)
def test_the_language_is_read(tmp_path, text, edges):
    assert set(to_networkx(read_text(tmp_path, text)).edges) == set(edges)


def test_attributes_of_nodes_are_read(tmp_path):
    text = 'digraph { a [words=3 work="2", label="9"]; b [output=true channel=1]; a -> b -> c; }'
    dag = read_text(tmp_path, text)
    wanted = {"words": [3, 1, 1], "work": [2, 0, 0], "channel": [0, 1, 0], "outputs": [1]}
    assert dag == from_edges(3, [(0, 1), (1, 2)], **wanted)


def test_defaults_hold_for_later_nodes_in_the_same_braces(tmp_path):
    text = "digraph { a; node [words=2]; b; { node [words=5] c; d [words=7] } e; a -> b; }"
    assert read_text(tmp_path, text).words.tolist() == [1, 2, 5, 7, 2]


def test_attributes_of_edges_are_not_those_of_nodes(tmp_path):
    assert read_text(tmp_path, "digraph { a -> b [words=4] }").words is None


def test_numbering_follows_first_mention(tmp_path):
    assert read_text(tmp_path, "digraph { z; y; z -> x; y -> x }").labels == ("z", "y", "x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: digraph expected, not the end of the file"),
        ("graph { a -- b }", "line 1: an undirected graph; a digraph is needed"),
        ("strict graph {}", "undirected"),
        ("digraph a", "{ expected, not the end of the file"),
        ("digraph {\n a -> b;\n", "line 3: a name expected, not the end of the file"),
        ("digraph {\n a -> ;\n}", "line 2: a name expected, not ';'"),
        ("digraph {\n\n a -- b }", "line 3: an undirected edge '--'"),
        ("digraph { -> a }", "a name expected, not '->'"),
        ("digraph { a [x=] }", "a name expected, not '\\]'"),
        ("digraph { a [x=1 }", "a name expected, not '}'"),
        ("digraph { node a }", "\\[ expected, not 'a'"),
        ('digraph { "a -> b }', "a name expected, not '\"'"),
        ("digraph { a -> b } }", "the end of the file expected, not '}'"),
        ("digraph { a -> edge }", "a name expected, not 'edge'"),
        ("digraph { a -> <b> }", "a name expected, not '<b>'"),
        ("digraph { a ? b }", r"a name expected, not '\?'"),
        ("digraph { /* a -> b }", "a name expected, not '/'"),
        ('digraph { a -> "b" + "c" }', r"a name expected, not '\+'"),
        ("digraph {" + "{" * 200 + "}" * 200 + "}", "nested more than 100 deep"),
    ],
)
def test_malformed_files_are_refused_with_their_line(tmp_path, text, message):
    with pytest.raises(FormatError, match=rf"a\.dot, line \d+: .*{message}|{message}"):
        read_text(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("digraph {}", "not 0"),
        ("digraph { a -> b -> a }", "cycle of 2 vertices: (a -> b -> a|b -> a -> b)"),
        ("digraph { a -> a }", "vertex a has an edge to itself"),
        ("digraph { a [words=x] -> b }", "line 1"),
        ("digraph { a [words=x]; a -> b }", "node 'a' has words='x', which is no integer"),
        ("digraph { a [words=0]; a -> b }", r"vertex 0 \('a'\) has size 0"),
        ("digraph { a [output=true]; a -> b }", "output that is an input"),
    ],
)
def test_graphs_that_are_no_dag_are_refused(tmp_path, text, message):
    error = FormatError if message == "line 1" else InvalidDAGError
    with pytest.raises(error, match=message):
        read_text(tmp_path, text)
