"""Checks of sizes that generators make before they allocate anything."""

import os
from typing import Final

from dags.arrays import MAX_VERTICES
from dags.errors import InvalidSpecError

MAX_EDGES: Final = 2**59  # their numbers, doubled, count bytes in 64 bits


def require_at_least(minimum: int, **parameters: int) -> None:
    """Raise InvalidSpecError for the first of `parameters` that is below `minimum`."""
    for name, value in parameters.items():
        if value < minimum:
            raise InvalidSpecError(f"{name} must be at least {minimum}, not {value}")


def require_below(limit: int, **parameters: int) -> None:
    """Raise InvalidSpecError for the first of `parameters` that is not below `limit`."""
    for name, value in parameters.items():
        if value >= limit:
            raise InvalidSpecError(f"{name} must be below {limit}, not {value}")


def require_room(vertices: int, edges: int) -> None:
    """Raise InvalidSpecError if a DAG of this size cannot be held.

    A vertex takes 8 bytes of row pointer, an edge 4; building needs about as much again.
    """
    if edges > MAX_EDGES or vertices > MAX_VERTICES:
        # not the number itself: Python refuses to show one of thousands of digits
        raise InvalidSpecError(
            f"a DAG has at most {MAX_VERTICES} vertices and {MAX_EDGES} edges; this would have more"
        )
    needed = 2 * (8 * vertices + 4 * edges)
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > physical:
        raise InvalidSpecError(
            f"{vertices} vertices and {edges} edges take {needed >> 30} GiB to build; "
            f"this machine has {physical >> 30}"
        )
