"""Accounts: the use of the excess of values by inequalities, and its worth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from proofs.certificates.pieces.piece import Piece, Stages, ranges

Part = tuple[Int64Array, str, dict[str, Any]]  # vertices, kind of proof, its data
FloatArray = npt.NDArray[np.float64]
# Stores and loads are used alike unless one is dearer by such a share.
ALIKE = 0.05
# Stages that are remembered: so many numbers take 16 megabytes, two for each value and moment.
REMEMBERED = 2**20


@dataclass(frozen=True)
class Inequality:
    """A lower bound on the traffic of values beyond the compulsory one, in numbers of one piece.

    Parameters
    ----------
    vertices
        (u,) which values it uses.
    words
        (u,) how much of each: price times words is all.
    least
        By how many words they exceed, each counted in the share that is used.
    part
        Returns its part of a certificate: vertices, the kind of proof, its data.
    """

    vertices: Int64Array
    words: Int64Array
    least: int
    part: Callable[[], Part]


@dataclass(frozen=True)
class Charge:
    """Rows of an account that a wavefront uses.

    Parameters
    ----------
    rows, words
        (r,) rows, and how much of each.
    stored, loaded
        Values whose words are charged to their stores alone, or to their loads alone, rising.
    """

    rows: Int64Array
    words: Int64Array
    stored: Int64Array
    loaded: Int64Array


class PlainAccounts:
    """One row for each value: its price times its words."""

    varied = False  # the prices of values are the same for all moments

    def __init__(self, piece: Piece) -> None:
        self.budget = piece.price * piece.words

    def prices(self, x: int, worth: FloatArray) -> FloatArray:
        """(n,) the cost of a word through each value around x, for the worth of rows."""
        return worth

    def uniform(self, price: float) -> FloatArray:
        """(rows,) worths by which a word through any value costs the same, at most."""
        return np.full(self.budget.size, price)

    def charge(self, x: int, values: Int64Array, words: Int64Array, worth: FloatArray) -> Charge:
        """The rows that words through some values use around x.

        Parameters
        ----------
        x
            The vertex around which they flow.
        values, words
            (u,) values, and words through each.
        worth
            (rows,) the worth of a word of each row.
        """
        nothing = np.zeros(0, np.int64)
        return Charge(values, words, nothing, nothing)

    def part(self, part: Part, charge: Charge) -> Part:
        """A part of a certificate with the accounts that it is charged to."""
        return part

    def all_of(self, run: Int64Array, piece: Piece) -> tuple[Int64Array, Int64Array]:
        """The rows, and how much of each, that a bound on a piece of `run` uses."""
        return run, piece.price * piece.words


class StagedAccounts:
    """Rows of half words: loads of each value in each of its stages, then the stores of each.

    Parameters
    ----------
    piece
        The whole DAG.
    stages
        The stages of its values.
    """

    varied = True

    def __init__(self, piece: Piece, stages: Stages) -> None:
        self._costly = piece.price == 2
        self._stages = stages
        self._words = piece.words
        row_words = np.zeros(stages.count, np.int64)
        row_words[ranges(stages.first, stages.last)] = np.repeat(
            piece.words, stages.last - stages.first + 1
        )
        self.budget = 2 * np.concatenate((row_words, np.where(self._costly, piece.words, 0)))
        self._spans: dict[int, tuple[Int64Array, Int64Array]] = {}

    def prices(self, x: int, worth: FloatArray) -> FloatArray:
        """(n,) the cost of a word through each value around x, for the worth of rows."""
        loads, stores = self._worths(*self._span(x), worth)
        halves = self._halves(loads, stores)
        return (2 - halves) * loads + halves * np.where(self._costly, stores, 0)

    def charge(self, x: int, values: Int64Array, words: Int64Array, worth: FloatArray) -> Charge:
        """The rows that words through some values use around x.

        Parameters
        ----------
        x, values, words, worth
            As for `PlainAccounts.charge`.
        """
        return self._charge(self._span(x), values, words, worth)

    def charge_front(
        self, front: Int64Array, values: Int64Array, words: Int64Array, worth: FloatArray
    ) -> Charge:
        """The rows that words through values use while the first of `front` is computed.

        Parameters
        ----------
        front
            (f,) vertices.
        values, words, worth
            As for `charge`.
        """
        return self._charge(self._stages.span(front), values, words, worth)

    def _span(self, x: int) -> tuple[Int64Array, Int64Array]:
        """The stages of all values around x, which every turn of a search asks for."""
        if x not in self._spans:
            if len(self._spans) * self._words.size > REMEMBERED:
                self._spans.clear()
            self._spans[x] = self._stages.span(np.array([x]))
        return self._spans[x]

    def _charge(
        self,
        span: tuple[Int64Array, Int64Array],
        values: Int64Array,
        words: Int64Array,
        worth: FloatArray,
    ) -> Charge:
        """The rows that words through values use at a moment, whose stages `span` has."""
        halves = self._halves(*self._worths(*span, worth))[values]
        first, last = (row[values] for row in span)
        loaded, stored = halves < 2, halves > 0
        first, last = first[loaded], last[loaded]
        rows = np.concatenate((ranges(first, last), self._stages.count + values[stored]))
        charge_each = np.repeat(((2 - halves) * words)[loaded], last - first + 1)
        costly = self._costly[values]
        return Charge(
            rows,
            np.concatenate((charge_each, (halves * words)[stored])),
            values[halves == 2],
            values[(halves == 0) & costly],
        )

    def part(self, part: Part, charge: Charge) -> Part:
        """A part of a certificate with the accounts that it is charged to."""
        vertices, proof, data = part
        stored, loaded = (
            np.searchsorted(vertices, values) for values in (charge.stored, charge.loaded)
        )
        return vertices, proof, {**data, "stored": stored, "loaded": loaded}

    def uniform(self, price: float) -> FloatArray:
        """(rows,) worths by which a word through any value costs the same, at most."""
        sizes = self._stages.last - self._stages.first + 1
        rate = np.repeat(price / 2 / sizes, sizes)
        return np.concatenate((rate, np.full(sizes.size, price / 2)))

    def worth_of(self, loads: float, stores: float) -> FloatArray:
        """(rows,) one worth for all loads, and one for all stores."""
        worth = np.full(self.budget.size, stores)
        worth[: self._stages.count] = loads
        return worth

    def all_of(self, run: Int64Array, piece: Piece) -> tuple[Int64Array, Int64Array]:
        """The rows, and how much of each, that a bound on a piece uses for operands."""
        read = run[np.diff(piece.successors[0]) > 0]
        rows = ranges(self._stages.first[read], self._stages.last[read])
        rows = np.concatenate((rows, self._stages.count + read[self._costly[read]]))
        return rows, self.budget[rows]

    def _worths(
        self, first: Int64Array, last: Int64Array, worth: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """(n,) the worth of half a word of loads in some stages, and of stores."""
        total = np.concatenate(([0.0], np.cumsum(worth[: self._stages.count])))
        return total[last + 1] - total[first], worth[self._stages.count :]

    def _halves(self, loads: FloatArray, stores: FloatArray) -> Int64Array:
        """(n,) how many halves of each word are charged to stores."""
        halves = np.where(stores < (1 - ALIKE) * loads, 2, 1)
        halves[loads < (1 - ALIKE) * stores] = 0
        return np.where(self._costly, halves, 0)


Accounts = PlainAccounts | StagedAccounts
