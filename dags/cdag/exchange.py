"""Conversion from and to networkx graphs, and sizes from attributes of nodes."""

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dags.arguments import checked
from dags.cdag.columns import may_hold_sizes, may_hold_times, unit_of
from dags.cdag.construct import from_edges
from dags.cdag.tensor_attributes import (
    NAMES,
    attributes_of,
    demands_of,
    is_true,
    marks_of,
    without_aliases,
)
from dags.cdag.value import CDAG
from dags.errors import IgnoredSizesWarning, InvalidDAGError, one_line, shown
from dags.families.recognition import recognise as recognised

if TYPE_CHECKING:
    import networkx as nx

USED: Final = ("words", "work", "channel", "output", *NAMES)  # attributes read by these names

Attributes = Sequence[Mapping[str, Any]]


def sizes_of(nodes: Sequence[Any], attributes: Attributes, words: str | None) -> list[int] | None:
    """The size of each node in words; None where no node has any.

    A node without the attribute has one word.

    Parameters
    ----------
    nodes
        (n,) names.
    attributes
        (n,) attributes of each node, by name.
    words
        The attribute that holds sizes: numbers, or text that is one; None for ``words``, which
        are numbers.

    Raises
    ------
    InvalidDAGError
        If no node has the attribute that is named, or a value is no integer.
    """
    return _column_of(nodes, attributes, words, "words", 1)


def _column_of(
    nodes: Sequence[Any], attributes: Attributes, named: str | None, usual: str, default: int
) -> list[int] | None:
    """The attribute that is named, which nodes must have; or the usual one."""
    if named is None:
        return integers_of(nodes, attributes, usual, default)
    if not any(named in known for known in attributes):
        names = sorted({str(name) for known in attributes for name in known})
        available = (
            f"they have {', '.join(map(one_line, names[:12]))}" if names else "they have none"
        )
        raise InvalidDAGError(f"no node has an attribute {shown(named)}: {available}")
    return integers_of(nodes, attributes, named, default, from_text=True)


def integers_of(
    nodes: Sequence[Any],
    attributes: Attributes,
    name: str,
    default: int,
    *,
    from_text: bool = False,
) -> list[int] | None:
    """An attribute of every node, None where no node has it.

    Parameters
    ----------
    nodes, attributes
        (n,) names, and attributes by name.
    name
        The attribute.
    default
        Value of nodes that have none.
    from_text
        Whether "8" is 8.

    Raises
    ------
    InvalidDAGError
        If a value is no integer; 8.0 is one.
    """
    if not any(name in known for known in attributes):
        return None
    column: list[int] = []
    for node, known in zip(nodes, attributes, strict=True):
        value = _integer(known.get(name, default), from_text=from_text)
        if value is None:
            raise InvalidDAGError(
                f"node {shown(node)} has {one_line(name, 40)}={shown(known[name])}, "
                "which is no integer"
            )
        column.append(value)
    return column


def _integer(value: Any, *, from_text: bool) -> int | None:
    """The integer that a value is, None if it is none."""
    if isinstance(value, str) and from_text and len(value) <= 40:
        try:
            value = float(value) if set(value) & set(".eE") else int(value)
        except ValueError:
            return None
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        return None
    return int(value)


def _report_unused(attributes: Attributes, *, sizes: bool, times: bool) -> None:
    """Warn of attributes that may hold sizes or times, where none are used."""
    largest: dict[str, float] = {}
    for known in attributes:
        for name, value in known.items():
            if isinstance(name, str) and name not in USED:
                largest[name] = max(largest.get(name, 0.0), _number(value))
    column = {name: "words" for name in largest if sizes and may_hold_sizes(name)}
    column |= {name: "work" for name in largest if times and may_hold_times(name)}
    column = {name: of for name, of in column.items() if largest[name] > (of == "words")}
    if not column:
        return
    count = max(sum(name in known for known in attributes) for name in column)
    several = len(column) > 1
    names = " and ".join(repr(one_line(name, 40)) for name in column)
    kind = f"attributes {names} that are" if several else f"an attribute {names} that is"
    one_word = "every value counts as one word; " * ("words" in column.values())
    options = [f"{option}={one_line(name, 40)}" for name, option in column.items()]
    warnings.warn(
        f"{count} nodes have {kind} not used: {one_word}{', '.join(options)} "
        f"count{'' if several else 's'} them",
        IgnoredSizesWarning,
        stacklevel=2,
    )


