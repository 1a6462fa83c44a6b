"""Attributes of nodes that say what a plan of memory has to do for a tensor.

``in_place`` (true): it may be computed in the place of an operand of its size. ``alias`` (the name
of a node): it is a view of that tensor, and no value of its own. ``alignment`` (a number): its
addresses are multiples of it. ``pinned`` (a number): its address. ``never_spilled`` (true): it has
one stay in fast memory.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from dags.arrays import MAX_TOTAL, Int64Array, lock
from dags.cdag.demands import Demands
from dags.cdag.value import CDAG
from dags.errors import InvalidDAGError, one_line, shown

DEMANDS: Final = ("alignment", "pinned", "never_spilled")
NAMES: Final = ("in_place", "alias", *DEMANDS)
YES: Final = ("true", "1", "yes")
NO: Final = ("false", "0", "no", "none", "")

Attributes = Sequence[Mapping[str, Any]]
Edges = Sequence[tuple[int, int]]
Graph = tuple[list[Any], list[tuple[int, int]], list[dict[str, Any]], dict[str, Any]]


def is_true(value: object) -> bool:
    """Whether an attribute says yes."""
    return value is True or str(value).strip().lower() in YES


def is_marked(node: Any, attributes: Mapping[str, Any], name: str) -> bool:
    """Whether an attribute of a node is true.

    Parameters
    ----------
    node
        Its name, for messages.
    attributes
        Its attributes.
    name
        The attribute.

    Raises
    ------
    InvalidDAGError
        If it is neither true nor false.
    """
    value = attributes.get(name)
    if not is_true(value) and str(value).strip().lower() not in NO:
        raise InvalidDAGError(
            f"node {shown(node)} has {name}={shown(value)}, which is neither true nor false"
        )
    return is_true(value)


def marks_of(nodes: Sequence[Any], attributes: Attributes, name: str) -> list[bool] | None:
    """Whether an attribute of each node is true; None where no node has it.

    Parameters
    ----------
    nodes, attributes
        (n,) names, and attributes by name.
    name
        The attribute.
    """
    if not any(name in known for known in attributes):
        return None
    return [is_marked(node, known, name) for node, known in zip(nodes, attributes, strict=True)]


def without_aliases(nodes: Sequence[Any], edges: Edges, attributes: Attributes) -> Graph:
    """A graph without the nodes that are views, and the tensor that each of these shows.

    What reads a view reads its tensor; where a view is an output, or is read by nothing, its tensor
    is an output.

    Parameters
    ----------
    nodes, edges, attributes
        The graph: names, pairs of indices of operand and result, attributes by name.

    Raises
    ------
    InvalidDAGError
        If a view shows no node, itself, or a tensor that it does not have as its only operand; is
        larger than it; or has attributes that only a tensor of its own can have.
    """
    copies = [dict(known) for known in attributes]
    if not any("alias" in known for known in copies):
        return list(nodes), list(edges), copies, {}
    index = {str(node): i for i, node in enumerate(nodes)}
    shows = {
        i: _shown_by(nodes, i, index, known)
        for i, known in enumerate(copies)
        if known.get("alias") not in (None, "")
    }
    operands: dict[int, set[int]] = {i: set() for i in shows}
    read = {u for u, _ in edges}
    for u, v in edges:
        if v in shows:
            operands[v].add(u)
    for view, tensor in shows.items():
        if operands[view] - {tensor}:
            raise InvalidDAGError(
                f"node {shown(nodes[view])} is a view of {shown(nodes[tensor])}, and has "
                f"{shown(nodes[min(operands[view] - {tensor})])} as an operand"
            )
    roots = {view: _root(nodes, view, shows) for view in shows}
    computed = {v for _, v in edges}
    for view, tensor in roots.items():
        named = is_true(copies[view].get("output"))
        if named and tensor not in computed:
            raise InvalidDAGError(
                f"node {shown(nodes[view])} is an output, and a view of the input "
                f"{shown(nodes[tensor])}, which is in slow memory already"
            )
        if (named or view not in read) and tensor in computed:
            copies[tensor]["output"] = True
    kept = [i for i in range(len(nodes)) if i not in roots]
    number = {i: place for place, i in enumerate(kept)}
    return (
        [nodes[i] for i in kept],
        [(number[roots.get(u, u)], number[v]) for u, v in edges if v not in roots],
        [copies[i] for i in kept],
        {str(nodes[view]): nodes[tensor] for view, tensor in roots.items()},
    )


def _shown_by(
    nodes: Sequence[Any], view: int, index: Mapping[str, int], known: Mapping[str, Any]
) -> int:
    """The tensor that a view shows."""
    view_name = f"node {shown(nodes[view])}"
    tensor = index.get(str(known["alias"]))
    if tensor is None or tensor == view:
        wrong = "itself" if tensor == view else f"{shown(known['alias'])}, which is no node"
        raise InvalidDAGError(f"{view_name} is a view of {wrong}")
    for name in ("in_place", *DEMANDS):
        if name in known:
            raise InvalidDAGError(
                f"{view_name} is a view of {shown(nodes[tensor])}: {name} is an attribute of that"
            )
    return tensor


def _root(nodes: Sequence[Any], view: int, shows: Mapping[int, int]) -> int:
    """The tensor that a view shows, which may be by way of other views."""
    seen, tensor = {view}, shows[view]
    while tensor in shows:
        if tensor in seen:
            raise InvalidDAGError(f"node {shown(nodes[view])} is a view of itself")
        seen.add(tensor)
        tensor = shows[tensor]
    return tensor


def demands_of(
    nodes: Sequence[Any], attributes: Attributes, aliases: Mapping[str, Any]
) -> Demands | None:
    """The demands of the attributes of nodes, by their numbers here; None for none.

    Parameters
    ----------
    nodes, attributes
        (n,) names, and attributes by name.
    aliases
        Views, and the node that each shows.

    Raises
    ------
    InvalidDAGError
        If an alignment or an address is no such number.
    """
    if not aliases and not any(name in known for known in attributes for name in DEMANDS):
        return None
    alignment = _numbers(nodes, attributes, "alignment", 1, 1)
    address = _numbers(nodes, attributes, "pinned", 0, -1)
    for v in np.flatnonzero(address % alignment * (address >= 0)).tolist():
        raise InvalidDAGError(
            f"node {shown(nodes[v])} is pinned at {address[v]}, which is no multiple of its "
            f"alignment of {alignment[v]}"
        )
    index = {str(node): i for i, node in enumerate(nodes)}
    unspilled = marks_of(nodes, attributes, "never_spilled") or [False] * len(nodes)
    return Demands(
        alignment,
        address,
        lock(np.array(unspilled, np.bool_)),
        {name: index[str(node)] for name, node in aliases.items()},
    )


def _numbers(
    nodes: Sequence[Any], attributes: Attributes, name: str, minimum: int, default: int
) -> Int64Array:
    """A number of each node."""
    column = np.full(len(nodes), default, np.int64)
    for place, (node, known) in enumerate(zip(nodes, attributes, strict=True)):
        if known.get(name) in (None, ""):
            continue
        text = str(known[name]).removesuffix(".0")
        value = int(text) if text.isdecimal() and len(text) <= 20 else -1
        if not minimum <= value <= MAX_TOTAL:
            raise InvalidDAGError(
                f"node {shown(node)} has {one_line(name)}={shown(known[name])}, which is no whole "
                f"number from {minimum} to 2^62"
            )
        column[place] = value
    return lock(column)


def attributes_of(dag: CDAG, vertex: int) -> dict[str, Any]:
    """The attributes of a vertex that say its demands, and that it may work in place."""
    attributes: dict[str, Any] = {}
    demands = dag.demands
    if dag.in_place is not None and dag.in_place[vertex]:
        attributes["in_place"] = True
    if demands is None:
        return attributes
    if demands.alignment[vertex] > 1:
        attributes["alignment"] = int(demands.alignment[vertex])
    if demands.address[vertex] >= 0:
        attributes["pinned"] = int(demands.address[vertex])
    if demands.unspilled[vertex]:
        attributes["never_spilled"] = True
    return attributes
