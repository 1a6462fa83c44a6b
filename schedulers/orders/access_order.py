"""Access sequences: the values that an order touches, step by step, from which evictions follow."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dags import CDAG, InvalidDAGError, renumber
from dags.arrays import Int32Array, Int64Array, lock, number_type
from dags.cdag.construct import vertices_named
from pebble.rules import Rules, slides
from schedulers.orders._kernels import accesses as _kernels

SLIDING = Rules(sliding=True)
Places: TypeAlias = npt.NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Accesses:
    """The accesses to values while a DAG is computed in a given order.

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
        (N + 1,) where the accesses of each of the N steps begin, in 32 bits if they fit.
    name
        (V,) the vertex of each value.
    """

    dag: CDAG
    touched: Int32Array
    start: Places
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
        """(V,) size of each value; two at least are there.

        Kernels are compiled once, for arrays with strides: a single one has none to Numba.
        """
        if self.dag.words is None:
            return np.broadcast_to(np.int64(1), max(self.values, 2))
        backwards = np.ones(max(self.values, 2), np.int64)
        backwards[backwards.size - self.values :] = self.dag.words[self.name[::-1]]
        return lock(backwards)[::-1]

    @cached_property
    def slides(self) -> npt.NDArray[np.uint8]:
        """(V,) or (1,) onto which operands each value slides under sliding rules."""
        marks = slides(self.dag, SLIDING)
        return marks if marks.size == 1 else lock(marks[self.name])

    @cached_property
    def is_input(self) -> npt.NDArray[np.uint8]:
        """(V,) 1 where the value is an input."""
        return self._marks(self.dag.inputs)

    @cached_property
    def is_output(self) -> npt.NDArray[np.uint8]:
        """(V,) 1 where the value must end in slow memory."""
        return self._marks(self.dag.outputs)

    @cached_property
    def settled(self) -> npt.NDArray[np.uint8]:
        """(V,) 1 where the value is either: leaving fast memory costs no store of its own."""
        return self._marks(self.dag.inputs, self.dag.outputs)

    def _marks(self, *vertices: Int32Array) -> npt.NDArray[np.uint8]:
        marks = np.zeros(self.dag.n, np.uint8)
        for group in vertices:
            marks[group] = 1
        return lock(marks[self.name])

    @cached_property
    def following(self) -> Places:
        """(T,) the place of each value's next access, -1 after its last one."""
        following = np.empty(self.touched.size, number_type(self.touched.size))
        _kernels.next_accesses(self.touched, self.values, following)
        return lock(following)

    @cached_property
    def step_of(self) -> Int32Array:
        """(T,) the step of each access."""
        return lock(np.repeat(np.arange(self.steps, dtype=np.int32), np.diff(self.start)))

    @cached_property
    def landmarks(self) -> Int32Array:
        """The step of every 16th access: a sixteenth of `step_of`, and nearly as quick to ask."""
        landmarks = np.empty((self.touched.size >> _kernels.LANDMARK) + 1, np.int32)
        _kernels.fill_landmarks(self.start, landmarks)
        return lock(landmarks)


def accesses(dag: CDAG, order: npt.ArrayLike) -> Accesses:
    """The access sequence of computing `dag` in `order`.

    Parameters
    ----------
    dag
        The computation.
    order
        (N,) its computed vertices, operands before results: numbers, or names as text.

    Raises
    ------
    InvalidDAGError
        If a name is that of no vertex, `order` is no permutation of the computed vertices, or has
        one behind its reader.
    """
    array = np.asarray(order)
    if array.dtype.kind in "UO":
        array = vertices_named(dag, array.tolist())
    steps = np.ascontiguousarray(array, np.int32).view()
    steps.flags.writeable = False  # and so the kernels are compiled for locked orders alone
    _require_permutation(dag, steps)
    count = dag.m + steps.size
    touched = np.empty(count, np.int32)
    start = np.empty(steps.size + 1, number_type(count))
    name = np.empty(dag.n, np.int32)
    number = np.full(dag.n, -1, np.int32)
    values = _kernels.collect(
        dag.pred_indptr, dag.pred_indices, steps, touched, start, name, number
    )
    if values < 0:
        late = dag.name(int(steps[~values]))
        raise InvalidDAGError(f"the order computes vertex {late} after a vertex that reads it")
    del number
    _kernels.mark_last(touched, np.zeros(values, np.bool_))
    kept = name if values == name.size else name[:values].copy()
    return Accesses(dag, lock(touched), lock(start), lock(kept))


def in_order_of_play(layout: Accesses) -> Accesses:
    """The same accesses of the DAG renumbered by first touch.

    A play of it reads the DAG front to back. Inputs without readers come last.
    """
    touched = np.zeros(layout.dag.n, bool)
    touched[layout.name] = True
    permutation = np.concatenate((layout.name, np.flatnonzero(~touched)))
    dag = renumber(layout.dag, permutation, keep_names=False)
    name = lock(np.arange(layout.values, dtype=np.int32))
    return Accesses(dag, layout.touched, layout.start, name)


def _require_permutation(dag: CDAG, order: Int32Array) -> None:
    computed = dag.n - dag.inputs.size
    if order.size != computed:
        raise InvalidDAGError(f"the order has {order.size} vertices; {computed} are to be computed")
    if not _kernels.all_differ(dag.pred_indptr, order, np.zeros(dag.n, np.bool_)):
        raise InvalidDAGError("the order is no permutation of the computed vertices")
