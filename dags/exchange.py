"""Conversion from and to networkx graphs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dags.attributes import integers_of, sizes_of
from dags.cdag import CDAG
from dags.construct import from_edges
from dags.errors import InvalidDAGError
from dags.recognition import recognise as recognised

if TYPE_CHECKING:
    import networkx as nx


def from_networkx(
    graph: "nx.DiGraph[Any]", *, words: str | None = None, recognise: bool = True
) -> CDAG:
    """Return the DAG of a directed graph.

    Node attributes ``words``, ``work``, ``channel`` (integers) and ``output`` (true for a value
    that must end in slow memory) are kept where present; node names become labels.

    Parameters
    ----------
    graph
        A directed graph; edges lead from operand to result.
    words
        Name of the node attribute that holds sizes in words, if that is not ``words``: integers,
        also as text, such as ``"8"``. A node without it has one word.
    recognise
        Whether the family of the DAG is looked for (`dags.recognition`).

    Raises
    ------
    InvalidDAGError
        If the graph is undirected, has a cycle, or a node attribute is no integer.

    Warns
    -----
    IgnoredSizesWarning
        If no node has sizes, but numbers under a name like ``size`` or ``bytes``.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("x", "y"), ("y", "z")])
    >>> graph.nodes["x"]["bytes"] = 8.0
    >>> from_networkx(graph, words="bytes").words.tolist()
    [8, 1, 1]
    """
    if not graph.is_directed():
        raise InvalidDAGError("the graph is undirected: edges must lead from operand to result")
    nodes = list(graph.nodes)
    index = {node: i for i, node in enumerate(nodes)}
    edges = [(index[u], index[v]) for u, v in graph.edges()]
    dag = from_attributes(nodes, edges, [graph.nodes[node] for node in nodes], words=words)
    return recognised(dag) if recognise else dag


def from_attributes(
    nodes: Sequence[Any],
    edges: Sequence[tuple[int, int]],
    attributes: Sequence[Mapping[str, Any]],
    *,
    words: str | None = None,
) -> CDAG:
    """Return the DAG of named nodes, edges between their indices, and attributes of each.

    Attributes, errors and warnings are those of `from_networkx`.

    Parameters
    ----------
    nodes
        (n,) names; anything but integers and strings is named by its `str`.
    edges
        (m,) pairs of indices (operand, result).
    attributes
        (n,) attributes by name; all but four names are ignored.
    words
        Name of the attribute that holds sizes; None for ``words``.
    """
    return from_edges(
        len(nodes),
        np.array(edges, np.int64).reshape(-1, 2),
        words=sizes_of(nodes, attributes, words),
        work=integers_of(nodes, attributes, "work", 0),
        channel=integers_of(nodes, attributes, "channel", 0),
        outputs=[i for i, known in enumerate(attributes) if _is_true(known.get("output"))],
        labels=[node if isinstance(node, int | str) else str(node) for node in nodes],
    )


def to_networkx(dag: CDAG) -> "nx.DiGraph[Any]":
    """Return a `networkx.DiGraph` whose nodes are the labels of `dag`.

    Node attributes: ``words``, ``work``, ``channel`` where the DAG has them, and ``output`` on
    outputs. `from_networkx` gives back an equal DAG.
    """
    import networkx as nx

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


def _is_true(value: object) -> bool:
    return value is True or str(value).lower() in ("true", "1", "yes")
