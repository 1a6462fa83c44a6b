"""The DAG of a trace as it grows: one call a NumPy operation."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dags.arrays import MAX_VERTICES, Int32Array, Int64Array
from dags.cdag.border import require_room
from dags.errors import InvalidSpecError
from dags.tracing import _kernels as k
from dags.tracing.errors import TraceError

Handler = Callable[..., Any]
FIRST_ROOM = 1 << 12


class Store:
    """Vertices and operators so far.

    Parameters
    ----------
    fused, tree
        Whether a product and the sum that it is added to are one vertex; whether reductions are
        trees.
    carries
        Whether traced arrays carry the values of their cells.
    max_vertices
        Most vertices, dead ones included.
    ufunc, functions
        The answer to `__array_ufunc__`, and `__array_function__` for each function.
    """

    def __init__(
        self,
        *,
        fused: bool,
        tree: bool,
        carries: bool,
        max_vertices: int,
        ufunc: Handler,
        functions: Mapping[Any, Handler],
    ) -> None:
        self.fused, self.tree, self.carries = fused and not tree, tree, carries
        self.max_vertices = min(max_vertices, MAX_VERTICES)
        self.ufunc, self.functions = ufunc, functions
        self.n = 0
        self.arguments: list[tuple[str, tuple[int, ...]]] = []
        self.operators: list[tuple[str, int, int | None, tuple[int, ...]]] = []
        self._times: dict[str, int] = {}
        self._operations = 0
        self.rows = k.TracedRows(
            np.zeros(FIRST_ROOM + 1, np.int64),
            np.empty(FIRST_ROOM, np.int32),
            np.empty(FIRST_ROOM, np.int32),
            np.empty(FIRST_ROOM, np.int32),
        )

    def inputs(self, name: str, shape: tuple[int, ...]) -> Int32Array:
        """Append the cells of an argument; return their numbers."""
        count = int(np.prod(shape, dtype=object))
        self._reserve(count, 0)
        first = self.n
        self.n = int(k.append_inputs(self.rows, self.n, count, len(self.arguments)))
        self.arguments.append((name, shape))
        return np.arange(first, self.n, dtype=np.int32).reshape(shape)

    def cells(self, name: str, shape: tuple[int, ...], operands: Int32Array) -> Int32Array:
        """Append one vertex a cell of a result; operands (o, cells) are the reads of each."""
        self._reserve(operands.shape[1], operands.size)
        results = np.empty(operands.shape[1], np.int32)
        operator = self._operator(name, shape)
        self.n = int(k.append_cells(self.rows, self.n, operands, operator, results))
        return results.reshape(shape)

    def chains(self, name: str, shape: tuple[int, ...], cells: Int32Array) -> Int32Array:
        """Append running results over the last axis of cells; return (*shape, k) of them."""
        return self._chains(name, shape, cells, cells.shape[1])

    def reductions(self, name: str, shape: tuple[int, ...], cells: Int32Array) -> Int32Array:
        """Append results over each row of cells (s, k), left to right; return them in `shape`."""
        return self._chains(name, shape, cells, 1).reshape(shape)

    def trees(self, name: str, shape: tuple[int, ...], cells: Int32Array) -> Int32Array:
        """Append results over each row of cells (s, k), by trees; return them in `shape`."""
        rows, width = cells.shape
        self._reserve(cells.size, 2 * cells.size)
        vertices = np.empty((rows, 1), np.int32)
        queue = np.empty(2 * width - 1, np.int32)
        operator = self._operator(name, (*shape, width))
        self.n = int(k.append_trees(self.rows, self.n, cells, operator, queue, vertices))
        return vertices.reshape(shape)

    def _chains(
        self, name: str, shape: tuple[int, ...], cells: Int32Array, width: int
    ) -> Int32Array:
        self._reserve(cells.size, 2 * cells.size)
        vertices = np.empty((cells.shape[0], width), np.int32)
        operator = self._operator(name, (*shape, cells.shape[1]))
        self.n = int(k.append_chains(self.rows, self.n, cells, operator, vertices))
        return vertices

    def products(
        self,
        name: str,
        shape: tuple[int, ...],
        summed: tuple[int, ...],
        cells: Int32Array,
        address: Int64Array,
        beyond: Int64Array,
    ) -> Int32Array:
        """Append sums of products, see `append_products`; return them in `shape`.

        Parameters
        ----------
        name
            The function.
        shape, summed
            Lengths of the result's indices, and of those that are summed over.
        cells
            (.,) contents of the cells of all operands.
        address, beyond
            (o, rows) and (o, k): operand o of result r has at p the cell address[o, r] +
            beyond[o, p].
        """
        operands, rows = address.shape
        width = beyond.shape[1]
        points = rows * width
        vertices = np.empty(rows, np.int32)
        iterations = (*shape, *summed)
        if self.fused:
            self._reserve(points, points * (operands + 1))
            operator = self._operator(name, iterations)
            self.n = int(
                k.append_fused(self.rows, self.n, cells, address, beyond, operator, vertices)
            )
            return vertices.reshape(shape)
        self._reserve(points * operands, 2 * points * operands)
        queue = np.empty(2 * width - 1 if self.tree else 0, np.int32)
        multiply = self._operator(name, iterations, part=0)
        add = self._operator(name, iterations, part=1)
        self.n = int(
            k.append_products(
                self.rows, self.n, cells, address, beyond, multiply, add, queue, vertices
            )
        )
        return vertices.reshape(shape)

    def _operator(self, name: str, shape: tuple[int, ...], part: int | None = None) -> int:
        """Note an operator with points in `shape`; return its number."""
        if not part:
            self._times[name] = self._times.get(name, -1) + 1
            self._operations += 1
        called = f"{name}{self._times[name]}"
        self.operators.append((called, self._operations - 1, part, shape))
        return len(self.operators) - 1

    def require(self, vertices: int, edges: int) -> None:
        """Raise TraceError unless there may be so many more."""
        if self.n + vertices > self.max_vertices:
            raise TraceError(f"the trace has more than {self.max_vertices} vertices")
        try:
            require_room(self.n + vertices, int(self.rows.indptr[self.n]) + edges)
        except InvalidSpecError as error:
            raise TraceError(str(error)) from None

    def _reserve(self, vertices: int, edges: int) -> None:
        """Make room for so many more; raises TraceError where there may be none."""
        wanted, wide = self.n + vertices, int(self.rows.indptr[self.n]) + edges
        indptr, indices, made_by, place = self.rows
        if wanted <= min(made_by.size, self.max_vertices) and wide <= indices.size:
            return
        self.require(vertices, edges)
        self.rows = k.TracedRows(
            _longer(indptr, self.n + 1, wanted + 1),
            _longer(indices, int(indptr[self.n]), wide),
            _longer(made_by, self.n, wanted),
            _longer(place, self.n, wanted),
        )


def _longer(array: Any, used: int, wanted: int) -> Any:
    """`array` with room for `wanted` entries, and for half as many again as it had."""
    if wanted <= array.size:
        return array
    grown = np.empty(max(wanted, array.size * 3 // 2), array.dtype)
    grown[:used] = array[:used]
    return grown
