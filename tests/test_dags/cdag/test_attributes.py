"""Sizes of values from attributes of nodes, under any name."""

import networkx as nx
import pytest

from dags import (
    FormatError,
    IgnoredSizesWarning,
    InvalidDAGError,
    InvalidSpecError,
    from_networkx,
    load,
)
from tests.command_line import run_redblue

FILES = {
    ".dot": 'digraph {{ a [{0}=8]; b [{0}="8.0"]; a -> b; a -> c; b -> c }}',
    ".json": '{{"directed": true, "nodes": [{{"id": "a", "{0}": 8}}, {{"id": "b", "{0}": "8"}}, '
    '{{"id": "c"}}], "edges": [{{"source": "a", "target": "b"}}, {{"source": "a", "target": "c"}}, '
    '{{"source": "b", "target": "c"}}]}}',
    ".graphml": "<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>"
    "<key id='k' for='node' attr.name='{0}' attr.type='double'/><graph edgedefault='directed'>"
    "<node id='a'><data key='k'>8.0</data></node><node id='b'><data key='k'>8</data></node>"
    "<node id='c'/><edge source='a' target='b'/><edge source='a' target='c'/>"
    "<edge source='b' target='c'/></graph></graphml>",
}


def graph_of(**sizes):
    """A triangle whose nodes have an attribute."""
    graph = nx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")])
    for name, column in sizes.items():
        nx.set_node_attributes(graph, dict(zip("abc", column, strict=True)), name)
    return graph


@pytest.mark.parametrize("name", ["bytes", "my size"])
@pytest.mark.parametrize("column", [(8, 4, 2), (8.0, 4.0, 2.0), ("8", "4.0", "2e0")])
def test_a_named_attribute_holds_sizes(name, column):
    assert from_networkx(graph_of(**{name: column}), words=name).words.tolist() == [8, 4, 2]


@pytest.mark.parametrize(
    "value", [2.5, "2.5", "x", True, None, float("nan"), float("inf"), "9" * 99]
)
def test_other_values_are_refused(value):
    with pytest.raises(InvalidDAGError, match=r"node 'b' has bytes=.* which is no integer"):
        from_networkx(graph_of(bytes=(8, value, 2)), words="bytes")


def test_sizes_below_one_word_are_refused():
    with pytest.raises(InvalidDAGError, match=r"vertex 1 \('b'\) has size 0: at least 1 word"):
        from_networkx(graph_of(bytes=(8, 0, 2)), words="bytes")


def test_an_attribute_that_no_node_has_is_refused():
    with pytest.raises(InvalidDAGError, match="no node has an attribute 'sise': they have size"):
        from_networkx(graph_of(size=(8, 4, 2)), words="sise")
    with pytest.raises(InvalidDAGError, match="they have none"):
        from_networkx(graph_of(), words="size")


def test_whole_numbers_in_words_are_integers():
    assert from_networkx(graph_of(words=(8.0, 4, 2))).words.tolist() == [8, 4, 2]


@pytest.mark.parametrize("name", ["size", "bytes", "weight"])
def test_a_likely_attribute_that_is_not_used_is_reported(name):
    with pytest.warns(IgnoredSizesWarning, match=f"3 nodes have an attribute '{name}'"):
        assert from_networkx(graph_of(**{name: ("8", 4, 2.0)})).words is None


def test_other_attributes_are_not_reported():
    assert from_networkx(graph_of(weight=("heavy", None, 1), label="xyz")).words is None
    assert from_networkx(graph_of(size=(9, 9, 9), words=(1, 2, 3))).words.tolist() == [1, 2, 3]


@pytest.mark.parametrize("suffix", FILES)
def test_files_have_attributes(suffix, tmp_path):
    path = tmp_path / f"graph{suffix}"
    path.write_text(FILES[suffix].format("bytes"))
    assert load(str(path), words="bytes").words.tolist() == [8, 8, 1]
    ending = run_redblue("dag", path)
    assert ending.err == (
        "note: 2 nodes have an attribute 'bytes' that is not used: every value counts as one "
        "word; words=bytes counts them\n"
    )
    assert "17" in run_redblue("dag", path, "--words", "bytes").out


def test_what_has_no_attributes_says_so(tmp_path):
    path = tmp_path / "a.edges"
    path.write_text("a b\n")
    with pytest.raises(FormatError, match="has no attributes such as 'size': nodes have them in"):
        load(str(path), words="size")
    with pytest.raises(InvalidSpecError, match="fft:n=4 is no file whose nodes have attributes"):
        load("fft:n=4", words="size")
