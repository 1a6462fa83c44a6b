"""Attributes of tensors in graph files: in place, views, alignment, addresses, spills."""

import json

import networkx as nx
import numpy as np
import pytest

from dags import InvalidDAGError, from_networkx, load
from dags.cdag.value import CDAG
from dags.formats import read, save
from dags.formats.registry import FORMATS, lost
from pebble import RULES, min_memory
from tests.command_line import run_redblue


def network(**attributes):
    """x -> a -> b -> c, all of 8 words, and w -> b; attributes by node."""
    graph = nx.DiGraph([("x", "a"), ("a", "b"), ("w", "b"), ("b", "c")])
    nx.set_node_attributes(graph, dict.fromkeys("xabc", 8) | {"w": 2}, "words")
    for node, attribute in attributes.items():
        graph.add_node(node)
        graph.nodes[node].update(attribute)
    return graph


def of(dag, name):
    return dag.labels.index(name)


def test_marks_and_demands_follow_their_nodes_into_the_numbering():
    graph = network(
        b={"in_place": True, "never_spilled": "yes"},
        c={"alignment": 64, "pinned": "128"},
        a={"in_place": "false"},
    )
    turned = nx.DiGraph()  # in an order that is not topological
    turned.add_nodes_from((node, graph.nodes[node]) for node in reversed(list(graph.nodes)))
    turned.add_edges_from(graph.edges)
    for source in (graph, turned):
        dag = from_networkx(source)
        b, c = of(dag, "b"), of(dag, "c")
        assert dag.in_place.nonzero()[0].tolist() == [b]
        assert dag.demands.unspilled.nonzero()[0].tolist() == [b]
        assert (dag.demands.alignment[c], dag.demands.address[c]) == (64, 128)
        assert (dag.demands.alignment[b], dag.demands.address[b]) == (1, -1)


def test_a_graph_without_such_attributes_has_none():
    dag = from_networkx(network())
    assert (dag.in_place, dag.demands) == (None, None)


def test_a_view_is_its_tensor():
    graph = network(flat={"alias": "a", "words": 8}, wide={"alias": "flat"})
    graph.remove_edge("a", "b")
    graph.add_edges_from([("a", "flat"), ("flat", "wide"), ("wide", "b")])
    dag = from_networkx(graph)
    plain = from_networkx(network())
    assert set(dag.labels) == set(plain.labels)
    assert dag.m == plain.m
    assert min_memory(dag) == min_memory(plain)
    assert dag.demands.aliases == {"flat": of(dag, "a"), "wide": of(dag, "a")}


@pytest.mark.parametrize("named", [{}, {"output": True}])
def test_a_view_that_is_an_output_makes_its_tensor_one(named):
    graph = network(flat={"alias": "a", **named})
    graph.add_edge("a", "flat")
    dag = from_networkx(graph)
    assert of(dag, "a") in dag.outputs.tolist()


def test_a_view_of_an_input_that_nothing_reads_is_nothing():
    graph = network(flat={"alias": "x"})
    graph.add_edge("x", "flat")
    assert from_networkx(graph) == from_networkx(network())


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({"a": {"in_place": "maybe"}}, "'a' has in_place='maybe', which is neither true nor false"),
        ({"x": {"in_place": True}}, "none of its 0 operands has its size of 8"),
        ({"w": {"words": 3}, "b": {"words": 9, "in_place": 1}}, "none of its 2 operands"),
        ({"b": {"alias": "q"}}, "'b' is a view of 'q', which is no node"),
        ({"b": {"alias": "b"}}, "'b' is a view of itself"),
        ({"b": {"alias": "a"}}, "'b' is a view of 'a', and has 'w' as an operand"),
        ({"c": {"alias": "b", "alignment": 8}}, "a view of 'b': alignment is an attribute of that"),
        ({"c": {"alias": "b", "in_place": True}}, "a view of 'b': in_place is an attribute"),
        ({"a": {"alias": "x", "output": True}}, "is an output, and a view of the input 'x'"),
        ({"p": {"alias": "q"}, "q": {"alias": "p"}}, "is a view of itself"),
        ({"a": {"alignment": 0}}, "alignment=0, which is no whole number from 1 to 2"),
        ({"a": {"alignment": "wide"}}, "alignment='wide', which is no whole number"),
        ({"a": {"pinned": -8}}, "pinned=-8, which is no whole number from 0"),
        ({"a": {"pinned": True}}, "pinned=True, which is no whole number"),
        ({"a": {"pinned": 2**63}}, "which is no whole number from 0 to 2"),
        ({"a": {"pinned": 8, "alignment": 16}}, "pinned at 8, which is no multiple of its al"),
        ({"a": {"never_spilled": 2}}, "never_spilled=2, which is neither true nor false"),
    ],
)
def test_attributes_without_sense_are_refused_in_a_sentence(attributes, sentence, tmp_path):
    graph = network(**attributes)
    with pytest.raises(InvalidDAGError, match=sentence):
        from_networkx(graph)
    save_as = tmp_path / "net.json"
    save_as.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    ending = run_redblue("dag", save_as)
    assert ending.code == 2
    assert len(ending.err.strip().splitlines()) == 1


@pytest.mark.parametrize("suffix", [s for s in FORMATS if "demands" in FORMATS[s].keeps])
def test_files_keep_marks_and_demands(suffix, tmp_path):
    own_part = {"in_place": True, "alignment": 64, "pinned": 128, "never_spilled": True}
    dag = from_networkx(network(b=own_part))
    path = tmp_path / f"net{suffix}"
    save(dag, path)
    repeated = load(str(path))
    assert repeated == dag
    for name in ("alignment", "address", "unspilled"):
        assert getattr(repeated.demands, name).tolist() == getattr(dag.demands, name).tolist()
    assert lost(dag, path) == ()
    assert set(lost(dag, tmp_path / "net.mtx")) >= {"in_place", "demands"}


@pytest.mark.parametrize(
    ("name", "column"),
    [("alignment", [0] * 3), ("address", [-2] * 3), ("unspilled", [0.5] * 3), ("address", [-1])],
)
def test_demands_of_a_damaged_archive_are_refused(name, column, tmp_path):

    dag = CDAG([0, 0, 1, 2], [0, 1])
    arrays = {"alignment": [1] * 3, "address": [-1] * 3, "unspilled": np.zeros(3, np.bool_)}
    rows = {"pred_indptr": dag.pred_indptr, "pred_indices": dag.pred_indices}
    head = {"format": np.array("redblue-dag"), "version": np.array(1)}
    np.savez(tmp_path / "net.npz", **head, **rows, **(arrays | {name: column}))
    with pytest.raises(InvalidDAGError, match=name):
        read(tmp_path / "net.npz")


def test_in_place_marks_count_where_results_slide():
    dag = from_networkx(network(b={"in_place": True}))
    assert min_memory(dag) == 18
    assert min_memory(dag, rules=RULES["one-shot-sliding"]) == 16  # a beside x, and c beside b
