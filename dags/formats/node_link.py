"""Node-link JSON, as `networkx.node_link_data` and D3 have it.

An object with ``"directed": true``, a list ``nodes`` of objects with an ``id``, and a list
``edges`` (``links`` in older files) of objects with ``source`` and ``target``. Ids are strings,
integers, or lists of them, which are the tuples of networkx. Node attributes ``words``, ``work``,
``channel`` and ``output`` are kept. The DAG of a program has an object ``origin``, and its nodes
have ``made_by`` and ``point``.
"""

import json
from pathlib import Path
from typing import Any

from dags.cdag.construct import with_origin
from dags.cdag.exchange import from_attributes, to_networkx
from dags.cdag.origin import Origin
from dags.cdag.value import CDAG
from dags.errors import FormatError, one_line, shown
from dags.formats.origins import header, origin_from
from dags.formats.text import read_text

Object = dict[str, Any]


def read(path: Path, words: str | None = None, work: str | None = None) -> CDAG:
    """The DAG of a node-link file; `words` and `work` name attributes of sizes and work.

    Raises
    ------
    FormatError
        If the file is no JSON, no directed node-link graph, or an edge names no node.
    InvalidDAGError
        If the graph has a cycle, or an attribute does not fit.
    """
    data = _parse(path)
    if data.get("directed") is not True:
        raise FormatError(path, 'does not say "directed": true')
    nodes = _objects(path, data, "nodes")
    edges = _objects(path, data, "edges" if "edges" in data else "links")
    names = [_name(path, node, "id", f"node {i}") for i, node in enumerate(nodes)]
    index = {name: i for i, name in enumerate(names)}
    if len(index) < len(names):
        raise FormatError(path, "has two nodes with the same id")
    pairs = [
        (
            _index(path, index, edge, "source", f"edge {i}"),
            _index(path, index, edge, "target", f"edge {i}"),
        )
        for i, edge in enumerate(edges)
    ]
    dag = from_attributes(names, pairs, nodes, words=words, work=work)
    if "origin" not in data:
        return dag
    order = [index[label] for label in dag.labels or range(dag.n)]
    return with_origin(dag, _origin(path, data["origin"], [nodes[i] for i in order]))


def write(dag: CDAG, path: Path) -> None:
    """Write `dag` as node-link JSON with the key ``edges``."""
    import networkx as nx

    data = nx.node_link_data(to_networkx(dag), edges="edges")
    if dag.origin is not None:
        data["origin"] = header(dag.origin)
        rows = zip(dag.origin.made_by.tolist(), dag.origin.points.tolist(), strict=True)
        for node, (made_by, point) in zip(data["nodes"], rows, strict=True):
            node |= {"made_by": made_by, "point": point}
    path.write_text(json.dumps(data), encoding="utf-8")


def _origin(path: Path, data: object, nodes: list[Object]) -> Origin:
    makers: list[Any] = [node.get("made_by") for node in nodes]
    points: list[Any] = [node.get("point") for node in nodes]
    numbers = [entry for point in points if isinstance(point, list) for entry in point]
    if not all(type(number) is int for number in (*makers, *numbers)):
        raise FormatError(path, "has a node whose made_by or point is not of integers")
    return origin_from(path, data, makers, points)


def _parse(path: Path) -> Object:
    try:
        data = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise FormatError(path, f"is no JSON: {error.msg}", error.lineno) from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(path, f"is no JSON that can be read: {one_line(error)}") from error
    if not isinstance(data, dict):
        raise FormatError(path, "is no JSON object")
    return data


def _objects(path: Path, data: Object, key: str) -> list[Object]:
    objects = data.get(key)
    if not isinstance(objects, list) or not all(isinstance(object_, dict) for object_ in objects):
        wanted = "'edges' or 'links'" if key == "links" else repr(key)
        raise FormatError(path, f"has no list {wanted} of objects")
    return objects


def _index(path: Path, index: dict[Any, int], edge: Object, end: str, place: str) -> int:
    name = _name(path, edge, end, place)
    if name not in index:
        raise FormatError(path, f"{place} has the {end} {shown(name)}, which is no node")
    return index[name]


def _name(path: Path, entry: Object, key: str, place: str) -> Any:
    name = entry.get(key)
    parts = name if isinstance(name, list) else [name]
    if not all(type(part) in (str, int) for part in parts):
        raise FormatError(path, f"{place} has no {key} that is a string, an integer or a list")
    return tuple(parts) if isinstance(name, list) else name
