"""Conversion from and to networkx graphs."""

from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx
import numpy as np

from dags.cdag import CDAG
from dags.construct import from_edges
from dags.errors import InvalidDAGError, shown


def from_networkx(graph: "nx.DiGraph[Any]") -> CDAG:
    """Return the DAG of a directed graph.

    Node attributes ``words``, ``work``, ``channel`` (integers) and ``output`` (true for a value
    that must end in slow memory) are kept where present; node names become labels.

    Raises
    ------
    InvalidDAGError
        If the graph is undirected, has a cycle, or a node attribute is no integer.
    """
    if not graph.is_directed():
        raise InvalidDAGError("the graph is undirected: edges must lead from operand to result")
    nodes = list(graph.nodes)
    index = {node: i for i, node in enumerate(nodes)}
    edges = [(index[u], index[v]) for u, v in graph.edges()]
    return from_attributes(nodes, edges, [graph.nodes[node] for node in nodes])


def from_attributes(
    nodes: Sequence[Any],
    edges: Sequence[tuple[int, int]],
    attributes: Sequence[Mapping[str, Any]],
) -> CDAG:
    """Return the DAG of named nodes, edges between their indices, and attributes of each.

    Attributes and errors are those of `from_networkx`.

    Parameters
    ----------
    nodes
        (n,) names; anything but integers and strings is named by its `str`.
    edges
        (m,) pairs of indices (operand, result).
    attributes
        (n,) attributes by name; all but four names are ignored.
    """
    return from_edges(
        len(nodes),
        np.array(edges, np.int64).reshape(-1, 2),
        words=_attribute(nodes, attributes, "words", 1),
        work=_attribute(nodes, attributes, "work", 0),
        channel=_attribute(nodes, attributes, "channel", 0),
        outputs=[i for i, known in enumerate(attributes) if _is_true(known.get("output"))],
        labels=[node if isinstance(node, int | str) else str(node) for node in nodes],
    )


def to_networkx(dag: CDAG) -> "nx.DiGraph[Any]":
    """Return a `networkx.DiGraph` whose nodes are the labels of `dag`.

    Node attributes: ``words``, ``work``, ``channel`` where the DAG has them, and ``output`` on
    outputs. `from_networkx` gives back an equal DAG.
    """
    names = dag.labels if dag.labels is not None else range(dag.n)
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    targets = np.repeat(np.arange(dag.n), dag.indegree)
    graph.add_edges_from(
        (names[u], names[v])
        for u, v in zip(dag.pred_indices.tolist(), targets.tolist(), strict=True)
    )
    for key in ("words", "work", "channel"):
        array = getattr(dag, key)
        if array is not None:
            nx.set_node_attributes(graph, dict(zip(names, array.tolist(), strict=True)), key)
    nx.set_node_attributes(graph, {names[v]: True for v in dag.outputs.tolist()}, "output")
    return graph


def _attribute(
    nodes: Sequence[Any], attributes: Sequence[Mapping[str, Any]], key: str, default: int
) -> list[int] | None:
    """Return attribute `key` of every node, None where no node has it."""
    if not any(key in known for known in attributes):
        return None
    column = [known.get(key, default) for known in attributes]
    for node, value in zip(nodes, column, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise InvalidDAGError(
                f"node {shown(node)} has {key}={shown(value)}, which is no integer"
            )
    return [int(value) for value in column]


def _is_true(value: object) -> bool:
    return value is True or str(value).lower() in ("true", "1", "yes")
