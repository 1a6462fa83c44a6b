"""What an order touches, step by step: the sequence on which evictions are decided."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG, InvalidDAGError, renumber
from dags.arrays import Int32Array, Int64Array, lock
from schedulers import _kernels


@dataclass(frozen=True, eq=False)
class Accesses:
    """The accesses of computing a DAG in some order.

    Values are numbered by first touch, so that the sequence is regular and is read front to back
    however the DAG numbers its vertices.

    Parameters
    ----------
    dag
        The computation.
    touched
        (T,) per step the operands, rising, and then the result; ``~x`` instead of x where it is
        the last access of x.
    start
        (N + 1,) where the accesses of each of the N steps begin.
    name
        (V,) the vertex of each value.
    """

    dag: CDAG
    touched: Int32Array
    start: Int64Array
    name: Int32Array

    @property
    def steps(self) -> int:
        """Number of computations."""
        return self.start.size - 1

    @property
    def values(self) -> int:
        """Number of values touched: all computed vertices and all inputs that are read."""
        return self.name.size

    @cached_property
    def words(self) -> Int64Array:
        """(V,) size of each value."""
        if self.dag.words is None:
            return np.broadcast_to(np.int64(1), self.values)
        return lock(self.dag.words[self.name])

    @cached_property
    def is_input(self) -> npt.NDArray[np.uint8]:
        """(V,) 1 where the value is an input."""
        return lock((self.dag.indegree[self.name] == 0).astype(np.uint8))

    @cached_property
    def is_output(self) -> npt.NDArray[np.uint8]:
        """(V,) 1 where the value must end in slow memory."""
        marks = np.zeros(self.dag.n, np.uint8)
        marks[self.dag.outputs] = 1
        return lock(marks[self.name])

    @cached_property
    def following(self) -> npt.NDArray[np.signedinteger[Any]]:
        """(T,) the place of each value's next access, -1 behind its last one."""
        following = np.empty(self.touched.size, place_type(self.touched.size))
        _kernels.next_accesses(self.touched, self.values, following)
        return lock(following)

    @cached_property
    def step_of(self) -> Int32Array:
        """(T,) the step of each access."""
        return lock(np.repeat(np.arange(self.steps, dtype=np.int32), np.diff(self.start)))


def accesses(dag: CDAG, order: npt.ArrayLike) -> Accesses:
    """Return what computing `dag` in `order` touches.

    Parameters
    ----------
    dag
        The computation.
    order
        (N,) its computed vertices, operands before results.

    Raises
    ------
    InvalidDAGError
        If `order` is no permutation of the computed vertices, or has one behind its reader.
    """
    steps = np.ascontiguousarray(order, np.int32)
    _require_permutation(dag, steps)
    count = dag.m + steps.size
    touched = np.empty(count, np.int32)
    start = np.empty(steps.size + 1, np.int64)
    name = np.empty(dag.n, np.int32)
    number = np.full(dag.n, -1, np.int32)
    last = np.empty(dag.n, place_type(count))
    lock(steps) if steps.flags.owndata else None
    values = _kernels.collect(
        dag.pred_indptr, dag.pred_indices, steps, touched, start, name, number, last
    )
    if values < 0:
        late = dag.name(int(steps[~values]))
        raise InvalidDAGError(f"the order computes vertex {late} after a vertex that reads it")
    return Accesses(dag, lock(touched), lock(start), lock(name[:values].copy()))


def in_order_of_play(layout: Accesses) -> Accesses:
    """Return the same accesses of the DAG renumbered by first touch.

    A play of it reads the DAG front to back. Inputs that nobody reads come last.
    """
    touched = np.zeros(layout.dag.n, bool)
    touched[layout.name] = True
    permutation = np.concatenate((layout.name, np.flatnonzero(~touched)))
    dag = renumber(layout.dag, permutation, keep_names=False)
    name = lock(np.arange(layout.values, dtype=np.int32))
    return Accesses(dag, layout.touched, layout.start, name)


def place_type(count: int) -> type[np.signedinteger[Any]]:
    """Return the integer type that holds places in a sequence of `count` accesses."""
    return np.int32 if count < 2**31 else np.int64


def _require_permutation(dag: CDAG, order: Int32Array) -> None:
    if order.size != dag.computed.size:
        raise InvalidDAGError(
            f"the order has {order.size} vertices; {dag.computed.size} are to be computed"
        )
    inside = order.size == 0 or (order.min() >= 0 and order.max() < dag.n)
    seen = np.zeros(dag.n, bool)
    if inside:
        seen[order] = True
    if not inside or not seen[dag.computed].all():
        raise InvalidDAGError("the order is no permutation of the computed vertices")