def _number(value: Any) -> float:
    """A number, or text that is one, as it is; 0 for anything else."""
    try:
        return 0.0 if isinstance(value, bool | np.bool_) else max(float(value), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0


@checked
def from_networkx(
    graph: "nx.DiGraph[Any]",
    *,
    words: str | None = None,
    work: str | None = None,
    recognise: bool = True,
) -> CDAG:
    """The DAG of a directed graph.

    Node attributes ``words``, ``work``, ``channel`` (integers) and ``output`` (true for a value
    that must end in slow memory) are kept where present, and so are those of tensors, ``in_place``,
    ``alias``, ``alignment``, ``pinned`` and ``never_spilled`` (`dags.cdag.tensor_attributes`); node
    names become labels.

    Parameters
    ----------
    graph
        A directed graph; edges lead from operand to result.
    words
        Name of the node attribute that holds sizes in words, if that is not ``words``: integers,
        also as text, such as ``"8"``. A node without it has one word. Where its name says that
        it counts bytes, as "size_bytes" does, a word is a byte.
    work
        Name of the node attribute that holds operations or times, if that is not ``work``.
    recognise
        Whether the family of the DAG is looked for (`dags.families.recognition`).

    Raises
    ------
    InvalidDAGError
        If the graph is undirected, has a cycle, or a node attribute is no integer or makes no
        sense.

    Warns
    -----
    IgnoredSizesWarning
        If no node has sizes, but numbers under a name like ``size`` or ``bytes``; or no work, but
        numbers under a name like ``time_us``.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("x", "y"), ("y", "z")])
    >>> graph.nodes["x"]["bytes"] = 8.0
    >>> from_networkx(graph, words="bytes").words.tolist()
    [8, 1, 1]
    """
    if not callable(getattr(graph, "is_directed", None)):
        raise InvalidDAGError(f"the graph is one of networkx, not {shown(graph)}")
    if not graph.is_directed():
        raise InvalidDAGError("the graph is undirected: edges must lead from operand to result")
    nodes = list(graph.nodes)
    index = {node: i for i, node in enumerate(nodes)}
    edges = [(index[u], index[v]) for u, v in graph.edges()]
    attributes = [graph.nodes[node] for node in nodes]
    dag = from_attributes(nodes, edges, attributes, words=words, work=work)
    return recognised(dag) if recognise else dag


def from_attributes(
    nodes: Sequence[Any],
    edges: Sequence[tuple[int, int]],
    attributes: Sequence[Mapping[str, Any]],
    *,
    words: str | None = None,
    work: str | None = None,
) -> CDAG:
    """The DAG of named nodes, edges between their indices, and attributes of each.

    Attributes, errors and warnings are those of `from_networkx`.

    Parameters
    ----------
    nodes
        (n,) names; anything but integers and strings is named by its `str`.
    edges
        (m,) pairs of indices (operand, result).
    attributes
        (n,) attributes by name; those that are not used are ignored.
    words, work
        Names of the attributes that hold sizes and operations; None for ``words`` and ``work``.
    """
    nodes, edges, attributes, aliases = without_aliases(nodes, edges, attributes)
    sizes = sizes_of(nodes, attributes, words)
    operations = _column_of(nodes, attributes, work, "work", 0)
    _report_unused(attributes, sizes=sizes is None, times=operations is None)
    unit = None if words is None else unit_of(words)
    labels = [node if isinstance(node, int | str) else str(node) for node in nodes]
    dag = from_edges(
        len(nodes),
        np.array(edges, np.int64).reshape(-1, 2),
        words=sizes,
        work=operations,
        channel=integers_of(nodes, attributes, "channel", 0),
        outputs=[i for i, known in enumerate(attributes) if is_true(known.get("output"))],
        labels=labels,
        in_place=marks_of(nodes, attributes, "in_place"),
    )
    dag = dag.with_word_bytes(unit if isinstance(unit, int) else None)
    demands = demands_of(nodes, attributes, aliases)
    if demands is None:
        return dag
    place = {label: i for i, label in enumerate(labels)}
    order = [place[label] for label in dag.labels or range(dag.n)]
    return dag.with_demands(demands.moved(np.array(order, np.int32)))


def to_networkx(dag: CDAG) -> "nx.DiGraph[Any]":
    """A `networkx.DiGraph` whose nodes are the labels of `dag`.

    Node attributes: ``words``, ``work``, ``channel`` where the DAG has them, ``output`` on
    outputs, and those of `dags.cdag.tensor_attributes` where a value has any but
    ``alias``. `from_networkx` gives back an equal DAG.
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
    for v in range(dag.n) if dag.in_place is not None or dag.demands is not None else ():
        graph.nodes[names[v]].update(attributes_of(dag, v))
    return graph
