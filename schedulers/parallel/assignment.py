"""An assignment: which processor computes each value, and in which order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, lock


@dataclass(frozen=True, eq=False)
class Assignment:
    """The processor that computes each value, and the order in which it does.

    Parameters
    ----------
    name
        Name in results: "blocks 4x4x1".
    owner
        (n,) the processor that computes each vertex; of inputs it says nothing.
    order
        (N,) the computed vertices; each processor computes its own in this order.
    """

    name: str
    owner: Int32Array
    order: Int32Array


Assignments = Callable[[CDAG, int, int], Iterator[Assignment]]


def numbered(name: str, owner: object, order: object) -> Assignment:
    """Return an assignment of arrays of any integers, locked.

    Parameters
    ----------
    name, owner, order
        Its fields.
    """
    columns = (np.ascontiguousarray(each, dtype=np.int32) for each in (owner, order))
    return Assignment(name, *(lock(each) for each in columns))
