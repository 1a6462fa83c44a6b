"""Code as a tree of loops, conditions and lines: printed as C, and counted without being run.

Bounds and conditions are text that C and Python read alike: words of a program are counted by
giving the names in it arrays of values, level after level of loops.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dags.arrays import Int64Array

MOST: Final = 1 << 21  # iterations that are counted at once
WORD: Final = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Line:
    """A statement of C, and the words that it loads and stores."""

    text: str
    loads: int = 0
    stores: int = 0
    trace: str = ""


@dataclass(frozen=True)
class For:
    """A loop: its variable, first value, the least of some stops, and its step."""

    name: str
    first: str
    stop: str
    step: int
    body: tuple["Node", ...]


@dataclass(frozen=True)
class When:
    """A condition."""

    test: str
    body: tuple["Node", ...]
    otherwise: tuple["Node", ...] = ()


Node = Line | For | When


def printed(nodes: Iterable[Node], depth: int = 1, *, traced: bool = False) -> Iterator[str]:
    """Yield the lines of C of some nodes."""
    pad = "  " * depth
    for node in nodes:
        if isinstance(node, Line):
            yield pad + (node.trace or node.text if traced else node.text)
            continue
        if isinstance(node, For):
            step = {1: f"{node.name}++", -1: f"{node.name}--"}.get(node.step)
            step = step or f"{node.name} {'+' if node.step > 0 else '-'}= {abs(node.step)}"
            sign = "<" if node.step > 0 else ">"
            head = f"for (long {node.name} = {node.first}; {node.name} {sign} {node.stop}; {step})"
        else:
            head = f"if ({node.test})"
        otherwise = node.otherwise if isinstance(node, When) else ()
        single = len(node.body) == 1 and not (traced and isinstance(node.body[0], Line))
        single &= not otherwise and not (isinstance(node, When) and _decides(node.body[0]))
        yield pad + head + ("" if single else " {")
        yield from printed(node.body, depth + 1, traced=traced)
        if otherwise:
            yield pad + "} else {"
            yield from printed(otherwise, depth + 1, traced=traced)
        if not single:
            yield pad + "}"


def _decides(node: Node) -> bool:
    """Whether a node is a condition, or a loop over one alone."""
    return isinstance(node, When) or (
        isinstance(node, For) and len(node.body) == 1 and _decides(node.body[0])
    )


def counted(nodes: Sequence[Node], sizes: Mapping[str, int]) -> tuple[int, int]:
    """The words that code loads and stores at some sizes."""
    values = {name: np.array([value], np.int64) for name, value in sizes.items()}
    loads, stores = _counts(nodes, values, 1)[0].tolist()
    return loads, stores


def _counts(nodes: Sequence[Node], values: dict[str, Int64Array], width: int) -> Int64Array:
    """(width, 2) loads and stores, for each of as many values of the names."""
    total = np.zeros((width, 2), np.int64)
    for node in nodes:
        if isinstance(node, Line):
            total += (node.loads, node.stores)
        elif isinstance(node, When):
            holds = np.broadcast_to(_value(node.test, values), width).astype(bool)
            for part, chosen in ((node.body, holds), (node.otherwise, ~holds)):
                if part and chosen.any():
                    total[chosen] += _counts(part, _taken(values, chosen), int(chosen.sum()))
        elif moves(node.body):
            total += _of_loop(node, values, width)
    return total


def _of_loop(node: For, values: dict[str, Int64Array], width: int) -> Int64Array:
    first = np.broadcast_to(_value(node.first, values), width)
    stop = np.broadcast_to(_value(node.stop, values), width)
    trips = np.maximum(0, -((first - stop) // node.step))
    if node.name not in _names(node.body):
        once = _counts(node.body, values, width)
        once *= trips[:, None]
        return once
    total = np.zeros((width, 2), np.int64)
    ends = np.cumsum(trips)
    begin = 0
    while begin < width:  # as many of the values as fit together
        base = int(ends[begin - 1]) if begin else 0
        behind = max(begin + 1, int(np.searchsorted(ends, base + MOST, "right")))
        total[begin:behind] = _of_some(node, values, first, trips, slice(begin, behind))
        begin = behind
    return total


def _of_some(
    node: For, values: dict[str, Int64Array], first: Any, trips: Any, part: slice
) -> Int64Array:
    mask = trips[part]
    count = int(mask.sum())
    row = np.repeat(np.arange(mask.size), mask)
    within = np.arange(count) - np.repeat(np.cumsum(mask) - mask, mask)
    inner = {
        name: (value[part][row] if value.size > 1 else value) for name, value in values.items()
    }
    inner[node.name] = first[part][row] + node.step * within
    counts = _counts(node.body, inner, count)
    total = np.zeros((mask.size, 2), np.int64)
    np.add.at(total, row, counts)
    return total


def _taken(values: Mapping[str, Int64Array], mask: Any) -> dict[str, Int64Array]:
    return {name: value[mask] if value.size > 1 else value for name, value in values.items()}


def loops_in(nodes: Sequence[Node]) -> int:
    """How many loops and conditions there are in some code.

    Parameters
    ----------
    nodes
        The code.
    """
    return sum(
        1 + loops_in(node.body) + (loops_in(node.otherwise) if isinstance(node, When) else 0)
        for node in nodes
        if not isinstance(node, Line)
    )


def moves(nodes: Sequence[Node]) -> bool:
    """Whether some line of the code loads or stores."""
    return any(
        node.loads or node.stores
        if isinstance(node, Line)
        else moves(node.body) or (isinstance(node, When) and moves(node.otherwise))
        for node in nodes
    )


def _names(nodes: Sequence[Node]) -> set[str]:
    """The names in bounds and conditions of loops that move something."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, For):
            names |= {*WORD.findall(node.first), *WORD.findall(node.stop)} | _names(node.body)
        elif isinstance(node, When):
            names |= {*WORD.findall(node.test)} | _names(node.body) | _names(node.otherwise)
    return names


def _value(text: str, values: Mapping[str, Int64Array]) -> Any:
    """The value of an expression of our own printing, for values of its names."""
    python = text.replace("&&", "and").replace("||", "or").replace("!(", "not (")
    if "and" in python or "or" in python or "not" in python:
        python = text.replace("&&", ") & (").replace("||", ") | (").replace("!(", "~(")
        python = f"({python})"
    known = {
        "MIN": np.minimum,
        "MAX": np.maximum,
        "FLOORD": np.floor_divide,
        "MOD": np.mod,
        "SELECT": np.where,
    }
    return eval(python, {"__builtins__": {}}, {**known, **values})
