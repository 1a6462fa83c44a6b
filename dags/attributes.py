"""Sizes and other numbers of values, from attributes of the nodes of a graph."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from dags.errors import IgnoredSizesWarning, InvalidDAGError, one_line, shown

LIKELY: Final = ("size", "bytes", "nbytes", "weight", "memory", "mem", "volume")

Attributes = Sequence[Mapping[str, Any]]


def sizes_of(nodes: Sequence[Any], attributes: Attributes, words: str | None) -> list[int] | None:
    """Return the size of each node in words; None where no node has any.

    A node without the attribute has one word. Where no attribute is named and nodes have no
    ``words``, but numbers under another name that sizes are likely to have, there is a warning.

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
    if words is None:
        column = integers_of(nodes, attributes, "words", 1)
        if column is None:
            _report_likely(attributes)
        return column
    if not any(words in known for known in attributes):
        names = sorted({str(name) for known in attributes for name in known})
        there = f"they have {', '.join(map(one_line, names[:12]))}" if names else "they have none"
        raise InvalidDAGError(f"no node has an attribute {shown(words)}: {there}")
    return integers_of(nodes, attributes, words, 1, from_text=True)


def integers_of(
    nodes: Sequence[Any],
    attributes: Attributes,
    name: str,
    default: int,
    *,
    from_text: bool = False,
) -> list[int] | None:
    """Return an attribute of every node, None where no node has it.

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
    """Return the integer that a value is, None if it is none."""
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


def _report_likely(attributes: Attributes) -> None:
    """Warn of an attribute that may hold sizes and is not used."""
    for name in LIKELY:
        held = [known[name] for known in attributes if name in known]
        numbers = [_integer(value, from_text=True) for value in held]
        if any(number is not None and number > 1 for number in numbers):
            warnings.warn(
                f"{len(held)} nodes have an attribute {name!r} that is not used: every value "
                f"counts as one word; words={name} counts them",
                IgnoredSizesWarning,
                stacklevel=2,
            )
            return
