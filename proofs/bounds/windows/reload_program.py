"""The linear program of words loaded again in windows of a play, and the flows of its dual."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array, Int64Array
from pebble import Budget, Rules
from proofs.certificates.pieces.piece import BoolArray, Piece
from proofs.certificates.pieces.wavefronts import extra_words, relatives
from proofs.certificates.windows.reload_windows import END

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Span:
    """A window of a moment: both are places on the chain, the end of the play behind the last."""

    first: int
    last: int


@dataclass(frozen=True)
class Carried:
    """A flow of one window, in parts of a word.

    Parameters
    ----------
    span
        The window.
    edges
        (m,) the flow along each edge between values, before it comes to targets.
    through
        (n,) the flow through each value.
    stored
        (n,) the part of it that stores of the value pay for.
    """

    span: Span
    edges: FloatArray
    through: FloatArray
    stored: FloatArray


@dataclass(frozen=True)
class Solved:
    """A solution of the program, and of its dual.

    Parameters
    ----------
    words
        Words that are loaded and stored.
    flows
        Flow of each window.
    loads
        (k+1, n) parts of each value that are loaded before each moment, and in all.
    stores
        (n,) parts of each value that are stored; infinite where that costs nothing.
    red
        (n,) parts of each value that are red at each moment that has windows.
    """

    words: float
    flows: list[Carried]
    loads: FloatArray
    stores: FloatArray
    red: dict[int, FloatArray]

    def shortage(self, chain: "Chain", span: Span) -> float:
        """How much the targets of a window lack of their operands, all together.

        Parameters
        ----------
        chain
            The moments.
        span
            The window, of a moment that has windows.
        """
        between, read = chain.between(span), chain.read(span)
        available = np.minimum(self.loads[span.last] - self.loads[span.first], self.stores)
        available += self.red[span.first]
        indptr, indices = chain.piece.pred_indptr, chain.piece.pred_indices
        for v in np.flatnonzero(between & ~chain.piece.is_input).tolist():
            row = indices[indptr[v] : indptr[v + 1]]
            available[v] += available[row[between[row]]].min()
        return float(np.maximum(1 - available[between & read], 0).sum())


class Chain:
    """The moments of a chain of vertices, each an ancestor of the next one, in a whole DAG."""

    def __init__(self, piece: Piece, memory: int, rules: Rules, vertices: Int64Array) -> None:
        self.piece, self.vertices = piece, vertices
        self.tails = piece.pred_indices.astype(np.int64)
        self.heads = np.repeat(np.arange(piece.size), np.diff(piece.pred_indptr))
        self.room = memory - extra_words(piece, rules)[vertices]
        kin = [relatives(piece, int(x)) for x in vertices]
        self._above = [above for above, _ in kin]
        self._below = [below for _, below in kin]

    def end(self, span: Span) -> int:
        """The vertex at which a window ends, or `END`."""
        return END if span.last == self.vertices.size else int(self.vertices[span.last])

    def targets(self, span: Span) -> BoolArray:
        """(n,) the vertices computed for the first time in a window, whatever the play."""
        below = self._below[span.first]
        if span.last == self.vertices.size:
            return below
        reached = self._above[span.last].copy()
        reached[self.vertices[span.last]] = True
        return below & reached

    def below(self, moment: int) -> BoolArray:
        """(n,) the vertex of a moment and its descendants."""
        return self._below[moment]

    def operands(self, moment: int) -> Int64Array:
        """The operands of the vertex of a moment."""
        operands: Int64Array = self.tails[self.heads == self.vertices[moment]]
        return operands

    def read(self, span: Span) -> BoolArray:
        """(n,) the operands of the targets of a window."""
        operands = np.zeros(self.piece.size, np.bool_)
        operands[self.tails[self.targets(span)[self.heads]]] = True
        return operands

    def between(self, span: Span) -> BoolArray:
        """(n,) the values on ways to the targets of a window, before they come to one."""
        below = self._below[span.first]
        ahead = self._above[span.first] & self.piece.is_input
        behind = self.targets(span).copy()
        indptr, indices = self.piece.pred_indptr, self.piece.pred_indices
        _reach(indptr, indices, below, ahead)
        _lead(indptr, indices, behind)
        values: BoolArray = ahead & behind & ~below
        return values


def _reach(indptr: Int64Array, indices: Int32Array, past: BoolArray, marked: BoolArray) -> None:
    """Mark all that ways lead to from marked values, and on unless it is `past`."""
    for v in np.flatnonzero(np.diff(indptr)).tolist():
        row = indices[indptr[v] : indptr[v + 1]]
        marked[v] |= not past[v] and bool(marked[row].any())


def _lead(indptr: Int64Array, indices: Int32Array, marked: BoolArray) -> None:
    """Mark all that ways lead from to marked values."""
    for v in range(marked.size - 1, -1, -1):
        if marked[v]:
            marked[indices[indptr[v] : indptr[v + 1]]] = True


class Columns:
    """The columns of a linear program, and its rows, of which none exceeds a number."""

    def __init__(self) -> None:
        self.cost: list[FloatArray] = []
        self.least: list[FloatArray] = []
        self.most: list[FloatArray] = []
        self.columns = self.rows = 0
        self.limit: list[FloatArray] = []
        self.entries: list[tuple[Int64Array, Int64Array, FloatArray]] = []

    def more(self, cost: FloatArray, lower: FloatArray, upper: float) -> Int64Array:
        """The numbers of new columns.

        Parameters
        ----------
        cost, least
            (k,) the cost of each, and its least value.
        upper
            The most that each is.
        """
        first = self.columns
        self.columns += cost.size
        self.cost.append(cost)
        self.least.append(lower)
        self.most.append(np.full(cost.size, upper))
        return np.arange(first, self.columns)

    def at_most(self, limit: FloatArray, *terms: tuple[Int64Array, float]) -> Int64Array:
        """The numbers of new rows: the sum of columns times factors is at most `limit`.

        Parameters
        ----------
        limit
            (k,) of each row.
        terms
            (k,) a column of each row, and the factor of all of them.
        """
        rows = np.arange(self.rows, self.rows + limit.size)
        self.rows += limit.size
        self.limit.append(limit)
        for columns, factor in terms:
            self.entries.append((rows, columns, np.full(columns.size, factor)))
        return rows

    def solved(self, budget: Budget) -> tuple[FloatArray, FloatArray] | None:
        """(columns,) a least solution and (rows,) prices; None if it takes too long."""
        from scipy.optimize import linprog
        from scipy.sparse import coo_array

        rows, columns, factors = map(np.concatenate, zip(*self.entries, strict=True))
        shape = self.rows, self.columns
        solution = linprog(
            np.concatenate(self.cost),
            A_ub=coo_array((factors, (rows, columns)), shape=shape).tocsr(),
            b_ub=np.concatenate(self.limit),
            bounds=np.column_stack((np.concatenate(self.least), np.concatenate(self.most))),
            method="highs-ipm",
            options=budget.iterations("barrier", factors.size),
        )
        budget.charge_iterations("barrier", factors.size, solution.nit)
        if solution.status != 0:
            return None
        return solution.x, np.maximum(-solution.ineqlin.marginals, 0.0)


class ReloadProgram:
    """The least words loaded and stored so that all windows have their operands.

    A value is red at a moment, or loaded in a window, in part. In a window it is there to no larger
    part than it was red, was loaded, and than its operands are there together; operands of a target
    have to be there. Loads are counted up to each moment; none is more than the value's store,
    which is paid once.

    Parameters
    ----------
    chain
        The moments.
    spans
        Their windows.
    """

    def __init__(self, chain: Chain, spans: Sequence[Span]) -> None:
        self.chain, self.spans = chain, spans
        self._between = [chain.between(span) for span in spans]

    @cached_property
    def size(self) -> int:
        """Rows, about."""
        heads, tails = self.chain.heads, self.chain.tails
        within = sum(int((inside[heads] & inside[tails]).sum()) for inside in self._between)
        return within + 2 * sum(int(inside.sum()) for inside in self._between)

    def solved(self, budget: Budget) -> Solved | None:
        """A solution; None if it takes too long."""
        piece, program = self.chain.piece, Columns()
        n, stages = piece.size, self.chain.vertices.size
        words = piece.words.astype(np.float64)
        used = np.flatnonzero(np.logical_or.reduce(self._between))
        place = np.full(n, -1)
        place[used] = np.arange(used.size)
        nothing, infinite = np.zeros(used.size), np.inf
        # Loads of each value before each moment, and in all.
        loads = [program.more(nothing, nothing, infinite) for _ in range(stages)]
        loads.append(program.more(words[used], nothing, infinite))
        for before, after in pairwise(loads):
            program.at_most(nothing, (before, 1.0), (after, -1.0))
        costly = piece.price[used] == 2
        stores = program.more(np.where(costly, words[used], 0.0), nothing, infinite)
        red: dict[int, Int64Array] = {}
        for moment in sorted({span.first for span in self.spans}):
            red[moment] = self._red(program, moment, used, words)
        rows = [
            self._window(program, span, inside, place, loads, stores, red[span.first])
            for span, inside in zip(self.spans, self._between, strict=True)
        ]
        solution = program.solved(budget)
        if solution is None:
            return None
        parts, prices = solution
        flows = [
            Carried(span, *self._flow(span, inside, prices, *numbers))
            for span, inside, numbers in zip(self.spans, self._between, rows, strict=True)
        ]

        def of_all(columns: Int64Array) -> FloatArray:
            full = np.zeros(n)
            full[used] = parts[columns]
            return full

        return Solved(
            words=float(np.concatenate(program.cost) @ parts),
            flows=flows,
            loads=np.array([of_all(columns) for columns in loads]),
            stores=np.where(piece.price == 2, of_all(stores), np.inf),
            red={moment: of_all(columns) for moment, columns in red.items()},
        )

    def _red(
        self, program: Columns, moment: int, used: Int64Array, words: FloatArray
    ) -> Int64Array:
        """The columns of values red at a moment, which have the room that there is."""
        operands = self.chain.operands(moment)
        lower = np.isin(used, operands).astype(np.float64)
        columns = program.more(np.zeros(used.size), lower, 1.0)
        further = operands[~np.isin(operands, used)]
        room = float(self.chain.room[moment] - words[further].sum())
        row = program.at_most(np.array([room]))
        program.entries.append((np.repeat(row, used.size), columns, words[used]))
        return columns

    def _window(
        self,
        program: Columns,
        span: Span,
        between: BoolArray,
        place: Int64Array,
        loads: Sequence[Int64Array],
        stores: Int64Array,
        red: Int64Array,
    ) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Add the rows of a window; return those of edges, of inputs and of stores."""
        piece, chain = self.chain.piece, self.chain
        values = np.flatnonzero(between)
        number = np.full(piece.size, -1)
        number[values] = np.arange(values.size)
        read = chain.read(span)
        present = program.more(np.zeros(values.size), read[values].astype(np.float64), np.inf)
        loaded = program.more(np.zeros(values.size), np.zeros(values.size), np.inf)
        places = place[values]
        window = (loads[span.last][places], -1.0), (loads[span.first][places], 1.0)
        program.at_most(np.zeros(values.size), (loaded, 1.0), *window)
        dear = np.flatnonzero(piece.price[values] == 2)
        by_store = program.at_most(
            np.zeros(dear.size), (loaded[dear], 1.0), (stores[places[dear]], -1.0)
        )
        inputs = np.flatnonzero(piece.is_input[values])
        presence = (present[inputs], 1.0), (red[places[inputs]], -1.0), (loaded[inputs], -1.0)
        by_input = program.at_most(np.zeros(inputs.size), *presence)
        edges = self._edges(between)
        u, v = number[chain.tails[edges]], number[chain.heads[edges]]
        computed = (present[v], 1.0), (red[places[v]], -1.0), (loaded[v], -1.0), (present[u], -1.0)
        by_edge = program.at_most(np.zeros(edges.size), *computed)
        return by_edge, by_input, by_store

    def _edges(self, between: BoolArray) -> Int64Array:
        """The edges between values of a window."""
        return np.flatnonzero(between[self.chain.tails] & between[self.chain.heads])

    def _flow(
        self,
        span: Span,
        between: BoolArray,
        prices: FloatArray,
        by_edge: Int64Array,
        by_input: Int64Array,
        by_store: Int64Array,
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The flow along edges, and through values, and its stored part."""
        piece = self.chain.piece
        flow, (through, stored) = np.zeros(piece.pred_indices.size), np.zeros((2, piece.size))
        edges, values = self._edges(between), np.flatnonzero(between)
        flow[edges] = prices[by_edge]
        through[values[piece.is_input[values]]] = prices[by_input]
        np.add.at(through, self.chain.heads[edges], flow[edges])
        stored[values[piece.price[values] == 2]] = prices[by_store]
        return flow, through, stored
